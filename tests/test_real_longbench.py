"""Real runs of LongBench and LongBench-E, with the numbers that its own evaluator printed: the same here."""

import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gradio_client import Client, handle_file
from kept_results import exported
from packaged_files import ROOT
from real_answers import LONGBENCH, WITHOUT

from zs_app.jobs import Upload, kept_systems, score_upload
from zs_app.result_tables import new_result, opened
from zs_bench import install
from zs_bench.benchmarks import find_benchmark
from zs_bench.scoring.compare import by_row_length, score_groups
from zs_bench.scoring.score_files import score_files
from zs_bench.scoring.scored import ScoredFile
from zs_bench.variants import rescored_file
from zs_start.cli import main

RUNS = ("llama2-7b-chat-4k", "llama2-7b")
pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not (LONGBENCH / f"pred__{RUNS[0]}.zip").is_file(), reason=f"no runs of LongBench; {WITHOUT}"),
]


def folder(tmp: Path, name: str) -> tuple[Path, Any]:
    """The unpacked folder of a run, and the numbers of its evaluator."""
    with zipfile.ZipFile(LONGBENCH / f"{name}.zip") as packed:
        packed.extractall(tmp)
    (result,) = tmp.rglob("result.json")
    return result.parent, json.loads(result.read_text(encoding="utf-8"))


@pytest.fixture(scope="module", params=[RUNS[0], pytest.param(RUNS[1], marks=pytest.mark.slow)])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """The folder of a run of LongBench, and the numbers of its evaluator."""
    pytest.importorskip("jieba", reason="Chinese needs the extra longbench")
    return folder(tmp_path_factory.mktemp("run"), f"pred__{request.param}")


@pytest.fixture
def load_installed() -> Iterator[Callable[..., Any]]:
    """`evaluate.load` of LongBench by its bare name, after `install-metric`; takes the task, or none."""
    import evaluate

    install.install_metric()
    yield lambda *task: evaluate.load("longbench", *task)
    install.uninstall_metric()


def rounded(scored: ScoredFile) -> dict[str, float]:
    """The scores of the tasks as the evaluator prints them."""
    return {name: round(task.score, 2) for name, task in scored.tasks.items() if task.score is not None}


def test_every_task_has_the_number_of_the_evaluator(run: tuple[Path, Any]) -> None:
    path, expected = run
    scored = score_files([path])
    assert scored.benchmark.name == "longbench"
    assert rounded(scored) == expected


@pytest.mark.slow
def test_the_page_has_them(run: tuple[Path, Any]) -> None:
    path, expected = run
    result, files = new_result(), list(map(str, sorted(path.glob("*.jsonl"))))
    score_upload(Upload(files, files, "files", partial=False, benchmark="longbench"), result, lambda _, __: None)
    with opened(result.stem) as kept:
        shown = {name: round(task["score"] or 0.0, 2) for name, task in kept.report["tasks"].items()}
    assert shown == expected


@pytest.mark.slow
def test_the_command_line_has_them(run: tuple[Path, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, expected = run
    assert main(["score", str(path), "--json", str(tmp_path / "out.json")]) == 0
    assert capsys.readouterr().err.startswith("Scored as LongBench")
    tasks = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["tasks"]
    assert {name: round(task["score"], 2) for name, task in tasks.items()} == expected


def rows_of(path: Path) -> dict[str, list[Any]]:
    """The rows of each task's file."""
    files = sorted(path.glob("*.jsonl"))
    return {file.stem: [json.loads(line) for line in file.read_text("utf-8").splitlines()] for file in files}


@pytest.mark.slow
def test_evaluate_has_them_by_the_bare_name(run: tuple[Path, Any], load_installed: Callable[..., Any]) -> None:
    path, expected = run
    of_tasks = {
        name: [[row[key] for row in rows] for key in ("pred", "answers")] for name, rows in rows_of(path).items()
    }
    found = {}
    for name, (predictions, references) in of_tasks.items():
        result = load_installed(name).compute(predictions=predictions, references=references)
        found[name] = round(result["longbench_score"], 2)
    assert found == expected
    whole = load_installed()
    for predictions, references in of_tasks.values():
        whole.add_batch(predictions=predictions, references=references)
    tasks = [name for name, (predictions, _) in of_tasks.items() for _ in predictions]
    result = whole.compute(task=tasks)
    assert {name: round(task["longbench_score"], 2) for name, task in result["tasks"].items()} == expected
    assert result["missing_tasks"] == []


@pytest.mark.slow
def test_the_endpoints_have_them(run: tuple[Path, Any], url: str) -> None:
    path, expected = run
    client = Client(url, verbose=False)
    files, rows = [handle_file(file) for file in sorted(path.glob("*.jsonl"))], rows_of(path)
    reports = [client.predict(predictions=files, references=None, api_name="/score_file")]
    reports += [client.predict(predictions=files, references=files, benchmark="longbench", api_name="/score_file")]
    objects = (
        {name: {str(n): pick(row) for n, row in enumerate(of_task)} for name, of_task in rows.items()}
        for pick in (lambda row: row["pred"], lambda row: row["answers"])
    )
    reports.append(client.predict(*objects, benchmark="longbench", api_name="/score_predictions"))
    assert [kind["message"] for kind in reports[0]["problems"] if kind["kind"] == "recognised"] == [
        "Scored as LongBench, by how the files look"
    ]
    for report in reports:
        assert {name: round(task["score"], 2) for name, task in report["tasks"].items()} == expected
    client.close()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["files", "ZIPs"])
def test_two_runs_on_the_page_have_the_table_of_papers_and_a_verdict(tmp_path: Path, kind: str) -> None:
    pytest.importorskip("jieba", reason="Chinese needs the extra longbench")
    folders = [folder(tmp_path / name, f"pred__{name}") for name in RUNS]
    files = [[str(file) for file in sorted(path.glob("*"))] for path, _ in folders]  # with `result.json`
    given = files if kind == "files" else [[str(LONGBENCH / f"pred__{name}.zip")] for name in RUNS]
    result = new_result()
    score_upload(Upload(given[0], [], "files", False, "zero_scrolls", given[1], names=RUNS), result, lambda *_: None)
    with opened(result.stem) as kept:
        shown = kept.page["report"]
        systems = kept_systems(kept)
    assert [rounded(scored) for scored in systems] == [expected for _, expected in folders]
    assert "llama2-7b is worse than llama2-7b-chat-4k" in shown, shown[:3000]
    table = exported(result.stem, f"{RUNS[0]}-report.tex")
    categories = [row.short_title for row in find_benchmark("longbench").averages.values() if row.hidden]
    heads = [line.replace("{-}", "-") for line in table.splitlines() if line.startswith("System & ")]
    assert heads[1:] == [f"System & {' & '.join([*categories[:6], title])} \\\\" for title in ("English", "Chinese")]


@pytest.mark.slow
def test_longbench_e_has_the_numbers_by_length(tmp_path: Path) -> None:
    path, expected = folder(tmp_path, f"pred_e__{RUNS[0]}")
    scored = score_files([path])
    assert scored.benchmark.name == "longbench_e"
    found = {
        name: {group: round(row.score, 2) for group, row in score_groups(task, by_row_length(task)).items()}
        for name, task in scored.tasks.items()
    }
    assert found == expected


@pytest.mark.slow
def test_the_copies_give_the_scores_of_the_page(tmp_path: Path) -> None:
    path, _ = folder(tmp_path, f"pred__{RUNS[0]}")
    tasks = ("lcc", "repobench-p", "trec", "triviaqa")
    found = rescored_file(score_files([path / f"{name}.jsonl" for name in tasks]))["variants"]
    page = (ROOT / "docs" / "longbench.md").read_text(encoding="utf-8")
    names = {
        "LongBench's `eval.py`": "official",
        "leading blanks stripped (reported of kvpress)": "leading blanks stripped",
    }
    names["no first line (lm-evaluation-harness)"] = "no first line"
    names["python-Levenshtein for difflib"] = "python-Levenshtein for difflib"
    for shown, name in names.items():
        scores = " | ".join(f"{found[name]['scores'][task]:.2f}" for task in tasks)
        assert f"| {shown} | {scores} |" in page
