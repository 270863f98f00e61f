"""What a board knows of its settings, submitters and entries, and what it refuses."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from zs_metric.errors import ZeroScrollsError

#: The states of an entry: on the board; its scores are shown after the end; taken off by its submitter; taken off by
#: the owner; it could not be scored again.
SHOWN, SEALED = "shown", "scores hidden until the end"
WITHDRAWN, HIDDEN, SET_ASIDE = "withdrawn", "hidden", "set aside"
AVERAGE = "average"  # the name of the average among the scores of an entry


class BoardError(ZeroScrollsError):
    """Anything that a board refuses or cannot do."""


class BoardUnavailable(BoardError):
    """The database cannot be reached or written; `detail` says which and why, for the owner only."""

    def __init__(self, detail: str) -> None:
        super().__init__("the board cannot be reached at the moment; try again in a minute")
        self.detail = detail


class NoBoard(BoardError):
    """There is no board at that place, or not one that this version can read."""


class UnknownCode(BoardError):
    """A submission code that was never issued or was revoked, or an account that is not invited."""


class NotAccepted(BoardError):
    """Predictions, or details of a submission, that are refused."""


class LimitReached(BoardError):
    """The board is not open, or the submitter has used all submissions of the day, or all of them."""


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """What the owner decides about a board; the texts are public, and each option says more in `board init --help`.

    `opens` and `closes` are times in UTC (`2026-12-01T00:00:00Z`), or empty.
    """

    title: str = ""
    description: str = ""
    rules: str = ""
    contact: str = ""
    data: str = ""
    opens: str = ""
    closes: str = ""
    per_day: int = 2
    in_all: int = 5
    single_tasks: bool = False
    hidden_until_end: bool = False
    exact_at_end: bool = False
    exact: bool = False


class Submitter(NamedTuple):
    """Who submits; the name is public."""

    id: int
    name: str


class Allowance(NamedTuple):
    """How many submissions a submitter has left, today and in all."""

    today: int
    in_all: int


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """One submission, as everybody may see it; scores are in points, with noise, and `None` if they are not shown."""

    id: int
    submitter: str
    system: str
    link: str | None
    note: str | None
    submitted: str  # when, in UTC: `2026-11-22T13:21:23Z`
    state: str = SET_ASIDE
    average: float | None = None
    tasks: Mapping[str, float | None] = field(default_factory=dict)  # none when no score is shown
    rank: int | None = None  # 1 plus the number of listed entries with a clearly better average
    not_separated_from: tuple[int, ...] = ()  # the listed entries whose average could differ from this one by chance
    task_ranks: Mapping[str, int] = field(default_factory=dict)
    signature: str | None = None
    run: Mapping[str, Any] = field(default_factory=dict)  # settings of the model's run, if they were submitted
    remark: str | None = None
    baseline: bool = False  # whether it is the organisers', outside the rules and the ranks
