"""`zero-scrolls prompt`: the prompts of a whole split as JSONL, in the form and length that a model takes."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from zs_bench.commands import OK, add_benchmark, show_progress, write
from zs_bench.commands.data import add_source
from zs_bench.problems import lines, short
from zs_bench.prompting.scrolls_input import QUERY_FIRST
from zs_bench.prompting.token_counts import Tokenizer, find_tokenizer
from zs_bench.prompting.trimming import ANSWER_BUDGETS, PRESETS, Budget, Preset, Trimmed, find_preset, trim
from zs_bench.prompting.variants import VARIANTS, PromptText, make_prompt
from zs_bench.sources.data_sources import load_examples
from zs_bench.sources.embedded import SPLIT
from zs_metric.errors import ZeroScrollsError
from zs_metric.tasks import find_task

if TYPE_CHECKING:
    from zs_bench.commands import Commands


def add(commands: Commands[Any]) -> None:
    """Declare the command."""
    prompt = commands.add_parser(
        "prompt",
        help="write the prompts of a split",
        description="Write the prompts of a whole split as JSONL: id, task, prompt, messages; with a budget also "
        "tokens (of the prompt) and kept (the share of the document that is left, 0 to 1).",
    )
    prompt.add_argument("task", metavar="TASK", help="a task's name")
    prompt.add_argument(
        "--variant", choices=tuple(VARIANTS), help="default: canonical, or the preset's; SCROLLS has no other"
    )
    prompt.add_argument("--budget", type=_tokens, metavar="N", help="trim to N tokens, for prompt and answer together")
    prompt.add_argument(
        "--answer-budget",
        type=_tokens,
        metavar="N",
        help="of these, tokens left free for the answer; default: the paper's for the task, in SCROLLS 0",
    )
    prompt.add_argument("--preset", choices=tuple(PRESETS), help="a setting of the ZeroSCROLLS paper")
    prompt.add_argument(
        "--tokenizer",
        default="words",
        metavar="NAME",
        help="what counts: words, tiktoken:<encoding or model>, hf:<name or path>; default: words",
    )
    add_benchmark(prompt)
    add_source(prompt, "embedded")
    prompt.add_argument("--split", default=SPLIT, help=f"default: {SPLIT}")
    prompt.add_argument("--out", default="-", metavar="OUT", help="default: '-', standard output")
    prompt.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the prompts, and on standard error what was cut."""
    task = find_task(options.task, benchmark=options.benchmark).name
    preset = find_preset(options.preset) if options.preset else None
    budget, tokenizer = _budget(options, task, preset), find_tokenizer(options.tokenizer)
    variant = options.variant or (preset.variant if preset else "canonical")
    progress = show_progress if sys.stderr.isatty() else None
    about = {"revision": options.revision, "benchmark": options.benchmark, "progress": progress}
    loaded = load_examples(options.source, task, options.split, **about)
    prompts = [make_prompt(example, variant) for example in loaded.examples]
    trimmed = {} if budget is None else {prompt.id: trim(prompt, budget, tokenizer) for prompt in prompts}
    rows = [_row(prompt, trimmed.get(prompt.id)) for prompt in prompts]
    write(options.out, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    told = f"{task}, {loaded.split}, {loaded.source_label}: {_told(prompts, trimmed)}"
    for line in [told, *lines(loaded.findings), *_notes(prompts), *_other_tokens(preset, tokenizer)]:
        print(line, file=sys.stderr)
    return OK


def _budget(options: argparse.Namespace, task: str, preset: Preset | None) -> Budget | None:
    """The preset's budget, its numbers replaced by those given."""
    if preset and options.benchmark in QUERY_FIRST:
        raise ZeroScrollsError("a preset is a setting of the ZeroSCROLLS paper, SCROLLS has none; give a --budget")
    if preset is None and options.budget is None:
        if options.answer_budget is not None:
            raise ZeroScrollsError("--answer-budget is a part of --budget; give that too, or a --preset")
        return None
    answer = 0 if options.benchmark in QUERY_FIRST else ANSWER_BUDGETS[task]
    found = preset.budget(task) if preset else Budget(options.budget, answer)
    context = found.context if options.budget is None else options.budget
    return Budget(context, found.answer if options.answer_budget is None else options.answer_budget)


def _row(prompt: PromptText, trimmed: Trimmed | None) -> dict[str, Any]:
    shown = prompt if trimmed is None else trimmed.prompt
    row = {"id": shown.id, "task": shown.task, "prompt": shown.text, "messages": shown.messages}
    return row if trimmed is None else {**row, "tokens": trimmed.tokens, "kept": trimmed.kept}


def _told(prompts: Sequence[PromptText], trimmed: Mapping[str, Trimmed]) -> str:
    """How many prompts there are, and what was cut."""
    count = "1 prompt" if len(prompts) == 1 else f"{len(prompts)} prompts"
    cut = [one for one in trimmed.values() if one.cut]
    if cut:
        kept = 100 * sum(one.kept for one in cut) / len(cut)
        return f"{count}; {len(cut)} cut, to {kept:.1f} % of the document on average ({cut[0].tokenizer})"
    return f"{count}; none had to be cut" if trimmed else count


def _notes(prompts: Sequence[PromptText]) -> list[str]:
    """How the prompts were taken apart, when not by their index fields."""
    noted = [prompt for prompt in prompts if prompt.notes]
    return [f"{len(noted)} of them, first {short(noted[0].id)}: {noted[0].notes[0]}"] if noted else []


def _other_tokens(preset: Preset | None, tokenizer: Tokenizer) -> list[str]:
    """A warning when a preset's tokens were not counted by the model's own tokenizer."""
    if preset is None or preset.tokenizer == tokenizer.name:
        return []
    own = f"--tokenizer {preset.tokenizer}" if preset.tokenizer else "a tokenizer that no library has any more"
    return [f"counted in {tokenizer.name}; {preset.title} counts by {own}, so these are not quite the paper's prompts"]


def _tokens(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of tokens")
    return int(text)
