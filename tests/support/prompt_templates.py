"""The prompt templates of ZeroSCROLLS' tasks, by name."""

from zs_bench.benchmarks.records import Template
from zs_bench.benchmarks.zero_scrolls import TASKS

TEMPLATES: dict[str, Template] = {
    name: template for name, task in TASKS.items() if (template := task.template) is not None
}
