"""The report of a scored file for other programs and for papers: CSV, Markdown, LaTeX.

CSV holds the numbers as they are, Markdown to 4 decimals like the released evaluator, LaTeX to one like the paper's
tables. Columns of tasks stand in the order of the paper's tables; the average is there only when all tasks are scored.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from zs_bench.catalog import FACTS, METRIC_TITLES
from zs_bench.reports.report_text import ends, headline
from zs_bench.reports.scored import ScoredFile, ScoredTask
from zs_bench.statistics.bootstrap import Interval

CSV_HEADER = ("task", "id", "score", "rouge1", "rouge2", "rougeL", "precision", "recall", "parsed", "reason", "answers")
#: The heads of the columns in LaTeX, where eleven must stand side by side.
SHORT_TITLES: Mapping[str, str] = {
    "gov_report": "GvRp",
    "summ_screen_fd": "SSFD",
    "qmsum": "QMsm",
    "squality": "SQAL",
    "qasper": "Qspr",
    "narrative_qa": "Nrtv",
    "quality": "QALT",
    "musique": "MuSQ",
    "space_digest": "SpDg",
    "book_sum_sort": "BkSS",
    "contract_nli": "CNLI",
}


def as_csv(scored: ScoredFile) -> str:
    """The report as CSV: one row per answer, after one row per task (its `id` empty, `answers` the number scored)."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(CSV_HEADER)
    for name, task in scored.scored.items():
        metrics = task.result.metrics if task.result else {}
        parts = {key.removeprefix("rouge/"): value for key, value in metrics.items()}
        writer.writerow(_csv_row(name, "", {**parts, "score": task.score}, len(task.ids)))
        for row in task.rows():
            parts = {key: part["fmeasure"] for key, part in row.get("rouge", {}).items()}
            writer.writerow(_csv_row(name, row["id"], {**row, **parts}, ""))
    return out.getvalue()


def _csv_row(task: str, key: str, values: Mapping[str, Any], answers: int | str) -> list[Any]:
    cells = [values.get(column) for column in CSV_HEADER[2:-1]]
    return [safe_cell(cell) for cell in (task, key, *cells, answers)]


def safe_cell(value: Any) -> Any:
    """The value as a cell that no spreadsheet takes for a formula: a text that could be one gets a leading apostrophe.

    So does a text that begins with an apostrophe: taking one away gives back what was there. Numbers stay.

    >>> safe_cell("=1+1"), safe_cell("'tis"), safe_cell(-0.5), safe_cell(None), safe_cell([2, 1])
    ("'=1+1", "''tis", -0.5, '', '2, 1')
    """
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


# What a spreadsheet may take for the beginning of a formula (OWASP, CSV injection), full-width signs included.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20", "'")


def as_markdown(scored: ScoredFile, name: str) -> str:
    """The report as a Markdown table, a row per task, with what it rests on below; `name` is the system's."""
    rows = [_markdown_row(task) for task in scored.tasks.values()]
    if scored.benchmark and scored.benchmark.score is not None:
        rows.append(("**average**", "", f"**{scored.benchmark.score:.4f}**{ends(scored.interval, ' ')}", ""))
    head = (markdown_text(name), "metric", "score", "answers")
    signature = [f"`{scored.signature()}`", ""] if scored.scored else []
    return "\n".join([*markdown_table(head, rows, right=(2, 3)), "", headline(scored), "", *signature])


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int]) -> Iterator[str]:
    """The lines of a Markdown table; its columns in `right` are aligned there."""
    rule = ["---:" if i in right else "---" for i in range(len(head))]
    for cells in (head, rule, *rows):
        yield f"| {' | '.join(cells)} |"


def markdown_text(text: str) -> str:
    r"""The text so that Markdown shows it as it is, on one line.

    >>> markdown_text("a|b *c*")
    'a\\|b \\*c\\*'
    """
    return re.sub(r"([\\`*\[\]<>|~&]|(?<!\w)_|_(?!\w))", r"\\\1", " ".join(text.split())).translate(_CONTROL)


# Control characters, which nobody means in a name.
_CONTROL = dict.fromkeys([*range(32), *range(127, 160)])


def _markdown_row(task: ScoredTask) -> tuple[str, str, str, str]:
    score = "refused" if task.score is None else f"{task.score:.4f}{ends(task.interval, ' ')}"
    facts = FACTS[task.task].title, METRIC_TITLES[task.metric]
    return *facts, score, f"{len(task.ids)} of {task.total}{' (partial)' if task.partial else ''}"


def as_latex(scored: ScoredFile, name: str) -> str:
    """The report as a LaTeX table that needs no package: the heads, `latex_row`, and the intervals under it."""
    heads = " & ".join(["System", *(SHORT_TITLES[task] for task in scored.of.tasks), "Avg"])
    found = {task: part.interval for task, part in scored.scored.items()}
    below = " & ".join(
        ["", *(_latex_ends(found.get(task)) for task in scored.of.tasks), _latex_ends(_average_interval(scored))]
    )
    signature = scored.signature()
    return "\n".join(
        [
            *([] if signature is None else [f"% {signature}"]),
            rf"\begin{{tabular}}{{l{'r' * (len(scored.of.tasks) + 1)}}}",
            r"\hline",
            rf"{heads} \\",
            r"\hline",
            latex_row(scored, name),
            rf"{below.strip()} \\",
            r"\hline",
            r"\end{tabular}",
            "",
        ]
    )


def latex_row(scored: ScoredFile, name: str) -> str:
    """The scores as one row of a LaTeX table, the average last; `--` where there is none."""
    average = scored.benchmark.score if scored.benchmark else None
    scores = [scored.tasks[task].score if task in scored.tasks else None for task in scored.of.tasks]
    return " & ".join([latex_text(name), *("--" if s is None else f"{s:.1f}" for s in [*scores, average])]) + r" \\"


def latex_text(text: str) -> str:
    r"""The text so that LaTeX prints it as it is, on one line and inside a cell.

    >>> latex_text("50% of a_b & [c]")
    '50\\% of a\\_b \\& {[}c{]}'
    """
    return "".join(_LATEX.get(char, char) for char in " ".join(text.split()).translate(_CONTROL))


_LATEX: Mapping[str, str] = {
    **{char: rf"\{char}" for char in "&%$#_{}"},
    **{char: f"{{{char}}}" for char in '[]*-`"'},  # after \\ a bracket or a star is an option; - and ` make ligatures
    "'": "{'}",
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}


def _latex_ends(interval: Interval | None) -> str:
    return rf"{{\tiny {ends(interval)}}}" if interval else ""


def _average_interval(scored: ScoredFile) -> Interval | None:
    return scored.interval if scored.benchmark and scored.benchmark.score is not None else None
