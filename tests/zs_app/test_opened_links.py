"""What an address opens."""

import pytest

from zs_app import links
from zs_app.links import open_link
from zs_app.try_task import LinkedParts
from zs_metric import BENCHMARKS

SKIP = {"__type__": "update"}
PARTS = len(LinkedParts._fields)
#: Benchmark, task, and the task's value in a menu.
OF_EACH = [
    *(("zero_scrolls", task, task) for task in BENCHMARKS["zero_scrolls"].tasks),
    *(("scrolls", task, f"scrolls/{task}") for task in BENCHMARKS["scrolls"].tasks),
]


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"tab": "nowhere", "task": "govreport"},
        {"tab": "<script>", "example": "1"},
        {"task": "", "example": "x"},
        {"task": "contract_nli"},
        {"task": "scrolls/qasper"},
        {"benchmark": "<b>"},
        {"__theme": "dark"},
    ],
)
def test_an_address_that_names_nothing_changes_nothing(query):
    assert open_link(query) == [SKIP] * (3 + PARTS)


def test_an_address_with_a_tab_opens_it():
    for tab in links.TABS:
        benchmark, opened, *rest = open_link({"tab": tab})
        assert opened.selected == tab
        assert [benchmark, *rest] == [SKIP] * (2 + PARTS)


@pytest.mark.parametrize("query", [{}, {"task": "musique"}, {"tab": "results"}, {"tab": "nowhere", "task": "<b>"}])
def test_an_address_with_a_benchmark_switches_to_it_in_every_tab(query):
    benchmark, _, menu, *parts = open_link({"benchmark": "scrolls", **query})
    found = LinkedParts(*parts)
    assert (benchmark, menu.value) == ("scrolls", "scrolls/qasper")
    assert (found.task.value, found.example.value, found.variant.visible) == ("scrolls/quality", 0, False)


@pytest.mark.parametrize(("benchmark", "task", "value"), OF_EACH)
@pytest.mark.parametrize(
    ("number", "index"), [("0", 0), ("1", 1), ("9", 0), ("-1", 0), ("²", 0), ("9" * 99, 0), (None, 0)]
)
def test_an_address_with_a_task_and_an_example_opens_it(benchmark, task, value, number, index):
    query = {"benchmark": benchmark, "tab": "try", "task": task} | ({"example": number} if number else {})
    switched, _, other, *parts = open_link(query)
    if benchmark == "zero_scrolls":
        assert (switched, other) == (SKIP, SKIP)
    else:
        assert (switched, other.value) == (benchmark, "scrolls/qasper")
    found = LinkedParts(*parts)
    assert (found.task.value, found.example.value) == (value, index)


@pytest.mark.parametrize(("benchmark", "task", "value"), OF_EACH)
def test_the_task_of_another_tab_is_set_there_alone(benchmark, task, value):
    _, _, menu, *parts = open_link({"benchmark": benchmark, "tab": "answer", "task": task, "example": "1"})
    assert menu.value == value
    assert value in [choice[1] for choice in menu.choices]
    if benchmark == "zero_scrolls":
        assert parts == [SKIP] * PARTS
    else:
        assert LinkedParts(*parts).task.value == "scrolls/quality"
