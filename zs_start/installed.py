"""Which packages lie beside this one: an annex may have been left out."""

from pathlib import Path


def is_installed(package: str) -> bool:
    """Return whether a package such as `zs_lab.audit` is there, without importing it.

    >>> is_installed("zs_bench.files"), is_installed("zs_lab.none")
    (True, False)
    """
    return Path(__file__).parents[1].joinpath(*package.split(".")).is_dir()
