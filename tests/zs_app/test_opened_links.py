"""What an address opens."""

import pytest

from zs_app import links
from zs_app.links import open_link
from zs_app.try_task import LinkedParts
from zs_metric import TASKS

SKIP = {"__type__": "update"}
PARTS = len(LinkedParts._fields)


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"tab": "nowhere", "task": "govreport"},
        {"tab": "<script>", "example": "1"},
        {"task": "", "example": "x"},
        {"__theme": "dark"},
    ],
)
def test_an_address_that_names_nothing_changes_nothing(query):
    assert open_link(query) == [SKIP] * (2 + PARTS)


def test_an_address_with_a_tab_opens_it():
    for tab in links.TABS:
        opened, *rest = open_link({"tab": tab})
        assert opened.selected == tab
        assert rest == [SKIP] * (1 + PARTS)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize(
    ("number", "index"), [("0", 0), ("1", 1), ("2", 0), ("-1", 0), ("²", 0), ("9" * 99, 0), (None, 0)]
)
def test_an_address_with_a_task_and_an_example_opens_it(task, number, index):
    query = {"tab": "try", "task": task} | ({"example": number} if number else {})
    _, other, *parts = open_link(query)
    assert other == SKIP
    found = LinkedParts(*parts)
    assert (found.task, found.example.value) == (task, index)


def test_the_task_of_another_tab_is_set_there_alone():
    _, task, *parts = open_link({"tab": "answer", "task": "quality", "example": "1"})
    assert task == "quality"
    assert parts == [SKIP] * PARTS
