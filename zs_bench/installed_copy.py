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
    _, different, missing = filecmp.cmpfiles(copy, package, names, shallow=False)
    return bool(different or missing)


def package_folder() -> Path | None:
    """The folder of the installed package `zs_metric`, or `None`, without importing it."""
    try:
        spec = importlib.util.find_spec("zs_metric")
    except (ImportError, ValueError):
        return None
    return Path(spec.origin).parent if spec is not None and spec.origin else None


if __name__.startswith("evaluate_modules."):
    _package, _name = package_folder(), Path(__file__).parents[1].name.rpartition("--")[2]
    if _package is not None and differs(Path(__file__).parent, _package):
        warnings.warn(
            f"the installed {_name} metric is not the version of the package in {_package}; "
            "run: zero-scrolls install-metric",
            stacklevel=2,
        )
