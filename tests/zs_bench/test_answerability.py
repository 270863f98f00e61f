"""MuSiQue's report tells answerable from unanswerable questions."""

from report_schema import validated

from zs_bench.reports import report
from zs_bench.reports.score_files import score_files
from zs_bench.sources.embedded import EMBEDDED, SAMPLE_PREDICTIONS


def test_musique_is_split_into_answerable_and_unanswerable_and_no_other_task_is() -> None:
    tasks = validated(report.as_json(score_files([SAMPLE_PREDICTIONS], [EMBEDDED])))["tasks"]
    assert tasks["musique"]["answerability"] == {
        "answerable": {"score": 100.0, "n": 1},
        "unanswerable": {"score": 0.0, "n": 1},
    }
    assert [task for task, found in tasks.items() if "answerability" in found] == ["musique"]
