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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from zs_bench.benchmarks import Task
from zs_bench.errors import UnknownName
from zs_bench.problems import Problem
from zs_bench.prompts.variants import cut_at_tag
from zs_bench.validation.validate import Prediction, Validation
from zs_metric.errors import did_you_mean

#: A rule: its name with the argument, and its function of a prediction and the task.
PostRule = tuple[str, Callable[[str, Task], str]]

_THINK = re.compile("</?think>")
_ESCAPES = {r"\n": "\n", r"\t": "\t", r"\\": "\\"}
_NOTHING_LEFT = "Post-processing leaves nothing of the answer (scores 0)"
_UNFINISHED = "The answer never leaves <think>, so drop-think leaves it as it is; all of it is scored as the answer"


def find_rule(name: str) -> PostRule:
    """The rule of that name; raises `UnknownName` with the most similar one."""
    kind, colon, stop = name.partition(":")
    if kind == "cut-at":
        text = re.sub(r"\\[nt\\]", lambda escape: _ESCAPES[escape[0]], stop)
        if not text:
            raise UnknownName("cut-at needs the string to cut at: cut-at:<stop string>")
        return name, lambda answer, _: answer.partition(text)[0]
    if kind not in _RULES or colon:
        hint = did_you_mean(kind, ("cut-at", *_RULES)) or f"the rules are cut-at:<stop string>, {', '.join(_RULES)}"
        raise UnknownName(f"no rule {name!r} for answers; {hint}")
    return name, _RULES[kind]


def _drop_think(answer: str, _task: Task) -> str:
    """Remove the blocks; a block that is not closed stays."""
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


_RULES: Mapping[str, Callable[[str, Task], str]] = {
    "cut-at-tag": cut_at_tag,
    "drop-think": _drop_think,
    "strip": lambda answer, _: answer.strip(),
}


def process(validation: Validation, rules: Sequence[PostRule]) -> tuple[Validation, int]:
    """Apply the rules; returns the predictions, with a warning for each that becomes empty, and the number changed."""
    changed = 0
    tasks: dict[str, dict[str, Prediction]] = {}
    problems = list(validation.problems)
    for name, predictions in validation.predictions.items():
        task, tasks[name] = validation.read.benchmark.all_tasks[name], {}
        for id_, prediction in predictions.items():
            text = prediction.text
            for _, change in rules:
                text = change(text, task)
            tasks[name][id_] = replace(prediction, text=text)
            changed += text != prediction.text
            if not text.strip() and prediction.text.strip():
                problems.append(Problem("emptied", _NOTHING_LEFT, name, id_, prediction.place, is_error=False))
    if "drop-think" in dict(rules):
        problems = [row.as_warning(_UNFINISHED) if row.kind == "unfinished-think" else row for row in problems]
    return replace(validation, predictions=tasks, problems=problems), changed
