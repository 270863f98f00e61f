"""A second scorer of ZeroSCROLLS and SCROLLS, to check the project's own scorer against.

Source: a description of the released evaluators in words, and the papers. It shares no code with the project and is
plain and slow on purpose: full tables, all pairs, the patterns as the specification prints them. Scores are points,
0 to 100, never rounded. References have to be readable.
"""

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from statistics import fmean

from unidecode import unidecode

RougeScore = dict[str, float]
Scorer = Callable[[str, Sequence[str]], float]

ROUGE_TYPES = ("rouge1", "rouge2", "rougeL")


def plain_score(
    task: str, prediction: str, references: Sequence[str], *, benchmark: str = "zero_scrolls"
) -> float | RougeScore:
    """Points of one answer; for a ROUGE task a dict of the three types and their `geometric_mean`."""
    if task not in SCORERS[benchmark]:
        return plain_rouge(prediction, references)
    return SCORERS[benchmark][task](without_surrogates(prediction), list(map(without_surrogates, references)))


def plain_rouge(prediction: str, references: Sequence[str]) -> RougeScore:
    """ROUGE-1, ROUGE-2, ROUGE-L (each with its own best reference) and the geometric mean of these three."""
    answer = rouge_tokens(without_surrogates(prediction))
    truths = [rouge_tokens(without_surrogates(reference)) for reference in references]
    score = {
        "rouge1": max(100 * rouge_n(answer, truth, 1) for truth in truths),
        "rouge2": max(100 * rouge_n(answer, truth, 2) for truth in truths),
        "rougeL": max(100 * rouge_l(answer, truth) for truth in truths),
    }
    return {**score, "geometric_mean": cube_root_of_product(score)}


def plain_task_score(
    task: str, predictions: Sequence[str], references_list: Sequence[Sequence[str]], *, benchmark: str = "zero_scrolls"
) -> float:
    """Points of a task: the mean over the answers; for ROUGE a mean per type, then the root of the three means."""
    if task in SCORERS[benchmark]:
        return plain_instance_mean(task, predictions, references_list, benchmark=benchmark)
    scores = [plain_rouge(*pair) for pair in zip(predictions, references_list, strict=True)]
    return cube_root_of_product({kind: fmean(score[kind] for score in scores) for kind in ROUGE_TYPES})


def plain_instance_mean(
    task: str, predictions: Sequence[str], references_list: Sequence[Sequence[str]], *, benchmark: str = "zero_scrolls"
) -> float:
    """Points of a task read the other way: one number per answer (ROUGE: its geometric mean), then the mean."""
    pairs = zip(predictions, references_list, strict=True)
    scores = [plain_score(task, *pair, benchmark=benchmark) for pair in pairs]
    return fmean(score["geometric_mean"] if isinstance(score, dict) else score for score in scores)


def without_surrogates(text: str) -> str:
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def f_measure(overlap: int, predicted: int, expected: int) -> float:
    """2PR/(P+R) as a fraction, 0 when nothing is shared."""
    if overlap == 0:
        return 0.0
    precision, recall = overlap / predicted, overlap / expected
    return 2 * precision * recall / (precision + recall)


def shared(answer: Counter[tuple[str, ...]], truth: Counter[tuple[str, ...]]) -> int:
    return sum(min(count, truth[item]) for item, count in answer.items())


def rouge_tokens(text: str) -> list[str]:
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).split()


def n_grams(tokens: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1))


def rouge_n(answer: list[str], truth: list[str], n: int) -> float:
    return f_measure(shared(n_grams(answer, n), n_grams(truth, n)), len(answer) - n + 1, len(truth) - n + 1)


def rouge_l(answer: list[str], truth: list[str]) -> float:
    """Fill the textbook table: cell (i, j) is the longest common subsequence of the first i and the first j tokens."""
    table = [[0] * (len(truth) + 1) for _ in range(len(answer) + 1)]
    for i, token in enumerate(answer, start=1):
        for j, other in enumerate(truth, start=1):
            longest_so_far = max(table[i - 1][j], table[i][j - 1])
            table[i][j] = table[i - 1][j - 1] + 1 if token == other else longest_so_far
    return f_measure(table[-1][-1], len(answer), len(truth))


def cube_root_of_product(score: RougeScore) -> float:
    return float((score["rouge1"] * score["rouge2"] * score["rougeL"]) ** (1 / 3))


def scrolls_normalized(text: str) -> str:
    text = "".join(character for character in text.lower() if character not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def zero_scrolls_normalized(text: str) -> str:
    return unidecode(scrolls_normalized(text))


def token_f1(answer: str, truth: str) -> float:
    answer_tokens, truth_tokens = answer.split(), truth.split()
    overlap = shared(n_grams(answer_tokens, 1), n_grams(truth_tokens, 1))
    return f_measure(overlap, len(answer_tokens), len(truth_tokens))


def f1(prediction: str, references: Sequence[str], normalized: Callable[[str], str] = zero_scrolls_normalized) -> float:
    answer = normalized(prediction)
    return max(100 * token_f1(answer, normalized(reference)) for reference in references)


def exact_match(prediction: str, references: Sequence[str]) -> float:
    return 100.0 if scrolls_normalized(prediction) in map(scrolls_normalized, references) else 0.0


def first_letter(text: str) -> str | None:
    match = re.search(r"\b[A-D]\b", text)
    return match.group() if match else None


def accuracy(prediction: str, references: Sequence[str]) -> float:
    return 100.0 if first_letter(prediction) in map(first_letter, references) else 0.0


def first_percentage(text: str) -> float | None:
    match = re.search(r"\d+\.?\d*%", text)
    return float(match.group().removesuffix("%")) if match else None


def exp_similarity(prediction: str, references: Sequence[str]) -> float:
    answer = first_percentage(prediction)
    if answer is None:
        return 0.0
    # equality first: a percentage of 309 digits or more reads as infinity, and infinity minus itself is no number
    truths = [truth for truth in map(first_percentage, references) if truth is not None]
    distances = [0.0 if answer == truth else abs(answer - truth) for truth in truths]
    return float(max(100 * 2.0 ** (-distance / 10) for distance in distances))


def order_of_ids(text: str) -> list[int]:
    """Read the ids in the order of the text; none when one token is too long for Python's `int`."""
    kept = re.sub(r"[^0-9\s,]", "", text).replace(",", " ")
    try:
        return [int(token) for token in kept.split()]
    except ValueError:
        return []


def places_in(truth: list[int], answer: list[int]) -> list[int]:
    """For each id of the answer its place in the truth; of a repeated id the first takes the first place, and so on."""
    free = {identifier: [place for place, other in enumerate(truth) if other == identifier] for identifier in truth}
    return [free[identifier].pop(0) for identifier in answer]


def concordance(answer: list[int], truth: list[int]) -> float:
    if sorted(answer) != sorted(truth):
        return 0.0
    if len(truth) == 1:
        return 100.0
    return 100 * fmean(earlier < later for earlier, later in combinations(places_in(truth, answer), 2))


def concordance_index(prediction: str, references: Sequence[str]) -> float:
    return max(concordance(order_of_ids(prediction), order_of_ids(reference)) for reference in references)


SCORERS: dict[str, dict[str, Scorer]] = {
    "zero_scrolls": {
        **dict.fromkeys(("qasper", "narrative_qa", "musique"), f1),
        "quality": accuracy,
        "space_digest": exp_similarity,
        "book_sum_sort": concordance_index,
    },
    "scrolls": {
        **dict.fromkeys(("qasper", "narrative_qa"), partial(f1, normalized=scrolls_normalized)),
        **dict.fromkeys(("quality", "quality_hard", "contract_nli"), exact_match),
    },
}
