"""The signature of a score: everything that must be equal for two scores to be comparable, on one line.

In the manner of sacrebleu (Post 2018, A Call for Clarity in Reporting BLEU Scores, WMT):

    ZS|tasks:all|source:validation|data:sha256:ab12cd34ef56|n:470/473|rouge:corpus|stem:no
    |norm:lower-punct-art-ws-unidecode|post:none|engine:rouge-score-rs-0.2.1|unidecode:1.4.0|ci:jackknife-t|v:0.1.0

without the line break. `ci` names the method of the intervals. `source` is left out if unknown. For the folder of a
run, `run:` follows `post`: the form of the prompts unless it is the canonical one, and how many prompts were cut,
trimmed or lost. For one's own benchmark, the hash of its definition, `def:`, comes first.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from zs_bench.benchmarks import DEFAULT, Benchmark, find_benchmark, find_task
from zs_bench.statistics.intervals import METHOD
from zs_metric.errors import EmptyInput
from zs_metric.rouge import engine
from zs_metric.texts import clean_references, clean_text
from zs_metric.version import VERSION, installed_version

# The codes of the steps of F1's normalisation.
_STEPS = {
    "lowercase": "lower",
    "punctuation": "punct",
    "articles": "art",
    "whitespace": "ws",
    "transliteration": "unidecode",
}
# The name of each field in a message about a difference, and the effect of the difference.
_MEANINGS: Mapping[str, tuple[str, str]] = {
    "benchmark": ("benchmark", "these are two different things"),
    "source": ("references from", "other examples, or the same under another name"),
    "data": ("references", "other examples or other reference texts"),
    "rouge": ("ROUGE aggregation", "ROUGE tasks and the average differ for that alone"),
    "normalisation": ("normalisation of F1", "F1 tasks and the average differ for that alone"),
    "engine": ("ROUGE engine", "the two engines here give equal numbers; others may not"),
    "unidecode": ("unidecode", "its tables change; rare characters may match in one and not in the other"),
    "version": ("zero-scrolls", "see the change log"),
    "run": ("prompts", "a model scores by what it has read"),
    "post": ("answers processed by", "these are not the same answers"),
}


@dataclass(frozen=True, slots=True)
class Signature:
    """The data and settings behind a score; `str()` gives the line.

    `data` is the `reference_hash`; `answers` and `missing` count examples; `run` counts the cut, trimmed and lost
    prompts, or `whole`, and is empty if unknown.
    """

    tasks: tuple[str, ...]
    data: str
    answers: int
    missing: int
    engine: str
    unidecode: str
    version: str
    normalisation: str
    source: str | None = None
    rouge: str = "corpus"
    post: tuple[str, ...] = ()
    benchmark: Benchmark = field(default_factory=find_benchmark)
    run: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = {
            "def": (self.benchmark.hash,),
            "tasks": ("all",) if self.tasks == tuple(self.benchmark.tasks) else self.tasks,
            "source": (self.source or "",),
            "data": (self.data,),
            "n": (f"{self.answers}/{self.answers + self.missing}",),
            "rouge": (self.rouge,),
            "stem": ("no",),
            "norm": (self.normalisation,),
            "post": self.post or ("none",),
            "run": self.run,
            "engine": (self.engine,),
            "unidecode": (self.unidecode,),
            "ci": (METHOD,),
            "v": (self.version,),
        }
        texts = {name: ",".join(quote(value, ":/+@", errors="replace") for value in parts[name]) for name in parts}
        return "|".join([self.benchmark.code, *(f"{name}:{text}" for name, text in texts.items() if text)])


def of_this_installation(benchmark: Benchmark) -> dict[str, Any]:
    """The fields that do not depend on what is scored, for a benchmark scored here."""
    return {
        "engine": engine().name.replace(" ", "-"),
        "unidecode": installed_version("unidecode", "unidecode"),
        "version": VERSION,
        "normalisation": "-".join(_STEPS[step] for step in benchmark.normalization),
        "benchmark": benchmark,
    }


def reference_hash(references: Mapping[str, Mapping[str, Sequence[str]]], *, benchmark: object = DEFAULT) -> str:
    """A hash of `{task: {id: references}}`: the first 12 digits of the SHA-256 of its canonical JSON.

    The order of tasks, ids and references does not matter, since no score depends on it. Unusable references raise
    `UnknownTask`, `NotAText` or `UnreadableReference`; none at all, `EmptyInput`.

    >>> reference_hash({"quality": {"1_x": ["B"], "2_y": ["C"]}})
    'sha256:49aef7744d5e'
    """
    rows = [
        [find_task(task, benchmark=benchmark).name, clean_text(id_, "id"), sorted(clean_references(texts))]
        for task, examples in references.items()
        for id_, texts in examples.items()
    ]
    if not rows:
        raise EmptyInput("references")
    text = json.dumps(sorted(rows), ensure_ascii=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()[:12]


def differences(a: Signature, b: Signature) -> list[str]:
    """The differences between two signatures, a sentence each; empty if their scores are comparable.

    >>> from dataclasses import replace
    >>> a = Signature(("qasper",), "sha256:0", 5, 0, "rouge-score-0.1.2", "1.4.0", "0.1.0", "lower")
    >>> differences(a, replace(a, version="0.2.0"))
    ['zero-scrolls: 0.1.0 against 0.2.0 (see the change log)']
    """
    sentences = []
    pairs = (("first", a, b), ("second", b, a))
    only = {side: [task for task in each.tasks if task not in other.tasks] for side, each, other in pairs}
    if parts := [f"only the {side} has {', '.join(tasks)}" for side, tasks in only.items() if tasks]:
        sentences.append(f"tasks: {'; '.join(parts)} (an average over other tasks is another number)")
    if (a.answers, a.missing) != (b.answers, b.missing):
        counts = " against ".join(f"{each.answers} of {each.answers + each.missing}" for each in (a, b))
        sentences.append(f"answers: {counts} examples (the rest is left out of the score)")
    for key, (name, meaning) in _MEANINGS.items():
        values = getattr(a, key), getattr(b, key)
        if values[0] == values[1] or (key == "run" and not all(values)):  # only one of them is a run
            continue
        without = "no rule" if key == "post" else "unknown"
        texts = [", ".join(value) if isinstance(value, tuple) else f"{value or ''}" for value in values]
        sentences.append(f"{name}: {' against '.join(text or without for text in texts)} ({meaning})")
    return sentences
