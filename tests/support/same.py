"""Compare what two states of the repository print, write and reply: `make same BASE=<revision>`, about a minute.

Every line of `same_commands.txt` is run, and every endpoint called, in a checkout of BASE and in this one. Times,
paths and random names are masked. The differences are printed, and the exit status is 1 if there are any.
"""

import difflib
import importlib
import json
import os
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
from hostile_files import hostile_files
from requests_to_app import call_function
from started_app import started_app

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
REAL = Path(os.environ.get("ZS_REAL") or ROOT.parent / "shared" / "real")
_ANSWER = {"references": ["Behind the pendulum", "In it"], "prediction": "In the clock, behind the “pendulum”"}
_SOME = {"predictions": {"quality": {"a": "B", "b": "C", "d": "A"}}, "references": {"quality": {"a": ["B"], "b": "D"}}}
_EXAMPLE = {"source": "embedded", "task": "quality", "example": 0}
#: The values of the calls of each endpoint, by parameter, and of functions of the page.
CALLS: Mapping[str, list[dict[str, Any]]] = {
    "/score_answer": [{"task": task, **_ANSWER} for task in ("qasper", "quality", "qmsum", "contract_nli")],
    "/explain_answer": [{"task": task, **_ANSWER, "benchmark": "scrolls"} for task in ("qasper", "qmsum", "no_task")],
    "/get_example": [{"task": "quality", "index": 1}, {"task": "quality", "index": 9, "benchmark": "scrolls"}],
    "/score_predictions": [_SOME, {**_SOME, "partial": True}, {**_SOME, "benchmark": "scrolls"}],
    "/score_file": [{"predictions": ["sample.csv"]}, {"predictions": ["pid.json"], "partial": True}],
    "score": [{"task": "quality", "answer": "(C)", "references": ["C"]}],
    "try_answer": [{**_EXAMPLE, "answer": "B"}],
    "example": [{**_EXAMPLE, "variant": "chat", "budget": 640, "tokenizer": "words"}],
}
_MASKS = (
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?([+-]\d\d:?\d\d|Z)?", "TIME"),
    (r"\b\d+(\.\d+)? s\b|\b1[789]\d{8}(\.\d+)?\b", "TIME"),
    (r"\b[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}\b|\bzs-[\w-]+", "NAME"),
    (r"127\.0\.0\.1:\d+", "HOST"),
)


def write_inputs(folder: Path, base: Path) -> None:
    """Write the files to score: the samples of BASE, made and broken ones; and a link to real ones."""
    references: dict[str, dict[str, list[str]]] = {}
    for path in base.glob("zs_bench/**/validation.jsonl"):
        shutil.copytree(path.parent, folder / "data" / path.parent.name)
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            references.setdefault(path.parent.name, {}).setdefault(row["id"], []).append(row["output"])
    for name, path in (("sample", "zero_scrolls"), ("scrolls", "scrolls")):
        shutil.copy(next(base.glob(f"zs_bench/**/{path}_predictions.csv")), folder / f"{name}.csv")
    answers = {task: {id_: f"It is {texts[-1]} 5" for id_, texts in ids.items()} for task, ids in references.items()}
    del answers["contract_nli"]
    cut = {task: {id_: text[: len(text) // 2] for id_, text in ids.items()} for task, ids in answers.items()}
    thought = {task: {id_: f"<think>x</think>{text}" for id_, text in ids.items()} for task, ids in answers.items()}
    made: dict[str, Any] = {"references": references, "answers": answers, "cut": cut, "thought": thought}
    made["pid"] = {"qasper": {f"{id_}_0": text for id_, text in answers["qasper"].items()}, "musique": {"x": None}}
    made["rows"] = {"quality": [{"id": "s1", "prediction": 3}, {"id": None}, 7, {"pred": "A", "answers": ["B"]}]}
    made["misspelt"] = {"narrativeqa": answers["narrative_qa"], "gov-report": answers["gov_report"], "no": {"a": "b"}}
    for name, content in made.items():
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    text = "Task;ID;Prediction\n" + "".join(f"{task};{id_};B\n" for task, ids in answers.items() for id_ in ids)
    for name, content in {"semicolons": text, "twice": text * 2, "half": text[:9], "empty": ""}.items():
        (folder / f"{name}.csv").write_text(content, encoding="utf-8")
    hostile_files(folder / "hostile")
    (folder / "real").symlink_to(REAL)


def lines(inputs: Path) -> list[str]:
    """The command lines; those of real files where there are any, and one for each file made to do harm."""
    own = HERE.joinpath("same_commands.txt").read_text(encoding="utf-8").splitlines()
    hostile = sorted(path for path in (inputs / "hostile").glob("*/*") if path.stat().st_size < 10**6)
    listed = [line for line in own if REAL.is_dir() or "in/real" not in line]
    return listed + [f"verify {shlex.quote(str(Path('in', path.relative_to(inputs))))}" for path in hostile]


def results_of_commands(inputs: Path) -> Iterator[tuple[str, str]]:
    """Yield each command line with what it printed and wrote; each runs in a process forked from this one."""
    import zs_bench
    from zs_start.cli import main

    for module in pkgutil.walk_packages(zs_bench.__path__, "zs_bench."):  # once, not in each process
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for line in lines(inputs):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "in").symlink_to(inputs)
            if (process := os.fork()) == 0:
                os.chdir(folder)
                for stream, file in ((1, "stdout"), (2, "stderr")):
                    os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT), stream)
                os._exit(_status(line, main))
            status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
            files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".sqlite")
            texts = [f"== {path.relative_to(folder)}\n{path.read_bytes().decode(errors='replace')}" for path in files]
            yield line, "\n".join([f"exit status {status}", *texts]).replace(name, "FOLDER")


def _status(line: str, main: Any) -> int:
    status = 0
    try:
        for command in line.split(" && "):
            status = main(shlex.split(command))
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 2
    except BaseException:  # noqa: BLE001  (it is what the command printed)
        traceback.print_exc()
        status = 99
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    return status


def results_of_endpoints(url: str, inputs: Path) -> Iterator[tuple[str, str]]:
    """Yield each call of an endpoint with its reply; an endpoint without a call is an error."""
    with httpx.Client(base_url=url, timeout=60, trust_env=False) as client:

        def upload(name: str) -> dict[str, Any]:
            path = client.post("/gradio_api/upload", files={"files": (name, (inputs / name).read_bytes())}).json()[0]
            return {"path": path, "orig_name": name, "meta": {"_type": "gradio.FileData"}}

        info = client.get("/gradio_api/info").json()
        yield "endpoints", json.dumps(info, indent=1)
        for name, calls in CALLS.items():
            parameters = info["named_endpoints"].get(name, {}).get("parameters", ())
            for given in calls:
                if not parameters:
                    yield f"{name} {given}", json.dumps(call_function(url, name, given))
                    continue
                call = {"references": ["references.json"], **given} if name == "/score_file" else given
                values = [call.get(each["parameter_name"], each["parameter_default"]) for each in parameters]
                if name == "/score_file":
                    values[:2] = [[upload(file) for file in files] for files in values[:2]]
                event = client.post(f"/gradio_api/call{name}", json={"data": values}).json()["event_id"]
                yield f"{name} {given}", client.get(f"/gradio_api/call{name}/{event}").text.replace(",", ",\n")
        if without := info["named_endpoints"].keys() - CALLS.keys():
            raise SystemExit(f"no call of {', '.join(without)}: add one to CALLS")


def keep(state: Path, inputs: Path, out: Path) -> None:
    """Write what the commands and endpoints of a state return, by line and call, as JSON."""
    with started_app(state, out.with_suffix(".log")) as url:
        results = dict(results_of_endpoints(url, inputs))
    results |= results_of_commands(inputs)
    for name, text in results.items():
        shown = text.replace(str(state), "STATE").replace(str(inputs.parent), "FOLDER")
        for pattern, mask in _MASKS:
            shown = re.sub(pattern, mask, shown)
        results[name] = shown
    out.write_text(json.dumps(results), encoding="utf-8")


def differences(before: Mapping[str, str], after: Mapping[str, str], most: int = 40) -> Iterator[str]:
    """Yield each command line or call whose result differs, with at most so many changed lines."""
    for name in dict.fromkeys([*before, *after]):
        old, new = (results.get(name, "").splitlines() for results in (before, after))
        changes = list(difflib.unified_diff(old, new, n=0, lineterm=""))[2:]
        if changes:
            more = [f"… and {len(changes) - most} more lines"] * (len(changes) > most)
            yield "\n".join([f"=== {name}", *(line[:400] for line in changes[:most]), *more])


def main(base: str) -> int:
    """Compare this checkout with a revision, and print the differences."""
    with tempfile.TemporaryDirectory() as name:
        folder, git = Path(name).resolve(), ["git", "-C", str(ROOT), "worktree"]
        states = {"before": folder / "state", "after": ROOT}
        subprocess.run([*git, "add", "--quiet", "--detach", str(states["before"]), base], check=True)
        try:
            (folder / "in").mkdir()
            write_inputs(folder / "in", states["before"])
            running = []
            for side, state in states.items():
                command = [sys.executable, __file__, "--keep", str(state), str(folder / "in"), str(folder / side)]
                running.append(subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(state)}))
            if sum(process.wait() for process in running):
                return 2
        finally:
            subprocess.run([*git, "remove", "--force", str(states["before"])], check=True)
        before, after = (json.loads((folder / side).read_text(encoding="utf-8")) for side in states)
    found = list(differences(before, after))
    print("\n".join([*found, f"{len(found)} of {len(after)} differ from {base}"]))
    return bool(found)


if __name__ == "__main__":
    if sys.argv[1] == "--keep":
        keep(*map(Path, sys.argv[2:]))
    else:
        sys.exit(main(sys.argv[1]))
