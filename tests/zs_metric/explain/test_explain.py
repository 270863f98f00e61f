"""`explain` and its package: errors, limits, imports, and the ledger of a task."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from zs_bench.reports.explain_text import render
from zs_bench.reports.html.explanation import why
from zs_metric import LengthMismatch, NotAText, UnknownBenchmark, UnknownTask, UnreadableReference
from zs_metric.explain import explain, losses_of_task
from zs_metric.explain.parts import to_ascii, typographic
from zs_metric.tasks import find_task

ROOT = Path(__file__).parents[3]
REFERENCES = {
    "gov_report": "the cat sat on the mat 1 " * 80,
    "qasper": "the cat sat on a mat 1",
    "quality": "B",
    "space_digest": "40%",
    "book_sum_sort": ", ".join(map(str, range(1, 31))),
    "contract_nli": "Not mentioned",
}
BENCHMARK = {"contract_nli": "scrolls"}
UNITS = ["1", "A ", "1-", "1%", " ", "“", "é ", "cat sat ", "of 5 ", "\n(", "9" * 4000 + ","]


def test_the_explanation_has_the_same_keys_for_every_metric() -> None:
    for task, reference in REFERENCES.items():
        explanation = explain(task, "1", reference, benchmark=BENCHMARK.get(task, "zero_scrolls")).as_dict()
        assert list(explanation) == [
            *("task", "metric", "score", "parsed", "reason", "ledger", "length_direction"),
            *("length_up_to", "stop", "what_if", "view"),
        ]
        assert explanation["view"]["omitted"] == []


@pytest.mark.parametrize(
    "unit", [UNITS[0], *(pytest.param(unit, marks=pytest.mark.slow) for unit in UNITS[1:])], ids=lambda u: repr(u[:8])
)
@pytest.mark.parametrize("task", REFERENCES)
def test_the_explanation_of_a_huge_answer_is_small_and_says_what_it_left_out(task: str, unit: str) -> None:
    benchmark = BENCHMARK.get(task, "zero_scrolls")
    explanation = explain(task, unit * (300_000 // len(unit)), REFERENCES[task], benchmark=benchmark).as_dict()
    assert len(json.dumps(explanation, allow_nan=False, ensure_ascii=False)) < 700_000
    assert explanation["view"]["omitted"]
    assert sum(explanation["ledger"].values()) == pytest.approx(100 - explanation["score"], rel=0, abs=1e-9)


def test_a_huge_number_of_typographic_characters_is_not_tried_one_by_one() -> None:
    explanation = explain("qasper", "“" + "x " * 110_000 + "cat”", "cat").as_dict()
    assert [one["character"] for one in explanation["view"]["typography"]] == ["“", "”"]


def test_a_lone_surrogate_counts_as_one_character_of_the_offsets() -> None:
    assert explain("quality", "\ud800 B", "B").as_dict()["view"]["letters"][0]["start"] == 2


def test_a_wrong_input_is_refused_as_by_the_scorer() -> None:
    with pytest.raises(UnknownTask, match="did you mean 'gov_report'"):
        explain("govreport", "x", "x")
    with pytest.raises(NotAText, match="prediction is None"):
        explain("qasper", None, "x")  # type: ignore[arg-type]
    with pytest.raises(UnreadableReference, match=r"references\[1\] cannot be read") as error:
        explain("quality", "B", ["B", "none"])
    assert (error.value.example, error.value.reference) == (None, 1)
    with pytest.raises(UnreadableReference, match=r"references\[1\]\[0\] cannot be read"):
        losses_of_task("quality", ["B", "B"], ["B", ["none"]])
    with pytest.raises(LengthMismatch):
        losses_of_task("quality", ["B", "B"], ["B"])
    with pytest.raises(UnknownTask, match="it is a task of zero_scrolls, another benchmark"):
        explain("musique", "x", "x", benchmark="scrolls")
    with pytest.raises(UnknownBenchmark, match="did you mean 'scrolls'"):
        losses_of_task("qasper", ["x"], ["x"], benchmark="scrols")


def test_explaining_imports_nothing_but_texts_and_numbers() -> None:
    code = "import sys, zs_metric.explain; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"numpy", "pandas", "gradio", "evaluate", "datasets", "zs_bench"} & set(run.stdout.split())


def test_the_package_does_not_import_the_explanations() -> None:
    code = "import sys, zs_metric; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "zs_metric.explain" not in run.stdout.split()


def test_the_aggregation_of_rouge_is_a_line_of_its_own() -> None:
    predictions = ["exact match example", "hello there", "general kenobi"]
    references = [["exact match example"], ["hello", "hi there"], ["commander kenobi"]]
    losses = losses_of_task("gov_report", predictions, references)
    assert (round(losses.score, 4), round(losses.aggregation, 4)) == (33.3333, 22.4803)
    assert losses_of_task("narrative_qa", predictions, references).aggregation == 0


def test_known_results_are_taken_as_they_are() -> None:
    task = find_task("qasper")
    results = task.metric.score_all(["yes", "“no”"], [["yes"], ["no"]])
    unused = replace(task, metric=replace(task.metric, score_all=lambda *_: results[1:] * 2))
    losses = losses_of_task(unused, ["yes", "no way"], ["yes", "no"], results=results)
    assert [one.score for one in losses.examples] == [100, 0]


def test_only_what_stopping_earlier_wins_is_lost_to_length() -> None:
    losses = losses_of_task("qasper", ["yes it does", "yes", "no"], ["yes", "yes it does", "no"])
    assert [one.losses.direction for one in losses.examples] == ["too long", "too short", None]
    assert (losses.mean.length, losses.mean.length_up_to) == pytest.approx((50 / 3, 50 / 3))
    assert losses.mean.content == pytest.approx(50 / 3)
    assert losses.as_dict()["length_by_direction"] == pytest.approx({"too long": 50 / 3, "too short": 0})


def test_the_place_to_stop_is_named() -> None:
    stop = explain("qasper", "It is Paris, which lies on the river Seine", "Paris").losses.stop
    assert stop is not None
    assert (stop.offset, stop.words, round(stop.score)) == (12, "It is Paris,", 50)
    summary = "Police killed the gunman. He had fired first. Nobody else was hurt."
    assert explain("gov_report", summary, "police killed the gunman").losses.stop.words == "Police killed the gunman."


@pytest.mark.parametrize(
    "references", [["Kezia's Answer", "The Question of Prudence Kezia"], ["prudence", "prudence b"]]
)
def test_an_answer_is_not_too_short_when_a_reference_is_as_short_or_shares_nothing(references: list[str]) -> None:
    losses = explain("narrative_qa", "Prudence", references).losses
    assert (losses.length, losses.length_up_to) == (0, 0)


@pytest.mark.parametrize(
    ("task", "fitting", "other"),
    [
        ("quality", ["B", "(B)", " b"[:1] + "B.", "**C**"], ["Answer: B", "b", "A B", ""]),
        ("space_digest", ["40%", "~40%.", '"40%"'], ["40", "about 40%", "40 %", "1,040%", "40% 60%", ""]),
        ("book_sum_sort", ["1, 2", "[1 2]", "7\n8."], ["Order: 1, 2", "1-2", "", "1, 2, and 3", "9" * 4301]),
    ],
)
def test_an_answer_is_in_format_when_it_is_what_was_asked_for_and_nothing_else(
    task: str, fitting: list[str], other: list[str]
) -> None:
    for answers, share in ((fitting, 1), (other, 0)):
        assert losses_of_task(task, answers, [REFERENCES[task]] * len(answers)).in_format == share


@pytest.mark.parametrize("task", ["gov_report", "qasper", "contract_nli"])
def test_free_text_has_no_asked_format(task: str) -> None:
    losses = losses_of_task(task, ["x y"], [["x"]], benchmark=BENCHMARK.get(task, "scrolls"))
    assert (losses.in_format, losses.form, losses.as_dict()["in_format"]) == (None, None, None)


def test_the_lengths_of_all_texts_are_counted_in_words() -> None:
    losses = losses_of_task("qasper", ["one", "a b c d"], [["one two", "one two three"], ["one two three four"]])
    assert (losses.answer_words, losses.reference_words) == ((1, 4), (2, 3, 4))


def test_a_metric_without_a_module_of_its_own_is_explained_by_its_texts() -> None:
    task = find_task("qasper")
    plain = replace(task, metric=replace(task.metric, name="made_up"))
    explanation = explain(plain, "cat", ["the cat sat"])
    assert explanation.as_dict()["view"] == {"answer": "cat", "references": ["the cat sat"], "omitted": []}
    assert explanation.losses.as_dict()["content"] == pytest.approx(100 - explanation.score)
    assert "Answer: “cat”" in render(explanation)
    assert "the cat sat" in why(explanation)
    assert "the cat sat" not in why(explanation.without_references())


@pytest.mark.parametrize(
    ("text", "ascii_text"),
    [
        ("“a” ‘b’ «c»", "\"a\" 'b' <<c>>"),
        ("a–b—c−d…", "a-b--c-d..."),
        ("naïve Straße Ærø ŉ", "naive Strasse AEro 'n"),
        ("e\u0301 in\u00adfor", "e infor"),
        ("ＡＢ１％ ﬁ m²", "AB1% fi m2"),
        ("北京 Москва ½ ° 😀 \u3000", "北京 Москва ½ ° 😀 \u3000"),
    ],
)
def test_typography_is_written_in_ascii_and_other_scripts_stay(text: str, ascii_text: str) -> None:
    assert to_ascii(text) == ascii_text


def test_a_character_can_be_kept() -> None:
    assert to_ascii("“é”", keep="é") == '"é"'
    assert typographic("“é” 京 “") == {"“": 2, "é": 1, "”": 1}
