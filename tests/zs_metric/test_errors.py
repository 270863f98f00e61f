"""What is refused: each error names the value, the place and the next step, also from a process pool."""

import multiprocessing
import pickle
import re
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import pandas as pd
import pytest
from every_task import ROWS

from zs_metric import (
    EmptyInput,
    LengthMismatch,
    NotAText,
    UnknownBenchmark,
    UnknownTask,
    UnreadableReference,
    ZeroScrollsError,
    score_benchmark,
    score_example,
    score_task,
)

NOT_TEXTS = [None, float("nan"), 3, True, b"bytes", ["a list"], {"a": "mapping"}, pd.NA, np.float64("nan")]
NOT_COLUMNS = ["one text", b"bytes", {"id": "a text"}, {"a", "set"}, None, 7, np.array("x"), pd.DataFrame({"a": ["x"]})]


def refused(kind: type[ZeroScrollsError], says: str, score: Callable[..., Any], *values: Any, **options: Any) -> Any:
    with pytest.raises(kind, match=re.escape(says)) as refusal:
        score(*values, **options)
    return refusal.value


def test_a_value_that_is_not_text_is_refused_at_any_position() -> None:
    for value in NOT_TEXTS:
        for i in (0, 4):
            column: list[Any] = ["x"] * 5
            column[i] = value
            says = f"predictions[{i}] is {value!r} ({type(value).__name__})"
            refused(NotAText, says, score_task, "qasper", column, ["x"] * 5)
            if not isinstance(value, list):
                refused(NotAText, f"references[{i}] is {value!r}", score_task, "qasper", ["x"] * 5, column)
        refused(NotAText, f"references[1][2] is {value!r}", score_task, "qasper", ["x", "x"], ["x", ["x", "x", value]])
        refused(NotAText, f"prediction is {value!r}", score_example, "qasper", value, ["x"])
        refused(NotAText, f"references[1] is {value!r}", score_example, "qasper", "x", ["x", value])
    refused(NotAText, "predictions[0] is ", score_task, "qasper", np.array([["x", "y"]]), ["x"])


def test_columns_that_are_no_lists_of_one_length_are_refused() -> None:
    says = "not a list of texts; give a list with one entry per prediction"
    for column in NOT_COLUMNS:
        assert str(refused(NotAText, says, score_task, "qasper", column, ["x"])).startswith("predictions is ")
        assert str(refused(NotAText, says, score_task, "qasper", ["x"], column)).startswith("references is ")
    for predictions, references in ((3, 2), (0, 1), (1, 0)):
        says = f"{predictions} predictions and {references} references do not line up"
        refused(LengthMismatch, says, score_task, "qasper", ["x"] * predictions, ["x"] * references)
    refused(EmptyInput, "there are no predictions to score; give at least one", score_task, "qasper", [], [])


def test_an_unreadable_or_missing_reference_is_refused_with_its_positions_and_text() -> None:
    for task, readable, unreadable, why in (
        ("quality", "B", "b", "it has no option letter A, B, C or D: 'b'"),
        ("space_digest", "40%", "40", "it has no percentage such as 60%: '40'"),
        ("book_sum_sort", "1, 2", "one, two", "it has no readable list of ids: 'one, two'"),
        ("book_sum_sort", "7", "7" * 4301, f"it has no readable list of ids: '{'7' * 80}'"),
    ):
        columns = ["x", "x"], [readable, [readable, readable, unreadable]]
        says = f"references[1][2] cannot be read, {why}; correct the reference"
        refused(UnreadableReference, says, score_task, task, *columns)
        says, texts = f"references[1] cannot be read, {why}", [readable, unreadable]
        error = refused(UnreadableReference, says, score_example, task, "x", texts)
        assert (error.example, error.reference) == (None, 1)
    for benchmark, _, task in ROWS:
        options, says = {"benchmark": benchmark}, "is an empty list; give at least one text"
        refused(UnreadableReference, f"references[1] {says}", score_task, task, ["x", "x"], ["B 1%", []], **options)
        error = refused(UnreadableReference, f"references {says}", score_example, task, "x", [], **options)
        assert (error.why, error.text) == ("", None)


def test_an_unknown_name_is_refused_with_the_likely_one_its_benchmark_or_all() -> None:
    for name, benchmark, says in (
        ("govreport", "zero_scrolls", "no task 'govreport'; did you mean 'gov_report'?"),
        ("Summ-Screen FD", "zero_scrolls", "no task 'Summ-Screen FD'; did you mean 'summ_screen_fd'?"),
        ("hotpot", "scrolls", "the tasks are gov_report, summ_screen_fd, qmsum, qasper, narrative_qa, quality, cont"),
        (None, "zero_scrolls", "no task None; the tasks are gov_report"),
        ("contract_nli", "zero_scrolls", "no task 'contract_nli'; it is a task of scrolls, another benchmark"),
        ("musique", "scrolls", "no task 'musique'; it is a task of zero_scrolls, another benchmark"),
    ):
        refused(UnknownTask, says, score_example, name, "x", ["x"], benchmark=benchmark)
        refused(UnknownTask, says, score_task, name, ["x"], ["x"], benchmark=benchmark)
    assert len(str(refused(UnknownTask, "no task 'xxx", score_task, "x" * 10_000, ["x"], ["x"]))) < 240
    for name, says in (
        ("ZeroSCROLLS", "no benchmark 'ZeroSCROLLS'; did you mean 'zero_scrolls'?"),
        ("glue", "no benchmark 'glue'; the benchmarks are zero_scrolls, scrolls"),
        (["scrolls"], "no benchmark ['scrolls']; "),
    ):
        refused(UnknownBenchmark, says, score_example, "qasper", "x", ["x"], benchmark=name)
        refused(UnknownBenchmark, says, score_benchmark, {}, benchmark=name)


def test_long_values_are_shortened_and_several_benchmarks_named() -> None:
    assert str(NotAText("x" * 58, "it")).startswith(f"it is '{'x' * 58}' (str)")
    assert str(NotAText("x" * 59, "it")).startswith(f"it is '{'x' * 56}... (str)")
    assert str(NotAText(3, "prediction")).endswith("(int), not a text; give a string (an empty answer is '')")
    assert str(UnknownTask("x", ["y"], ["a", "b"])).endswith("it is a task of a and of b, other benchmarks")
    near = UnknownTask("narrative_qa", ["narrativeqa"], ["scrolls"])
    assert str(near).endswith("it is a task of scrolls, another benchmark; did you mean 'narrativeqa'?")


def test_an_error_is_a_value_error_and_survives_pickling_also_between_processes() -> None:
    prefixed = LengthMismatch(predictions=1, references=0)
    prefixed.args = (f"qasper: {prefixed}",)
    for error in (UnreadableReference("it has no letter", "x", 1, 4), prefixed):
        assert isinstance(error, ValueError)
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), again.args, vars(again)) == (type(error), str(error), error.args, vars(error))
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as executor, pytest.raises(UnknownTask, match="mean 'qasper'"):
        executor.submit(score_example, "qaspr", "yes", "no").result(timeout=60)
