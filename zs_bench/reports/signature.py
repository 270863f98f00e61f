"""The signature of a number: everything that must be equal for two numbers to be comparable, on one line.

In the manner of sacrebleu (Post 2018, A Call for Clarity in Reporting BLEU Scores, WMT):

    ZS|tasks:all|source:validation|data:sha256:ab12cd34ef56|n:470/473|rouge:corpus|stem:no
    |norm:lower-punct-art-ws-unidecode|post:none|engine:rouge-score-rs-0.2.1|unidecode:1.4.0|v:0.1.0

without the line break. `source` is left out where it is not known. Characters that have a meaning here, blanks and all
that is not ASCII are percent-encoded (RFC 3986), so that every signature can be read back: `Signature.parse(str(s))`
is `s`. In words: `zs_bench.reports.signature_words`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from zs_bench.reports.signature_text import (
    UnreadableSignature,
    read_counts,
    read_fields,
    read_list,
    read_text,
    read_yes_or_no,
    write,
)
from zs_metric.errors import EmptyInput
from zs_metric.rouge_engines import engine
from zs_metric.tasks import find_benchmark, find_task
from zs_metric.texts import clean_references, clean_text
from zs_metric.version import VERSION

__all__ = ["CODES", "Signature", "UnreadableSignature", "all_of", "normalisation", "reference_hash", "sign"]

# The steps of F1's normalisation, as a signature calls them.
_STEPS = {
    "lowercase": "lower",
    "punctuation": "punct",
    "articles": "art",
    "whitespace": "ws",
    "transliteration": "unidecode",
}
#: The benchmarks, as a signature calls them.
CODES: Mapping[str, str] = {"zero_scrolls": "ZS", "scrolls": "SC"}
# The fields that are plain texts, name to attribute.
_TEXTS = {
    "source": "source",
    "data": "data",
    "rouge": "rouge",
    "norm": "normalisation",
    "engine": "engine",
    "unidecode": "unidecode",
    "v": "version",
}


@dataclass(frozen=True, slots=True)
class Signature:
    """What a number rests on.

    Attributes:
        tasks: the names of the tasks in the number.
        data: the hash of their references, from `reference_hash`.
        answers: how many answers were scored.
        missing: how many examples had none.
        engine: name and version of the ROUGE engine.
        unidecode: version of the transliteration tables.
        version: of this package.
        source: the split, or where the references came from, where it is known.
        rouge: the aggregation, `corpus` or `instance`.
        stemming: whether ROUGE compared stems; never in an official number.
        normalisation: of F1 and exact match, step by step.
        post: the rules by which answers were processed before scoring, in their order.
        benchmark: `ZS` for ZeroSCROLLS, `SC` for SCROLLS.
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
    stemming: bool = False
    post: tuple[str, ...] = ()
    benchmark: str = "ZS"

    def __str__(self) -> str:
        return write(
            benchmark=self.benchmark,
            lists={"tasks": self.tasks, "post": self.post},
            all_tasks=all_of(self.benchmark),
            texts={name: getattr(self, attribute) for name, attribute in _TEXTS.items()},
            counts=(self.answers, self.missing),
            stemming=self.stemming,
        )

    @classmethod
    def parse(cls, text: str) -> Signature:
        """The signature that this text is; blanks and line breaks in it do not matter.

        Raises:
            UnreadableSignature: with the field that is wrong.

        >>> Signature.parse(str(sign({"quality": {"1_x": ["B"]}}, answers=1, missing=0))).tasks
        ('quality',)
        """
        benchmark, fields = read_fields(text)
        answers, missing = read_counts(fields["n"])
        texts = {attribute: read_text(fields[name]) for name, attribute in _TEXTS.items() if name in fields}
        return cls(
            benchmark=benchmark,
            tasks=read_list(fields["tasks"], all_of(benchmark)),
            post=read_list(fields["post"]),
            answers=answers,
            missing=missing,
            stemming=read_yes_or_no(fields["stem"]),
            **texts,
        )


def sign(
    references: Mapping[str, Mapping[str, Sequence[str]]],
    *,
    answers: int,
    missing: int,
    source: str | None = None,
    rouge_aggregation: str = "corpus",
    post: Iterable[str] = (),
    benchmark: str = "zero_scrolls",
) -> Signature:
    """The signature of a number computed here and now.

    Args:
        references: `{task: {id: references}}` of the tasks in the number, also of examples without an answer.
        answers: how many answers were scored.
        missing: how many examples had none.
        source: the split, or where the references came from, where it is known.
        rouge_aggregation: as it was scored.
        post: the rules by which the answers were processed before.
        benchmark: whose tasks they are.

    Raises:
        EmptyInput, UnknownBenchmark, UnknownTask, NotAText, UnreadableReference: for references that are none.
    """
    return Signature(
        tasks=tuple(name for name in find_benchmark(benchmark).all_tasks if name in references),
        data=reference_hash(references, benchmark=benchmark),
        answers=answers,
        missing=missing,
        engine=engine().name.replace(" ", "-"),
        unidecode=version("unidecode"),
        version=VERSION,
        normalisation=normalisation(benchmark),
        source=source,
        rouge=rouge_aggregation,
        post=tuple(post),
        benchmark=CODES[benchmark],
    )


def all_of(code: str) -> tuple[str, ...]:
    """The tasks of the average of the benchmark that a signature calls so; none when it is not known."""
    return tuple(task for name, own in CODES.items() if own == code for task in find_benchmark(name).tasks)


def normalisation(benchmark: str) -> str:
    """The steps of the benchmark's F1 (and exact match), as a signature has them.

    >>> normalisation("scrolls")
    'lower-punct-art-ws'
    """
    return "-".join(_STEPS[step] for step in find_task("qasper", benchmark=benchmark).steps)


def reference_hash(references: Mapping[str, Mapping[str, Sequence[str]]], *, benchmark: str = "zero_scrolls") -> str:
    """A hash of the contents of `{task: {id: references}}`: 12 digits of SHA-256 over their canonical JSON.

    The order of tasks, ids and references does not matter, since no score depends on it.

    Raises:
        EmptyInput, UnknownTask, NotAText, UnreadableReference: for references that are none.

    >>> reference_hash({"quality": {"1_x": ["B"], "2_y": ["C"]}})
    'sha256:49aef7744d5e'
    """
    rows = [
        [find_task(task, benchmark=benchmark).name, clean_text(key, "id"), sorted(clean_references(texts))]
        for task, examples in references.items()
        for key, texts in examples.items()
    ]
    if not rows:
        raise EmptyInput("references")
    text = json.dumps(sorted(rows), ensure_ascii=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()[:12]
