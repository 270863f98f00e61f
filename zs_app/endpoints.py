"""The endpoints for programs and the tools for agents: stable names, typed, apart from the layout of the page.

Their names, parameters and results are held by a test; each result says its `schema`, whose number changes with them.
"""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Any, Literal

import gradio as gr

from zs_bench.files.entries import TASK_NAMES
from zs_bench.sources.embedded import load_embedded
from zs_metric.errors import ZeroScrollsError
from zs_metric.tasks import BENCHMARKS, find_benchmark, find_task

from . import jobs
from .at_once import explain_at_once, score_at_once
from .live import LONG, told
from .prompt_panel import find_example
from .score_file import SUFFIXES, check_files
from .which import FIRST, Which
from .worker import run_in_worker

if TYPE_CHECKING:
    TaskName = str
    Benchmark = str
else:
    TaskName, Benchmark = Literal[TASK_NAMES], Literal[tuple(BENCHMARKS)]


class NothingGiven(ZeroScrollsError):
    """A call without the files or objects that it needs."""


def score_answer(
    task: TaskName, prediction: str, references: list[str], benchmark: Benchmark = FIRST
) -> dict[str, Any]:
    """Score one answer to a task of ZeroSCROLLS or SCROLLS against its references, with the metric of the task.

    The score is the released evaluator's, to the last digit, in points from 0 to 100. With it comes what the metric
    read in the answer, and the reason why it is not more.

    Args:
        task: The task; it decides the metric (ROUGE, F1, accuracy, exact match, …).
        prediction: The model's answer, verbatim; up to 1,000,000 characters. An empty one scores 0.
        references: One or several reference answers; the best counts.
        benchmark: Whose task it is; musique is only in ZeroSCROLLS, contract_nli only in SCROLLS.

    Returns:
        A JSON object with task, metric, score, parsed, reason, and the metric's own parts
    """
    result = score_at_once(task, prediction, references, benchmark=benchmark)
    metric = find_task(task, benchmark=benchmark).metric
    return {"schema": "zero-scrolls-score/1", "task": task, "metric": metric, **result.as_dict()}


def explain_answer(
    task: TaskName, prediction: str, references: list[str], benchmark: Benchmark = FIRST
) -> dict[str, Any]:
    """Explain the score of one answer: what the metric read in it, where the points went, what would have scored more.

    The ledger has the lost points by cause: format, typography, length, content. What-ifs are repaired answers with the
    scores that they would have had, the best first; they never count.

    Args:
        task: The task; it decides the metric (ROUGE, F1, accuracy, exact match, …).
        prediction: The model's answer, verbatim; up to 50,000 characters.
        references: One or several reference answers; the best counts.
        benchmark: Whose task it is; musique is only in ZeroSCROLLS, contract_nli only in SCROLLS.

    Returns:
        A JSON object with task, metric, score, parsed, reason, ledger, what_if, and view (the metric's details)
    """
    told_ = explain_at_once(task, prediction, references, benchmark=benchmark)
    return {"schema": "zero-scrolls-explanation/1", **told_}


def get_example(task: TaskName, index: int = 0, benchmark: Benchmark = FIRST) -> dict[str, Any]:
    """Get an example of a task, in the benchmark's row format: the prompt to answer, and its references.

    Args:
        task: The task.
        index: Which example, counted from 0; count in the result tells how many there are.
        benchmark: Whose task it is; musique is only in ZeroSCROLLS, contract_nli only in SCROLLS.

    Returns:
        A JSON object with id, input (the whole prompt), references, count, and the parts of the prompt
    """
    find_task(task, benchmark=benchmark)
    example = find_example("embedded", str(Which(task, benchmark)), index)
    count = len(load_embedded(task, benchmark=benchmark))
    return {"schema": "zero-scrolls-example/1", "task": task, "index": index, "count": count, **example.as_dict()}


def score_predictions(
    predictions: dict[str, dict[str, str]],
    references: dict[str, dict[str, list[str]]],
    partial: bool = False,
    benchmark: Benchmark = FIRST,
) -> dict[str, Any]:
    """Score many answers at once, given as JSON: per task, and the benchmark's average when all its tasks are there.

    Answers and references are joined by id. Null answers, missing and unknown ids are problems that refuse their task.

    Args:
        predictions: The answers by task and id: {"qasper": {"id1": "answer"}}.
        references: The references by task and id: {"qasper": {"id1": ["reference", "another"]}}.
        partial: Score the ids that are on both sides, although others are missing or unknown.
        benchmark: Whose tasks they are: zero_scrolls has ten, scrolls seven.

    Returns:
        A JSON object with score (null without all tasks), mean_of_tasks, missing_tasks, tasks, and problems
    """
    find_benchmark(benchmark)
    for name, value in (("predictions", predictions), ("references", references)):
        if not isinstance(value, dict):
            raise NothingGiven(f'{name} is no JSON object; give {{"task": {{"id": …}}}}')
    found: dict[str, Any] = run_in_worker(jobs.report_on_objects, predictions, references, bool(partial), benchmark)
    return found


def score_file(
    predictions: list[str] | None, references: list[str] | None, partial: bool = False, benchmark: str = FIRST
) -> dict[str, Any]:
    """Score prediction files against reference files: the report that the command line writes with --json."""
    if not predictions or not references:
        raise NothingGiven("give at least one file of predictions and one of references")
    check_files(predictions, references, "files", benchmark)
    found: dict[str, Any] = run_in_worker(jobs.report_on_files, predictions, references, bool(partial), benchmark)
    return found


#: The endpoint that takes files; agents have no use for it, and get no tool that could be given a path or an address.
NO_TOOLS = ("score_file",)


def fill_in_defaults(page: gr.Blocks) -> None:
    """Have a call that leaves out the last parameters get their defaults: Gradio wants a value for each.

    So a new parameter breaks no call that was right before.
    """
    check = page.validate_inputs

    def fill(event: Any, values: list[Any]) -> None:
        if event.fn and event.api_visibility != "private":
            parameters = list(signature(event.fn).parameters.values())[len(values) :]
            values += [parameter.default for parameter in parameters if parameter.default is not parameter.empty]
        check(event, values)

    page.validate_inputs = fill


def layout() -> None:
    """Declare the endpoints inside the current Blocks."""
    # Without a queue, a tool of an agent is called directly; programs stand in line by themselves, without a limit.
    for handler in (score_answer, explain_answer, get_example):
        gr.api(told(handler, plain=True), api_name=handler.__name__, queue=False, concurrency_limit=None)
    gr.api(told(score_predictions, plain=True), api_name="score_predictions", **LONG)
    # Files come only through File components: a bare gr.api would let a caller name any path of the server.
    with gr.Column(visible=False):
        predictions = gr.File(file_count="multiple", file_types=SUFFIXES, label="predictions")
        references = gr.File(file_count="multiple", file_types=SUFFIXES, label="references")
        partial = gr.Checkbox(value=False, label="partial")
        benchmark = gr.Radio(list(BENCHMARKS), value=FIRST, label="benchmark")
        out, run = gr.JSON(), gr.Button("score_file")
    given = [predictions, references, partial, benchmark]
    run.click(told(score_file, plain=True), given, out, api_name="score_file", **LONG)
