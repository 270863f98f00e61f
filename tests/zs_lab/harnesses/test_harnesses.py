"""lm-evaluation-harness and Inspect themselves run our tasks, offline, on the embedded examples, and score as we do.

`make harnesses` installs them in an environment of their own. The model looks up the sample answers by the whole
prompt, so a prompt that a harness changes has no answer.
"""

import json
import math
import os
import re
import shlex
import shutil
import subprocess

import harness_runs
import pytest
from model_stand_in import StandIn, serving
from packaged_files import PACKAGES, ROOT
from scored_cases import sample_answers
from written_files import reported

from zs_bench.benchmarks import BENCHMARKS
from zs_bench.dataset.rows import load_embedded, sample_predictions
from zs_bench.scoring.score_files import score_files
from zs_start.cli import main

pytestmark = pytest.mark.slow
PYTHON = ROOT / ".cache" / "harnesses" / "bin" / "python"
#: The benchmarks with examples and a sample in the package.
WITH_EXAMPLES = {name: benchmark for name, benchmark in BENCHMARKS.items() if benchmark.file("examples")}
GROUPS = {"zero_scrolls": "zero_scrolls", "scrolls": "zs_scrolls"}


@pytest.fixture(scope="module", autouse=True)
def installed(tmp_path_factory):
    """This checkout is installed beside the harnesses: Inspect finds its tasks in an installed package only."""
    if not PYTHON.exists():
        reason = "lm-eval and Inspect are not installed; run: make harnesses"
        (pytest.fail if os.environ.get("ZS_REQUIRE_HARNESSES") else pytest.skip)(reason)
    sources = tmp_path_factory.mktemp("sources")  # building leaves files beside the sources
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, sources)
    for name in PACKAGES:
        shutil.copytree(ROOT / name, sources / name, ignore=shutil.ignore_patterns("__pycache__", "*.pyi"))
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--force-reinstall"]
    subprocess.run([*pip, sources], check=True)


def answers():
    """The sample answers of these benchmarks by prompt, each with the reason for which it ended."""
    by_prompt = {}
    for name, benchmark in WITH_EXAMPLES.items():
        predictions = sample_answers(name)
        for task in benchmark.tasks.values():
            for example in load_embedded(task):
                by_prompt[example.input] = [predictions[task.name, example.id], "stop"]
    return by_prompt


def environment(home, **more):
    """That of a program that does not see this Python, nor a network."""
    here = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return here | {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(home)} | more


def run(which, by_prompt, tasks, out, more):
    """The scores of a harness, run from an empty folder without a network."""
    (out / "work").mkdir(parents=True)
    file = out / "answers.json"
    file.write_text(json.dumps(by_prompt), encoding="utf-8")
    env = environment(out / "hf")
    command = [PYTHON, harness_runs.__file__, which, file, ",".join(tasks), out / "logs", more]
    (out / "logs").mkdir()
    done = subprocess.run(
        list(map(str, command)), cwd=out / "work", env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-5000:]
    return dict(json.loads((out / "logs" / "scores.json").read_text(encoding="utf-8")))


def points(scored):
    return {name: task.score for name, task in scored.tasks.items()}


def expected(benchmark):
    return score_files([sample_predictions(benchmark)], source="embedded", benchmark=benchmark)


def test_lm_eval_scores_as_we_do_and_its_samples_score_the_same(tmp_path):
    folder = str(tmp_path / "tasks")
    for benchmark in WITH_EXAMPLES:
        assert main(["tasks", "lm-eval", folder, "--source", "embedded", "--benchmark", benchmark]) == 0
    scores = run("lm_eval", answers(), [*GROUPS.values()], tmp_path, folder)
    for benchmark, group in GROUPS.items():
        mine = expected(benchmark)
        for name, task in mine.tasks.items():
            reported_scores = scores[f"{group}_{name}"]
            assert reported_scores["score,none"] == task.score
            assert math.isnan(reported_scores["score_low,none"])
        assert mine.result
        assert scores[group]["score,none"] == pytest.approx(mine.result.score, rel=1e-15)
        samples = (tmp_path / "logs").rglob(f"samples_{group}_*.jsonl")
        again = score_files(samples, source="embedded", benchmark=benchmark)
        assert points(again) == points(mine)


def test_inspect_scores_as_we_do_and_its_logs_score_the_same(tmp_path):
    tasks = [f"zs_lab/{name}_{task}" for name, benchmark in WITH_EXAMPLES.items() for task in benchmark.tasks]
    scores = run("inspect", answers(), tasks, tmp_path, "embedded")
    for benchmark in WITH_EXAMPLES:
        mine = expected(benchmark)
        for name, task in mine.tasks.items():
            reported_scores = scores[f"zs_lab/{benchmark}_{name}"]
            assert (reported_scores["score"], reported_scores["unscored"]) == (task.score, 0)
            assert math.isnan(reported_scores["score_low"])
        logs = (tmp_path / "logs").glob(f"*_{benchmark.replace('_', '-')}-*.eval")
        assert points(score_files(logs, source="embedded", benchmark=benchmark)) == points(mine)


def test_an_overflow_is_unscored_in_inspect_and_no_answer_in_its_log(tmp_path):
    by_prompt = answers()
    overflowed, answered = load_embedded("quality")
    by_prompt[overflowed.input] = ["A shorter prompt is needed", "model_length"]
    by_prompt[answered.input] = [answered.references[0], "stop"]
    scores = run("inspect", by_prompt, ["zs_lab/zero_scrolls_quality"], tmp_path, "embedded")
    reported_scores = scores["zs_lab/zero_scrolls_quality"]
    assert (reported_scores["score"], reported_scores["unscored"]) == (100, 1)
    scored = score_files((tmp_path / "logs").glob("*.eval"), source="embedded")
    assert reported(scored) == [("null", "quality", overflowed.id)]
    assert points(scored) == {"quality": None}


def lines_of_the_page():
    text = (ROOT / "docs" / "harnesses.md").read_text(encoding="utf-8")
    return "\n".join(re.findall(r"^```text\n(.*?)^```", text, re.MULTILINE | re.DOTALL)).splitlines()


def test_the_commands_of_the_page_for_a_server_work_as_typed(tmp_path):
    answers_of = {task: load_embedded(task)[0].references[0] for task in ("qasper", "quality")}
    typed = [line for line in lines_of_the_page() if not line.startswith(("pip ", "zero-scrolls score"))]
    served = [line for line in typed if not re.search("--model (hf|openai/)", line)]
    with serving(
        StandIn(message=lambda prompt: {"content": answers_of["quality" if "(D)" in prompt else "qasper"]})
    ) as server:
        script = "\n".join(["set -e", *served]).replace("http://127.0.0.1:8000/v1", server.url)
        script = script.replace("source=hub", "source=embedded").replace(
            "lm-eval harness/", "lm-eval harness/ --source embedded"
        )
        env = environment(tmp_path, PATH=f"{PYTHON.parent}{os.pathsep}{os.environ['PATH']}")
        done = subprocess.run(
            ["bash"], cwd=tmp_path, input=script, env=env, capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
    samples = [*tmp_path.glob("out/*/samples_*")]
    assert len(samples) == 10
    for files in (samples, [tmp_path / "logs"]):
        scored = score_files(files, source="embedded")
        assert points(scored)["quality"] == 50, reported(scored)
    other = [shlex.split(line) for line in typed if line not in served]
    ran = [shlex.split(line) for line in served]
    for command in other:  # of which a GPU or a key runs the rest
        options = [{word for word in line if word.startswith("-")} for line in ran if line[:2] == command[:2]]
        assert any({word for word in command if word.startswith("-")} <= known for known in options), command
