"""Records of Every Eval Ever: accepted by its own validator, read again as answers."""

import json
import os
import shutil
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import load_embedded, sample_predictions
from zs_start.cli import main

ROOT = Path(__file__).parents[3]


def records(folder, name="google/flan-t5-xl"):
    """The records of the sample answers: of the scores, and of the answers."""
    options = ["--source", "embedded", "--quiet", "--eee", str(folder), "--name", name]
    assert main(["score", str(sample_predictions()), *options]) == 0
    (scores,), (answers,) = folder.rglob("*.json"), folder.rglob("*.jsonl")
    return scores, answers


def test_the_records_have_every_score_and_answer_and_no_reference_and_are_read_as_answers(tmp_path, capsys):
    scores, answers = records(tmp_path, "meta/llama/70b")
    printed = capsys.readouterr().out
    assert scores.parent == tmp_path / "data" / "zero_scrolls" / "meta" / "llama_70b"
    record, text = json.loads(scores.read_text("utf-8")), answers.read_text("utf-8")
    results = {result["evaluation_name"]: result for result in record["evaluation_results"]}
    assert list(results) == [*TASKS, "average"]
    assert f"{results['average']['score_details']['score']:.4f}\n" == printed
    details = results["qasper"]["score_details"]["details"]
    assert (details["answers"], details["examples"], details["signature"][:16]) == ("2", "2", "ZS|tasks:qasper|")
    assert record["detailed_evaluation_results"]["total_rows"] == len(text.splitlines()) == 20
    assert (tmp_path / record["detailed_evaluation_results"]["file_path"]) == answers
    samples = [json.loads(line) for line in text.splitlines()]
    assert all(sample["input"] == {"raw": "", "reference": []} for sample in samples)
    sample = next(sample for sample in samples if sample["sample_id"] == "s0004_SAMPLE02_1")
    read = {"turn_idx": 0, "source": "output.raw", "extracted_value": "A", "extraction_method": "accuracy"}
    assert sample["answer_attribution"] == [{**read, "is_terminal": True}]
    assert sample["evaluation"] == {"score": 0.0, "is_correct": False}
    assert sample["metadata"] == {"reason": "the first letter found is A (here the word “A”), not B"}
    assert [sample["evaluation"]["is_correct"] for sample in samples].count(True) == 3
    assert load_embedded("gov_report")[0].references[0][:200] not in text
    assert main(["score", str(tmp_path), "--source", "embedded", "--quiet"]) == 0
    again = capsys.readouterr()
    assert again.out == printed
    assert "the answers are in its _samples.jsonl" in again.err


@pytest.mark.parametrize(("answers", "status"), [(["B"], 0), (["B", "A"], 1)])
def test_a_record_of_several_answers_to_one_sample_is_no_answer(answers, status, tmp_path, capsys):
    row = {"evaluation_name": "quality", "interaction_type": "single_turn", "sample_id": "1"}
    samples, references = tmp_path / "a_samples.jsonl", tmp_path / "quality.json"
    references.write_text('{"1": ["B"]}', encoding="utf-8")
    samples.write_text(json.dumps({**row, "output": {"raw": answers}}), encoding="utf-8")
    assert main(["score", str(samples), "--references", str(references), "--quiet"]) == status
    assert ("100.0000" in capsys.readouterr().out) == (status == 0)


@pytest.mark.parametrize("name", ["flan", "google/", "../up/there", "google/flan.", "/x"])
def test_a_name_that_is_no_model_is_refused_before_anything_is_scored(name, tmp_path, capsys):
    assert main(["score", "nowhere.csv", "--source", "embedded", "--eee", str(tmp_path), "--name", name]) == 2
    assert "developer/model" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def newer_python():
    """A Python that the validator runs on, 3.12 or newer."""
    own = sys.executable if sys.version_info >= (3, 12) else None
    places = Path.home().glob(".pyenv/versions/3.1[2-9]*/bin/python"), map(shutil.which, ("python3.12", "python3.13"))
    return next(filter(None, [own, *chain(*places)]), None) or pytest.skip(
        "every-eval-ever needs Python 3.12 or newer: its validator did not run"
    )


@pytest.fixture(scope="module")
def validator():
    """The command of every-eval-ever, in an environment of its own."""
    folder = ROOT / ".cache" / "every-eval-ever-0.3.0"
    command = folder / ("Scripts" if os.name == "nt" else "bin") / "every_eval_ever"
    if not command.exists():
        subprocess.run([newer_python(), "-m", "venv", folder], check=True)
        pip = [command.with_name("python"), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        subprocess.run([*pip, "every-eval-ever==0.3.0"], check=True, timeout=600)
    return command


@pytest.mark.slow
def test_its_own_validator_accepts_the_records_and_refuses_a_broken_one(validator, tmp_path):
    scores, answers = records(tmp_path)
    command = [validator, "validate", "--format", "json", scores.relative_to(tmp_path), answers.relative_to(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count('"valid": true') == 2
    assert '"warnings": []' in done.stdout
    answers.write_text(answers.read_text("utf-8").replace('"is_terminal": true', '"terminal": true', 1), "utf-8")
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode != 0
