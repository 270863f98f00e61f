"""`zero-scrolls prompt`: the prompts of a whole split as JSONL."""

import json
from typing import Any

import pytest

from zs_bench.cli import main
from zs_bench.dataset.embedded import load_embedded
from zs_bench.prompts.trimming import PRESETS, Budget, trim
from zs_bench.prompts.variants import make_prompt
from zs_metric.tasks import TASKS


class Ran:
    """A run of the command: its status, its rows, what it printed on standard error."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        self.status = main(["prompt", *arguments])
        out, self.messages = capsys.readouterr()
        self.rows: list[dict[str, Any]] = [json.loads(line) for line in out.split("\n") if line]


@pytest.mark.parametrize("task", TASKS)
def test_every_id_of_the_split_gets_one_row(task: str, capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, task)
    assert ran.status == 0
    assert ran.rows == [
        {
            "id": example.id,
            "task": task,
            "prompt": example.input,
            "messages": [{"role": "user", "content": example.input}],
        }
        for example in load_embedded(task)
    ]
    assert ran.messages == f"{task}, validation, embedded examples: {len(ran.rows)} prompts\n"


def test_with_a_budget_every_row_tells_its_tokens_and_what_was_kept(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, "quality", "--variant", "chat", "--budget", "1000", "--answer-budget", "20")
    expected = [trim(make_prompt(example, "chat"), Budget(1000, 20)) for example in load_embedded("quality")]
    assert ran.rows == [
        {
            "id": one.prompt.id,
            "task": "quality",
            "prompt": one.prompt.text,
            "messages": one.prompt.messages,
            "tokens": one.tokens,
            "kept": one.kept,
        }
        for one in expected
    ]
    share = 50 * sum(one.kept for one in expected)
    assert f": 2 prompts; 2 cut, to {share:.1f} % of the document on average (words)\n" in ran.messages


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_brings_its_variant_and_its_budget(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    preset = PRESETS[name]
    ran = Ran(capsys, "space_digest", "--preset", name)
    expected = [
        trim(make_prompt(example, preset.variant), preset.budget(TASKS["space_digest"]))
        for example in load_embedded("space_digest")
    ]
    assert [(row["prompt"], row["tokens"]) for row in ran.rows] == [(one.prompt.text, one.tokens) for one in expected]
    assert f"counted in words; {preset.title} uses " in ran.messages


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["qaspre"], "no task 'qaspre'; did you mean 'qasper'?"),
        (["qasper", "--answer-budget", "9"], "--answer-budget is a part of --budget; give that too, or a --preset"),
        (["qasper", "--budget", "9"], "the least budget that works is "),
        (["qasper", "--tokenizer", "x:y"], "no tokenizer 'x:y'; the tokenizers are words, tiktoken:"),
        (["qasper", "--split", "test"], "qasper has no split 'test'; it has validation"),
        (["qasper", "--source", "nowhere-at-all"], "nowhere-at-all"),
    ],
)
def test_what_cannot_be_done_is_reported_and_nothing_is_written(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = Ran(capsys, *arguments)
    assert (ran.status, ran.rows) == (2, [])
    assert ran.messages.startswith("zero-scrolls: ")
    assert message in ran.messages
