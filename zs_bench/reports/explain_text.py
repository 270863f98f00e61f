"""An explanation (`zs_metric.explain`) as plain text."""

from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch
from itertools import groupby
from operator import itemgetter
from typing import Any

from zs_bench.problems import counted
from zs_metric.explain import Explanation
from zs_metric.explain.accuracy import AccuracyView
from zs_metric.explain.concordance_index import ConcordanceView
from zs_metric.explain.exp_similarity import ExpSimilarityView
from zs_metric.explain.f1 import F1View, WordsView
from zs_metric.explain.parts import HumanReading, Part
from zs_metric.explain.rouge import RougeView

# How many entries of a list are written out; the JSON has all.
FEW = 20
_ROUGE_TITLES = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}
_SHARED = {"unigram": "one by one", "bigram": "in pairs of neighbours", "lcs": "in the longest common subsequence"}
_BIGRAM = 3  # its column in a token of the data


def render(explanation: Explanation) -> str:
    """Return the explanation as lines, each ending in a line feed.

    >>> from zs_bench.benchmarks import find_task
    >>> from zs_metric.explain import explain
    >>> print(render(explain(find_task("quality"), "A good answer is B", "B")), end="")
    quality: 0.00 of 100 points (accuracy).
    Why: the first letter found is A (here the word “A”), not B.
    Lost 100.00 points: misread 100.00.
    What if: the letter that the answer names, alone, “B”: 100.00 points.
    Answer: [A] good answer is B
    Read: A, the first letter that stands alone; it is the article. Also there: B.
    Reference: B.
    """
    return "".join(f"{line}\n" for line in _lines(explanation))


def _lines(explanation: Explanation) -> Iterator[str]:
    yield f"{explanation.task.name}: {explanation.score:.2f} of 100 points ({explanation.task.metric.name})."
    if explanation.reason:
        yield f"Why: {explanation.reason}."
    losses = explanation.losses
    listed = ", ".join(f"{cause} {points:.2f}" for cause, points in losses.items() if points >= 0.005)
    yield f"Lost {sum(losses.values()):.2f} points: {listed}." if listed else "Nothing was lost."
    yield from sentences(explanation)
    for change in explanation.what_if:  # with its answer, unless that is so long that the change says enough
        short = change.answer is not None and len(change.answer) <= 80
        answer = f", {_quoted(change.answer or '')}" if short else ""
        yield f"What if: {change.change}{answer}: {change.score:.2f} points."
    yield from view_lines(explanation.view)
    yield from (f"Note: {sentence}." for sentence in explanation.omitted)


def sentences(explanation: Explanation) -> list[str]:
    """Return what the score means: words held and missing, and what is not compared."""
    meanings = [explanation.sentence] if explanation.sentence else []
    if explanation.task.metric.compares_words:
        meanings.append(f"{explanation.task.metric.title} compares words, not meaning")
    return [f"{sentence[0].upper()}{sentence[1:]}." for sentence in meanings]


@singledispatch
def view_lines(view: Part) -> Iterator[str]:
    """Yield a metric's view as lines; by default its fields by name."""
    for name, value in view.as_dict().items():
        if isinstance(value, dict):
            yield from (f"{title}: {points:.2f}" for title, points in value.items())
            continue
        text = _few(value) if isinstance(value, list) else _quoted(str(value))
        yield f"{name.replace('_', ' ').capitalize()}: {text}"


@view_lines.register
def _word_lines(view: WordsView) -> Iterator[str]:
    yield f"Answer: {_one_line(view.answer)}"
    for title, tokens in (
        ("Words of the answer, those shared in brackets", view.answer_tokens),
        (f"Words of reference {view.best_reference + 1}", view.reference_tokens),
    ):
        words = (f"[{token.token}]" if token.shared else token.token for token in tokens)
        yield f"{title}: {' '.join(words) or 'none'}"
    if isinstance(view, F1View):
        yield f"Shared: {view.shared}. Precision {view.precision:.2f}, recall {view.recall:.2f}."
    yield from _typography_lines(view)
    for i, reference in enumerate(view.references, start=1):
        yield f"Reference {i}: {reference.score:.2f} points: {_quoted(reference.text or '')}."


@view_lines.register
def _rouge_lines(view: RougeView) -> Iterator[str]:
    for name, part in view.types.items():
        yield (
            f"{_ROUGE_TITLES[name]}: precision {part['precision']:.2f}, recall {part['recall']:.2f}, "
            f"F {part['fmeasure']:.2f}, with reference {part['best_reference'] + 1}."
        )
    factors = " x ".join(f"{factor:.2f}" for factor in view.geometric_mean["factors"].values())
    yield f"Score: the cube root of {factors}, {view.geometric_mean['value']:.2f}."
    for i, reference in enumerate(view.references, start=1):
        scores = ", ".join(f"{title} {reference[name]:.2f}" for name, title in _ROUGE_TITLES.items())
        yield f"Reference {i}, {counted(int(reference['words']), 'word')}: {scores}."
    for kind, count in view.answer.shared.items():
        if kind != "lcs" or not view.lcs_omitted:
            yield f"Words of the answer shared {_SHARED[kind]}: {count:,} of {view.answer.words:,}."
    yield from _typography_lines(view)
    titles = ["Answer, shared pairs of words in brackets"]
    for winner in view.winners:
        types = ", ".join(_ROUGE_TITLES[name] for name in winner.types)
        titles.append(f"Reference {winner.reference + 1}, the best for {types}")
    for title, text in zip(titles, (view.answer, *view.winners), strict=True):
        runs = ((shared, list(tokens)) for shared, tokens in groupby(text.tokens, key=itemgetter(_BIGRAM)))
        yield f"{title}: {_bracketed(text.text or '', [(run[0][0], run[-1][1]) for shared, run in runs if shared])}"


def _typography_lines(view: WordsView | RougeView) -> Iterator[str]:
    for character in view.typography:
        yield (
            f"Typographic: {character.character} ({character.name}), {character.ascii!r} in ASCII, "
            f"{character.in_answer} in the prediction and {character.in_references} in the references."
        )
    if view.typography:
        yield f"With ASCII in their place on both sides: {view.lenient_score:.2f} points."


@view_lines.register
def _accuracy_lines(view: AccuracyView) -> Iterator[str]:
    first, others = view.letters[:1], view.letters[1:]
    yield f"Answer: {_bracketed(view.answer, [(letter.start, letter.end) for letter in first])}"
    trap = "; it is the article" if view.article_trap else ""
    also = f" Also there: {_few([letter.letter for letter in others])}." if others else ""
    read = f"{first[0].letter}, the first letter that stands alone{trap}" if first else "no letter"
    yield f"Read: {read}.{also}"
    yield from _would_be_lines(view.would_be)
    yield f"Reference: {_few(view.reference_letters)}."


@view_lines.register
def _exp_similarity_lines(view: ExpSimilarityView) -> Iterator[str]:
    yield f"Answer: {_bracketed(view.answer, [view.span] if view.span else [])}"
    if view.value is None:
        yield f"Read: no percentage. Reference: {view.truth:.10g}%."
    elif view.truth is not None:
        apart = abs(view.value - view.truth)
        points = f"{apart:,.10g} point{'' if apart == 1 else 's'}"
        read = f"Read: {view.value:.10g}%. Reference: {view.truth:.10g}%."
        yield f"{read} They are {points} apart; every {view.half_width} points halve the score."
    yield from _would_be_lines(view.would_be)


@view_lines.register
def _concordance_lines(view: ConcordanceView) -> Iterator[str]:
    yield f"Read: {_few(view.order, 100) or 'no ids'}."
    yield f"Reference: {_few(view.truth, 100)}."
    if view.permutation:
        yield f"In order: {view.in_order:,} of {counted(view.pairs, 'pair')}."
        pairs = [f"{view.order[i]} before {view.order[j]}" for i, j in view.discordant[:FEW]]
        if pairs:
            yield f"Out of order: {', '.join(pairs)}{', …' if view.discordant_count > len(pairs) else ''}."
    else:
        named = (("missing", view.missing), ("repeated", view.repeated), ("foreign", view.foreign))
        faults = [f"{name} {_few(ids)}" for name, ids in named if ids]
        yield f"Not a permutation: {'; '.join(faults) or 'nothing was read'}."
    yield from _would_be_lines(view.would_be)


def _would_be_lines(would_be: HumanReading | None) -> Iterator[str]:
    if would_be:
        yield f"It may mean {would_be.answer} ({would_be.how}), which would score {would_be.score:.2f}."


def _bracketed(text: str, spans: Iterable[Sequence[int]]) -> str:
    pieces, end = [], 0
    for start, stop in spans:
        pieces += [text[end:start], f"[{text[start:stop]}]"]
        end = stop
    return _one_line("".join([*pieces, text[end:]]))


def _one_line(text: str) -> str:
    return " ".join(text.split()) or "(empty)"


def _quoted(text: str) -> str:
    return f"“{_one_line(text if len(text) <= 200 else text[:199] + '…')}”"


def _few(items: Sequence[Any], limit: int = FEW) -> str:
    shown = ("a huge number" if isinstance(item, int) and item >= 10**12 else str(item) for item in items[:limit])
    return ", ".join(shown) + (", …" if len(items) > limit else "")
