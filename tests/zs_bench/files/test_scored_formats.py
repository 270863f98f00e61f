"""Files that say less than the official one, scored: the task by their ids, ids by their order, columns by name."""

import gzip
import io
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from written_files import as_bytes, write

from zs_bench.dataset.sources import load_examples
from zs_bench.files import limits
from zs_bench.files.formats import read_source
from zs_bench.files.paths import open_inputs
from zs_bench.reports import report
from zs_bench.scoring.score_files import score_files
from zs_bench.validation.verify import verify
from zs_start.cli import main


def test_rows_without_ids_are_matched_by_their_references(tmp_path: Path) -> None:
    texts = [["yes", "no"], ["a cat"], ["yes", "no"]]
    rows = [{"pred": "a cat", "answers": answers, "all_classes": None, "length": 3531} for answers in texts]
    data = [{"id": f"q{n}", "output": text} for n, references in enumerate(texts) for text in references]
    for name, content in {"narrativeqa.jsonl": rows, "narrative_qa.jsonl": data}.items():
        references = write(tmp_path / "known" / name, content)
        scored = score_files(
            [write(tmp_path / "run" / "narrativeqa.jsonl", rows)], [references], benchmark="zero_scrolls"
        )
        assert [(problem.kind, problem.detail) for problem in scored.problems] == [("by-references", "3 answers")]
        assert scored.tasks["narrative_qa"].score == pytest.approx(100 / 3)
        path = write(tmp_path / "narrativeqa.jsonl", [rows[1], rows[0], rows[2]])
        swapped = score_files([path], [references], benchmark="zero_scrolls")
        assert swapped.tasks["narrative_qa"].score == pytest.approx(100 / 3)
        assert [each.id for each in swapped.tasks["narrative_qa"].answers if each.result.score] == [
            each.id for each in scored.tasks["narrative_qa"].answers if each.result.score
        ]
    rows = [{"query": "Which?", "gt": f"({letter}) a boat", "gpt-4_pred": "B"} for letter in "BCBD"]
    path = write(tmp_path / "quality.pred.jsonl", rows)
    assert score_files([path], [path]).tasks["quality"].score == 50.0


ROWS = [{"id": "7", "prediction": "yes"}, {"id": "8", "prediction": "a cat"}]
REFERENCES = [{"id": "7", "output": ["yes", "no"]}, {"id": "8", "output": ["a cat"]}]
UPPER = [{"Task": "qasper", "ID": row["id"], "Prediction": row["prediction"]} for row in ROWS]
LINES = as_bytes(ROWS).decode()
TABLE = "id,prediction\n7,yes\n8,a cat\n"


def packed(text: str) -> bytes:
    return gzip.compress(text.encode(), mtime=0)


def containers(rows: list[dict[str, Any]]) -> dict[str, tuple[str, Any]]:
    """Files with these rows, each a name and what it holds."""
    lines, by_id, parquet = as_bytes(rows).decode(), dict(row.values() for row in rows), io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), parquet)
    return {
        "JSON Lines in .json": ("qasper.json", lines),
        "a list of rows": ("qasper.json", json.dumps(rows)),
        "a list of rows over several lines": ("qasper.json", json.dumps(rows, indent=2)),
        "a list in .jsonl": ("qasper.jsonl", json.dumps(rows, indent=2)),
        "an object in .jsonl": ("qasper.jsonl", json.dumps(by_id, indent=1)),
        "an object on one line of .jsonl": ("qasper.jsonl", json.dumps(by_id)),
        "tasks on one line of .jsonl": ("all.jsonl", json.dumps({"qasper": by_id})),
        "no ending": ("qasper", lines),
        ".txt": ("qasper.txt", lines),
        ".ndjson": ("qasper.ndjson", lines),
        "lines in .csv": ("qasper.csv", lines),
        ".jsonl.gz": ("qasper.jsonl.gz", packed(lines)),
        ".json.gz": ("qasper.json.gz", packed(json.dumps(rows))),
        ".gz": ("qasper.gz", packed(lines)),
        "Parquet": ("qasper.parquet", parquet.getvalue()),
        "Parquet in .bin": ("qasper.bin", parquet.getvalue()),
    }


AS_REFERENCES, AS_PREDICTIONS = containers(REFERENCES), containers(ROWS)
AS_PREDICTIONS |= {
    "a list in capitals": ("records.json", json.dumps(UPPER)),
    ".raw": ("qasper_0.raw", TABLE),
    "a table in .txt": ("qasper.txt", TABLE.replace(",", "\t")),
    "a table in .json": ("qasper.json", TABLE),
    ".csv.gz": ("qasper.csv.gz", packed(TABLE)),
}


@pytest.mark.parametrize("name", AS_PREDICTIONS)
def test_the_content_decides_the_format_of_predictions_and_references(tmp_path: Path, name: str) -> None:
    predictions = write(tmp_path / "preds_qasper.jsonl", ROWS)
    references = write(tmp_path / "refs_qasper.jsonl", REFERENCES)
    for role, (path, content) in enumerate(files[name] for files in (AS_PREDICTIONS, AS_REFERENCES) if name in files):
        folder = tmp_path / f"run{role}"
        for given in [write(folder / path, content)] + [folder] * (not path.endswith(".bin")):
            scored = score_files([given], [references]) if role == 0 else score_files([predictions], [given])
            assert {name: task.score for name, task in scored.tasks.items()} == {"qasper": 100.0}
            assert [(problem.kind, problem.is_error) for problem in scored.problems] == [("equal-to-references", False)]


def test_answers_come_through_standard_input_and_pipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    references = write(tmp_path / "refs_qasper.jsonl", REFERENCES)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(LINES.encode())))
    assert score_files(["-"], [references]).tasks["qasper"].score == 100.0
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        written = pool.submit(pipe.write_text, TABLE)
        assert score_files([pipe], [references]).tasks["qasper"].score == 100.0
        written.result()


def test_what_a_packed_file_unpacks_to_is_limited(tmp_path: Path) -> None:
    path = write(tmp_path / "qasper.jsonl.gz", packed(LINES * 1000))
    with limits.using(limits.Limits(by_lines=2_000)):
        ((source,), _) = open_inputs([path])
        (*_, problem) = read_source(source, "predictions")
    assert problem.message == "it unpacks to more than 2 kB"


def test_rows_are_taken_in_order_only_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    references = str(write(tmp_path / "refs_qasper.jsonl", REFERENCES))
    path = str(write(tmp_path / "qasper.jsonl", [{"prediction": row["prediction"]} for row in ROWS]))
    assert main(["score", path, "--references", references]) == 1
    assert "--by-order takes the rows in the order of the references." in capsys.readouterr().out
    assert main(["score", path, "--by-order", "--quiet", "--references", references]) == 0
    assert capsys.readouterr().out == "100.0000\n"
    fixed = str(tmp_path / "fixed.csv")
    main(["verify", path, "--fix", fixed, "--accept", "row-order", "--references", references])
    assert score_files([fixed], [references]).tasks["qasper"].score == 100.0
    other = str(write(tmp_path / "refs" / "qasper.jsonl", [*REFERENCES, {"id": "9", "output": "no"}]))
    assert main(["score", path, "--by-order", "--references", other]) == 1
    assert "the row has no 'id' (2 rows for 3 known IDs)" in capsys.readouterr().out


def test_reports_beside_the_answers_are_no_answers(tmp_path: Path) -> None:
    references, run = write(tmp_path / "refs_qasper.jsonl", REFERENCES), tmp_path / "run"
    write(run / "qasper.jsonl", [ROWS[0], {**ROWS[1], "prediction": "a dog"}])
    scored = score_files([run], [references])
    write(run / "report.json", report.as_json(scored))
    write(run / "report.csv", report.as_csv(scored))
    write(run / "report.html", "<!doctype html>")
    again = score_files([run], [references])
    assert again.tasks["qasper"].score == scored.tasks["qasper"].score == 50.0
    assert [(str(problem.place), problem.is_error) for problem in again.problems] == [
        ("run/report.csv", False),
        ("run/report.json", False),
    ]


def test_a_file_of_the_other_benchmark_names_the_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(write(tmp_path / "contract_nli.json", {"7": "Entailment"}))
    main(["score", path, "--references", path])
    assert capsys.readouterr().out.splitlines()[-1] == "--benchmark scrolls scores the file as SCROLLS."


def test_columns_and_fields_are_those_that_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    references = write(tmp_path / "known.json", {"qasper": {"7": "yes"}})
    for name, content in {"a.csv": "nr,says,n\n7,yes,1\n", "b.jsonl": [{"nr": "7", "says": "yes"}]}.items():
        command = ["score", str(write(tmp_path / name, content)), "--references", str(references)]
        assert main(command) == 1
        option = "--columns id=nr,prediction=says says it, where 'nr' holds the IDs and 'says' holds the answers."
        assert capsys.readouterr().out.count(option) == 1
        assert main([*command, "--columns", "id=nr,prediction=says"]) == 0


def test_a_source_has_the_references_of_a_task_in_other_spelling_or_by_ids_alone(tmp_path: Path) -> None:
    (example, *_) = load_examples("embedded", "narrative_qa").examples
    for name in ("narrativeqa.json", "answers.json"):
        path = write(tmp_path / name, {example.id: example.references[0]})
        scored = score_files([path], source="embedded", partial=True)
        assert scored.tasks["narrative_qa"].score == 100, name
        assert "no-references" not in {problem.kind for problem in scored.problems}


def test_the_ids_of_the_answers_tell_the_task_of_references_whose_name_does_not(tmp_path):
    ids = {"qasper": ["a", "b", "1"], "musique": ["c", "d", "1"]}
    answers = write(tmp_path / "all.json", {task: dict.fromkeys(of_task, "yes") for task, of_task in ids.items()})
    texts = [dict.fromkeys([*of_task, "z"], "yes") for of_task in ids.values()]
    gold = [write(tmp_path / f"gold{number}.json", content) for number, content in enumerate(texts)]
    scored = score_files([answers], gold, partial=True)
    assert {name: task.score for name, task in scored.tasks.items()} == {"qasper": 100.0, "musique": 100.0}
    assert {problem.task for problem in scored.problems if problem.kind == "task-by-ids"} == {"qasper", "musique"}
    assert {problem.id for problem in verify(answers, gold).problems if problem.kind == "missing"} == {"z"}
    untold = score_files([answers], [write(tmp_path / "gold.json", {"1": "yes"})], partial=True)
    assert not untold.scored
