"""Optional dependencies: the packages of the extras, which a message names where one is missing."""

from collections.abc import Iterator
from contextlib import contextmanager

from zs_bench.errors import MissingExtra

#: The packages of each extra in pyproject.toml that a message may name, since the package index has no `zero-scrolls`.
PACKAGES = {
    "app": ("gradio[mcp]==6.31.*", "cachetools>=6"),
    "hub": ("huggingface-hub>=1.16",),
    "evaluate": ("evaluate>=0.4.6", "datasets>=4"),
    "frames": ("pandas>=2.2",),
    "run": ("httpx>=0.27",),
    "ray": ("ray>=2.40", "httpx>=0.27"),
    "local": ("transformers>=5", "torch>=2.6"),
    "board": ("sqlalchemy>=2.0.37",),
}


@contextmanager
def from_extra(name: str) -> Iterator[None]:
    """Import packages of the extra of that name inside the `with` block; `MissingExtra` if one is not installed.

    >>> with from_extra("hub"):
    ...     import no_such_package
    Traceback (most recent call last):
    zs_bench.errors.MissingExtra: this needs no_such_package; install it with: pip install "huggingface-hub>=1.16"
    """
    try:
        yield
    except ModuleNotFoundError as error:
        packages = " ".join(f'"{package}"' for package in PACKAGES[name])
        raise MissingExtra(f"this needs {error.name}; install it with: pip install {packages}") from error
