"""The `__init__.py` of the copy made by `install-metric`: it warns if the copy and the installed package differ.

`evaluate` imports it with the copy, possibly where this package is not installed, so it must not import this package.
"""

import filecmp
import importlib.util
import warnings
from pathlib import Path


def differs(copy: Path, package: Path) -> bool:
    """Whether a file of the copy is missing or different in the package."""
    names = [file.name for file in copy.glob("*.py") if file.name != "__init__.py"]
    return len(filecmp.cmpfiles(copy, package, names, shallow=False)[0]) < len(names)


if __name__.startswith("evaluate_modules."):
    try:
        _spec = importlib.util.find_spec("zs_metric")  # which imports nothing
    except (ImportError, ValueError):
        _spec = None
    if _spec is not None and _spec.origin and differs(Path(__file__).parent, Path(_spec.origin).parent):
        _name = Path(__file__).parents[1].name.rpartition("--")[2]
        warnings.warn(
            f"the installed {_name} metric is not the version of the package in {Path(_spec.origin).parent}; "
            "run: zero-scrolls install-metric",
            stacklevel=2,
        )
