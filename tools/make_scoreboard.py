"""Run other people's scorers on the conformance cases, and write the tables of benchmarks/other-scorers.md.

A scorer is called with one prediction and its references as its own project calls it, and its value is taken in points.
It agrees on a case if the value is that of the released evaluator within 0.01 points. The first table is of installed
packages; the second is of projects that are no package, or need the Hub: what was read or measured in their source,
beside our scores, which are computed here.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from zs_bench.benchmarks import find_task
from zs_bench.conformance import cases
from zs_bench.reports.tables import Table, markdown_text
from zs_metric import score_example

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "longbench.jsonl"
PAGE = Path(__file__).parents[1] / "benchmarks" / "other-scorers.md"
BEGIN, END = "<!-- make scoreboard -->\n", "<!-- end -->\n"
#: The largest difference, in points, that is agreement: others round.
TOLERANCE = 0.01

# A prediction and its references to values in points, by what they are of: "score", or a type of ROUGE.
Scorer = Callable[[str, Sequence[str]], Mapping[str, float]]


class Row(NamedTuple):
    """An installed scorer: its package, what it is called there, the metric it is used for, and how it is made."""

    package: str
    name: str
    metric: str
    make: Callable[[], Scorer]


def _rouge_score(*, stemmer: bool) -> Scorer:
    types = ["rouge1", "rouge2", "rougeL"]
    scorer = import_module("rouge_score.rouge_scorer").RougeScorer(types, use_stemmer=stemmer)

    def score(prediction: str, references: Sequence[str]) -> dict[str, float]:
        best = scorer.score_multi(references, prediction)
        return {name: 100 * best[name].fmeasure for name in types}

    return score


def _longbench(function: str, key: str, part: str) -> Scorer:
    called = getattr(import_module("lm_eval.tasks.longbench.metrics"), function)
    return lambda prediction, references: {part: 100 * called({"answers": list(references)}, [prediction])[key]}


def _lm_eval_qasper() -> Scorer:
    called = import_module("lm_eval.tasks.qasper.metrics").f1_abstractive
    return lambda prediction, references: {"score": 100 * called([prediction], list(references))}


def _inspect(name: str) -> Scorer:
    scorers, models, solvers = (import_module(f"inspect_ai.{part}") for part in ("scorer", "model", "solver"))
    scorer, to_float = getattr(scorers, name)(), scorers.value_to_float()

    def score(prediction: str, references: Sequence[str]) -> dict[str, float]:
        output = models.ModelOutput.from_content("mockllm/model", prediction)
        about = {"sample_id": 1, "epoch": 1, "input": "", "messages": [], "output": output}
        state = solvers.TaskState(model=models.ModelName("mockllm/model"), **about)
        return {"score": 100 * to_float(asyncio.run(scorer(state, scorers.Target(list(references)))).value)}

    return score


_LONGBENCH_F1 = partial(_longbench, "get_qa_f1_score", "qa_f1_score", "score")
_LONGBENCH_ROUGE = partial(_longbench, "get_rouge_score", "rouge_score", "rougeL")
SCORERS = (
    Row("rouge-score", "`RougeScorer`", "rouge", partial(_rouge_score, stemmer=False)),
    Row("rouge-score", "`RougeScorer(use_stemmer=True)`", "rouge", partial(_rouge_score, stemmer=True)),
    Row("lm_eval", "LongBench, `get_rouge_score`", "rouge", _LONGBENCH_ROUGE),
    Row("lm_eval", "LongBench, `get_qa_f1_score`", "f1", _LONGBENCH_F1),
    Row("lm_eval", "Qasper, `f1_abstractive`", "f1", _lm_eval_qasper),
    Row("inspect_ai", "`f1`", "f1", partial(_inspect, "f1")),
    Row("inspect_ai", "`exact`", "exact_match", partial(_inspect, "exact")),
)


class Stated(NamedTuple):
    """A value that another project's code gives, as read or measured there; `None` if it gives none or fails."""

    project: str
    task: str
    prediction: str
    reference: str
    points: float | None


_PR, _EF, _LL = "lm-eval #3797", "eval-framework", "LLMLingua-2"
STATED = (
    Stated(_PR, "qasper", "café", "cafe", 0.0),
    Stated(_PR, "quality", "I think a reader would say B", "B", 0.0),
    Stated(_PR, "space_digest", "40", "40%", 100.0),
    Stated(_EF, "space_digest", "0.4", "40%", 6.4),
    Stated(_EF, "book_sum_sort", "1, 2, 3, 4", "2, 1, 3, 4", 50.0),
    Stated(_EF, "book_sum_sort", "Order: 2, 1, 3, 4", "2, 1, 3, 4", None),
    Stated(_LL, "space_digest", "Answer: 40%", "40%", 0.0),
    Stated("LongBench, OpenCompass", "qasper", "São Paulo", "Sao Paulo", 50.0),
    Stated("HELMET", "qasper", "yes, it does", "yes", 0.0),
)


def compare(row: Row) -> tuple[str, ...]:
    """Return the line of a scorer: on how many cases it agrees, and where it differs most."""
    score, agreed, total = row.make(), 0, 0
    worst, example = 0.0, ""
    for case in cases():
        if case["kind"] != "answer" or case["metric"] != row.metric:
            continue
        total += 1
        try:
            values = score(case["answer"], case["references"])
            difference, part = max((abs(value - case[part]), part) for part, value in values.items())
            shown = f"{values[part]:.1f}, not {case[part]:.1f}"
        except Exception as error:  # noqa: BLE001  (another project's, of any kind)
            difference, shown = 100.0, type(error).__name__
        agreed += difference <= TOLERANCE
        if difference > max(worst, TOLERANCE) and max(map(len, (case["answer"], *case["references"]))) < 40:
            worst = difference
            example = f"{_quoted(case['answer'])} for {_quoted(case['references'][0])}: {shown}"
    return f"{row.package} {version(row.package)}", row.name, row.metric, f"{agreed} of {total}", example


def _quoted(text: str) -> str:
    """The text in a cell, in quotes; its line breaks are a sign."""
    shown = text.replace("\n", "⏎")
    return markdown_text(f'"{shown}"')


#: The functions of lm-eval's tasks of LongBench, by these tasks.
LONGBENCH = {
    "qa_f1_score": ("narrativeqa", "triviaqa"),
    "qa_f1_zh_score": ("multifieldqa_zh",),
    "rouge_score": ("gov_report", "samsum"),
    "rouge_zh_score": ("vcsum",),
    "classification_score": ("trec",),
    "count_score": ("passage_count",),
    "retrieval_score": ("passage_retrieval_en",),
    "retrieval_zh_score": ("passage_retrieval_zh",),
    "code_sim_score": ("lcc",),
}


def longbench_table() -> Table:
    """Return on how many cases lm-eval's metrics of LongBench agree with its evaluator, and where they differ most."""
    module, lines = import_module("lm_eval.tasks.longbench.metrics"), []
    golden = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
    for key, tasks in LONGBENCH.items():
        rows, agreed, worst, example = [row for row in golden if row["task"] in tasks], 0, TOLERANCE, ""
        for row in rows:
            classes = row.get("all_classes") or list(find_task(row["task"], benchmark="longbench").choices)
            doc = {"answers": row["references"], "all_classes": classes}
            try:
                points = 100 * getattr(module, f"get_{key}")(doc, [row["prediction"]])[key]
                difference, shown = abs(points - row["score"]), f"{points:.1f}, not {row['score']:.1f}"
            except Exception as error:  # noqa: BLE001  (another project's, of any kind)
                difference, shown = 100.0, type(error).__name__
            agreed += difference <= TOLERANCE
            if difference > worst and max(map(len, (row["prediction"], *row["references"]))) < 60:
                given = (row["prediction"], row["references"][0])
                worst, example = difference, f"{_quoted(given[0])} for {_quoted(given[1])}: {shown}"
        lines.append((f"lm_eval {version('lm_eval')}", f"`get_{key}`", f"{agreed} of {len(rows)}", example))
    return Table(("package", "LongBench's metric", "agrees", "the largest difference"), lines, right=(2,))


def stated_table() -> Table:
    """Return the values that were read or measured elsewhere, beside ours, which are computed now."""
    rows = []
    for project, task, prediction, reference, points in STATED:
        ours, theirs = score_example(task, prediction, reference).score, "none" if points is None else f"{points:.1f}"
        rows.append((project, task, _quoted(prediction), _quoted(reference), f"{ours:.1f}", theirs))
    return Table(("project", "task", "prediction", "reference", "released evaluator", "there"), rows, right=(4, 5))


def main() -> None:
    """Write the tables; with `--check`, end with an error if the page has others."""
    page = PAGE.read_text(encoding="utf-8")
    head = ("package", "scorer", "for", "agrees", "the largest difference")
    measured = Table(head, list(map(compare, SCORERS)), right=(3,)).markdown()
    stated = (
        "Read or measured in the source of projects that are no package, in November 2026 (lm-eval's pull request at "
        "3b879a0, eval-framework until 2026-07); not run here:"
    )
    longbench = longbench_table().markdown()
    on = "LongBench's metrics on [cases](../tests/golden/longbench.jsonl), scored by the packages of its evaluator:"
    section = "\n\n".join([measured, on, longbench, stated, stated_table().markdown()]) + "\n"
    before, rest = page.split(BEGIN)
    section = section.replace("\\`", "`")  # of names that are code
    written = before + BEGIN + section + END + rest.split(END)[1]
    if "--check" in sys.argv:
        sys.exit(f"{PAGE} has other tables; run: make scoreboard" if written != page else 0)
    PAGE.write_text(written, encoding="utf-8")


if __name__ == "__main__":
    main()
