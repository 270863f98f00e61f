"""The steps of CONTRIBUTING.md, taken: a made-up task, metric, file format, command, annex and tab are added to a copy.

The packages are copied, the files and rows that CONTRIBUTING.md names are added, and another process uses the copy as a
user would: the commands, Python, the endpoints, the page.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
TASK_ROW = '            "eleventh": F1,\n'
INFO_ROW = """    Task(
        "eleventh",
        ZERO_SCROLLS.metrics["eleventh"],
        title="Eleventh",
        kind="Question answering",
        template=Template("You are given a text and a question.", "Text:", "Question:", "Answer:"),
    ),
"""
PROMPT = "You are given a text and a question.\n\nText:\nIt rains on day {0}.\n\nQuestion:\nWhat falls?\n\nAnswer:\n"
ROWS = [{"id": f"e{i}", "pid": f"e{i}_0", "input": PROMPT.format(i), "output": "the rain"} for i in range(2)]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages with an eleventh task, and two files of answers to it."""
    root = tmp_path_factory.mktemp("eleven")
    for name in ("zs_metric", "zs_bench", "zs_app", "zs_lab", "zs_start"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "app.py", root)
    insert(root / "zs_metric/tasks.py", '            "book_sum_sort": CONCORDANCE_INDEX,\n', TASK_ROW)
    benchmark = root / "zs_bench/benchmarks/zero_scrolls"
    insert(benchmark / "__init__.py", "_ROWS = (\n", INFO_ROW)
    put(benchmark / "examples/eleventh/validation.jsonl", "".join(json.dumps(row) + "\n" for row in ROWS))
    put(root / "a.json", json.dumps({"eleventh": {"e0": "rain", "e1": "snow"}}))
    put(root / "b.json", json.dumps({"eleventh": {"e0": "rain", "e1": "rain"}}))
    return root


@pytest.fixture
def another(copy: Path, tmp_path: Path) -> Path:
    """A copy of the copy, to change."""
    return Path(shutil.copytree(copy, tmp_path / "another"))


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def insert(path: Path, after: str, row: str, *, instead: bool = False) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(after) == 1
    put(path, text.replace(after, row if instead else after + row))


def run(copy: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(copy), "PYTHONIOENCODING": "utf-8", **variables}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=copy, env=env, capture_output=True, encoding="utf-8", check=False)


#: All commands but those that concern no task, or only one (`build`), and one that refuses the task.
COMMANDS = """
score a.json --source embedded --json report.json --csv report.csv --markdown report.md --latex report.tex
score a.json --source embedded --html report.html --losses
score a.json --source embedded --eval-results r.yaml --dataset a/b
verify a.json --source embedded --tasks eleventh --fix fixed.csv
data eleventh --source embedded --json data.json
data --source embedded
prompt eleventh --variant claude --preset gpt-4
prompt eleventh --budget 40
explain eleventh --prediction rain --reference "the rain"
compare a.json b.json --source embedded --html two.html --latex a.tex
study a.json b.json --tokens 8 --tokens 9 --source embedded
study a.json --source embedded --by length
run --dry-run --tasks eleventh
run --model m --write-batch batch --tasks eleventh --out run
tasks lm-eval harness --source embedded
board init --board board.sqlite --references zs_bench/benchmarks/zero_scrolls/examples --exact
baseline eleventh --human
variants a.json --source embedded
baseline eleventh --out naive.csv
"""
REFUSED = {"baseline eleventh --out naive.csv": "the paper has no naive answer to eleventh of ZeroSCROLLS"}


@pytest.mark.parametrize("command", COMMANDS.strip().splitlines())
def test_a_command_takes_the_eleventh_task(copy: Path, command: str) -> None:
    done, refusal = run(copy, "-m", "zs_start", *shlex.split(command)), REFUSED.get(command, "")
    assert (done.returncode, "Traceback" in done.stderr) == (2 if refusal else 0, False), done.stderr + done.stdout
    assert refusal in done.stderr


PYTHON = """
from zs_bench.dataset.rows import embedded_titles
from zs_bench.published import rank_report
from zs_bench.published import find_scored, marks
from zs_metric import score_benchmark, score_task
assert score_task("eleventh", ["rain"], ["the rain"]).score == 100
assert score_benchmark({"eleventh": (["a b"], ["b"])}).missing_tasks
assert embedded_titles()["eleventh"] == {}
assert set(marks(find_scored("eleventh")).values()) == {None}
scored = {"score": 50.0, "split": "test", "n": 500, "total": 500}
assert rank_report({"score": None, "tasks": {"eleventh": scored}}).tasks["eleventh"].sentences == ()
"""
PAGE = """
import asyncio
from zs_app.page import build, catalog
from zs_app.tabs import score_answer
page = build()
assert "eleventh" in str(catalog())
assert "eleventh" in dict(score_answer.choices("zero_scrolls")).values()
assert "100" in asyncio.run(score_answer.score("eleventh", "rain", ["the rain"]))["html"]
"""
APP = """
import asyncio, json
from zs_app import api
from zs_app.jobs import Upload, report_on_objects, score_upload, score_variants
from zs_app.result_tables import new_result
from zs_app.tabs import try_task
from zs_bench.reports.html.results_table import own_line
from zs_bench.reports.report import as_json
from zs_bench.scoring.score_files import score_files
assert api.score_answer("eleventh", "rain", ["the rain"])["score"] == 100
assert api.explain_answer("eleventh", "snow", ["the rain"])["task"] == "eleventh"
assert api.get_example("eleventh", 1)["id"] == "e1"
for variant in ("canonical", "chat", "claude"):
    assert "What falls?" in str(try_task.example("embedded", "eleventh", 0, variant, 0, "words"))
assert "100" in str(asyncio.run(try_task.try_answer("embedded", "eleventh", 0, "the rain")))
upload = Upload(["a.json"], [], "embedded", False, "zero_scrolls", second=["b.json"], repaired=True)
result = new_result()
score_upload(upload, result, lambda share, what: None)
assert "Eleventh" in score_variants(result.stem, {"eleventh": "50"}, lambda share, what: None)
answers, references = {"eleventh": {"e0": "rain"}}, {"eleventh": {"e0": ["rain"]}}
report = report_on_objects(answers, references, False, "zero_scrolls", "", None, [], lambda share, what: None)
assert report["tasks"]["eleventh"]["score"] == 100
report = json.loads(json.dumps(as_json(score_files(["a.json"], ["zs_bench/benchmarks/zero_scrolls/examples"]))))
assert "Not ranked" in own_line(report, "", "a.json").caveats[0]
"""


@pytest.mark.parametrize("script", [PYTHON, PAGE, APP], ids=["python", "page", "app"])
def test_python_and_the_page_accept_the_eleventh_task(copy: Path, script: str) -> None:
    done = run(copy, "-c", script)
    assert done.returncode == 0, done.stderr


BENCHMARK = '''"""Facts: a made-up benchmark."""

from pathlib import Path

from zs_bench.benchmarks.records import Benchmark, Task, Template
from zs_metric.metrics import EXACT_MATCH, F1

_PROMPT = Template("You are given a text and a question.", "Text:", "Question:", "Answer:")
_ROWS = (Task("who", F1, title="Who", template=_PROMPT), Task("label", EXACT_MATCH))
BENCHMARK = Benchmark("facts", "Facts", "facts_score", rows=_ROWS, folder=Path(__file__).parent)
'''
WITH_THE_BENCHMARK = """
import asyncio, json
from pathlib import Path
from zs_app import api
from zs_app.jobs import Upload, score_upload
from zs_app.page import build, catalog
from zs_app.result_tables import new_result, opened
from zs_app.tabs import results, score_answer, score_file, try_task
build()
first, value = catalog()["benchmarks"]["facts"][0], "facts/who"
assert (first["value"], first["examples"]) == (value, EXAMPLES)
assert value in dict(score_answer.choices("facts")).values()
assert "Who" in str(try_task.screen("zs/1/"))
tried = asyncio.run(try_task.try_answer("embedded", value, 0, "the rain")) if EXAMPLES else {}
assert ("100" in str(tried)) == bool(EXAMPLES)
shown = str(try_task.example("embedded", value, 0, "canonical", 0, "words"))
assert ("What falls?" in shown) == bool(EXAMPLES), shown
assert api.score_answer("who", "rain", ["the rain"], benchmark="facts")["score"] == 100
assert api.explain_answer("label", "snow", ["rain"], benchmark="facts")["score"] == 0
path = new_result()
upload = Upload(["a.json"], ["refs.json"], "files", False, "facts", repaired=True)
score_upload(upload, path, lambda share, what: None)
assert "Ada" not in str(results.published("facts", [path.stem], {})["table"])
with opened(path.stem) as kept:
    assert results.verdict("facts", kept.report) == ""  # no system was published
answer = score_file.answers({"result": path.stem, "answer": "who/e0"})
assert "rain" in str(answer["opened"]) and answer["answer"] == "who/e0", answer
"""


@pytest.mark.parametrize("name", ["facts", "facts.toml"])
def test_a_new_benchmark_is_a_package_and_a_name_or_one_file(name: str, another: Path) -> None:
    benchmarks, own = another / "zs_bench" / "benchmarks", name == "facts.toml"
    if own:
        prompt = "[tasks.who.prompt]\ninstruction = 'You are given a text and a question.'\ncontext_header = 'Text:'\n"
        rows = "[tasks.who]\ntitle = 'Who'\nmetric = 'f1'\n[tasks.label]\nmetric = 'exact_match'\n"
        put(another / "facts.toml", f"name = 'facts'\ntitle = 'Facts'\n{rows}{prompt}query_header = 'Question:'\n")
    else:
        put(benchmarks / "facts" / "__init__.py", BENCHMARK)
        put(benchmarks / "facts" / "examples" / "who" / "validation.jsonl", "".join(json.dumps(r) + "\n" for r in ROWS))
        package, last = benchmarks / "packaged.py", "longbench.E_BENCHMARK"
        insert(package, "import longbench, scrolls, zero_scrolls", ", facts")
        insert(package, f"{last})", f"{last}, facts.BENCHMARK)", instead=True)
    put(another / "a.json", json.dumps({"who": {"e0": "rain", "e1": "snow"}, "label": {"1": "Yes"}}))
    put(another / "refs.json", json.dumps({"who": {"e0": ["rain"], "e1": ["rain"]}, "label": {"1": ["yes."]}}))
    lines = [
        "score a.json --references refs.json --json report.json --html r.html",
        "verify a.json --references refs.json",
    ]
    lines += [] if own else ["prompt who", "explain who --prediction rain --reference snow"]
    done = [run(another, "-m", "zs_start", *shlex.split(line), "--benchmark", name) for line in lines]
    assert [process.stderr for process in done if process.returncode] == []
    assert json.loads((another / "report.json").read_text(encoding="utf-8"))["score"] == 75
    env = {"ZS_BENCHMARK": "facts.toml"} if own else {}
    page = run(another, "-c", f"EXAMPLES = {0 if own else 2}" + WITH_THE_BENCHMARK, **env)
    assert page.returncode == 0, page.stderr


#: The tests that are made of the benchmarks' records, which a new one changes.
OF_BENCHMARKS = (
    "tests/app/test_upload_job.py",
    "tests/zs_bench/benchmarks",
    "tests/zs_bench/commands/test_score_output.py",
    "tests/zs_bench/published",
    "tests/zs_bench/reports/test_comparison.py",
    "tests/zs_bench/reports/test_report.py",
    "tests/zs_bench/reports/test_results_table.py",
    "tests/zs_bench/validation/test_references.py",
    "tests/zs_lab/harnesses",
    "tests/zs_lab/publish/test_publish_kit.py",
    "tests/zs_app/tabs/test_any_answer.py",
    "tests/zs_app/tabs/test_results.py",
    "tests/test_docs.py",
)


def test_the_tests_of_benchmarks_pass_in_a_copy_with_one_more(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__", ".*", "dist", "*.egg-info")
    root = Path(shutil.copytree(ROOT, tmp_path / "more", ignore=ignored))
    folder, module = root / "zs_bench" / "benchmarks" / "madeup", BENCHMARK.replace("facts", "madeup")
    put(folder / "__init__.py", module.replace('"who"', '"madeup_who"').replace('"label"', '"madeup_label"'))
    tasks = ("madeup_who", "madeup_label")
    for task in tasks:
        put(folder / "examples" / task / "validation.jsonl", "".join(json.dumps(row) + "\n" for row in ROWS))
    sample = [f"{task},{row['id']},the rain\n" for task in tasks for row in ROWS]
    put(folder / "madeup_predictions.csv", "".join(["Task,ID,Prediction\n", *sample]))
    row = "| score SCROLLS | [SCROLLS](docs/scrolls.md) |\n"
    insert(root / "README.md", row, f"| score Facts | {', '.join(tasks)} |\n")
    package, last = folder.parent / "packaged.py", "longbench.E_BENCHMARK"
    insert(package, "import longbench, scrolls, zero_scrolls", ", madeup")
    insert(package, f"{last})", f"{last}, madeup.BENCHMARK)", instead=True)
    options = ["-q", "-p", "no:cacheprovider", "-m", "not slow and not browser"]
    done = run(root, "-m", "pytest", *options, *OF_BENCHMARKS)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr


METRIC = '''"""Same length: 100 when the answer has as many words as a reference, else 0."""

from collections.abc import Sequence

from .results import ExampleResult


def score_same_length(prediction: str, references: Sequence[str]) -> ExampleResult:
    """Count the words."""
    count = len(prediction.split())
    right = count in {len(text.split()) for text in references}
    return ExampleResult(100.0 * right, str(count) if count else None, None if right else "another number of words", 0)
'''
METRIC_IMPORT = "from .same_length import score_same_length\n"
SCORED_WITH_IT = """
from zs_app import api
from zs_metric import score_task
assert score_task('eleventh', ['a b'], ['c d']).score == 100
assert api.explain_answer('eleventh', 'a', ['c d'])['score'] == 0
import evaluate
metric = evaluate.load("zs_metric/zero_scrolls.py", "eleventh")
assert metric.compute(predictions=["a b"], references=[["c d"]])["zero_scrolls_score"] == 100
"""


def test_a_new_metric_is_a_module_an_import_in_both_scripts_and_a_row(another: Path) -> None:
    folder = another / "zs_metric"
    put(another / "empty.json", json.dumps({"eleventh": {"e0": "", "e1": "rain"}}))
    put(folder / "same_length.py", METRIC)
    for script in ("zero_scrolls.py", "scrolls.py"):
        insert(folder / script, "from .rouge import engine, score_rouge\n", METRIC_IMPORT)
    insert(folder / "metrics.py", "from .rouge import engine, score_rouge\n", METRIC_IMPORT)
    metric = 'SAME_LENGTH = mean_of_examples("same_length", "Same length", score_same_length)\n'
    insert(folder / "metrics.py", 'ACCURACY = mean_of_examples("accuracy", "Accuracy", score_accuracy)\n', metric)
    insert(folder / "tasks.py", "    ACCURACY,\n", "    SAME_LENGTH,\n")
    insert(folder / "tasks.py", TASK_ROW, TASK_ROW.replace("F1", "SAME_LENGTH"), instead=True)
    commands = (
        "score a.json --source embedded --html report.html",
        "score empty.json --source embedded",
        "explain eleventh --prediction a --reference 'b c'",
        "variants a.json --source embedded",
    )
    done = [run(another, "-c", script) for script in (SCORED_WITH_IT, PAGE)]
    done += [run(another, "-m", "zs_start", *shlex.split(command)) for command in commands]
    assert [process.stderr for process in done if process.returncode] == []


READER = '''"""Lines of an id and a prediction, with a colon between them."""

import io
from typing import IO

from zs_bench.files.entries import Entry, Found, ReadFile
from zs_bench.problems import Place


def read_lines(stream: IO[bytes], file: ReadFile) -> Found:
    """Yield the entry of each line."""
    file.format = "lines"
    for number, line in enumerate(io.TextIOWrapper(stream, "utf-8"), start=1):
        id_, colon, prediction = line.rstrip().partition(": ")
        if colon:
            yield Entry(file.task, id_, prediction, Place(file.name, number))
        else:
            yield file.unreadable("the line has no colon", number, file.task)
'''


def test_a_new_file_format_is_a_reader_and_a_row(another: Path) -> None:
    files = another / "zs_bench" / "files"
    put(files / "read_lines.py", READER)
    row = '    Format(".lines", "read_lines.read_lines", {"Lines": "`id: answer`"}),\n'
    insert(files / "formats.py", "_ROWS = (\n", row)
    put(another / "eleventh.lines", "e0: rain\ne1\n")
    done = run(another, "-m", "zs_start", "score", "eleventh.lines", "--source", "embedded", "--partial")
    assert "the line has no colon: eleventh.lines, line 2" in done.stdout
    kinds = "from zs_bench.files.formats import file_kinds; print(file_kinds('predictions'))"
    assert ".lines" in run(another, "-c", kinds).stdout


COMMAND = '''"""A command that greets."""

import argparse

from zs_bench.commands import OK, describe


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the command."""
    describe(command, "Greet somebody.", {"zero-scrolls greet Ada": "Greets Ada."})
    command.add_argument("name", help="Whom.")
    command.set_defaults(run=lambda options: print(f"Hello {options.name}") or OK)
'''


def test_a_new_command_is_a_module_and_a_row_also_in_a_new_annex(another: Path) -> None:
    annex = another / "zs_lab" / "greetings"
    put(another / "zs_bench" / "commands" / "greet.py", COMMAND)
    put(annex / "command.py", COMMAND)
    rows = '        "greet": ("commands.greet.declare", "Greet somebody."),\n'
    rows += '        "hail": ("zs_lab.greetings.command.declare", "Hail somebody."),\n'
    insert(another / "zs_start" / "cli.py", '    "set up": {\n', rows)
    for command in ("greet", "hail"):
        assert run(another, "-m", "zs_start", command, "Ada").stdout == "Hello Ada\n"
    shutil.rmtree(annex)
    page = run(another, "-m", "zs_start", "--help").stdout
    assert ("Greet somebody." in page, "Hail somebody." in page) == (True, False)


TAB = '''"""The tab "Shout": a text in capitals."""

from zs_app import words
from zs_app.component import Text, component


def shout(text: Text) -> dict[str, str]:
    """Return the text in capitals."""
    return {"html": text.upper()}


def layout() -> None:
    """Build the tab inside the current Blocks."""
    component("shout", f'<input aria-label="{words.SHOUT_TEXT}"><output></output>', shout)
'''
SCRIPT = """// "Shout": the text in capitals, at every key.
export function mount(element, server, address) {
  const [input, output] = element.querySelectorAll("input, output");
  input.oninput = async () => (output.innerHTML = (await server.shout({ text: input.value })).html);
}
"""
HAS_THE_TAB = """
import asyncio
from zs_app.component import server_function
from zs_app.page import build, catalog, tabs
from zs_app.tabs.shout import shout
blocks = build().blocks.values()
names = [block.id for block in blocks if type(block).__name__ == "Tab" and block.id]
assert names == [tab.name for tab in tabs()] == ["try", "answer", "file", "results", "shout", "api"], names
assert any("Your text" in str(getattr(block, "value", "")) for block in blocks)
assert "shout" in catalog()["tabs"]
assert asyncio.run(server_function(shout)({"text": "rain"}, None)) == {"html": "RAIN"}
"""


def test_a_new_tab_is_a_module_a_script_and_texts_opened_in_the_page(another: Path) -> None:
    app = another / "zs_app"
    put(app / "tabs" / "shout.py", TAB)
    put(app / "static" / "shout.js", SCRIPT)
    results = '        Tab("results", words.RESULTS_TAB, results.layout),\n'
    insert(app / "page.py", results, '        Tab("shout", words.SHOUT_TAB, shout.layout),\n')
    insert(app / "page.py", "from zs_app.tabs import results, score_answer, score_file", ", shout")
    insert(app / "words.py", 'RESULTS_TAB = "Results"\n', 'SHOUT_TAB, SHOUT_TEXT = "Shout", "Your text"\n')
    done = run(another, "-c", HAS_THE_TAB)
    assert done.returncode == 0, done.stderr
