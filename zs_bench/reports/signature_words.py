"""A signature in words, and how two of them differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zs_bench.files.entries import TASK_NAMES
from zs_bench.reports.signature import CODES, Signature, all_of
from zs_metric.tasks import BENCHMARKS

_BENCHMARKS = {code: BENCHMARKS[name].title for name, code in CODES.items()}
_AGGREGATIONS = {
    "corpus": "the mean over the answers per type, then the geometric mean of the three (corpus, as published)",
    "instance": "the geometric mean per answer, then the mean (instance; published tables use corpus)",
}
_STEPS = {
    "lower": "lowercase",
    "punct": "drop punctuation",
    "art": "drop articles",
    "ws": "squeeze whitespace",
    "unidecode": "transliterate to ASCII",
}
# What a field is called, and what it means for two numbers that it differs.
_DIFFER: Mapping[str, tuple[str, str]] = {
    "benchmark": ("benchmark", "these are two different things"),
    "source": ("references from", "other examples, or the same under another name"),
    "data": ("references", "other examples or other reference texts"),
    "rouge": ("ROUGE aggregation", "ROUGE tasks and the average differ for that alone"),
    "normalisation": ("normalisation of F1", "F1 tasks and the average differ for that alone"),
    "engine": ("ROUGE engine", "the two engines here give equal numbers; others may not"),
    "unidecode": ("unidecode", "its tables change; rare characters may match in one and not in the other"),
    "version": ("zero-scrolls", "see the change log"),
}


def explain(signature: Signature) -> str:
    """The signature in sentences, one a line."""
    return "\n".join(line for write in _SENTENCES if (line := write(signature)))


def differences(a: Signature, b: Signature) -> list[str]:
    """What differs between two signatures, a sentence each; empty when their numbers are comparable.

    >>> from dataclasses import replace
    >>> a = Signature(("qasper",), "sha256:0", 5, 0, "rouge-score-0.1.2", "1.4.0", "0.1.0", "lower")
    >>> differences(a, replace(a, version="0.2.0"))
    ['zero-scrolls: 0.1.0 against 0.2.0 (see the change log)']
    """
    return [
        *_tasks_differ(a, b),
        *_answers_differ(a, b),
        *(
            f"{name}: {getattr(a, field) or 'unknown'} against {getattr(b, field) or 'unknown'} ({meaning})"
            for field, (name, meaning) in _DIFFER.items()
            if getattr(a, field) != getattr(b, field)
        ),
        *_processing_differs(a, b),
    ]


def _tasks_differ(a: Signature, b: Signature) -> list[str]:
    sides = [("first", set(a.tasks) - set(b.tasks)), ("second", set(b.tasks) - set(a.tasks))]
    only = [f"only the {side} has {_listed(names)}" for side, names in sides if names]
    if not only:
        return [] if a.tasks == b.tasks else ["tasks: the same in another order"]
    return [f"tasks: {'; '.join(only)} (an average over other tasks is another number)"]


def _answers_differ(a: Signature, b: Signature) -> list[str]:
    if (a.answers, a.missing) == (b.answers, b.missing):
        return []
    return [f"answers: {_share(a)} against {_share(b)} examples (the rest is left out of the score)"]


def _processing_differs(a: Signature, b: Signature) -> list[str]:
    found = []
    if a.stemming != b.stemming:
        found.append(f"stemming: only the {'first' if a.stemming else 'second'} compares word stems in ROUGE")
    if a.post != b.post:
        found.append(f"answers processed by: {_rules(a)} against {_rules(b)} (these are not the same answers)")
    return found


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names, key=lambda name: ([*TASK_NAMES, name].index(name), name)))


def _share(signature: Signature) -> str:
    return f"{signature.answers} of {signature.answers + signature.missing}"


def _rules(signature: Signature) -> str:
    return ", ".join(signature.post) or "no rule"


def _of_what(signature: Signature) -> str:
    name = _BENCHMARKS.get(signature.benchmark, signature.benchmark)
    if signature.tasks and signature.tasks == all_of(signature.benchmark):
        return f"{name}: all {len(signature.tasks)} tasks."
    return f"{name}, {'task' if len(signature.tasks) == 1 else 'tasks'}: {', '.join(signature.tasks) or 'none'}."


def _data(signature: Signature) -> str:
    source = "" if signature.source is None else f" from {signature.source}"
    return f"References{source}, content {signature.data}: equal contents have equal hashes."


def _answered(signature: Signature) -> str:
    left_out = f"; {signature.missing} without an answer are left out" if signature.missing else ""
    return f"Answers to {_share(signature)} examples were scored{left_out}."


def _rouge(signature: Signature) -> str:
    how = _AGGREGATIONS.get(signature.rouge, signature.rouge)
    stems = "word stems compared" if signature.stemming else "no stemming"
    return f"ROUGE: {how}; {stems}; engine {signature.engine}."


def _f1(signature: Signature) -> str:
    steps = ", ".join(_STEPS.get(step, step) for step in signature.normalisation.split("-"))
    tables = f"; unidecode {signature.unidecode}" if "unidecode" in signature.normalisation else ""
    metrics = "F1 compares" if signature.benchmark == CODES["zero_scrolls"] else "F1 and exact match compare"
    return f"{metrics} words after these steps: {steps}{tables}."


def _post(signature: Signature) -> str:
    if signature.post:
        return f"Before scoring, the answers were processed by: {', '.join(signature.post)}."
    return "The answers were scored as they are, without post-processing."


def _version(signature: Signature) -> str:
    return f"Scored by zero-scrolls {signature.version}."


_SENTENCES: tuple[Callable[[Signature], str], ...] = (_of_what, _data, _answered, _rouge, _f1, _post, _version)
