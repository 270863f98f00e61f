"""The conformance cases, to check this or any other scorer against.

Their scores were worked out by hand from what the released evaluators do.

`data/conformance.jsonl` has one case a line, JSON objects in ASCII. Every case has `benchmark`, `task`, `metric`,
`score` (points), `why` and `provenance`, and is of one of two kinds:

* `kind: "answer"`: `answer` (a text) and `references` (texts); a ROUGE case also has `rouge1`, `rouge2` and `rougeL`,
  F-measures in points. The scores are exact: within 1e-9.
* `kind: "task"`: `answers` and `references` (a list of texts for each answer), scored together as a whole task;
  `metrics` holds released keys and `instance_score` the mean of the single answers' scores. All are rounded to 4
  decimals, as the released evaluator prints them.

The file is written from the hand-worked tables of `tests/golden` (`make conformance`); a test compares the two.
"""

import json
import random
from collections.abc import Mapping
from importlib.resources import files
from operator import attrgetter
from typing import Any

from zs_bench.problems import short
from zs_metric.errors import ZeroScrollsError
from zs_metric.rouge import ENGINES, ROUGE_TYPES, engine
from zs_metric.scoring import ROUGE_AGGREGATIONS
from zs_metric.tasks import score_example, score_task

CASES = files("zs_bench") / "data" / "conformance.jsonl"
#: The largest allowed deviation of a score, in points.
TOLERANCE = 1e-9
#: How many generated pairs of texts the two ROUGE engines are compared on.
PAIRS = 300
_VALUES = attrgetter("precision", "recall", "fmeasure")
_WORDS = ("the", "The", "cat", "sat", "on", "mat.", "a", "1984", "naïve", "“quoted”", "cafés", "–", "don't", "İ", "K")


def cases() -> list[dict[str, Any]]:
    """All cases, in the order of the file."""
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").split("\n") if line]


def failure(case: Mapping[str, Any]) -> str | None:
    """How this scorer deviates from the case, as a sentence, or `None`."""
    task, answers, benchmark = case["task"], case.get("answer", case.get("answers")), case["benchmark"]
    name = f"{task}, {short(repr(answers), 80)}"
    scores: dict[str, Any]
    try:
        if case["kind"] == "answer":
            answer = score_example(task, answers, case["references"], benchmark=benchmark)
            scores = {"score": answer.score} | {key: part.fmeasure for key, part in (answer.rouge or {}).items()}
        else:
            results = [
                score_task(task, answers, case["references"], benchmark=benchmark, rouge_aggregation=aggregation)
                for aggregation in ROUGE_AGGREGATIONS
            ]
            scores = {key: results[0].metrics.get(key) for key in case["metrics"]}
            scores |= {"score": round(results[0].score, 4), "instance_score": round(results[1].score, 4)}
    except ZeroScrollsError as error:
        return f"{name}: {error}"
    for key, value in scores.items():
        wanted = case["metrics"][key] if key in case.get("metrics", ()) else case[key]
        if value is None or abs(value - wanted) > TOLERANCE:
            return f"{name}: {key} is {value}, not {wanted} ({case['why']})"
    return None


def engines_apart() -> str | None:
    """Where the two ROUGE engines differ on generated texts, as a sentence, or `None`; `ImportError` without both."""
    rng = random.Random(0)  # noqa: S311  (not for secrets)
    texts = [" ".join(rng.choices(_WORDS, k=rng.randrange(40))) for _ in range(2 * PAIRS)]
    references, predictions = texts[::2], texts[1::2]
    fast, plain = (engine(name).score_pairs(references, predictions) for name in ENGINES)
    for fast_scores, plain_scores, *pair in zip(fast, plain, references, predictions, strict=True):
        if any(_VALUES(fast_scores[name]) != _VALUES(plain_scores[name]) for name in ROUGE_TYPES):
            return f"{ENGINES[0]} and {ENGINES[1]} differ on {tuple(pair)!r}"
    return None
