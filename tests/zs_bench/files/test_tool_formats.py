"""The formats of other tools: recognised, named and read. The samples are written by hand."""

import io
import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from sick_files import sources
from written_files import entries, problems, read, score, write

from zs_bench.cli import main
from zs_bench.dataset.sources import load_examples
from zs_bench.files import limits
from zs_bench.files.entries import Entry
from zs_bench.files.read_csv import guess_columns
from zs_bench.scoring.score_files import score_against, score_files
from zs_bench.validation.predictions import read_predictions

if sys.version_info < (3, 14):
    import zipfile_zstd  # noqa: F401  (it teaches zipfile to write Zstandard)

SAMPLES = "samples_zero_scrolls_qasper_2026-06-03T10-20-30.123456.jsonl"
KVPRESS = "input,task,id,pid,compression_ratio,predicted_answer,max_new_tokens\n"
HEADER = {"version": 2, "status": "success", "eval": {"task": "zs_bench/zero_scrolls_qasper", "model": "m"}}


def harness_sample(id_: str, answer: Any, **more: Any) -> dict[str, Any]:
    """A row of `samples_<task>_<time>.jsonl` as lm-evaluation-harness 0.4 logs it for a generated answer."""
    doc = {"id": id_, "pid": f"{id_}_0", "input": "Why?", "output": "because"}
    return {"doc_id": 0, "doc": doc, "target": "because", "resps": [[f"{answer} raw"]], "filtered_resps": [answer],
            "filter": "none", "metrics": ["f1"], "f1": 0.5, **more}  # fmt: skip


def longbench(answer: str, **more: Any) -> dict[str, Any]:
    return {"pred": answer, "answers": ["yes", "no"], "all_classes": None, "length": 3531, **more}


def batch_reply(name: str, content: str, status: int = 200, finish_reason: str = "stop") -> dict[str, Any]:
    choice = {"message": {"role": "assistant", "content": content}, "finish_reason": finish_reason}
    return {"custom_id": name, "response": {"status_code": status, "body": {"choices": [choice]}}, "error": None}


def eee_sample(*answers: str) -> dict[str, Any]:
    return {"sample_id": "7", "evaluation_name": "Qasper", "interaction_type": "x", "output": {"raw": [*answers]}}


def inspect_sample(id_: str, completion: str, stop_reason: str = "stop", **more: Any) -> dict[str, Any]:
    choice = {"message": {"role": "assistant", "content": completion}, "stop_reason": stop_reason}
    return {"id": id_, "epoch": 1, "input": "Why?", "output": {"choices": [choice], "completion": completion}, **more}


def eval_log(*samples: dict[str, Any], name: str = "header.json") -> bytes:
    """The `.eval` log with these samples, as Inspect packs it."""
    return packed({f"samples/{one['id']}_epoch_1.json": one for one in samples} | {name: HEADER, "summaries.json": []})


def packed(members: dict[str, Any]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", 93) as archive:
        for name, content in members.items():
            archive.writestr(name, content if isinstance(content, bytes) else json.dumps(content))
    return stream.getvalue()


def test_every_format_is_recognised_and_named_and_gives_the_same_answer() -> None:
    for name, content, form in (
        ("a.csv", "Task,ID,Prediction\nqasper,7,a\n", "official CSV"),
        ("predictions.csv", f"{KVPRESS}Why?,qasper,7,7_0,0.5,a,128\n", "kvpress CSV"),
        ("preds_qasper.json", {"7": "a"}, "JSON, one task"),
        ("a.json", {"qasper": {"7": "a"}}, "JSON, all tasks"),
        ("qasper.jsonl", [{"id": "7", "prediction": "a"}], "JSONL rows"),
        ("qasper.jsonl", [{"doc": {"id": "8"}, "id": "7", "prediction": "a"}], "JSONL rows"),
        ("qasper.jsonl", [longbench("a", _id="7")], "LongBench rows"),
        ("out.jsonl", [batch_reply("qasper/7", "a")], "OpenAI batch replies"),
        ("qasper.jsonl", [batch_reply("7", "a")], "OpenAI batch replies"),
        ("x_samples.jsonl", [eee_sample("a")], "Every Eval Ever samples"),
        (SAMPLES, [harness_sample("7", "a")], "lm-evaluation-harness samples"),
        (SAMPLES, [harness_sample("7", "a", filtered_resps=[["a"]])], "lm-evaluation-harness samples"),
        (SAMPLES, [{"doc": {"id": "7"}, "resps": [["a"]]}], "lm-evaluation-harness samples"),
        ("log.json", {**HEADER, "samples": [inspect_sample("7", "a")]}, "Inspect log"),
        ("a.eval", eval_log(inspect_sample("7", "a")), "Inspect log"),
        ("a.eval", eval_log(inspect_sample("7", "a"), name="_journal/start.json"), "Inspect log"),
    ):
        (file,) = read_predictions(sources({name: content})).files
        assert (file.format, file.rows) == (form, 1)
        assert entries(name, content) == [("qasper", "7", "a")]


def test_the_text_of_an_error_is_no_answer_nor_are_several_texts() -> None:
    for name, rows in {
        "out.jsonl": [
            batch_reply("qasper/1", "A shorter prompt is needed", 400),
            batch_reply("qasper/2", "I cannot", finish_reason="content_filter"),
            {"custom_id": "qasper/3", "response": None, "error": {"message": "expired"}},
        ],
        "eee.jsonl": [eee_sample("a", "b"), eee_sample()],
        "log.json": {**HEADER, "samples": [inspect_sample("7", "too long", "model_length"),
                                           inspect_sample("8", "no", "content_filter"),
                                           inspect_sample("9", "half", error={"message": "x"})]},
    }.items():  # fmt: skip
        assert {value for _, _, value in entries(name, rows)} == {None}
    assert entries("qasper.jsonl", [batch_reply("a/7", "b")]) == [("qasper", "a/7", "b")]
    (_, _, two) = entries(SAMPLES, [harness_sample("7", "a", filtered_resps=["a", "b"])])[0]
    assert two == ["a", "b"]


def test_of_several_filters_or_epochs_the_first_is_read_with_one_warning() -> None:
    rows = [harness_sample(id_, f"{name} {id_}", filter=name) for id_ in "78" for name in ("strict", "flexible")]
    log = {**HEADER, "samples": [inspect_sample("7", "yes"), inspect_sample("7", "no", epoch=2)]}
    for name, content, values in (SAMPLES, rows, ["strict 7", "strict 8"]), ("log.json", log, ["yes"]):
        items = list(read(name, content))
        assert [item.value for item in items if isinstance(item, Entry)] == values
        (warning,) = [item for item in items if not isinstance(item, Entry)]
        assert (warning.kind, warning.task, warning.is_error) == ("filters", "qasper", False)
    (_, mixed) = read("qasper.jsonl", [batch_reply("7", "a"), {"id": "8", "prediction": "b"}])
    assert mixed.message.startswith("the row is not like the first, one of OpenAI batch replies")


def test_rows_without_ids_are_scored_by_order_against_the_same_rows_only(tmp_path: Path) -> None:
    texts = [["yes", "no"], ["a cat"], ["yes", "no"]]
    rows = [longbench("a cat", answers=references) for references in texts]
    data = [{"id": f"q{n}", "output": text} for n, references in enumerate(texts) for text in references]
    for name, content in {"narrativeqa.jsonl": rows, "narrative_qa.jsonl": data}.items():
        references = write(tmp_path / "known" / name, content)
        scored = score_files([write(tmp_path / "run" / "narrativeqa.jsonl", rows)], [references])
        assert [(problem.kind, problem.detail) for problem in scored.problems] == [("by-order", "3 answers")]
        assert scored.tasks["narrative_qa"].score == pytest.approx(100 / 3)
    swapped = score_files([write(tmp_path / "narrativeqa.jsonl", [rows[1], rows[0], rows[2]])], [references])
    assert {(problem.kind, problem.is_error) for problem in swapped.problems} == {("not-an-id", True)}
    assert swapped.tasks["narrative_qa"].score is None
    rows = [{"query": "Which?", "gt": f"({letter}) a boat", "gpt-4_pred": "B"} for letter in "BCBD"]
    path = write(tmp_path / "quality.pred.jsonl", rows)
    scored = score_files([path], [path])
    assert (scored.tasks["quality"].score, scored.files[0].format) == (50.0, "L-Eval rows")


def test_a_table_needs_no_task_where_its_ids_tell_it_and_other_columns_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = [f"{n:03}ab" for n in range(20)]
    references = {"qasper": dict.fromkeys(ids, "yes"), "musique": {"m": "no"}}
    table = "".join(f"{id_},yes\n" for id_ in ids)
    for n, (name, content, scores) in enumerate((
        ("run.csv", f"id,prediction\n{table}", [100]),
        ("run.tsv", f"id,prediction\n{table}m,no\n".replace(",", "\t"), [100, 100]),
        ("run.csv", "Response;QID\n" + "".join(f"yes;{id_}\n" for id_ in ids), [100]),
    )):  # fmt: skip
        scored = score(tmp_path / str(n), {name: content}, references)
        assert [task.score for task in scored.tasks.values()] == scores
        (note,) = scored.problems
        assert (note.kind, note.detail, note.is_error) == ("task-by-ids", f"'run', {19 + len(scores)} answers", False)
        assert scored.files[0].format == "CSV without tasks"
    known = write(tmp_path / "known.json", {"qasper": {ids[0]: "yes"}})
    for name, content in {
        "a.csv": f"qid,response,n\n{ids[0]},yes,1\n",
        "b.jsonl": [{"qid": ids[0], "response": "yes"}],
    }.items():
        command = ["score", str(write(tmp_path / name, content)), "--references", str(known)]
        assert main(command) == 1
        assert ("id=COLUMN,prediction=COLUMN says which" in capsys.readouterr().out) == (name == "a.csv")
        assert main([*command, "--columns", "id=qid,prediction=response"]) == 0
    assert problems("a.csv", "qid,response,n\n1,2,3\n")[0].kind == "columns"
    assert guess_columns(["QID", "n", "response"]) == {"id": "QID", "prediction": "response"}


def test_a_source_has_the_references_of_a_task_in_other_spelling_or_by_ids_alone(tmp_path: Path) -> None:
    (example, *_) = load_examples("embedded", "narrative_qa").examples
    for name in ("narrativeqa.json", "answers.json"):
        path = write(tmp_path / name, {example.id: example.references[0]})
        scored = score_against([path], "embedded", partial=True)
        assert scored.tasks["narrative_qa"].score == 100, name
        assert "no-references" not in {problem.kind for problem in scored.problems}


def test_an_eval_log_that_cannot_be_read_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = bytearray(packed({"header.json": HEADER, "samples/7.json": inspect_sample("7", "yes " * 1000)}))
    start = damaged.index(b"samples/7.json") + len("samples/7.json")
    damaged[start : start + 20] = bytes(20)
    for content, says in (
        (b"", "the file cannot be read"),
        (b"PK\x03\x04 no zip", "the file cannot be read"),
        (eval_log(inspect_sample("7", "yes"))[:-30], "the file cannot be read"),
        (packed({"answers.json": {"7": "yes"}}), "not an Inspect log"),
        (eval_log(), "not an Inspect log"),
        (packed({"header.json": HEADER, "samples/7.json": b"[]"}), "samples/7.json holds no JSON"),
        (packed({"header.json": HEADER, "samples/7.json": b"{"}), "the JSON ends too early"),
        (bytes(damaged), "samples/7.json cannot be read"),
    ):
        (problem,) = problems("a.eval", content)
        assert (problem.is_error, says in problem.message) == (True, True), problem
    large = eval_log(inspect_sample("7", "a" * 100_000))
    for limit, value, says in (
        ("current", lambda: limits.Limits(total=10_000), "the log unpacks to 200.2 kB, more than 10 kB"),
        ("MAX_WHOLE", 10_000, "samples/7_epoch_1.json unpacks to 200.2 kB, more than 10 kB"),
        ("MAX_DIRECTORY", 100, "the list of the files in it is too long"),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(limits, limit, value)
            assert says in problems("a.eval", large)[0].message
    if sys.version_info < (3, 14):  # Python reads Zstandard itself from then on
        monkeypatch.setitem(sys.modules, "zipfile_zstd", None)
        assert "the extra 'inspect'" in problems("a.eval", large)[0].message
