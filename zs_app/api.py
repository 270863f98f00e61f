"""The API: typed endpoints, most of them also MCP tools, and the tab with example calls, made of Gradio's components.

Names, parameters and results are stable, and pinned by a test; each result has a `schema` with a version.
"""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import gradio as gr

from zs_app import words
from zs_app.component import fragment, part
from zs_app.jobs import DEFINITION, Upload, report_on_files, report_on_objects
from zs_app.server.bodies import SIZE
from zs_app.server.jobs import Job, Paths, Predictions, References, Texts, endpoint, run_job, visitor_of
from zs_app.server.limits import MAX_IN_JOBS, Room, explain_within_limits, score_within_limits
from zs_app.tabs.examples import FIRST, FIRST_TASK, benchmark_named, find_example, value_of
from zs_app.tabs.score_file import SUFFIXES, check_files, check_uploaded, own_definition
from zs_bench.benchmarks import Task, available, find_task, task_names
from zs_bench.dataset.rows import load_embedded
from zs_bench.errors import UnusableInput
from zs_bench.files.columns import parse_columns
from zs_bench.problems import short
from zs_metric.errors import ZeroScrollsError

if TYPE_CHECKING:
    TaskName = str
    Benchmark = str
else:
    TaskName, Benchmark = Literal[task_names()], Literal[tuple(available())]

_ROOM = Room(MAX_IN_JOBS)
#: The address of the Hub.
HUB = "https://huggingface.co"
#: A placeholder, which the browser replaces with the address of the page.
ADDRESS = "http://127.0.0.1:7860"
_HERE = "(location.origin + location.pathname).replace(/[/]$/, '')"
#: The arguments of the example calls.
CALL: dict[str, Any] = {
    "task": FIRST_TASK,
    "prediction": "In the clock, behind the pendulum",
    "references": ["Behind the pendulum of the old clock"],
}
#: How to load the metric by its name; the same lines as in README.md.
EVALUATE = (
    'pip install ".[evaluate]"     # in a clone of this project\nzero-scrolls install-metric\n'
    "python -c 'import evaluate; "
    'print(evaluate.load("zero_scrolls", "qasper").compute(predictions=["yes"], references=["yes"]))\''
)


def space() -> str:
    """Return the page's address on the Hub if it is a Space, else ""."""
    name = os.environ.get("SPACE_ID")
    return f"{HUB}/spaces/{name}" if name else ""


def score_answer(
    task: TaskName,
    prediction: str,
    references: Texts,
    benchmark: Benchmark = FIRST,
) -> dict[str, Any]:
    """Score one answer to a task of ZeroSCROLLS or SCROLLS against its references, with the metric of the task.

    The score is the released evaluator's, to the four decimals that it prints, in points from 0 to 100. The result also
    has what the metric read in the answer, and the reason why the score is not higher.

    Args:
        task: The task; it decides the metric (ROUGE, F1, accuracy, exact match, …).
        prediction: The model's answer, verbatim; up to 1,000,000 characters. An empty one scores 0.
        references: One or more reference answers; the best counts.
        benchmark: Whose task it is, if both have it.

    Returns:
        A JSON object with task, metric, score, parsed, reason, and the metric's own parts
    """
    scored = _task(task, benchmark)
    result = score_within_limits(scored, prediction, references)
    return {"schema": "zero-scrolls-score/1", "task": task, "metric": scored.metric.name, **result.as_dict()}


def explain_answer(
    task: TaskName,
    prediction: str,
    references: Texts,
    benchmark: Benchmark = FIRST,
) -> dict[str, Any]:
    """Explain the score of one answer: what the metric read in it, where points were lost, what would have scored more.

    losses has the lost points by cause, such as words missing, words too many, misread, wrong option; they add up to
    100 minus the score. what_if has repaired answers with the scores they
    would have had, the best first; they never count.

    Args:
        task: The task; it decides the metric (ROUGE, F1, accuracy, exact match, …).
        prediction: The model's answer, verbatim; up to 50,000 characters.
        references: One or more reference answers; the best counts.
        benchmark: Whose task it is, if both have it.

    Returns:
        A JSON object with task, metric, score, parsed, reason, losses, what_if, and view (the metric's details)
    """
    explained = explain_within_limits(_task(task, benchmark), prediction, references)
    return {"schema": "zero-scrolls-explanation/2", **explained.as_dict()}


def get_example(
    task: TaskName,
    index: int = 0,
    benchmark: Benchmark = FIRST,
) -> dict[str, Any]:
    """Get an example of a task, written for this page, in the benchmark's row format: the prompt, and its references.

    Args:
        task: The task.
        index: The example, counted from 0; count in the result is their number.
        benchmark: Whose task it is, if both have it.

    Returns:
        A JSON object with id, input (the whole prompt), references, count, and the parts of the prompt
    """
    shown = _task(task, benchmark)
    example, count = find_example("embedded", value_of(shown), index), len(load_embedded(shown))
    return {"schema": "zero-scrolls-example/1", "task": task, "index": index, "count": count, **example.as_dict()}


async def score_predictions(
    predictions: Predictions,
    references: References,
    partial: bool = False,
    benchmark: Benchmark = FIRST,
    definition: str = "",
    columns: str = "",
    other_runs: list[dict[str, dict[str, str]]] | None = None,
    request: gr.Request = None,
) -> dict[str, Any]:
    """Score many answers at once, given as JSON: per task, and the benchmark's average if it has all tasks.

    Answers and references are matched by id. A task with null answers, missing or unknown ids is refused.

    Args:
        predictions: The answers by task and id: {"qasper": {"id1": "answer"}}.
        references: The references by task and id: {"qasper": {"id1": ["reference", "another"]}}.
        partial: Score only the ids present in both, even if others are missing or unknown.
        benchmark: Whose tasks they are: zero_scrolls has ten, scrolls seven.
        definition: In place of benchmark, the TOML text that defines a benchmark of your own.
        columns: What the fields of rows are called, as --columns of the command line: "id=qid,prediction=response".
        other_runs: More runs of the same system, each like predictions. The scores are then the means over all runs.

    Returns:
        A JSON object with score (null without all tasks), mean_of_tasks, missing_tasks, tasks, and problems
    """
    benchmark_named(benchmark)
    for name, value in (("predictions", predictions), ("references", references)):
        if not isinstance(value, dict):
            raise ZeroScrollsError(f'{name} is not a JSON object; give {{"task": {{"id": …}}}}')
    if not isinstance(definition, str):
        raise ZeroScrollsError(f"definition is {short(repr(definition))}; give the text of a TOML file")
    others = other_runs or []
    if not isinstance(others, list) or not all(isinstance(run, dict) for run in others):
        raise ZeroScrollsError('other_runs is no list of JSON objects; give [{"task": {"id": …}}, …]')
    arguments = (predictions, references, _true_or_false(partial), benchmark, definition, _columns(columns), others)
    job, size = Job(visitor_of(request)), int(request.headers.get(SIZE, 0))
    with _ROOM.held() as hold:
        hold(size)
        return dict(await run_job(report_on_objects, *arguments, job=job, size=size))


async def score_file(
    predictions: Paths,
    references: Paths = [],  # noqa: B006  (never changed)
    partial: bool = False,
    benchmark: Benchmark = FIRST,
    columns: str = "",
    runs: bool = False,
    request: gr.Request = None,
) -> dict[str, Any]:
    """Score prediction files against reference files: the report that zero-scrolls score --json writes.

    Without reference files, the answers are scored against the references beside them in their rows. The file that
    defines a benchmark of one's own is given beside the predictions. `columns` says what columns and fields are called,
    as --columns of the command line does: "id=qid,prediction=response". With `runs` each file of predictions is a run
    of one system, as --runs of the command line says.
    """
    if not predictions:
        raise ZeroScrollsError("give at least one file of predictions; upload them first, with handle_file in Python")
    check_files(predictions, references, "files", benchmark)
    check_uploaded([*dict.fromkeys([*predictions, *references])])
    for path in [*predictions, *references]:
        if not path.endswith((*SUFFIXES, DEFINITION)):
            raise ZeroScrollsError(f"{Path(path).name}: files of this type are not read; give {', '.join(SUFFIXES)}")
    definition, answers = own_definition(predictions)
    if _true_or_false(runs, "runs") and len(answers) < 2:
        raise ZeroScrollsError("runs needs two files of predictions or more, one for each run")
    upload = Upload(
        *(answers, references, "files", _true_or_false(partial), benchmark),
        runs=runs,
        definition=definition,
        columns=_columns(columns),
    )
    size = sum(Path(path).stat().st_size for path in [*predictions, *references])
    return dict(await run_job(report_on_files, upload, job=Job(visitor_of(request)), size=size))


def _task(name: object, benchmark: str) -> Task:
    """Return the task; one that only another benchmark has needs no `benchmark`."""
    owners = [row.name for row in available().values() if isinstance(name, str) and name in row.all_tasks]
    owner = owners[0] if benchmark == FIRST and len(owners) == 1 else benchmark
    return find_task(name, benchmark=benchmark_named(owner))


def _columns(columns: object) -> dict[str, str] | None:
    if not isinstance(columns, str):
        raise ZeroScrollsError(f'columns is {short(repr(columns))}; give a text such as "id=qid,prediction=response"')
    try:
        return parse_columns(columns) if columns.strip() else None
    except UnusableInput as error:
        raise ZeroScrollsError(f"columns: {error}") from None


def _true_or_false(value: object, name: str = "partial") -> bool:
    if isinstance(value, bool):
        return value
    raise ZeroScrollsError(f"{name} is {short(repr(value))}; give true or false")


#: The endpoints that are also MCP tools; none takes a file or a submission code.
TOOLS = (score_answer, explain_answer, get_example, score_predictions)


def snippets() -> dict[str, str]:
    """The example calls by title, with `ADDRESS` as the address; in a Space, the client is given its name."""
    arguments = "".join(f"    {name}={json.dumps(value)},\n" for name, value in CALL.items())
    return {
        words.API_PYTHON: "from gradio_client import Client\n\n"
        f'client = Client("{os.environ.get("SPACE_ID") or ADDRESS}")\n'
        f'result = client.predict(\n{arguments}    api_name="/score_answer",\n)\nprint(result["score"])',
        words.API_EVALUATE: EVALUATE,
    }


def answer() -> str:
    """The result of the example calls."""
    return json.dumps(score_answer(**CALL), indent=2, ensure_ascii=False)


def _code(title: str, code: str) -> None:
    """Show code with a button to copy it. Gradio fills its own template in the browser, which knows the address."""
    template = str(part("code", title, code)).replace("\\", "\\\\").replace(ADDRESS, f"${{{_HERE}}}")
    fragment(html_template=template)


def layout() -> None:
    """Build the tab, and declare the endpoints, inside the current Blocks."""
    fragment(part("api_lead", f"{space()}/blob/main/docs/api.md" if space() else ""))
    calls = snippets()
    with gr.Row():
        with gr.Column(scale=3, min_width=300):
            _code(words.API_PYTHON, calls[words.API_PYTHON])
        with gr.Column(scale=2, min_width=300):
            _code(words.API_RESULT, answer())
    _code(words.API_EVALUATE, calls[words.API_EVALUATE])
    # Without a queue, an MCP tool is called directly and takes up no thread while it waits.
    for tool in TOOLS:
        gr.api(endpoint(tool), api_name=tool.__name__, queue=False, concurrency_limit=None)
    # Jobs have a queue of their own.
    gr.api(endpoint(score_file), api_name="score_file", concurrency_limit=None)
