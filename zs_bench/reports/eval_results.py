"""Scores as the Hub's evaluation results: a file for `.eval_results/` in a model's repo, shown on the model's page.

The types and the layout are those of `huggingface_hub`. A file is a list with an entry for each task and one for the
average, where all tasks were scored.
"""

from collections.abc import Mapping

from zs_bench.extras import from_extra
from zs_bench.published.rows import AVERAGE
from zs_bench.scoring.scored import ScoredFile
from zs_bench.tasks import benchmark_info
from zs_metric.tasks import Benchmark


def eval_results(
    benchmark: Benchmark, scores: Mapping[str, float], notes: Mapping[str, str], revision: str | None = None
) -> str:
    """The YAML of these scores.

    Args:
        benchmark: whose dataset on the Hub they are on.
        scores: points by the task's name, or `average`; written with 4 decimals, as the released evaluator does.
        notes: for each of these what the score rests on: its signature.
        revision: the commit of the dataset, where known.

    Raises:
        MissingExtra: without `huggingface_hub`.
    """
    with from_extra("hub"):
        import yaml  # noqa: PLC0415  (it comes with huggingface_hub)
        from huggingface_hub import EvalResultEntry, eval_result_entries_to_yaml  # noqa: PLC0415
    repo = benchmark_info(benchmark).repo
    entries = [
        EvalResultEntry(repo, name, round(score, 4), dataset_revision=revision, notes=notes.get(name))
        for name, score in scores.items()
    ]
    written: str = yaml.safe_dump(eval_result_entries_to_yaml(entries), sort_keys=False, allow_unicode=True, width=1000)
    return written


def as_eval_results(scored: ScoredFile) -> str:
    """The YAML of a scored file; the notes are the signatures, which tell split, number of answers and references."""
    scores = {name: task.result.score for name, task in scored.scored.items() if task.result}
    notes = {name: str(scored.signature(name)) for name in scores}
    if scored.benchmark and scored.benchmark.score is not None:
        scores[AVERAGE] = scored.benchmark.score
        notes[AVERAGE] = str(scored.signature(*scored.of.tasks))
    return eval_results(scored.of, scores, notes, _revision(scored))


def _revision(scored: ScoredFile) -> str | None:
    """The commit of the benchmark's own dataset; a commit of another repo, or of no repo, is none."""
    source = scored.source or {}
    own = (source.get("source") or "").startswith(f"Hub, {benchmark_info(scored.of).repo} at ")
    return source.get("revision") if own else None
