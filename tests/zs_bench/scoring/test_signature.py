"""The signature: what its line says, the hash of the references, and how two of them differ."""

import hashlib
import json
from dataclasses import fields, replace
from importlib.metadata import version

import pytest

from zs_bench.benchmarks.scrolls import BENCHMARK as SCROLLS
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import load_embedded, sample_predictions
from zs_bench.scoring.score_files import score_files
from zs_bench.scoring.scored import Signature, differences
from zs_bench.validation.references import reference_hash
from zs_metric import EmptyInput, NotAText, UnknownTask, UnreadableReference, engine
from zs_metric.version import VERSION

REFERENCES = {"quality": {"62139_J05FWZR6_1": ["B"]}, "qasper": {"7f3a": ["yes", "no"], "91bc": ["x"]}}
SIGNATURE = Signature(
    tasks=tuple(TASKS),
    data="sha256:ab12cd34ef56",
    answers=470,
    missing=3,
    engine="rouge-score-rs-0.2.1",
    unidecode="1.4.0",
    version="0.1.0",
    normalisation="lower-punct-art-ws-unidecode",
    source="validation",
)
TEXT = (
    "ZS|tasks:all|source:validation|data:sha256:ab12cd34ef56|n:470/473|rouge:corpus|stem:no"
    "|norm:lower-punct-art-ws-unidecode|post:none|engine:rouge-score-rs-0.2.1|unidecode:1.4.0|ci:jackknife-t|v:0.1.0"
)


def test_a_signature_is_one_short_line_that_no_value_breaks():
    assert str(SIGNATURE) == TEXT
    other = replace(
        SIGNATURE, source="a|b\nc", tasks=("qasper", "quality"), post=("strip", "cut-at:\\n"), run=("cut3",)
    )
    changes = {"tasks:all": "tasks:qasper,quality", ":validation": ":a%7Cb%0Ac", "none": "strip,cut-at:%5Cn|run:cut3"}
    text = TEXT
    for part, changed in changes.items():
        text = text.replace(part, changed)
    assert str(other) == text
    assert "source" not in str(replace(SIGNATURE, source=None))
    assert "source:%3F|" in str(replace(SIGNATURE, source="\ud800"))


def test_every_part_of_a_signature_shows_in_its_text():
    others = {"tasks": ("qasper",), "answers": 1, "missing": 1, "post": ("x",), "run": ("x",), "benchmark": SCROLLS}
    for field in fields(Signature):
        assert str(replace(SIGNATURE, **{field.name: others.get(field.name, "other")})) != TEXT


def test_what_is_scored_here_is_signed_with_the_versions_here():
    scored = score_files([sample_predictions()], source="embedded", rouge_aggregation="instance", post=["strip"])
    references = {task: {row.id: row.references for row in load_embedded(task)} for task in ("qasper", "quality")}
    assert scored.signature("quality", "qasper") == Signature(
        ("qasper", "quality"),
        reference_hash(references),
        answers=4,
        missing=0,
        engine=engine().name.replace(" ", "-"),
        unidecode=version("unidecode"),
        version=VERSION,
        normalisation="lower-punct-art-ws-unidecode",
        source="validation",
        rouge="instance",
        post=("strip",),
    )


def test_the_hash_is_that_of_the_canonical_json_whatever_the_order():
    rows = [["qasper", "7f3a", ["no", "yes"]], ["qasper", "91bc", ["x"]], ["quality", "62139_J05FWZR6_1", ["B"]]]
    digest = hashlib.sha256(json.dumps(rows, separators=(",", ":")).encode()).hexdigest()
    turned = {"qasper": {"91bc": ["x"], "7f3a": ["no", "yes"]}, "quality": REFERENCES["quality"]}
    assert reference_hash(REFERENCES) == reference_hash(turned) == f"sha256:{digest[:12]}"
    assert reference_hash({"qasper": {"1": ["\ud800"]}}) == reference_hash({"qasper": {"1": ["\ufffd"]}})


@pytest.mark.parametrize(
    ("references", "error"),
    [
        ({"qasper": {}}, EmptyInput),
        ({"qaspr": {"1": ["x"]}}, UnknownTask),
        ({"qasper": {"1": []}}, UnreadableReference),
        ({"qasper": {"1": [None]}}, NotAText),
    ],
)
def test_invalid_references_have_no_hash(references, error):
    with pytest.raises(error):
        reference_hash(references)


def test_every_difference_is_reported_with_its_meaning():
    assert differences(SIGNATURE, replace(SIGNATURE)) == []
    changes = {
        "data": "sha256:0",
        "answers": 400,
        "engine": "rouge-score-0.1.2",
        "unidecode": "1.3.8",
        "version": "0.2.0",
    }
    changes |= {"rouge": "instance", "normalisation": "lower", "post": ("strip",), "benchmark": SCROLLS, "source": None}
    other = replace(SIGNATURE, tasks=tuple(TASKS)[:2] + tuple(TASKS)[3:], run=("trimmed12",), **changes)
    sentences = differences(replace(SIGNATURE, run=("whole",)), other)
    assert len(sentences) == len(fields(Signature)) - 1  # answers and missing are one sentence
    assert sentences[:2] == [
        "tasks: only the first has qmsum (an average over other tasks is another number)",
        "answers: 470 of 473 against 400 of 403 examples (the rest is left out of the score)",
    ]
    assert "references from: validation against unknown (other examples, or the same under another name)" in sentences
    assert sentences[-2:] == [
        "prompts: whole against trimmed12 (a model scores by what it has read)",
        "answers processed by: no rule against strip (these are not the same answers)",
    ]
    reverse = differences(other, SIGNATURE)
    assert reverse[0].startswith("tasks: only the second has qmsum (")
    assert not any(sentence.startswith("prompts: ") for sentence in reverse), "the second is no run"
