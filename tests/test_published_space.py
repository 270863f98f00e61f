"""The Space: its files, its upload by the real `hf`, the metric loaded from it with `evaluate`, and its app."""

import ast
import json
import posixpath
import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
import yaml
from hub_client import environment
from hub_stand_in import NEW_SPACE, HubStandIn
from make_space import FILES, FOLDERS, LEFT_OUT, ROOT, space_files, write_space
from packaged_files import packaged_files
from started_app import call, started_app

from zs_bench.install import SCRIPTS
from zs_bench.metric_scripts import metric_files
from zs_metric import score_example, score_task
from zs_metric.version import VERSION


def test_the_space_has_every_file_of_the_packages_and_a_flat_copy_of_the_metric_scripts() -> None:
    files, packaged = space_files(), {path for path in packaged_files() if not path.startswith(LEFT_OUT)}
    assert {*packaged, *FILES} <= files.keys()
    assert all(files[path] == (ROOT / path).read_bytes() for path in packaged)
    flat = {path: content for path, content in files.items() if "/" not in path and path not in FILES}
    assert {f"{script}.py" for script in SCRIPTS} < flat.keys()
    assert flat == metric_files()
    places = {name: ROOT / "zs_metric" / name for name in flat}
    places["longbench.py"] = ROOT / "zs_bench" / "benchmarks" / "longbench" / "longbench.py"
    assert all(content == places[name].read_bytes() for name, content in flat.items())
    names = {name.removesuffix(".py") for name in flat}
    assert not names & (set(sys.stdlib_module_names) | set(packages_distributions()))
    assert not names & {path.partition("/")[0].removesuffix(".py") for path in {*FILES, *FOLDERS}}


def test_the_card_has_its_picture_and_every_link_of_the_pages_works_without_what_is_left_out() -> None:
    files = space_files(name="me/zero_scrolls")
    card = yaml.safe_load(files["README.md"].decode().split("---")[1])
    space, _, picture = card["thumbnail"].partition("/resolve/main/")
    assert (space, card["header"]) == ("https://huggingface.co/spaces/me/zero_scrolls", "mini")
    assert picture in files
    assert "thumbnail" not in space_files()["README.md"].decode()
    for page in (path for path in files if path.endswith(".md")):
        links = re.findall(r"\]\((?!https?:|#)([^)#]+)", files[page].decode())
        targets = {posixpath.normpath(posixpath.join(posixpath.dirname(page), link)) for link in links}
        assert targets <= files.keys(), page
    annexes = {path.split("/")[1] for path in files if path.startswith("zs_lab/")} - {"__init__.py", "py.typed"}
    assert annexes == {"audit", "board", "run"}
    assert not {"CHANGELOG.md", "CONTRIBUTING.md"} & files.keys()


OWN = (*FILES, "zs_app/page.py", "zs_bench/data/a.json", "assets/a.png")
NEVER = [
    *(".env", ".git/config", ".gitignore", ".venv/a.py", ".ci/run", "pyproject.toml", "Makefile", "secrets.json"),
    *("tests/test_a.py", "benchmarks/speed.py", "zs_app/.env", "zs_app/.hidden.py", "zs_app/token.txt", "zs_app/a.pyi"),
    *("zs_app/__pycache__/a.py", "zs_app/a.py~", "zs_metric/a copy.py", "zs_bench/.cache/a.json", "zs_bench/key.pem"),
    *("assets/.DS_Store", "assets/notes.txt", "assets/.git/a.json", "CHANGELOG.md", "zs_lab/build/a.py"),
]


def test_secrets_caches_tests_hidden_files_and_symbolic_links_stay_behind(tmp_path: Path) -> None:
    project = tmp_path / "project"
    paths = [project / name for name in (*OWN, *NEVER)]
    for path in (*paths, tmp_path / "secret.png", tmp_path / "space" / "left_over.py"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("…", encoding="utf-8")
    (project / "assets" / "b.png").symlink_to(tmp_path / "secret.png")
    (project / "assets" / "linked").symlink_to(tmp_path)
    files = space_files(project)
    assert files.keys() == {*OWN, *metric_files()}
    (tmp_path / "linked").symlink_to(project)
    assert space_files(tmp_path / "linked") == files  # the project's folder itself may be a link
    write_space(tmp_path / "space", project)
    assert tree(tmp_path / "space") == files


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


LOAD = """
import json, sys
import evaluate
metric = evaluate.load(sys.argv[1], "qasper")
scores = metric.compute(predictions=["the Cat, sat!", "no"], references=[["a cat sat"], ["yes", "no way"]])
module = sys.modules[type(metric).__module__]
print(json.dumps({"scores": scores, "version": module.__version__, "package": "zs_metric" in sys.modules}))
"""
LOAD_SCROLLS = """
import evaluate
print(evaluate.load("me/scrolls", "contract_nli").compute(predictions=["entailment."], references=[["Entailment"]]))
"""


@pytest.mark.slow
def test_the_uploaded_metric_is_loaded_and_scores_and_so_is_its_next_version(tmp_path: Path) -> None:
    space, folder = "me/zero_scrolls", tmp_path / "build" / "space"
    write_space(folder)
    page = (ROOT / "docs" / "publishing.md").read_text(encoding="utf-8")
    (upload,) = re.findall(r"^\S*hf (upload OWNER/zero_scrolls .*)", page, re.MULTILINE)
    with HubStandIn() as hub:
        settings = {"HF_TOKEN": "good", "HF_UPDATE_DOWNLOAD_COUNTS": "0", "HF_HUB_DISABLE_XET": "1", "PYTHONPATH": ""}
        variables = {**environment(hub.url, tmp_path / "home"), **settings}

        def run(*arguments: str) -> str:
            """Run Python in the folder, with its own caches, importing only installed packages."""
            command = [sys.executable, *arguments]
            return subprocess.run(
                command, cwd=tmp_path, env=variables, stdout=subprocess.PIPE, text=True, check=True
            ).stdout

        def upload_to(name: str) -> None:
            words = upload.replace("OWNER/zero_scrolls", name).replace('"', "").split()
            run("-m", "huggingface_hub.cli.hf", *words)

        def load() -> Any:
            return json.loads(run("-c", LOAD, space))

        scores = score_task("qasper", ["the Cat, sat!", "no"], [["a cat sat"], ["yes", "no way"]]).metrics
        upload_to(space)
        assert hub.repo("spaces", space).tree() == NEW_SPACE | space_files()
        assert load() == {"scores": scores, "version": VERSION, "package": False}
        version = folder / "version.py"
        version.write_text(version.read_text(encoding="utf-8").replace(VERSION, "9.9.9"), encoding="utf-8")
        (folder / "zs_app" / "tabs" / "try_task.py").unlink()
        upload_to(space)
        assert hub.repo("spaces", space).tree() == NEW_SPACE | tree(folder)
        assert load() == {"scores": scores, "version": "9.9.9", "package": False}
        upload_to("me/scrolls")
        loaded = run("-c", LOAD_SCROLLS)
    expected = score_task("contract_nli", ["entailment."], [["Entailment"]], benchmark="scrolls").metrics
    assert ast.literal_eval(loaded) == expected


@pytest.mark.slow
def test_the_app_starts_from_the_folder_as_it_is(tmp_path: Path) -> None:
    write_space(tmp_path / "space")
    with started_app(tmp_path / "space", tmp_path / "log.txt") as url:
        result = call(url, "score_answer", "qasper", "the cat", ["a cat sat"])
    expected = score_example("qasper", "the cat", ["a cat sat"])
    assert (result["metric"], result["score"]) == ("f1", expected.score)


def test_the_stand_in_of_the_hub_says_what_to_set() -> None:
    command = [sys.executable, ROOT / "tests" / "support" / "hub_stand_in.py", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert re.search(r"export HF_ENDPOINT=http://127\.0\.0\.1:\d+ HF_TOKEN=any ", process.stdout.readline())
        finally:
            process.terminate()
