"""`explain` and its package: errors, limits, imports, and the losses of a task."""

import json
from dataclasses import replace

import pytest

from zs_bench.reports.explain_text import render
from zs_bench.reports.html.explanation import why
from zs_metric import LengthMismatch, NotAText, UnknownBenchmark, UnknownTask, UnreadableReference
from zs_metric.explain import explain, losses_of_task
from zs_metric.explain.parts import to_ascii
from zs_metric.tasks import find_task

REFERENCES = {
    "gov_report": "the cat sat on the mat 1 " * 80,
    "qasper": "the cat sat on a mat 1",
    "quality": "B",
    "space_digest": "40%",
    "book_sum_sort": ", ".join(map(str, range(1, 31))),
    "contract_nli": "Not mentioned",
}
UNITS = ["1", "A ", "1-", "1%", " ", "“", "é ", "cat sat ", "of 5 ", "\n(", "9" * 4000 + ","]


def benchmark_of(task: str) -> str:
    return "scrolls" if task == "contract_nli" else "zero_scrolls"


@pytest.mark.parametrize(
    "unit", [UNITS[0], *(pytest.param(unit, marks=pytest.mark.slow) for unit in UNITS[1:])], ids=lambda u: repr(u[:8])
)
def test_a_huge_prediction_is_explained_in_little_space_and_lost_to_nothing_that_is_known(unit: str) -> None:
    for task, reference in REFERENCES.items():
        prediction = unit * (300_000 // len(unit))
        explanation = explain(task, prediction, reference, benchmark=benchmark_of(task)).as_dict()
        assert len(json.dumps(explanation, allow_nan=False, ensure_ascii=False)) < 700_000
        assert explanation["view"]["omitted"]
        lost = 100 - explanation["score"]
        assert explanation["losses"] == ({"not explained": pytest.approx(lost)} if lost else {})


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
    with pytest.raises(UnknownBenchmark, match="did you mean 'scrolls'"):
        losses_of_task("qasper", ["x"], ["x"], benchmark="scrols")


def test_the_losses_of_a_task_name_the_aggregation_the_lengths_and_what_stopping_earlier_wins() -> None:
    predictions = ["exact match example", "hello there", "general kenobi"]
    references = [["exact match example"], ["hello", "hi there"], ["commander kenobi"]]
    losses = losses_of_task("gov_report", predictions, references)
    assert (round(losses.score, 4), round(losses.aggregation, 4)) == (33.3333, 22.4803)
    assert (losses.answer_words, losses.reference_words) == ((3, 2, 2), (3, 1, 2, 2))
    losses = losses_of_task("qasper", ["yes it does", "yes", "no"], ["yes", "yes it does", "no"])
    ledger = losses.as_ledger()
    assert ledger.pop("length_by_direction") == pytest.approx({"too long": 50 / 3, "too short": 0})
    parts = {"format": 0, "typography": 0, "length": 50 / 3, "content": 50 / 3}
    assert ledger == pytest.approx({"mean": 200 / 3, **parts, "aggregation": 0, "in_format": None})
    losses = losses_of_task("quality", ["C", "\uff23? D"], ["B\u0301é", "C"])  # in ASCII the first has no letter
    assert losses.mean == {"typography": 50, "wrong option": 50}


def test_known_results_are_taken_as_they_are() -> None:
    task = find_task("qasper")
    results = task.metric.score_all(["yes", "“no”"], [["yes"], ["no"]])
    unused = replace(task, metric=replace(task.metric, score_all=lambda *_: results[1:] * 2))
    losses = losses_of_task(unused, ["yes", "no way"], ["yes", "no"], results=results)
    assert [one.score for one in losses.examples] == [100, 0]
    assert explain(unused, "yes", "yes", result=results[0]).score == 100


def test_a_prediction_is_in_format_when_it_is_what_was_asked_for_and_nothing_else() -> None:
    for task, fitting, other in (
        ("quality", ["B", "(B)", " B.", "**C**"], ["Answer: B", "b", "A B", ""]),
        ("space_digest", ["40%", "~40%.", '"40%"'], ["40", "about 40%", "40 %", "1,040%", "40% 60%", ""]),
        ("book_sum_sort", ["1, 2", "[1 2]", "7\n8."], ["Order: 1, 2", "1-2", "", "1, 2, and 3", "9" * 4301]),
    ):
        for predictions, share in ((fitting, 1), (other, 0)):
            assert losses_of_task(task, predictions, [REFERENCES[task]] * len(predictions)).in_format == share
    losses = losses_of_task("contract_nli", ["x y"], [["x"]], benchmark="scrolls")
    assert (losses.in_format, losses.form, losses.examples[0].in_format) == (None, None, None)


def test_a_metric_without_a_module_of_its_own_is_explained_by_its_texts() -> None:
    task = find_task("qasper")
    plain = replace(task, metric=replace(task.metric, name="made_up"))
    explanation = explain(plain, "cat", ["the cat sat"])
    assert explanation.as_dict()["view"] == {"answer": "cat", "references": ["the cat sat"], "omitted": []}
    assert explanation.losses == {"not explained": pytest.approx(100 - explanation.score)}
    assert (explanation.sentence, explanation.stop) == (None, None)
    assert explain(plain, "x " * 25_001, ["y", "z " * 25_001]).omitted[1:3] == [
        "only the first 50,000 of 50,002 characters of the answer are shown",
        "only the first 50,000 of 50,002 characters of reference 2 are shown",
    ]
    assert "Answer: “cat”" in render(explanation)
    assert "the cat sat" in why(explanation)
    assert "the cat sat" not in why(explanation.without_references())


def test_typography_is_written_in_ascii_and_other_scripts_stay() -> None:
    for text, ascii_text in (
        ("“a” ‘b’ «c»", "\"a\" 'b' <<c>>"),
        ("a–b—c−d…", "a-b--c-d..."),
        ("naïve Straße Ærø ŉ", "naive Strasse AEro 'n"),
        ("e\u0301 in\u00adfor", "e infor"),
        ("ＡＢ１％ ﬁ m²", "AB1% fi m2"),
        ("北京 Москва ½ ° 😀 \u3000", "北京 Москва ½ ° 😀 \u3000"),
    ):
        assert to_ascii(text) == ascii_text
