"""`zero-scrolls compare`: the same comparison as from Python, its names, its gates, and its exit status."""

import json
import shutil

import pytest
from run_folders import run_of
from written_files import write

from zs_bench.commands.options import system_names
from zs_bench.dataset.embedded import SAMPLE_PREDICTIONS
from zs_bench.reports import comparison
from zs_bench.reports.html.standalone import comparison_page
from zs_bench.run_records.settings import Settings
from zs_bench.scoring.score_files import score_files

KNOWN = {"quality": {f"{i}_x": "A" for i in range(10)}}
ONE = dict.fromkeys(KNOWN["quality"], "A")
TWO = {key: "AB"[key < "8"] for key in KNOWN["quality"]}


@pytest.fixture
def compare(tmp_path, zero_scrolls):
    """Compare answers to QuALITY, or files, by the name of the system."""

    def run(*options, known=KNOWN, **systems):
        paths = [
            content if not isinstance(content, dict) else write(tmp_path / f"{name}.json", {"quality": content})
            for name, content in systems.items()
        ]
        return zero_scrolls("compare", *paths, "--references", write(tmp_path / "known" / "all.json", known), *options)

    return run


def test_the_command_says_and_writes_what_python_finds(tmp_path, compare):
    outs = {form: tmp_path / f"out.{form}" for form in ("json", "csv", "markdown", "latex", "html")}
    done = compare(*(part for form, out in outs.items() for part in (f"--{form}", out)), one=ONE, two=TWO)
    scored = {name: score_files([tmp_path / f"{name}.json"], [tmp_path / "known"]) for name in ("one", "two")}
    result = comparison.compare(scored)
    assert {form: out.read_bytes().decode() for form, out in outs.items() if form != "json"} == {
        "csv": comparison.as_csv(result),
        "latex": comparison.as_latex(result),
        "html": comparison_page(result),
        "markdown": comparison.as_markdown(result),
    }
    assert json.loads(outs["json"].read_text(encoding="utf-8")) == comparison.as_json(result, with_questions=True)
    assert done.out.startswith(comparison.as_text(result) + "\n")
    assert done.out.startswith("QuALITY: one is better by 80.0 points [")
    assert (done.status, done.err) == (0, "")


@pytest.fixture
def runs(tmp_path):
    """A run, and one with these settings that answers eight of ten questions less."""

    def make(**settings):
        read = run_of(tmp_path / "read", Settings("a-model"), {"quality": ONE})
        other = Settings(**{"model": "a-model", **settings})
        return {"read": read, "other": run_of(tmp_path / "other", other, {"quality": TWO})}

    return make


POINTS = "Points that need the document: quality +80.0"


def test_a_run_without_the_document_shows_the_points_that_need_it(tmp_path, runs, compare):
    systems = runs(variant="closed-book")
    points = f"{POINTS} [37.2, 95.0] (other is the same model, asked without the document)."
    outs = {form: tmp_path / f"out.{form}" for form in ("json", "html", "markdown")}
    done = compare(*(part for form, out in outs.items() for part in (f"--{form}", out)), **systems)
    for text in (done.out, outs["html"].read_text(encoding="utf-8")):
        assert points in text
    assert POINTS in outs["markdown"].read_text(encoding="utf-8")
    (match,) = json.loads(outs["json"].read_text(encoding="utf-8"))["matches"]
    facts = match["without_document"], match["settings_differ"], match["signatures_differ"]
    assert facts == ("other", ["variant canonical against closed-book"], [])
    assert points in compare(first=systems["other"], second=systems["read"]).out
    zipped = shutil.make_archive(str(tmp_path / "zipped"), "zip", systems["other"])
    assert POINTS in compare(read=systems["read"], zipped=zipped).out
    with_a_file = compare(read=systems["read"], file=TWO).out
    assert "quality: read is better by 80.0 points" in with_a_file
    assert "The runs differ" not in with_a_file


def test_runs_of_two_models_do_not_show_the_points_that_need_the_document(runs, compare):
    out = compare(**runs(model="another", variant="closed-book")).out
    assert "Points that need the document" not in out
    assert "The runs differ in: model a-model against another, variant canonical against closed-book." in out
    assert "prompts: whole against closed-book" in out


@pytest.mark.parametrize(("points", "word"), [(0, "PASS"), (1, "PASS"), (3, "FAIL")])
def test_a_gate_passes_only_where_a_model_is_shown_to_lose_less_than_the_margin(points, word, tmp_path, zero_scrolls):
    texts = {"quality": "A", "qasper": "a short answer", "qmsum": "the meeting agreed to meet again on monday"}
    known = {task: {f"{i}_x": text for i in range(400)} for task, text in texts.items()}
    less = {task: {f"{i}_x": "" if i % 100 < points else text for i in range(400)} for task, text in texts.items()}
    base, new = write(tmp_path / "base.json", known), write(tmp_path / "new.json", less)
    gates = [part for task in texts for part in ("--margin", f"{task}=3")]
    done = zero_scrolls("compare", base, new, "--references", base, *gates)
    verdicts = [line.split(": ")[:2] for line in done.err.splitlines() if line.startswith(("PASS", "FAIL"))]
    assert (done.status, verdicts) == (word == "FAIL", [[word, task] for task in texts])
    assert done.out.startswith("Mean of 3 tasks: ")
    changed = "- quality: 12 right to wrong (0_x, 1_x, 2_x, …), 0 wrong to right; 388 of 400 texts are identical"
    assert (changed in done.out) == (points == 3)


@pytest.mark.parametrize(
    ("margin", "status", "line"),
    [
        ("quality=3", 1, "FAIL: quality: undecided whether two is as good as one within 3 points: equal scores ["),
        ("quality=90", 0, "PASS: quality: "),
        ("qasper=90", 1, "FAIL: qasper: no answers of either\n"),
        ("90", 1, "FAIL: average: 1 of 10 tasks were compared; give --margin TASK=POINTS\n"),
    ],
)
def test_a_gate_fails_where_nothing_is_shown(margin, status, line, compare):
    done = compare("--margin", margin, one=ONE, two=ONE)
    assert (done.status, line in done.err) == (status, True)
    less = {key: text for key, text in ONE.items() if key != "0_x"}
    assert compare("--partial", "--margin", margin, one=ONE, two=less).status == 1


def test_systems_have_the_names_that_are_given(compare):
    done = compare("--name", "the old one", "--name", "ours", "--format", "md", one=ONE, two=TWO)
    assert done.out.startswith("| task | the old one | ours |")


def test_what_is_refused_is_reported_with_the_name_of_the_system_and_exits_with_1(compare):
    done = compare(one=ONE, two={"0_x": "A"})
    assert done.status == 1
    assert done.err.startswith("two: quality: 9 of 10 answers are missing")
    assert "not compared, refused for two: quality" in done.out


def test_partial_compares_what_both_have_and_warns(compare):
    done = compare("--partial", one=ONE, two={key: text for key, text in TWO.items() if key != "0_x"})
    warning = "Warnings:\n- quality: 9 of 10 examples were answered by both; 1 only by one (0_x)"
    assert (done.status, warning in done.out) == (0, True)


def test_the_references_may_come_from_a_source(tmp_path, zero_scrolls):
    worse = write(tmp_path / "worse.csv", SAMPLE_PREDICTIONS.read_bytes().replace(b"%", b" percent"))
    done = zero_scrolls("compare", SAMPLE_PREDICTIONS, worse, "--source", "embedded")
    assert done.status == 0
    assert "zero_scrolls_predictions and worse: 20 examples answered by both, in 10 tasks." in done.out


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        ("a/x.csv b/y.zip c", "x y c"),
        ("run/a/preds.csv run/b/preds.csv", "a b"),
        ("gpt-4_zero_scrolls_predictions.csv t5_zero_scrolls_predictions.csv", "gpt-4 t5"),
        ("preds.csv a_preds.csv", "preds a_preds"),
        ("a_preds.csv", "a_preds"),
        ("_preds.csv a_preds.csv", "_preds a_preds"),
        ("a/preds.csv a/preds.json", "preds.csv preds.json"),
    ],
)
def test_systems_are_named_after_the_shortest_part_of_their_path_that_tells_them_apart(paths, names):
    assert system_names(paths.split()) == names.split()
