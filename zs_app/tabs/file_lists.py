"""The answers of "Score a file": the list of those that pass a filter, and one of them opened.

Of a comparison each row and the opened answer have both systems.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from zs_app.component import render
from zs_app.result_tables import ANY, BINS, FEW_ROWS, ORDERS, Answer, Filter, Result, opened
from zs_app.server.events import unexpected
from zs_app.server.limits import is_explained
from zs_app.tabs.score_answer import scored
from zs_bench.benchmarks import Benchmark, Task, benchmark_of_report
from zs_bench.dataset.embedded import load_embedded
from zs_bench.errors import PromptFormatError, UnusableInput
from zs_bench.reports.html import notice
from zs_metric.errors import ZeroScrollsError

# The most characters of an id in the list; of a longer one the middle is left out.
_LONGEST_ID = 22
# The metrics whose explanation shows the answer anyway; that of ROUGE shows the best references too.
_VIEWS_WITH_ANSWER = ("rouge", "accuracy", "exp_similarity")


def answers(query: dict[str, Any]) -> dict[str, Any]:
    """Return the answers that pass a filter, if their list is asked for, and the opened one.

    Args:
        query: the `result`, the fields of a `Filter`, `most` rows for a list, and `place` of the opened answer among
            them, or that answer as its task and id: `answer`, as in "qasper/q1".
    """
    if len(json.dumps(query)) > 4_000:
        raise ZeroScrollsError("this is not what the page sends")
    wanted, place = read_filter(query), int(_number(query.get("place"), 0))
    task, _, name = str(query.get("answer") or "").partition("/")
    with opened(query.get("result")) as result:
        place = result.place_of(wanted, task, name) if task else place
        benchmark, names = benchmark_of_report(result.report), result.page["names"]
        row, count = result.answer(wanted, place)
        reply: dict[str, Any] = {"count": count, "place": place, "answer": f"{row.task}/{row.id}" if row else ""}
        if "most" in query:
            most = max(int(_number(query["most"], FEW_ROWS)), place + 1)
            reply["list"] = _list(result, wanted, most, benchmark, names)
    try:
        opened_row = _opened(row, benchmark, names) if row else {}
        reply["opened"] = render("file_opened.html", row=row or (), place=place, count=count, **opened_row)
    except Exception as error:  # noqa: BLE001  (the list is shown all the same)
        reply["opened"] = notice("error", unexpected(error, _opened))
    return reply


def _list(result: Result, wanted: Filter, most: int, benchmark: Benchmark, names: list[str]) -> Markup:
    """Return the list with the picture of the scores, whose bars have the square root of the count as their height."""
    rows, count, total = result.answers(wanted, most)
    prefixes, counts = result.shared_prefixes(), result.score_counts(wanted)
    return render(
        "file_answers.html",
        rows=[(benchmark.all_tasks[r.task].title, short_id(r.id, prefixes[r.task]), r) for r in rows],
        names=names,
        several=wanted.task == ANY and len(prefixes) > 1,
        order=wanted.order,
        down=ORDERS[wanted.order] if wanted.down is None else wanted.down,
        count=count,
        total=total,
        bars=[
            (low, high, amount, 100 * (amount / max(1, *counts)) ** 0.5, (low, high) == (wanted.low, wanted.high))
            for (low, high), amount in zip(BINS, counts, strict=True)
        ],
    )


def read_filter(query: Mapping[str, Any]) -> Filter:
    """Return the filter of a query."""
    texts = {name: str(query.get(name) or ANY) for name in ("task", "lost_to", "verdict", "pattern", "group")}
    down, order = query.get("down"), query.get("order")
    return Filter(
        **texts,
        low=_number(query.get("low"), 0),
        high=_number(query.get("high"), 100),
        text=str(query.get("text") or ""),
        order=order if isinstance(order, str) and order in ORDERS else "score",
        down=down if isinstance(down, bool) else None,
    )


def _number(value: object, default: float) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]  # a form sends texts
    except (TypeError, ValueError):
        return default
    return number if abs(number) < 1e9 else default


def short_id(name: str, prefix: str) -> str:
    """Return what tells an id apart from the others of its task, which all begin with `prefix`.

    >>> short_id("space_digest_004", "space_digest_"), short_id("7f3a", ""), short_id("q_", "q_")
    ('004', '7f3a', 'q_')
    >>> short_id("8941e956-4ca5-4d6b-9b5c-0d0b9e5f6d2a", "")
    '8941e956-4c…0d0b9e5f6d2a'
    """
    short = name[len(prefix) :] or name
    return short if len(short) <= _LONGEST_ID else f"{short[:11]}…{short[-12:]}"


def _opened(row: Answer, benchmark: Benchmark, names: list[str]) -> dict[str, Any]:
    """Return what `file_opened.html` shows of an answer."""
    task = benchmark.all_tasks[row.task]
    texts = [row.prediction] if len(names) < 2 else [row.prediction, row.second]
    wrong = "Wrong" if task.metric.name in ("accuracy", "exact_match") else ""
    cards = [text if text is None else scored(task, text or " ", row.references, verdict=wrong) for text in texts]
    explained = len(texts) == 1 and is_explained(texts[0] or "", row.references)
    return {
        "title": task.title,
        "question": _questions(task).get(row.id),
        "sides": list(zip(names, texts, cards, strict=True)),
        "shows_answer": explained and task.metric.name in _VIEWS_WITH_ANSWER,
        "shows_references": explained and task.metric.name == "rouge",
    }


@lru_cache(64)
def _questions(task: Task) -> dict[str, str]:
    """Return the questions of the embedded examples, by their ids."""
    texts = {}
    with suppress(UnusableInput):  # there are none
        for example in load_embedded(task):
            with suppress(PromptFormatError):
                texts[example.id] = example.query.strip()
    return texts
