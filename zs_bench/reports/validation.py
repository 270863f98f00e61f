"""Validation of files and of data for a terminal: what is wrong, what was repaired or fetched, metric variants."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from zs_bench.dataset.inspection import Loaded, broken_rules
from zs_bench.dataset.measures import measure
from zs_bench.dataset.source import EXAMPLES, Source
from zs_bench.problems import counted, lines, short
from zs_bench.reports.tables import Table, few, listed
from zs_bench.scoring.scored import ScoredFile
from zs_bench.validation.known_ids import IDS_SCHEMA
from zs_bench.validation.rules import OFFERED
from zs_bench.validation.validate import Validation
from zs_bench.variants import AVERAGE, OFFICIAL
from zs_metric.errors import ZeroScrollsError


def validation_as_text(validation: Validation, *, verdict: bool = True, command: str = "--fix OUT.csv") -> str:
    """Return the tasks in numbers, everything that is wrong, the possible repairs, and, if wanted, the verdict.

    `command` makes the safe repairs, and with more options the others.
    """
    files, ids = validation.read.files, validation.known_ids
    text = [
        f"{file.name}: {file.format}, {counted(file.rows, 'row')}" if file.format else f"{file.name}: not readable"
        for file in files[:12]
    ]
    text += [f"… and {counted(len(files) - 12, 'more file')}"] if len(files) > 12 else []
    if not ids.lists:
        text.append("IDs: none; check against some with --references, --ids or --source")
    elif ids.by_overlap and len(ids.lists) > 1:
        text.append(f"IDs: {ids.lists[0].source.label}, for each task the split with most of its IDs")
    else:
        text.append(f"IDs: {ids.lists[0]}")
    is_of_paper = any(counts.published for counts in validation.counts.values())
    columns = 3 if is_of_paper else 2
    rows = [
        (task, *("?" if count is None else f"{count:,}" for count in counts[:columns]))
        for task, counts in validation.counts.items()
    ]
    if rows:
        head = ("task", "answers", "IDs", "paper's test split")[: columns + 1]
        text += ["", Table(head, rows, right=range(1, columns + 1)).text()]
    text += _wrong("Wrong", validation)
    text += listed("Warnings", lines(problem for problem in validation.problems if not problem.is_error))
    text += listed("Repairs", _repairs(validation, command))
    if verdict:
        official = [file.format for file in files] == ["official CSV"]
        what = "the official file" if is_of_paper else "one file of all answers"
        next_step = "" if official or not validation.ready else f" {command} writes {what}."
        text += ["", _verdict(validation) + next_step]
    return "\n".join(text)


def repaired_as_text(repaired: Validation, out: str) -> str:
    answers, changes = counted(len(repaired.answers), "answer"), counted(len(repaired.changes), "change")
    if not repaired.answers:  # what is wrong has been listed before
        return f"\n{out} was not written: no answer could be read.\n\n{_verdict(repaired)}"
    changed = (f"- {change}" for change in repaired.changes)
    written = f"Written to {out}: {answers}, {changes}."
    return "\n".join(["", written, *changed, *_wrong("Still wrong", repaired), "", _verdict(repaired)])


def _wrong(title: str, validation: Validation) -> list[str]:
    return listed(title, lines(problem for problem in validation.problems if problem.is_error))


def _verdict(validation: Validation) -> str:
    return validation.verdict[:1].upper() + validation.verdict[1:] + "."


def _repairs(validation: Validation, command: str) -> list[str]:
    repairs, offers = [], validation.offers
    if safe := sum(problem.repair is not None and problem.repair.safe for problem in validation.problems):
        repairs.append(f"{command}: {counted(safe, 'repair')} that cannot change the score of a valid answer")
    filled = sum(offers.pop(kind, 0) for kind in ("missing", "missing-task"))
    repairs += [f"{command} --accept {kind}: {OFFERED[kind]} ({number:,})" for kind, number in offers.items()]
    return repairs + ([f"{command} --fill-missing: give missing ids an empty answer, which scores 0"] if filled else [])


def variants_as_text(rescored: Mapping[str, Any]) -> str:
    """Return the result of `zs_bench.variants.rescored_file`: what each variant of the metrics changes.

    Last it says which of them gives the reported numbers.
    """
    rows = []
    for name, variant in rescored["variants"].items():
        changes = [f"{task} {delta:+.4f}" for task, delta in variant["deltas"].items() if abs(delta or 0) >= 0.00005]
        average = variant["scores"][AVERAGE]
        none = "" if name == OFFICIAL else "none"
        rows.append((name, "-" if average is None else f"{average:.4f}", ", ".join(changes) or none))
    text = [Table(("variant", AVERAGE, "difference from the official scores"), rows, right=[1]).text()]
    if (given_by := rescored["given_by"]) is not None:
        reported = ", ".join(f"{name} {points}" for name, points in rescored["reported"].items())
        text += ["", f"Reported: {reported}{', as shares of 1' if rescored['shares'] else ''}."]
        text += [f"The variant {name!r} gives exactly this: {rescored['variants'][name]['does']}" for name in given_by]
        text += [] if given_by else ["No known variant gives this on these answers."]
    return "\n".join(text)


def _not_there(scored: ScoredFile) -> str:
    """What is said of a named field of scores that no file has, with the fields that there are."""
    files = [file for file in scored.validation.read.files if file.header and "score" in file.columns]
    if not files or any(file.columns["score"] in file.header for file in files):
        return ""
    return f" in {short(files[0].columns['score'])!r}; the fields are {short(','.join(files[0].header), 200)!r}"


def certificate_as_text(result: Mapping[str, Any], scored: ScoredFile) -> str:
    """Return the result of `zs_bench.variants.certify`, with the first differences of each task."""
    text: list[str] = []
    for name, found in result["tasks"].items():
        text += [""] if text else []
        if found is None:
            text.append(f"{name}: no recorded score{_not_there(scored)}. --columns score=NAME says which field has it.")
            continue
        differences, what = found["differences"], f"{found['recorded']}{' (0 to 1)' if found['shares'] else ''}"
        agree = f"the recorded {what} is the official score for {found['agree']:,} of {found['answers']:,} answers"
        means = f"mean {found['mean']:.4f}, official {scored.tasks[name].score:.4f}"
        text.append(f"{name}: {agree}; {means}.")
        if found["unrecorded"]:
            text.append(f"{counted(found['unrecorded'], 'answer')} without a recorded score.")
        if differences:
            answers = {answer.id: answer.text for answer in scored.tasks[name].answers}
            rows = []
            for row in differences[:10]:
                points = (f"{row[name]:.2f}" for name in ("recorded", "official"))
                rows.append((short(row["id"], 40), *points, short(answers[row["id"]], 50)))
            text.append(Table(("id", "recorded", "official", "answer"), rows, right=(1, 2)).text())
            text += [f"… and {len(differences) - 10:,} more: --json OUT"] if len(differences) > 10 else []
            given = found["given_by"]
            text.append(
                f"The variant {given['variant']!r} gives {given['agree']:,} of {given['tried']:,}: {given['does']}"
                if given
                else "No known variant of the metric gives more of them."
            )
    return "\n".join(text)


SCHEMA = "zero-scrolls-data/1"
# The columns of the measures: the head, which measure, which of its numbers, and its decimals.
_MEASURES = (
    ("words in", "words_in", "mean", 0),
    ("paper", "words_in", "published_mean", 0),
    ("words out", "words_out", "mean", 1),
    ("paper", "words_out", "published_mean", 1),
    ("spread", "spread", "mean", 1),
    ("median", "spread", "median", 1),
)
_MEASURES_NOTE = (
    "Words: averages, beside those of the paper. Spread: the standard deviation of the places, in words, at which the\n"
    "word pairs of an output first occur in the document; mean and median over the examples that have one."
)


@dataclass(frozen=True)
class SplitReport:
    """A split without its examples (which take half a gigabyte), and the ids that each rule of SCROLLS concerns."""

    loaded: Loaded
    ids: list[str]
    measures: dict[str, Any]
    cleaning: dict[str, list[str]]

    @property
    def named(self) -> str:
        """The split; the examples of this package are of none."""
        return EXAMPLES if self.loaded.source.kind == "embedded" else self.loaded.split


@dataclass
class DataReport:
    """The splits that were read; tasks, or tasks and splits, that could not be; and tasks that the source lacks."""

    splits: list[SplitReport] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)

    def add(self, loaded: Loaded) -> None:
        task, examples = loaded.task, loaded.examples
        ids, kept = [example.id for example in examples], replace(loaded, examples=[])
        self.splits.append(SplitReport(kept, ids, measure(task, examples), broken_rules(task, examples)))

    def ids_as_json(self) -> dict[str, Any]:
        """Return the ids by task, with split, source and revision; raises `ZeroScrollsError` for several splits."""
        splits = list(dict.fromkeys(split.loaded.split for split in self.splits))
        if len(splits) != 1:
            what = f"these are {' and '.join(splits)}" if splits else "nothing could be read"
            raise ZeroScrollsError(f"--ids takes the ids of one split, {what}; give one with --split")
        first = self.splits[0].loaded
        about: dict[str, Any] = {"benchmark": first.task.benchmark.name, "kind": first.source.kind}
        about |= {"source": first.source.label, "revision": first.source.commit}
        ids = {split.loaded.task.name: split.ids for split in self.splits}
        return {"schema": IDS_SCHEMA, **about, "split": splits[0], "ids": ids}

    def as_json(self) -> dict[str, Any]:
        splits = [
            {
                "benchmark": split.loaded.task.benchmark.name,
                "task": split.loaded.task.name,
                "split": split.loaded.split,
                "source": split.loaded.source.label,
                "revision": split.loaded.source.commit,
                **asdict(split.loaded.counts),
                "scorable": split.loaded.scorable,
                "findings": [problem.as_dict() for problem in split.loaded.findings],
                **split.measures,
                "cleaning": split.cleaning,
            }
            for split in self.splits
        ]
        return {"schema": SCHEMA, "splits": splits, "failed": self.failed}

    def as_text(self) -> str:
        """Return the tables, the sources, and what inspection found."""
        if not self.splits:
            return "Nothing could be read."
        text, cleaned = [*self._tables(), _MEASURES_NOTE], []
        for split in self.splits:
            name, ids = f"{split.loaded.task}, {split.named}", split.loaded.counts.ids
            if without := split.measures["undissected"]:
                text.append(f"{name}: the document of {without} of {ids} was not found.")
            if split.loaded.task.benchmark.cleaning_source:  # the JSON has it of all tasks
                broken = ((rule, some) for rule, some in split.cleaning.items() if some)
                cleaned += [f"{name}: {rule}: {len(some):,} of {ids:,} ({few(some)})" for rule, some in broken]
        every = [split.loaded for split in self.splits]
        sources = dict.fromkeys(part.source for part in every)
        text += ["", *map(_source_line, sources)]
        text += [f"Not in the source: {', '.join(self.absent)}."] if self.absent else []
        problems = [problem for split in every for problem in split.findings]
        others = dict.fromkeys(problem for problem in problems if not problem.is_error)
        text += listed("Not fit to score against", lines(problem for problem in problems if problem.is_error))
        text += listed("Found", lines(others))
        return "\n".join(text + listed("By the cleaning rules of SCROLLS (section 3.2)", cleaned))

    def _tables(self) -> Iterator[str]:
        counted, measured = [], []
        for split in self.splits:
            name, counts = (split.loaded.task.name, split.named), split.loaded.counts
            kinds = ", ".join(problem.kind for problem in split.loaded.findings)
            shares = (_share(counts.labelled, counts.rows), _share(counts.indexed, counts.ids))
            counted.append((*name, str(counts.rows), str(counts.ids), *shares, kinds or "none"))
            values = [((split.measures[what] or {}).get(number), digits) for _, what, number, digits in _MEASURES]
            numbers = ("" if value is None else f"{value:,.{digits}f}" for value, digits in values)
            measured.append((*name, *numbers, _share((split.measures["spread"] or {}).get("count", 0), counts.ids)))
        head = ("task", "split", "rows", "ids", "with reference", "index fields", "findings")
        yield from (Table(head, counted, right=range(2, 6)).text(), "")
        titles = (title for title, *_ in _MEASURES)
        yield Table(("task", "split", *titles, "with spread"), measured, right=range(2, 9)).text()


def _source_line(source: Source) -> str:
    written = ", written for this package" if source.kind == "embedded" else ""
    return f"Source: {source.label}{written}{f' ({source.commit})' if source.commit else ''}."


def _share(part: int, whole: int) -> str:
    return "all" if part == whole else f"{part} of {whole}" if part else "none"
