"""The table of published results as the page and its exports have it."""

import csv
import re
from typing import Any

import pytest

from zs_bench.benchmarks import BENCHMARKS
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.published import YARDSTICKS, load_published
from zs_bench.reports.html.results_table import export, own_line, pair, published_lines, table

ZERO = BENCHMARKS["zero_scrolls"]


def report(**more: Any) -> dict[str, Any]:
    """A report of all ten tasks at 30 points with an interval."""
    ends = {"low": 21.0, "high": 39.0}
    result = {"score": 30.0, "split": "validation", "n": 20, "total": 20, "interval": ends, **more}
    return {"benchmark": "zero_scrolls", "tasks": dict.fromkeys(TASKS, result), "score": 30.0, "interval": ends}


@pytest.mark.parametrize("benchmark", BENCHMARKS.values())
def test_every_published_row_is_in_the_table_once_and_the_best_of_its_group_is_marked(benchmark: Any) -> None:
    lines = published_lines(benchmark)
    ids, text = {line.id for line in lines}, table(benchmark, lines)
    assert len(ids) == len(load_published(benchmark=benchmark))
    assert "t0pp-8-192-tokens-2305.14196" in ids or benchmark is not ZERO
    assert all(text.count(f'data-row="{row}"') == 1 for row in ids)
    test = [line for line in published_lines(benchmark) if line.group == "test" and line.kind not in YARDSTICKS]
    averages = [line.cells[0] for line in test if line.cells[0].comparable and line.cells[0].points is not None]
    best = {max(cell.points or 0 for cell in averages)} if averages else set[float]()
    assert {cell.points for cell in averages if cell.best} == best


def test_a_file_is_in_the_group_of_its_split_or_apart_with_the_reason() -> None:
    line = own_line(report(), "abc", "run <7>.csv")
    text = table(ZERO, [line])
    assert (line.group, line.cells[0].interval) == ("validation", (21.0, 39.0))
    assert "30.0<small>21.0–39.0</small>" in text
    assert "run &lt;7&gt;.csv" in text
    for more in ({"n": 2}, {"split": None}, {"split": "train"}):
        line = own_line(report(**more), "abc", "p")
        assert line.group == "own"
        assert "Not ranked, because" in " ".join(line.caveats)
    plain = {"score": 30.0, "split": "test", "n": 500, "total": 500}
    assert own_line({"benchmark": "zero_scrolls", "score": None, "tasks": {"qasper": plain}}, "a", "p").group == "test"


def test_rows_are_exported_with_numbers_of_other_definitions_in_the_note_alone() -> None:
    lines = [line for line in published_lines(ZERO) if line.name in ("T0pp", "Qwen3-8B + qTTT")]
    text = export(ZERO, lines)
    assert text.startswith("System,Kind,Split,")
    assert "T0pp,zero-shot,Test split,8192,2023,14.3,7.1," in text
    rows = {row["System"]: row for row in csv.DictReader(text.splitlines())}
    assert rows["Qwen3-8B + qTTT"]["Average"] == ""
    assert "average over 8 of 10 tasks: 34.6" in rows["Qwen3-8B + qTTT"]["Note"]


def test_a_table_has_the_columns_with_numbers_a_bar_for_each_average_and_one_more_column_on_a_phone() -> None:
    few = [line for line in published_lines(ZERO) if line.cells[1].points is None]
    text = table(ZERO, few)
    assert 'data-column="average"' in text
    assert 'data-column="gov_report"' not in text
    best = max(line.cells[0].points or 0.0 for line in published_lines(ZERO))
    whole = table(ZERO, published_lines(ZERO), sort="qasper")
    assert whole.count('<i style="--at:') == sum(line.cells[0].points is not None for line in published_lines(ZERO))
    assert f'<i style="--at:{41.7 / best:.3f}"></i>41.7' in whole
    narrow = re.findall(r'<th scope="col" class="num" data-column="(\w+)"', whole)
    assert narrow == ["average", "qasper"]


def test_two_rows_are_compared_below_the_one_chosen_last_with_what_is_beyond_noise_as_far_as_that_is_known() -> None:
    mine, other = own_line(report(), "abc", "mine"), own_line(report(), "def", "other")
    far = other._replace(cells=[cell._replace(points=60.0, interval=(50.0, 70.0)) for cell in other.cells])
    for second, difference, is_clear in ((far, 30.0, True), (other, 0.0, False)):
        assert {task[3:] for task in pair(ZERO, [mine, second])["tasks"]} == {(difference, is_clear)}
    published = next(line for line in published_lines(ZERO) if line.name == "T0pp")
    for chosen in ([mine, published], [published, mine]):
        drawn = table(ZERO, [published, mine._replace(group="test")], chosen=chosen)
        assert "Other splits, so other questions" in drawn
        _, _, after = drawn.partition('id="results-pair"')
        assert ("-15.7" in after) == (chosen[0] is mine)
        assert ('data-row="abc"' in after) == (chosen[0] is mine)
    assert not any(pair(ZERO, lines)["tasks"] for lines in ([mine], [mine, far, other]))


@pytest.mark.parametrize(
    ("points", "ends", "group", "classes"),
    [
        (60.0, (50.0, 70.0), "validation", {"zs-up"}),
        (10.0, (5.0, 15.0), "validation", {"zs-down"}),
        (48.0, (39.0, 57.0), "validation", set()),  # the intervals meet in a point
        (90.0, None, "validation", set()),
        (60.0, (50.0, 70.0), "test", set()),  # other questions
        (30.0, (21.0, 39.0), "validation", set()),
    ],
)
def test_of_two_rows_a_difference_has_a_colour_and_is_bold_only_where_their_intervals_do_not_meet(
    points: float, ends: tuple[float, float] | None, group: str, classes: set[str]
) -> None:
    mine, other = own_line(report(), "abc", "mine"), own_line(report(), "def", "other")
    cells = [cell._replace(points=points, interval=ends) for cell in other.cells]
    lines = [mine, other._replace(cells=cells, group=group)]
    _, _, drawn = table(ZERO, lines, chosen=lines).partition('id="results-pair"')
    assert f">{points - 30.0:+.1f}<" in drawn
    assert (
        {*re.findall(r'<dd [^>]*class="(zs-\w+)"[^>]*><b>', drawn)} == {*re.findall("zs-(?:up|down)", drawn)} == classes
    )
    assert ("<b>" in drawn, "Bold: the intervals of both do not meet" in drawn) == (bool(classes), bool(classes))
