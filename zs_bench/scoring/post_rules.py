r"""Post-processing rules, applied to predictions before scoring on request and named in the report.

| rule | what it keeps of a prediction |
|---|---|
| `after:<mark>` | the text after the last mark, such as `Final answer:`, capitals or not; without one all |
| `cut-at:<stop string>` | the text before the first stop string |
| `cut-at-tag` | the text before the closing tag of the paper's Claude prompts; summaries have none |
| `drop-think` | the text without thinking (`zs_metric.thinking`); after an end without a beginning only the rest |
| `strip` | the text without surrounding white space |

`after:<answer>` and `cut-at:</answer>` keep what stands in a tag, `after:\boxed{` and `cut-at:}` what stands in a box.
In a stop string or mark `\n`, `\t` and `\\` are a line break, a tab and a `\`. Rules are applied in the order given.
`drop-think` is `drop-think:2` in signatures, since the first one knew `<think>` only.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from zs_bench.benchmarks import Task
from zs_bench.errors import UnknownName
from zs_bench.problems import Problem
from zs_bench.validation.validate import Prediction, Validation
from zs_metric.errors import did_you_mean
from zs_metric.thinking import without_thinking

#: A rule: its name with the argument, and its function of a prediction and the task.
PostRule = tuple[str, Callable[[str, Task], str]]

_ESCAPES = {r"\n": "\n", r"\t": "\t", r"\\": "\\"}
_ALL = "the rules are after:<mark>, cut-at:<stop string>, cut-at-tag, drop-think, strip"
_NOTHING_LEFT = "Post-processing leaves nothing of the answer (scores 0)"
_UNFINISHED = "The answer never ends its thinking, so drop-think leaves it as it is; all of it is scored as the answer"


def find_rule(name: str) -> PostRule:
    """The rule of that name; raises `UnknownName` with the most similar one."""
    name = DROP_THINK if name == "drop-think" else name
    kind, _, argument = name.partition(":")
    if kind in _WITH_TEXT:
        text, change = re.sub(r"\\[nt\\]", lambda escape: _ESCAPES[escape[0]], argument), _WITH_TEXT[kind]
        if not text:
            raise UnknownName(f"{kind} needs a text; {_ALL}")
        return name, lambda answer, _: change(answer, text)
    if name not in _RULES:
        raise UnknownName(f"no rule {name!r} for answers; {did_you_mean(kind, (*_WITH_TEXT, *_RULES)) or _ALL}")
    return name, _RULES[name]


def _cut_at_tag(answer: str, task: Task) -> str:
    from zs_bench.prompts.variants import cut_at_tag  # noqa: PLC0415  (the prompts, for this rule alone)

    return cut_at_tag(answer, task)


DROP_THINK = "drop-think:2"
_WITH_TEXT: Mapping[str, Callable[[str, str], str]] = {
    "after": lambda answer, text: re.split(re.escape(text), answer, flags=re.IGNORECASE)[-1],
    "cut-at": lambda answer, text: answer.partition(text)[0],
}
_RULES: Mapping[str, Callable[[str, Task], str]] = {
    "cut-at-tag": _cut_at_tag,
    DROP_THINK: lambda answer, _: without_thinking(answer),
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
    if DROP_THINK in dict(rules):
        problems = [row.as_warning(_UNFINISHED) if row.kind == "unfinished-think" else row for row in problems]
    return replace(validation, predictions=tasks, problems=problems), changed
