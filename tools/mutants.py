"""Change operators, numbers, names and texts in the core, one at a time, and count the changes that no test notices.

`make mutants` tries every change, `make mutants SAMPLE=400` so many of them, drawn from a fixed seed, and
`PLACES="zs_metric zs_lab/run"` those of some packages or modules. It works on a copy of the checkout with mutmut,
prints a row for each place, lists the changes that went unnoticed in `.cache/mutants/unnoticed.txt`, and fails when
fewer than 90 % were noticed, of a sample fewer than 86 %. Changes that make no difference do not count; they are in
`tools/equivalent_mutants.txt`, with the reason.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from multiprocessing.pool import ThreadPool
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: The share of the changes that the tests have to notice, in percent; of a sample, which varies by chance, less.
ENOUGH, ENOUGH_OF_SAMPLE = 90, 86
SEED = 1
_COMMANDS = " ".join(
    f"tests/zs_bench/commands/test_{name}.py" for name in ("score_output", "verify_command", "compare_command")
)
#: What is changed, with the tests that should notice.
CORE = {
    "zs_metric": "tests/zs_metric zs_metric",
    "zs_bench/answers.py": "tests/zs_bench/test_answers.py tests/zs_bench/scoring tests/zs_bench/reports",
    "zs_bench/patterns.py": "tests/zs_bench/test_patterns.py",
    "zs_bench/scoring": f"tests/zs_bench/scoring tests/zs_bench/reports {_COMMANDS} zs_bench/scoring "
    "tests/zs_bench/validation/test_references.py tests/zs_bench/variants "
    "tests/zs_bench/files/test_rows_without_ids.py tests/zs_bench/files/test_replies.py",
    "zs_bench/statistics": "tests/zs_bench/statistics tests/zs_bench/scoring zs_bench/statistics",
    "zs_bench/files": "tests/zs_bench/files tests/zs_bench/validation tests/zs_bench/dataset/test_rows.py "
    "zs_bench/files",
    "zs_bench/validation": f"tests/zs_bench/validation tests/zs_bench/scoring/test_scoring_files.py {_COMMANDS} "
    "tests/zs_bench/files/test_scored_formats.py tests/zs_bench/scoring/test_signature.py "
    "tests/zs_bench/files/test_rows_without_ids.py "
    "tests/zs_bench/benchmarks/test_own.py zs_bench/validation",
    "zs_lab/audit": "tests/zs_lab/audit zs_lab/audit",
    "zs_lab/board": "tests/zs_lab/board",
    "zs_lab/build": "tests/zs_lab/build zs_lab/build",
    "zs_lab/run": "tests/zs_lab/run zs_lab/run",
}
# Left out: scripts that `evaluate` copies, which tests run as copies; what talks to terminals and servers; and what has
# its tests in the environment of `make local`.
_SCRIPTS = ("zs_metric/zero_scrolls.py", "zs_metric/scrolls.py", "zs_metric/evaluate_metric.py")
_JOBS = ("zs_lab/audit/page.py", "zs_lab/audit/jobs.py")
_LEFT_OUT = (*_SCRIPTS, "*/command.py", *_JOBS, "zs_lab/run/local.py", "zs_lab/run/ray_actors.py")
# Tests of the scripts that are left out; of what a new process imports, where mutmut's own modules would be counted;
# and of the Hub, which run only once in a process.
_IGNORED = (
    "tests/zs_metric/test_import.py tests/zs_metric/test_evaluate_*.py tests/zs_bench/reports/test_eval_results.py"
)
# The changes that do not count: `strict` of `zip` over columns that have one length by construction.
_STRICT = re.compile(r"\bzip\(.*(strict=(None|False)|, )\)")
_NOTICED = {"killed", "timeout", "caught by type check", "segfault", "suspicious"}
_FOLDER = ROOT / ".cache" / "mutants"
_TREE = _FOLDER / "tree"


def prepare(places: Sequence[str]) -> None:
    """Copy the checkout, with mutmut's settings for these places."""
    shutil.rmtree(_TREE, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__", ".*", "*.egg-info")
    shutil.copytree(ROOT, _TREE, ignore=ignored)
    tests = [next(tests for core, tests in CORE.items() if f"{place}/".startswith(f"{core}/")) for place in places]
    chosen = ["-m", "not slow and not browser", "-k", "not hub"]
    lists = {
        "source_paths": places,
        "do_not_mutate": _LEFT_OUT,
        "pytest_add_cli_args_test_selection": dict.fromkeys(" ".join(tests).split()),
        "pytest_add_cli_args": [*chosen, *(f"--ignore-glob={path}" for path in _IGNORED.split())],
        "also_copy": sorted(path.name for path in _TREE.iterdir()),
    }
    lines = [line for name, values in lists.items() for line in (f"{name}=", *(f"    {value}" for value in values))]
    (_TREE / "setup.cfg").write_text("\n".join(["[mutmut]", *lines, ""]), encoding="utf-8")


def mutmut(*arguments: str) -> str:
    """Run mutmut in the copy and return what it prints; its errors are added to the log."""
    command, environment = [sys.executable, "-m", "mutmut", *arguments], {**os.environ, "PYTHONPATH": str(_TREE)}
    with (_FOLDER / "mutmut.log").open("ab") as log:
        done = subprocess.run(command, cwd=_TREE, env=environment, stdout=subprocess.PIPE, stderr=log, check=False)
        log.write(done.stdout)
    return done.stdout.decode()


def results() -> dict[str, str]:
    """Return each change with what became of it."""
    return dict(re.findall(r"^\s+(\S+__mutmut_\d+): (.+)$", mutmut("results", "--all", "true"), re.MULTILINE))


def try_changes(places: Sequence[str], sample: int | None) -> dict[str, str]:
    """Try the changes of these places, or a sample of them, and return each with what became of it."""
    (_FOLDER / "mutmut.log").unlink(missing_ok=True)
    prepare(places)
    mutmut("run", "no such change")  # refused, after the changes were made and the tests of each were found
    chosen = sorted(results(), key=lambda name: sha256(f"{SEED} {name}".encode()).digest())[:sample]
    mutmut("run", *(chosen if sample else ()))
    after = results()
    left = sum(after[name] == "not checked" for name in chosen)
    if left or not chosen:
        log = _FOLDER / "mutmut.log"
        print("\n".join(line[-500:] for line in log.read_text("utf-8", "replace").splitlines()[-30:]))
        sys.exit(f"mutmut stopped with {left:,} of {len(chosen):,} changes not tried; above is the end of {log}")
    return {name: after[name] for name in chosen}


def without_equivalent(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the changes that make a difference, with their function and the lines that they add."""
    listed = (Path(__file__).parent / "equivalent_mutants.txt").read_text(encoding="utf-8")
    equivalent = {line.partition("  # ")[0] for line in listed.splitlines()}
    with ThreadPool() as pool:
        shown = pool.map(lambda name: (name, mutmut("show", name)), names)
    for name, difference in shown:
        function = name.rpartition("__mutmut_")[0]
        added = " ".join(re.findall(r"^\+(?!\+\+)\s*(.*)$", difference, re.MULTILINE))
        change = f"{function}: {added}"
        if not _STRICT.search(added) and change not in equivalent:
            yield name, change


def main() -> int:
    """Try the changes; return the exit status."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sample", type=int, help="Try so many changes. Default: all.")
    arguments.add_argument("places", nargs="*", help=f"Default: {' '.join(CORE)}.")
    options = arguments.parse_args()
    places = options.places or list(CORE)
    _FOLDER.mkdir(parents=True, exist_ok=True)
    tried = try_changes(places, options.sample)
    unnoticed = dict(without_equivalent(name for name, result in tried.items() if result not in _NOTICED))
    lines = (f"{change}  # {name}\n" for name, change in unnoticed.items())
    (_FOLDER / "unnoticed.txt").write_text("".join(lines), encoding="utf-8")
    for place in places:
        module = place.removesuffix(".py").replace("/", ".")
        count = Counter(name in unnoticed for name in tried if name.startswith(f"{module}."))
        if count:
            print(f"{place:24}{count.total():6,} changes  {100 * count[False] / count.total():5.1f} % noticed")
    share, enough = 100 - 100 * len(unnoticed) / len(tried), ENOUGH_OF_SAMPLE if options.sample else ENOUGH
    print(f"{'all':24}{len(tried):6,} changes  {share:5.1f} % noticed; at least {enough} % are wanted")
    return int(share < enough)


if __name__ == "__main__":
    sys.exit(main())
