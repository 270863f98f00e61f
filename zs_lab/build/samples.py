"""What the builders share: options, the records that are new enough, and the sample, checked and written as a source.

The folder holds `<task>/<split>.jsonl`, `<task>/README.md`, and `<task>/tell_tales.html` where there is something to
review. References that are to stay private go into a file elsewhere, with everything that reveals something about them;
the README beside the rows then says nothing about them, nor the seed, with which the sample could be built again.
"""

import json
import random
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import accumulate
from math import isnan
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple

from zs_bench.baselines import naive_answers
from zs_bench.benchmarks import Task
from zs_bench.dataset.rows import read_examples
from zs_bench.errors import UnusableInput
from zs_bench.files.formats import read_plain
from zs_bench.files.input_files import InputFile
from zs_bench.files.writing import write_whole
from zs_bench.inputs import GAP, compose
from zs_bench.problems import short
from zs_bench.reports.html import render
from zs_lab.build.reading import Origin, Record, open_file, read_dates
from zs_lab.build.tell_tales import Hit
from zs_metric.scoring import score_texts

_NAMED = 5  # how many names of what was left out are shown


def option(about: str, *, default: object, least: int = 1) -> Any:
    """Return a field of a builder's options that is an option of the command, with its help and the least number."""
    return field(default=default, metadata={"help": about, "least": least})


@dataclass(frozen=True, slots=True)
class Options:
    """The options of every builder."""

    day: str = "date"  # the column of the date
    since: date | None = None  # leave out texts that are older than this day, or have no date
    accept: bool = False  # keep texts with tell-tales, which have been reviewed


class NewExample(NamedTuple):
    """One example: its units are reviews, summaries or paragraphs, of these days; each reference becomes a row."""

    id: str
    units: Sequence[str]
    references: Sequence[str]
    query: str | None = None
    days: Sequence[date] = ()


@dataclass(slots=True)
class NewSample:
    """The examples of a task that were built from one's own texts."""

    task: Task
    examples: list[NewExample] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)  # why records, units or examples were left out: how many
    named: dict[str, list[str]] = field(default_factory=dict)  # for some reasons, the names of what was left out
    hits: list[Hit] = field(default_factory=list)  # passages of the texts that may give the answer away
    notes: list[str] = field(default_factory=list)  # on the references: not public if these are private

    def drop(self, why: str, name: str | None = None) -> None:
        """Count what was left out, and keep its name if it has one."""
        self.dropped[why] += 1
        if name is not None:
            self.named.setdefault(why, []).append(short(name))

    def drop_if(self, *reasons: tuple[object, str], name: str | None = None) -> bool:
        """Drop what the first of these reasons is true of; returns whether one is."""
        why = next((why for is_so, why in reasons if is_so), None)
        if why:
            self.drop(why, name)
        return why is not None

    def left_out(self) -> list[str]:
        """Return a phrase for each reason: what was left out, how many, and the first names."""
        phrases = []
        for why, count in self.dropped.most_common():
            names = self.named.get(why, [])
            shown = [*names[:_NAMED], *(["…"] if len(names) > _NAMED else [])]
            phrases.append(f"{why}: {count:,}" + (f" ({', '.join(shown)})" if shown else ""))
        return phrases

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows, one per reference, with all fields of the Hub's data."""
        template, rows = self.task.template, []
        if template is None:
            raise ValueError(f"{self.task} has no prompt template")
        for example in self.examples:
            count = len(example.units) if "{N}" in template.instruction else None
            prompt, indices = compose(self.task, GAP.join(example.units), example.query, summaries=count)
            lengths = (len(unit) + len(GAP) for unit in example.units[:-1])
            fields = {
                **indices._asdict(),
                "truncation_seperator": template.separator,
                "inner_docs_start_indices": list(accumulate(lengths, initial=indices.document_start_index)),
            }
            for number, reference in enumerate(example.references):
                ids = {"id": example.id, "pid": f"{example.id}_{number}"}
                rows.append({**ids, "input": prompt, "output": reference, **fields})
        return rows


class EmptySample(UnusableInput):
    """No example could be built; `hits` are the passages to review."""

    def __init__(self, why: str, sample: NewSample) -> None:
        super().__init__(why, "; ".join(sample.left_out()) or None)
        self.hits = sample.hits


def recent(
    records: Iterable[Record], options: Options, sample: NewSample, columns: Mapping[str, str | None]
) -> Iterator[tuple[int, Record, list[date]]]:
    """Yield the records that are new enough, each with its number from 1 and its day, if it has one.

    `columns` are those that a builder reads, each with the option that names another column, or `None`. Raises
    `UnusableInput` when the first record lacks one of them, or, with `since`, when no date can be read.
    """
    rows = list(records)
    for column, named_by in columns.items() if rows else ():
        _require(rows[0], column, f"name yours with {named_by}" if named_by else f"a record needs {', '.join(columns)}")
    days = read_dates(row.get(options.day) for row in rows)
    unread = [number for number, day in enumerate(days, start=1) if day is None]
    if options.since and unread:
        if not any(options.day in row for row in rows):
            _require(rows[0], options.day, "name the column of the date with --day")
        first = f"the first is {short(text_of(rows[unread[0] - 1], options.day))!r}, record {unread[0]}"
        if len(unread) == len(rows):
            whole = f"none of the {len(rows):,} dates in column {short(options.day)!r} can be read; {first}"
            raise UnusableInput(f"{whole}; write them as 2026-01-31, or name another column with --day")
        sample.dropped[f"records without a date that can be read ({first})"] = len(unread)
    for number, (row, day) in enumerate(zip(rows, days, strict=True), start=1):
        if options.since is None or (day is not None and day >= options.since):
            yield number, row, [day] if day else []
        elif day is not None:
            sample.drop(f"records older than {options.since}")


def _require(record: Record, column: str, step: str) -> None:
    if column not in record:
        columns = ", ".join(short(name) for name in record)
        raise UnusableInput(f"there is no column {short(column)!r}, the columns are {columns}; {step}")


def text_of(record: Record, column: str) -> str:
    """Return the text under a column of the record, empty if there is none."""
    value = record.get(column)
    missing = value is None or (isinstance(value, float) and isnan(value))
    return "" if missing else str(value).strip()


def seeded_random(seed: int, *names: str) -> random.Random:
    """Return a random generator that depends on the seed and these names only, not on what is drawn elsewhere."""
    return random.Random("\0".join((str(seed), *names)))  # noqa: S311 - a sample, not a secret


Row = Mapping[str, Any]
_CONSTANTS = 101  # how many references are tried as the answer to every example: no fewer than the percentages


def write_sample(
    sample: NewSample,
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

    Raises `UnusableInput` when the sample does not pass its check, or another split in the folder holds the references
    that are to be private. Nothing is written then.
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
            rows = read_plain(open_file(path))
            if any(row.get("output") is not None and str(row.get("id")) in ids for _, row in rows):
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
    examples, _ = read_examples(InputFile.in_memory(f"{task}.jsonl", lines.encode()), task)
    answers = naive_answers(task, examples)
    texts = [answers[row.id] for row in examples]
    return score_texts(task.metric, texts, [row.references for row in examples]).score


def best_constant(sample: NewSample) -> tuple[str, float]:
    """Return the most frequent reference that scores most if it is the answer to every example, and its points."""
    references = [list(example.references) for example in sample.examples]
    counts = Counter(text for texts in references for text in texts)
    scores = {
        answer: score_texts(sample.task.metric, [answer] * len(references), references).score
        for answer, _ in counts.most_common(_CONSTANTS)
    }
    best = max(scores, key=lambda answer: scores[answer])
    return best, scores[best]


def _description(
    sample: NewSample,
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


def _on_references(sample: NewSample, rows: Sequence[Row]) -> list[str]:
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
