"""The columns of a task give its score, and examples that share a document are found."""

import pytest

from zs_bench.benchmarks.scrolls import BENCHMARK as SCROLLS
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.statistics.intervals import clusters, columns, score_of
from zs_metric import ZeroScrollsError, score_task

ANSWERS = ["the cat sat on the mat", "a dog ran", "nothing in common", "hello there general kenobi"]
REFERENCES = [["the cat sat on a mat"], ["the dog ran away"], ["xyz"], ["hello there", "general kenobi, hello there"]]


@pytest.mark.parametrize(
    ("task", "aggregation", "count"),
    [("gov_report", "corpus", 3), ("gov_report", "instance", 1), ("qasper", "corpus", 1), ("qasper", "instance", 1)],
)
def test_the_root_of_the_column_means_is_the_score_of_the_task(task, aggregation, count):
    result = score_task(task, ANSWERS, REFERENCES, rouge_aggregation=aggregation)
    values = columns(result.examples, aggregation)
    assert [len(column) for column in values] == [4] * count
    assert score_of(values) == pytest.approx(result.score, abs=1e-9)


@pytest.mark.parametrize(
    ("task", "ids", "documents", "names"),
    [
        ("book_sum_sort", ["emma_0", "emma_3", "hard_times_3"], None, ["emma", "emma", "hard_times"]),
        ("quality", ["62139_J05FWZR6_1", "62139_J05FWZR6_2", "20002_XYZ12345_1"], None, ["62139", "62139", "20002"]),
        ("squality", ["51150_1", "51150_5", "52845_1"], ["x", "y", "z"], ["51150", "51150", "52845"]),
        ("narrative_qa", [f"{'a0' * 20}_0", f"{'a0' * 20}_12"], None, ["a0" * 20] * 2),
        ("contract_nli", ["3_nda-11", "3_nda-2", "41_nda-1"], None, ["3", "3", "41"]),
        # Running numbers, ids of one's own make and of another form tell no document.
        *(
            (task, ids, None, None)
            for task in ("book_sum_sort", "quality", "squality", "narrative_qa")
            for ids in (["easy_001", "easy_002"], ["batch0_007", "batch0_008"], ["2024_001", "2024_002"])
        ),
        *((task, [f"{task}_000", f"{task}_001"], None, None) for task in ("book_sum_sort", "quality", "squality")),
        *(("squality", ids, None, None) for ids in (["51150_1", "x"], ["_1", "51150_1"], [])),
        # Without telling ids, equal documents are one cluster, and one missing document makes all unknown.
        ("qasper", ["1", "2", "3"], ["x", "y", "x"], ["document 0", "document 1", "document 0"]),
        ("quality", ["quality_0", "quality_1"], ["x", "x"], ["document 0", "document 0"]),
        ("qasper", ["1", "2"], ["x", None], None),
        ("qasper", ["1", "2"], None, None),
    ],
)
def test_examples_that_share_a_document_have_its_name(task, ids, documents, names):
    assert clusters({**SCROLLS.tasks, **TASKS}[task], ids, documents) == names


def test_what_cannot_be_used_is_refused():
    with pytest.raises(ZeroScrollsError, match="1 documents and 2 ids"):
        clusters(TASKS["qasper"], ["1", "2"], ["x"])
    with pytest.raises(ZeroScrollsError, match="'corpus' or 'instance'"):
        columns(score_task("qasper", ["x"], ["x"]).examples, "mean")
