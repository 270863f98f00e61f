"""Build a sample and write it as a folder that every command, and the page, takes as a source.

The folder holds `<task>/<split>.jsonl`, `<task>/README.md`, and `<task>/tell_tales.html` where there is something to
review. References that are to stay private go into a file elsewhere, with all that tells something about them.
"""

import json
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from statistics import fmean, median
from typing import Any

from zs_bench.builders.check import check_rows
from zs_bench.builders.records import Origin, Sample
from zs_bench.dataset.rows import read_rows
from zs_bench.files.writing import write_whole
from zs_bench.problems import UnusableInput, lines
from zs_bench.published.baselines import naive_answers
from zs_bench.reports.html.environment import render
from zs_bench.tasks import info
from zs_metric.scoring import score_task
from zs_metric.tasks import Task


@dataclass(frozen=True, slots=True)
class Built:
    """A sample that was written: its folder, its files, and its README."""

    folder: Path
    files: list[Path]
    readme: str


def write_sample(
    sample: Sample,
    folder: str | Path,
    origins: Sequence[Origin],
    *,
    seed: int,
    day: date,
    split: str = "validation",
    references: str | Path | None = None,
    accept: bool = False,
    settings: Mapping[str, Any] | None = None,
) -> Built:
    """Check a sample and write its folder; files of an earlier sample of the task are replaced.

    `references` is a JSON file for the references, which are then left out of the rows. The README, which counts them,
    and the list of tell-tales, which may show where a summary belongs, are then written to a folder beside it. `accept`
    says that the tell-tales have been reviewed. Seed, day and settings are for the README.

    Raises:
        UnusableInput: when the sample does not pass its check. Nothing is written then.
    """
    rows = sample.rows()
    if problems := check_rows(sample.task.name, rows, accept=accept):
        raise UnusableInput("the sample was not written: " + "; ".join(lines(problems, most=3)))
    out = Path(folder, sample.task.name)
    # With private references, what tells something about them stands beside them: it could be given out otherwise.
    apart = out if references is None else Path(references).parent / f"{sample.task}-private"
    readme = _readme(sample, rows, origins, split, {"seed": seed, "built on": day.isoformat(), **(settings or {})})
    texts = {out / f"{split}.jsonl": _jsonl(rows if references is None else _without_outputs(rows))}
    texts[apart / "README.md"] = readme
    if references is not None:
        texts[Path(references)] = json.dumps(_references(sample, rows), ensure_ascii=False, indent=1) + "\n"
    if sample.hits:
        texts[apart / "tell_tales.html"] = tell_tales_page(sample)
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    return Built(out.parent, list(texts), readme)


def tell_tales_page(sample: Sample) -> str:
    """The places to review, as one HTML file."""
    return str(render("tell_tales.html", title=info(sample.task).title, hits=sample.hits))


def naive_floor(task: Task, rows: Sequence[Mapping[str, Any]]) -> float:
    """What the paper's naive answers score on the rows, in points."""
    examples = read_rows("\n".join(json.dumps(row) for row in rows), task)
    answers = naive_answers(task, examples)
    return score_task(task, [answers[one.id] for one in examples], [one.references for one in examples]).score


def _references(sample: Sample, rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, list[str]]]:
    by_id: dict[str, list[str]] = {}
    for row in rows:
        by_id.setdefault(row["id"], []).append(row["output"])
    return {sample.task.name: by_id}


def _without_outputs(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One row per example: how many references it has is not public either."""
    firsts = {row["id"]: row for row in reversed(rows)}
    return [{name: value for name, value in row.items() if name != "output"} for row in reversed(firsts.values())]


def _jsonl(rows: Sequence[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _readme(
    sample: Sample,
    rows: Sequence[Mapping[str, Any]],
    origins: Sequence[Origin],
    split: str,
    settings: Mapping[str, Any],
) -> str:
    facts = info(sample.task)
    words = [len(row["input"].split()) for row in {row["id"]: row for row in rows}.values()]
    naive = facts.naive.words if facts.naive else "the naive answer"
    seal = json.dumps([origins, sorted(settings.items())], default=str)
    canary = uuid.uuid5(uuid.NAMESPACE_OID, seal)
    return "\n".join(
        [
            f"# {facts.title}, built from own texts",
            "",
            f"{len(sample.examples):,} examples in `{sample.task.name}/{split}.jsonl`, in the form of ZeroSCROLLS.",
            "These are not the benchmark's own examples: scores on them compare systems on these texts, and do not",
            "belong beside published ones.",
            "",
            "| setting | value |",
            "|---|---|",
            *(f"| {name} | {value} |" for name, value in settings.items()),
            "",
            "| source | records | SHA-256 begins with |",
            "|---|---:|---|",
            *(f"| {origin.name} | {origin.records:,} | {origin.sha256} |" for origin in origins),
            "",
            "## In numbers",
            "",
            f"- Words of an input: mean {fmean(words):,.0f}, median {median(words):,.0f}; paper: {facts.size.words:,}.",
            f"- Naive floor ({naive}): {naive_floor(sample.task, rows):.1f} points.",
            f"- References: {_distribution(sample)}.",
            *(f"- {note}" for note in sample.notes[:20]),
            "",
            "## Left out",
            "",
            *([f"- {why}: {count:,}" for why, count in sample.dropped.most_common()] or ["Nothing."]),
            "",
            f"Please do not train on these texts. Canary: {canary}",
            "",
        ]
    )


def _distribution(sample: Sample) -> str:
    """The references in a few words: shares of percentages, lengths of orders, or how many are unanswerable."""
    firsts = [example.references[0] for example in sample.examples]
    if sample.task.name == "space_digest":
        tenths = Counter(min(9, int(float(text.rstrip("%")) // 10)) for text in firsts)
        return ", ".join(f"{10 * k} to {10 * k + 10} %: {tenths[k]}" for k in range(10) if tenths[k])
    if sample.task.name == "book_sum_sort":
        sizes = [len(text.split(",")) for text in firsts]
        return f"orders of {min(sizes)} to {max(sizes)} ids, median {median(sizes):g}"
    most, count = Counter(firsts).most_common(1)[0]
    return f"{len(set(firsts)):,} different ones, the most frequent is “{most}” ({count} times)"
