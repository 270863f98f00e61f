"""Three floors, and nobody imports upward: an answer's worth knows nothing of files, a benchmark nothing of a page."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# floor: the packages it must not know, of ours and of others
CLOSED_TO = {
    "zs_metric": {
        *("zs_bench", "zs_app", "gradio", "evaluate", "datasets", "pandas", "numpy", "nltk", "pyarrow"),
        *("os", "pathlib", "io", "shutil", "tempfile", "glob", "fileinput", "zipfile", "csv", "sqlite3", "pickle"),
        *("socket", "ssl", "urllib", "http", "requests", "httpx", "aiohttp", "huggingface_hub", "ftplib", "smtplib"),
        *("asyncio", "multiprocessing", "subprocess", "threading"),
    },
    "zs_bench": {"zs_app", "gradio", "app"},
    "zs_app": {"app"},
}
# what the evaluate scripts share alone may import what they are scripts of
OPEN_TO = {"zs_metric/evaluate_metric.py": {"evaluate", "datasets"}}
FILE_CALLS = {"open", "__import__", "exec", "eval"}


def modules(floor: str) -> list[Path]:
    return sorted((ROOT / floor).rglob("*.py"))


def imported_packages(source: str) -> Iterator[str]:
    """The top-level packages a module imports, anywhere in it, also by `import_module("…")`; its own siblings not."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level != 1:
            yield from [node.module.partition(".")[0]] if node.module else (alias.name for alias in node.names)
        elif isinstance(node, ast.Call) and called(node) in {"import_module", "__import__"}:
            yield from (str(word.value).partition(".")[0] for word in node.args if isinstance(word, ast.Constant))


def called(node: ast.Call) -> str:
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


EVERY_MODULE = [
    pytest.param(floor, path, id=path.relative_to(ROOT).as_posix()) for floor in CLOSED_TO for path in modules(floor)
]


@pytest.mark.parametrize(("floor", "path"), EVERY_MODULE)
def test_no_module_imports_what_its_floor_must_not_know(floor: str, path: Path) -> None:
    closed = CLOSED_TO[floor] - OPEN_TO.get(path.relative_to(ROOT).as_posix(), set())
    assert not set(imported_packages(path.read_text(encoding="utf-8"))) & closed


@pytest.mark.parametrize("path", modules("zs_metric"), ids=lambda path: path.name)
def test_no_module_of_the_metric_opens_a_file(path: Path) -> None:
    calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    assert not {node.func.id for node in calls if isinstance(node.func, ast.Name)} & FILE_CALLS


@pytest.mark.parametrize(
    "source",
    [
        "import zs_app",
        "import zs_app.pages as pages",
        "from zs_app import pages",
        "def f():\n    from zs_app.pages import page",
        "from .. import zs_app",
        "from ..zs_app import pages",
        "import_module('zs_app.pages')",
        "importlib.import_module('zs_app')",
    ],
)
def test_an_upward_import_is_seen_in_every_form(source: str) -> None:
    assert "zs_app" in imported_packages(source)


def test_a_sibling_is_no_import_of_another_package() -> None:
    assert not list(imported_packages("from .pages import page\nfrom . import words"))
