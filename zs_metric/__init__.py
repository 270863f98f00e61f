"""Exact scores for the ZeroSCROLLS and SCROLLS benchmarks, from texts alone: no files, no network, a fast import.

>>> from zs_metric import score_example
>>> score_example("quality", "Answer: (C)", ["C"]).score
100.0

All scores are points, 0 to 100. The docstring of each metric's module is its specification.
"""

from .errors import (
    EmptyInput,
    LengthMismatch,
    NotAText,
    UnknownBenchmark,
    UnknownTask,
    UnreadableReference,
    ZeroScrollsError,
)
from .metrics import Metric
from .results import BenchmarkResult, ExampleResult, RougeType, TaskResult
from .rouge import engine
from .tasks import score_benchmark, score_example, score_task
from .version import VERSION

__version__ = VERSION
__all__ = [
    "BenchmarkResult",
    "EmptyInput",
    "ExampleResult",
    "LengthMismatch",
    "Metric",
    "NotAText",
    "RougeType",
    "TaskResult",
    "UnknownBenchmark",
    "UnknownTask",
    "UnreadableReference",
    "ZeroScrollsError",
    "engine",
    "score_benchmark",
    "score_example",
    "score_task",
]
