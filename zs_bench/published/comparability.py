"""Which scores of a report can be ranked among the published ones, and with what caveats.

A score on a whole split, by the benchmark's definition, is ranked among the published numbers on the same split by the
same definition. Any other score is shown separately, with the reason.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from zs_bench.published.rows import systems
from zs_bench.tasks import benchmark_info, info
from zs_metric.tasks import ROUGE, Benchmark, Task

#: Half the width of the 95 % interval of a score on so few questions, in points: roughly the narrowest and the widest.
HALF_WIDTH = (9, 18)


def why_not_ranked(report: Mapping[str, Any], benchmark: Benchmark) -> dict[str, str]:
    """The scored tasks of a report that are not ranked, each with the reason: the beginning of a sentence.

    Args:
        report: as `zs_bench.reports.report.as_json` returns it.
        benchmark: the report's.

    >>> from zs_metric.tasks import find_benchmark
    >>> task = {"score": 50.0, "split": "validation", "n": 2}
    >>> why_not_ranked({"tasks": {"qasper": task}}, find_benchmark("zero_scrolls"))
    {'qasper': 'Not ranked, because these tasks have fewer examples than the published split'}
    """
    ranked_splits = {split for split in ("test", "validation") if systems(benchmark=benchmark, split=split)}
    official = report.get("rouge_aggregation", "corpus") == "corpus"
    reasons = {}
    for name, found in report["tasks"].items():
        task = benchmark.all_tasks[name]
        if found["score"] is None:
            continue
        if found["n"] < fewest_examples(task, found["split"]):
            reasons[name] = FEW
        elif found["split"] is None:
            reasons[name] = "Not ranked, because the references do not say which split they are"
        elif found["split"] not in ranked_splits:
            reasons[name] = f"Not ranked, because no system was published on the {found['split']} split"
        elif task.metric is ROUGE and not official:
            reasons[name] = "Not ranked, because published ROUGE numbers use the aggregation “corpus”"
    return reasons


FEW = "Not ranked, because these tasks have fewer examples than the published split"


def fewest_examples(task: Task, split: str | None) -> int:
    """The number of examples of a split of the task; of the smallest published split if the split is not known.

    >>> from zs_metric.tasks import find_task
    >>> fewest_examples(find_task("qasper"), "test"), fewest_examples(find_task("qasper"), None)
    (500, 10)
    """
    size = info(task).size
    known = size.of_split(split) if split else None
    if known is not None:
        return known
    questions = benchmark_info(task.benchmark).validation_questions
    validation = questions[0] if questions else size.validation
    return min((n for n in (validation, size.test) if n is not None), default=0)


def warnings(report: Mapping[str, Any], benchmark: Benchmark) -> Iterator[str]:
    """The scores of a report that are not ranked, and the caveats for the others, in sentences."""
    reasons = why_not_ranked(report, benchmark)
    for reason in dict.fromkeys(reasons.values()):
        of_reason = [name for name, other in reasons.items() if other == reason]
        yield f"{reason}: {_listed(of_reason, report, benchmark, counts=reason == FEW)}."
    ranked = {n: found for n, found in report["tasks"].items() if found["score"] is not None and n not in reasons}
    few = benchmark_info(benchmark).validation_questions
    if few and any(found["split"] == "validation" for found in ranked.values()):
        yield _wide_interval(few)
    short = [name for name, found in ranked.items() if found["n"] < found["total"]]
    if short:
        named = _listed(short, report, benchmark)
        yield f"Not all answers are there for {named}; published numbers are on all examples."


def _wide_interval(questions: tuple[int, int]) -> str:
    (low, high), (few, many) = HALF_WIDTH, questions
    return (
        f"A task has {few} to {many} questions in the validation split, so that the 95 % interval of its score reaches "
        f"about ±{low} to ±{high} points: a smaller difference says nothing."
    )


def _listed(names: Iterable[str], report: Mapping[str, Any], benchmark: Benchmark, *, counts: bool = False) -> str:
    titles = {name: info(benchmark.all_tasks[name]).title for name in names}
    tasks = report["tasks"]
    return ", ".join(f"{title} ({tasks[name]['n']:,})" if counts else title for name, title in titles.items())
