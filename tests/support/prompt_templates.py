"""The prompt templates of ZeroSCROLLS' tasks, by name."""

from zs_bench.tasks import Template, info
from zs_metric.tasks import TASKS

TEMPLATES: dict[str, Template] = {
    name: template for name, task in TASKS.items() if (template := info(task).template) is not None
}
