"""Check a sample and write it as a folder that every command, and the page, takes as a source.

The folder holds `<task>/<split>.jsonl`, `<task>/README.md`, and `<task>/tell_tales.html` where there is something to
review. References that are to stay private go into a file elsewhere, with everything that reveals something about them;
the README beside the rows then says nothing about them, nor the seed, with which the sample could be built again.
"""

import json
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from statistics import fmean, median
from typing import Any

from zs_bench.baselines import naive_answers
from zs_bench.benchmarks import Task
from zs_bench.dataset.rows import read_examples
from zs_bench.errors import UnusableInput
from zs_bench.files.entries import Source
from zs_bench.files.writing import write_whole
from zs_bench.reports.html import render
from zs_lab.build.reading import Origin
from zs_lab.build.samples import Sample
from zs_lab.build.tell_tales import Hit
from zs_metric.scoring import score_task

Row = Mapping[str, Any]
#: How many references are tried as the answer to every example: no fewer than the percentages.
_CONSTANTS = 101


def write_sample(
    sample: Sample,
    folder: str | Path,
    origins: Sequence[Origin],
    *,
    seed: int,
    day: date,
    split: str = "validation",
    references: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Check a sample and write its folder; files of an earlier sample of the task are replaced.

    `references` is a JSON file for the references, which are then left out of the rows. A README with everything, and
    the list of tell-tales, which may show where a summary belongs, are then written to a folder beside it. Seed, day
    and settings are for the README. Returns the files, the README with everything first.

    Raises:
        UnusableInput: when the sample does not pass its check, or another split in the folder holds the references that
            are to be private. Nothing is written then.
    """
    rows, ids = sample.rows(), [example.id for example in sample.examples]
    _check(sample.task.name, rows)
    out = private = Path(folder, sample.task.name)
    firsts: list[Row] = [row for row in rows if row["pid"].endswith("_0")]
    public = {"built on": day.isoformat(), **(settings or {})}
    about = f"{len(ids):,} examples in `{sample.task.name}/{split}.jsonl`", firsts, origins
    readme = _description(sample, *about, {"seed": seed, **public}, on_references=_on_references(sample, rows))
    texts = {}
    if references is not None:
        if Path(folder).resolve() in Path(references).resolve().parents:
            raise UnusableInput(f"{references} lies in the folder to be published, {folder}; give another place")
        _refuse_known_references(out, split, set(ids))
        private = Path(references).parent / f"{sample.task}-private"
        by_id = {example.id: list(example.references) for example in sample.examples}
        texts[Path(references)] = json.dumps({sample.task.name: by_id}, ensure_ascii=False, indent=1) + "\n"
        texts[out / "README.md"] = _description(sample, *about, public)
        # How many references an example has is not public either.
        rows = [{name: value for name, value in row.items() if name != "output"} for row in firsts]
    texts = {private / "README.md": readme, **texts}
    texts[out / f"{split}.jsonl"] = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    for page in {out / "tell_tales.html", private / "tell_tales.html"}:
        page.unlink(missing_ok=True)  # of an earlier sample
    if sample.hits:
        texts[private / "tell_tales.html"] = tell_tales_page(sample.task, sample.hits)
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    return list(texts)


def tell_tales_page(task: Task, hits: Sequence[Hit]) -> str:
    """Return the passages that may give an answer away as a page to review."""
    return str(render("tell_tales.html", title=task.title, hits=hits))


def _refuse_known_references(folder: Path, split: str, ids: set[str]) -> None:
    """Refuse a folder of a task in which another split has references of these examples."""
    for path in folder.glob("*.jsonl"):
        if path.stem != split:
            rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
            if any(row.get("output") is not None and row.get("id") in ids for row in rows):
                raise UnusableInput(
                    f"{path} holds references of the same examples; delete it, or give --out a new folder"
                )


def _check(task: str, rows: Sequence[Row]) -> None:
    """Refuse two examples of one id, and a question that is asked twice."""
    pid, count = Counter(row["pid"] for row in rows).most_common(1)[0]
    if count > 1:
        raise UnusableInput(f"the sample was not written: two rows have this pid: {pid}; keep one")
    inputs: dict[str, str] = {}
    for row in rows if task == "musique" else ():
        query = row["input"][row["query_start_index"] : row["query_end_index"]]
        if inputs.setdefault(query, row["input"]) != row["input"]:
            twin = f"the question is asked twice, of different paragraphs: {row['id']}"
            raise UnusableInput(f"the sample was not written: {twin}; keep one of the two records")


def naive_floor(task: Task, rows: Sequence[Row]) -> float:
    """Return what the paper's naive answers score on the rows, in points."""
    lines = "\n".join(json.dumps(row) for row in rows)
    examples, _ = read_examples(Source.in_memory(f"{task}.jsonl", lines.encode()), task)
    answers = naive_answers(task, examples)
    return score_task(task, [answers[row.id] for row in examples], [row.references for row in examples]).score


def best_constant(sample: Sample) -> tuple[str, float]:
    """Return the most frequent reference that scores most if it is the answer to every example, and its points."""
    references = [list(example.references) for example in sample.examples]
    counts = Counter(text for texts in references for text in texts)
    scores = {
        answer: score_task(sample.task, [answer] * len(references), references).score
        for answer, _ in counts.most_common(_CONSTANTS)
    }
    best = max(scores, key=lambda answer: scores[answer])
    return best, scores[best]


def _description(
    sample: Sample,
    where: str,
    firsts: Sequence[Row],
    origins: Sequence[Origin],
    settings: Mapping[str, Any],
    *,
    on_references: Sequence[str] | None = None,
) -> str:
    """Return the README; without a word about the references where they are private."""
    facts, words = sample.task, [len(row["input"].split()) for row in firsts]
    lengths = f"mean {fmean(words):,.0f}, median {median(words):,.0f}; paper: {facts.size.words:,}"
    setting_rows = "".join(f"| {name} | {value} |\n" for name, value in settings.items())
    origin_rows = "".join(f"| {origin.name} | {origin.records:,} | {origin.sha256} |\n" for origin in origins)
    encodings = "".join(
        f"\n{origin.name} is not UTF-8; it was read as {origin.encoding}. Check its accented letters.\n"
        for origin in origins
        if origin.encoding
    )
    numbers = "\n".join(f"- {text}" for text in (f"Words of an input: {lengths}.", *(on_references or ())))
    left_out = "\n".join([f"- {phrase}" for phrase in sample.left_out()] or ["Nothing."])
    canary = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps([origins, [row["id"] for row in firsts]]))
    return f"""# {facts.title}, built from other texts

{where}, in the form of ZeroSCROLLS.
These are not the benchmark's own examples: scores on them compare systems on these texts, and do not
belong beside published ones.{" The references are private." if on_references is None else ""}

| setting | value |
|---|---|
{setting_rows}
| source | records | SHA-256 begins with |
|---|---:|---|
{origin_rows}{encodings}
## In numbers

{numbers}

## Left out

{left_out}

Please do not train on these texts. Canary: {canary}
"""


def _on_references(sample: Sample, rows: Sequence[Row]) -> list[str]:
    """Return what reveals something about the references: floors, their distribution, and notes."""
    naive = sample.task.naive
    floor = f"Naive floor ({naive and naive.words}): {naive_floor(sample.task, rows):.1f} points"
    firsts = [example.references[0] for example in sample.examples]
    if sample.task.name == "book_sum_sort":  # no order fits books of different lengths
        sizes = [len(text.split(",")) for text in firsts]
        distribution = f"orders of {min(sizes)} to {max(sizes)} ids, median {median(sizes):g}"
    else:
        answer, score = best_constant(sample)
        floor += f"; always answering “{answer}”, the best constant: {score:.1f} points"
        most, count = Counter(firsts).most_common(1)[0]
        distribution = f"{len(set(firsts)):,} different ones, the most frequent is “{most}” ({count} times)"
    if sample.task.name == "space_digest":
        tenths = Counter(min(9, int(float(text.rstrip("%")) // 10)) for text in firsts)
        distribution = ", ".join(f"{10 * k} to {10 * k + 10} %: {count}" for k, count in sorted(tenths.items()))
    return [f"{floor}.", f"References: {distribution}.", *sample.notes[:20]]
