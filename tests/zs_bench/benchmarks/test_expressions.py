"""Regular expressions of a benchmark of one's own: those that may take long are refused, those of real ids are not."""

import json

import pytest

from zs_bench.benchmarks.expressions import LENGTH, MOST_WAYS, ways
from zs_bench.benchmarks.own import benchmark_of
from zs_bench.errors import UnusableInput
from zs_bench.statistics.intervals import clusters

HOSTILE = (
    r"(a+)+$",
    r"(a|aa)*b",
    r"(.*a){20}",
    r"((?:a*)*)*b",
    r"^((?:[a-z])+.)+[A-Z]$",
    r"^(.*)*$",
    r"(\w+\s?)*\d",
    r"(a{1,50}){50}b",
    r"(a?){40}a{40}",
    r"(b)?" + 24 * "a?" + 24 * "a",
    r"(.*)(?:.*)(?:.*)(?:.*)(?:.*)(?:.*)x",
    r"(?s:.*.*.*.*.*.*.*.*)(z)",
    r"(?x)(a+) +b",  # the flag x hides the second repeat
    r"(?x:(a+) +)b",
    r"(a+)(?#c)+b",
    r"(?i)(a+)+b",
    r"(?P<n>a+)+$",
    r"(?=(a+)+$)b",
    r"(a)(?(1)b*|c*)+d",
    r"^(\D+|<\d+>)*[!?]",
    r"([]a]+)+$",
    r"(\)+)+$",
    r"(?:(?:a{0,99}){0,99})(b)",
    r"(a{,9}){,9}b",
    "(" + 30 * "(?:" + "a*" + 30 * ")*" + ")b",
)
USUAL = (
    r"^doc(\d+)_",
    r"(\d+)",
    r"doc(\d+)_q\d+",
    r"\A(\d+)_nda-\d+\Z",
    r"^(.+)_\d+$",
    r"^(.+)-q\d+-a\d+$",
    r"^([^_]+)_",
    r"^([0-9a-f]{40})",
    r"^(?:train|dev|test)_(\w+)_\d+$",
    r"(\w+)_\d+_\d+",
    r"^(?P<doc>[A-Za-z0-9]+)",
    r"^(.*?)#\d+",
    r"^(\d{4}-\d{2}-\d{2})",
    r"(?i)^Doc-?(\d+)",
    r"^([A-Z]{2,4}\d{1,6})",
    r"^(.+?)(?:_v\d+)?_q\d+$",
    r"^(\w+)/\w+/\d+\.json$",
    r"(story[0-9]+)",
    r"^(\S+) ",
    r"^(.+)\.(?:txt|md)(?::\d+)?$",
    r"^q-(\w{8}-\w{4}-\w{4}-\w{4}-\w{12})",
    r"^(?:en|de)-(\d+)|^(\w+)",
)


def own(expression):
    return benchmark_of(f"name = 'x'\n[tasks.who]\nmetric = 'f1'\ndocument_of_id = {json.dumps(expression)}")


@pytest.mark.parametrize("expression", HOSTILE)
def test_an_expression_that_may_take_long_is_refused_with_what_to_write_instead(expression):
    with pytest.raises(UnusableInput, match=r"line 4: tasks\.who\.document_of_id may match an id of 40 .*; begin it"):
        own(expression)


@pytest.mark.parametrize("expression", USUAL)
def test_an_expression_of_real_ids_is_taken(expression):
    assert ways(expression, LENGTH) <= MOST_WAYS / 50
    if expression.count("(") == 1 or "?:" in expression.replace("?P", "?:"):
        assert own(expression.replace("|^(", "|^(?:")).rows


@pytest.mark.parametrize(
    ("expression", "count"),
    [
        *(("a", 5), ("^a", 1), ("^a*", 5), ("^a*b*", 15), ("^a{2,3}", 2), ("^a{2}", 1), ("^(?:a|b)", 2), ("^a*b?", 10)),
        *(("^(?:a*|b)", 6), ("^(?:a?){3}", 8), ("^a|b", 10), (r"^\(*", 5), ("^[+*]", 1), (r"^a\+", 1), ("^a{}", 1)),
        *(("^a{1,", 1), ("^a{1,}", 5), ("^a{9,20}", 5), ("^(?:a|b)+", float("inf")), ("^(?:ab)*", 5), ("(?i)^a", 1)),
        *(("^a*?b*+", 15), ("^(?:a|a*|b*)c*", 3 * 11)),
    ],
)
def test_the_ways_to_match_an_expression_are_counted(expression, count):
    assert ways(expression, 4) == pytest.approx(count)


def test_an_expression_is_not_searched_for_in_ids_that_are_too_long_for_it():
    (task,), ids = own(r"(\w+)_\d+_\d+").rows, [f"{'a' * 900}_1_{i}" for i in range(50)]
    with pytest.raises(UnusableInput, match=r"document_of_id of who, .*, may match the 50 ids, of up to 905 char.*\^"):
        clusters(task, ids)
    assert clusters(task, [f"doc{i // 2}_1_{i}" for i in range(4)]) == ["doc0", "doc0", "doc1", "doc1"]
