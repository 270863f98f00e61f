"""`Table`, which writes a result for a terminal, in Markdown, in LaTeX, and as CSV without formulas."""

import csv
import io
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import combining, east_asian_width

from markupsafe import escape

from zs_bench.problems import short

#: The most columns of a table in LaTeX that is not made as wide as the line.
MOST_COLUMNS = 16


@dataclass(frozen=True, slots=True)
class Table:
    """A result as a table, written alike in every format; `right` are the columns aligned right.

    Cells are printed as they are, in LaTeX too; Markdown escapes all but `Markdown`; CSV also takes numbers, lists and
    `None`. `notes` are lines below the table in LaTeX.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[Any]]
    right: Collection[int] = ()
    notes: Sequence[str] = ()

    def text(self) -> str:
        """Return the table for a terminal, columns two spaces apart; empty columns are left out."""
        rows = [self.head, *self.rows] if self.head else self.rows
        columns = []
        for i, column in enumerate(zip(*rows, strict=True)):
            width = max(map(display_width, column))
            pads = (" " * (width - display_width(cell)) for cell in column)
            padded = [pad + cell if i in self.right else cell + pad for pad, cell in zip(pads, column, strict=True)]
            columns += [padded] if width else []
        return "\n".join("  ".join(cells).rstrip() for cells in zip(*columns, strict=True))

    def markdown(self) -> str:
        rule = ["---:" if i in self.right else "---" for i in range(len(self.head))]
        rows = ([markdown_text(cell) for cell in cells] for cells in (self.head, *self.rows))
        head, *others = (f"| {' | '.join(cells)} |" for cells in rows)
        return "\n".join([head, f"| {' | '.join(rule)} |", *others])

    def latex(self) -> str:
        """Return the table in LaTeX, with the rules of the package booktabs.

        One of more than `MOST_COLUMNS` is as wide as the line, with upright heads (package graphicx).
        """
        is_wide = len(self.head) > MOST_COLUMNS
        heads = [self.head[0], *(rf"\rotatebox{{90}}{{{text}~}}" for text in self.head[1:])] if is_wide else self.head
        head, *rows = (rf"{' & '.join(cells).strip()} \\" for cells in (heads, *self.rows))
        columns = "".join("r" if i in self.right else "l" for i in range(len(self.head)))
        begin = rf"\begin{{tabular}}{{{columns}}}"
        notes = [rf"\multicolumn{{{len(self.head)}}}{{l}}{{\footnotesize {note}}} \\" for note in self.notes]
        rows += [r"\midrule", *notes] if notes else []
        lines = [begin, r"\toprule", head, r"\midrule", *rows, r"\bottomrule", r"\end{tabular}"]
        wide = [r"% \usepackage{graphicx}", r"\resizebox{\linewidth}{!}{%", *lines[:-1], rf"{lines[-1]}}}"]
        return "\n".join(wide if is_wide else lines)

    def html(self) -> str:
        """Return the table as HTML; every cell says its side, since notebooks align all cells to the right."""
        html = "<table>"
        for row in (self.head, *self.rows):
            html += "<tr>"
            for i, text in enumerate(row):
                tag, side = "th" if row is self.head else "td", "right" if i in self.right else "left"
                html += f'<{tag} style="text-align: {side}">{escape(text)}</{tag}>'
            html += "</tr>"
        return f"{html}</table>"

    def csv(self) -> str:
        """Return the table as CSV with Windows line ends, as RFC 4180 has them; every cell is a `safe_cell`."""
        out = io.StringIO()
        csv.writer(out, lineterminator="\r\n").writerows(map(safe_cell, row) for row in (self.head, *self.rows))
        return out.getvalue()


def display_width(text: str) -> int:
    """Return the number of terminal columns: two for a wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def listed(title: str, lines: Collection[str]) -> list[str]:
    """Return the lines as a list below an empty line and its title; nothing where there are none."""
    return ["", f"{title}:", *(f"- {line}" for line in lines)] if lines else []


def few(texts: Sequence[str], most: int = 3) -> str:
    """Return the first texts as a list, long ones cut, with an ellipsis for the others."""
    return ", ".join(map(short, texts[:most])) + (", …" if len(texts) > most else "")


def safe_cell(value: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula: a text that could be one gets a leading apostrophe.

    So does a text that begins with an apostrophe, so that removing one restores every text. Numbers stay.
    """
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


# What a spreadsheet may take for the beginning of a formula (OWASP, CSV injection), full-width signs included.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20", "'")


class Markdown(str):
    """A text that is Markdown already, on one line."""

    __slots__ = ()


_INTERVAL = re.compile(r"(\[-?\d+\.\d, -?\d+\.\d\](?!\())")


def markdown_text(text: str) -> Markdown:
    r"""Return the text so that Markdown shows it as it is, on one line; an interval needs no escape.

    >>> markdown_text("a|b <img> [1.0, 2.0]"), markdown_text(Markdown("**bold**"))
    ('a\\|b \\<img\\> [1.0, 2.0]', '**bold**')
    """
    if isinstance(text, Markdown):
        return text
    parts = _INTERVAL.split(" ".join(text.split()).translate(_CONTROL))
    parts[::2] = (re.sub(r"([\\`*\[\]<>|~&]|(?<!\w)_|_(?!\w))", r"\\\1", part) for part in parts[::2])
    return Markdown("".join(parts))


def latex_text(text: str) -> str:
    """Return the text so that LaTeX prints it as it is, on one line and inside a cell."""
    return "".join(_LATEX.get(char, char) for char in " ".join(text.split()).translate(_CONTROL))


# Deletes control characters.
_CONTROL = dict.fromkeys([*range(32), *range(127, 160)])
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
