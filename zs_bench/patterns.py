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

from zs_bench.answers import Answer
from zs_bench.benchmarks import Task
from zs_metric.explain import Explanation, losses_of_task
from zs_metric.f1 import normalize
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
# The characters that end a sentence, or a quotation or bracket around it.
_END = re.compile(r"""[.!?:;…。！？"'”’)\]}*`|>]""")
_YES_NO = re.compile(r"\W*(yes\b|no(?=\W*\Z|\s*[.,;:!\n]))", re.IGNORECASE)
_DIGITS = str.maketrans("123456789", "0" * 9)
# How much of a text is searched for a refusal, and the longest summary that can be one.
_START = 700
_CANNOT = re.compile(
    r"\W*(?:i (?:cannot|can't|do not know|don't know)|i(?:'m| am) (?:sorry|unable|not able)|as an ai)\b"
)
_SOURCES = "text|article|document|passage|story|transcript|context|paper|report|review|information|summary|meeting"
#: What says that the text does not tell, in lower case; it has one of `NEGATIONS`.
REFUSAL = re.compile(
    rf"\b(?:{_SOURCES})s?(?: \w+){{0,3}} (?:do|does|did)(?: not|n't) (?:\w+ )?"
    r"(?:mention|specify|state|say|tell|provide|contain|indicate|include|give|discuss|explain|reveal)"
    r"|(?:there (?:is|was)|provides?|contains?|given|has) (?:no|not enough|insufficient)(?: \w+)?"
    r" (?:information|mention|discussion|indication|evidence|details?)\b"
    r"|(?:does|did) not (?:mention|provide) any(?:thing)?\b|not (?:enough|sufficient) information"
    r"|(?:is|are|was|were) not (?:\w+ )?(?:mentioned|provided|specified|stated)"
    r"|can(?: ?not|'t) be (?:determined|answered|inferred|calculated)"
)
NEGATIONS = ("no", "n't", "insufficient")


@dataclass(frozen=True, slots=True)
class Pattern:
    """Answers of one task in which the same goes wrong; `name` is that of the rule.

    Attributes:
        does: what they do, in words.
        points: what the task would gain; `estimated` if they scored like the others. `None` if it is not known.
        below: how far they stay below the task's best answer, in points of the task: the order of the patterns.
        post: the post-processing rules that undo it, if any.
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
    post: tuple[str, ...]


@dataclass(frozen=True)
class _Case(Answer):
    """An answer as the rules see it; `explanation` is for the metrics that read one value."""

    explanation: Explanation | None

    @cached_property
    def words(self) -> list[str]:
        return (self.result.parsed or "").split()

    @cached_property
    def reference_words(self) -> list[list[str]]:
        return [normalize(text, self.task.metric.steps).split() for text in self.references]

    @cached_property
    def says_unanswerable(self) -> bool:
        return "unanswerable" in self.text.casefold()

    @property
    def cause(self) -> str:
        return next(iter(self.explanation.losses), "") if self.explanation else ""


# Whether a rule finds the answer, or the text that undoes what it finds.
_Found = str | bool


def _thinking(case: _Case) -> _Found:
    rest = without_thinking(case.text)
    return rest.strip() if rest != case.text else False


@cache
def _prompt(task: Task) -> tuple[tuple[str, ...], re.Pattern[str], str]:
    """Return the headers of the prompt and the marks of a chat, what splits a text at them, and the instruction."""
    template = task.template
    if template is None:
        return (), re.compile(r"(?!)"), ""
    headers = (f"{task.answer_type}:", template.query_header or template.context_header, template.context_header)
    marks = ("[INST]", "[/INST]", "<|im_start|>", "<|start_header_id|>", "<start_of_turn>")
    lines = (rf"^\W*{re.escape(header)}" for header in headers)
    split = re.compile("|".join([*lines, *map(re.escape, marks)]), re.MULTILINE)
    return headers + marks, split, " ".join(template.instruction.split())[:40]


def _repeated_prompt(case: _Case) -> _Found:
    """Find the instruction, a header or mark of the prompt, but that of the answer only twice; keep the first part."""
    (marks, split, instruction), text = _prompt(case.task), case.text
    if not any(map(text.__contains__, marks)) and instruction[:7] not in text:
        return False
    found = split.findall(text)
    answers = sum(mark.endswith(marks[0]) for mark in found)
    if len(found) > answers or answers > 1 or (instruction and instruction in " ".join(text[:3000].split())):
        return next((part.strip() for part in split.split(text) if part.strip()), True)
    return False


def _loop(case: _Case) -> _Found:
    """Find a text whose last 100 characters, or last quarter, stand in it three times; digits may differ."""
    text = case.text.rstrip(" .,;!?\r\n\t")
    size = min(100, len(text) // 4)
    if size < 20 or text.count(text[-20:-10]) < 3:
        return False
    same = text.translate(_DIGITS)
    return text[: same.index(same[-size:]) + size] if same.count(same[-size:]) > 2 else False


def _refusal(case: _Case) -> _Found:
    """Find "I cannot" at the start, and that the text asked about does not tell; after "however" it does."""
    if case.says_unanswerable or (case.task.metric.by_types and len(case.text) >= _START):
        return False
    start = case.text[:_START].casefold().replace("’", "'")
    if _CANNOT.match(start):
        return True
    if "however" in start or not any(word in start for word in NEGATIONS):
        return False
    return any(word in start for word in _SOURCES.split("|")) and REFUSAL.search(start) is not None


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
    ended = (_END.match(text.rstrip()[-1:]) is not None for text in (case.text, *case.references))
    return not next(ended) and all(ended) and len(case.text.split()) > 9


def _after(mark: str, end: str) -> Callable[[_Case], _Found]:
    """Return the function that finds a text which scores more from its last mark on, up to an end."""

    def find(case: _Case) -> _Found:
        *before, rest = re.split(re.escape(mark), case.text, flags=re.IGNORECASE)
        is_header = mark == f"{case.task.answer_type.lower()}:" and not "".join(before).strip()
        if not before or is_header:
            return False
        rest = rest.partition(end)[0] if end else rest
        (result,) = case.task.metric.score_all([rest], [case.references])
        return rest if result.score > case.result.score else False

    return find


class _Rule(NamedTuple):
    """A pattern: what its answers do, in the plural; how they are undone; the metrics it is for, all if empty.

    It is tried only if a tenth of the task's answers contain its `mark`; the rules of `post` undo it.
    """

    name: str
    do: str
    find: Callable[[_Case], _Found]
    undone: str = ""
    metrics: tuple[str, ...] = ()
    mark: str = ""
    post: tuple[str, ...] = ()


_WORDS = ("f1", "exact_match")
_NOT_ROUGE = (*_WORDS, "accuracy", "exp_similarity", "concordance_index")
#: After these marks models give their answer, in lower case, and where it ends.
MARKS = {"answer:": "", "answer is": "", "<answer>": "</answer>", "\\boxed{": "}", "####": ""}
_MARKED = (
    _Rule(
        "after_mark",
        "give their answer after “" + mark.replace("{", "{{") + "”",
        _after(mark, end),
        f"with --post 'after:{mark}'" + (f" --post 'cut-at:{end}'" if end else ""),
        _NOT_ROUGE,
        mark,
        (f"after:{mark}", *([f"cut-at:{end}"] if end else [])),
    )
    for mark, end in MARKS.items()
)
#: The rules; an answer belongs to the first one that finds it.
RULES = (
    _Rule("unfinished_thinking", "do not end their thinking", lambda case: is_unfinished_thinking(case.text)),
    _Rule("thinking", "begin with thinking", _thinking, "with --post drop-think", post=("drop-think",)),
    _Rule("prompt", "go on with the prompt or the next question", _repeated_prompt, "for the first part alone"),
    _Rule("loop", "end in the same words again and again", _loop, "without the repeats"),
    *_MARKED,
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


def patterns_of_task(answers: Sequence[Answer]) -> list[Pattern]:
    """Return the patterns of the answers to a task, in the order of `below`."""
    lower = [answer for answer in answers if answer.result.score < 100]
    if not lower:
        return []
    task, explanations = lower[0].task, list[Explanation | None]([None] * len(lower))
    if task.metric.name not in ("rouge", "f1"):
        columns = [answer.text for answer in lower], [answer.references for answer in lower]
        explanations[:] = losses_of_task(task, *columns, results=[answer.result for answer in lower]).examples
    lowered = [answer.text.lower() for answer in answers]
    rules = [
        rule
        for rule in RULES
        if task.metric.name in (rule.metrics or (task.metric.name,))
        and (not rule.mark or sum([rule.mark in text for text in lowered]) * 10 >= len(lowered))
    ]
    found: dict[_Rule, list[tuple[_Case, _Found]]] = defaultdict(list)
    for answer, explanation in zip(lower, explanations, strict=True):
        case = _Case(**vars(answer), explanation=explanation)
        for rule in rules:
            if (undone := rule.find(case)) is not False:
                found[rule].append((case, undone))
                break
    patterns = [_pattern(rule, members, answers) for rule, members in found.items()]
    return sorted(patterns, key=lambda pattern: -pattern.below)


def _pattern(rule: _Rule, members: Sequence[tuple[_Case, _Found]], answers: Sequence[Answer]) -> Pattern:
    task, cases, total = answers[0].task, [case for case, _ in members], len(answers)
    scores, all_scores = ([answer.result.score for answer in some] for some in (cases, answers))
    points: float | None
    if rule.undone:
        texts = [undone if isinstance(undone, str) else case.text for case, undone in members]
        others = task.metric.score_all(texts, [case.references for case in cases])
        points = max(0.0, sum(other.score for other in others) - sum(scores)) / total
    else:
        rest = total - len(cases)
        mean = (sum(all_scores) - sum(scores)) / rest if rest >= FEWEST_OTHERS else 0.0
        gained = (mean - fmean(scores)) * len(cases) / total
        points = gained if gained >= 0.05 else None
    verb, _, more = rule.do.format(reads=_READS.get(task.metric.name, "text that the metric reads")).partition(" ")
    verb = verb if len(cases) > 1 else {"are": "is", "have": "has", "go": "goes", "do": "does"}.get(verb, f"{verb}s")
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
        below=sum((max(all_scores) or 100.0) - score for score in scores) / total,
        sentence=f"{len(cases):,} of {total:,} {task.title} answers {does}{gain}.",
        ids=tuple(case.id for case in cases),
        post=rule.post,
    )
