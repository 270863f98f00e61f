"""The signature of a score: everything that must be equal for two scores to be comparable.

It is one line, in the manner of sacrebleu (Post 2018, A Call for Clarity in Reporting BLEU Scores, WMT):

    ZS|tasks:all|source:validation|data:sha256:ab12cd34ef56|n:470/473|rouge:corpus|stem:no
    |norm:lower-punct-art-ws-unidecode|post:none|engine:rouge-score-rs-0.2.1|unidecode:1.4.0|ci:jackknife-t-unseen|v:0.1.0

without the line break. What stands for the metric are the settings and libraries of the metrics of the signed tasks.
`ci` names the method of the intervals; `runs:3`, after `n`, says that three runs of one system are averaged. `source`
is the split, `examples` for those of this package, and is left out if unknown. For the folder of a run, `run:` follows
`post`: the form of the prompts unless it is the canonical one, and how many prompts were cut, trimmed or lost. For
one's own benchmark, the hash of its definition, `def:`, comes first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from zs_bench.benchmarks import Benchmark
from zs_bench.statistics.intervals import METHOD
from zs_metric.version import VERSION

# What each part of a signature is in a message about a difference, and the effect of the difference.
_MEANINGS: Mapping[str, tuple[str, str]] = {
    "source": ("references from", "other examples, or the same under another name"),
    "data": ("references", "other examples or other reference texts"),
    "rows": ("rows scored", "some questions are answered more than once, and weigh more"),
    "rouge": ("ROUGE aggregation", "ROUGE tasks and the average differ for that alone"),
    "norm": ("normalisation of F1", "F1 tasks and the average differ for that alone"),
    "engine": ("ROUGE engine", "the two engines here give equal numbers; others may not"),
    "unidecode": ("unidecode", "its tables change; rare characters may match in one and not in the other"),
    "v": ("zero-scrolls", "see the change log"),
    "run": ("prompts", "a model scores by what it has read"),
    "post": ("answers processed by", "these are not the same answers"),
}
_OTHER = "the metric of some tasks is another one"


@dataclass(frozen=True, slots=True)
class Signature:
    """The data and settings behind a score; `str()` gives the line, of the parts that are not empty."""

    benchmark: Benchmark
    tasks: Sequence[str]
    parts: Mapping[str, Sequence[str]]

    def __str__(self) -> str:
        tasks = ("all",) if [*self.tasks] == [*self.benchmark.tasks] else self.tasks
        parts = {"def": (self.benchmark.hash,), "tasks": tasks, **self.parts}
        texts = {name: ",".join(quote(value, ":/+@", errors="replace") for value in parts[name]) for name in parts}
        return "|".join([self.benchmark.code, *(f"{name}:{text}" for name, text in texts.items() if text)])


def sign(
    benchmark: Benchmark,
    tasks: Sequence[str],
    data: str,
    counts: tuple[int, int],
    *,
    source: str | None = None,
    rouge: str = "corpus",
    post: Sequence[str] = (),
    run: Sequence[str] = (),
    rows: int = 0,
    runs: int = 0,
) -> Signature:
    """Return the signature of what is scored here: `data` is the `reference_hash`, `counts` are answers and examples.

    `runs` is the number of runs of one system, 0 for one. `run` counts the cut, trimmed and lost prompts, or is
    `whole`; it is empty if unknown.
    """
    metrics = [task.metric for name, task in benchmark.all_tasks.items() if name in tasks]
    parts = {
        "source": (source or "",),
        "data": (data,),
        "n": ("/".join(map(str, counts)),),
        "rows": (str(rows) if rows not in (0, counts[0]) else "",),
        "runs": (str(runs or ""),),
        "rouge": (rouge if any(metric.by_types for metric in metrics) else "",),
        **_values(metric.settings for metric in metrics),
        "post": post or ("none",),
        "run": run,
        **_values(libraries() for libraries in dict.fromkeys(metric.libraries for metric in metrics)),
        "ci": (METHOD,),
        "v": (VERSION,),
    }
    return Signature(benchmark, tasks, parts)


def _values(each: Iterable[Mapping[str, str]]) -> dict[str, Sequence[str]]:
    """The different values of each name, in their order."""
    values: dict[str, dict[str, None]] = {}
    for mapping in each:
        for name, value in mapping.items():
            values.setdefault(name, {})[value] = None
    return {name: tuple(of_name) for name, of_name in values.items()}


def differences(a: Signature, b: Signature) -> list[str]:
    """The differences between two signatures, a sentence each; empty if their scores are comparable."""
    sentences = []
    pairs = (("first", a, b), ("second", b, a))
    only = {side: [task for task in each.tasks if task not in other.tasks] for side, each, other in pairs}
    if parts := [f"only the {side} has {', '.join(tasks)}" for side, tasks in only.items() if tasks]:
        sentences.append(f"tasks: {'; '.join(parts)} (an average over other tasks is another number)")
    if a.parts["n"] != b.parts["n"]:
        counts = " against ".join(each.parts["n"][0].replace("/", " of ") for each in (a, b))
        sentences.append(f"answers: {counts} examples (the rest is left out of the score)")
    if a.benchmark is not b.benchmark:
        sentences.append(f"benchmark: {a.benchmark} against {b.benchmark} (these are two different things)")
    others = [key for key in {**a.parts, **b.parts} if key not in (*_MEANINGS, "n", "runs", "stem", "ci")]
    for key, (name, meaning) in {**_MEANINGS, **{key: (key, _OTHER) for key in others}}.items():
        values = [", ".join(each.parts.get(key, ())) for each in (a, b)]
        if values[0] != values[1] and (key != "run" or all(values)):  # unless only one of them is a run
            absent = "one for each question" if key == "rows" else "unknown"
            texts = ["no rule" if (key, text) == ("post", "none") else text or absent for text in values]
            sentences.append(f"{name}: {' against '.join(texts)} ({meaning})")
    return sentences
