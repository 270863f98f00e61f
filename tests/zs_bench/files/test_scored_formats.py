"""Files that say less than the official one, scored: the task by their ids, ids by their order, columns by name."""

from pathlib import Path
from typing import Any

import pytest
from written_files import score, write

from zs_bench.cli import main
from zs_bench.dataset.sources import load_examples
from zs_bench.scoring.score_files import score_against, score_files


def longbench(answer: str, references: list[str]) -> dict[str, Any]:
    return {"pred": answer, "answers": references, "all_classes": None, "length": 3531}


def test_rows_without_ids_are_scored_by_order_against_the_same_rows_only(tmp_path: Path) -> None:
    texts = [["yes", "no"], ["a cat"], ["yes", "no"]]
    rows = [longbench("a cat", references) for references in texts]
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
    assert score_files([path], [path]).tasks["quality"].score == 50.0


def test_a_table_needs_no_task_where_its_ids_tell_it(tmp_path: Path) -> None:
    ids = [f"{n:03}ab" for n in range(20)]
    references = {"qasper": dict.fromkeys(ids, "yes"), "musique": {"m": "no"}}
    table = "".join(f"{id_},yes\n" for id_ in ids)
    for n, (name, content, scores) in enumerate((
        ("run.csv", f"id,prediction\n{table}", [100]),
        ("run.tsv", f"id,prediction\n{table}m,no\n".replace(",", "\t"), [100, 100]),
    )):  # fmt: skip
        scored = score(tmp_path / str(n), {name: content}, references)
        assert [task.score for task in scored.tasks.values()] == scores
        (note,) = scored.problems
        assert (note.kind, note.detail, note.is_error) == ("task-by-ids", f"'run', {19 + len(scores)} answers", False)


def test_columns_and_fields_are_those_that_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    references = write(tmp_path / "known.json", {"qasper": {"7": "yes"}})
    for name, content in {"a.csv": "qid,response,n\n7,yes,1\n", "b.jsonl": [{"qid": "7", "response": "yes"}]}.items():
        command = ["score", str(write(tmp_path / name, content)), "--references", str(references)]
        assert main(command) == 1
        assert ("id=COLUMN,prediction=COLUMN says which" in capsys.readouterr().out) == (name == "a.csv")
        assert main([*command, "--columns", "id=qid,prediction=response"]) == 0


def test_a_source_has_the_references_of_a_task_in_other_spelling_or_by_ids_alone(tmp_path: Path) -> None:
    (example, *_) = load_examples("embedded", "narrative_qa").examples
    for name in ("narrativeqa.json", "answers.json"):
        path = write(tmp_path / name, {example.id: example.references[0]})
        scored = score_against([path], "embedded", partial=True)
        assert scored.tasks["narrative_qa"].score == 100, name
        assert "no-references" not in {problem.kind for problem in scored.problems}
