"""The files of the packages as they lie in the checkout."""

import os
import shutil
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: What a copy of the checkout is made without.
LEFT_BEHIND = shutil.ignore_patterns(
    "__pycache__", "*.pyi", ".git", ".venv", ".cache", ".*_cache", ".gradio", ".hypothesis", "dist", "*.egg-info"
)
PACKAGES = ("zs_metric", "zs_bench", "zs_app", "zs_lab", "zs_start")


def packaged_files() -> set[str]:
    """Their paths from the root, but for what Python and Gradio write beside them."""
    files = (path for name in PACKAGES for path in (ROOT / name).rglob("*") if path.is_file())
    return {
        path.relative_to(ROOT).as_posix()
        for path in files
        if path.parent.name != "__pycache__" and path.suffix != ".pyi"
    }


# An editable installation finds the packages of the checkout, also those that were left out.
_NO_EDITABLE = """import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "Editable" not in getattr(finder, "__name__", "")]
"""


def copy_without(annexes: Collection[str], folder: Path) -> Path:
    """The folder, with the packages of this checkout in it, but without these annexes."""
    (folder / "zs_lab").mkdir(parents=True)
    kept = [path for path in (ROOT / "zs_lab").iterdir() if path.name not in (*annexes, "__pycache__")]
    for path in (*kept, *(ROOT / package for package in PACKAGES if package != "zs_lab")):
        (folder / path.relative_to(ROOT)).symlink_to(path)
    return folder


def run_python(folder: Path, *command: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Run Python in a folder, with its packages and the installed ones, but not with those of this checkout."""
    (folder / "sitecustomize.py").write_text(_NO_EDITABLE, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(folder), **variables}
    whole = [sys.executable, *command]
    return subprocess.run(whole, cwd=folder, env=environment, capture_output=True, text=True, check=False)
