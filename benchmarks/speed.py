"""The speed of scoring a full-size submission, as ratios measured in one run (`make bench`).

A made-up submission of the benchmark's size (4,378 answers with the paper's word counts, four references for SQuALITY)
is compared with plain `rouge-score` computing the same ROUGE types on the same texts (extrapolated from a sample of
pairs), and with the fast engine's own batch call. Each time is the best of five.
"""

import random
import time
import tracemalloc
from collections.abc import Callable

from zs_bench.tasks import info
from zs_metric import engine, score_benchmark, score_example
from zs_metric.tasks import TASKS

# Words of an answer, and references per example, roughly as in the benchmark.
WORDS = {
    "gov_report": 500,
    "summ_screen_fd": 110,
    "qmsum": 70,
    "squality": 240,
    "qasper": 11,
    "narrative_qa": 5,
    "musique": 3,
}
REFERENCES = {"squality": 4, "qasper": 2, "narrative_qa": 2}
PLAIN_SAMPLE = 40
RUNS = 5


def main() -> None:
    """Print the ratios."""
    tasks = made_up_submission(random.Random(0))
    pairs = [
        (reference, prediction)
        for task in TASKS
        if TASKS[task].metric.name == "rouge"
        for prediction, references in zip(*tasks[task], strict=True)
        for reference in references
    ]
    references, predictions = zip(*pairs, strict=True)
    ours = best(lambda: score_benchmark(tasks))
    batch = best(lambda: engine().score_pairs(references, predictions))
    sample = random.Random(1).sample(pairs, PLAIN_SAMPLE)
    plain = best(lambda: engine("rouge-score").score_pairs(*zip(*sample, strict=True))) * len(pairs) / PLAIN_SAMPLE
    answer, long_references = tasks["gov_report"][0][0] * 2, [text * 2 for text in tasks["gov_report"][1][1]]
    one = best(lambda: score_example("gov_report", answer, long_references))
    answers = sum(len(column[0]) for column in tasks.values())
    print(f"engine: {engine().name}; {answers:,} answers, {len(pairs):,} ROUGE pairs")
    print(f"whole submission:                 {ours:8.3f} s")
    print(f"plain rouge-score, ROUGE alone:   {plain:8.3f} s  {plain / ours:7.1f} times ours (wanted: at least 250)")
    print(f"the engine's own batch call:      {batch:8.3f} s  {ours / batch:7.2f} times its time (wanted: at most 3)")
    print(f"one answer of 1,000 words:        {1000 * one:8.3f} ms")
    print(f"peak memory:                      {memory(tasks):8.2f} times the texts")


def made_up_submission(rng: random.Random) -> dict[str, tuple[list[str], list[list[str]]]]:
    """Answers and references for all ten tasks, with the benchmark's sizes and lengths."""
    vocabulary = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in range(8_000)]
    weights = [1 / (rank + 1) for rank in range(len(vocabulary))]

    def text(task: str) -> str:
        if task in WORDS:
            return " ".join(rng.choices(vocabulary, weights, k=max(1, round(WORDS[task] * rng.uniform(0.7, 1.3)))))
        if task == "quality":
            return rng.choice("ABCD")
        if task == "space_digest":
            return f"{rng.randint(0, 100)}%"
        return ", ".join(map(str, rng.sample(range(1, 20), 19)))

    sizes = {name: info(task).size.test or 0 for name, task in TASKS.items()}
    return {
        task: (
            [text(task) for _ in range(size)],
            [[text(task) for _ in range(REFERENCES.get(task, 1))] for _ in range(size)],
        )
        for task, size in sizes.items()
    }


def best(run: Callable[[], object]) -> float:
    """The shortest of `RUNS` runs, in seconds."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def memory(tasks: dict[str, tuple[list[str], list[list[str]]]]) -> float:
    """Python's peak memory while scoring, as a multiple of the bytes of the texts."""
    size = sum(
        len(text) for answers, references in tasks.values() for texts in [answers, *references] for text in texts
    )
    tracemalloc.start()
    score_benchmark(tasks)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / size


if __name__ == "__main__":
    main()
