"""The benchmark around the metric: prompts, data, prediction files, reports, and the commands.

Builds on `zs_metric`; imports nothing of the app (`zs_app`). `score`, `compare` and `verify` load when first used.
"""

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from zs_bench.notebook import ShownInNotebooks

if TYPE_CHECKING:
    from zs_bench.reports.comparison import compare
    from zs_bench.scoring.score_files import score
    from zs_bench.validation.verify import verify

__all__ = ["compare", "score", "verify"]
_MODULES = {"compare": "reports.comparison", "score": "scoring.score_files", "verify": "validation.verify"}


ShownInNotebooks.shown_by = partial(import_module, "zs_bench.reports.frames")  # loaded when a result is shown


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
