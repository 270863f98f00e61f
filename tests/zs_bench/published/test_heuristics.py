"""The heuristic baselines of SCROLLS, by their definition, on made-up rows."""

import json

import pytest

from zs_bench.dataset.rows import Example, read_rows
from zs_bench.published.baselines import learn
from zs_metric import ZeroScrollsError
from zs_metric.tasks import find_task


def example(task: str, name: str, text: str, *outputs: str) -> Example:
    rows = ({"id": name, "pid": f"{name}_{k}", "input": text, "output": one} for k, one in enumerate(outputs))
    return read_rows("\n".join(map(json.dumps, rows)), find_task(task, benchmark="scrolls"))[0]


def answers(task: str, training: list[Example], asked: list[Example]) -> list[str]:
    heuristic = learn(find_task(task, benchmark="scrolls"), training)
    return [heuristic(one) for one in asked]


def test_a_summary_is_the_prefix_in_the_mean_proportion_of_the_training_split() -> None:
    training = [
        example("gov_report", "a", "x" * 100, "y" * 10),
        example("gov_report", "b", "x" * 50, "y" * 15),
    ]
    asked = [example("gov_report", "c", "0123456789" * 2, "?")]
    assert answers("gov_report", training, asked) == ["0123"]  # (0.1 + 0.3) / 2 of 20 characters


def test_each_reference_of_a_training_example_counts() -> None:
    training = [example("gov_report", "a", "x" * 100, "y" * 10, "y" * 50)]
    assert answers("gov_report", training, [example("gov_report", "c", "0123456789", "?")]) == ["012"]


def test_the_query_is_not_part_of_the_prefix() -> None:
    training = [example("qasper", "a", "Why?\n\n" + "x" * 100, "y" * 50)]
    assert answers("qasper", training, [example("qasper", "b", "A long question?\n\nabcd", "?")]) == ["ab"]


def quality(name: str, right: int, options: str = "kmnp") -> Example:
    lines = "\n".join(f" ({letter}) {text}{name}" for letter, text in zip("ABCD", options, strict=True))
    return example("quality", name, f"Which?\n\n{lines}\n\nA story.", f"{options[right]}{name}")


def test_quality_is_answered_with_the_option_that_is_right_most_often() -> None:
    training = [quality("1", 2), quality("2", 2), quality("3", 0)]
    assert answers("quality", training, [quality("7", 1), quality("8", 3, "wxyz")]) == ["n7", "y8"]


def test_contract_nli_is_answered_by_hypothesis_and_an_unknown_one_by_the_commonest_label() -> None:
    def contract(name: str, hypothesis: str, label: str) -> Example:
        return example("contract_nli", name, f"{hypothesis}\n\nA contract {name}.", label)

    training = [
        contract("1", "It may be copied.", "Contradiction"),
        contract("2", "It ends.", "Entailment"),
        contract("3", "It ends.", "Entailment"),
        contract("4", "It ends.", "Not mentioned"),
    ]
    asked = [contract("7", "It may be copied.", "?"), contract("8", "It ends.", "?"), contract("9", "Else.", "?")]
    assert answers("contract_nli", training, asked) == ["Contradiction", "Entailment", "Entailment"]


def test_it_is_defined_for_scrolls_and_needs_references() -> None:
    with pytest.raises(ZeroScrollsError, match="is defined for SCROLLS"):
        learn(find_task("qasper"), [])
    with pytest.raises(ZeroScrollsError, match="no references to learn the baseline from"):
        learn(find_task("qasper", benchmark="scrolls"), [])
