"""The formats of other tools: recognised, named and read. The samples are written by hand."""

from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from sick_files import sources
from written_files import entries, problems, read, score, write

from zs_bench.cli import main
from zs_bench.dataset.sources import load_examples
from zs_bench.files.entries import Entry, name_task
from zs_bench.files.read_csv import guess_columns
from zs_bench.scoring.score_files import score_against, score_files
from zs_bench.validation.predictions import read_predictions

TIME = "2026-06-03T10-20-30.123456"


def sample(key: str, answer: Any, **more: Any) -> dict[str, Any]:
    """A row of `samples_<task>_<time>.jsonl` as lm-evaluation-harness 0.4 logs it for a generated answer."""
    return {
        "doc_id": 0,
        "doc": {"id": key, "pid": f"{key}_0", "input": "Why?", "output": "because"},
        "target": "because",
        "arguments": {"gen_args_0": {"arg_0": "Why?", "arg_1": {"until": [], "do_sample": False}}},
        "resps": [[f"{answer} raw"]],
        "filtered_resps": [answer],
        "filter": "none",
        "metrics": ["f1"],
        "doc_hash": "5d", "prompt_hash": "7c", "target_hash": "01", "f1": 0.5,
        **more,
    }  # fmt: skip


def longbench(answer: str, **more: Any) -> dict[str, Any]:
    """A row as LongBench's pred.py writes it."""
    return {"pred": answer, "answers": ["yes", "no"], "all_classes": None, "length": 3531, **more}


KVPRESS = "input,task,id,pid,compression_ratio,predicted_answer,max_new_tokens\n"


def recognised(name: str, content: Any) -> tuple[str | None, int]:
    """The format, and the number of rows."""
    (source,) = sources({name: content})
    (file,) = read_predictions([source]).files
    return file.format, file.rows


SAMPLES = f"samples_zero_scrolls_qasper_{TIME}.jsonl"


def test_every_format_is_recognised_and_named_and_gives_the_same_answer() -> None:
    for name, content, form in (
        ("a.csv", "Task,ID,Prediction\nqasper,7,a\n", "official CSV"),
        ("predictions.csv", f"{KVPRESS}Why?,qasper,7,7_0,0.5,a,128\n", "kvpress CSV"),
        ("preds_qasper.json", {"7": "a"}, "JSON, one task"),
        ("a.json", {"qasper": {"7": "a"}}, "JSON, all tasks"),
        ("qasper.jsonl", [{"id": "7", "prediction": "a"}], "JSONL rows"),
        ("qasper.jsonl", [longbench("a", _id="7")], "LongBench rows"),
        ("out.jsonl", [batch_reply("qasper/7", "a")], "OpenAI batch replies"),
        ("qasper.jsonl", [batch_reply("7", "a")], "OpenAI batch replies"),
        (SAMPLES, [sample("7", "a")], "lm-evaluation-harness samples"),
        (SAMPLES, [sample("7", "a", filtered_resps=["a"])], "lm-evaluation-harness samples"),
        (SAMPLES, [sample("7", "a", filtered_resps=[["a"]])], "lm-evaluation-harness samples"),
    ):
        assert recognised(name, content) == (form, 1)
        assert entries(name, content) == [("qasper", "7", "a")]


def test_the_name_of_a_samples_file_tells_its_task() -> None:
    for name, task in (
        (f"samples_zero_scrolls_govreport_{TIME}", "gov_report"),
        (f"samples_zeroscrolls_summ_screen_fd_{TIME}", "summ_screen_fd"),
        (f"samples_space_digest_{TIME}", "space_digest"),
        (f"samples_scrolls_qasper_{TIME}", "scrolls_qasper"),
        (f"samples_hellaswag_{TIME}", "hellaswag"),
        ("samples_qasper", "samples_qasper"),
    ):
        assert name_task(PurePosixPath(f"{name}.jsonl")) == task


def test_of_several_filters_the_first_is_read_with_one_warning() -> None:
    rows = [sample(key, f"{name} {key}", filter=name) for key in "78" for name in ("strict", "flexible")]
    found = list(read(SAMPLES, rows))
    assert [one.value for one in found if isinstance(one, Entry)] == ["strict 7", "strict 8"]
    (warning,) = [one for one in found if not isinstance(one, Entry)]
    assert (warning.kind, warning.task, warning.is_error, str(warning.place)) == (
        "filters",
        "qasper",
        False,
        f"{SAMPLES}, line 2",
    )


def batch_reply(name: str, content: str, status: int = 200, finish_reason: str = "stop") -> dict[str, Any]:
    choice = {"message": {"role": "assistant", "content": content}, "finish_reason": finish_reason}
    return {"custom_id": name, "response": {"status_code": status, "body": {"choices": [choice]}}, "error": None}


def inspect_sample(key: str, completion: str, stop_reason: str = "stop", **more: Any) -> dict[str, Any]:
    choice = {"message": {"role": "assistant", "content": completion}, "stop_reason": stop_reason}
    output = {"model": "m", "choices": [choice], "completion": completion, "usage": {"input_tokens": 5}}
    return {"id": key, "epoch": 1, "input": "Why?", "target": "because", "output": output, **more}


def inspect_log(*samples: dict[str, Any], task: str = "long_texts/qasper") -> dict[str, Any]:
    return {"version": 2, "status": "success", "eval": {"task": task, "model": "m"}, "samples": [*samples]}


def test_the_text_of_an_error_in_a_batch_is_no_answer() -> None:
    rows = [
        batch_reply("qasper/1", "A shorter prompt is needed", 400),
        batch_reply("qasper/2", "I cannot", finish_reason="content_filter"),
        {"custom_id": "qasper/3", "response": None, "error": {"message": "expired"}},
    ]
    assert [value for _, _, value in entries("out.jsonl", rows)] == [None, None, None]


def test_the_first_epoch_of_an_inspect_log_is_read() -> None:
    log = inspect_log(inspect_sample("7", "yes"), inspect_sample("7", "no", epoch=2))
    assert [found.value for found in read("log.json", log) if isinstance(found, Entry)] == ["yes"]
    (reported,) = problems("log.json", log)
    assert (reported.message, reported.is_error) == (
        "the log holds several epochs; the answers of the first are read",
        False,
    )


def test_rows_without_ids_are_scored_by_order_against_the_same_rows_only(tmp_path: Path) -> None:
    texts = [["yes", "no"], ["a cat"], ["yes", "no"]]
    rows = [longbench("a cat") | {"answers": references} for references in texts]
    data = [{"id": f"q{n}", "output": text} for n, references in enumerate(texts) for text in references]
    for name, known in {"narrativeqa.jsonl": rows, "narrative_qa.jsonl": data}.items():
        references = write(tmp_path / "known" / name, known)
        scored = score_files([write(tmp_path / "run" / "narrativeqa.jsonl", rows)], [references])
        assert [(one.kind, one.detail) for one in scored.problems] == [("by-order", "3 answers")]
        assert scored.tasks["narrative_qa"].score == pytest.approx(100 / 3)
    swapped = score_files([write(tmp_path / "narrativeqa.jsonl", [rows[1], rows[0], rows[2]])], [references])
    assert {(one.kind, one.is_error) for one in swapped.problems} == {("not-an-id", True)}
    assert swapped.tasks["narrative_qa"].score is None


def test_l_eval_rows_are_read_with_their_references(tmp_path: Path) -> None:
    rows = [{"query": "Which?", "gt": f"({letter}) a boat", "gpt-4_pred": "B"} for letter in "BCBD"]
    path = write(tmp_path / "quality.pred.jsonl", rows)
    scored = score_files([path], [path])
    assert (scored.tasks["quality"].score, scored.files[0].format) == (50.0, "L-Eval rows")


IDS = [f"{n:03}ab" for n in range(20)]


def test_a_table_needs_no_task_where_its_ids_tell_it_and_other_columns_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = {"qasper": dict.fromkeys(IDS, "yes"), "musique": {"m": "no"}}
    table = "".join(f"{key},yes\n" for key in IDS)
    scored = score(tmp_path / "plain", {"run.csv": f"id,prediction\n{table}"}, known)
    assert scored.tasks["qasper"].score == 100
    (note,) = scored.problems
    assert (note.message, note.is_error) == (
        "No task has this name, but its IDs tell the task",
        False,
    )
    several = f"id\tprediction\n{table}m,no\n".replace(",", "\t")
    scored = score(tmp_path / "several", {"run.tsv": several}, known)
    assert [scored.tasks[task].score for task in known] == [100, 100]
    assert [(note.task, note.detail, note.is_error) for note in scored.problems] == [
        (None, "'run', 21 answers", False),
    ]
    for name, content in {
        "a.csv": f"qid,response,n\n{table}".replace("s\n", "s,1\n"),
        "b.jsonl": [{"qid": IDS[0], "response": "yes"}],
    }.items():
        path = write(tmp_path / name, content)
        references = write(
            tmp_path / "known.json", {"qasper": dict.fromkeys(IDS[: 20 if name == "a.csv" else 1], "yes")}
        )
        command = ["score", str(path), "--references", str(references)]
        assert main(command) == 1
        if name == "a.csv":
            assert main(["verify", str(path)]) == 1
            assert capsys.readouterr().out.count("--columns id=COLUMN,prediction=COLUMN says which") == 2
        assert main([*command, "--columns", "id=qid,prediction=response"]) == 0
    (refused,) = score(tmp_path / "named", {"run.csv": f"qid,response,n\n{table}"}, known).validation.problems
    assert (refused.kind, guess_columns(["QID", "n", "response"])) == (
        "columns",
        {"id": "QID", "prediction": "response"},
    )
    swapped = "".join(f"yes;{key}\n" for key in IDS)
    scored = score(tmp_path / "usual", {"run.csv": f"Response;QID\n{swapped}"}, known)
    assert (scored.tasks["qasper"].score, scored.files[0].format) == (100, "CSV without tasks")


def test_a_source_has_the_references_of_a_task_in_other_spelling_or_by_ids_alone(tmp_path: Path) -> None:
    (example, *_) = load_examples("embedded", "narrative_qa").examples
    for name in ("narrativeqa.json", "answers.json"):
        path = write(tmp_path / name, {example.id: example.references[0]})
        scored = score_against([path], "embedded", partial=True)
        assert scored.tasks["narrative_qa"].score == 100, name
        assert "no-references" not in {problem.kind for problem in scored.problems}
