"""Which rows of the published results are shown, and in which order; what is said of a file scored here."""

from dataclasses import replace

import pytest

from zs_app.tabs.results import by_length, exported, ordered, passing, published, verdict
from zs_bench.published.rows import load_published
from zs_bench.reports.html.results_table import Cell, Line, columns, published_lines
from zs_metric.tasks import BENCHMARKS

ZERO = BENCHMARKS["zero_scrolls"]
ROW = next(row for row in load_published(benchmark=ZERO) if row.model.startswith("GPT-4"))
GPT = Line("gpt-4", "GPT-4", "test", "zero-shot", [Cell(41.7)], [], ROW)
OWN = Line("abc", "mine", "own", "scored here", [Cell(30.0)], [])
EVERY = {"split": "test", "kind": "zero-shot", "year": "2023", "context": "4097-16384", "find": " gpt "}


@pytest.mark.parametrize(
    ("settings", "rows"),
    [
        ({}, [GPT, OWN]),
        (EVERY, [GPT]),
        ({**EVERY, "find": ""}, [GPT, OWN]),
        ({"split": "validation"}, [OWN]),
        ({"kind": "human"}, [OWN]),
        ({"year": "2024"}, [OWN]),
        *(({"context": length}, [OWN]) for length in ("16385-", "none", "0-2048", "2049-4096")),
        ({"context": "nowhere"}, [GPT, OWN]),
        ({"find": "claude"}, []),
        ({"find": "MINE"}, [OWN]),
        ({"only": "1", "rows": "a gpt-4"}, [GPT]),
        ({"only": "1", "rows": "a"}, []),
        ({"rows": "a"}, [GPT, OWN]),
    ],
)
def test_the_filters_of_the_results(settings, rows):
    assert passing([GPT, OWN], settings) == rows


def test_rows_are_ordered_by_a_column_and_those_without_a_comparable_value_come_last():
    later = replace(ROW, year=ROW.year + 2, tokens=9)
    low, apart = OWN, GPT._replace(cells=[Cell(99.0, "F1", comparable=False)], row=later)
    for settings, expected in [
        ({"sort": "average"}, [GPT, low, apart]),
        ({"sort": "nowhere", "up": "1"}, [low, GPT, apart]),
        ({"sort": "tokens"}, [GPT, apart, low]),
        ({"sort": "year", "up": "1"}, [GPT, apart, low]),
        ({"sort": "name"}, [low, apart, GPT]),
        ({"sort": "name", "up": "1"}, [apart, GPT, low]),
    ]:
        assert ordered([apart, low, GPT], settings, ["average"]) == expected, settings
    second = low._replace(cells=[Cell(1.0), Cell(50.0)]), GPT._replace(cells=[Cell(2.0), Cell(40.0)])
    assert ordered(second, {"sort": "qasper"}, ["average", "qasper"]) == list(second)


def test_five_rows_of_a_group_are_shown_until_all_are_asked_for_and_chosen_ones_always():
    every = published_lines(ZERO)
    last = ordered(every, {}, list(columns(ZERO)))[-1].id
    folded = published("zero_scrolls", [], {"rows": last})
    assert folded["table"].count("<tr data-row=") == 16
    assert f'<tr data-row="{last}" class="chosen">' in folded["table"]
    assert f"Show all {len(every)}" in folded["table"]
    assert folded["count"] == f"{len(every)} of {len(every)} rows"
    whole = published("zero_scrolls", [], {"all": "1", "find": "gpt", "sort": "qasper"})
    assert whole["table"].count("<tr data-row=") == int(whole["count"].split()[0]) > 5
    assert whole["column"] == "Qasper"
    assert published("zero_scrolls", [], {"find": "no such system"})["count"] == "No rows match the filters."


def test_the_rows_that_pass_are_exported_as_comma_separated_values_unless_another_format_is_named():
    texts = {form: exported("scrolls", [], {"find": "ul2"}, form)["text"] for form in ("csv", "md", "xls")}
    assert texts["md"].count("UL2") == texts["csv"].count("UL2") == 1
    assert texts["xls"] == texts["csv"] != texts["md"]


def test_models_measured_at_several_lengths_are_drawn_where_they_have_the_score():
    assert by_length("average", "Average", "zero_scrolls").count("<polyline") == 2
    assert by_length("contract_nli", "ContractNLI", "scrolls").count("<polyline") == 2


def test_a_file_scored_here_is_ranked_warned_of_or_of_another_benchmark():
    task = {"score": 50.0, "split": "test", "n": 500, "total": 500}
    report = {"benchmark": "zero_scrolls", "score": None, "tasks": {"qasper": task}}
    assert "would be rank" in verdict("zero_scrolls", report)
    assert "Compare with care" not in verdict("zero_scrolls", report)
    few = {**report, "tasks": {"qasper": {**task, "n": 2}}}
    assert "Compare with care" in verdict("zero_scrolls", few)
    assert "Your file belongs to ZeroSCROLLS" in verdict("scrolls", report)
    for none in (None, {**report, "tasks": {}}):
        assert "Score a file to see it here" in verdict("zero_scrolls", none)
