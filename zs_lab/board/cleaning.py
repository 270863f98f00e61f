"""Everything that a submitter or the owner writes is cleaned here, before it reaches the database.

A text becomes one line in Unicode's composed form (NFC) of printable characters; a name shows at least one letter or
digit; a number is finite and in range. What cannot be cleaned is refused.
"""

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timezone
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from zs_lab.board.look_alikes import mixed_scripts
from zs_lab.board.records import BoardError, BoardSettings, NotAccepted

#: The most characters of a name, of a setting of a run, of a link, of a note, and of a text of the owner.
MAX_NAME, MAX_VALUE, MAX_LINK, MAX_NOTE, MAX_TEXT = 80, 100, 300, 500, 4_000
MAX_RUN, MAX_NUMBER = 1_000_000, 1e15  # the most bytes of a `run.json`, and the largest number in it
#: The settings of a run that are shown beside its entry; the others may hold addresses and paths.
RUN = ("model", "variant", "revision", "budget", "tokenizer", "answer_budget", "thinking_budget", "temperature", "seed")
# Characters that Unicode counts as printable and that show nothing; the most marks above and below a letter, with more
# of which they run into other lines.
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_MOST_MARKS = 3


def clean_line(text: object, what: str, most: int, *, visible: bool = False) -> str:
    """Return the text on one line of at most so many characters; `None` is an empty text.

    With `visible` it must show a letter or a digit. Anything else is `NotAccepted`; `what` names it in the message.
    """
    line = " ".join(unicodedata.normalize("NFC", text).split()) if isinstance(text, str) else ""
    is_text = text is None or isinstance(text, str)
    is_clean = line.isprintable() and not _BLANK & {*line} and _marks(line) <= _MOST_MARKS
    is_shown = any(character.isalnum() for character in line)
    if not (is_text and is_clean and len(line) <= most and (is_shown or not visible)):
        least = "1 to" if visible else "at most"
        raise NotAccepted(f"{what} must be one line of {least} {most} printable characters; correct it")
    return line


def _marks(line: str) -> int:
    """Return the largest number of marks above and below one letter."""
    groups = groupby(line, lambda character: unicodedata.category(character) in ("Mn", "Me"))
    return max((len([*marks]) for is_mark, marks in groups if is_mark), default=0)


def clean_name(name: object, what: str) -> str:
    """Return the name on one line; raises as `clean_line`."""
    return clean_line(name, what, MAX_NAME, visible=True)


def check_scripts(name: str, what: str) -> None:
    """Raise `NotAccepted` for a name of letters that may not stand together; `what` names it in the message."""
    if scripts := mixed_scripts(name):
        mixed = " and ".join(scripts)
        raise NotAccepted(
            f"{what} mixes {mixed} letters, some of which look alike; write it in letters of one script, or in Latin "
            "with Chinese, Japanese or Korean"
        )


def clean_details(system: object, link: object, note: object) -> dict[str, Any]:
    """Return the public details of an entry; raises `NotAccepted`."""
    return {
        "system": clean_name(system, "the name of the system"),
        "link": clean_link(link) or None,
        "note": clean_line(note, "the note", MAX_NOTE) or None,
    }


def clean_link(link: object) -> str:
    """Return the web address, or an empty text; raises `NotAccepted`."""
    address = clean_line(link, "the link", MAX_LINK)
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if address and not (usable and address.isascii() and " " not in address and "@" not in parts.netloc):
        raise NotAccepted("the link must be a web address that begins with https:// or http://; correct it")
    return address


def clean_run(settings: object) -> dict[str, Any]:
    """Return the settings of a run that are shown; raises `NotAccepted`."""
    if not isinstance(settings, Mapping):
        raise NotAccepted("run.json has no settings; give the one in the folder of a run, or leave it out")
    shown: dict[str, Any] = {}
    for name in RUN:
        value = settings.get(name)
        if isinstance(value, str) and value.strip():
            shown[name] = clean_line(value, f"run.json: {name}", MAX_VALUE)
        elif isinstance(value, (int, float)):
            if isinstance(value, bool) or not abs(value) <= MAX_NUMBER:  # also for NaN
                raise NotAccepted(f"run.json: {name} must be a number of at most 15 digits; correct it")
            shown[name] = value
    return shown


def read_run_file(path: str | Path) -> dict[str, Any]:
    """Return the settings in a `run.json` that are shown; raises `NotAccepted`."""
    try:
        content = json.loads(Path(path).read_bytes()) if Path(path).stat().st_size <= MAX_RUN else None
    except (OSError, ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise NotAccepted("run.json cannot be read; give the one in the folder of a run, or leave it out")
    return clean_run(content.get("settings"))


def clean_settings(settings: BoardSettings, **changes: Any) -> BoardSettings:
    """Return the settings with those changed that are not `None`, cleaned; raises `BoardError`."""
    settings = replace(settings, **{name: value for name, value in changes.items() if value is not None})
    settings = replace(
        settings,
        title=clean_name(settings.title, "the title"),
        description=clean_line(settings.description, "the description", MAX_TEXT),
        rules=clean_line(settings.rules, "the rules", MAX_TEXT),
        contact=clean_line(settings.contact, "the contact", MAX_TEXT),
        data=clean_link(settings.data),
        opens=clean_time(settings.opens),
        closes=clean_time(settings.closes),
    )
    if min(settings.per_day, settings.in_all) < 0:
        raise BoardError("a limit cannot be negative; give 0 or more")
    if settings.opens and settings.closes and settings.opens >= settings.closes:
        raise BoardError("the board closes before it opens; correct one of the dates")
    if (settings.hidden_until_end or settings.exact_at_end) and not settings.closes:
        raise BoardError("a rule about the end needs an end; say when the board closes, such as 2026-12-01")
    return settings


def clean_time(text: str) -> str:
    """Return the time in UTC as the tables have it; a date alone is its first second, an empty text stays empty."""
    if not text.strip():
        return ""
    try:
        time = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
        in_utc = time.astimezone(timezone.utc) if time.tzinfo else time.replace(tzinfo=timezone.utc)
    except (ValueError, OverflowError):
        raise BoardError(f"{text!r:.40} is no date; write 2026-12-01 or 2026-12-01T18:00+01:00") from None
    return in_utc.strftime("%Y-%m-%dT%H:%M:%SZ")


def now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
