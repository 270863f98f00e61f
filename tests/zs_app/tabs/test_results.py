"""Which rows of the published results are shown, and in which order; the messages about a file scored here."""

import re
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace
from urllib.parse import unquote

import pytest

from zs_app.result_tables import ResultGone
from zs_app.tabs import results
from zs_app.tabs.results import by_length, ordered, passing, published, verdict
from zs_bench.benchmarks import BENCHMARKS
from zs_bench.published import load_published
from zs_bench.reports.html.results_table import Cell, ResultsLine, published_lines

ZERO = BENCHMARKS["zero_scrolls"]
ROW = next(row for row in load_published(benchmark=ZERO) if row.model.startswith("GPT-4"))
GPT = ResultsLine("gpt-4", "GPT-4", "test", "zero-shot", [Cell(41.7)], [], ROW)
OWN = ResultsLine("abc", "mine", "own", "scored here", [Cell(30.0)], [])
EVERY = {"split": "test", "kind": "zero-shot", "year": "2023", "context": "4097-16384", "find": " gpt "}


@pytest.mark.parametrize(
    ("settings", "rows"),
    [
        ({}, [GPT, OWN]),
        (EVERY, [GPT]),
        ({**EVERY, "find": ""}, [GPT, OWN]),
        ({"split": "validation"}, [OWN]),
        ({"split": "all"}, [GPT, OWN]),
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


def test_the_rows_of_the_chosen_split_are_shown_and_counted():
    every = published_lines(ZERO)
    for split, rows in (("test", [row for row in every if row.group == "test"]), ("all", every)):
        shown = published("zero_scrolls", [], {"split": split})
        assert shown["table"].count("<tr data-row=") == len(rows)
        assert shown["count"] == f"{len(rows)} of {len(every)} rows"
    assert published("zero_scrolls", [], {"find": "no such system"})["count"] == "No rows match the filters."


def test_the_rows_that_pass_are_exported_as_comma_separated_values():
    link = published("scrolls", [], {"find": "ul2", "split": "test"})["save"]
    assert 'download="scrolls-results.csv"' in link
    text = unquote(link.partition("data:text/csv;charset=utf-8,")[2].partition('"')[0])
    assert text.count("UL2") == 1
    assert len(text.splitlines()) == 2


def test_models_measured_at_several_lengths_are_drawn_where_they_have_the_score():
    assert by_length("average", "Average", "zero_scrolls").count("<polyline") == 2
    assert by_length("contract_nli", "ContractNLI", "scrolls").count("<polyline") == 2


def test_a_file_scored_here_is_ranked_warned_of_or_of_another_benchmark():
    task = {"score": 50.0, "split": "test", "n": 500, "total": 500}
    report = {"benchmark": "zero_scrolls", "score": None, "tasks": {"qasper": task}}
    assert "would be rank" in verdict("zero_scrolls", report)
    assert "Compare with care" not in verdict("zero_scrolls", report)
    few = {"quality": {**task, "n": 2}}
    mixed = verdict("zero_scrolls", {**report, "tasks": {"qasper": task, **few}})
    assert "fewer examples than the published split: QuALITY (2)" in mixed
    assert verdict("zero_scrolls", {**report, "tasks": few}) == ""  # the table says it
    assert "Your file belongs to ZeroSCROLLS" in verdict("scrolls", report)
    for none in (None, {**report, "tasks": {}}):
        assert verdict("zero_scrolls", none) == ""


def test_the_menus_show_what_the_address_has_and_the_table_its_order_and_the_comparison_of_two_rows():
    parts = published("zero_scrolls", [], {"sort": "qasper", "up": "1", "kind": "human", "only": ""})
    years = re.findall(r'<option value="(20\d\d)"', parts["menus"])
    assert years == sorted(set(years), reverse=True)
    assert '<option value="human" selected>human</option>' in parts["menus"]
    assert "checked" not in parts["menus"]
    assert 'data-column="qasper" aria-sort="ascending"' in parts["table"]
    assert "aria-sort" not in published("zero_scrolls", [], {})["table"]
    assert "<svg" in parts["lengths"]
    two = " ".join(line.id for line in published_lines(ZERO)[:2])
    assert "task by task" in published("zero_scrolls", [], {"rows": two})["table"]


def test_files_of_the_benchmark_scored_here_come_first_and_those_of_one_name_get_a_number(monkeypatch):
    task = {"score": 50.0, "split": "test", "n": 500, "total": 500}
    report = {"benchmark": "zero_scrolls", "score": None, "tasks": {"qasper": task}, "files": [{"file": "a.csv"}]}
    two = {**report, "files": [{"file": "b.csv"}, {"file": "c.csv"}]}
    kept = {"1": report, "2": report, "3": two, "4": {**report, "files": []}, "5": {**report, "benchmark": "scrolls"}}

    @contextmanager
    def opened(result):
        if result not in kept:
            raise ResultGone
        yield SimpleNamespace(report=kept[result])

    monkeypatch.setattr(results, "opened", opened)
    table = published("zero_scrolls", ["6", *kept], {})["table"]
    names = re.findall(r'<tr data-row="(\d)".*?<button[^>]*>(.*?)</button>', table)
    named = {row: name.replace("<wbr>", "") for row, name in names}
    assert named == {"1": "a.csv", "2": "a.csv (2)", "3": "2 files: b.csv, …", "4": "your file"}
    assert "Your file belongs to SCROLLS" in published("zero_scrolls", ["1", "5"], {})["verdict"]
    groups = {split: published("zero_scrolls", ["1"], {"split": split})["table"] for split in ("test", "validation")}
    assert ['data-group="own"' in text for text in groups.values()] == [False, True]
