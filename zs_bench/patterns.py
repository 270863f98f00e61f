"""Patterns: what goes wrong in several answers of a task, found by rules, without a model.

An answer that scores less than 100 is in the pattern of the first rule that finds it and in no other; a count is of
these. The points of a pattern are what the task's score would gain

- where rules of `--post` undo it: with these rules, of all answers to the task, as `score` then gives it;
- where a rule says how its answers are undone (the reference alone, …): with these texts in their place;
- otherwise, as an estimate: if its answers scored like the mean of the task's others. There are none if these are fewer
  than `FEWEST_OTHERS` or than its answers, or score no more.
"""

import re
import shlex
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import NamedTuple

from zs_bench.answers import Answer
from zs_bench.benchmarks import Task
from zs_bench.post_processing import find_rule
from zs_bench.validation.rules import NOTHING
from zs_metric.f1 import normalize
from zs_metric.means import fmean
from zs_metric.metrics import Metric
from zs_metric.scoring import aggregate
from zs_metric.thinking import is_unfinished_thinking, without_thinking

#: The fewest other answers of a task whose mean is an estimate.
FEWEST_OTHERS = 10
#: The name of the pattern of the answers in which the metric reads nothing.
NOTHING_READ = "nothing_read"
# What answers do in which nothing is read, by the name of the metric.
_READ_NOTHING = {
    "rouge": "have no word that ROUGE reads",
    "f1": "have no word that F1 reads",
    "exact_match": "have no word that exact match reads",
    "accuracy": "have no option letter that accuracy reads",
    "exp_similarity": "have no percentage that is read",
    "concordance_index": "have no id that is read",
    "f1_zh": "have no word that F1 reads",
    "classification": "name no class of the list",
    "count": "contain no number in digits",
    "retrieval": "contain no number in digits",
    "edit_similarity": "have no line of code that is read",
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
_SOURCE_WORDS = _SOURCES.split("|")
#: What says that the text does not tell, in lower case; it has one of `NEGATIONS`.
REFUSAL = (
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
        count, lower: how many they are, of how many answers to the task that score less than 100.
        points: what the task would gain; `estimated` if they scored like the others. `None` if it is not known.
        below: how far they stay below the task's best answer, in points of the task.
        post: the post-processing rules that undo it, if any.
    """

    name: str
    task: str
    does: str
    count: int
    lower: int
    points: float | None
    estimated: bool
    below: float
    sentence: str
    ids: tuple[str, ...]
    post: tuple[str, ...]

    def order(self) -> tuple[float, float]:
        """Return what patterns are sorted by: the points as printed, then `below`, the largest first."""
        return -round(self.points or 0.0, 1), -self.below


def _words(case: Answer) -> list[str]:
    return (case.result.parsed or "").split()


def _reference_words(case: Answer) -> list[list[str]]:
    return [normalize(text, case.task.metric.steps).split() for text in case.references]


def _says_unanswerable(case: Answer) -> bool:
    return "unanswerable" in case.text.casefold()


def _cause(case: Answer) -> str:
    """Return the first cause of loss, for the metrics that read one value."""
    return "" if case.task.metric.name in ("rouge", "f1") else next(iter(case.losses), "")


# Whether a rule finds the answer, or the text that undoes what it finds.
_Found = str | bool


def _unfinished_thinking(case: Answer) -> _Found:
    return is_unfinished_thinking(case.text)


def _thinking(case: Answer) -> _Found:
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


def _repeated_prompt(case: Answer) -> _Found:
    """Find the instruction, a header or mark of the prompt, but that of the answer only twice; keep the first part."""
    (marks, split, instruction), text = _prompt(case.task), case.text
    if not any(map(text.__contains__, marks)) and instruction[:7] not in text:
        return False
    found = list(split.finditer(text))
    answers = sum(mark[0].endswith(marks[0]) for mark in found)
    if len(found) > answers or answers > 1 or (instruction and instruction in " ".join(text[:3000].split())):
        first = next((part.strip() for part in split.split(text) if part.strip()), "")
        return False if _is_answered_last(case, first, found, answers) else first or True
    return False


def _is_answered_last(case: Answer, first: str, headers: Sequence[re.Match[str]], answers: int) -> bool:
    """Whether a text repeats its question first, or corrects itself, so that what is meant follows its last header."""
    repeats_question = answers == 1 and len(headers) == 2 and not case.text[: headers[0].start()].strip()
    if not answers or not (repeats_question or answers == len(headers)):
        return False
    parts = [first, case.text[headers[-1].end() :]]
    start, end = case.task.metric.score_all(parts, [case.references] * 2)
    return end.score > max(start.score, case.result.score)


def _loop(case: Answer) -> _Found:
    """Find a text whose last 100 characters, or last quarter, stand in it three times; digits may differ."""
    text = case.text.rstrip(" .,;!?\r\n\t")
    size = min(100, len(text) // 4)
    if size < 20 or text.count(text[-20:-10]) < 3:
        return False
    same = text.translate(_DIGITS)
    return text[: same.index(same[-size:]) + size] if same.count(same[-size:]) > 2 else False


def _missing_value(case: Answer) -> _Found:
    return len(case.text) < 100 and case.text.strip().lower() in NOTHING


def _refusal(case: Answer) -> _Found:
    """Find "I cannot" at the start, and that the text asked about does not tell; after "however" it does."""
    if _says_unanswerable(case) or (case.task.metric.by_types and len(case.text) >= _START):
        return False
    start = case.text[:_START].casefold().replace("’", "'")
    if _CANNOT.match(start):
        return True
    if "however" in start or not any(word in start for word in NEGATIONS):
        return False
    return any(word in start for word in _SOURCE_WORDS) and re.search(REFUSAL, start) is not None


def _false_unanswerable(case: Answer) -> _Found:
    return _says_unanswerable(case) and not any("unanswerable" in words for words in _reference_words(case))


def _false_answer(case: Answer) -> _Found:
    unanswerable = all(words == ["unanswerable"] for words in _reference_words(case))
    return unanswerable and bool(_words(case)) and not _says_unanswerable(case)


def _yes_no_sentence(case: Answer) -> _Found:
    asked = any(words in (["yes"], ["no"]) for words in _reference_words(case))
    said = asked and len(_words(case)) > 1 and _YES_NO.match(case.text)
    return said[1] if said else False


def _reference_and_more(case: Answer) -> _Found:
    """Find a reference, other than yes or no, that stands in the answer word for word, among other words."""
    said = _words(case)
    text = f" {' '.join(said)} "
    for reference, words in zip(case.references, _reference_words(case), strict=True):
        if words and words not in (["yes"], ["no"]) and len(words) < len(said) and f" {' '.join(words)} " in text:
            return reference
    return False


def _unasked_yes_no(case: Answer) -> _Found:
    return _YES_NO.match(case.text) is not None and not any(r[:1] in (["yes"], ["no"]) for r in _reference_words(case))


def _misread(case: Answer) -> _Found:
    if _cause(case) != "misread":
        return False
    return next((what_if.answer for what_if in case.explanation.what_if), True)


def _other_script(case: Answer) -> _Found:
    return _is_foreign(case.text) and not any(map(_is_foreign, case.references))


def _is_foreign(text: str) -> bool:
    """Return whether most letters of the beginning are not Latin."""
    letters = [] if text.isascii() else [character for character in text[:300] if character.isalpha()]
    return sum(character > "\u024f" for character in letters) * 2 > len(letters)


def _cut_off(case: Answer) -> _Found:
    """Find a text of ten words or more that ends without a stop, where all references end with one."""
    ended = (_END.match(text.rstrip()[-1:]) is not None for text in (case.text, *case.references))
    return not next(ended) and all(ended) and len(case.text.split()) > 9


def _gains(case: Answer, text: str) -> bool:
    """Return whether this text scores more in the answer's place."""
    (result,) = case.task.metric.score_all([text], [case.references])
    return result.score > case.result.score


def _undone_by(*names: str) -> Callable[[Answer], _Found]:
    """Return the function that finds a text which scores more after these rules of `--post`."""
    rules = [change for _, change in map(find_rule, names)]

    def find(case: Answer) -> _Found:
        text = case.text
        for change in rules:
            text = change(text, case.task)
        return text if text != case.text and _gains(case, text) else False

    return find


def _after(mark: str, *names: str) -> Callable[[Answer], _Found]:
    """Return the function that finds a text which scores more from its last mark on, unless that is its header."""
    find_gain = _undone_by(*names)

    def find(case: Answer) -> _Found:
        start = case.text.lower().find(mark)
        is_header = mark == f"{case.task.answer_type.lower()}:" and not case.text[:start].strip()
        is_header = is_header and case.text.lower().count(mark) == 1
        return False if start < 0 or is_header else find_gain(case)

    return find


class _Rule(NamedTuple):
    """A pattern: what its answers do, in the plural; how they are undone; the metrics it is for, all if empty.

    It is tried only if a tenth of the task's answers contain its `mark`, and on a text without any sign (`_has_sign`)
    only if it finds something `in_plain` texts. What undoes it are the rules of `post`, or the text that it finds,
    which `undone` says in words.
    """

    name: str
    do: str
    find: Callable[[Answer], _Found]
    undone: str = ""
    metrics: tuple[str, ...] = ()
    mark: str = ""
    post: tuple[str, ...] = ()
    in_plain: bool = True


# What a text in ASCII has that holds thinking, marks of a tokenizer, or escapes; most answers have none of it.
_SIGNS = ("<", "[", "##", "&", "\\", "analysis", "assistantfinal", "b'", 'b"')


def _has_sign(text: str) -> bool:
    return not text.isascii() or any(map(text.__contains__, _SIGNS))


_WORDS = ("f1", "exact_match")
_NOT_ROUGE = (*_WORDS, "accuracy", "exp_similarity", "concordance_index")
#: After these marks models give their answer, in lower case, and where it ends.
MARKS = {"answer:": "", "answer is": "", "<answer>": "</answer>", "\\boxed{": "}", "####": ""}


def _rules_after(mark: str, end: str) -> Iterator[_Rule]:
    """Yield the rules for answers after a mark, as they are and with the letter of an option before them."""
    names = (f"after:{mark}", *([f"cut-at:{end}"] if end else []))
    do = f"give their answer after “{mark.replace('{', '{{')}”"
    yield _Rule("after_mark", do, _after(mark, *names), metrics=_NOT_ROUGE, mark=mark, post=names)
    names = (*names, "drop-label")
    do += ", with an option's letter"
    yield _Rule("label_after_mark", do, _after(mark, *names), metrics=_WORDS, mark=mark, post=names)


def _rule_of_post(name: str, do: str, post: str, metrics: tuple[str, ...] = (), *, in_plain: bool = False) -> _Rule:
    return _Rule(name, do, _undone_by(post), metrics=metrics, post=(post,), in_plain=in_plain)


#: The rules; an answer belongs to the first one that finds it.
RULES = (
    _Rule("unfinished_thinking", "do not end their thinking", _unfinished_thinking, in_plain=False),
    _Rule("thinking", "have thinking before the answer", _thinking, post=("drop-think",), in_plain=False),
    _rule_of_post("tokens", "have marks of a tokenizer, such as </s> or ▁", "drop-tokens"),
    _rule_of_post("encoded", "are in Base64, or written as in an address (%20)", "decode", in_plain=True),
    _rule_of_post("escaped", "write line breaks as \\n, é as \\u00e9, & as &amp;, or the text as b'…'", "unescape"),
    _rule_of_post("tags", "have tags of HTML, such as <br>", "drop-tags"),
    _rule_of_post("invisible", "have characters without width, such as U+200B", "drop-invisible"),
    _rule_of_post("encoding", "have UTF-8 that was read as Latin-1", "fix-encoding"),
    _Rule("prompt", "go on with the prompt or the next question", _repeated_prompt, "for the first part alone"),
    _Rule("loop", "end in the same words again and again", _loop, "without the repeats"),
    *chain.from_iterable(_rules_after(mark, end) for mark, end in MARKS.items()),
    _rule_of_post("label", "begin with the letter of an option", "drop-label", _WORDS, in_plain=True),
    _Rule("misread", "are not read as meant", _misread, "for what is meant"),
    _Rule("missing_value", "are what programs write for a missing value, such as nan or #REF!", _missing_value),
    _Rule("refusal", "say that the text does not tell", _refusal),
    _Rule("false_unanswerable", "say “unanswerable” where there is an answer", _false_unanswerable, metrics=_WORDS),
    _Rule("false_answer", "answer a question that is unanswerable", _false_answer, metrics=_WORDS),
    _Rule("yes_no_sentence", "say more than yes or no", _yes_no_sentence, "for yes or no alone", _WORDS),
    _Rule("reference_and_more", "hold a reference and more", _reference_and_more, "for the reference alone", _WORDS),
    _Rule("unasked_yes_no", "begin with yes or no where no reference does", _unasked_yes_no, metrics=_WORDS),
    _Rule("wrong_ids", "have missing or repeated ids", lambda case: _cause(case) == "wrong ids"),
    _Rule("two_options", "name two options or more", lambda case: _cause(case) == "two options"),
    _Rule(NOTHING_READ, "{nothing}", lambda case: case.result.parsed is None),
    _Rule("other_script", "are in another script than the references", _other_script, in_plain=False),
    _Rule("cut_off", "stop in the middle of a sentence", _cut_off, metrics=("rouge",)),
)


def patterns_of_task(answers: Sequence[Answer], rouge_aggregation: str = "corpus") -> list[Pattern]:
    """Return the patterns of the answers to a task, in the order of their points, then of `below`."""
    lower = [answer for answer in answers if answer.result.score < 100]
    if not lower:
        return []
    task = lower[0].task
    lowered = [answer.text.lower() for answer in answers]
    rules = [
        rule
        for rule in RULES
        if task.metric.name in (rule.metrics or (task.metric.name,))
        and (not rule.mark or sum([rule.mark in text for text in lowered]) * 10 >= len(lowered))
    ]
    found: dict[_Rule, list[tuple[Answer, _Found]]] = defaultdict(list)
    of_plain = [rule for rule in rules if rule.in_plain]
    for case in lower:
        for rule in rules if _has_sign(case.text) else of_plain:
            if (undone := rule.find(case)) is not False:
                found[rule].append((case, undone))
                break
    whole = _Whole(answers, len(lower), rouge_aggregation)
    return sorted((_pattern(rule, members, whole) for rule, members in found.items()), key=Pattern.order)


@dataclass(frozen=True)
class _Whole:
    """All answers to a task, of which `lower` score less than 100."""

    answers: Sequence[Answer]
    lower: int
    rouge_aggregation: str

    def gain(self, texts: Mapping[str, str]) -> float:
        """Return what the task's score gains with other texts in place of some answers, by id; 0 if it loses."""
        task, results = self.answers[0].task, {answer.id: answer.result for answer in self.answers}
        before, _ = aggregate(task.metric, list(results.values()), self.rouge_aggregation)
        changed = [answer for answer in self.answers if texts.get(answer.id, answer.text) != answer.text]
        columns = [texts[answer.id] for answer in changed], [answer.references for answer in changed]
        results |= dict(zip((answer.id for answer in changed), task.metric.score_all(*columns), strict=True))
        after, _ = aggregate(task.metric, list(results.values()), self.rouge_aggregation)
        return max(0.0, after - before)

    def processed(self, names: Sequence[str]) -> dict[str, str]:
        """Return the texts of all answers after these rules of `--post`."""
        rules, texts = [change for _, change in map(find_rule, names)], {}
        for answer in self.answers:
            texts[answer.id] = answer.text
            for change in rules:
                texts[answer.id] = change(texts[answer.id], answer.task)
        return texts

    def like_the_others(self, cases: Sequence[Answer]) -> float | None:
        """Return what the task would gain if these answers scored like the others; `None` if that is not known."""
        scores, all_scores = ([answer.result.score for answer in some] for some in (cases, self.answers))
        rest = len(all_scores) - len(scores)
        mean = (sum(all_scores) - sum(scores)) / rest if rest >= max(FEWEST_OTHERS, len(scores)) else 0.0
        gained = (mean - fmean(scores)) * len(scores) / len(all_scores)
        return gained if gained >= 0.05 else None


def _pattern(rule: _Rule, members: Sequence[tuple[Answer, _Found]], whole: _Whole) -> Pattern:
    task, cases, best = whole.answers[0].task, [case for case, _ in members], max(a.result.score for a in whole.answers)
    undone = rule.undone
    points: float | None
    if rule.post:
        points, undone = whole.gain(whole.processed(rule.post)), f"with {' '.join(map(_option, rule.post))}"
    elif rule.undone:
        points = whole.gain({case.id: text for case, text in members if isinstance(text, str)})
    else:
        points = whole.like_the_others(cases)
    verb, _, more = rule.do.format(nothing=_nothing_read(task.metric)).partition(" ")
    verb = verb if len(cases) > 1 else {"are": "is", "have": "has", "go": "goes", "do": "does"}.get(verb, f"{verb}s")
    does = f"{verb} {more}"
    gain = (
        ""
        if points is None
        else f": about {points:.1f} points if {'they' if len(cases) > 1 else 'it'} scored like the others"
    )
    gain = f": {points:.1f} points {undone}" if undone else gain
    of = f"{len(whole.answers):,} {task.title} answers"
    if whole.lower < len(whole.answers):
        of = f"the {whole.lower:,} {task.title} answers that lost points" if whole.lower > 1 else of
    return Pattern(
        name=rule.name,
        task=task.name,
        does=does,
        count=len(cases),
        lower=whole.lower,
        points=points,
        estimated=points is not None and not undone,
        below=sum((best or 100.0) - case.result.score for case in cases) / len(whole.answers),
        sentence=f"{len(cases):,} of {of} {does}{gain}.",
        ids=tuple(case.id for case in cases),
        post=rule.post,
    )


def _nothing_read(metric: Metric) -> str:
    """Return what answers do in which the metric reads nothing."""
    first = " in the first line" if metric.settings.get("line") == "first" else ""
    return _READ_NOTHING.get(metric.name, "have nothing that the metric reads") + first


def _option(name: str) -> str:
    return f"--post {shlex.quote(name)}"
