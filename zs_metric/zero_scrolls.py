"""ZeroSCROLLS as a metric of the Hugging Face `evaluate` library.

`evaluate.load` reads the import lines below with a regular expression and copies exactly the siblings named here, so
every sibling is named, also one used only by another sibling, one import a line, without comments on these lines.
There must be one class in this module.
"""

import datasets
import evaluate

from .accuracy import score_accuracy
from .concordance_index import score_concordance_index
from .errors import EmptyInput, LengthMismatch, UnreadableReference, ZeroScrollsError
from .exp_similarity import score_exp_similarity
from .f1 import score_f1
from .results import TaskResult
from .rouge import score_rouge
from .rouge_engines import engine
from .scoring import average, score_task
from .tasks import TASKS, find_task
from .texts import as_list, clean_columns
from .version import VERSION

__version__ = VERSION
__all__ = [
    "TASKS",
    "ZeroScrolls",
    "engine",
    "score_accuracy",
    "score_concordance_index",
    "score_exp_similarity",
    "score_f1",
    "score_rouge",
]

_DESCRIPTION = """ZeroSCROLLS scores answers to tasks over long texts: ten tasks, five metrics, one average.
These are the released evaluator's numbers, in points from 0 to 100.
"""
_CITATION = r"""@inproceedings{shaham-etal-2023-zeroscrolls,
  title = {{ZeroSCROLLS}: A Zero-Shot Benchmark for Long Text Understanding},
  author = {Shaham, Uri and Ivgi, Maor and Efrat, Avia and Berant, Jonathan and Levy, Omer},
  booktitle = {Findings of the Association for Computational Linguistics: EMNLP 2023},
  year = {2023},
}
"""
_INPUTS = """
Args:
    predictions: list of texts, one answer per example.
    references: list, per example a list of reference texts (or one text).
    task: without a configuration, the task's name for all answers, or a list with one name per answer.
    per_example: True adds `per_example`: for each answer its score, what was read in it, and why.
    rouge_aggregation: "corpus" (default, the released evaluator) or "instance" (ZeroSCROLLS section 3.3).
Returns:
    With a configuration, the released keys of that task, rounded to 4 places. Without, `zero_scrolls_score` (None
    unless all ten tasks are there), `mean_of_tasks`, `missing_tasks`, and `tasks` with the released keys per task.
"""


class ZeroScrolls(evaluate.Metric):
    """The metric; its configurations are the ten task names, or none (then `compute` takes `task=`)."""

    def _info(self):
        if self.config_name != "default":
            find_task(self.config_name)
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=datasets.Features(
                {"predictions": datasets.Value("string"), "references": datasets.Sequence(datasets.Value("string"))}
            ),
            reference_urls=["https://arxiv.org/abs/2305.14196"],
        )

    def add(self, *, prediction=None, reference=None, **kwargs):
        """Add one answer and its references, checked."""
        given = {"prediction": prediction, "reference": reference, **kwargs}
        prediction = given.get("predictions", prediction)
        reference = given.get("references", reference)
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(self, *, predictions=None, references=None):
        """Add answers and their references, every one of them checked; a lone string is one reference."""
        answers, truths = as_list(predictions, "predictions"), as_list(references, "references")
        if not answers and not truths:
            return
        texts, reference_texts = clean_columns(answers, truths)
        evaluate.Metric.add_batch(self, predictions=texts, references=reference_texts)

    def compute(self, *, predictions=None, references=None, **kwargs):
        """Score what is given here, or what was added."""
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions, references=references)
        if not len(self) and self.process_id == 0 and self.num_process == 1:
            raise EmptyInput
        try:
            return evaluate.Metric.compute(self, **kwargs)
        finally:
            self._let_go()

    def _let_go(self):
        """Release what an error inside `_compute` leaves locked, so that the same object can score again."""
        for lock in self.filelocks or []:
            lock.release()
        self.filelocks = None

    def _compute(self, predictions, references, task=None, per_example=False, rouge_aggregation="corpus"):
        options = {"rouge_aggregation": rouge_aggregation}
        if self.config_name != "default":
            if task not in (None, self.config_name):
                raise ZeroScrollsError(
                    f"this metric was loaded for {self.config_name!r}; load it without a task to use task="
                )
            return _report(score_task(self.config_name, predictions, references, **options), per_example)
        results = {}
        for name, positions in _positions(len(predictions), task).items():
            columns = ([column[i] for i in positions] for column in (predictions, references))
            try:
                results[name] = score_task(name, *columns, **options)
            except UnreadableReference as error:
                raise error.of_example(positions[error.example]) from None
        benchmark = average({name: results[name] for name in TASKS if name in results})
        return {
            "zero_scrolls_score": None if benchmark.score is None else round(benchmark.score, 4),
            "mean_of_tasks": round(benchmark.mean_of_tasks, 4),
            "missing_tasks": list(benchmark.missing_tasks),
            "tasks": {name: _report(result, per_example) for name, result in benchmark.tasks.items()},
        }


def _report(result: TaskResult, per_example):
    """The released keys as plain data, with the examples when they are wanted."""
    examples = {"per_example": [example.as_dict() for example in result.examples]} if per_example else {}
    return {**result.metrics, **examples}


def _positions(count, task):
    """Which answers are whose: `{task: [positions]}`."""
    if task is None:
        raise ZeroScrollsError(
            "which task? load the metric with one, or give compute(task=…): a name, or one per answer"
        )
    names = [task] * count if isinstance(task, str) else as_list(task, "task")
    if len(names) != count:
        raise LengthMismatch(predictions=count, tasks=len(names))
    positions = {}
    for i, name in enumerate(names):
        positions.setdefault(find_task(name).name, []).append(i)
    return positions
