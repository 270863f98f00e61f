"""The HTML report: one file that loads nothing, and reveals nothing of the references unless asked to."""

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from markup_check import read_html
from report_schema import validated
from written_files import write

from zs_bench.cli import main
from zs_bench.reports.file_view import explain_file
from zs_bench.reports.html.standalone import LONGEST_EXPLAINED, html_report
from zs_bench.reports.report import as_json
from zs_bench.reports.report_text import largest_patterns
from zs_bench.scoring.score_files import score_files
from zs_bench.scoring.scored import ScoredFile
from zs_metric.explain.loss_breakdown import LEDGER

SECRET = "quokka zyzzyva crwth"
ANSWERS: dict[str, dict[str, Any]] = {
    "gov_report": {"g1": "the dam broke in the night and the town was lost", "g2": ""},
    "qasper": {"q1": "yes, “indeed”", "q2": "no it is not"},
    "quality": {"y1": "A good answer is B", "y2": "C"},
    "space_digest": {"s1": "55%", "s2": "none"},
    "book_sum_sort": {"b1": "4, 3, 2, 1", "b2": "2-1-3-4"},
}
REFERENCES: dict[str, dict[str, Any]] = {
    "gov_report": {"g1": f"the dam broke {SECRET}", "g2": SECRET},
    "qasper": {"q1": [f"yes indeed {SECRET}", SECRET], "q2": SECRET},
    "quality": {"y1": f"(B) {SECRET}", "y2": f"(D) {SECRET}"},
    "space_digest": {"s1": "61.375%", "s2": "61.375%"},
    "book_sum_sort": {"b1": "3, 1, 4, 2", "b2": "3, 1, 4, 2"},
}
HOSTILE = "</style></title><script>alert(1)</script><img src=//x onerror=alert(1)>\"'&amp;{0}{name}\u202e\ud800"


def scored(folder: Path, answers: Any = ANSWERS, references: Any = REFERENCES) -> ScoredFile:
    paths = (
        write(folder / "answers.json", json.dumps(answers)),
        write(folder / "references.json", json.dumps(references)),
    )
    return score_files([paths[0]], [paths[1]])


def test_it_has_the_summary_the_losses_and_the_answers_with_their_explanations(tmp_path: Path) -> None:
    found = read_html(html_report(scored(tmp_path)))
    score = re.search(
        r"scores answers : ZeroSCROLLS scores .*? ([\d.]+) mean of these tasks 5 of 10 tasks; ", found.text
    )
    assert score, "the report begins with the score"
    assert len(score[1].partition(".")[2]) == 1
    assert "Signature: ZS|tasks:" in found.text
    assert "Where the points went" in found.text
    assert found.tags["details"] == 10 + 5 + 2
    assert "b2 not a permutation" in found.text
    assert "50.00 points lost 50.00 wrong order" in found.text
    assert found.classes["hit"] > 0


def test_it_is_the_same_from_a_scored_file_and_from_its_view(tmp_path: Path) -> None:
    one = scored(tmp_path)
    assert html_report(one) == html_report(explain_file(one))


def test_it_asks_for_nothing(tmp_path: Path) -> None:
    page = html_report(scored(tmp_path), references=True)
    found = read_html(page)
    assert not {"script", "img", "iframe", "object", "embed"} & set(found.tags)
    assert [value for name, value in found.attributes if name == "href" and value[:1] != "#"] == ["data:,"]
    assert not [word for word in ("http:", "https:", "url(", "@import", "javascript:") if word in page]
    assert "default-src 'none'" in page


@pytest.mark.parametrize("secret", [*SECRET.split(), "61.375", "3, 1, 4, 2"])
def test_it_reveals_nothing_of_the_references_unless_asked(tmp_path: Path, secret: str) -> None:
    one = scored(tmp_path)
    assert secret not in html_report(one)
    assert secret in html_report(one, references=True)


def test_a_reference_that_cannot_be_read_is_not_quoted(tmp_path: Path) -> None:
    one = scored(
        tmp_path, {"quality": {"1": "A"}, "qasper": {"2": "no"}}, {"quality": {"1": SECRET}, "qasper": {"2": "x"}}
    )
    page = html_report(one)
    assert "A reference cannot be read" in page
    assert "quokka" not in page
    assert "quokka" in html_report(one, references=True)


def test_hostile_ids_answers_and_references_stay_text(tmp_path: Path) -> None:
    answers = {task: {HOSTILE: next(iter(by_id.values()))} for task, by_id in ANSWERS.items()} | {
        "qasper": {HOSTILE: HOSTILE}
    }
    references = {task: {HOSTILE: next(iter(by_id.values()))} for task, by_id in REFERENCES.items()}
    references["qasper"] = {HOSTILE: [HOSTILE + " x", "end"]}
    page = html_report(scored(tmp_path, answers, references), references=True)
    found = read_html(page)
    assert not {"script", "img"} & set(found.tags)
    assert "<script>alert(1)</script>" in found.text
    page.encode("utf-8")


def test_it_stays_small_whatever_the_answers(tmp_path: Path) -> None:
    long, longer = "word and ” " * 2_000, "w" * (LONGEST_EXPLAINED + 1)
    answers = {"gov_report": {"1": long, "2": longer}, "qasper": {"1": long, "2": longer}}
    references = {task: {"1": [long + "end"] * 4, "2": ["word"]} for task in answers}
    page = html_report(scored(tmp_path, answers, references), references=True)
    assert len(page) < 200_000
    assert "An answer of more than 50,000 characters is scored, not explained." in page


def test_a_file_of_which_nothing_was_scored_has_a_report_too(tmp_path: Path) -> None:
    found = read_html(html_report(scored(tmp_path, {"quality": {"1": None}}, {"quality": {"1": "A"}})))
    assert "Nothing was scored. 0 of 10 tasks" in found.text
    assert "Not scored quality:" in found.text
    assert found.tags["details"] == 0


def test_perfect_answers_have_a_report_without_examples(tmp_path: Path) -> None:
    found = read_html(html_report(scored(tmp_path, {"quality": {"1": "A"}}, {"quality": {"1": "A"}})))
    assert "nothing lost; 100% are a bare letter" in found.text
    assert "zs-example" not in found.classes


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    answers, references = write(tmp_path / "a.json", ANSWERS), write(tmp_path / "r.json", REFERENCES)
    return ["score", str(answers), "--references", str(references)]


@pytest.mark.parametrize("options", [[], ["--html-references"]])
def test_the_command_writes_it(tmp_path: Path, arguments: list[str], options: list[str]) -> None:
    out = tmp_path / "out.html"
    assert main([*arguments, "--html", str(out), *options]) == 0
    text = out.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert ("quokka" in text) == bool(options)


def test_references_are_not_asked_for_without_a_report(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--html-references"]) == 2
    assert "--html-references goes with --html" in capsys.readouterr().err


def test_the_command_prints_the_ledger_of_each_task(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*arguments, "--losses"]) == 0
    table = capsys.readouterr().out.partition("Where the points went:\n")[2].split("\n")
    assert " ".join(table[0].split()) == "task mean aggregation score in format lost to"
    assert " ".join(table[3].split()) == "quality 0.00 0.00 50% misread 50.00, wrong option 50.00"
    assert table[-2].startswith("mean + what was lost = 100; mean + aggregation = score; in format: ")


def test_the_ledger_is_in_the_json_when_asked_for_and_adds_up(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    main([*arguments, "--json", "-"])
    assert "ledger" not in capsys.readouterr().out
    main([*arguments, "--json", "-", "--losses"])
    for task in validated(json.loads(capsys.readouterr().out))["tasks"].values():
        ledger = task["ledger"]
        assert sum(task["losses"].values()) == pytest.approx(100 - ledger["mean"])
        assert sum(ledger[part] for part in LEDGER) == pytest.approx(100 - ledger["mean"])
        assert ledger["mean"] + ledger["aggregation"] == pytest.approx(task["score"])
        assert ledger["length_by_direction"] == {"too long": ledger["length"], "too short": 0}


def test_it_has_the_name_of_the_system_its_files_and_the_date(tmp_path: Path) -> None:
    found = read_html(html_report(scored(tmp_path), name="<my> run", day=date(2026, 1, 2)))
    assert "<my> run : ZeroSCROLLS scores 2026-01-02. File: answers.json ." in found.text
    assert read_html(html_report(scored(tmp_path))).text.startswith("answers: ZeroSCROLLS scores answers : ")


def test_the_largest_patterns_stand_below_the_score_in_every_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    references = {"qasper": {f"q{i}": "two corpora" for i in range(4)}, "quality": {"y": "B"}}
    answers = {
        "qasper": {"q0": "Yes.", "q1": "Yes", "q2": "Unanswerable", "q3": "two corpora"},
        "quality": {"y": "A or B"},
    }
    one = scored(tmp_path, answers, references)
    sentence = "2 of 4 Qasper predictions begin with yes or no where no reference does: 50.0 points of the task."
    assert [pattern.sentence for pattern in largest_patterns(one)] == [sentence], "single predictions are no pattern"
    assert f"the ZeroSCROLLS score needs all 10 {sentence}" in read_html(html_report(one)).text
    main(["score", str(tmp_path / "answers.json"), "--references", str(tmp_path / "references.json")])
    assert f"{sentence}\nNo interval" in capsys.readouterr().out
    patterns = validated(as_json(one))["patterns"]
    assert [(one["name"], one["task"], one["count"], one["points"], one["ids"]) for one in patterns] == [
        ("unasked_yes_no", "qasper", 2, 50, ["q0", "q1"]),
        ("false_unanswerable", "qasper", 1, 25, ["q2"]),
        ("two_options", "quality", 1, 100, ["y"]),
    ]


def test_the_losses_and_the_patterns_of_a_task_are_computed_once(tmp_path: Path) -> None:
    task = scored(tmp_path).tasks["qasper"]
    assert task.losses is task.losses
    assert task.patterns is task.patterns
    view = explain_file(scored(tmp_path))
    assert [row.result.score for row in view.rows] == sorted(row.result.score for row in view.rows)
