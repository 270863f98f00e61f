"""What every scorer says: the golden rows, what was read, the reason, the best reference; both engines; long answers.

`readings.jsonl` has, by hand, what is read in a prediction and the reason for its score; a task of SCROLLS is named
`scrolls/contract_nli` there.
"""

import json
import random
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from itertools import permutations
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any

import pytest
from every_task import every_scorer, metric_of
from hypothesis import given, settings
from hypothesis import strategies as st
from make_conformance import GOLDEN, TABLES, golden_aggregates, golden_rows
from plain_scorer import ROUGE_TYPES, plain_instance_mean, plain_score, plain_task_score
from shipped import as_shipped

from zs_metric import ExampleResult, engine, rouge, score_example, score_task
from zs_metric.concordance_index import concordance
from zs_metric.tasks import METRIC_TABLES
from zs_metric.version import installed_version

#: Three different answers, as metrics read them that read no words.
READABLE = {
    "accuracy": ("B", "C", "D"),
    "exp_similarity": ("60%", "42%", "7% off"),
    "concordance_index": ("1, 2, 3", "3, 2, 1", "7% off"),
}
WORDS = ("no such thing", "many kind words", "7% off")
TASK_OF_METRIC = {
    "f1": "qasper",
    "scrolls_f1": "scrolls/qasper",
    "scrolls_exact_match": "scrolls/contract_nli",
    "accuracy": "quality",
    "exp_similarity": "space_digest",
    "concordance_index": "book_sum_sort",
    "rouge": "gov_report",
}
SOURCES = {
    "worked out by hand from the definition of the released evaluator",
    "worked example of the specification of the released evaluator",
    "measured with the released evaluator; other implementations were measured to differ here",
}


def scored(task: str, prediction: str, *references: str) -> ExampleResult:
    benchmark, _, name = task.rpartition("/")
    return score_example(name, prediction, references, benchmark=benchmark or "zero_scrolls")


def within(points: object) -> Any:
    return pytest.approx(points, rel=0, abs=1e-9)


@pytest.mark.parametrize("table", TABLES)
def test_a_prediction_scores_what_was_worked_out_by_hand(table: str) -> None:
    rows = golden_rows(table)
    different = {(row["task"], row["prediction"], *row["references"]) for row in rows}
    assert len(different) == len(rows) >= 18, "a golden table has at least 18 rows, and none twice"
    for row in rows:
        question = row["task"], row["prediction"], row["references"]
        result, plain = (score(*question, benchmark=TABLES[table]) for score in (score_example, plain_score))
        points = {name: row[name] for name in ROUGE_TYPES if name in row} | {"geometric_mean": row["score"]}
        types = {name: part.fmeasure for name, part in (result.rouge or {}).items()}
        assert {**types, "geometric_mean": result.score} == within(points), row
        assert (plain if isinstance(plain, dict) else {"geometric_mean": plain}) == within(points), row
        assert row["why"].strip()
        assert row["source"] in SOURCES, "give one of SOURCES, or add yours"


def test_random_texts_score_what_an_independent_copy_of_the_released_evaluators_gave() -> None:
    rows = golden_rows("independent")
    assert (len(rows), {row["metric"] for row in rows}) == (620, TASK_OF_METRIC.keys())
    for row in rows:
        result = scored(TASK_OF_METRIC[row["metric"]], row["prediction"], *row["references"])
        points = (
            {name: part.fmeasure for name, part in result.rouge.items()} if result.rouge else {"score": result.score}
        )
        assert points == within({name: row[name] for name in points}), row


def test_every_golden_table_is_listed_and_an_empty_one_is_an_error(tmp_path: Path) -> None:
    assert {path.stem for path in GOLDEN.glob("*.jsonl")} == {*TABLES, "independent", "longbench"}
    (tmp_path / "f1.jsonl").write_text("\n\n", encoding="utf-8")
    with pytest.raises(ValueError, match="f1 is empty"):
        golden_rows("f1", tmp_path)


def test_the_three_predictions_of_the_specification_aggregate_as_it_says() -> None:
    data = golden_aggregates()
    columns, rows = (data["predictions"], data["references"]), data["expected"]
    assert {row["benchmark"] for row in rows} == set(METRIC_TABLES)
    for row in rows:
        task, benchmark = row["task"], row["benchmark"]
        result = score_task(task, *columns, benchmark=benchmark)
        assert {key: result.metrics[key] for key in row["result"]} == row["result"]
        assert result.metrics[METRIC_TABLES[benchmark].score_key] == row["score"]
        instance = score_task(task, *columns, benchmark=benchmark, rouge_aggregation="instance")
        assert round(instance.score, 4) == row["instance_mean"]
        assert round(plain_task_score(task, *columns, benchmark=benchmark), 4) == row["score"]
        assert round(plain_instance_mean(task, *columns, benchmark=benchmark), 4) == row["instance_mean"]


def test_what_was_read_and_the_reason_for_the_score_are_said() -> None:
    lines = (Path(__file__).parent / "readings.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) > 50
    for row in map(json.loads, lines):
        result = scored(row["task"], row["prediction"], *row["references"])
        assert (as_shipped(result.parsed), result.reason) == (row["parsed"], row["reason"]), row
    unreadable = scored("book_sum_sort", "1" * 4301, "1, 2, 3")
    reason = "a number of more than 4300 digits makes the answer unreadable"
    assert (unreadable.parsed, unreadable.reason) == (None, reason)
    many = scored("book_sum_sort", ", ".join(map(str, range(99, -1, -1))), ", ".join(map(str, range(100))))
    assert many.reason == "4950 of 4950 pairs are out of order"


@every_scorer()
def test_the_first_perfect_reference_counts_wherever_it_stands_and_the_result_is_json(
    benchmark: str, task: str
) -> None:
    metric = metric_of(benchmark, task)
    readable, answer, other = READABLE.get(metric, WORDS)
    perfect = score_example(task, readable, [readable, readable], benchmark=benchmark)
    assert (perfect.score, perfect.reason) == (100, None), f"add three answers that {metric} reads to READABLE"
    first = {part.best_reference for part in perfect.rouge.values()} if perfect.rouge else {perfect.best_reference}
    assert first == {0}
    data = score_example(task, "B 60% 2, 1, 3 some words", readable, benchmark=benchmark).as_dict()
    assert as_shipped(data) == data
    assert {"score", "parsed", "reason"} <= set(data)
    orders = permutations((readable, answer, other))
    scores = {score_example(task, answer, order, benchmark=benchmark).score for order in orders}
    assert scores == {100}


def test_the_reference_that_gave_the_score_is_named_with_precision_and_recall_in_points() -> None:
    assert scored("quality", "C", "B", "(C) text of C").best_reference == 1
    assert scored("scrolls/contract_nli", "He left!", "She left", "he left").best_reference == 1
    assert scored("book_sum_sort", "1, 2, 3", "3, 2, 1", "1, 3, 2").best_reference == 1
    nearest = scored("space_digest", "55%", "10%", "60%", "90%")
    assert (nearest.best_reference, round(nearest.score, 4)) == (1, 70.7107)
    assert scored("qasper", "nothing", "a", "b").best_reference == 0
    f1 = scored("qasper", "The cat, the CAT!", "dog", "a cat sat down")
    assert (f1.parsed, f1.best_reference, f1.reason) == ("cat cat", 1, None)
    assert (f1.precision, f1.recall, f1.score) == pytest.approx((50, 100 / 3, 40))
    types = scored("qmsum", "a b c d e f", "f e d c b a", "a b x y z w").rouge or {}
    assert [part.best_reference for part in types.values()] == [0, 1, 1]
    types = scored("qmsum", "one two three four", "one two").rouge or {}
    assert types["rouge1"][:3] == pytest.approx((50, 100, 200 / 3))
    assert types["rouge2"][:3] == pytest.approx((100 / 3, 100, 50))


def test_numbers_that_json_cannot_hold_are_shipped() -> None:
    endless = scored("space_digest", "9" * 400 + "%", "60%")
    assert (endless.score, endless.parsed) == (0, float("inf"))
    assert as_shipped(endless.as_dict())["parsed"] == sys.float_info.max
    parsed = scored("book_sum_sort", f"{2**53}, {2**53 - 1}", "1, 2").as_dict()["parsed"]
    assert parsed == [str(2**53), 2**53 - 1]


def test_a_long_order_and_repeated_ids_are_counted_pair_by_pair() -> None:
    truth = list(range(2_400))
    order = random.Random(1).sample(truth, len(truth))
    agree = sum(order[j] < order[i] for i in range(len(order)) for j in range(i))
    assert concordance(order, truth) == pytest.approx(100 * agree / (2_400 * 2_399 / 2), abs=1e-9)
    assert concordance((1, 2, 1), (1, 1, 2)) == pytest.approx(200 / 3)
    assert concordance((1, 1, 3), (1, 2, 3)) == 0


def test_rouge_calls_a_prediction_wordless_exactly_when_its_lowercase_has_no_ascii_letter_or_digit() -> None:
    ascii_words = set("abcdefghijklmnopqrstuvwxyz0123456789")
    everything = map(chr, range(sys.maxunicode + 1))
    assert not [c for c in everything if bool(rouge._TOKEN.search(c)) != bool(ascii_words & set(c.lower()))]


words = st.lists(st.sampled_from(["the", "cat", "Cat", "sat", "1", "e\u0301", "\u0130x", "\u212a"]), max_size=30)
texts = st.text(max_size=80) | words.map(" ".join)


@given(st.lists(st.tuples(texts, texts), max_size=3))
@settings(max_examples=2 * settings.default.max_examples)
def test_both_engines_give_the_same_values_to_the_last_bit(pairs: list[tuple[str, str]]) -> None:
    pytest.importorskip("rouge_score_rs", reason="no wheel of the fast engine for this machine")
    columns = [reference for reference, _ in pairs], [prediction for _, prediction in pairs]
    fast, plain = (engine(name).score_pairs(*columns) for name in rouge.ENGINES)
    for both in zip(fast, plain, strict=True):
        for name in ROUGE_TYPES:
            values = {(scores[name].precision, scores[name].recall, scores[name].fmeasure) for scores in both}
            assert len(values) == 1


@pytest.fixture
def without_the_fast_engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def import_all_but_the_fast_engine(name: str) -> ModuleType:
        if name.startswith("rouge_score_rs"):
            raise ModuleNotFoundError(name)
        return import_module(name)

    monkeypatch.setattr(rouge, "import_module", import_all_but_the_fast_engine)
    engine.cache_clear()
    yield
    engine.cache_clear()


@pytest.mark.usefixtures("without_the_fast_engine")
def test_googles_engine_is_used_where_the_fast_one_is_not_installed_which_cannot_be_asked_for() -> None:
    assert engine().name == f"rouge-score {version('rouge-score')}"
    score = scored("gov_report", "hello there you", "hello there").score
    assert score == pytest.approx(100 * (0.8 * 2 / 3 * 0.8) ** (1 / 3))
    with pytest.raises(ImportError, match="rouge_score_rs"):
        engine("rouge-score-rs")


@pytest.mark.parametrize(
    ("package", "module"),
    [("rouge-score", "rouge_score"), ("unidecode", "unidecode"), ("pytest", "json"), ("pytest", "sys")],
    ids=["with a hyphen", "with a capital", "beside another package", "without a file"],
)
def test_the_version_of_an_installed_package_is_that_of_its_metadata(package: str, module: str) -> None:
    assert installed_version(package, module) == version(package)


#: By task a reference, and what its scorer might read in more than linear time: many matches, or none for long.
LONG = {
    "gov_report": ("the cat sat on the mat 1 " * 80, ["a", "the ", "cat sat "]),
    "qasper": ("the cat sat on a mat 1", ["1", "“", "the ", "cat sat "]),
    "quality": ("B", ["1", "A", "a"]),
    "space_digest": ("40%", ["1", "1.", "1,", "1%", "9" * 4000 + ","]),
    "book_sum_sort": (", ".join(map(str, range(1, 31))), ["1", "1,", "1 ", "9" * 4000 + ","]),
    "scrolls/contract_nli": ("Not mentioned", [" ", "the "]),
}
PAIRS = [pytest.param(task, unit, id=f"{task}-{unit[:8]!r}") for task, (_, units) in LONG.items() for unit in units]
QUARTER = 250_000


def best_of_three(task: str, prediction: str) -> float:
    seconds = []
    for _ in range(3):
        start = process_time()
        result = scored(task, prediction, LONG[task][0])
        seconds.append(process_time() - start)
        assert 0 <= result.score <= 100
    return min(seconds)


@pytest.mark.slow
@pytest.mark.parametrize(("task", "unit"), PAIRS)
def test_four_times_the_text_never_takes_sixteen_times_as_long(task: str, unit: str) -> None:
    quarter = unit * (QUARTER // len(unit))
    assert best_of_three(task, 4 * quarter) < 12 * max(best_of_three(task, quarter), 0.001)


@pytest.mark.parametrize("task", LONG)
def test_a_megabyte_reference_is_read_too(task: str) -> None:
    reference = LONG[task][0]
    assert 0 <= scored(task, reference, " 9" * (2 * QUARTER) + " " + reference, reference).score <= 100
