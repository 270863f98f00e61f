"""The thinking that a reasoning model writes before its answer, between a pair of marks or what is left of them."""

import re
from functools import cache

#: The marks in which thinking begins and ends; capitals do not matter.
MARKS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "<scratchpad>": "</scratchpad>",
    "<seed:think>": "</seed:think>",
    "[think]": "[/think]",
    "◁think▷": "◁/think▷",
    "<|begin_of_thought|>": "<|end_of_thought|>",
    "<|channel|>analysis": "<|channel|>final<|message|>",
}
# Harmony where a decoder left its marks out: `analysisLet me see…assistantfinalB`.
_BARE_END = "assistantfinal"
_BARE_BEGIN = re.compile(r"\s*(?:assistant)?analysis(?=[^\W_a-z])")
# Most texts have none of the characters with which marks begin, which is found faster than that they have no mark.
_FIRST = tuple({mark[0] for mark in MARKS})


@cache
def _any_of(*marks: str) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, marks)), re.IGNORECASE | re.ASCII)


def is_unfinished_thinking(text: str) -> bool:
    """Return whether the text begins a thinking and never ends it.

    >>> is_unfinished_thinking("<think> Let me see"), is_unfinished_thinking("<think>…</think> B")
    (True, False)
    >>> is_unfinished_thinking("analysisWe need the option. B"), is_unfinished_thinking("analysis of the text")
    (True, False)
    """
    if _BARE_BEGIN.match(text):
        return _BARE_END not in text
    mark = _any_of(*MARKS).search(text) if any(map(text.__contains__, _FIRST)) else None
    return mark is not None and MARKS[mark[0].lower()] not in text.lower()


def without_thinking(text: str) -> str:
    """Return the text without what stands between the marks; of an end without a beginning only what follows.

    >>> without_thinking("[THINK]A? No.[/THINK]B"), without_thinking("A? No.</think>B"), without_thinking("<think>A")
    ('B', 'B', '<think>A')
    >>> without_thinking("analysisA? No.assistantfinalB")
    'B'
    """
    text = text.partition(_BARE_END)[2] if _BARE_END in text else text
    if not (any(map(text.__contains__, _FIRST)) and _any_of(*MARKS, *MARKS.values()).search(text)):
        return text
    for begin, end in MARKS.items():
        text = _without(text, begin, end)
    return text


def _without(text: str, begin: str, end: str) -> str:
    """Remove what stands between a pair of marks, which may be nested; what is not ended stays."""
    kept: list[str] = []
    start = opened = depth = 0
    for mark in re.finditer(f"{re.escape(begin)}|{re.escape(end)}", text, re.IGNORECASE | re.ASCII):
        if mark[0].lower() == begin:
            opened = opened if depth else mark.start()
            depth += 1
            continue
        if depth == 0:
            kept.clear()
        elif depth == 1:
            kept.append(text[start:opened])
        start = start if depth > 1 else mark.end()
        depth = max(0, depth - 1)
    return "".join([*kept, text[start:]])
