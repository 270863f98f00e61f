"""Errors go from a process pool to its owner as they are, message and attributes included."""

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest

from zs_metric import (
    EmptyInput,
    LengthMismatch,
    NotAText,
    UnknownBenchmark,
    UnknownTask,
    UnreadableReference,
    ZeroScrollsError,
    score_example,
    score_task,
)

SPAWN = multiprocessing.get_context("spawn")
MESSAGE = r"no task 'qaspr'; did you mean 'qasper'\?"


def test_a_misspelt_task_in_a_pool_is_reported_to_its_owner() -> None:
    with SPAWN.Pool(1) as pool, pytest.raises(UnknownTask, match=MESSAGE):
        pool.starmap_async(score_example, [("qaspr", "yes", "no")]).get(timeout=60)


def test_a_misspelt_task_in_an_executor_is_reported_to_its_owner() -> None:
    with ProcessPoolExecutor(1, mp_context=SPAWN) as pool, pytest.raises(UnknownTask, match=MESSAGE):
        pool.submit(score_example, "qaspr", "yes", "no").result(timeout=60)


@pytest.mark.parametrize(
    "error",
    [
        ZeroScrollsError("something is wrong"),
        UnknownBenchmark("scrols", ["zero_scrolls", "scrolls"]),
        UnknownTask("contract_nli", ["qasper"], ["scrolls"]),
        NotAText(None, "predictions[3]"),
        LengthMismatch(predictions=2, references=3),
        EmptyInput("tasks"),
        UnreadableReference("it has no percentage", "many", 1, 4),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_survives_pickling(error: ZeroScrollsError) -> None:
    same_after_pickling(error)


def test_an_error_with_the_name_of_the_task_put_before_survives_pickling() -> None:
    with pytest.raises(LengthMismatch) as refused:
        score_task("qasper", ["one"], [])
    refused.value.args = (f"qasper: {refused.value}",)
    same_after_pickling(refused.value)


def same_after_pickling(error: ZeroScrollsError) -> None:
    again: Any = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.args, vars(again)) == (type(error), str(error), error.args, vars(error))
