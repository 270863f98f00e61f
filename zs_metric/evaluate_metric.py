"""A benchmark as a metric of the Hugging Face `evaluate` library: the base class of `zero_scrolls.py` and `scrolls.py`.

`evaluate` takes the first metric class among the names of a script, imported ones included, unless it is abstract; so
this one is abstract, and the script defines `_info`.
"""

from abc import ABC, abstractmethod
from pathlib import Path

import datasets
import evaluate

from .errors import EmptyInput, LengthMismatch, UnknownBenchmark, UnknownTask, UnreadableReference, ZeroScrollsError
from .metrics import MetricTable
from .results import TaskResult
from .tasks import METRIC_TABLES, metric_of, score_task
from .texts import as_list, clean_columns

_INPUTS = """
Args:
    predictions: list of texts, one per example.
    references: list, per example a list of reference texts (or one text).
    task: without a configuration, the task's name, or a list with one name per prediction.
    per_example: True adds `per_example`: the score of each prediction, what was read in it, and what lowered the score.
    rouge_aggregation: "corpus" (default, the released evaluator) or "instance" (ZeroSCROLLS section 3.3).
Returns:
    With a configuration, the released keys of that task, rounded to 4 places. Without, `{score_key}` (None
    unless all {count} tasks are given), `mean_of_tasks`, `missing_tasks`, and `tasks` with the released keys per task.
"""


class BenchmarkMetric(evaluate.Metric, ABC):
    """The metric of a benchmark. Its configuration is a task's name; without one, `compute` takes `task=`.

    A configuration such as `scrolls/qasper` gives the metric of another benchmark that `install-metric` has installed.
    """

    benchmark: MetricTable

    def __new__(cls, config_name=None, **options):
        """Return a metric of this benchmark, or of that which the configuration names before a slash."""
        name, _, task = (config_name or "").rpartition("/")
        if name in ("", cls.benchmark.name):
            return super().__new__(cls)
        options.pop("hash", None)  # of this script
        return evaluate.load(_installed(name), task or None, **options)

    def __init__(self, config_name=None, **options):
        """Take a task's name, or that of this benchmark, a slash, and a task's name."""
        evaluate.Metric.__init__(self, (config_name or "").rpartition("/")[2] or None, **options)

    @abstractmethod
    def _info(self):
        """Return the description of the metric."""

    def describe(self, description, citation, paper):
        """Build the description from the given texts and from the inputs and outputs that all benchmarks share."""
        if self.config_name != "default":
            try:
                metric_of(self.config_name, self.benchmark)
            except UnknownTask as error:
                error.args = (f"{error} (a task of another benchmark is named with it: 'scrolls/qasper')",)
                raise
        return evaluate.MetricInfo(
            description=description,
            citation=citation,
            inputs_description=_INPUTS.format(score_key=self.benchmark.score_key, count=len(self.benchmark.averaged)),
            features=datasets.Features(
                {"predictions": datasets.Value("string"), "references": datasets.Sequence(datasets.Value("string"))}
            ),
            reference_urls=[paper],
        )

    def add(self, *, prediction=None, reference=None, **kwargs):
        """Check and add one prediction and its references."""
        row = {"predictions": prediction, "references": reference, **kwargs}
        self.add_batch(**{name: [value] for name, value in row.items()})

    def add_batch(self, *, predictions=None, references=None):
        """Check and add predictions and their references; a single string is one reference."""
        prediction_list, reference_list = as_list(predictions, "predictions"), as_list(references, "references")
        if not prediction_list and not reference_list:
            return
        texts, reference_texts = clean_columns(prediction_list, reference_list)
        evaluate.Metric.add_batch(self, predictions=texts, references=reference_texts)

    def compute(self, *, predictions=None, references=None, **kwargs):
        """Score the given predictions together with those added before."""
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions, references=references)
        if not len(self) and self.process_id == 0 and self.num_process == 1:
            raise EmptyInput
        try:
            return evaluate.Metric.compute(self, **kwargs)
        finally:
            # An error in `_compute` leaves locks behind, with which the object could not score again.
            for lock in self.filelocks or []:
                lock.release()
            self.filelocks = None

    def _compute(self, predictions, references, task=None, per_example=False, rouge_aggregation="corpus"):
        options = {"rouge_aggregation": rouge_aggregation, "benchmark": self.benchmark}
        if self.config_name != "default":
            if task not in (None, self.config_name):
                raise ZeroScrollsError(
                    f"this metric was loaded for {self.config_name!r}; load it without a task to use task="
                )
            return _report(score_task(self.config_name, predictions, references, **options), per_example)
        results = {}
        for name, positions in self._positions(len(predictions), task).items():
            columns = ([column[i] for i in positions] for column in (predictions, references))
            try:
                results[name] = score_task(name, *columns, **options)
            except UnreadableReference as error:
                raise error.of_example(positions[error.example]) from None
        whole = self.benchmark.average(results)
        return {
            self.benchmark.score_key: None if whole.score is None else round(whole.score, 4),
            "mean_of_tasks": round(whole.mean_of_tasks, 4),
            "missing_tasks": list(whole.missing_tasks),
            "tasks": {name: _report(result, per_example) for name, result in whole.tasks.items()},
        }

    def _positions(self, count, task):
        if task is None:
            raise ZeroScrollsError(
                "the task is missing; load the metric with one, or give compute(task=…): a name, or one per prediction"
            )
        names = [task] * count if isinstance(task, str) else as_list(task, "task")
        if len(names) != count:
            raise LengthMismatch(predictions=count, tasks=len(names))
        positions = {}
        for i, name in enumerate(names):
            metric_of(name, self.benchmark)
            positions.setdefault(name, []).append(i)
        return positions


def _installed(benchmark):
    """Return the path of the script that `install-metric` has installed for a benchmark, or raise UnknownBenchmark."""
    folder = Path(evaluate.config.HF_MODULES_CACHE, "evaluate_modules", "metrics")
    copies = folder.glob("evaluate-metric--*/*/*.py")
    scripts = {path.stem: str(path) for path in copies if path.parents[1].name == f"evaluate-metric--{path.stem}"}
    if benchmark not in scripts:
        error = UnknownBenchmark(benchmark, dict.fromkeys((*METRIC_TABLES, *scripts)))
        error.args = (f"{error} (this project's metrics are installed by: zero-scrolls install-metric)",)
        raise error
    return scripts[benchmark]


def _report(result: TaskResult, per_example):
    """Return the released keys as plain data, with the examples if `per_example`."""
    examples = {"per_example": [example.as_dict() for example in result.examples]} if per_example else {}
    return {**result.metrics, **examples}
