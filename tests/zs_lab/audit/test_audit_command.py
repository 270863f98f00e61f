"""`zero-scrolls audit`: from scored files to the sentence."""

import json
import re
from dataclasses import asdict

import pytest
from made_up_answers import made_up

from zs_bench.cli import main
from zs_lab.audit.check import read_check
from zs_lab.audit.labels import Label, as_lines, label_file, read_labels


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

    def draw(*more, out="check"):
        options = ("--source", answers.data, "--size", 60, "--out", tmp_path / out)
        return run("draw", answers.files["wordy"], *options, *more)

    run.folder, run.draw = tmp_path / "check", draw
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
    write(folder, labels, annotator)
    return labels


def write(folder, labels, annotator="Ann"):
    label_file(folder, annotator).write_text(as_lines(labels), encoding="utf-8")


def test_a_sample_is_drawn_labelled_and_reported_in_one_sentence(audit, answers):
    status, shown, _ = audit.draw()
    assert (status, "60 answers to label, to 60 of 200 examples of qasper" in shown) == (0, True)
    label_all(audit.folder, answers)
    _, shown, _ = audit("report", audit.folder, "--json", audit.folder / "report.json")
    report = json.loads((audit.folder / "report.json").read_text(encoding="utf-8"))
    sentence = re.fullmatch(
        r"Of 75 lost points, (\d+) \[(\d+), (\d+)\] belong to right answers\.", shown.splitlines()[0]
    )
    assert report["sentences"] == [sentence[0]]
    lost, right = report["estimates"]["P"][0], report["estimates"]["A"][0]
    assert tuple(map(int, sentence.groups())) == tuple(round(lost[name]) for name in ("least", "low", "high"))
    assert right["low"] <= 100 * sum(answers.right["wordy"].values()) / 200 <= right["high"]
    assert (report["labelled"], report["median_seconds"], report["agreement"]) == (60, 2.5, None)


def test_of_two_systems_people_find_the_one_with_the_lower_score_better_as_in_figure_4(audit, answers, tmp_path):
    assert audit.draw("--second", answers.files["terse"], "--size", 120)[0] == 0
    label_all(audit.folder, answers)
    shown = audit("report", audit.folder)[1]
    assert "By score terse is ahead by 28.0 points; by people wordy is, against that: +" in shown
    label_all(audit.folder, answers, first=-1)
    assert "119 of 200 examples labelled" in audit("report", audit.folder)[1]  # of one, a system's answer is left
    same = tmp_path / "same.json"
    same.write_bytes(answers.files["wordy"].read_bytes())
    assert audit.draw("--second", same, out="level")[0] == 0
    label_all(tmp_path / "level", answers)
    shown = audit("report", tmp_path / "level")[1]
    assert "By score neither is ahead; by people neither is shown to be ahead (right answers: +0.0" in shown


def test_the_same_seed_draws_the_same_sample_and_another_one_another(audit, tmp_path):
    for name, seed in (("check", 0), ("again", 0), ("other", 1)):
        audit.draw("--seed", seed, out=name)
    first, again, other = (read_check(tmp_path / name) for name in ("check", "again", "other"))
    assert first.cards == again.cards
    assert first.drawn != other.drawn


def test_the_page_to_label_with_has_every_text_and_neither_scores_nor_the_name_of_the_system(audit, answers):
    audit.draw("--second", answers.files["terse"])
    page = (audit.folder / "label.html").read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])
    card = data["cards"][0]
    assert card.keys() == {"id", "answer", "question", "references", "prediction", "passages"}
    assert card["question"].startswith("What is result")
    assert card["references"][0] in " ".join(card["passages"])
    assert data.keys() == {"sample", "task", "seed", "version", "widths", "second", "cards"}
    assert data["second"] == 30
    assert not re.search("wordy|terse", page)


def test_two_annotators_are_compared_and_the_one_with_more_labels_counts(audit, answers):
    audit.draw()
    label_all(audit.folder, answers)
    label_all(audit.folder, answers, "Bob", wrongly=3, first=30)
    report = audit("report", audit.folder)[1]
    assert "labelled by Ann" in report
    assert "On 30 answers with several labels, 90% of the pairs agree; Krippendorff's alpha 0.80" in report


def test_labels_of_answers_outside_the_sample_are_left_out_and_counted(audit, answers, tmp_path):
    audit.draw()
    audit.draw("--size", 200, out="larger")
    write(audit.folder, label_all(tmp_path / "larger", answers))
    shown = audit("report", audit.folder)[1]
    assert "60 of 200 examples labelled by Ann" in shown
    assert "140 labels of answers outside this sample left out" in shown
    write(audit.folder, [Label("elsewhere", "qasper", "0" * 16, "right", "Ann", 1.0, 0)])
    assert "none of the 1 label is of an answer in this sample of qasper" in audit("report", audit.folder)[2]


def test_a_later_label_replaces_an_earlier_one_and_an_id_may_hold_a_line_separator(tmp_path):
    labels = [Label("a\u2028b\x85", "qasper", "0", verdict, "Ann", 1.0, 0) for verdict in ("right", "wrong")]
    write(tmp_path, labels)
    assert read_labels(tmp_path.iterdir()) == labels[1:]


def test_verdicts_of_a_model_are_used_when_they_go_with_those_of_people(audit, answers, tmp_path):
    audit.draw()
    label_all(audit.folder, answers)
    judge, right = tmp_path / "judge.jsonl", answers.right["wordy"]
    verdicts = ({id_: "right" if one else "wrong" for id_, one in right.items()}, dict.fromkeys(right, 0.5))
    for by_id, effect in zip(verdicts, ("are used (PPI++). They helped", "they are not used"), strict=True):
        rows = (json.dumps({"id": id_, "verdict": verdict}) + "\n" for id_, verdict in by_id.items())
        judge.write_text("".join(rows), encoding="utf-8")
        assert effect in audit("report", audit.folder, "--judge", judge)[1]


def test_a_row_that_is_no_label_is_named(audit, answers):
    audit.draw()
    path, label = audit.folder / "labels-Ann.jsonl", asdict(label_all(audit.folder, answers)[0])
    for row, message in (
        ("{", "labels-Ann.jsonl, line 2: this is not a JSON object"),
        ("[]", "line 2: this is not a JSON object"),
        ('{"id": "example-000"}', "line 2: task, answer, verdict, annotator, seconds, seed, version cannot be read"),
        (json.dumps({**label, "verdict": "maybe"}), "the verdict is 'maybe'; write 'right', 'wrong', 'cannot tell'"),
        (json.dumps({**label, "answer": ["a"]}), "line 2: answer cannot be read"),
        (json.dumps({**label, "seed": -1}), "line 2: seed cannot be read"),
    ):
        path.write_text(json.dumps(label) + "\n" + row + "\n", encoding="utf-8")
        status, _, message_shown = audit("report", audit.folder)
        assert (status, message in message_shown) == (2, True)


def test_what_cannot_be_checked_is_refused_with_the_next_step(audit, answers, tmp_path):
    def refuses(expected, *arguments):
        status, _, message = audit(*arguments)
        assert (status, expected in message) == (2, True), message

    report = ("report", audit.folder)
    draw = ("draw", answers.files["wordy"], "--source", answers.data, "--out", tmp_path / "new")
    refuses("make one with: zero-scrolls audit draw", "report", tmp_path)
    refuses(
        "answers to musique that are right or wrong; choose one of these with --task: qasper",
        *draw,
        "--task",
        "musique",
    )
    refuses("too small for 3 strata; draw at least 15", *draw, "--size", 10)
    audit.draw()
    refuses("label some of the sample first", *report)
    refuses("there is no port 99999", "label", audit.folder, "--port", 99999)
    label_all(audit.folder, answers, first=1)
    refuses("label the rest of the sample", *report)
    assert "draw into a new folder" in audit.draw()[2]
    label_all(audit.folder, answers)
    judge = tmp_path / "judge.jsonl"
    for verdict, expected in (('"right"', "judge.jsonl has no verdict on 199 of 200 answers"), (2, "the verdict is 2")):
        judge.write_text(f'{{"id": "example-000", "verdict": {verdict}}}\n', encoding="utf-8")
        refuses(expected, *report, "--judge", judge)
    (audit.folder / "sample.json").write_text("{}", encoding="utf-8")
    refuses("draw the sample again", *report)
