"""The signature: short, complete, read back as it was, told in words."""

import hashlib
import json
from dataclasses import fields, replace
from importlib.metadata import version

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zs_bench.reports.signature import Signature, UnreadableSignature, normalisation, reference_hash, sign
from zs_bench.reports.signature_text import FIELDS
from zs_bench.reports.signature_words import differences, explain
from zs_metric import TASKS, EmptyInput, NotAText, UnknownTask, UnreadableReference, ZeroScrollsError, engine

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
    "|norm:lower-punct-art-ws-unidecode|post:none|engine:rouge-score-rs-0.2.1|unidecode:1.4.0|v:0.1.0"
)

words = st.text(max_size=12) | st.sampled_from(["all", "none", "a|b:c", "50%", "x,y", "é\ud800", "", " "])
counts = st.integers(0, 10**6)
signatures = st.builds(
    Signature,
    tasks=st.lists(words | st.sampled_from(sorted(TASKS)), max_size=4).map(tuple) | st.just(tuple(TASKS)),
    data=words,
    answers=counts,
    missing=counts,
    engine=words,
    unidecode=words,
    version=words,
    source=st.none() | words,
    rouge=words,
    stemming=st.booleans(),
    normalisation=words,
    post=st.lists(words, max_size=4).map(tuple),
    benchmark=words | st.sampled_from(["ZS", "SC"]),
)


def test_a_signature_is_one_short_line() -> None:
    assert str(SIGNATURE) == TEXT
    assert str(replace(SIGNATURE, source=None, tasks=("qasper", "quality"), post=("strip quotes",), stemming=True)) == (
        "ZS|tasks:qasper,quality|data:sha256:ab12cd34ef56|n:470/473|rouge:corpus|stem:yes"
        "|norm:lower-punct-art-ws-unidecode|post:strip%20quotes|engine:rouge-score-rs-0.2.1|unidecode:1.4.0|v:0.1.0"
    )


@given(signatures)
def test_a_signature_reads_back_as_it_was_written(signature: Signature) -> None:
    text = str(signature)
    assert Signature.parse(text) == signature
    assert text.isascii()
    assert text.isprintable()
    assert " " not in text


def test_a_signature_broken_over_lines_is_read_all_the_same() -> None:
    assert Signature.parse(f"  {TEXT[:60]}\n   {TEXT[60:]}\n") == SIGNATURE


def test_every_part_of_a_signature_shows_in_its_text() -> None:
    others = {"tasks": ("qasper",), "answers": 1, "missing": 1, "stemming": True, "post": ("x",)}
    for field in fields(Signature):
        assert str(replace(SIGNATURE, **{field.name: others.get(field.name, "other")})) != TEXT


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it lacks tasks, data, n, rouge, stem, norm, post, engine, unidecode, v"),
        ("BLEU|nrefs:1|case:mixed", "there is no field 'nrefs'"),
        (TEXT.replace("|rouge:", "|rogue:"), "there is no field 'rogue' (did you mean 'rouge'?)"),
        (TEXT + "|v:0.1.0", "the field v is there twice"),
        (TEXT.replace("|n:470/473", ""), "it lacks n"),
        (TEXT.replace("470/473", "470"), "the field n is '470', not answers/examples such as 470/473"),
        (TEXT.replace("470/473", "474/473"), "the field n is '474/473'"),
        (TEXT.replace("470/473", "9" * 5000 + "/1"), "the field n is '9999"),
        (TEXT.replace("stem:no", "stem:perhaps"), "the field stem is 'perhaps', not yes or no"),
        (TEXT.replace("validation", "%FF"), "'%FF' is no percent-encoded UTF-8"),
    ],
)
def test_a_text_that_is_no_signature_is_refused_with_what_is_wrong(text: str, why: str) -> None:
    with pytest.raises(UnreadableSignature) as caught:
        Signature.parse(text)
    assert caught.value.why.startswith(why)
    assert len(str(caught.value)) < 250


@given(st.text(max_size=60) | st.sampled_from(FIELDS).map(lambda name: f"ZS|{name}:%"))
def test_no_text_can_make_parsing_raise_anything_else(text: str) -> None:
    with pytest.raises(ZeroScrollsError):
        Signature.parse(text)


def test_what_is_scored_here_is_signed_with_the_versions_here() -> None:
    found = sign(REFERENCES, answers=2, missing=1, source="test", rouge_aggregation="instance", post=["strip"])
    assert found.tasks == ("qasper", "quality")
    assert (found.answers, found.missing, found.source, found.rouge) == (2, 1, "test", "instance")
    assert found.data == reference_hash(REFERENCES)
    assert found.engine == engine().name.replace(" ", "-")
    assert found.unidecode == version("unidecode")
    assert found.normalisation == normalisation("zero_scrolls") == "lower-punct-art-ws-unidecode"
    assert found.post == ("strip",)
    assert not found.stemming


# the hash of the references


def test_the_hash_is_that_of_the_canonical_json() -> None:
    rows = [["qasper", "7f3a", ["no", "yes"]], ["qasper", "91bc", ["x"]], ["quality", "62139_J05FWZR6_1", ["B"]]]
    digest = hashlib.sha256(json.dumps(rows, separators=(",", ":")).encode()).hexdigest()
    assert reference_hash(REFERENCES) == f"sha256:{digest[:12]}"


def test_no_order_changes_the_hash() -> None:
    turned = {"qasper": {"91bc": ["x"], "7f3a": ["no", "yes"]}, "quality": REFERENCES["quality"]}
    assert reference_hash(turned) == reference_hash(REFERENCES)


@pytest.mark.parametrize(
    "other",
    [
        {"qasper": REFERENCES["qasper"]},
        REFERENCES | {"quality": {"62139_J05FWZR6_1": ["C"]}},
        REFERENCES | {"quality": {"62139_J05FWZR6_2": ["B"]}},
        REFERENCES | {"quality": {"62139_J05FWZR6_1": ["B", "B"]}},
    ],
)
def test_other_contents_have_another_hash(other: dict[str, dict[str, list[str]]]) -> None:
    assert reference_hash(other) != reference_hash(REFERENCES)


def test_a_lone_surrogate_is_hashed_as_it_is_scored() -> None:
    assert reference_hash({"qasper": {"1": ["\ud800"]}}) == reference_hash({"qasper": {"1": ["\ufffd"]}})


@pytest.mark.parametrize(
    ("references", "error"),
    [
        ({}, EmptyInput),
        ({"qasper": {}}, EmptyInput),
        ({"qaspr": {"1": ["x"]}}, UnknownTask),
        ({"qasper": {"1": []}}, UnreadableReference),
        ({"qasper": {"1": [None]}}, NotAText),
    ],
)
def test_references_that_are_none_have_no_hash(
    references: dict[str, dict[str, list[str]]], error: type[ZeroScrollsError]
) -> None:
    with pytest.raises(error):
        reference_hash(references)


# in words


def test_a_signature_is_explained_in_sentences() -> None:
    assert explain(SIGNATURE).splitlines() == [
        "ZeroSCROLLS: all 10 tasks.",
        "References from validation, content sha256:ab12cd34ef56: equal contents have equal hashes.",
        "Answers to 470 of 473 examples were scored; 3 without an answer are left out.",
        (
            "ROUGE: the mean over the answers per type, then the geometric mean of the three (corpus, as published); "
            "no stemming; engine rouge-score-rs-0.2.1."
        ),
        (
            "F1 compares words after these steps: lowercase, drop punctuation, drop articles, squeeze whitespace, "
            "transliterate to ASCII; unidecode 1.4.0."
        ),
        "The answers were scored as they are, without post-processing.",
        "Scored by zero-scrolls 0.1.0.",
    ]


def test_what_is_unusual_is_explained_as_well() -> None:
    unusual = replace(
        SIGNATURE, tasks=("qasper",), missing=0, source=None, rouge="instance", stemming=True, post=("strip", "cut")
    )
    told = explain(unusual)
    for part in (
        "ZeroSCROLLS, task: qasper.",
        "References, content",
        "470 of 470 examples were scored.",
        "instance; published tables use corpus",
        "word stems compared",
        "processed by: strip, cut.",
    ):
        assert part in told


@given(signatures)
def test_every_signature_can_be_explained_in_seven_lines_and_equals_itself(signature: Signature) -> None:
    assert explain(signature)
    assert differences(signature, Signature.parse(str(signature))) == []


@given(signatures, signatures)
def test_two_signatures_differ_in_words_exactly_when_they_differ(a: Signature, b: Signature) -> None:
    assert bool(differences(a, b)) == (a != b)


def test_every_difference_is_told_with_what_it_means() -> None:
    other = Signature(
        tasks=tuple(name for name in TASKS if name != "qmsum"),
        data="sha256:000000000000",
        answers=400,
        missing=3,
        engine="rouge-score-0.1.2",
        unidecode="1.3.8",
        version="0.2.0",
        rouge="instance",
        stemming=True,
        normalisation="lower",
        post=("strip",),
    )
    told = differences(SIGNATURE, other)
    assert told[0] == "tasks: only the first has qmsum (an average over other tasks is another number)"
    assert told[1] == "answers: 470 of 473 against 400 of 403 examples (the rest is left out of the score)"
    assert "references from: validation against unknown" in told[2]
    assert any(line.startswith("stemming: only the second") for line in told)
    assert any(line.startswith("answers processed by: no rule against strip") for line in told)
    assert len(told) == 11
