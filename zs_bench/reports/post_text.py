"""What post-processing changed of a scored file, in words: the rules, the answers changed, the scores without it."""

from collections.abc import Iterator
from math import fsum

from zs_bench.problems import counted, short
from zs_bench.scoring.scored import ScoredFile
from zs_metric.means import fmean


def rules_in_words(scored: ScoredFile) -> str:
    """Return the rules that the answers went through, in their order; empty without any."""
    return ", then ".join(map(short, scored.post))


def post_in_words(scored: ScoredFile, *, titles: bool = False) -> list[str]:
    """Return what the rules changed, and the scores without them, of the tasks by their names or `titles`."""
    processed, named = scored.processed, scored.benchmark.titles if titles else {}
    if processed is None:
        return []
    scores = [(named.get(name, name), score) for name, score in processed.before.items()]
    before = (
        f"{name} {'not scored' if score is None else f'{score:.4f}'}" for name, score in [*scores, *_averages(scored)]
    )
    changed = counted(processed.changed, "answer")
    return [
        f"Post-processed by {rules_in_words(scored)}: {changed} changed.",
        f"Without it: {', '.join(before)}.",
    ]


def post_note(scored: ScoredFile) -> Iterator[str]:
    """Yield the note below a LaTeX table: by which rules how many answers were changed."""
    if scored.processed:
        changed = counted(scored.processed.changed, "answer")
        yield f"post-processed by {rules_in_words(scored)}: {changed} changed"


def _averages(scored: ScoredFile) -> Iterator[tuple[str, float]]:
    """The averages without the rules, of the same tasks as those with them."""
    benchmark, processed = scored.benchmark, scored.processed
    before = {name: score for name, score in (processed.before if processed else {}).items() if score is not None}
    for name in benchmark.headline:
        weights = benchmark.weights(name)
        if weights.keys() <= before.keys() & scored.scored.keys():
            yield benchmark.averages[name].title, fsum(weight * before[task] for task, weight in weights.items())
    averaged = [name for name in benchmark.tasks if name in before]
    same = averaged == [name for name in benchmark.tasks if name in scored.scored]
    if not benchmark.headline and same and len(averaged) > 1:
        title = "average" if len(averaged) == len(benchmark.tasks) else f"mean of {len(averaged)} tasks"
        yield title, fmean([before[name] for name in averaged])
