"""Scored answers, and those of several systems to the same examples."""

from scored_answers import answers_of

from zs_bench.answers import aligned
from zs_bench.benchmarks import find_task


def test_answers_to_the_same_example_are_together_whatever_their_order_and_those_of_the_first_come_first():
    quality, qasper = find_task("quality"), find_task("qasper")
    first = answers_of(quality, {"1": ("A", ["A"]), "2": ("B", ["B"])})
    second = answers_of(quality, {"3": ("C", ["C"]), "2": ("A", ["B"])}) + answers_of(qasper, {"1": ("A", ["A"])})
    assert aligned(first, second) == [(first[0], None), (first[1], second[1]), (None, second[0]), (None, second[2])]
    assert aligned([], []) == []
