"""The columns of a task give its score, and examples that share a document are found."""

import pytest

from zs_bench.statistics.columns import clusters, columns, score_of
from zs_metric import ZeroScrollsError, score_task
from zs_metric.tasks import TASKS

ANSWERS = ["the cat sat on the mat", "a dog ran", "nothing in common", "hello there general kenobi"]
REFERENCES = [["the cat sat on a mat"], ["the dog ran away"], ["xyz"], ["hello there", "general kenobi, hello there"]]


@pytest.mark.parametrize("aggregation", ["corpus", "instance"])
@pytest.mark.parametrize("task", ["gov_report", "qasper"])
def test_the_root_of_the_column_means_is_the_score_of_the_task(task: str, aggregation: str) -> None:
    result = score_task(task, ANSWERS, REFERENCES, rouge_aggregation=aggregation)
    assert score_of(columns(result, aggregation)) == pytest.approx(result.score, abs=1e-9)


def test_rouge_has_three_columns_only_in_the_released_aggregation() -> None:
    result = score_task("squality", ANSWERS, REFERENCES)
    assert columns(result).shape == (4, 3)
    assert columns(result, "instance").shape == (4, 1)
    assert columns(score_task("qasper", ANSWERS, REFERENCES)).shape == (4, 1)


def test_an_aggregation_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ZeroScrollsError, match="'corpus' or 'instance'"):
        columns(score_task("qasper", ["x"], ["x"]), "mean")


@pytest.mark.parametrize(
    ("task", "ids", "names"),
    [
        ("book_sum_sort", ["emma_0", "emma_12", "hard_times_3"], ["emma", "emma", "hard_times"]),
        ("quality", ["62139_J05FWZR6_1", "62139_J05FWZR6_2", "20002_X_1"], ["62139", "62139", "20002"]),
        ("squality", ["51150_1", "51150_5", "52845_1"], ["51150", "51150", "52845"]),
    ],
)
def test_the_ids_of_three_tasks_tell_the_document(task: str, ids: list[str], names: list[str]) -> None:
    assert clusters(TASKS[task], ids) == names


def test_running_numbers_and_ids_of_another_form_tell_no_document() -> None:
    for task in ("book_sum_sort", "quality", "squality"):
        assert clusters(TASKS[task], [f"{task}_000", f"{task}_001"]) is None
    for ids in (["51150_1", "x"], ["_1", "51150_1"], []):
        assert clusters(TASKS["squality"], ids) is None


def test_without_telling_ids_equal_documents_are_one_cluster() -> None:
    assert clusters(TASKS["qasper"], ["1", "2", "3"], ["x", "y", "x"]) == ["document 0", "document 1", "document 0"]
    assert clusters(TASKS["quality"], ["quality_0", "quality_1"], ["x", "x"]) == ["document 0", "document 0"]


def test_one_missing_document_makes_all_clusters_unknown() -> None:
    assert clusters(TASKS["qasper"], ["1", "2"], ["x", None]) is None
    assert clusters(TASKS["qasper"], ["1", "2"]) is None


def test_documents_that_do_not_line_up_with_the_ids_are_refused() -> None:
    with pytest.raises(ZeroScrollsError, match="1 documents and 2 ids"):
        clusters(TASKS["qasper"], ["1", "2"], ["x"])
