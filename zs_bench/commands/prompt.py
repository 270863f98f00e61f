"""`zero-scrolls prompt`: the prompts of a whole split as JSONL, in the form and length that a model takes."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from zs_bench.commands import OK, describe
from zs_bench.commands.options import add_split, at_least_0, load_split
from zs_bench.commands.outputs import check_outputs, write
from zs_bench.commands.prompt_options import add_tokenizer
from zs_bench.dataset.inspection import OF_SCORES
from zs_bench.problems import counted, lines, short
from zs_bench.prompts.token_counts import Tokenizer, find_tokenizer
from zs_bench.prompts.trimming import PRESETS, Budget, Preset, Trimmed, find_preset, trim
from zs_bench.prompts.variants import VARIANTS, PromptText, make_prompt
from zs_bench.tasks import benchmark_info, info
from zs_metric.errors import ZeroScrollsError
from zs_metric.tasks import Task, find_task


def declare(command: argparse.ArgumentParser) -> None:
    """Declare the command."""
    describe(
        command,
        "Write the prompts of a whole split as JSONL with id, task, prompt and messages; with a budget also tokens "
        "(of the prompt) and kept (the share of the document that is left, 0 to 1).",
        {
            "zero-scrolls prompt qasper --source hub --split test --out prompts.jsonl": "The benchmark's own prompts.",
            "zero-scrolls prompt qasper --variant chat --budget 8192 --out prompts.jsonl": "For a chat model, trimmed.",
            "zero-scrolls prompt qasper --preset gpt-4 --tokenizer tiktoken:gpt-4 --out prompts.jsonl": "The paper's.",
        },
        usage="zero-scrolls prompt TASK [options]",
    )
    command.add_argument("task", metavar="TASK", help="Name of the task.")
    group = command.add_argument_group("form and length")
    group.add_argument(
        "--variant",
        choices=tuple(VARIANTS),
        help="Form of the prompt. Default: canonical, or the preset's. SCROLLS has only canonical.",
    )
    group.add_argument("--preset", choices=tuple(PRESETS), help="Form and budget of a model in the ZeroSCROLLS paper.")
    group.add_argument(
        "--budget", type=at_least_0, metavar="N", help="Trim documents so that prompt and answer take at most N tokens."
    )
    group.add_argument(
        "--answer-budget",
        type=at_least_0,
        metavar="N",
        help="Tokens of the budget that stay free for the answer. Default: the paper's for the task; 0 in SCROLLS.",
    )
    add_tokenizer(group)
    group = command.add_argument_group("examples and output")
    add_split(group, "embedded")
    group.add_argument("--out", default="-", metavar="OUT", help="File to write. Default: standard output ('-').")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the prompts, and on standard error what was cut."""
    check_outputs(options.out)
    task = find_task(options.task, benchmark=options.benchmark)
    preset = find_preset(options.preset) if options.preset else None
    budget, tokenizer = _budget(options, task, preset), find_tokenizer(options.tokenizer)
    variant = options.variant or (preset.variant if preset else "canonical")
    loaded = load_split(options, task)
    prompts = [make_prompt(example, variant) for example in loaded.examples]
    trimmed = {} if budget is None else {prompt.id: trim(prompt, budget, tokenizer) for prompt in prompts}
    rows = [_row(prompt, trimmed.get(prompt.id)) for prompt in prompts]
    write(options.out, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    done = f"{task}, {loaded.split}, {loaded.source_label}: {_done(prompts, trimmed)}"
    findings = (finding for finding in loaded.findings if finding.kind not in OF_SCORES)
    for line in [done, *lines(findings), *_notes(prompts, preset, tokenizer)]:
        print(line, file=sys.stderr)
    return OK


def _budget(options: argparse.Namespace, task: Task, preset: Preset | None) -> Budget | None:
    """The preset's budget, its numbers replaced by those given."""
    if preset and benchmark_info(task.benchmark).query_first:
        raise ZeroScrollsError("a preset is a setting of the ZeroSCROLLS paper, SCROLLS has none; give a --budget")
    if preset is None and options.budget is None:
        if options.answer_budget is not None:
            raise ZeroScrollsError("--answer-budget is a part of --budget; give that too, or a --preset")
        return None
    budget = preset.budget(task) if preset else Budget(options.budget, info(task).answer_budget or 0)
    options_given = {"context": options.budget, "answer": options.answer_budget}
    return replace(budget, **{name: tokens for name, tokens in options_given.items() if tokens is not None})


def _row(prompt: PromptText, trimmed: Trimmed | None) -> dict[str, Any]:
    shown = prompt if trimmed is None else trimmed.prompt
    row = {"id": shown.id, "task": shown.task.name, "prompt": shown.text, "messages": shown.messages}
    return row if trimmed is None else {**row, "tokens": trimmed.tokens, "kept": trimmed.kept}


def _done(prompts: Sequence[PromptText], trimmed: Mapping[str, Trimmed]) -> str:
    count = counted(len(prompts), "prompt")
    cut = [prompt for prompt in trimmed.values() if prompt.cut]
    if cut:
        kept = 100 * sum(prompt.kept for prompt in cut) / len(cut)
        return f"{count}; {len(cut)} cut, to {kept:.1f} % of the document on average ({cut[0].tokenizer})"
    return f"{count}; none had to be cut" if trimmed else count


def _notes(prompts: Sequence[PromptText], preset: Preset | None, tokenizer: Tokenizer) -> Iterator[str]:
    """How prompts were split without index fields, and a warning if the tokenizer is not the preset's."""
    noted = [prompt for prompt in prompts if prompt.notes]
    if noted:
        yield f"{len(noted)} of them, first {short(noted[0].id)}: {noted[0].notes[0]}"
    if preset and preset.tokenizer != tokenizer.name:
        own = f"--tokenizer {preset.tokenizer}" if preset.tokenizer else "a tokenizer that is no longer available"
        yield f"counted in {tokenizer.name}; {preset.title} uses {own}, so these prompts differ from the paper's"
