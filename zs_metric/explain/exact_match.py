"""The explanation of exact match: both texts normalised, the words in which they differ, parts that do match."""

import re
from collections.abc import Iterator

from ..accuracy import is_letter_alone
from ..f1 import score_f1
from .f1 import ScoredWords, WordsView, first_sentence, named_answer
from .parts import LIST_LIMIT, TEXT_LIMIT, shared_in_order, to_ascii

_LETTER_BEFORE = re.compile(r"\W{0,4}[A-D]\s?[).:\]]\W{0,4}(?=\w)")
_CLAUSE_END = re.compile(r"[,;:(\[]|\s[-–—]+\s|—")


class _ScoredMatch(ScoredWords):
    def best(self) -> int:
        """The reference that the prediction equals; if there is none, the first with the highest F1."""
        if not self.result.score and len(self.references) > 1:
            return score_f1(self.prediction, self.references, steps=self.task.metric.steps).best_reference or 0
        return super().best()

    def details(self) -> WordsView:
        """The shared words are a longest common subsequence, the others are the difference."""
        marks = shared_in_order(*(tokens[:LIST_LIMIT] for tokens in self.sides)) or ([], [])
        return WordsView(**self.fields(marks))

    def cause(self) -> str | None:
        """Misread is an option's letter, and a prediction of which a part alone would score 100."""
        misread = is_letter_alone(self.prediction) or 100 in self.official_scores(text for _, text in self.repairs())
        return "misread" if misread else None

    def split(self, lost: float) -> dict[str, float]:
        return {"other text": lost}

    def repairs(self) -> Iterator[tuple[str, str]]:
        """Non-empty proper parts of the prediction, as written and with typographic characters in ASCII."""
        text = self.prediction[:TEXT_LIMIT]
        for whole in dict.fromkeys((text, to_ascii(text))):
            for change, part in _parts(whole):
                if self.tokens(part) not in ([], self.tokens(whole)):
                    yield change, part.strip()


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield each beginning of a text: all of it, its first sentence and its first clause."""
    for which, words in (("the answer", text), ("what follows “answer:”", named_answer(text) or "")):
        letter = _LETTER_BEFORE.match(words)
        beginnings = {which: words}
        if letter:
            beginnings[f"{which} without the option's letter"] = words[letter.end() :]
        for change, whole in beginnings.items():
            yield change, whole
            yield f"the first sentence of {change}", first_sentence(whole)
            yield f"the first clause of {change}", _CLAUSE_END.split(first_sentence(whole), maxsplit=1)[0]


EXPLANATION = _ScoredMatch
