"""The board as HTML. What submitters wrote is escaped and keeps its own direction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup

from zs_app import words
from zs_app.server.board import the_board
from zs_bench.board import NO_CHANGE, SHOWN, Allowance, Entry
from zs_bench.reports.html.environment import Column, html, join, macro, notice
from zs_bench.tasks import info

# Names of systems that are listed as not separated.
_MOST_NAMED = 10


def lead() -> Markup:
    """What the board is and how often one may submit."""
    board = the_board()
    limits = board.limits
    about = words.BOARD_LEAD.format(per_day=limits.per_day, in_all=limits.in_all)
    return html('<h3 dir="auto">{}</h3><p>{}</p>', board.title, about)


def leaderboard(entries: Sequence[Entry]) -> Markup:
    """The table of the entries."""
    if not entries:
        return html('<p class="zs-facts">{}</p>', words.BOARD_EMPTY)
    columns = [Column("Rank"), Column("System"), Column(the_board().average_title, "num"), *_task_columns()]
    named = {entry.id: entry.system for entry in entries}
    table = macro("table", the_board().title, columns, [_row(entry, named) for entry in entries], id="board-entries")
    return table + html('<p class="zs-facts">{}</p>', words.BOARD_RANKS)


def _task_columns() -> list[Column]:
    return [Column(info(task).title, "num") for task in the_board().tasks.values()]


def _row(entry: Entry, named: Mapping[int, str]) -> list[Markup | str]:
    system = html(
        '<details class="zs-entry"><summary><bdi>{}</bdi> <small>by <bdi>{}</bdi></small></summary>{}</details>',
        entry.system,
        entry.submitter,
        _about(entry, [named[other] for other in entry.not_separated_from if other in named]),
    )
    return [_places(entry), system, _points(entry.average), *map(_points, _scores(entry))]


def _places(entry: Entry) -> str:
    """The places that an entry may have: its rank, and the last of those that it is not separated from."""
    first, near = entry.rank or 1, len(entry.not_separated_from)
    return f"{first}–{first + near}" if near else str(first)


def _scores(entry: Entry) -> list[float | None]:
    return [entry.tasks.get(name) for name in the_board().tasks]


def _points(points: float | None) -> str:
    return "–" if points is None else f"{points:.1f}"


def _about(entry: Entry, near: Sequence[str]) -> Markup:
    """What is known of an entry besides its scores."""
    link = entry.link and html('<a href="{0}" target="_blank" rel="noopener nofollow ugc">{0}</a>', entry.link)
    run = ", ".join(f"{name} {value}" for name, value in entry.run.items())
    facts: dict[str, Markup | str | None] = {
        "Not separated from": _names(near),
        "Note": entry.note and _bdi(entry.note),
        "Link": link,
        "Run": run and _bdi(run),
        "Remark of the organisers": entry.remark and _bdi(entry.remark),
        "Entry": f"{entry.id}, submitted {_day(entry)}",
        "Signature": entry.signature and html("<code>{}</code>", entry.signature),
    }
    rows = (html("<dt>{}</dt><dd>{}</dd>", name, value) for name, value in facts.items() if value)
    return html("<dl>{}</dl>", join(rows))


def _names(systems: Sequence[str]) -> Markup:
    more = len(systems) - _MOST_NAMED
    return join(map(_bdi, systems[:_MOST_NAMED]), ", ") + (f" and {more} more" if more > 0 else "")


def _bdi(text: str) -> Markup:
    return html("<bdi>{}</bdi>", text)


def _day(entry: Entry) -> str:
    return entry.submitted.replace("T", " ").replace("Z", " UTC")


def received(entry: Entry, left: Allowance) -> Markup:
    """What became of a submission."""
    if entry.state == NO_CHANGE:
        return notice("info", words.BOARD_NO_CHANGE, [allowance(left)])
    scores = zip(_task_columns(), _scores(entry), strict=True)
    tasks = ", ".join(f"{column.title} {_points(points)}" for column, points in scores)
    title = words.BOARD_KEPT.format(entry.id, the_board().average_title, _points(entry.average))
    return notice("info", title, [tasks, _standing(entry), allowance(left)])


def _standing(entry: Entry) -> str:
    if entry.rank is None:
        return words.BOARD_NOT_LISTED
    count = len(entry.not_separated_from)
    return words.BOARD_RANK.format(entry.rank) if not count else words.BOARD_RANK_GROUP.format(_places(entry), count)


def allowance(left: Allowance) -> str:
    """How many submissions are left, in a sentence."""
    return words.BOARD_LEFT.format(left.today, left.in_all)


def own_entries(entries: Sequence[Entry], left: Allowance) -> Markup:
    """The history of a submitter."""
    facts = html('<p class="zs-facts">{}</p>', allowance(left))
    if not entries:
        return html('<p class="zs-facts">{}</p>', words.BOARD_NO_HISTORY) + facts
    columns = [Column("Entry"), Column("System"), Column("State"), Column(the_board().average_title, "num")]
    rows = [[str(one.id), _bdi(one.system), one.state, _points(one.average), _day(one)] for one in entries]
    return macro("table", words.BOARD_OWN, [*columns, Column("Submitted", "soft")], rows) + facts


def withdrawable(entries: Iterable[Entry]) -> list[tuple[str, int]]:
    """The entries that can be withdrawn, for a menu: title to id."""
    return [(f"{one.id}: {one.system}", one.id) for one in entries if one.state in (SHOWN, NO_CHANGE)]
