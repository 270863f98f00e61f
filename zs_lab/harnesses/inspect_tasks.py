"""The tasks of the benchmarks for Inspect: `inspect eval zs_lab/zero_scrolls_qasper --model … -T source=data/`.

Inspect finds them by the entry point `zs_lab`. Each task takes the settings of `build` with `-T`. Its metrics are
those of the corpus: `score` and the ends of its 95 % interval, NaN for fewer than ten samples. A sample without an
answer, whose completion is the text of an error, is unscored; Inspect says how many there are.
"""

from collections.abc import Awaitable, Callable
from math import nan

from inspect_ai import Task as InspectTask
from inspect_ai import task as inspect_task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import SampleScore, Score, Target, metric, scorer
from inspect_ai.solver import TaskState, generate

from zs_bench.benchmarks import BENCHMARKS, Task
from zs_bench.prompts import Settings, answer_tokens
from zs_lab.harnesses import load_questions, score_values, task_of, task_score

#: The stop reasons whose completion is not an answer, and what Inspect calls such a sample.
_NO_ANSWER = {"model_length": "no_response", "content_filter": "refusal"}


@metric(scores="reduced")
def corpus_score() -> Callable[[list[SampleScore]], dict[str, float]]:
    """The score of the task and its interval. It is also computed while nothing has been scored yet."""

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        if not scores:
            return {"score": nan, "score_low": nan, "score_high": nan}
        about = [sample.sample_metadata or {} for sample in scores]
        values = [dict(sample.score.value) for sample in scores]
        score, low, high = task_score(about, values, [str(sample.sample_id) for sample in scores])
        return {"score": score, "score_low": low, "score_high": high}

    return compute


@scorer(metrics=[corpus_score()])
def zero_scrolls_scorer() -> Callable[[TaskState, Target], Awaitable[Score]]:
    """The values of an answer from which the task's score is computed."""

    async def score(state: TaskState, target: Target) -> Score:
        output = state.output
        if output.error or not output.choices or output.stop_reason in _NO_ANSWER:
            why = _NO_ANSWER.get(output.stop_reason if output.choices else "", "no_response")
            return Score.unscored(reason=why, explanation=output.error or output.completion)
        answer = output.completion
        reason = None if answer.strip() else "no_response"
        return Score(value=score_values(task_of(state.metadata), answer, list(target)), answer=answer, reason=reason)

    return score


def _declare(task: Task) -> None:
    name = f"{task.benchmark.name}_{task.name}"

    def build(
        *,
        source: str = "hub",
        split: str = "validation",
        revision: str | None = None,
        variant: str = "canonical",
        budget: int | None = None,
        tokenizer: str = "words",
        answer_budget: int | None = None,
    ) -> InspectTask:
        settings = Settings("", task.benchmark.name, source, split, variant, revision, budget, tokenizer, answer_budget)
        samples = [
            Sample(input=row.request.text, target=row.references, id=row.request.id, metadata=row.about)
            for row in load_questions(settings, task)
        ]
        return InspectTask(
            dataset=MemoryDataset(samples, name=name),
            solver=generate(),
            scorer=zero_scrolls_scorer(),
            config=GenerateConfig(max_tokens=answer_tokens(settings, task), temperature=0.0),
        )

    inspect_task(name=name)(build)


for _benchmark in BENCHMARKS.values():
    for _task in _benchmark.tasks.values():
        _declare(_task)
