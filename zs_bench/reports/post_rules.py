r"""Rules that change answers before they are scored: named, off unless asked for, and told in the report when used.

| rule | what it leaves of an answer |
|---|---|
| `cut-at:<stop string>` | what stands before the first stop string |
| `cut-at-tag` | what stands before the closing tag of the paper's Claude prompts; summaries have none |
| `drop-think` | all but `<think>…</think>` blocks; only what follows a `</think>` whose opening the prompt had |
| `strip` | all but the blanks and line breaks around it |

In a stop string `\n`, `\t` and `\\` are a line break, a tab and a `\`. Rules are applied in the order given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from zs_bench.prompting.variants import cut_at_tag
from zs_metric.errors import ZeroScrollsError, did_you_mean

#: From an answer and its task to what is left of it.
Change = Callable[[str, str], str]

_THINK = re.compile("</?think>")
_ESCAPES = {r"\n": "\n", r"\t": "\t", r"\\": "\\"}


class UnknownRule(ZeroScrollsError):
    """A rule that does not exist, or lacks what it needs."""


class PostRule(NamedTuple):
    """A rule as it was asked for, and what it does."""

    name: str
    change: Change


def find_rules(names: Iterable[str]) -> tuple[PostRule, ...]:
    """The rules of these names, in their order.

    Raises:
        UnknownRule: with the likely name.
    """
    return tuple(PostRule(name, _find(name)) for name in names)


def _find(name: str) -> Change:
    kind, colon, stop = name.partition(":")
    if kind not in RULES or (colon and kind != "cut-at"):
        hint = did_you_mean(kind, RULES) or f"the rules are cut-at:<stop string>, {', '.join([*RULES][1:])}"
        raise UnknownRule(f"no rule {name!r} for answers; {hint}")
    return RULES[kind](stop)


def _cut_at(stop: str) -> Change:
    text = re.sub(r"\\[nt\\]", lambda escape: _ESCAPES[escape[0]], stop)
    if not text:
        raise UnknownRule("cut-at needs the string to cut at: cut-at:<stop string>")
    return lambda answer, _task: answer.partition(text)[0]


def _drop_think(answer: str, _task: str) -> str:
    """Without the blocks; one that is not closed stays.

    >>> _drop_think("<think>A? No.</think>B", "quality"), _drop_think("A? No.</think>B", "quality")
    ('B', 'B')
    """
    kept: list[str] = []
    start = opened = depth = 0
    for tag in _THINK.finditer(answer):
        if tag[0] == "<think>":
            opened = opened if depth else tag.start()
            depth += 1
            continue
        if depth == 0:
            kept.clear()
        elif depth == 1:
            kept.append(answer[start:opened])
        start = start if depth > 1 else tag.end()
        depth = max(0, depth - 1)
    return "".join([*kept, answer[start:]])


#: The rules: from what stands after the colon to what the rule does.
RULES: Mapping[str, Callable[[str], Change]] = {
    "cut-at": _cut_at,
    "cut-at-tag": lambda _: cut_at_tag,
    "drop-think": lambda _: _drop_think,
    "strip": lambda _: lambda answer, _task: answer.strip(),
}
