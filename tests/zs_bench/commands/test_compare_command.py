"""`zero-scrolls compare`: the same comparison as from Python, its names, its gates, and its exit status."""

import json
import shutil

import pytest
from run_folders import run_of
from written_files import write

from zs_bench.commands.options import system_names
from zs_bench.dataset.rows import SAMPLE_PREDICTIONS
from zs_bench.prompts import Settings
from zs_bench.reports import comparison
from zs_bench.reports.html.standalone import comparison_page
from zs_bench.scoring.score_files import score_files

ALL_RIGHT = {f"{i}_x": "A" for i in range(10)}
ONE_WRONG = {**ALL_RIGHT, "0_x": "B"}
EIGHT_WRONG = {key: "AB"[key < "8"] for key in ALL_RIGHT}
FORMS = ("json", "csv", "markdown", "latex", "html")


@pytest.fixture
def compare(tmp_path, zero_scrolls):
    """Compare answers to QuALITY, or files, by the name of the system."""

    def run(*options, **systems):
        paths = [
            content if not isinstance(content, dict) else write(tmp_path / f"{name}.json", {"quality": content})
            for name, content in systems.items()
        ]
        references = write(tmp_path / "references" / "all.json", {"quality": ALL_RIGHT})
        return zero_scrolls("compare", *paths, "--references", references, *options)

    return run


def test_the_command_prints_and_writes_what_python_computes(tmp_path, compare):
    outs = {form: tmp_path / f"out.{form}" for form in FORMS}
    done = compare(*(part for form, out in outs.items() for part in (f"--{form}", out)), one=ALL_RIGHT, two=EIGHT_WRONG)
    scored = {name: score_files([tmp_path / f"{name}.json"], [tmp_path / "references"]) for name in ("one", "two")}
    result = comparison.compare(scored)
    written = {form: out.read_bytes().decode() for form, out in outs.items()}
    assert json.loads(written.pop("json")) == comparison.as_json(result)
    assert written == {
        "csv": comparison.as_csv(result),
        "latex": comparison.as_latex(result),
        "html": comparison_page(result),
        "markdown": comparison.as_markdown(result),
    }
    assert done.out.startswith(comparison.as_text(result) + "\n")
    assert (done.status, done.err) == (0, "")


def test_the_losses_of_a_comparison_are_those_of_both_and_the_difference(compare):
    done = compare("--losses", base=ONE_WRONG, new={**EIGHT_WRONG, "9_x": "a or b"})
    title, head, *rows = done.out[done.out.index("Points lost in new") :].splitlines()[:4]
    assert title == "Points lost in new, and how many more than in base:"
    assert (head.split(), [row.split() for row in rows]) == (
        ["task", "lost", "to", "base", "new", "difference"],
        [["quality", "wrong", "option", "10.00", "80.00", "+70.00"], ["quality", "misread", "0.00", "10.00", "+10.00"]],
    )
    assert "other lost as many points to each cause as one." in compare("--losses", one=ALL_RIGHT, other=ALL_RIGHT).out
    some = compare("--losses", "--partial", one={**ONE_WRONG, "1_x": "B"}, less={"0_x": "B", "2_x": "A"}).out
    assert "less lost as many points" in some, "only what both answered is compared"


def test_a_run_without_the_document_shows_the_points_that_need_it_if_it_is_of_the_same_model(tmp_path, compare):
    def run(name, answers, model="a-model", **settings):
        return run_of(tmp_path / name, Settings(model, **settings), {"quality": answers})

    read, closed = run("read", ALL_RIGHT), run("closed", EIGHT_WRONG, variant="closed-book")
    points = "Points gained from the document: quality +80.0"
    outs = {form: tmp_path / f"out.{form}" for form in FORMS}
    done = compare(*(part for form, out in outs.items() for part in (f"--{form}", out)), read=read, closed=closed)
    for text in (done.out, outs["html"].read_text(encoding="utf-8")):
        assert f"{points} [40.2, 100.0] (closed is the same model, asked without the document)." in text
    assert points in outs["markdown"].read_text(encoding="utf-8")
    (match,) = json.loads(outs["json"].read_text(encoding="utf-8"))["matches"]
    facts = match["without_document"], match["settings_differ"], match["signatures_differ"]
    assert facts == ("closed", ["variant canonical against closed-book"], [])
    assert points in compare(first=closed, second=read).out
    assert points in compare(read=read, zipped=shutil.make_archive(str(tmp_path / "zipped"), "zip", closed)).out
    assert "The runs differ" not in compare(read=read, file=EIGHT_WRONG).out
    out = compare(read=read, other=run("other", EIGHT_WRONG, "another", variant="closed-book")).out
    assert points not in out
    assert "The runs differ in: model a-model against another, variant canonical against closed-book." in out
    assert "prompts: whole against closed-book" in out


def test_a_gate_fails_where_nothing_is_shown(compare):
    for margin, status, line in (
        ("quality=3", 1, "FAIL: quality: undecided whether two is as good as one within 3 points: -10.0 points ["),
        ("quality=90", 0, "PASS: quality: two is as good as one within 90 points"),
        ("mean=90", 0, "PASS: mean: two is as good as one within 90 points"),
        ("qasper=90", 1, "FAIL: qasper: no answers of either\n"),
        ("90", 1, "FAIL: average: 1 of 10 tasks were compared; give --margin mean=POINTS or TASK=POINTS\n"),
    ):
        done = compare("--margin", margin, "--format", "json", one=ALL_RIGHT, two=ONE_WRONG)
        assert (done.status, line in done.err) == (status, True)
        (gate,) = json.loads(done.out)["matches"][0]["gate"]
        assert (gate["holds"], f"{gate['name']}: {gate['reason']}\n" in done.err) == (status == 0, True)
        less = {key: text for key, text in ALL_RIGHT.items() if key != "0_x"}
        assert compare("--partial", "--margin", margin, one=ALL_RIGHT, two=less).status == 1


def test_the_same_file_twice_passes_its_gate(compare):
    done = compare("--margin", "quality=0.5", "--margin", "mean=0.5", "-q", one=ALL_RIGHT, two=ALL_RIGHT)
    assert (done.status, done.err.count("PASS: ")) == (0, 2)
    assert done.out == (
        "two: QuALITY: the answers of two and one are identical; failures in up to 30 % of answers could stay unseen.\n"
    )


def test_incomplete_runs_are_compared_on_what_both_answered_and_say_so_first(compare):
    one, two = ({key: text for key, text in ALL_RIGHT.items() if key != without} for without in ("0_x", "1_x"))
    done = compare(one=one, two=two)
    assert done.status == 1
    assert done.out.startswith("QuALITY: no verdict on the whole, since both answered only 8 of 10 examples; on these ")
    assert compare("--partial", one=one, two=two).status == 0


def test_systems_have_the_names_that_are_given_and_what_is_refused_exits_with_1(compare):
    names = ["--name", "the old one", "--name", "ours"]
    done = compare(*names, "--format", "md", one=ALL_RIGHT, two=EIGHT_WRONG)
    assert done.out.startswith("| task | the old one | ours |")
    done = compare(*names, "--margin", "quality=9", one=ALL_RIGHT, two={"0": "A"})
    reason = "refused for ours (No ID is in both files. Are the references of this split?)"
    assert done.status == 1
    assert done.err.endswith(f"FAIL: quality: {reason}\n")
    assert f"not compared, {reason}: quality" in done.out


def test_the_references_may_come_from_a_source(tmp_path, zero_scrolls):
    worse = write(tmp_path / "worse.csv", SAMPLE_PREDICTIONS.read_bytes().replace(b"%", b" percent"))
    done = zero_scrolls("compare", SAMPLE_PREDICTIONS, worse, "--source", "embedded")
    assert done.status == 0
    assert "zero_scrolls_predictions and worse: 20 examples answered by both, in 10 tasks." in done.out


def test_systems_are_named_after_the_shortest_part_of_their_path_that_tells_them_apart():
    for paths, names in (
        ("a/x.csv b/y.zip c", "x y c"),
        ("run/a/preds.csv run/b/preds.csv", "a b"),
        ("gpt-4_zero_scrolls_predictions.csv t5_zero_scrolls_predictions.csv", "gpt-4 t5"),
        ("preds.csv a_preds.csv", "preds a_preds"),
        ("a_preds.csv", "a_preds"),
        ("_preds.csv a_preds.csv", "_preds a_preds"),
        ("a/preds.csv a/preds.json", "preds.csv preds.json"),
    ):
        assert system_names(paths.split()) == names.split()
