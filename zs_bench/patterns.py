"""Patterns: what goes wrong in several answers of a task, found by rules, without a model.

An answer that scores less than 100 is in the pattern of the first rule that finds it and in no other, so the points of
a task's patterns never add up to more than the task lost. They are what the task would gain

- where a rule says how its answers are undone (the thinking dropped, the reference alone, …): with the official scores
  of these texts;
- otherwise, as an estimate: if its answers scored like the mean of the task's others. There are none if these are fewer
  than `FEWEST_OTHERS` or score no more.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from statistics import fmean
from typing import NamedTuple

from zs_bench.tasks import info
from zs_metric.explain import Explanation, losses_of_task
from zs_metric.f1 import normalize
from zs_metric.results import ExampleResult
from zs_metric.tasks import Task
from zs_metric.thinking import is_unfinished_thinking, without_thinking

#: The fewest other answers of a task whose mean is an estimate.
FEWEST_OTHERS = 10
#: The name of the pattern of the answers in which the metric reads nothing.
NOTHING_READ = "nothing_read"
_READS = {
    "rouge": "word that ROUGE reads",
    "f1": "word that F1 reads",
    "exact_match": "word that exact match reads",
    "accuracy": "option letter that accuracy reads",
    "exp_similarity": "percentage that is read",
    "concordance_index": "id that is read",
}
# How much of a text is searched for a refusal, and the longest summary that can be one.
_START = 700
_END = re.compile(r"""[.!?:;…。！？"'”’)\]}*`|>]\s*\Z""")
_YES_NO = re.compile(r"\W*(yes\b|no(?=\W*\Z|\s*[.,;:!\n]))", re.IGNORECASE)
# Every refusal but the first ones has one of the next words and one of the last.
_CANNOT = ("i cannot", "i can't", "i'm sorry", "i am sorry", "i'm unable", "i am unable", "sorry, ", "as an ai")
_CANNOT += ("i do not know", "i don't know", "i'm not able", "i am not able")
_SOURCES = ("text", "article", "document", "passage", "story", "transcript", "paper", "report", "review", "information")
_SOURCES += ("meeting", "summar", "question", "answer", "percentage")
_NEGATIONS = ("no", "n't", "insufficient")
_REFUSAL = re.compile(
    r"\b(?:do|does|did)(?: not|n't) (?:\w+ )?"
    r"(?:mention|specify|state|say|tell|provide|contain|indicate|include|give|discuss|explain|reveal)\b"
    r"|\b(?:there (?:is|was)|provides?|contains?|given|has) (?:no|not enough|insufficient)(?: \w+)?"
    r" (?:information|mention|indication|evidence|details?)\b"
    r"|not (?:enough|sufficient) information|no (?:clear|specific|definitive) answer"
    r"|\b(?:is|are|was|were) not (?:\w+ )?(?:mentioned|provided|specified|stated)\b"
    r"|\bcan(?: ?not|'t) be (?:determined|answered|inferred|calculated)\b"
)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Answers of one task in which the same goes wrong; `name` is that of the rule.

    Attributes:
        does: what they do, in words.
        points: what the task would gain; `estimated` if they scored like the others. `None` if it is not known.
        below: how far they stay below the task's best answer, in points of the task: the order of the patterns.
    """

    name: str
    task: str
    does: str
    count: int
    points: float | None
    estimated: bool
    below: float
    sentence: str
    ids: tuple[str, ...]


@dataclass(frozen=True)
class _Case:
    """An answer as the rules see it; `explanation` is for the metrics that read one value."""

    task: Task
    id: str
    text: str
    references: Sequence[str]
    result: ExampleResult
    explanation: Explanation | None

    @cached_property
    def words(self) -> list[str]:
        return normalize(self.text, self.task.metric.steps).split()

    @cached_property
    def reference_words(self) -> list[list[str]]:
        return [normalize(text, self.task.metric.steps).split() for text in self.references]

    @cached_property
    def says_unanswerable(self) -> bool:
        return "unanswerable" in self.text.casefold()

    @property
    def cause(self) -> str:
        return next(iter(self.explanation.losses), "") if self.explanation else ""


# A rule's function returns whether it finds the answer, or the text that undoes what it finds.
_Found = str | bool


def _thinking(case: _Case) -> _Found:
    rest = without_thinking(case.text)
    return rest.strip() if rest != case.text else False


@cache
def _prompt(task: Task) -> tuple[re.Pattern[str] | None, str]:
    """Return what separates the parts of a repeated prompt, and the beginning of the instruction."""
    template = info(task).template
    if template is None:
        return None, ""
    headers = [rf"^\W*{re.escape(header)}" for header in (template.query_header, f"{info(task).answer_type}:") if header]
    marks = [r"\[/?INST\]", r"<\|(?:im_start|start_header_id)\|>", "<start_of_turn>", "^#+ ?(?:Instruction|Response):?"]
    return re.compile("|".join(headers + marks), re.MULTILINE), " ".join(template.instruction.split())[:40]


def _repeated_prompt(case: _Case) -> _Found:
    """Find the instruction, a question or a mark of a chat, or the header of the answer twice; keep the first part."""
    separator, instruction = _prompt(case.task)
    if separator is None:
        return False
    found = separator.findall(case.text)
    headed = [mark for mark in found if mark.endswith(f"{info(case.task).answer_type}:")]
    if len(found) > len(headed) or len(headed) > 1 or instruction in " ".join(case.text[:3000].split()):
        return next((part.strip() for part in separator.split(case.text) if part.strip()), True)
    return False


def _loop(case: _Case) -> _Found:
    """Find a text that ends in the same words three times in a row or more, 60 characters at least; keep the first."""
    text = case.text.rstrip()
    period = len(text) - 30 - text.rfind(text[-30:], 0, len(text) - 1)
    unit = text[-period:]
    if len(text) < 60 or period > len(text) - 30 or not text.endswith(unit * max(3, -(-60 // period))):
        return False
    end = len(text)
    while end >= 2 * period and text.startswith(unit, end - 2 * period):
        end -= period
    return text[:end]


def says_nothing_is_told(text: str) -> bool:
    """Return whether the text says that it cannot answer, or that the text asked about does not tell."""
    start = text[:_START].casefold().replace("’", "'").lstrip()
    if start.startswith(_CANNOT):
        return True
    if not any(word in start for word in _NEGATIONS) or not any(word in start for word in _SOURCES):
        return False
    return _REFUSAL.search(start) is not None


def _refusal(case: _Case) -> _Found:
    short = case.task.metric.name != "rouge" or len(case.text) < _START
    return short and not case.says_unanswerable and says_nothing_is_told(case.text)


def _false_unanswerable(case: _Case) -> _Found:
    return case.says_unanswerable and not any("unanswerable" in words for words in case.reference_words)


def _false_answer(case: _Case) -> _Found:
    unanswerable = all(words == ["unanswerable"] for words in case.reference_words)
    return unanswerable and bool(case.words) and not case.says_unanswerable


def _yes_no_sentence(case: _Case) -> _Found:
    asked = any(words in (["yes"], ["no"]) for words in case.reference_words)
    said = asked and len(case.words) > 1 and _YES_NO.match(case.text)
    return said[1] if said else False


def _reference_and_more(case: _Case) -> _Found:
    """Find a reference, other than yes or no, that stands in the answer word for word, among other words."""
    text = f" {' '.join(case.words)} "
    for reference, words in zip(case.references, case.reference_words, strict=True):
        if words and words not in (["yes"], ["no"]) and len(words) < len(case.words) and f" {' '.join(words)} " in text:
            return reference
    return False


def _unasked_yes_no(case: _Case) -> _Found:
    return _YES_NO.match(case.text) is not None and not any(r[:1] in (["yes"], ["no"]) for r in case.reference_words)


def _misread(case: _Case) -> _Found:
    if case.explanation is None or case.cause != "misread":
        return False
    return next((what_if.answer for what_if in case.explanation.what_if), True)


def _other_script(case: _Case) -> _Found:
    return _is_foreign(case.text) and not any(map(_is_foreign, case.references))


def _is_foreign(text: str) -> bool:
    """Return whether most letters of the beginning are not Latin."""
    letters = [] if text.isascii() else [character for character in text[:300] if character.isalpha()]
    return sum(character > "\u024f" for character in letters) * 2 > len(letters)


def _cut_off(case: _Case) -> _Found:
    """Find a text of ten words or more that ends without a stop, where all references end with one."""
    return len(case.text.split()) > 9 and not _END.search(case.text[-9:]) and all(map(_END.search, case.references))


class _Rule(NamedTuple):
    """A pattern: what its answers do, in the plural; how they are undone; the metrics it is for, all if empty."""

    name: str
    do: str
    find: Callable[[_Case], _Found]
    undone: str = ""
    metrics: tuple[str, ...] = ()


_WORDS = ("f1", "exact_match")
#: The rules; an answer belongs to the first one that finds it.
RULES = (
    _Rule("unfinished_thinking", "are thinking that never ends", lambda case: is_unfinished_thinking(case.text)),
    _Rule("thinking", "begin with thinking", _thinking, "with --post drop-think"),
    _Rule("prompt", "repeat the prompt or go on with the next question", _repeated_prompt, "if cut there"),
    _Rule("loop", "end in the same words again and again", _loop, "without the repeats"),
    _Rule("misread", "are not read as meant", _misread, "for what is meant"),
    _Rule("refusal", "say that the text does not tell", _refusal),
    _Rule("false_unanswerable", "say “unanswerable” where there is an answer", _false_unanswerable, metrics=_WORDS),
    _Rule("false_answer", "answer a question that is unanswerable", _false_answer, metrics=_WORDS),
    _Rule("yes_no_sentence", "say more than yes or no", _yes_no_sentence, "for yes or no alone", _WORDS),
    _Rule("reference_and_more", "hold a reference and more", _reference_and_more, "for the reference alone", _WORDS),
    _Rule("unasked_yes_no", "begin with yes or no where no reference does", _unasked_yes_no, metrics=_WORDS),
    _Rule("wrong_ids", "have missing or repeated ids", lambda case: case.cause == "wrong ids"),
    _Rule("two_options", "name two options or more", lambda case: case.cause == "two options"),
    _Rule(NOTHING_READ, "have no {reads}", lambda case: case.result.parsed is None),
    _Rule("other_script", "are in another script than the references", _other_script),
    _Rule("cut_off", "stop in the middle of a sentence", _cut_off, metrics=("rouge",)),
)


def patterns_of_task(
    task: Task,
    ids: Sequence[str],
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    results: Sequence[ExampleResult],
) -> list[Pattern]:
    """Return the patterns of a task's answers, in the order of `below`; `results` are the official ones."""
    rows = [row for row in zip(ids, predictions, references, results, strict=True) if row[3].score < 100]
    explanations: Sequence[Explanation | None] = [None] * len(rows)
    if rows and task.metric.name not in ("rouge", "f1"):
        _, texts, columns, lower = zip(*rows, strict=True)
        explanations = losses_of_task(task, texts, columns, results=lower).examples
    rules = [rule for rule in RULES if task.metric.name in (rule.metrics or (task.metric.name,))]
    found: dict[_Rule, list[tuple[_Case, _Found]]] = defaultdict(list)
    for row, explanation in zip(rows, explanations, strict=True):
        case = _Case(task, *row, explanation)
        answers = ((rule, rule.find(case)) for rule in rules)
        rule, undone = next(((rule, undone) for rule, undone in answers if undone is not False), (None, False))
        if rule:
            found[rule].append((case, undone))
    patterns = [_pattern(rule, members, results) for rule, members in found.items()]
    return sorted(patterns, key=lambda pattern: -pattern.below)


def _pattern(rule: _Rule, members: Sequence[tuple[_Case, _Found]], results: Sequence[ExampleResult]) -> Pattern:
    task, cases, total = members[0][0].task, [case for case, _ in members], len(results)
    scores, all_scores = [case.result.score for case in cases], [result.score for result in results]
    points: float | None
    if rule.undone:
        texts = [case.text if undone is True else undone for case, undone in members]
        others = task.metric.score_all(texts, [case.references for case in cases])
        points = sum(max(0.0, other.score - score) for other, score in zip(others, scores, strict=True)) / total
    else:
        rest = total - len(cases)
        mean = (sum(all_scores) - sum(scores)) / rest if rest >= FEWEST_OTHERS else 0.0
        gained = (mean - fmean(scores)) * len(cases) / total
        points = gained if gained >= 0.05 else None
    verb, _, more = rule.do.format(reads=_READS[task.metric.name]).partition(" ")
    verb = verb if len(cases) > 1 else {"are": "is", "have": "has", "say": "says"}.get(verb, f"{verb}s")
    does = f"{verb} {more}"
    gain = "" if points is None else f": about {points:.1f} points if they scored like the others"
    gain = f": {points:.1f} points {rule.undone}" if rule.undone else gain
    return Pattern(
        name=rule.name,
        task=task.name,
        does=does,
        count=len(cases),
        points=points,
        estimated=points is not None and not rule.undone,
        below=sum(max(all_scores) - score for score in scores) / total,
        sentence=f"{len(cases):,} of {total:,} {info(task).title} answers {does}{gain}.",
        ids=tuple(case.id for case in cases),
    )
