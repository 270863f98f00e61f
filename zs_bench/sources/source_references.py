"""References straight from a data source, for scoring: nobody has to have them as a file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from zs_bench.files.documents import document_of
from zs_bench.files.gather import References, gather_predictions
from zs_bench.files.hard_ids import ALL, HARD, with_hard_questions
from zs_bench.files.sources import open_inputs
from zs_bench.problems import Problem, UnusableInput
from zs_bench.reports.postprocessing import score_processed
from zs_bench.reports.scoring import ScoredFile
from zs_bench.sources.data_sources import Loaded, SourceUnavailable, load_examples
from zs_bench.sources.hub import Progress


@dataclass(slots=True)
class SourceReferences(References):
    """References that came from a source.

    Attributes:
        split: which was asked for.
        label: the source in words; empty when no task could be loaded.
        revision: the commit that was read; `None` where there are no commits.
    """

    split: str = "validation"
    label: str = ""
    revision: str | None = None

    @property
    def about(self) -> dict[str, str | None]:
        """Where they are from, as JSON-able data."""
        return {"source": self.label or None, "split": self.split, "revision": self.revision}


def references_from_source(
    source: str | Path,
    tasks: Iterable[str],
    split: str = "validation",
    revision: str | None = None,
    *,
    benchmark: str = "zero_scrolls",
    progress: Progress | None = None,
) -> SourceReferences:
    """The references of these tasks; all are read at the commit that the first was read at.

    A task whose file is missing or damaged, or whose split is unfit, is a problem that refuses that task alone.

    Args:
        source: see `zs_bench.sources.data_sources`.
        tasks: the tasks' names.
        split: `validation` or `test`, in SCROLLS also `train`.
        revision: for the Hub: a branch, a tag or a commit.
        benchmark: whose tasks they are.
        progress: called with the share done and a few words.

    Raises:
        SourceUnavailable: when the Hub could give nothing at all.
        ZeroScrollsError: for a source or revision that cannot be meant.
    """
    found = SourceReferences(split=split)
    wanted = list(tasks)
    for done, task in enumerate(wanted):
        part = part_of(progress, done, len(wanted))
        try:
            at = found.revision or revision
            loaded = load_examples(source, task, split, revision=at, benchmark=benchmark, progress=part)
        except (SourceUnavailable, UnusableInput) as error:
            if isinstance(error, SourceUnavailable) and not error.of_one_file:
                raise
            found.problems.append(Problem("no-data", str(error), task))
            continue
        found.label, found.revision = found.label or loaded.source_label, found.revision or loaded.revision
        _add(found, loaded)
    return found


def score_against(
    predictions: Iterable[str | Path],
    source: str | Path,
    *,
    split: str = "validation",
    revision: str | None = None,
    partial: bool = False,
    rouge_aggregation: str = "corpus",
    post: Iterable[str] = (),
    benchmark: str = "zero_scrolls",
    hard_ids: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> tuple[ScoredFile, SourceReferences]:
    """Score prediction files against a split of a source; only the tasks that have answers are loaded.

    Arguments and errors are those of `score_files` and of `references_from_source`; `progress`
    is called for the data first, then for the scores.
    """
    found = gather_predictions(*open_inputs(predictions), benchmark=benchmark)
    tasks = [ALL if task == HARD else task for task in found.tasks]
    known = references_from_source(
        source, dict.fromkeys(tasks), split, revision, benchmark=benchmark, progress=progress
    )
    found, hard = with_hard_questions(found, known, hard_ids)
    options = {"partial": partial, "rouge_aggregation": rouge_aggregation}
    scored = score_processed(found, hard, post, progress=progress, **options)
    if progress:
        progress(1.0, "")
    return replace(scored, source=known.about), known


def part_of(progress: Progress | None, done: int, total: int) -> Progress | None:
    """The progress of one of `total` things after `done` of them, told as a part of the whole."""
    if progress is None:
        return None
    return lambda share, what: progress((done + share) / total, what)


def _add(found: SourceReferences, loaded: Loaded) -> None:
    """The references of a task. What makes it unfit stands at its split, where the scorer finds it."""
    by_id = {example.id: list(example.references) for example in loaded.examples}
    found.tasks[loaded.task] = {loaded.split: by_id}
    named = ((example.id, document_of(loaded.task, example)) for example in loaded.examples)
    found.documents |= {(loaded.task, loaded.split, key): name for key, name in named if name}
    found.problems += [problem for problem in loaded.findings if not problem.refuses and problem.kind in _SAID]
    refusing = [problem for problem in loaded.findings if problem.refuses]
    message = "the example has no reference; take a split or revision that has them"
    nulls = [Problem("null-reference", message, loaded.task, key) for key, texts in by_id.items() if not texts]
    if refusing or nulls:
        found.unlabelled[loaded.task, loaded.split] = refusing or nulls


#: Findings that matter for a score, although they do not forbid it.
_SAID = {"cache", "not-all"}
