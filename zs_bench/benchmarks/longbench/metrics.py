r"""The metrics of LongBench (arXiv 2308.14508; `metrics.py` and `eval.py` of THUDM/LongBench), to their last digit.

The best of the references counts. English F1 is that of SCROLLS. Conventions of the released evaluator, kept:

* F1 (Chinese): jieba's words; each in lowercase, without punctuation of both languages and white space.
* ROUGE-L is that of the package `rouge` 1.0.1, see `rouge_l.py`; Chinese texts are cut into words by jieba first.
* Classification: the classes of the row that occur in the answer. One that is part of the reference is removed from
  the list that is being walked through, so that the class after it is skipped. 1 / (what is left) if it has the
  reference.
* Count, retrieval: the share of the numbers in the answer that are the right one.
* Edit similarity: the first line without "`", "#" and "//"; fuzzywuzzy's ratio without python-Levenshtein, which is
  difflib's in whole per cent.
* TREC, TriviaQA, SAMSum and LSHT: only the first line counts, after leading line breaks.
"""

import re
import string
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial

from zs_bench.errors import from_extra
from zs_metric.f1 import SCROLLS_NORMALIZATION, score_f1
from zs_metric.metrics import Metric, mean_of_examples
from zs_metric.results import ExampleResult
from zs_metric.texts import read_references, row_of
from zs_metric.version import installed_version

_CHINESE = (
    "！？｡。＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀｛｜｝～｟｠｢｣､、〃》「"
    "」『』【】〔〕〖〗〘〙〚〛〜〝〞〟〰〾〿–—‘’‛“”„‟…‧﹏."
)
_PUNCTUATION = str.maketrans("", "", string.punctuation + _CHINESE)
_NUMBER = re.compile(r"\d+")
#: Marks of lines that are no code.
NO_CODE = ("`", "#", "//")
_PARTS = {"precision": "Precision", "recall": "Recall"}


def first_line(text: str) -> str:
    """Return the first line, after leading line breaks."""
    return text.lstrip("\n").split("\n")[0]


def code_line(text: str) -> str:
    """Return the first line without a mark of comments or of Markdown, after leading line breaks; empty without one."""
    lines = text.lstrip("\n").split("\n")
    return next((line for line in lines if not any(mark in line for mark in NO_CODE)), "")


@lru_cache(4096)
def cut(text: str) -> tuple[str, ...]:
    """Return jieba's words of a text; raises `MissingExtra` without jieba."""
    with from_extra("longbench"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own code
        import jieba  # noqa: PLC0415  (it reads its dictionary, for Chinese alone)
    jieba.setLogLevel("WARNING")
    return tuple(jieba.cut(text, cut_all=False))


def chinese_words(text: str) -> list[str]:
    """Return jieba's words in lowercase, without punctuation and white space."""
    return [bare for word in cut(text) if (bare := "".join(word.lower().translate(_PUNCTUATION).split()))]


def _jieba() -> Mapping[str, str]:
    with from_extra("longbench"):
        return {"jieba": installed_version("jieba", "jieba")}


# A score of a prediction against one reference: a share, its precision and recall where it has them.
_Score = tuple[float, dict[str, float]]


def _best(score: Callable[[str, str], _Score], read: Callable[[str], str]) -> Callable[..., ExampleResult]:
    """Return a scorer of one prediction: the best of its references; `read` returns what it reads in a prediction."""

    def of(prediction: str, references: Sequence[str]) -> ExampleResult:
        scores = [score(prediction, reference) for reference in references]
        best = max(range(len(scores)), key=lambda i: scores[i][0])
        points, parts = scores[best]
        parsed = read(prediction) or None
        nothing = "the answer is empty" if not prediction.strip() else "nothing that this metric reads is in the answer"
        reason = None if points else "nothing in common with any reference" if parsed else nothing
        return ExampleResult(100 * points, parsed, reason, best, {name: 100 * part for name, part in parts.items()})

    return of


def _f1_chinese(prediction: str, reference: str) -> _Score:
    words, wanted = chinese_words(prediction), chinese_words(reference)
    shared = sum((Counter(words) & Counter(wanted)).values())
    if not shared:
        return 0.0, dict.fromkeys(_PARTS, 0.0)
    precision, recall = shared / len(words), shared / len(wanted)
    return 2 * precision * recall / (precision + recall), {"precision": precision, "recall": recall}


def _rouge(prediction: str, reference: str, *, chinese: bool = False) -> _Score:
    from zs_bench.benchmarks.longbench.rouge_l import rouge_l  # noqa: PLC0415  (for summaries alone)

    texts = (" ".join(cut(text)) for text in (prediction, reference)) if chinese else (prediction, reference)
    # Chinese is scored one call deeper.
    score = rouge_l(*texts, calls=990 if chinese else 991)
    return score.fmeasure, {"precision": score.precision, "recall": score.recall}


def score_classes(prediction: str, references: Sequence[str], *, classes: Sequence[str] = ()) -> ExampleResult:
    """Score the classes in a prediction; those of the task are `classes`, unless the row has its own."""
    names = row_of(references).get("all_classes") or classes
    found = [name for name in names if name in prediction]
    scores = []
    for reference in references:
        left = list(found)
        for name in left:
            if name in reference and name != reference:
                left.remove(name)
        scores.append(1 / len(left) if reference in left else 0.0)
    best = max(range(len(scores)), key=scores.__getitem__)
    reason = None
    if scores[best] < 1:
        several = f"{len(found)} classes are in it: {', '.join(found)}"
        reason = several if len(found) > 1 else "it is another class" if found else "no class of the list is in it"
        reason = reason if prediction.strip() else "the answer is empty"
    return ExampleResult(100 * scores[best], ", ".join(found) or None, reason, best)


def _score_numbers(prediction: str, references: Sequence[str], *, after: str = "") -> ExampleResult:
    """Score the numbers in a prediction; the right one stands in the reference `after` this text, or is all of it."""
    pattern = re.compile(re.escape(after) + r"(\d+)")

    def number(text: str) -> str | None:
        match = pattern.search(text)
        return match[1] if match else None

    wanted = read_references(number, references, f"it has no number after {after!r}") if after else [*references]
    found = _NUMBER.findall(prediction)
    scores = [found.count(right) / len(found) if found else 0.0 for right in wanted]
    best = max(range(len(scores)), key=scores.__getitem__)
    reason = None
    if scores[best] < 1:
        right = found.count(wanted[best])
        reason = f"{right} of {len(found)} numbers in the answer {'is' if right == 1 else 'are'} the right one"
        reason = reason if found else "no number is in the answer" if prediction.strip() else "the answer is empty"
    return ExampleResult(100 * scores[best], " ".join(found) or None, reason, best)


def ratio(line: str, reference: str) -> float:
    """Return fuzzywuzzy's ratio without python-Levenshtein, in whole per cent."""
    if line == reference:
        return 100
    if not line or not reference:
        return 0
    from difflib import SequenceMatcher  # noqa: PLC0415  (for code alone)

    return round(100 * SequenceMatcher(None, line, reference).ratio())


def edit_similarity(prediction: str, reference: str, *, ratio: Callable[[str, str], float] = ratio) -> _Score:
    """Return the similarity of the line of code in a prediction and the reference, as a share."""
    return ratio(code_line(prediction), reference) / 100, {}


def edit_metric(name: str, ratio: Callable[[str, str], float]) -> Metric:
    """Return the metric of the code tasks with a ratio of this name."""
    score = _best(partial(edit_similarity, ratio=ratio), code_line)
    return mean_of_examples("edit_similarity", "Edit similarity", score, settings={"ratio": name})


def rouge_metric(
    name: str, score: Callable[[str, str], _Score], *, line: bool = False, chinese: bool = False
) -> Metric:
    """Return a metric of summaries with a ROUGE-L of this name."""
    return mean_of_examples(
        *("rouge_l_zh" if chinese else "rouge_l", f"ROUGE-L{' (Chinese)' if chinese else ''}", _best(score, str.strip)),
        prepare=first_line if line else None,
        parts=_PARTS,
        settings={"rouge-l": name, **_LINE} if line else {"rouge-l": name},
        libraries=_jieba if chinese else dict,
    )


_LINE = {"line": "first"}
_f1 = partial(score_f1, steps=SCROLLS_NORMALIZATION)
F1 = mean_of_examples("f1", "F1", _f1, SCROLLS_NORMALIZATION, parts=_PARTS)
F1_LINE = mean_of_examples(
    "f1", "F1 of the first line", _f1, SCROLLS_NORMALIZATION, prepare=first_line, parts=_PARTS, settings=_LINE
)
F1_CHINESE = mean_of_examples(
    *("f1_zh", "F1 (Chinese)", _best(_f1_chinese, lambda text: " ".join(chinese_words(text)))),
    parts=_PARTS,
    settings={"norm-zh": "lower-punct-ws"},
    libraries=_jieba,
)
ROUGE = "rouge-1.0.1"
ROUGE_L = rouge_metric(ROUGE, _rouge)
ROUGE_L_LINE = rouge_metric(ROUGE, _rouge, line=True)
ROUGE_L_CHINESE = rouge_metric(ROUGE, partial(_rouge, chinese=True), chinese=True)
COUNT = mean_of_examples("count", "Count", _score_numbers, settings={"numbers": "share"})
RETRIEVAL, RETRIEVAL_CHINESE = (
    mean_of_examples("retrieval", "Retrieval", partial(_score_numbers, after=after), settings={"numbers": "share"})
    for after in ("Paragraph ", "段落")
)
EDIT = edit_metric("difflib", ratio)


#: The metrics without the step of the first line, by name.
WHOLE = {"f1": F1, "rouge_l": ROUGE_L}


def classification(classes: Sequence[str], *, line: bool = True) -> Metric:
    """Return the metric of a task with these classes, of the first line unless `line` is false.

    Without any, each row has to have its own.
    """
    return mean_of_examples(
        *("classification", "Classification", partial(score_classes, classes=tuple(classes))),
        prepare=first_line if line else None,
        settings={"classes": "in-order", **(_LINE if line else {})},
        fields={"all_classes": "list?" if classes else "list"},
    )
