"""Optional dependencies, installed with an extra such as `zero-scrolls[hub]`."""

from collections.abc import Iterator
from contextlib import contextmanager

from zs_bench.errors import MissingExtra


@contextmanager
def from_extra(name: str) -> Iterator[None]:
    """Import packages of the extra of that name inside the `with` block; `MissingExtra` if one is not installed.

    >>> with from_extra("hub"):
    ...     import no_such_package
    Traceback (most recent call last):
    zs_bench.errors.MissingExtra: this needs no_such_package; install it with: pip install "zero-scrolls[hub]"
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingExtra(f'this needs {error.name}; install it with: pip install "zero-scrolls[{name}]"') from error
