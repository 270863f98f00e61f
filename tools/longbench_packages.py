"""The packages of LongBench's evaluator beside what replaces them here: `make longbench-packages`.

It runs `rouge` 1.0.1 and `fuzzywuzzy` 0.18.0 without python-Levenshtein on random texts, and on the answers of the
folders or ZIPs that are named (`ARGS="pred/a pred/b.zip"`), and fails where a number differs from ours by one bit. Of
these it also prints the processor's seconds that the packages take, those of scoring all here, and jieba's share, which
is not replaced.
"""

import argparse
import random
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path

from zs_bench.benchmarks.longbench import metrics
from zs_bench.benchmarks.longbench.rouge_l import rouge_l
from zs_bench.scoring.score_files import score_files

_WORDS = (
    "the",
    "cat",
    "sat",
    "on",
    "a",
    "mat",
    "Ada",
    "café",
    "日本",
    "x=1",
    "(",
    ")",
    "U.S.",
    "3.5",
    "it's",
    "\n",
    "\t",
    "  ",
)
_CHARACTERS = "abcxyz_=()[]., :;'\"0123\t日é"


def words(chance: random.Random) -> str:
    """Return a random text of some sentences."""
    pieces = chance.choices((*_WORDS, ".", "..", ". "), k=chance.randint(0, 24))
    return chance.choice((" ", " ", "")).join(pieces)


def line(chance: random.Random) -> str:
    """Return a random line, at times longer than the 200 characters from which difflib drops frequent ones."""
    return "".join(chance.choices(_CHARACTERS, k=chance.choice((0, 1, 8, 30, 30, 90, 260))))


def like(text: str, chance: random.Random, make: Callable[[random.Random], str]) -> str:
    """Return another random text, which mostly shares a part with the first."""
    start, end = sorted(chance.choices(range(len(text) + 1), k=2))
    return chance.choice((make(chance), text[start:end] + make(chance), text))


def package_rouge(prediction: str, reference: str) -> tuple[float, ...]:
    """Return ROUGE-L of the package; 0 where it fails, as LongBench's evaluator counts it."""
    try:
        scores = (
            import_module("rouge").Rouge(metrics=["rouge-l"]).get_scores([prediction], [reference], avg=True)["rouge-l"]
        )
    except (ValueError, RecursionError):
        return 0.0, 0.0, 0.0
    return scores["p"], scores["r"], scores["f"]


def package_ratio(prediction: str, reference: str) -> tuple[float, ...]:
    """Return fuzzywuzzy's ratio."""
    return (float(import_module("fuzzywuzzy.fuzz").ratio(prediction, reference)),)


def our_ratio(prediction: str, reference: str) -> tuple[float, ...]:
    return (float(metrics.ratio(prediction, reference)),)


Scorer = Callable[[str, str], tuple[float, ...]]
#: By package: it, what replaces it, and what makes random texts.
PAIRS: dict[str, tuple[Scorer, Scorer, Callable[[random.Random], str]]] = {
    "rouge": (package_rouge, rouge_l, words),
    "fuzzywuzzy": (package_ratio, our_ratio, line),
}


def compare(name: str, texts: Iterator[tuple[str, str]], where: str) -> bool:
    """Print how many of these pairs of texts have equal scores, and the seconds of both; return whether all have."""
    theirs, ours, _ = PAIRS[name]
    equal, count, first, seconds = 0, 0, "", [0.0, 0.0]
    for prediction, reference in texts:
        values = []
        for i, score in enumerate((theirs, ours)):
            begun = time.process_time()
            values.append(tuple(score(prediction, reference)))
            seconds[i] += time.process_time() - begun
        count += 1
        equal += values[0] == values[1]
        if values[0] != values[1] and not first:
            first = f"; {prediction[:80]!r} for {reference[:80]!r}: {values[0]} there, {values[1]} here"
    print(f"{name}, {where}: {equal:,} of {count:,} equal; {seconds[0]:.2f} s there, {seconds[1]:.2f} s here{first}")
    return equal == count


def random_pairs(name: str, cases: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield pairs of random texts."""
    chance, make = random.Random(f"{name} {seed}"), PAIRS[name][2]  # noqa: S311
    for _ in range(cases):
        text = make(chance)
        yield text, like(text, chance, make)


def pairs_of(path: Path) -> dict[str, list[tuple[str, str]]]:
    """Return the pairs of texts that each package scores in a folder or ZIP of LongBench, scored here beforehand."""
    cutting = [0.0]
    cut = metrics.cut

    def timed(text: str) -> tuple[str, ...]:
        begun = time.process_time()
        try:
            return cut(text)
        finally:
            cutting[0] += time.process_time() - begun

    metrics.cut("中文")  # jieba reads its dictionary, once in a process
    metrics.cut = timed  # type: ignore[assignment]
    begun = time.process_time()
    scored = score_files([path])
    whole = time.process_time() - begun
    metrics.cut = cut
    print(f"{path.name}: {whole:.2f} s here for {len(scored.scored)} tasks, of which jieba {cutting[0]:.2f} s")
    pairs: dict[str, list[tuple[str, str]]] = {name: [] for name in PAIRS}
    for task in scored.scored.values():
        metric = task.task.metric
        for answer in task.answers:
            text = metric.prepare(answer.text) if metric.prepare else answer.text
            for reference in answer.references:
                if metric.name == "rouge_l":
                    pairs["rouge"].append((text, reference))
                elif metric.name == "rouge_l_zh":
                    pairs["rouge"].append((" ".join(cut(text)), " ".join(cut(reference))))
                elif metric.name == "edit_similarity":
                    pairs["fuzzywuzzy"].append((metrics.code_line(text), reference))
    return pairs


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what agrees; return 0, or 1 where something differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="*", type=Path, help="folders or ZIPs as LongBench's pred.py writes them")
    parser.add_argument("--cases", type=int, default=100_000, help="random pairs for each package. Default: 100,000")
    parser.add_argument("--seed", type=int, default=0, help="of the random texts. Default: 0")
    options = parser.parse_args(arguments)
    warnings.filterwarnings("ignore", module="fuzzywuzzy")  # that it uses difflib, which is what we want
    same = [compare(name, random_pairs(name, options.cases, options.seed), "random texts") for name in PAIRS]
    for path in options.runs:
        same += [compare(name, iter(texts), path.name) for name, texts in pairs_of(path).items()]
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main())
