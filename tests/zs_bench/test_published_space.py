"""What the Space holds; that `evaluate` loads the metric from it; that the app starts from it."""

import ast
import json
import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
from hub_client import environment
from hub_stand_in import HubStandIn
from packaged_files import packaged_files
from started_app import call, started_app

from zs_bench.cli import main
from zs_bench.install import SCRIPTS, metric_files
from zs_bench.problems import UnusableInput
from zs_bench.publishing.space_files import FILES, FOLDERS, ROOT, space_files, write_space
from zs_metric import score_example, score_task
from zs_metric.version import VERSION

SPACE = "me/zero_scrolls"


def test_every_file_of_the_packages_goes_with_the_app_and_its_papers() -> None:
    files = space_files()
    assert {*packaged_files(), *FILES} <= files.keys()
    assert {"app.py", "README.md", "zs_bench/data/published.json", "zs_bench/drawing/style.css"} <= files.keys()
    assert all(files[path] == (ROOT / path).read_bytes() for path in packaged_files())


def test_the_root_has_a_flat_copy_of_every_metric_script_and_its_siblings() -> None:
    flat = {path: content for path, content in space_files().items() if "/" not in path and path not in FILES}
    assert {f"{script}.py" for script in SCRIPTS} < flat.keys()
    assert flat == metric_files()
    assert all(content == (ROOT / "zs_metric" / name).read_bytes() for name, content in flat.items())


def test_no_flat_file_hides_a_module_of_python_of_an_installed_package_or_of_the_app() -> None:
    flat = {name.removesuffix(".py") for name in metric_files()}
    assert not flat & (set(sys.stdlib_module_names) | set(packages_distributions()))
    assert not flat & {path.partition("/")[0].removesuffix(".py") for path in {*FILES, *FOLDERS}}


NEVER = [
    *(".env", ".git/config", ".gitignore", ".venv/a.py", ".ci/run", "pyproject.toml", "Makefile", "secrets.json"),
    *("tests/test_a.py", "benchmarks/speed.py", "zs_app/.env", "zs_app/.hidden.py", "zs_app/token.txt", "zs_app/a.pyi"),
    *("zs_app/__pycache__/a.py", "zs_app/a.py~", "zs_metric/a copy.py", "zs_bench/.cache/a.json", "zs_bench/key.pem"),
    *("assets/.DS_Store", "assets/notes.txt", "assets/.git/a.json"),
]


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A folder with the least that can be published, beside which there is a secret."""
    folder = tmp_path / "project"
    for name in (*FILES, "zs_app/page.py", "zs_bench/data/a.json", "assets/a.png"):
        put(folder / name)
    put(tmp_path / "secret.json")
    return folder


def put(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("…", encoding="utf-8")


def test_no_secret_cache_test_or_hidden_file_goes(bare: Path) -> None:
    before = space_files(bare)
    for name in NEVER:
        put(bare / name)
    assert space_files(bare) == before
    assert before.keys() == {*FILES, "zs_app/page.py", "zs_bench/data/a.json", "assets/a.png", *metric_files()}


def test_no_link_is_followed(bare: Path, tmp_path: Path) -> None:
    before = space_files(bare)
    (bare / "assets" / "a.json").symlink_to(tmp_path / "secret.json")
    (bare / "assets" / "linked").symlink_to(tmp_path)
    assert space_files(bare) == before
    linked = tmp_path / "linked"
    linked.symlink_to(bare)
    assert space_files(linked) == before  # the project's folder itself may be one


def test_a_folder_that_is_not_the_whole_project_is_refused_with_what_it_lacks(bare: Path) -> None:
    (bare / "app.py").unlink()
    with pytest.raises(
        UnusableInput, match=r"lacks app\.py; in a clone of the project run: python -m zs_bench publish"
    ):
        space_files(bare)


def test_the_list_has_one_path_a_line_and_nothing_is_sent(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["publish", SPACE, "--dry-run"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == list(space_files())
    assert err.endswith("; nothing was sent\n")


def test_it_is_written_to_a_new_folder_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "made" / "space"
    assert main(["publish", SPACE, "--to", str(folder)]) == 0
    written = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert written == space_files()
    assert main(["publish", SPACE, "--to", str(folder)]) == 2
    assert f"{folder} is not empty; name a new folder" in capsys.readouterr().err


def test_every_file_that_the_readme_links_to_goes() -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if (ROOT / link).exists() and link not in space_files()] == []


LOAD = """
import json, sys
import evaluate
metric = evaluate.load(sys.argv[1], "qasper")
scores = metric.compute(predictions=["the Cat, sat!", "no"], references=[["a cat sat"], ["yes", "no way"]])
module = sys.modules[type(metric).__module__]
print(json.dumps({"scores": scores, "version": module.__version__, "package": "zs_metric" in sys.modules}))
"""


def in_a_process(command: list[str], hub: HubStandIn, home: Path, folder: Path) -> str:
    """What the command prints, with its own caches, pointed at the stand-in, with only installed packages to import."""
    settings = {"HF_TOKEN": "good", "HF_UPDATE_DOWNLOAD_COUNTS": "0"}
    known = {**environment(hub.url, home), **settings, "PYTHONPATH": ""}
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=known, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_metric_is_published_loaded_from_there_and_scores_and_so_does_the_next_version(tmp_path: Path) -> None:
    expected = score_task("qasper", ["the Cat, sat!", "no"], [["a cat sat"], ["yes", "no way"]]).metrics
    elsewhere, clone = tmp_path / "elsewhere", tmp_path / "clone"
    elsewhere.mkdir()
    write_space(space_files(), clone)
    with HubStandIn() as hub:

        def publish_from(folder: Path) -> str:
            return in_a_process(["-m", "zs_bench", "publish", SPACE], hub, tmp_path / "home", folder)

        def load() -> Any:
            return json.loads(in_a_process(["-c", LOAD, SPACE], hub, tmp_path / "home", elsewhere))

        assert f'evaluate.load("{SPACE}", "qasper") loads the metric from there' in publish_from(ROOT)
        assert load() == {"scores": expected, "version": VERSION, "package": False}
        (clone / "zs_metric" / "version.py").write_text('VERSION = "9.9.9"\n', encoding="utf-8")
        (clone / "zs_app" / "try_task.py").unlink()
        assert "deleted: zs_app/try_task.py" in publish_from(clone).splitlines()
        assert "zs_app/try_task.py" not in hub.repo("spaces", SPACE).tree()
        assert load() == {"scores": expected, "version": "9.9.9", "package": False}


OF_SCROLLS = """
import evaluate
print(evaluate.load("me/scrolls", "contract_nli").compute(predictions=["entailment."], references=[["Entailment"]]))
"""


def test_the_metric_of_scrolls_is_loaded_from_a_space_of_that_name(tmp_path: Path) -> None:
    with HubStandIn() as hub:
        told = in_a_process(["-m", "zs_bench", "publish", "me/scrolls"], hub, tmp_path / "home", ROOT)
        found = in_a_process(["-c", OF_SCROLLS], hub, tmp_path / "home", tmp_path)
    assert 'evaluate.load("me/scrolls", "contract_nli") loads the metric from there' in told
    expected = score_task("contract_nli", ["entailment."], [["Entailment"]], benchmark="scrolls")
    assert ast.literal_eval(found) == expected.metrics


def test_the_app_starts_from_the_written_folder_as_it_is(tmp_path: Path) -> None:
    write_space(space_files(), tmp_path / "space")
    with started_app(tmp_path / "space", tmp_path / "log.txt") as url:
        result = call(url, "score_answer", "qasper", "the cat", ["a cat sat"])
    expected = score_example("qasper", "the cat", ["a cat sat"])
    assert (result["metric"], result["score"]) == ("f1", expected.score)


def test_the_stand_in_can_be_started_by_hand_and_says_what_to_set() -> None:
    command = [sys.executable, ROOT / "tests" / "hub_stand_in.py", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert re.search(r"export HF_ENDPOINT=http://127\.0\.0\.1:\d+ HF_TOKEN=any$", process.stdout.readline())
        finally:
            process.terminate()
