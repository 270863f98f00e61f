"""ZeroSCROLLS and SCROLLS scoring: what an answer is worth. Texts and numbers only; imports in milliseconds.

>>> from zs_metric import score_example
>>> score_example("quality", "Answer: (C)", ["C"]).score
100.0

Units: scores are points, 0 to 100, everywhere. The specification of each metric is the docstring of its module.
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
from .results import BenchmarkResult, ExampleResult, RougeType, TaskResult
from .rouge_engines import engine
from .scoring import score_benchmark, score_example, score_task
from .tasks import BENCHMARKS, TASKS, Benchmark
from .version import VERSION

__version__ = VERSION
__all__ = [
    "BENCHMARKS",
    "TASKS",
    "Benchmark",
    "BenchmarkResult",
    "EmptyInput",
    "ExampleResult",
    "LengthMismatch",
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
