"""`zero-scrolls tasks`: a benchmark's prompts and scores as tasks of another evaluation harness."""

import argparse
import shlex
from pathlib import Path

from zs_bench.benchmarks import find_benchmark
from zs_bench.commands import OK, describe
from zs_bench.commands.prompt import add_prompts, settings_of
from zs_bench.dataset.sources import is_path
from zs_bench.errors import UnusableInput
from zs_bench.files.paths import open_inputs
from zs_lab.harnesses import VARIANTS
from zs_lab.harnesses.lm_eval import group_of, write_lm_eval


def declare(command: argparse.ArgumentParser) -> None:
    describe(
        command,
        "Write the tasks of a benchmark for lm-evaluation-harness: a YAML file for each task, one for their group, "
        "and a module. The harness sends the prompts and reports our scores.",
        {
            "zero-scrolls tasks lm-eval harness/": "The validation split, from the Hub.",
            "zero-scrolls tasks lm-eval harness/ --source data/ --budget 8192": "From a folder, trimmed.",
        },
        usage="zero-scrolls tasks lm-eval DIR [options]",
    )
    command.add_argument("harness", choices=("lm-eval",), metavar="lm-eval", help="The harness.")
    command.add_argument("folder", metavar="DIR", help="Folder to write to.")
    add_prompts(command, source="hub", variants=VARIANTS)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    folder = Path(options.folder)
    if folder.exists() and not folder.is_dir():
        raise UnusableInput(f"{options.folder!r} is a file; give the name of a folder")
    source = options.source
    if is_path(source):
        open_inputs([source])  # it refuses a path that does not exist
        source = str(Path(source).resolve())
    files = write_lm_eval(folder, settings_of(options, model="", source=source))
    group = group_of(find_benchmark(options.benchmark))
    print(f"{len(files)} files are in {folder}. With zero-scrolls installed beside lm-eval, run them with:")
    print(f"  lm_eval run --include_path {shlex.quote(str(folder))} --tasks {group} --log_samples --output_path OUT …")
    return OK
