"""One task, and a benchmark: the released key set, what is rounded, what is missing, what enters the average."""

from collections.abc import Sequence
from importlib.metadata import version
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd
import pytest
from every_task import every_task
from scrolls_table import TABLE_2

from zs_metric import (
    EmptyInput,
    ExampleResult,
    TaskResult,
    UnknownTask,
    UnreadableReference,
    ZeroScrollsError,
    score_benchmark,
    score_example,
    score_task,
)
from zs_metric.explain import explain
from zs_metric.metrics import METRICS, NamedMetric, mean_of_examples, with_steps
from zs_metric.rouge import geometric_mean
from zs_metric.scoring import score_text, score_texts
from zs_metric.tasks import METRIC_TABLES
from zs_metric.texts import RowReferences, read_references, row_of

COUNTS = {"num_predicted", "mean_prediction_length_characters", "display_keys", "display"}
ROUGE_TYPES = ["rouge/rouge1", "rouge/rouge2", "rouge/rougeL"]
ROUGE = {*ROUGE_TYPES, "rouge/geometric_mean", "rouge/geometric_mean_instance"}
ANSWERS = ["B: 60%, 3, 1, 2", "A: 55%, 1, 2, 3", "C: 7%, 2, 3"]
REFERENCES = [["B: 60%, 3, 1, 2"], ["A: 60%, 1, 3, 2", "D: 10%, 3, 2, 1"], ["C: 40%, 1, 2, 3"]]


def scored(task: str, **options: str) -> TaskResult:
    return score_task(task, ANSWERS, REFERENCES, **options)


@every_task()
def test_a_task_returns_the_released_keys_rounded_and_its_results_in_the_order_given(benchmark: str, task: str) -> None:
    result = scored(task, benchmark=benchmark)
    metrics, metric = result.metrics, METRIC_TABLES[benchmark].metrics[task]
    score_key = METRIC_TABLES[benchmark].score_key
    assert set(metrics) == COUNTS | {score_key} | (ROUGE if metric.name == "rouge" else {metric.name})
    assert metrics["display_keys"] == (ROUGE_TYPES if metric.name == "rouge" else [metric.name])
    assert metrics["display"] == [metrics[key] for key in metrics["display_keys"]]
    assert metrics[score_key] == (None if task == "quality_hard" else metrics[metric.score_key])
    assert (metrics["num_predicted"], metrics["mean_prediction_length_characters"]) == (3, 13.6667)
    assert metrics[metric.score_key] == round(result.score, 4)
    numbers = [value for value in metrics.values() if isinstance(value, float)]
    assert numbers == [round(number, 4) for number in numbers]
    back = score_task(task, ANSWERS[::-1], REFERENCES[::-1], benchmark=benchmark)
    assert len(result.examples) == 3
    assert (result.examples, result.score) == (back.examples[::-1], back.score)
    if metric.name != "rouge":
        assert result.score == pytest.approx(fmean(example.score for example in result.examples))
        assert scored(task, rouge_aggregation="instance", benchmark=benchmark) == result


def test_the_score_itself_is_not_rounded_and_no_mean_is_taken_over_rounded_numbers() -> None:
    result = score_task("qasper", ["a cat sat"] * 3, ["cat", "cat sat", "cat sat down"])
    assert result.score == pytest.approx(100 * (2 / 3 + 1 + 4 / 5) / 3, rel=1e-15)
    assert result.score != round(result.score, 4)


def test_corpus_rouge_is_the_root_of_the_means_and_instance_rouge_changes_no_other_key() -> None:
    corpus, instance = scored("qmsum"), scored("qmsum", rouge_aggregation="instance")
    parts = [example.rouge for example in corpus.examples]
    means = [fmean(part[name].fmeasure for part in parts if part) for name in ("rouge1", "rouge2", "rougeL")]
    assert corpus.score == pytest.approx(np.prod(means) ** (1 / 3))
    assert corpus == scored("qmsum", rouge_aggregation="corpus")
    assert instance.score == pytest.approx(fmean(example.score for example in instance.examples))
    assert instance.metrics["zero_scrolls_score"] == instance.metrics["rouge/geometric_mean_instance"]
    assert {**corpus.metrics, "zero_scrolls_score": round(instance.score, 4)} == instance.metrics
    with pytest.raises(ZeroScrollsError, match="no rouge_aggregation 'mean'; it is 'corpus' or 'instance'"):
        scored("qasper", rouge_aggregation="mean")


def test_any_ordered_collection_is_a_column_and_any_collection_or_a_text_holds_references() -> None:
    for column in (tuple, iter, np.array, pd.Series, lambda rows: dict(enumerate(rows)).values()):
        assert score_task("quality", column(["A", "B"]), column(["A", "C"])).score == 50
    for collection in (tuple, iter, set, np.array, pd.Series):
        assert score_task("quality", ["B"], [collection(["A", "B"])]).score == 100
    result = score_task("qmsum", ["one \ud800two"], ["one two\udfff"])
    assert (result.score, result.examples[0].parsed) == (100, "one \ufffdtwo")


def every(benchmark: str, *left_out: str) -> dict[str, tuple[Any, Any]]:
    names = reversed(METRIC_TABLES[benchmark].averaged)
    return {task: (ANSWERS, REFERENCES) for task in names if task not in left_out}


@pytest.mark.parametrize("benchmark", METRIC_TABLES)
def test_the_score_of_a_benchmark_is_the_plain_mean_of_its_tasks_if_all_are_given(benchmark: str) -> None:
    names = METRIC_TABLES[benchmark].averaged
    result = score_benchmark(every(benchmark), benchmark=benchmark)
    assert result.tasks == {task: scored(task, benchmark=benchmark) for task in names}
    assert (list(result.tasks), result.missing_tasks) == (names, [])
    assert result.score == result.mean_of_tasks == pytest.approx(fmean(task.score for task in result.tasks.values()))
    instance = score_benchmark(every(benchmark), benchmark=benchmark, rouge_aggregation="instance")
    assert instance.tasks["qmsum"] == scored("qmsum", benchmark=benchmark, rouge_aggregation="instance")
    assert instance.score != result.score
    for left_out in ([names[3]], [names[4], names[0]], names[1:]):
        some = score_benchmark(every(benchmark, *left_out), benchmark=benchmark)
        assert (some.score, some.missing_tasks) == (None, sorted(left_out, key=names.index))
        assert some.mean_of_tasks == pytest.approx(fmean(task.score for task in some.tasks.values()))


def test_the_hard_questions_are_shown_last_enter_no_average_and_are_never_missing() -> None:
    hard = {"quality_hard": (["x"], ["y"])}
    result = score_benchmark(hard | every("scrolls"), benchmark="scrolls")
    assert result.score == result.mean_of_tasks == score_benchmark(every("scrolls"), benchmark="scrolls").score
    assert list(result.tasks) == [*METRIC_TABLES["scrolls"].averaged, "quality_hard"]
    assert (result.tasks["quality_hard"].score, result.tasks["quality_hard"].metrics["scrolls_score"]) == (0, None)
    some = score_benchmark(hard | every("scrolls", "quality"), benchmark="scrolls")
    assert (some.score, some.missing_tasks) == (None, ["quality"])
    with pytest.raises(EmptyInput, match="there are no tasks of the average to score"):
        score_benchmark(hard, benchmark="scrolls")


def test_the_averages_of_table_2_of_scrolls_are_those_of_the_geometric_means() -> None:
    for row in TABLE_2:
        points = {
            task: geometric_mean(*score) if isinstance(score, tuple) else score for task, score in row.scores.items()
        }
        results = {task: TaskResult(score, {}, []) for task, score in points.items()}
        assert METRIC_TABLES["scrolls"].average(results).score == pytest.approx(row.average, rel=0, abs=0.03), row


def test_what_a_benchmark_cannot_score_is_refused_with_the_name_of_the_task() -> None:
    with pytest.raises(EmptyInput, match="there are no tasks to score"):
        score_benchmark({})
    with pytest.raises(UnknownTask, match="no task 'govreport'; did you mean 'gov_report'"):
        score_benchmark({"qasper": ([None], [None]), "govreport": (ANSWERS, REFERENCES)})  # type: ignore[list-item]
    with pytest.raises(ZeroScrollsError, match=r"^quality: references\[1\]\[0\] cannot be read.*'no letter'"):
        score_benchmark({"quality": (["A", "B"], ["A", "no letter"])})


def test_the_tasks_have_the_metrics_of_the_papers() -> None:
    metrics = {
        name: [(task, metric.name) for task, metric in table.metrics.items()] for name, table in METRIC_TABLES.items()
    }
    summaries = [(name, "rouge") for name in ("gov_report", "summ_screen_fd", "qmsum", "squality")]
    questions = [("qasper", "f1"), ("narrative_qa", "f1")]
    percentages, orders = ("space_digest", "exp_similarity"), ("book_sum_sort", "concordance_index")
    assert metrics == {
        "zero_scrolls": [*summaries, *questions, ("quality", "accuracy"), ("musique", "f1"), percentages, orders],
        "scrolls": [
            *summaries[:3],
            *questions,
            *((name, "exact_match") for name in ("quality", "contract_nli", "quality_hard")),
        ],
    }
    assert {name: (row.name, row.title, row.score_key) for name, row in METRIC_TABLES.items()} == {
        "zero_scrolls": ("zero_scrolls", "ZeroSCROLLS", "zero_scrolls_score"),
        "scrolls": ("scrolls", "SCROLLS", "scrolls_score"),
    }
    with_transliteration = {
        name: [task for task, metric in table.metrics.items() if "transliteration" in metric.steps]
        for name, table in METRIC_TABLES.items()
    }
    assert with_transliteration == {"zero_scrolls": ["qasper", "narrative_qa", "musique"], "scrolls": []}
    every_metric = [metric for table in METRIC_TABLES.values() for metric in table.metrics.values()]
    assert {metric.name for metric in every_metric if metric.is_binary} == {"accuracy", "exact_match"}
    assert {metric.name for metric in every_metric if metric.by_types} == {"rouge"}


@pytest.mark.parametrize("benchmark", METRIC_TABLES)
def test_a_task_is_scored_by_its_name_as_by_its_metric(benchmark: str) -> None:
    table, text = METRIC_TABLES[benchmark], "B, 40%, 2, 1"
    for task, metric in table.metrics.items():
        assert score_example(task, text, [text], benchmark=table) == score_text(metric, text, [text])
        by_name, by_metric = score_task(task, [text], [text], benchmark=table), score_texts(metric, [text], [text])
        assert (by_name.score, by_name.examples) == (by_metric.score, by_metric.examples)
        assert by_metric.metrics == {key: by_name.metrics[key] for key in by_name.metrics if key != table.score_key}


def score_choice(prediction: str, references: Sequence[str]) -> ExampleResult:
    """The classes of the row in the prediction, the first alone; the row has them."""
    found = [name for name in row_of(references).get("classes", ()) if name in prediction]
    (right,) = read_references(lambda text: text or None, references[:1], "an empty class")
    return ExampleResult(100.0 if found[:1] == [right] else 0.0, parsed=", ".join(found))


def first_line(text: str) -> str:
    return text.partition("\n")[0]


CHOICE = mean_of_examples("choice", "Choice", score_choice, prepare=first_line, fields={"classes": "list"})


def test_a_metric_of_ones_own_is_handed_the_fields_of_the_row_and_the_prepared_answer() -> None:
    references = [RowReferences([right], {"classes": ["cat", "dog"]}) for right in ("dog", "cat", "cat")]
    result = score_texts(CHOICE, ["a dog\nor a cat", "dog\ncat", "a cat"], references)
    assert [example.score for example in result.examples] == [100.0, 0.0, 100.0]
    assert [row_of(["dog"]), row_of(references[0])] == [{}, {"classes": ["cat", "dog"]}]
    with pytest.raises(UnreadableReference, match="an empty class") as refused:
        score_texts(CHOICE, ["a dog", "a dog"], [references[0], RowReferences([""], {"classes": ["dog"]})])
    assert (refused.value.example, refused.value.reference) == (1, 0)


def test_a_metric_has_the_title_and_settings_that_it_is_made_with_and_those_of_its_steps() -> None:
    steps, settings = ("lowercase", "whitespace"), {"order": "kept"}
    made = mean_of_examples("choice", "Choice", score_choice, steps, prepare=first_line, settings=settings)
    assert (made.name, made.title, made.score_key, made.display_keys) == ("choice", "Choice", "choice", ("choice",))
    assert (made.steps, made.settings) == (steps, {"norm": "lower-ws", "order": "kept"})
    assert score_text(made, "dog\ncat", RowReferences(["dog"], {"classes": ["cat", "dog"]})).score == 100
    bare = mean_of_examples("choice", "Choice", score_choice)
    assert (bare.steps, bare.settings, bare.prepare) == ((), {}, None)


def test_what_the_metric_does_not_score_of_an_answer_is_said_to_be_left_out() -> None:
    task = NamedMetric("kind", CHOICE)
    shown, whole = (explain(task, text, RowReferences(["dog"], {"classes": ["dog"]})) for text in ("dog\ncat", "dog"))
    assert [each.prediction for each in (shown, whole)] == ["dog", "dog"]
    assert "only what the metric scores of the answer is shown" in shown.omitted
    assert not whole.omitted


def test_a_metric_names_the_libraries_that_decide_its_scores_with_their_versions() -> None:
    assert with_steps(METRICS["exact_match"], ["transliteration"]).libraries() == {"unidecode": version("unidecode")}
    assert with_steps(METRICS["exact_match"], ["lowercase"]).libraries() == CHOICE.libraries() == {}


def test_a_task_and_a_benchmark_are_written_as_their_names():
    table = METRIC_TABLES["scrolls"]
    tasks = [NamedMetric(name, metric) for name, metric in table.metrics.items()]
    assert f"{table}: {', '.join(map(str, tasks))}" == (
        "scrolls: gov_report, summ_screen_fd, qmsum, qasper, narrative_qa, quality, contract_nli, quality_hard"
    )
