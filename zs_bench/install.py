"""Put the metric into the Hugging Face modules cache, so that the bare `evaluate.load("zero_scrolls")` works anywhere.

`evaluate` looks for a bare name in the current directory, then at the Hub's `evaluate-metric` organisation, then among
the copies under `<HF modules cache>/evaluate_modules/metrics/evaluate-metric--zero_scrolls/<64 hex digits>/`, where the
newest modification time wins. There we write one, and no other stays.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
from pathlib import Path

from zs_bench import installed_copy
from zs_metric.version import VERSION

_NAME = "zero_scrolls"
_PACKAGE = Path(__file__).parents[1] / "zs_metric"
_SIBLING = re.compile(r"^from \.(\w+) import", re.MULTILINE)


def metric_files() -> dict[str, bytes]:
    """The script and every sibling it names: file name to content."""
    script = (_PACKAGE / f"{_NAME}.py").read_bytes()
    siblings = dict.fromkeys(_SIBLING.findall(script.decode("utf-8")))
    return {f"{_NAME}.py": script, **{f"{name}.py": (_PACKAGE / f"{name}.py").read_bytes() for name in siblings}}


def install_metric() -> str:
    """Write the copy, instead of any earlier one; returns a sentence that says what was done."""
    files = metric_files() | {"__init__.py": Path(installed_copy.__file__).read_bytes()}
    folder = _folder()
    # Written whole beside its place, under a name that evaluate does not take for a copy: nobody finds half of it.
    new = folder / f"new-{os.getpid()}"
    new.mkdir(parents=True, exist_ok=True)
    for parent in (folder, *folder.parents[:2]):
        (parent / "__init__.py").touch()
    for name, content in files.items():
        (new / name).write_bytes(content)
    for earlier in _copies(folder):
        shutil.rmtree(earlier)
    new.rename(folder / _digest(files))
    return f'Installed version {VERSION}: evaluate.load("{_NAME}", "qasper") now works from any directory.'


def uninstall_metric() -> str:
    """Remove the copies; returns a sentence that says what was done."""
    folder = _folder()
    if not folder.exists():
        return "There is no installed copy."
    shutil.rmtree(folder)
    return f'Removed the installed copy: the bare evaluate.load("{_NAME}") no longer finds it.'


def stale_copy() -> str | None:
    """A warning when the installed copy is not this package's metric, else `None`."""
    copies = _copies(_folder())
    if not copies:
        return None
    newest = max(copies, key=lambda copy: (copy / f"{_NAME}.py").stat().st_mtime)
    missing = any(not (newest / name).is_file() for name in metric_files())
    if not missing and not installed_copy.differs(newest, _PACKAGE):
        return None
    return (
        f'the installed copy that evaluate.load("{_NAME}") finds is not this package\'s version {VERSION}; '
        "run: zero-scrolls install-metric"
    )


def warn_if_stale() -> None:
    """Print the warning of `stale_copy`, if there is one, on standard error."""
    try:
        warning = stale_copy()
    except OSError:  # a cache that may not be read is nothing to stop for
        return
    if warning:
        print(f"zero-scrolls: warning: {warning}", file=sys.stderr)


def _copies(folder: Path) -> list[Path]:
    """The folders that `evaluate` takes for copies."""
    if not folder.is_dir():
        return []
    return [copy for copy in folder.iterdir() if len(copy.name) == 64 and (copy / f"{_NAME}.py").is_file()]


def _folder() -> Path:
    """Where `evaluate` looks (its own rule for the modules cache, without importing it, which takes seconds)."""
    cache = os.environ.get("XDG_CACHE_HOME", "~/.cache")
    home = os.path.expanduser(os.environ.get("HF_HOME", os.path.join(cache, "huggingface")))
    modules = Path(os.environ.get("HF_MODULES_CACHE", os.path.join(home, "modules")))
    return modules / "evaluate_modules" / "metrics" / f"evaluate-metric--{_NAME}"


def _digest(files: dict[str, bytes]) -> str:
    return hashlib.sha256(b"".join(name.encode() + files[name] for name in sorted(files))).hexdigest()
