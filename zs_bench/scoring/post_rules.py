r"""Post-processing rules, applied to predictions before scoring on request and named in the report.

| rule | what it keeps of a prediction |
|---|---|
| `cut-at:<stop string>` | the text before the first stop string |
| `cut-at-tag` | the text before the closing tag of the paper's Claude prompts; summaries have none |
| `drop-think` | the text without `<think>…</think>` blocks; after a `</think>` without `<think>`, only what follows |
| `strip` | the text without surrounding white space |

In a stop string `\n`, `\t` and `\\` are a line break, a tab and a `\`. Rules are applied in the order given.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from zs_bench.errors import UnknownRule
from zs_bench.problems import Problem
from zs_bench.validation.validate import Prediction, Validation
from zs_metric.errors import did_you_mean
from zs_metric.tasks import Task

#: A function of a prediction and its task that returns the changed prediction.
Change = Callable[[str, Task], str]

_THINK = re.compile("</?think>")
_ESCAPES = {r"\n": "\n", r"\t": "\t", r"\\": "\\"}


class PostRule(NamedTuple):
    """A rule: its name with the argument, and its function."""

    name: str
    change: Change


def find_rules(names: Iterable[str]) -> tuple[PostRule, ...]:
    """The rules of the given names.

    Raises:
        UnknownRule: with the most similar name.
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


def _cut_at_tag(_stop: str) -> Change:
    from zs_bench.prompts.variants import cut_at_tag  # noqa: PLC0415  (the prompts, for this rule alone)

    return cut_at_tag


def _drop_think(answer: str, _task: Task) -> str:
    """Remove the blocks; a block that is not closed stays.

    >>> from zs_metric.tasks import TASKS
    >>> [_drop_think(text, TASKS["quality"]) for text in ("<think>A? No.</think>B", "A? No.</think>B")]
    ['B', 'B']
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


#: The rules: name to a function of the argument (after the colon) that returns the rule's function.
RULES: Mapping[str, Callable[[str], Change]] = {
    "cut-at": _cut_at,
    "cut-at-tag": _cut_at_tag,
    "drop-think": lambda _: _drop_think,
    "strip": lambda _: lambda answer, _task: answer.strip(),
}


def process(validation: Validation, rules: Iterable[PostRule]) -> tuple[Validation, int]:
    """Apply the rules; returns the predictions, with a warning for each that becomes empty, and the number changed."""
    steps, changed = tuple(rules), 0
    tasks: dict[str, dict[str, Prediction]] = {}
    problems = list(validation.problems)
    for task, predictions in validation.predictions.items():
        of, tasks[task] = validation.read.benchmark.all_tasks[task], {}
        for id_, prediction in predictions.items():
            text = prediction.text
            for rule in steps:
                text = rule.change(text, of)
            tasks[task][id_] = replace(prediction, text=text)
            changed += text != prediction.text
            if not text.strip() and prediction.text.strip():
                message = "Post-processing leaves nothing of the answer (scores 0)"
                problems.append(Problem("emptied", message, task, id_, prediction.place, is_error=False))
    if any(rule.name == "drop-think" for rule in steps):
        left = "The answer never leaves <think>, so drop-think leaves it as it is; all of it is scored as the answer"
        problems = [one.as_warning(left) if one.kind == "unfinished-think" else one for one in problems]
    return replace(validation, predictions=tasks, problems=problems), changed
