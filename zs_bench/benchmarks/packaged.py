"""The benchmarks of the package, in the order of menus."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from zs_bench.benchmarks import longbench, scrolls, zero_scrolls
from zs_bench.benchmarks.longbench.metrics import classification
from zs_bench.benchmarks.records import Benchmark
from zs_metric.metrics import Metric

#: The benchmarks in the package, name to `Benchmark`, the first is the default.
BENCHMARKS: Mapping[str, Benchmark] = MappingProxyType(
    {
        benchmark.name: benchmark
        for benchmark in (zero_scrolls.BENCHMARK, scrolls.BENCHMARK, longbench.BENCHMARK, longbench.E_BENCHMARK)
    }
)
DEFAULT = next(iter(BENCHMARKS))
#: What makes a metric of a task's choices, by the metric's name: for one's own benchmarks, beside `zs_metric.METRICS`.
METRICS_OF_CHOICES: Mapping[str, Callable[[Sequence[str]], Metric]] = MappingProxyType(
    {"classification": partial(classification, line=False)}
)
