"""`zero-scrolls audit`: from scored files to the sentence."""

import json
import math
import re
from dataclasses import asdict
from pathlib import Path

import pytest
from made_up_answers import made_up
from written_files import score

from zs_bench.errors import UnusableInput
from zs_lab.audit.cards import find_passages
from zs_lab.audit.check import Label, as_lines, label_file, read_check, read_labels, scored_tasks
from zs_metric.version import VERSION
from zs_start.cli import main


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
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
        own = [system for system, hashed in zip(check.systems, check.answers[place], strict=True) if hashed == answer]
        system = own[0] if own[0] in answers.right else "wordy"
        truth = answers.right[system][check.ids[place]] != (number < wrongly)
        verdict = "right" if truth else "wrong"
        labels.append(Label(check.ids[place], "qasper", answer, verdict, annotator, 2.5, 0))
    write(folder, labels, annotator)
    return labels


def write(folder, labels, annotator="Ann"):
    label_file(folder, annotator).write_text(as_lines(labels), encoding="utf-8")


def test_a_sample_is_drawn_labelled_and_reported_in_one_sentence(audit, answers, tmp_path):
    status, shown, _ = audit.draw()
    for name, seed in (("again", 0), ("other", 1)):
        audit.draw("--seed", seed, out=name)
    first, again, other = (read_check(tmp_path / name).cards for name in ("check", "again", "other"))
    assert first == again != other
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
    assert sum(row["answers"] for row in report["strata"].values()) == report["answers"] == 200
    verdicts = (row[verdict] for row in report["strata"].values() for verdict in ("right", "wrong", "cannot tell"))
    assert sum(verdicts) == report["labelled"] == 60
    facts = {"schema": "zero_scrolls_audit_report/1", "version": VERSION, "benchmark": "zero_scrolls", "task": "qasper"}
    facts |= {"systems": ["preds_qasper"], "seed": 0, "cannot_tell": 0, "annotator": "Ann", "median_seconds": 2.5}
    facts |= {"agreement": None, "judge": None, "without_judge": None}
    assert {name: report[name] for name in facts} == facts


@pytest.mark.slow
def test_of_two_systems_people_prefer_the_one_with_the_lower_score_as_in_figure_4(audit, answers, tmp_path):
    assert audit.draw("--second", answers.files["terse"], "--size", 140)[0] == 0
    labels = label_all(audit.folder, answers)
    audit.draw("--size", 200, out="larger")
    drawn = {label.answer for label in labels}
    unclear = [Label(**{**asdict(label), "verdict": "cannot tell"}) for label in labels[:2]]
    outside = [label for label in label_all(tmp_path / "larger", answers) if label.answer not in drawn]
    write(audit.folder, [*unclear, *labels[2:], *outside])
    label_all(audit.folder, answers, "Bob", wrongly=3, first=30)
    shown, golden = audit("report", audit.folder)[1], Path(__file__).with_name("report.txt")
    assert shown == golden.read_text(encoding="utf-8")
    write(audit.folder, labels[:-1])
    assert "139 of 200 examples labelled" in audit("report", audit.folder)[1]  # of the last, a system's answer is left
    write(audit.folder, [Label("elsewhere", "qasper", "0" * 16, "right", "Ann", 1.0, 0)])
    label_file(audit.folder, "Bob").unlink()
    assert "none of the 1 label is of an answer in this sample of qasper" in audit("report", audit.folder)[2]


def test_of_a_system_and_itself_neither_is_ahead(audit, answers, tmp_path):
    (tmp_path / "same.json").write_bytes(answers.files["wordy"].read_bytes())
    audit.draw("--second", tmp_path / "same.json")
    label_all(audit.folder, answers)
    shown = audit("report", audit.folder)[1]
    assert "By score neither is ahead; by people neither is shown to be ahead (right answers: +0.0" in shown
    assert "Nobody else has labelled any of these answers, so agreement is not known." in shown


def test_the_page_to_label_with_has_every_text_and_neither_scores_nor_the_name_of_the_system(audit, answers):
    audit.draw("--second", answers.files["terse"], "--size", 180)
    page = (audit.folder / "label.html").read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])
    card = data["cards"][0]
    assert card.keys() == {"id", "answer", "question", "references", "prediction", "passages"}
    assert card["question"].startswith("What is result")
    assert card["references"][0] in " ".join(card["passages"])
    assert data.keys() == {"sample", "task", "seed", "version", "widths", "second", "cards"}
    assert (len(data["sample"]), data["task"], data["seed"]) == (16, "qasper", 0)
    count = len(data["cards"])
    assert (len(data["widths"]), data["second"]) == (count, math.ceil(count / 5))
    assert f"You will see {count} answers" in page
    assert "<title>Qasper: right or wrong?</title>" in page
    assert not re.search("wordy|terse", page)


def test_passages_share_the_rarest_words_with_a_text_and_do_not_overlap():
    sea, rare = "the ship of the sea and the wind " * 15, "none knows of it but me " * 20  # 120 words each: a passage
    document = f"{sea * 20}{rare}Argo {rare}{sea * 5}"
    passages = find_passages(document, ["Argo of the sea"])
    assert [("Argo" in passage, len(passage.split())) for passage in passages] == [(False, 120), (True, 120)]
    assert find_passages("Argo sailed.", ["Argo"]) == ["Argo sailed."]
    assert find_passages(sea, ["Argo"]) == find_passages("", ["Argo"]) == []


def test_a_later_label_replaces_an_earlier_one_and_names_of_any_kind_have_a_file(tmp_path):
    labels = [Label("a\u2028b\x85", "qasper", "0", verdict, "Änn/ B!", 1.0, 0) for verdict in ("right", "wrong")]
    write(tmp_path, labels, "Änn/ B!")
    assert [path.name for path in tmp_path.iterdir()] == ["labels-Änn-B.jsonl"]
    assert label_file(tmp_path, "!").name == "labels-annotator.jsonl"
    assert read_labels(tmp_path.iterdir()) == labels[1:]


def test_verdicts_of_a_model_are_used_when_they_go_with_those_of_people(audit, answers, tmp_path):
    audit.draw()
    label_all(audit.folder, answers)
    judge, right = tmp_path / "judge.jsonl", answers.right["wordy"]
    verdicts = {id_: "right" if truth else "wrong" for id_, truth in right.items()}
    for by_id, effect in (
        (
            verdicts,
            r"by \d\.\d\d within the strata \(needed: 0\.13\) and are used \(PPI\+\+\). They helped: the interval",
        ),
        (dict.fromkeys(right, "cannot tell"), r"by 0\.00 within the strata, not above 0\.13: they are not used\."),
        (dict.fromkeys(right, 0.5), "they are not used"),
    ):
        rows = (json.dumps({"id": id_, "verdict": verdict}) + "\n" for id_, verdict in by_id.items())
        judge.write_text("\ufeff" + "".join(rows), encoding="utf-8")
        assert re.search(effect, audit("report", audit.folder, "--judge", judge)[1])


def test_what_cannot_be_checked_or_read_is_refused_with_the_next_step(audit, answers, tmp_path):
    def refuses(expected, *arguments):
        status, _, message = audit(*arguments)
        assert (status, expected in message) == (2, True), message

    report, labels = ("report", audit.folder), audit.folder / "labels-Ann.jsonl"
    draw = ("draw", answers.files["wordy"], "--source", answers.data, "--out", tmp_path / "new")
    refuses("make one with: zero-scrolls audit draw", "report", tmp_path)
    is_for = "and a check by hand is for answers that are; choose one of these with --task: qasper"
    refuses(f"musique was not scored, {is_for}", *draw, "--task", "musique")
    refuses("too small for 3 strata; draw at least 15", *draw, "--size", 10)
    refuses("; give each once\n", *draw, "--second", answers.files["wordy"])  # there is no --name here
    audit.draw()
    refuses("label some of the sample first", *report)
    refuses("there is no port 99999", "label", audit.folder, "--port", 99999)
    label = asdict(label_all(audit.folder, answers, first=1)[0])
    refuses("no answer with a score of 0 has a label yet; label the rest of the sample", *report)
    for row, message in (
        ("{", "labels-Ann.jsonl, line 2: the JSON ends too early; is the file complete? Else mend it, or leave it out"),
        ('{"id": "example-000"}', "line 2: task, answer, verdict, annotator, seconds, seed, version cannot be read"),
        (json.dumps({**label, "verdict": "maybe"}), "the verdict is 'maybe'; write 'right', 'wrong', 'cannot tell'"),
        (json.dumps({**label, "answer": ["a"]}), "line 2: answer cannot be read"),
        (json.dumps({**label, "seed": -1}), "line 2: seed cannot be read"),
        *((json.dumps({**label, "seconds": n}), "line 2: seconds cannot be read") for n in (math.nan, 1e308, 10**400)),
    ):
        labels.write_text(json.dumps(label) + "\n" + row + "\n", encoding="utf-8")
        refuses(message, *report)
    assert "draw into a new folder" in audit.draw()[2]
    label_all(audit.folder, answers)
    judge = tmp_path / "judge.jsonl"
    for verdict, expected in (('"right"', "judge.jsonl has no verdict on 199 of 200 answers"), (2, "the verdict is 2")):
        judge.write_text(f'{{"id": "example-000", "verdict": {verdict}}}\n', encoding="utf-8")
        refuses(expected, *report, "--judge", judge)
    sample = audit.folder / "sample.json"
    whole = json.loads(sample.read_text(encoding="utf-8"))
    first, *others = whole["examples"]
    wrong = [{}, *({**whole, name: math.nan} for name in whole if name != "version"), {**whole, "seed": True}]
    wrong += [{**whole, "examples": [{**first, name: [math.nan]}, *others]} for name in first]
    wrong += [{**whole, "examples": [{**first, "scores": [1e308]}, *others]}]
    for content in wrong:
        sample.write_text(json.dumps(content), encoding="utf-8")
        refuses("draw the sample again", *report)


def test_a_task_whose_answers_are_not_right_or_wrong_is_refused_with_those_that_are(tmp_path):
    known = {"qmsum": {"1": "They met."}, "qasper": {"7": "no"}}
    both = score(tmp_path, {"a.json": known}, known)
    with pytest.raises(UnusableInput, match=r"answers to qmsum are not right or wrong, and a check .* --task: qasper"):
        scored_tasks([both], "qmsum")
