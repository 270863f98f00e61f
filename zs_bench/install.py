"""Put the metric into the Hugging Face modules cache, so that the bare `evaluate.load("zero_scrolls")` works anywhere.

`evaluate` looks for a bare name in the current directory, then at the Hub's `evaluate-metric` organisation, then among
the copies under `<HF modules cache>/evaluate_modules/metrics/evaluate-metric--zero_scrolls/<64 hex digits>/`, where the
newest modification time wins. There we write one.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import time
from pathlib import Path

import zs_metric

_NAME = "zero_scrolls"
_SIBLING = re.compile(r"^from \.(\w+) import", re.MULTILINE)


def metric_files() -> dict[str, bytes]:
    """The script and every sibling it names: file name to content."""
    folder = Path(zs_metric.__file__).parent
    script = (folder / f"{_NAME}.py").read_bytes()
    siblings = dict.fromkeys(_SIBLING.findall(script.decode("utf-8")))
    return {f"{_NAME}.py": script, **{f"{name}.py": (folder / f"{name}.py").read_bytes() for name in siblings}}


def install_metric() -> str:
    """Write the copy, instead of any earlier one; returns a sentence that says what was done."""
    files = metric_files()
    folder = _folder() / _digest(files)
    uninstall_metric()
    folder.mkdir(parents=True)
    for package in (folder, *folder.parents[:3]):
        (package / "__init__.py").touch()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    # evaluate takes the newest copy; a copy it made itself from the Hub may carry a later time than ours.
    os.utime(folder / f"{_NAME}.py", (time.time(), time.time()))
    return f'Installed version {zs_metric.VERSION}: evaluate.load("{_NAME}", "qasper") now works from any directory.'


def uninstall_metric() -> str:
    """Remove the copies; returns a sentence that says what was done."""
    folder = _folder()
    if not folder.exists():
        return "There is no installed copy."
    shutil.rmtree(folder)
    return f'Removed the installed copy: the bare evaluate.load("{_NAME}") no longer finds it.'


def stale_copy() -> str | None:
    """A warning when the installed copy is not this package's metric, else `None`."""
    folder = _folder()
    copies = [copy for copy in folder.iterdir() if (copy / f"{_NAME}.py").is_file()] if folder.is_dir() else []
    if not copies:
        return None
    newest = max(copies, key=lambda copy: (copy / f"{_NAME}.py").stat().st_mtime)
    if all(
        (newest / name).is_file() and (newest / name).read_bytes() == content
        for name, content in metric_files().items()
    ):
        return None
    return (
        f'the installed copy that evaluate.load("{_NAME}") finds is not this package\'s version {zs_metric.VERSION}; '
        "run: zero-scrolls install-metric"
    )


def warn_if_stale() -> None:
    """Print the warning of `stale_copy`, if there is one, on standard error."""
    warning = stale_copy()
    if warning:
        print(f"zero-scrolls: warning: {warning}", file=sys.stderr)


def _folder() -> Path:
    """Where `evaluate` looks (its own rule for the modules cache, without importing it, which takes seconds)."""
    home = os.environ.get("HF_HOME") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.join("~", ".cache"), "huggingface"
    )
    modules = os.environ.get("HF_MODULES_CACHE") or os.path.join(home, "modules")
    return Path(modules).expanduser() / "evaluate_modules" / "metrics" / f"evaluate-metric--{_NAME}"


def _digest(files: dict[str, bytes]) -> str:
    return hashlib.sha256(b"".join(name.encode() + files[name] for name in sorted(files))).hexdigest()
