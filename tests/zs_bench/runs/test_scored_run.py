"""The folder of a run, scored: its answers, and what became of its prompts."""

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest
from report_schema import validated

from zs_bench.dataset.embedded import load_embedded
from zs_bench.reports import report
from zs_bench.runs.folder import RunFolder
from zs_bench.runs.journal import Record
from zs_bench.runs.settings import Settings
from zs_bench.scoring.score_files import score_against, score_files
from zs_metric.tasks import find_task


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Both examples of QASPER: one prompt cut by the server and answered rightly, one lost; and one of QuALITY."""
    first, second = load_embedded(find_task("qasper"))
    run = RunFolder(tmp_path / "run", Settings("a-model"))
    counted = {"characters": 9_000, "usage": {"prompt_tokens": 100}}
    with closing(run.journal()) as journal:
        journal.note_session({"started": "now", "prompts": {"qasper": 2, "quality": 2}})
        journal.append(Record("qasper", first.id, "p", "ok", first.references[0], kept=0.5, **counted))  # type: ignore[arg-type]
        journal.append(Record("qasper", second.id, "p", "overflow", error="A shorter prompt is needed"))
        journal.append(Record("quality", "s0003_SAMPLE01_1", "p", "ok", "B", flags=("stopped-at-length",)))
    run.write_answers()
    return run.path


def test_the_journal_is_not_taken_for_predictions(folder: Path) -> None:
    scored = score_against([folder], "embedded", partial=True)
    assert [file.file for file in scored.files] == ["run/answers/preds_qasper.json", "run/answers/preds_quality.json"]
    assert not scored.refused


def test_a_task_with_a_lost_prompt_is_not_scored_unless_asked_for(folder: Path) -> None:
    assert score_against([folder], "embedded").tasks["qasper"].score is None
    assert score_against([folder], "embedded", partial=True).tasks["qasper"].score == 100.0


def test_the_report_says_what_became_of_the_prompts(folder: Path) -> None:
    text = report.as_text(score_against([folder], "embedded", partial=True))
    assert "The run of a-model:" in text
    assert "qasper         2         1         1" in text
    assert "Cut by the server, which did not read the whole prompt: qasper 1." in text
    assert "Trimmed before they were sent: qasper 1 (50% of the document kept)." in text
    assert "Stopped at the length limit: quality 1." in text
    assert "With lost prompts as empty answers: qasper 50.0000, quality " in text
    assert "|run:overflow1,not-asked1,cut1,trimmed1|" in text


def test_the_same_is_in_the_json_and_fits_the_schema(folder: Path) -> None:
    data = validated(report.as_json(score_against([folder], "embedded", partial=True)))
    task = data["run"]["tasks"]["qasper"]
    assert (task["ok"], task["overflow"], task["trimmed"], len(task["cut_by_server"])) == (1, 1, 1, 1)
    assert task["scores"] == {"without_cut": None, "lost_as_empty": 50.0}
    assert data["run"]["settings"]["model"] == "a-model"


def test_a_zipped_folder_is_the_same(folder: Path, tmp_path: Path) -> None:
    archive = shutil.make_archive(str(tmp_path / "run"), "zip", folder.parent, "run")
    zipped, plain = (score_against([path], "embedded", partial=True) for path in (archive, folder))
    assert zipped.run == plain.run
    assert zipped.tasks["qasper"].score == plain.tasks["qasper"].score


def test_a_folder_that_is_no_run_has_no_account(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps({"qasper": {"1": "yes"}}))
    references = tmp_path / "references.json"
    references.write_text(json.dumps({"qasper": {"1": ["yes"]}}))
    scored = score_files([tmp_path / "run.json"], [references])
    assert (scored.run, scored.tasks["qasper"].score) == (None, 100.0)
    assert "run" not in report.as_json(scored)
    assert "run:" not in str(scored.signature())
