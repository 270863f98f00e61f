"""The signature: what its line says, the hash of the references, and how two of them differ."""

import hashlib
import json
from dataclasses import replace
from importlib.metadata import version

import pytest
from written_files import write

from zs_bench.benchmarks import find_task
from zs_bench.benchmarks.scrolls import BENCHMARK as SCROLLS
from zs_bench.benchmarks.zero_scrolls import BENCHMARK as ZERO_SCROLLS
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import load_embedded, sample_predictions
from zs_bench.scoring.score_files import score_files
from zs_bench.scoring.signature import differences, sign
from zs_bench.validation.references import reference_hash
from zs_metric import EmptyInput, NotAText, UnknownTask, UnreadableReference, engine
from zs_metric.texts import RowReferences
from zs_metric.version import VERSION

REFERENCES = {"quality": {"62139_J05FWZR6_1": ["B"]}, "qasper": {"7f3a": ["yes", "no"], "91bc": ["x"]}}
SIGNATURE = sign(ZERO_SCROLLS, tuple(TASKS), "sha256:ab12cd34ef56", (470, 473), source="validation")


def test_a_signature_is_one_short_line_that_no_value_breaks():
    text = (
        "ZS|tasks:all|source:validation|data:sha256:ab12cd34ef56|n:470/473|rouge:corpus|stem:no"
        f"|norm:lower-punct-art-ws-unidecode|post:none|engine:{engine().name.replace(' ', '-')}"
        f"|unidecode:{version('unidecode')}|ci:jackknife-t-unseen|v:{VERSION}"
    )
    assert str(SIGNATURE) == text
    more = {"post": ("strip", "cut-at:\\n"), "run": ("cut3",)}
    other = sign(ZERO_SCROLLS, ("qasper", "qmsum"), "sha256:ab12cd34ef56", (470, 473), source="a|b\nc", **more)
    changes = {"tasks:all": "tasks:qasper,qmsum", ":validation": ":a%7Cb%0Ac", "none": "strip,cut-at:%5Cn|run:cut3"}
    for part, changed in changes.items():
        text = text.replace(part, changed)
    assert str(other) == text
    assert "source" not in str(sign(ZERO_SCROLLS, (), "", (0, 0)))
    assert "source:%3F|" in str(sign(ZERO_SCROLLS, (), "", (0, 0), source="\ud800"))
    assert str(sign(SCROLLS, (), "", (0, 0))).startswith("SC|n:0/0|")


def test_a_signature_has_of_libraries_and_settings_what_its_tasks_are_scored_by_and_nothing_else():
    words = {task: str(sign(SCROLLS, (task,), "", (0, 0))).split("|") for task in ("gov_report", "qasper")}
    assert not any(word.startswith(("rouge:", "stem:", "engine:", "unidecode:")) for word in words["qasper"])
    assert "norm:lower-punct-art-ws" in words["qasper"]
    assert {"rouge:corpus", "stem:no"} <= {*words["gov_report"]}
    assert "norm:" not in str(words["gov_report"])
    assert "unidecode" not in str(sign(SCROLLS, tuple(SCROLLS.tasks), "", (0, 0)))
    accuracy = str(sign(ZERO_SCROLLS, ("quality",), "", (0, 0)))
    assert accuracy == f"ZS|tasks:quality|n:0/0|post:none|ci:jackknife-t-unseen|v:{VERSION}"


def test_what_is_scored_here_is_signed_with_its_settings():
    scored = score_files([sample_predictions()], source="embedded", rouge_aggregation="instance", post=["strip"])
    references = {task: {row.id: row.references for row in load_embedded(task)} for task in ("qasper", "quality")}
    settings = {"source": "examples", "rouge": "instance", "post": ("strip",)}
    expected = sign(ZERO_SCROLLS, ("qasper", "quality"), reference_hash(references), (4, 4), **settings)
    assert scored.signature("quality", "qasper") == expected


def test_the_hash_is_that_of_the_canonical_json_whatever_the_order():
    rows = [["qasper", "7f3a", ["no", "yes"]], ["qasper", "91bc", ["x"]], ["quality", "62139_J05FWZR6_1", ["B"]]]
    digest = hashlib.sha256(json.dumps(rows, separators=(",", ":")).encode()).hexdigest()
    turned = {"qasper": {"91bc": ["x"], "7f3a": ["no", "yes"]}, "quality": REFERENCES["quality"]}
    assert reference_hash(REFERENCES) == reference_hash(turned) == f"sha256:{digest[:12]}"
    assert reference_hash({"qasper": {"1": ["\ud800"]}}) == reference_hash({"qasper": {"1": ["\ufffd"]}})


def test_references_that_differ_in_a_field_of_the_row_that_the_metric_reads_are_signed_apart(tmp_path):
    answers, scored = {"trec": {"1": "Food or drink", "2": "Date"}}, []
    for number, classes in enumerate((["Food", "Date", "drink"], ["Food", "Date"])):
        rows = [{"_id": "1", "answers": ["Food"]}, {"_id": "2", "answers": ["Date"]}]
        known = [{**row, "all_classes": classes, "length": number, "dataset": "trec"} for row in rows]
        paths = write(tmp_path / f"a{number}.json", answers), write(tmp_path / f"known{number}" / "trec.jsonl", known)
        scored.append(score_files(*([path] for path in paths), benchmark="longbench"))
    assert [each.tasks["trec"].score for each in scored] == [75, 100]
    assert len({each.signature().parts["data"] for each in scored}) == 2
    task = find_task("trec", benchmark="longbench")
    plain = reference_hash({task: {"1": ["Food"]}}, benchmark="longbench")
    for row in ({"all_classes": [*task.choices]}, {"length": 3}, {"all_classes": None}):
        assert reference_hash({task: {"1": RowReferences(["Food"], row)}}, benchmark="longbench") == plain


def test_invalid_references_have_no_hash():
    for references, error in (
        ({"qasper": {}}, EmptyInput),
        ({"qaspr": {"1": ["x"]}}, UnknownTask),
        ({"qasper": {"1": []}}, UnreadableReference),
        ({"qasper": {"1": [None]}}, NotAText),
    ):
        with pytest.raises(error):
            reference_hash(references)


def test_every_difference_is_reported_with_its_meaning():
    assert differences(SIGNATURE, replace(SIGNATURE)) == []
    parts = dict.fromkeys(SIGNATURE.parts, ("other",)) | {"n": ("400/403",), "source": (), "run": ("trimmed12",)}
    other = replace(SIGNATURE, benchmark=SCROLLS, tasks=tuple(TASKS)[:2] + tuple(TASKS)[3:], parts=parts)
    sentences = differences(replace(SIGNATURE, parts={**SIGNATURE.parts, "run": ("whole",)}), other)
    assert len(sentences) == 2 + len(SIGNATURE.parts) - len({"stem", "ci", "runs"})
    assert sentences[:4] == [
        "tasks: only the first has qmsum (an average over other tasks is another number)",
        "answers: 470 of 473 against 400 of 403 examples (the rest is left out of the score)",
        "benchmark: zero_scrolls against scrolls (these are two different things)",
        "references from: validation against unknown (other examples, or the same under another name)",
    ]
    assert sentences[-2:] == [
        "prompts: whole against trimmed12 (a model scores by what it has read)",
        "answers processed by: no rule against other (these are not the same answers)",
    ]
    reverse = differences(other, SIGNATURE)
    assert reverse[0].startswith("tasks: only the second has qmsum (")
    assert not any(sentence.startswith("prompts: ") for sentence in reverse), "the second is no run"
