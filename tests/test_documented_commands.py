"""Every command in a block of a page is run as typed, in a new environment with what the page says to install.

A page's commands are run in their order in one folder, which has the files that `supposed` makes from the package's
examples. The Hub and a model's server are the stand-ins of tests/support. `TYPED` has what a reader puts in place of a
typed text, `ENDS` the commands that do not end with 0, `NOT_HERE` those that cannot run here, each with the reason.
"""

import csv
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest
from benchmark_zips import scrolls_zip, zipped
from fresh_environments import REQUIREMENTS, install, required_by, requirements_of
from fresh_environments import run as run_whole
from hub_stand_in import HubStandIn
from model_stand_in import StandIn, serving
from packaged_files import LEFT_BEHIND, ROOT
from run_folders import run_of
from started_app import free_port, wait_for
from written_files import write

from zs_bench.benchmarks import BENCHMARKS
from zs_bench.dataset.rows import SAMPLE_PREDICTIONS, load_embedded
from zs_bench.prompts import Settings

pytestmark = pytest.mark.slow

PAGES = {path.stem: path.read_text("utf-8") for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))}
EXAMPLES = ROOT / "zs_bench" / "benchmarks" / "zero_scrolls" / "examples"
#: Extras whose packages are not installed for the tests; what needs one is in `NOT_HERE`.
LARGE = {"local", "ray", "inspect"}

#: Commands that are not run, by how they begin, and why.
NOT_HERE = {
    "make ": "these run for minutes, or until they are ended; tests/test_docs.py checks that they exist",
    "createdb ": "these need a server of PostgreSQL; tests/zs_lab/board starts one",
    "pg_dump ": "these need a server of PostgreSQL; tests/zs_lab/board starts one",
    "dropdb ": "these need a server of PostgreSQL; tests/zs_lab/board starts one",
    "pg_restore ": "these need a server of PostgreSQL; tests/zs_lab/board starts one",
    "docker ": "there is no Docker where the tests run",
    "hf ": "tests/test_published_space.py runs it against a stand-in of the Hub",
    "zero-scrolls audit label": "it serves the page until it is ended; tests/browser/test_audit.py labels there",
    "zero-scrolls run --local": "it needs torch; `make local` runs it",
    "zero-scrolls run --base-url URL --model NAME --source hub --out run/ --engine ray": "it needs a cluster of Ray",
    "zero-scrolls run --model NAME --source hub --out run/ --read-batch": "the replies are of OpenAI's service",
}
#: Commands that end with another status than 0, and why.
ENDS = {
    "zero-scrolls compare base/ quantised/ --references references/ --margin": (1, "two examples pass no margin"),
    "zero-scrolls compare runs/base runs/4bit --source data/ --margin": (1, "two examples pass no margin"),
    "zero-scrolls compare pred/a pred/b --margin": (1, "two examples pass no margin"),
    "zero-scrolls verify ": (
        1,
        "the answers are to the validation split, or without ids to check; that is no submission",
    ),
    "zero-scrolls audit report": (2, "nobody has labelled"),
    "zero-scrolls score preds/ --source fresh/": (1, "the answers are to other examples"),
    "zero-scrolls certify": (1, "a recorded score differs"),
}


def lines_of(page: str) -> list[str]:
    """The lines of a page's blocks of commands, those broken by a backslash joined."""
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGES[page], re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.replace("\\\n", " ").splitlines() if line]


def needed_by(page: str) -> frozenset[str]:
    """The requirements that the page says to install, those of extras among them."""
    needed = set[str]()
    for words in re.findall(r"pip install ((?:\"[^\"]+\"|[\w-]+)(?: [\w-]+)*)", PAGES[page]):
        for word in re.findall(r"[^\s\"]+", words):
            extras = word.removeprefix(".[").removesuffix("]").split(",") if word.startswith(".[") else ()
            needed |= {row for extra in extras if extra not in LARGE for row in requirements_of(extra)}
            needed |= {word} & {"pyarrow"}
    return frozenset(needed)


def reason_not_here(line: str) -> str | None:
    return next((why for begins, why in NOT_HERE.items() if line.startswith(begins)), None)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sources, out = tmp_path_factory.mktemp("copy") / "sources", tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT, sources, ignore=LEFT_BEHIND)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    run_whole(*pip, "--wheel-dir", out, ".", folder=sources)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environments(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[frozenset[str], Path]:
    """The environments made so far, by what is installed beside the wheel: the folders of their commands."""

    class Environments(dict[frozenset[str], Path]):
        def __missing__(self, needed: frozenset[str]) -> Path:
            names = required_by([*REQUIREMENTS, *needed])
            self[needed] = install(wheel, tmp_path_factory.mktemp("environment"), names)
            return self[needed]

    return Environments()


@pytest.fixture(scope="module")
def hub() -> Iterator[HubStandIn]:
    with HubStandIn() as server:
        zips = {f"{task}.zip": zipped(task) for task in BENCHMARKS["zero_scrolls"].tasks}
        server.repo("datasets", "tau/zero_scrolls").commit(zips)
        zips = {f"{task}.zip": scrolls_zip(task) for task in BENCHMARKS["scrolls"].tasks}
        server.repo("datasets", "tau/scrolls").commit(zips)
        yield server


def answers_of_sample() -> dict[str, dict[str, str]]:
    answers: dict[str, dict[str, str]] = {}
    with SAMPLE_PREDICTIONS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            answers.setdefault(row["Task"], {})[row["ID"]] = row["Prediction"]
    return answers


def supposed(folder: Path) -> None:
    """Make the files that the pages take for granted."""
    answers = answers_of_sample()
    for name in ("references", "data", "corrected", "private"):
        shutil.copytree(EXAMPLES, folder / name)
    whole = {task: {row.id: list(row.references) for row in load_embedded(task)} for task in answers}
    write(folder / "private" / "references.json", whole)
    names = (
        "zero_scrolls_predictions",
        "preds",
        "a",
        "b",
        "system_one",
        "system_two",
        "run",
        "old",
        "new",
        "seed1",
        "seed2",
        "seed3",
        "naive",
    )
    for name in names:
        shutil.copy(SAMPLE_PREDICTIONS, folder / f"{name}.csv")
    for name in ("seeds_a/1", "seeds_a/2", "seeds_b/1", "seeds_b/2", "seeds_b/3"):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(SAMPLE_PREDICTIONS, folder / f"{name}.csv")
    for name in ("preds", "predictions", "base", "quantised"):
        for task, by_id in answers.items():
            write(folder / name / f"{task}.json", by_id)
    for place, budget in (("run", 0), ("runs/4096", 4096), ("runs/8192", 8192), ("runs/16384", 16384)):
        run_of(folder / place, Settings("a-model", budget=budget or None), answers)
    rows = [{"pred": "yes", "answers": ["yes"], "all_classes": None, "length": 4_000 * (i + 1)} for i in range(3)]
    for place in ("pred/my-model/qasper", "pred/a/qasper", "pred/b/qasper", "pred_e/a/qasper", "pred/a/lcc"):
        write(folder / f"{place}.jsonl", rows)
    write(folder / "verdicts.jsonl", [{"id": row.id, "verdict": "right"} for row in load_embedded("qasper")])
    of_qasper = {row.id: row for row in load_embedded("qasper")}
    samples = [
        {"doc": {"id": id_, "output": row.references[0]}, "filtered_resps": ["yes"], "f1": 0.5, "target": "yes"}
        for id_, row in of_qasper.items()
    ]
    write(folder / "samples_qasper_2026-06-03.jsonl", samples)
    reviews = [
        {"place": f"H{i % 3}", "rating": 1 + i % 5, "text": f"The room was clean, visit {i}.", "date": "2026-02-01"}
        for i in range(240)
    ]
    with (folder / "reviews.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, reviews[0])
        table.writeheader()
        table.writerows(reviews)
    for number in range(1, 5):
        write(folder / "books" / "Emma" / f"{number}.txt", f"The heroine walks to house {number} and talks there.")
    paragraphs = [{"title": f"T{i}", "paragraph_text": f"House {i} is old."} for i in range(20)]
    pairs = [
        {"id": f"2hop__{i}", "question": f"Who built house {i}?", "answer": f"person {i}", "answer_aliases": []}
        for i in range(4)
    ]
    twins = [{**row, "answerable": each, "paragraphs": paragraphs} for row in pairs for each in (True, False)]
    write(folder / "records.jsonl", twins)


def of_scrolls(folder: Path) -> None:
    """Put the files of SCROLLS there."""
    place = EXAMPLES.parents[1] / "scrolls"
    shutil.copy(place / "scrolls_predictions.csv", folder)
    shutil.rmtree(folder / "references")
    shutil.rmtree(folder / "preds")
    references, answers = dict[str, dict[str, list[str]]](), dict[str, dict[str, str]]()
    for task in BENCHMARKS["scrolls"].tasks:
        references[task] = {row.id: list(row.references) for row in load_embedded(BENCHMARKS["scrolls"].tasks[task])}
        answers[task] = {id_: texts[0] for id_, texts in references[task].items()}
        write(folder / "runs" / "bart" / "answers" / f"preds_{task}.json", answers[task])
        write(folder / "preds" / f"{task}.json", answers[task])
    write(folder / "references" / "references.json", references)
    write(folder / "hard.txt", "\n".join(answers["quality"]))


def of_a_benchmark_of_ones_own(folder: Path) -> None:
    """Put the page's files there."""
    blocks = re.findall(r"^```(?:toml|json)\n(.*?)^```", PAGES["own-benchmark"], re.MULTILINE | re.DOTALL)
    names = ("team.toml", "preds.json", "refs.json", "course.toml", "data/notes/test.jsonl")
    for name, text in zip(names, blocks, strict=True):
        write(folder / name, text)
    write(folder / "answers.json", {"notes": {"1": "It was rainy."}})


#: What pages suppose beside that, or else.
MORE = {
    "scrolls": of_scrolls,
    "fine-tuning": of_scrolls,
    "own-benchmark": of_a_benchmark_of_ones_own,
    "run": lambda folder: shutil.rmtree(folder / "run"),
}


#: What a reader puts in place of what is typed; a value in braces is what the page's commands made before.
TYPED = {
    "http://127.0.0.1:8000/v1": "{model}",
    "http://localhost:8000/v1": "{model}",
    "http://localhost:8001/v1": "{model}",
    "--base-url URL": "--base-url {model}",
    "http://127.0.0.1:7860": "{app}",
    "EVENT_ID": "{event}",
    "zs-…": "{code}",
    "--id 7f": "--id {id}",
    "board hide 3": "board hide 1",
    "board note 3": "board note 1",
    "2026-12-01": "2099-12-01",
}


class Reader:
    """Types the commands of a page."""

    def __init__(self, page: str, folder: Path, commands: Path, about: Mapping[str, str], stack: ExitStack) -> None:
        self._page, self._folder, self._stack = page, folder, stack
        self._made = dict(about)
        outside = ("GRADIO_", "HF_", "HUGGING_FACE_", "PYTHON", "PYTEST", "ZS_")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(outside)}
        place = {"PATH": f"{commands}:{os.environ['PATH']}", "HF_HOME": str(folder / "cache"), "NO_PROXY": "*"}
        self.env = (
            kept | place | {"HF_ENDPOINT": about["hub"], "HF_HUB_DISABLE_XET": "1", "GRADIO_ANALYTICS_ENABLED": "0"}
        )

    def type(self, line: str) -> str | None:
        """Run a command; return what went wrong, or nothing."""
        if line.startswith("pip install"):
            return None
        if line.startswith("export "):
            name, _, value = line.removeprefix("export ").partition("=")
            self.env[name] = value
            return None
        typed = line
        for text, instead in TYPED.items():
            typed = typed.replace(
                text, instead.format(**self._made) if instead[0] == "{" or "{" in instead else instead
            )
        if line.startswith("zero-scrolls app"):
            return self.start(typed)
        done = subprocess.run(
            ["bash", "-c", typed], cwd=self._folder, env=self.env, capture_output=True, text=True, check=False,
            stdin=subprocess.DEVNULL, timeout=300,
        )  # fmt: skip
        self._keep(done.stdout)
        expected = next((status for begins, (status, _) in ENDS.items() if line.startswith(begins)), 0)
        if done.returncode == expected and "Traceback" not in done.stderr:
            return None
        end = f"ended with {done.returncode}, not {expected}"
        return f"{self._page}: {line}\n  {end}: {(done.stdout + done.stderr)[-600:]}"

    def start(self, line: str = "zero-scrolls app") -> str | None:
        """Start the app, for the commands that follow."""
        port, log = free_port(), self._folder / "app.log"
        env = self.env | {"GRADIO_SERVER_PORT": str(port), "GRADIO_SERVER_NAME": "127.0.0.1"}
        out = self._stack.enter_context(log.open("wb"))
        process = subprocess.Popen(["bash", "-c", f"exec {line}"], cwd=self._folder, env=env, stdout=out, stderr=out)
        self._stack.callback(process.wait)
        self._stack.callback(process.terminate)
        self._made["app"] = f"http://127.0.0.1:{port}"
        try:
            wait_for(self._made["app"], process, log)
        except AssertionError as error:
            return f"{self._page}: {line}\n  {error}"
        return None

    def _keep(self, output: str) -> None:
        for name, pattern in (("code", r"\bzs-[\w-]+"), ("event", r'"event_id": ?"(\w+)"')):
            if found := re.search(pattern, output):
                self._made[name] = found[found.re.groups]


@pytest.mark.parametrize("page", [page for page in PAGES if lines_of(page)])
def test_every_command_of_the_page_does_what_it_says_as_typed(
    page: str, tmp_path: Path, environments: Mapping[frozenset[str], Path], hub: HubStandIn
) -> None:
    supposed(tmp_path)
    MORE.get(page, lambda _: None)(tmp_path)
    commands = environments[needed_by(page)]
    with ExitStack() as stack:
        model = stack.enter_context(serving(StandIn()))
        about = {"hub": hub.url, "model": model.url, "app": "", "code": "", "event": ""}
        about["id"] = next(iter(answers_of_sample()["qasper"]))
        reader = Reader(page, tmp_path, commands, about, stack)
        faults = [reader.start()] if "Start `zero-scrolls app` " in PAGES[page] else []
        faults += [reader.type(line) for line in lines_of(page) if not reason_not_here(line)]
    assert [fault for fault in faults if fault] == [], "\n".join(filter(None, faults))


def test_the_tables_have_no_row_that_is_of_no_command() -> None:
    lines = [line for page in PAGES for line in lines_of(page)]
    assert [begins for begins in (*NOT_HERE, *ENDS) if not any(line.startswith(begins) for line in lines)] == []
    assert [text for text in TYPED if not any(text in line for line in lines)] == []
