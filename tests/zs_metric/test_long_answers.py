"""A megabyte is scored by every scorer, in near-linear time: four times the text never takes sixteen times as long."""

from time import process_time

import pytest

from zs_metric import score_example

REFERENCES = {
    "gov_report": "the cat sat on the mat 1 " * 80,
    "qasper": "the cat sat on a mat 1",
    "quality": "B",
    "space_digest": "40%",
    "book_sum_sort": ", ".join(map(str, range(1, 31))),
    "contract_nli": "Not mentioned",
}
BENCHMARK = {"contract_nli": "scrolls"}
# What a scorer might read in more than linear time: many matches, or none for long.
UNITS = {
    "gov_report": ["a", "the ", "cat sat "],
    "qasper": ["1", "“", "the ", "cat sat "],
    "quality": ["1", "A", "a"],
    "space_digest": ["1", "1.", "1,", "1%", "9" * 4000 + ","],
    "book_sum_sort": ["1", "1,", "1 ", "9" * 4000 + ","],
    "contract_nli": [" ", "the "],
}
PAIRS = [pytest.param(task, unit, id=f"{task}-{unit[:8]!r}") for task, units in UNITS.items() for unit in units]
QUARTER = 250_000


def best_of_three(task: str, prediction: str) -> float:
    seconds = []
    for _ in range(3):
        start = process_time()
        result = score_example(task, prediction, [REFERENCES[task]], benchmark=BENCHMARK.get(task, "zero_scrolls"))
        seconds.append(process_time() - start)
        assert 0 <= result.score <= 100
    return min(seconds)


@pytest.mark.slow
@pytest.mark.parametrize(("task", "unit"), PAIRS)
def test_a_megabyte_takes_no_more_than_its_share_of_time(task: str, unit: str) -> None:
    quarter = unit * (QUARTER // len(unit))
    assert best_of_three(task, 4 * quarter) < 12 * max(best_of_three(task, quarter), 0.001)


@pytest.mark.parametrize("task", REFERENCES)
def test_a_megabyte_reference_is_read_too(task: str) -> None:
    reference = " 9" * (4 * QUARTER // 2) + " " + REFERENCES[task]
    options = {"benchmark": BENCHMARK.get(task, "zero_scrolls")}
    assert 0 <= score_example(task, REFERENCES[task], [reference, REFERENCES[task]], **options).score <= 100
