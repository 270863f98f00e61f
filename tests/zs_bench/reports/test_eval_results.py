"""`score --eval-results`: huggingface_hub reads what it writes, with the numbers and signatures of the report."""

import yaml
from benchmark_zips import zipped
from huggingface_hub import parse_eval_result_entries
from written_files import write

from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import SAMPLE_PREDICTIONS
from zs_bench.scoring.score_files import score_files
from zs_start.cli import main

SAMPLE = str(SAMPLE_PREDICTIONS)


def entries(folder, *options):
    """What `score` with these options writes, by task."""
    out = folder / "results.yaml"
    main(["score", *map(str, options), "--eval-results", str(out)])
    return {entry.task_id: entry for entry in parse_eval_result_entries(yaml.safe_load(out.read_text("utf-8")))}


def test_every_task_and_with_all_tasks_the_average_has_an_entry_with_score_and_signature(tmp_path):
    scored = score_files([SAMPLE], source="embedded")
    written = entries(tmp_path, SAMPLE, "--source", "embedded", "--dataset", "our/copy")
    assert list(written) == [*TASKS, "average"]
    assert {(entry.dataset_id, entry.dataset_revision) for entry in written.values()} == {("our/copy", None)}
    numbers = {name: (round(task.score, 4), str(scored.signature(name))) for name, task in scored.scored.items()}
    numbers["average"] = (round(scored.result.score, 4), str(scored.signature()))
    assert {name: (entry.value, entry.notes) for name, entry in written.items()} == numbers
    answers = write(tmp_path / "quality.json", {"1": "A", "2": "B"})
    references = write(tmp_path / "known.json", {"quality": {"1": "A", "2": "C"}})
    written = entries(tmp_path, answers, "--references", references, "--dataset", "a/b")
    assert {name: entry.value for name, entry in written.items()} == {"quality": 50.0}


def test_references_that_are_not_the_benchmarks_are_refused_before_any_work(tmp_path, capsys):
    out = tmp_path / "results.yaml"
    for references in (["--source", "embedded"], ["--references", "a/"], ["--source", "hub:some/copy"]):
        assert main(["score", SAMPLE, *references, "--eval-results", str(out)]) == 2
        assert "--dataset OWNER/NAME" in capsys.readouterr().err
    assert not out.exists()


def test_the_revision_is_that_of_the_benchmarks_own_dataset(hub, tmp_path):
    commit = hub.repo("datasets", "tau/zero_scrolls").commit({"qasper.zip": zipped("qasper")})
    written = entries(tmp_path, SAMPLE, "--partial", "--source", "hub")["qasper"]
    assert (written.dataset_id, written.dataset_revision) == ("tau/zero_scrolls", commit)
