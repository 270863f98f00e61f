"""Patterns: what goes wrong in several predictions of a task, found by rules, without a model.

A prediction that scores 100 is in no pattern, others may be in several. The points at stake are what the task would
gain at most: the mean over its predictions of what those of the pattern would gain if they scored as the what-if of its
rule says. The what-if is the official score of another text where the rule names one (the prediction without the
thinking, before the loop, the percentage as it was meant, …). Otherwise it is 100, and for ROUGE, where nobody reaches
that, the mean of the task's predictions outside the pattern.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import NamedTuple

from zs_bench.benchmarks import Task
from zs_metric.explain import explain
from zs_metric.explain.accuracy import offered_letters
from zs_metric.explain.exp_similarity import ExpSimilarityView
from zs_metric.explain.f1 import named_answer
from zs_metric.f1 import normalize
from zs_metric.results import ExampleResult
from zs_metric.texts import is_unfinished_thinking

#: Longer predictions are judged by their first characters, and by their last ones for the end of the text.
MOST_CHARACTERS = 20_000
_END = re.compile(r"""[.!?:;…。！？"'”’)\]}*`|>]\s*\Z""")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_LIST_ITEM = re.compile(r"\s*(?:[-*•#]|\d{1,3}[.)])")
_YES_NO = re.compile(r"\W*(?:yes\b|no(?=\W*\Z|\s*[.,;:!\n]))", re.IGNORECASE)
_UNANSWERABLE = re.compile("unanswerable", re.IGNORECASE)
_TEXT = (
    r"(?:text|article|document|passages?|story|transcript|context|paper|report|reviews?|information|summar(?:y|ies))"
)
_TELLS = r"(?:mention|specify|state|say|tell|provide|contain|indicate|include|give|discuss|explain|reveal)"
_NO_INFORMATION = r"(?:information|mention|indication|evidence|details?|answer)"
_REFUSAL = re.compile(
    rf"\b{_TEXT}(?: \w+){{0,3}} (?:do|does|did)(?: not|n['’]t) (?:\w+ )?{_TELLS}"
    r"|(?:there (?:is|was)|provides?|contains?|given|has) (?:no|not enough|insufficient)"
    rf"(?: \w+)? {_NO_INFORMATION}\b"
    r"|(?:does|did) not mention any(?:thing)?\b"
    r"|not (?:enough|sufficient) information|no (?:clear|specific|definitive) answer"
    r"|(?:is|are|was|were) not (?:\w+ )?(?:mentioned|provided|specified|stated|given|clear from)"
    r"|can(?: ?not|['’]t) be (?:determined|answered|inferred|calculated)"
    r"|\bI(?:(?:['’]m| am) (?:sorry|unable|not able)| (?:cannot|can['’]t|do not know|don['’]t know))|\bas an AI\b",
    re.IGNORECASE,
)
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|does|do|did|will|would|can|could|should|must|\w{3,}ed)\b")
_SUBJECT = re.compile(r"\W*(?:he|she|it|they|we|you|i|because|who|this|that|there|to)\b", re.IGNORECASE)
_TAG = re.compile(r"</?(?:think|thinking|thought|reasoning|scratchpad)>|<\|channel\|>", re.IGNORECASE)


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Words after which no text ends.
_NO_END = _set(
    "a an the and or but nor of to in on at by for from with into than as that which who whose how what when where why "
    "if is are was were be been has have had will would can could should may might must its their his her these"
)
_ENGLISH = _set("the of and to in is that was for it with as are by be on this his not he she they")
# Frequent words of German, French, Spanish, Portuguese, Italian and Dutch that are rare in English.
_FOREIGN = _set(
    "der die das und ist nicht ein eine mit von zu den auf dem sich le la les des et est une un dans que qui pour pas "
    "du au sur ce el los las de y en por con para su una lo o os da do um uma não com é il che di non per del della "
    "gli het een van dat niet op te zijn"
)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Predictions of one task in which the same goes wrong; `name` is that of the rule, and `points` are at stake."""

    name: str
    task: str
    sentence: str
    count: int
    points: float
    ids: tuple[str, ...]


@dataclass(frozen=True)
class _Case:
    """A prediction as the rules see it, with the words of the texts as F1 compares them."""

    task: Task
    text: str
    references: Sequence[str]
    result: ExampleResult

    @cached_property
    def words(self) -> list[str]:
        return normalize(self.text, self.task.metric.steps).split()

    @cached_property
    def reference_words(self) -> list[list[str]]:
        return [normalize(text, self.task.metric.steps).split() for text in self.references]

    @cached_property
    def says_unanswerable(self) -> bool:
        return _UNANSWERABLE.search(self.text) is not None

    @cached_property
    def refuses(self) -> bool:
        short = self.task.metric.name != "rouge" or len(self.text) < 700
        return short and not self.says_unanswerable and _REFUSAL.search(self.text[:700]) is not None

    def score(self, text: str) -> float:
        """Return the official score of another text."""
        return self.task.metric.score_all([text], [self.references])[0].score


def _is_false_answer(case: _Case) -> bool:
    unanswerable = all(words == ["unanswerable"] for words in case.reference_words)
    return unanswerable and bool(case.words) and not case.says_unanswerable and not case.refuses


def _is_false_unanswerable(case: _Case) -> bool:
    return case.says_unanswerable and not any("unanswerable" in words for words in case.reference_words)


def _is_unasked_yes_no(case: _Case) -> bool:
    return _YES_NO.match(case.text) is not None and not any(r[:1] in (["yes"], ["no"]) for r in case.reference_words)


def _is_yes_no_sentence(case: _Case) -> bool:
    asked = any(words in (["yes"], ["no"]) for words in case.reference_words)
    return asked and len(case.words) > 3 and not case.says_unanswerable and not case.refuses


def _yes_no_alone(case: _Case) -> float:
    return case.score(case.words[0]) if _YES_NO.match(case.text) else 100.0


def _holds_reference(case: _Case) -> bool:
    """Return whether a reference, other than yes or no, stands in the prediction word for word, among other words."""
    text = f" {' '.join(case.words)} "
    held = (words for words in case.reference_words if words and words not in (["yes"], ["no"]))
    return any(len(words) < len(case.words) and f" {' '.join(words)} " in text for words in held)


def _is_sentence_for_phrase(case: _Case) -> bool:
    length, phrase = min(zip(map(len, case.reference_words), case.references, strict=True))
    text = named_answer(case.text) or case.text
    if not 0 < length <= 6 or len(text.split()) < max(5, length + 2) or _VERB.search(phrase) or _SUBJECT.match(phrase):
        return False
    yes_or_no = _is_yes_no_sentence(case) or _YES_NO.match(case.text)
    named = yes_or_no or case.says_unanswerable or _holds_reference(case) or case.refuses
    return not named and (_VERB.search(text) is not None or _END.search(text) is not None)


def _shared_words_alone(case: _Case) -> float:
    best = case.reference_words[case.result.best_reference or 0]
    return case.score(" ".join((Counter(case.words) & Counter(best)).elements()))


def _is_cut_off(case: _Case) -> bool:
    tail = case.text.rstrip()[-400:]
    words = tail.split()
    if len(words) < 10 or _END.search(tail):
        return False
    if words[-1].casefold() in _NO_END:
        return True
    before, _, line = tail.rpartition("\n")
    if _LIST_ITEM.match(line):  # the items of some lists have no full stop
        return _END.search(before) is not None
    return re.search(r"[.!?]\s", tail) is not None


def _loop(case: _Case) -> int | None:
    """Return where a repeated sentence (three times), or the end of the text (four times), first ends; else `None`."""
    text = case.text.rstrip()[:MOST_CHARACTERS]
    if len(text) < 80:
        return None
    repeated = text.rstrip(" .,;!?")[-25:]
    if text.count(repeated) < 4:
        repeated, count = Counter(_SENTENCE.split(text)).most_common(1)[0]
        if count < 3 or len(repeated.split()) < 4:
            return None
    return text.find(repeated) + len(repeated)


def _before_loop(case: _Case) -> float:
    return case.score(case.text[: _loop(case)])


def _is_echo(case: _Case) -> bool:
    template = case.task.template
    if template is None:
        return False
    headers = tuple(header for header in (template.context_header, template.query_header) if header)
    instruction = " ".join(template.instruction.split())[:40]
    return instruction in " ".join(case.text[:3000].split()) or case.text.lstrip().startswith(headers)


def _after_echo(case: _Case) -> float | None:
    _, header, rest = case.text.rpartition(f"{case.task.answer_type}:")
    return case.score(rest.strip()) if header and rest.strip() else None


def _is_foreign(text: str) -> bool:
    """Return whether most letters are not Latin, or the frequent words are those of another language than English."""
    letters = [] if text.isascii() else [character for character in text if character.isalpha()]
    if sum(character > "\u024f" for character in letters) * 2 > len(letters):
        return True
    words = text.casefold().split()
    foreign, english = (sum(map(frequent.__contains__, words)) for frequent in (_FOREIGN, _ENGLISH))
    return len(words) > 5 and foreign * 5 > len(words) and english * 4 < foreign


def _is_other_language(case: _Case) -> bool:
    return _is_foreign(case.text[:300]) and not any(_is_foreign(text[:300]) for text in case.references)


def _begins_with_thinking(case: _Case) -> bool:
    return _TAG.search(case.text) is not None and not is_unfinished_thinking(case.text)


def _without_thinking(case: _Case) -> float:
    return case.score(_TAG.split(case.text)[-1].strip())


def _names_two_options(case: _Case) -> bool:
    return len(offered_letters(case.text)) > 1 and not _TAG.search(case.text)


def _meant_percentage(case: _Case) -> float | None:
    """Return the score of the percentage that a fraction or counts mean; `None` if the prediction has none."""
    if case.result.parsed is not None:
        return None
    view = explain(case.task, case.text, case.references, result=case.result).view
    meant = view.would_be if isinstance(view, ExpSimilarityView) else None
    return meant.score if meant and meant.how in ("a fraction of one", "a part of a whole") else None


def _has_wrong_ids(case: _Case) -> bool:
    losses = {} if case.result.score else explain(case.task, case.text, case.references, result=case.result).losses
    return "wrong ids" in losses


class _Rule(NamedTuple):
    """A pattern: what its predictions do, in the plural; the metrics it is for, all if empty."""

    name: str
    do: str
    is_in: Callable[[_Case], bool]
    what_if: Callable[[_Case], float | None] = lambda _: None
    metrics: tuple[str, ...] = ()


_WORDS = ("f1", "exact_match")
_SENTENCE_FOR_PHRASE = "give a sentence where a phrase was asked for"
_UNASKED = "begin with yes or no where no reference does"
_FRACTION = "give a fraction or counts instead of a percentage"
#: The rules, in the order in which patterns with equal points are listed.
RULES = (
    _Rule("unfinished_thinking", "are thinking that never ends", lambda case: is_unfinished_thinking(case.text)),
    _Rule("thinking_tags", "begin with thinking", _begins_with_thinking, _without_thinking),
    _Rule("refusal", "say that the text does not tell", lambda case: case.refuses),
    _Rule("false_unanswerable", "say “unanswerable” where there is an answer", _is_false_unanswerable, metrics=_WORDS),
    _Rule("false_answer", "answer a question that is unanswerable", _is_false_answer, metrics=_WORDS),
    _Rule("yes_no_sentence", "answer a yes/no question with a sentence", _is_yes_no_sentence, _yes_no_alone, _WORDS),
    _Rule("unasked_yes_no", _UNASKED, _is_unasked_yes_no, metrics=_WORDS),
    _Rule("reference_and_more", "hold the reference word for word and more", _holds_reference, metrics=_WORDS),
    _Rule("sentence_for_phrase", _SENTENCE_FOR_PHRASE, _is_sentence_for_phrase, _shared_words_alone, ("f1",)),
    _Rule("cut_off", "stop in the middle of a sentence", _is_cut_off),
    _Rule("loop", "repeat the same words again and again", lambda case: _loop(case) is not None, _before_loop),
    _Rule("echo", "repeat the prompt", _is_echo, _after_echo),
    _Rule("other_language", "are in another language or script than the references", _is_other_language),
    _Rule("two_options", "name two options or more", _names_two_options, metrics=("accuracy",)),
    _Rule("wrong_ids", "have missing or repeated ids", _has_wrong_ids, metrics=("concordance_index",)),
    _Rule(
        "fraction", _FRACTION, lambda case: _meant_percentage(case) is not None, _meant_percentage, ("exp_similarity",)
    ),
)


def patterns_of_task(
    task: Task,
    ids: Sequence[str],
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    results: Sequence[ExampleResult],
) -> list[Pattern]:
    """Return the patterns of a task's predictions, the most points at stake first; `results` are the official ones."""
    rows = zip(ids, predictions, references, results, strict=True)
    cases = {id_: _Case(task, text, texts, result) for id_, text, texts, result in rows if result.score < 100}
    scores = {id_: result.score for id_, result in zip(ids, results, strict=True)}
    patterns = []
    for rule in RULES:
        if rule.metrics and task.metric.name not in rule.metrics:
            continue
        members = {id_: case for id_, case in cases.items() if rule.is_in(case)}
        if not members:
            continue
        best = 100.0
        if task.metric.name == "rouge":
            others = [score for id_, score in scores.items() if id_ not in members]
            best = fmean(others) if others else 0.0
        gained = 0.0
        for case in members.values():
            what_if = rule.what_if(case)
            gained += max(0.0, (best if what_if is None else what_if) - case.result.score)
        count, points = len(members), gained / len(ids)
        verb, _, rest = rule.do.partition(" ")
        singular = {"are": "is", "have": "has"}.get(verb, f"{verb}s")
        does = rule.do if count > 1 else f"{singular} {rest}"
        sentence = f"{count:,} of {len(ids):,} {task.title} predictions {does}: {points:.1f} points of the task."
        patterns.append(Pattern(rule.name, task.name, sentence, count, points, tuple(members)))
    return sorted(patterns, key=lambda pattern: -pattern.points)
