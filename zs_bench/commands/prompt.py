"""`zero-scrolls prompt`: the prompts of a whole split as JSONL; and the options of commands that make prompts."""

import argparse
import json
import sys
from collections.abc import Iterable
from dataclasses import fields, replace
from functools import partial
from typing import Any

from zs_bench.benchmarks import Task, find_benchmark, find_task
from zs_bench.commands import describe
from zs_bench.commands.options import add_split, count, load_split
from zs_bench.commands.outputs import check_outputs, write
from zs_bench.dataset.inspection import OF_SCORES
from zs_bench.problems import counted, lines, short
from zs_bench.prompts import PRESETS, VARIANTS, Budget, Preset, Settings, make_prompt, trim
from zs_bench.token_counts import WORDS, find_tokenizer
from zs_metric.errors import ZeroScrollsError


def add_prompts(
    group: argparse._ActionsContainer, source: str = "embedded", variants: Iterable[str] = tuple(VARIANTS)
) -> None:
    """Declare which prompts are made, in which form and length."""
    add_split(group, source)
    form = "Form of the prompts; SCROLLS has only canonical. Default: canonical."
    trims = "Trim documents so that prompt and answer take at most N tokens."
    counts = "How to count tokens: words, tiktoken:<encoding or model> or hf:<name or path>. Default: %(default)s."
    group.add_argument("--variant", choices=tuple(variants), default="canonical", help=form)
    group.add_argument("--budget", type=count, metavar="N", help=trims)
    group.add_argument("--tokenizer", default=WORDS.name, metavar="NAME", help=counts)


def settings_of(options: argparse.Namespace, **more: Any) -> Settings:
    """Return the settings of a run that are among the options, and those in `more`."""
    named = {row.name: getattr(options, row.name) for row in fields(Settings) if row.name in options}
    named["benchmark"] = find_benchmark(options.benchmark).key
    return Settings(**{name: value for name, value in named.items() if name != "split" or value} | more)


def declare(command: argparse.ArgumentParser) -> None:
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
    add_prompts(command)
    free = "Tokens of the budget that stay free for the answer. Default: the paper's for the task; 0 in SCROLLS."
    preset = "Form and budget of a model in the ZeroSCROLLS paper, unless --variant or --budget are given."
    command.add_argument("--answer-budget", type=partial(count, least=0), metavar="N", help=free)
    command.add_argument("--preset", choices=tuple(PRESETS), help=preset)
    command.add_argument("--out", default="-", metavar="OUT", help="File to write. Default: standard output ('-').")
    command.set_defaults(run=run, variant=None)


def run(options: argparse.Namespace) -> None:
    check_outputs(options.out)
    task = find_task(options.task, benchmark=options.benchmark)
    preset = PRESETS.get(options.preset)
    budget, tokenizer = _budget(options, task, preset), find_tokenizer(options.tokenizer)
    variant = options.variant or (preset.variant if preset else "canonical")
    loaded = load_split(options, task)
    rows, kept, notes = [], [], []
    for prompt in (make_prompt(example, variant) for example in loaded.examples):
        trimmed = trim(prompt, budget, tokenizer) if budget else None
        sent = trimmed.prompt if trimmed else prompt
        counts = {"tokens": trimmed.tokens, "kept": trimmed.kept} if trimmed else {}
        rows.append({"id": sent.id, "task": task.name, "prompt": sent.text, "messages": sent.messages, **counts})
        kept += [trimmed.kept] if trimmed and trimmed.cut else []
        notes += [f"{short(prompt.id)}: {note}" for note in prompt.notes]
    write(options.out, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    cut = "; none had to be cut" if rows and budget else ""
    if kept:
        share = 100 * sum(kept) / len(kept)
        cut = f"; {len(kept)} cut, to {share:.1f} % of the document on average ({tokenizer.name})"
    print(f"{task}, {loaded.split}, {loaded.source.label}: {counted(len(rows), 'prompt')}{cut}", file=sys.stderr)
    if note := without_chat([task]):
        print(f"{note}; send the text in 'prompt' as it is.", file=sys.stderr)
    if notes:
        print(f"{len(notes)} of them, first {notes[0]}", file=sys.stderr)
    for line in lines(finding for finding in loaded.findings if finding.kind not in OF_SCORES):
        print(line, file=sys.stderr)
    if preset and preset.tokenizer != tokenizer.name:
        own = f"--tokenizer {preset.tokenizer}" if preset.tokenizer else "a tokenizer that is no longer available"
        differ = f"{preset.title} uses {own}, so these prompts differ from the paper's"
        print(f"counted in {tokenizer.name}; {differ}", file=sys.stderr)


def without_chat(tasks: Iterable[Task]) -> str:
    """Say which of the tasks their benchmark asks as plain texts, without a full stop; empty if none."""
    plain = [task for task in tasks if not task.chat]
    names = ", ".join(task.name for task in plain)
    return f"{plain[0].benchmark.title} asks {names} without a chat template" if plain else ""


def _budget(options: argparse.Namespace, task: Task, preset: Preset | None) -> Budget | None:
    if preset and (task.benchmark.query_first or task.prompt):
        none = f"a preset is a setting of the ZeroSCROLLS paper, {task.benchmark.title} has none; give a --budget"
        raise ZeroScrollsError(none)
    if preset:
        budget = preset.budget(task)
    elif options.budget is not None:
        budget = Budget(options.budget, task.answer_budget or 0)
    elif options.answer_budget is not None:
        raise ZeroScrollsError("--answer-budget is a part of --budget; give that too, or a --preset")
    else:
        return None
    answer = budget.answer if options.answer_budget is None else options.answer_budget
    return replace(budget, context=options.budget or budget.context, answer=answer)
