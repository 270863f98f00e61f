"""Repeat the evidence of docs/how-we-know.md: `make evidence`.

It downloads, into `.cache/evidence`, what other people published: the released evaluators from the Hub's dataset
repositories, and files of predictions with the numbers that the released SCROLLS evaluator recorded for them. It runs
the released code beside ours on random texts, scores those files, and prints a table of what agrees. Nothing of it is
part of this project. The code that it runs is other people's: run it where you would run theirs.

What is read is printed with its SHA-256. Files on GitHub are named by commit, and their answers and numbers are in
`RUNS`. Of the Hub's repositories neither a commit nor a file has been seen here: they are read at `main` unless
`--revision` names a commit, and `--pinned FILE` refuses what has another SHA-256 than FILE says, in lines as they are
printed. A file that lies in the folder already is not downloaded again: without a network,
put the files that are named as missing there.
"""

import argparse
import hashlib
import json
import random
import re
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from zs_bench.benchmarks import find_task
from zs_bench.errors import UnusableInput
from zs_bench.reports.tables import Table
from zs_metric.scoring import score_text, score_texts

FOLDER = Path(".cache/evidence")
HUB, GITHUB = "https://huggingface.co", "https://raw.githubusercontent.com"
GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "independent.jsonl"
#: The released evaluators print four decimals.
TOLERANCE = 0.5e-4 + 1e-9
_TIMEOUT = 60
_SIBLING = re.compile(r"^\s*from \.(\w+) import", re.MULTILINE)
_ENTRY = re.compile(r"^Validation ID: ", re.MULTILINE)

#: A released evaluator: the Hub's dataset repository, and its main file; those that this imports lie beside it.
RELEASED = {
    "zero_scrolls": ("tau/zero_scrolls", "metrics/zero_scrolls.py"),
    "scrolls": ("tau/scrolls", "metrics/scrolls.py"),
}
#: By scorer: a task that it scores, and its benchmark. `rouge` is the same in both.
SCORERS = {
    "rouge": ("gov_report", "zero_scrolls"),
    "f1": ("qasper", "zero_scrolls"),
    "accuracy": ("quality", "zero_scrolls"),
    "exp_similarity": ("space_digest", "zero_scrolls"),
    "concordance_index": ("book_sum_sort", "zero_scrolls"),
    "scrolls_f1": ("qasper", "scrolls"),
    "scrolls_exact_match": ("quality", "scrolls"),
}
#: The repository of the recorded numbers, at a commit, and its folder.
RECORDED = ("Leonard907/scrolls_ilcc", "c40d4a8c8df31ba7cb1ebf8d2eea2a4495190f27", "evaluator")


@dataclass(frozen=True)
class Recorded:
    """Predictions with a recorded score: folder, task of SCROLLS, scorer, and the files of answers and of the log.

    `answers` and `score` are how many there are and what was recorded at the commit.
    """

    folder: str
    task: str
    scorer: str
    answers: int
    score: float
    predictions: str
    log: str

    @property
    def paths(self) -> list[str]:
        """The paths of predictions, log and recorded metrics in the repository."""
        names = (self.predictions, self.log, f"{self.task}_metrics.json")
        return [f"{RECORDED[2]}/{self.folder}/{name}" for name in names]


_QASPER, _CNLI = "qasper_validation_predictions.json", "cnli_validation_predictions.json"
_F1, _EXACT, _CNLI_LOG = "scrolls_f1", "scrolls_exact_match", "cnli_raw_results_default.txt"
RUNS = tuple(
    Recorded(*row)
    for row in (
        ("qasper/regular_prompt_v1.1", "qasper", _F1, 984, 40.2474, _QASPER, "qasper_raw_results_default.txt"),
        ("qasper/regular_cot_prompt_500_v1.1", "qasper", _F1, 984, 32.8621, _QASPER, "qasper_raw_results_cot.txt"),
        (
            *("qasper/regular_cot_one_real_example_500_v1.1", "qasper", _F1, 984, 32.9936),
            *(_QASPER, "qasper_raw_results_cot_ex.txt"),
        ),
        (
            *("narrative_qa/regular_prompt_v1.1", "narrative_qa", _F1, 3_425, 31.9797),
            *("narrative_qa_validation_predictions.json", "narrative_qa_raw_results_default.txt"),
        ),
        (*("cnli/multiple_choice_prompt_v1.1", "contract_nli", _EXACT, 1_037, 69.4311), _CNLI, _CNLI_LOG),
        (*("cnli/multiple_choice_cot_prompt_v1.1", "contract_nli", _EXACT, 1_037, 60.6557), _CNLI, _CNLI_LOG),
        (
            *("cnli/multiple_choice_cot_prompt_real_example_v1.1", "contract_nli", _EXACT, 1_037, 54.4841),
            *("cnli_validation_predictions_combined.json", "cnli_raw_results_add_one_real_example.txt"),
        ),
    )
)


@dataclass
class Files:
    """The cache: files that lie in `folder`, or come from the Hub or GitHub; `read` and `missing` are what happened.

    `pinned` has SHA-256 by name; a file of a name there with another is not read and among the `others`.
    """

    folder: Path
    hub: str = HUB
    github: str = GITHUB
    revisions: dict[str, str] = field(default_factory=dict)
    read: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    pinned: dict[str, str] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)

    def released(self, repo: str, path: str) -> Path | None:
        """Return a file of a dataset repository of the Hub, or `None`."""
        revision = self.revisions.get(repo, "main")
        return self._file(f"{repo}/{revision}/{path}", f"{self.hub}/datasets/{repo}/resolve/{revision}/{path}")

    def recorded(self, path: str) -> Path | None:
        """Return a file of the repository of the recorded numbers, or `None`."""
        repo, commit, _ = RECORDED
        return self._file(f"{repo}/{commit}/{path}", f"{self.github}/{repo}/{commit}/{path}")

    def _file(self, name: str, address: str) -> Path | None:
        path = self.folder / name
        if not path.is_file():
            try:
                with urlopen(Request(address), timeout=_TIMEOUT) as reply:  # noqa: S310 - the addresses are ours or the user's
                    content = reply.read()
            except (URLError, OSError) as error:
                self.missing.append(f"{path}\n    from {address} ({error})")
                return None
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        line = f"{digest}  {name}"
        if self.pinned.get(name, digest) != digest:
            self.others += [line] if line not in self.others else []
            return None
        self.read += [line] if line not in self.read else []
        return path


# ---- The released code


class ReleasedMetric:
    """What the released evaluators need of `datasets.Metric`, which newer versions of that package do not have."""

    def __init__(self, config_name: str) -> None:
        self.config_name = config_name

    def compute(self, *, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, Any]:
        return self._compute(predictions, references)  # type: ignore[attr-defined, no-any-return]


@contextmanager
def _older_datasets() -> Iterator[None]:
    """Let `import datasets` give what the released evaluators use of it."""

    def nothing(*_: object, **__: object) -> None:
        return None

    module = types.ModuleType("datasets")
    names = dict.fromkeys(("MetricInfo", "Features", "Value", "Sequence"), nothing)
    file_utils = types.SimpleNamespace(add_start_docstrings=lambda *_: lambda decorated: decorated)
    vars(module).update(names, Metric=ReleasedMetric, utils=types.SimpleNamespace(file_utils=file_utils))
    kept = sys.modules.get("datasets")
    sys.modules["datasets"] = module
    try:
        yield
    finally:
        sys.modules.pop("datasets")
        if kept is not None:
            sys.modules["datasets"] = kept


def released_metric(files: Files, benchmark: str) -> type[ReleasedMetric]:
    """Return the class of the released evaluator; raises `UnusableInput` with the reason where it cannot be loaded."""
    repo, path = RELEASED[benchmark]
    folder, waiting, main = Path(path).parent.as_posix(), [path], None
    loaded = set[str]()
    while waiting:
        name = waiting.pop()
        loaded.add(name)
        if (file := files.released(repo, name)) is None:
            raise UnusableInput("files are missing, or other than pinned")
        main = main or file
        found = (f"{folder}/{other}.py" for other in _SIBLING.findall(file.read_text(encoding="utf-8")))
        waiting += [other for other in found if other not in loaded]
    if main is None:
        raise UnusableInput("files are missing")
    package = f"released_{benchmark}"
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:  # of other files
        del sys.modules[name]
    parent = types.ModuleType(package)
    parent.__path__ = [str(main.parent)]
    sys.modules[package] = parent
    with _older_datasets():
        try:
            module = import_module(f"{package}.{main.stem}")
        except ImportError as error:
            raise UnusableInput(f"{error}; make evidence installs it") from None
    classes = (value for value in vars(module).values() if isinstance(value, type))
    return next(each for each in classes if issubclass(each, ReleasedMetric) and each is not ReleasedMetric)


# ---- Random texts

_WORDS = (
    *("the", "a", "an", "report", "budget", "cat", "Paris", "x-ray", "don't", "“quoted”", "’s", "café", "naïve", "²"),
    *("A", "(B)", "C.", "D", "b", "50%", "7.5 %", "100%", "33.3%", "3", "12", ",", "-", "—", ".", "\n", "İ", "ß", "ﬁ"),
    *("yes", "no", "unanswerable", "The", "A.", "and", "①", "日本"),
)


def texts_for(scorer: str, chance: random.Random) -> tuple[str, list[str]]:
    """Return a random answer and its references, of which the scorer can read something."""

    def text(most: int = 14) -> str:
        return chance.choice((" ", " ", "", "\t")).join(chance.choices(_WORDS, k=chance.randint(0, most)))

    if scorer == "accuracy":
        return text(), [chance.choice("ABCD")]
    if scorer == "exp_similarity":
        return chance.choice((text(), f"about {chance.randint(0, 100)}%")), [f"{chance.randint(0, 100)}%"]
    if scorer == "concordance_index":
        truth = chance.sample(range(1, 12), chance.randint(2, 9))
        order = chance.choice((truth, chance.sample(truth, len(truth)), [*truth[1:], chance.randint(1, 12)]))
        return chance.choice((", ", ",", " ")).join(map(str, order)), [", ".join(map(str, truth))]
    references = [text() for _ in range(chance.randint(1, 3))]
    return chance.choice((text(), references[0], f"{references[0]} {text(4)}")), references


@dataclass
class Row:
    """Of a scorer: how many cases or answers agree of how many, per kind of evidence; None where there is none."""

    released: str = "-"
    recorded: str = "-"
    independent: str = "-"
    differs: bool = False
    failed: bool = False  # whether the released code was not run


def beside_released(metric: Any, scorer: str, cases: int, seed: int) -> tuple[str, str]:
    """Run the released code and ours on random texts; return how many agree, and the first that does not."""
    task, benchmark = SCORERS[scorer]
    chosen, chance = find_task(task, benchmark=benchmark), random.Random(f"{scorer} {seed}")  # noqa: S311
    evaluator, equal, first = metric(config_name=task), 0, ""
    for _ in range(cases):
        answer, references = texts_for(scorer, chance)
        theirs = evaluator.compute(predictions=[answer], references=[references])[chosen.benchmark.score_key]
        ours = score_texts(chosen.metric, [answer], [references]).score
        if abs(theirs - ours) <= TOLERANCE:
            equal += 1
        elif not first:
            first = f"{answer!r} against {references!r}: {theirs} there, {ours:.4f} here"
    return f"{equal:,} of {cases:,}", first


def references_in_log(text: str) -> dict[str, list[str]]:
    """Return the references by id of a log with "Validation ID:", "Question:", "Answer:" and "True answer:"."""
    references: dict[str, list[str]] = {}
    for entry in _ENTRY.split(text)[1:]:
        id_, _, rest = entry.partition("\n")
        _, _, reference = rest.rpartition("\nTrue answer: ")
        references.setdefault(id_.strip(), []).append(reference.rstrip("\n"))
    return references


def beside_recorded(run: Recorded, paths: Sequence[Path]) -> tuple[int, float, float]:
    """Return the number of answers of a run, the recorded score, and ours."""
    predictions, log, metrics = (path.read_text(encoding="utf-8") for path in paths)
    answers, references = json.loads(predictions), references_in_log(log)
    if lacking := [id_ for id_ in answers if id_ not in references]:
        raise UnusableInput(f"{paths[1]} has no reference of {len(lacking):,} answers, the first {lacking[0]}")
    rows = [(answer, references[id_]) for id_, answer in answers.items()]
    metric = find_task(run.task, benchmark="scrolls").metric
    scored = score_texts(metric, *map(list, zip(*rows, strict=True)))
    return len(rows), json.loads(metrics)["scrolls_score"], scored.score


def beside_independent(scorer: str) -> tuple[str, bool]:
    """Return how many of the stored scores of an independent implementation are ours, and whether one is not."""
    rows = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["metric"] == scorer]
    task, benchmark = SCORERS[scorer]
    metric = find_task(task, benchmark=benchmark).metric

    def agrees(row: dict[str, Any]) -> bool:
        result = score_text(metric, row["prediction"], row["references"])
        if result.rouge:
            return all(abs(part.fmeasure - row[name]) < 1e-9 for name, part in result.rouge.items())
        return bool(abs(result.score - row["score"]) < 1e-9)

    equal = sum(map(agrees, rows))
    return f"{equal:,} of {len(rows):,}", equal < len(rows)


def evidence(files: Files, cases: int, seed: int, say: Callable[[str], None]) -> dict[str, Row]:
    """Return what agrees, by scorer; `say` gets a line for each file of predictions and for what could not be run."""
    rows = {scorer: Row() for scorer in SCORERS}
    metrics: dict[str, Any] = {}
    for benchmark in RELEASED:
        try:
            metrics[benchmark] = released_metric(files, benchmark)
        except UnusableInput as error:
            say(f"The released evaluator of {benchmark} was not run: {error}.")
            for scorer in (scorer for scorer, (_, its) in SCORERS.items() if its == benchmark):
                rows[scorer].failed = True
    for scorer, row in rows.items():
        row.independent, row.differs = beside_independent(scorer)
        if metric := metrics.get(SCORERS[scorer][1]):
            try:
                row.released, first = beside_released(metric, scorer, cases, seed)
                row.differs |= bool(first)
                say(f"{scorer}: {row.released}{f', not {first}' if first else ''}")
            except Exception as error:  # noqa: BLE001 - whatever other people's code raises
                row.failed = True
                say(f"The released {scorer} failed: {type(error).__name__}: {error}")
    counts: dict[str, list[tuple[int, bool]]] = {}
    for run in RUNS:
        paths = [files.recorded(path) for path in run.paths]
        if None in paths:
            continue
        number, recorded, ours = beside_recorded(run, [path for path in paths if path])
        known = (number, round(recorded, 4)) == (run.answers, run.score)
        counts.setdefault(run.scorer, []).append((number, known and abs(recorded - ours) <= TOLERANCE))
        other = "" if known else f", not the {run.answers:,} of {run.score} at the commit"
        say(f"{run.folder}: {number:,} answers, recorded {recorded:.4f}, here {ours:.4f}{other}")
    for scorer, runs in counts.items():
        same = sum(number for number, is_same in runs if is_same)
        rows[scorer].recorded = f"{same:,} of {sum(number for number, _ in runs):,}"
        rows[scorer].differs |= not all(is_same for _, is_same in runs)
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return 0, or 1 where something differs or released code was not run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=FOLDER, help=f"where the files lie. Default: {FOLDER}")
    parser.add_argument("--cases", type=int, default=2_000, help="random cases for each scorer. Default: 2,000")
    parser.add_argument("--seed", type=int, default=0, help="of the random texts. Default: 0")
    parser.add_argument("--hub", default=HUB, help=f"address of the Hub. Default: {HUB}")
    parser.add_argument("--github", default=GITHUB, help=f"address of GitHub's raw files. Default: {GITHUB}")
    parser.add_argument("--revision", action="append", default=[], metavar="REPO=COMMIT", help="a repository's commit")
    parser.add_argument("--pinned", type=Path, metavar="FILE", help="lines of SHA-256 and file, which must be these")
    options = parser.parse_args(arguments)
    revisions = dict(text.partition("=")[::2] for text in options.revision)
    files = Files(options.folder, options.hub, options.github, revisions)
    if options.pinned:
        lines = options.pinned.read_text(encoding="utf-8").splitlines()
        files.pinned = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    rows = evidence(files, options.cases, options.seed, print)
    head = ("scorer", "released code, random texts", "recorded by it, answers", "an independent version, random texts")
    table = Table(head, [(name, row.released, row.recorded, row.independent) for name, row in rows.items()])
    print(f"\n{table.text()}\n\n-: not run, or none. Recorded numbers are known of SCROLLS' F1 and exact match only.")
    if files.read:
        print("\nRead, with SHA-256. GitHub's files are of the commit in their names. No commit or file of the Hub was")
        print("seen here: its files are pinned only to a commit in a name, or by --pinned, which takes these lines:")
        print("\n".join(files.read))
    if files.others:
        print("\nNot read, since their SHA-256 is another than pinned:")
        print("\n".join(files.others))
    if files.missing:
        print("\nMissing. Put each here, and run it again:")
        print("\n".join(files.missing))
    return int(bool(files.others) or any(row.differs or row.failed for row in rows.values()))


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        sys.exit(main())
