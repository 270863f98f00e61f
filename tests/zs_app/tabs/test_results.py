"""Which rows of the published results are shown, and in which order."""

from dataclasses import replace

from zs_app.tabs.results import ordered, passing, published
from zs_bench.published.rows import load_published
from zs_bench.reports.html.results_table import Cell, Line, columns, published_lines
from zs_metric.tasks import BENCHMARKS

ZERO = BENCHMARKS["zero_scrolls"]
ROW = next(row for row in load_published(benchmark=ZERO) if row.model.startswith("GPT-4"))
GPT = Line("gpt-4", "GPT-4", "test", "zero-shot", [Cell(41.7)], [], ROW)
OWN = Line("abc", "mine", "own", "scored here", [Cell(30.0)], [])


def test_the_filters_of_the_results():
    for settings, shown in [
        ({}, True),
        ({"split": "test", "kind": "zero-shot", "year": "2023", "context": "4097-16384", "find": " gpt "}, True),
        ({"only": "1", "rows": "a gpt-4"}, True),
        *(({name: value}, False) for name, value in (("split", "validation"), ("kind", "human"), ("year", "2024"))),
        *(({"context": value}, False) for value in ("16385-", "none", "0-2048")),
        ({"find": "claude"}, False),
        ({"only": "1", "rows": "a"}, False),
    ]:
        assert (GPT in passing([GPT], settings)) is shown, settings
    assert passing([OWN], {"split": "test", "kind": "human", "year": "2024", "context": "16385-"}) == [OWN]
    assert passing([OWN], {"find": "gpt"}) == []


def test_rows_are_ordered_by_a_column_and_those_without_a_comparable_value_come_last():
    later = replace(ROW, year=ROW.year + 2, tokens=9)
    low, apart = OWN, GPT._replace(cells=[Cell(99.0, "F1", comparable=False)], row=later)
    lines = [apart, low, GPT]
    for settings, expected in [
        ({"sort": "average"}, [GPT, low, apart]),
        ({"sort": "nowhere", "up": "1"}, [low, GPT, apart]),
        ({"sort": "tokens"}, [GPT, apart, low]),
        ({"sort": "year", "up": "1"}, [GPT, apart, low]),
        ({"sort": "name"}, [low, apart, GPT]),
    ]:
        assert ordered(lines, settings, ["average"]) == expected, settings


def test_five_rows_of_a_group_are_shown_until_all_are_asked_for_and_chosen_ones_always():
    every = published_lines(ZERO)
    last = ordered(every, {}, list(columns(ZERO)))[-1].id
    folded = published("zero_scrolls", [], {"rows": last})["table"]
    assert folded.count("<tr data-row=") == 16
    assert f'<tr data-row="{last}" class="chosen">' in folded
    assert f"Show all {len(every)}" in folded
    whole = published("zero_scrolls", [], {"all": "1"})["table"]
    assert whole.count("<tr data-row=") == len(every)
    assert "Show all" not in whole
