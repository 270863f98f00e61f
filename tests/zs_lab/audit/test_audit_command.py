"""`zero-scrolls audit`: from scored files to the sentence."""

import json
import re
from dataclasses import asdict

import pytest
from made_up_answers import made_up

from zs_bench.cli import main
from zs_lab.audit.check import read_check
from zs_lab.audit.labels import Label, label_file, read_labels, write_labels


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Made-up answers of two systems."""
    return made_up(tmp_path_factory.mktemp("answers"))


@pytest.fixture
def audit(answers, tmp_path, capsys):
    """Run `zero-scrolls audit`; a call returns the exit status, standard output and standard error."""

    def run(*arguments):
        status = main(["audit", *map(str, arguments)])
        return status, *capsys.readouterr()

    run.folder = tmp_path / "check"
    run.draw = lambda *more: run(
        "draw", answers.files["wordy"], "--source", answers.data, "--size", 60, "--out", run.folder, *more
    )
    return run


def label_all(folder, answers, annotator="Ann", *, wrongly=0, first=None):
    """Label the cards of a sample by the truth, some of them otherwise; return the labels."""
    check, labels = read_check(folder), []
    for number, (place, answer) in enumerate(check.cards[:first]):
        own = [system for system, one in zip(check.systems, check.answers[place], strict=True) if one == answer]
        system = own[0] if own[0] in answers.right else "wordy"
        truth = answers.right[system][check.ids[place]] != (number < wrongly)
        verdict = "right" if truth else "wrong"
        labels.append(Label(check.ids[place], "qasper", answer, verdict, annotator, 2.5, 0))
    write_labels(label_file(folder, annotator), labels)
    return labels


def test_a_sample_is_drawn_labelled_and_reported_in_one_sentence(audit, answers):
    status, said, _ = audit.draw()
    assert status == 0
    assert "60 answers to label, to 60 of 200 examples of qasper" in said
    label_all(audit.folder, answers)
    _, said, _ = audit("report", audit.folder, "--json", audit.folder / "report.json")
    report = json.loads((audit.folder / "report.json").read_text(encoding="utf-8"))
    sentence = re.fullmatch(
        r"Of 75 lost points, (\d+) \[(\d+), (\d+)\] belong to right answers\.", said.splitlines()[0]
    )
    assert sentence
    assert report["sentences"] == [sentence[0]]
    by_right, low, high = map(int, sentence.groups())
    lost = report["estimates"]["P"][0]
    assert (by_right, low, high) == tuple(round(lost[name]) for name in ("least", "low", "high"))
    right = report["estimates"]["A"][0]
    assert right["low"] <= 100 * sum(answers.right["wordy"].values()) / 200 <= right["high"]
    assert report["labelled"] == 60
    assert report["median_seconds"] == 2.5
    assert report["agreement"] is None


def test_of_two_systems_people_find_the_one_with_the_lower_score_better_as_in_figure_4(audit, answers):
    assert audit.draw("--second", answers.files["terse"], "--size", 120)[0] == 0
    label_all(audit.folder, answers)
    said = audit("report", audit.folder)[1]
    assert "By score terse is ahead by 28.0 points; by people wordy is, against that: +" in said


def test_the_same_seed_draws_the_same_sample_and_another_one_another(audit, answers, tmp_path):
    audit.draw()
    for name, seed in (("again", 0), ("other", 1)):
        audit(
            "draw",
            answers.files["wordy"],
            "--source",
            answers.data,
            "--size",
            60,
            "--out",
            tmp_path / name,
            "--seed",
            seed,
        )
    first, again, other = (read_check(tmp_path / name) for name in ("check", "again", "other"))
    assert first.cards == again.cards
    assert first.name == again.name
    assert first.drawn != other.drawn


def test_the_page_to_label_with_has_every_text_and_neither_scores_nor_the_name_of_the_system(audit, answers):
    audit.draw("--second", answers.files["terse"], "--size", 60)
    page = (audit.folder / "label.html").read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])
    card = data["cards"][0]
    assert card.keys() == {"id", "answer", "question", "references", "prediction", "passages"}
    assert card["question"].startswith("What is result")
    assert card["references"][0] in " ".join(card["passages"])
    assert data.keys() == {"sample", "task", "seed", "version", "widths", "second", "cards"}
    assert data["second"] == 30
    assert "wordy" not in page
    assert "terse" not in page


def test_two_annotators_are_compared_and_the_one_with_more_labels_counts(audit, answers):
    audit.draw()
    label_all(audit.folder, answers)
    label_all(audit.folder, answers, "Bob", wrongly=3, first=30)
    report = audit("report", audit.folder)[1]
    assert "labelled by Ann" in report
    assert "On 30 answers with several labels, 90% of the pairs agree; Krippendorff's alpha 0.80" in report


def test_labels_of_other_answers_are_left_out_and_counted(audit, answers):
    audit.draw()
    labels = label_all(audit.folder, answers)
    other = Label("elsewhere", "qasper", "0" * 16, "right", "Ann", 1.0, 0)
    write_labels(audit.folder / "labels-Ann.jsonl", [*labels, other])
    assert "1 label of answers outside this sample left out" in audit("report", audit.folder)[1]
    write_labels(audit.folder / "labels-Ann.jsonl", [other])
    assert "none of the 1 label is of an answer in this sample of qasper" in audit("report", audit.folder)[2]


def test_an_answer_that_was_not_drawn_does_not_count_though_it_is_of_the_same_file(audit, answers, tmp_path):
    audit.draw()
    folder, audit.folder = audit.folder, tmp_path / "larger"
    audit("draw", answers.files["wordy"], "--source", answers.data, "--size", 200, "--out", audit.folder)
    write_labels(folder / "labels-Ann.jsonl", label_all(audit.folder, answers))
    said = audit("report", folder)[1]
    assert "60 of 200 examples labelled by Ann" in said
    assert "140 labels of answers outside this sample left out" in said


def test_an_id_with_a_line_separator_is_read(tmp_path):
    label = Label("a\u2028b\x85", "qasper", "0", "right", "Ann", 1.0, 0)
    write_labels(tmp_path / "labels.jsonl", [label])
    assert read_labels([tmp_path / "labels.jsonl"]) == [label]


def test_verdicts_of_a_model_are_used_when_they_go_with_those_of_people(audit, answers, tmp_path):
    audit.draw()
    label_all(audit.folder, answers)
    judge = tmp_path / "judge.jsonl"
    rows = [{"id": id_, "verdict": "right" if right else "wrong"} for id_, right in answers.right["wordy"].items()]
    judge.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert "are used (PPI++). They helped" in audit("report", audit.folder, "--judge", judge)[1]
    judge.write_text("".join(json.dumps({**row, "verdict": 0.5}) + "\n" for row in rows), encoding="utf-8")
    assert "they are not used" in audit("report", audit.folder, "--judge", judge)[1]


def test_a_row_that_is_no_label_is_named(audit, answers):
    audit.draw()
    path, label = audit.folder / "labels-Ann.jsonl", asdict(label_all(audit.folder, answers)[0])
    for row, message in (
        ("{", "labels-Ann.jsonl, line 2: this is not JSON"),
        ("[]", "line 2: this is not a JSON object"),
        ('{"id": "example-000"}', "line 2: the row has no 'task'"),
        (json.dumps({**label, "verdict": "maybe"}), "the verdict is 'maybe'; write 'right', 'wrong', 'cannot tell'"),
        (json.dumps({**label, "answer": ["a"]}), "line 2: id, task, answer, verdict and annotator must be texts"),
        (json.dumps({**label, "seed": -1}), "seconds and seed numbers"),
    ):
        path.write_text(json.dumps(label) + "\n" + row + "\n", encoding="utf-8")
        status, _, said = audit("report", audit.folder)
        assert status == 2
        assert message in said


def test_what_cannot_be_checked_is_refused_with_the_next_step(audit, answers, tmp_path):
    def refused(*arguments):
        status, _, said = audit(*arguments)
        assert status == 2
        return said

    draw = ("draw", answers.files["wordy"], "--source", answers.data, "--out", tmp_path / "new")
    assert "make one with: zero-scrolls audit draw" in refused("report", tmp_path)
    assert "no scored answers to musique; choose one of these with --task: qasper" in refused(
        *draw, "--task", "musique"
    )
    assert "too small for 3 strata; draw at least 15" in refused(*draw, "--size", 10)
    audit.draw()
    assert "label some of the sample first" in refused("report", audit.folder)
    assert "there is no port 99999" in refused("label", audit.folder, "--port", 99999)
    label_all(audit.folder, answers, first=1)
    assert "label the rest of the sample" in refused("report", audit.folder)
    assert "draw into a new folder" in audit.draw()[2]
    label_all(audit.folder, answers)
    judge = tmp_path / "judge.jsonl"
    judge.write_text('{"id": "example-000", "verdict": "right"}\n', encoding="utf-8")
    assert "judge.jsonl has no verdict on 199 of 200 answers" in refused("report", audit.folder, "--judge", judge)
    judge.write_text('{"id": "example-000", "verdict": 2}\n', encoding="utf-8")
    assert "judge.jsonl, line 1: the verdict is 2" in refused("report", audit.folder, "--judge", judge)
    (audit.folder / "sample.json").write_text("{}", encoding="utf-8")
    assert "draw the sample again" in refused("report", audit.folder)


def test_a_later_label_replaces_an_earlier_one(tmp_path):
    labels = [Label("a", "qasper", "0", verdict, "Ann", 1.0, 0) for verdict in ("right", "wrong")]
    write_labels(tmp_path / "labels.jsonl", labels)
    assert [label.verdict for label in read_labels([tmp_path / "labels.jsonl"])] == ["wrong"]
