"""The metric scripts and the modules that they import, found in the folders alone: no package need be installed."""

import re
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "zs_metric"
_BENCHMARKS = Path(__file__).parent / "benchmarks"
_SIBLING = re.compile(r"^from \.(\w+) import", re.MULTILINE)


def script_of(benchmark: str) -> Path | None:
    """The script of a benchmark: `<name>.py` in its own folder, or in `zs_metric`; `None` if it has none."""
    places = (_BENCHMARKS / benchmark / f"{benchmark}.py", PACKAGE / f"{benchmark}.py")
    return next((path for path in places if path.is_file()), None)


def metric_files(*scripts: str) -> dict[str, bytes]:
    """The scripts of these benchmarks (of all by default) and the modules that they import: file name to content."""
    names = scripts or sorted(folder.name for folder in _BENCHMARKS.iterdir() if folder.is_dir())
    contents = {path.name: path.read_bytes() for path in map(script_of, names) if path}
    siblings = dict.fromkeys(name for script in contents.values() for name in _SIBLING.findall(script.decode("utf-8")))
    return contents | {f"{name}.py": (PACKAGE / f"{name}.py").read_bytes() for name in siblings}
