"""The errors of the benchmark. Each message says what is wrong, where, and what to do next.

All derive from `zs_metric.ZeroScrollsError`, a `ValueError`; one `except` catches them and those of the metric:

    ZeroScrollsError
    ├── UnusableInput
    │   ├── UnknownColumns
    │   ├── NoReferences
    │   └── TaskNotInSource
    ├── SourceUnavailable
    ├── Unscorable
    ├── PromptFormatError
    ├── BudgetTooSmall
    ├── NoTokenizer
    ├── UnknownName
    └── MissingExtra

`MissingExtra` names the packages of an extra (`from_extra`).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from zs_metric.errors import ZeroScrollsError


class UnusableInput(ZeroScrollsError):
    """A file, folder, row or option that cannot be used.

    `message` is the same for all errors of a kind; `detail` adds what was there instead, or where. If rows are wrong,
    `problems` are a `zs_bench.problems.Problem` each.
    """

    def __init__(self, message: str, detail: str | None = None, problems: Sequence[Any] = ()) -> None:
        super().__init__(message if detail is None else f"{message} ({detail})")
        self.message, self.detail, self.problems = message, detail, problems


class UnknownColumns(UnusableInput):
    """A table without the columns of any format; the user may say which of them hold what, perhaps `columns`."""

    columns: str | None = None


class NoReferences(UnusableInput):
    """Answers that are to be scored without references, none of which stand beside them."""


class TaskNotInSource(UnusableInput):
    """A readable folder or ZIP without data of the task."""


class SourceUnavailable(ZeroScrollsError):
    """A file of the Hub could not be fetched; `of_one_file`: other files of the repo may be available."""

    def __init__(self, message: str, *, of_one_file: bool = False) -> None:
        super().__init__(message)
        self.of_one_file = of_one_file


class Unscorable(ZeroScrollsError):
    """The split is unfit to score against."""


class PromptFormatError(ZeroScrollsError):
    """A prompt that does not have the headers of its task."""


class BudgetTooSmall(ZeroScrollsError):
    """A budget that does not even hold the prompt without its document; `least` is the smallest `context` that does."""

    def __init__(self, message: str, least: int) -> None:
        super().__init__(message)
        self.least = least


class NoTokenizer(ZeroScrollsError):
    """A tokenizer that is unknown, not installed, or unavailable; says what to install or to name instead."""


class UnknownName(ZeroScrollsError):
    """A form of prompts, a preset or a post-processing rule that does not exist; the message has the most similar."""


class MissingExtra(ZeroScrollsError):
    """A package is not installed; the message names the extra that installs it."""


#: The packages of each extra in pyproject.toml that a message may name, since the package index has no `zero-scrolls`.
PACKAGES = {
    "app": ("gradio[mcp]>=6.31,<7", "cachetools>=6"),
    "hub": ("huggingface-hub>=1.16",),
    "evaluate": ("evaluate>=0.4.6", "datasets>=4"),
    "frames": ("pandas>=2.2",),
    "parquet": ("pyarrow>=16",),
    "run": ("httpx>=0.27",),
    "ray": ("ray>=2.40", "httpx>=0.27"),
    "local": ("transformers>=5", "torch>=2.6"),
    "board": ("sqlalchemy>=2.0.37",),
    "longbench": ("jieba==0.42.1",),
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
