"""`zero-scrolls compare`: the same comparison as from Python, its names, its gates, and its exit status."""

import json
import re
import shutil
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

import pytest
from markup_check import read_html
from run_folders import run_of
from written_files import write, write_folder

from zs_bench.dataset.rows import SAMPLE_PREDICTIONS
from zs_bench.files.paths import system_names
from zs_bench.prompts import Settings
from zs_bench.reports import comparison
from zs_bench.reports.html.standalone import comparison_page
from zs_bench.scoring.score_files import score_files
from zs_start.cli import main

#: What answers that are the references probably are, and what to do.
AS_ANSWERS = (
    "Probably the references are read as the answers; then give the file, or name the column, of the model's answers"
)

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
    warning = f"one: Every answer equals a reference, word for word. {AS_ANSWERS}\n"
    assert (done.status, done.err) == (0, warning)


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


def test_the_page_has_the_losses_that_the_text_has_if_they_are_asked_for(tmp_path, compare):
    page = tmp_path / "out.html"
    systems = {"base": ONE_WRONG, "new": {**EIGHT_WRONG, "9_x": "a or b"}}
    compare("--losses", "--html", page, **systems)
    text = read_html(page.read_text(encoding="utf-8")).text
    rows = "QuALITY wrong option 10.00 80.00 +70.00 QuALITY misread 0.00 10.00 +10.00"
    assert f"Points lost in new, and how many more than in base Task Lost to base new Difference {rows}" in text
    compare("--losses", "--html", page, one=ALL_RIGHT, other=ALL_RIGHT)
    page_of_equals = read_html(page.read_text(encoding="utf-8")).text
    assert "other lost as many points to each cause as one" in page_of_equals
    compare("--html", page, **systems)
    assert "Points lost" not in read_html(page.read_text(encoding="utf-8")).text


def test_every_form_of_a_comparison_says_by_which_rules_how_many_answers_were_changed(tmp_path, compare):
    thinking = {**ONE_WRONG, "1_x": "<think>B</think>A"}
    outs = {form: tmp_path / f"out.{form}" for form in ("markdown", "latex", "html")}
    options = ["--post", "drop-think", *(part for form, out in outs.items() for part in (f"--{form}", out))]
    texts = [compare(*options, one=ONE_WRONG, two=thinking).out]
    texts += [outs["markdown"].read_text("utf-8"), outs["latex"].read_text("utf-8").replace("{-}", "-")]
    texts.append(read_html(outs["html"].read_text("utf-8")).text)
    for text in texts:
        found = re.findall(r"(one|two): Post-processed by drop-think\S*: (\d answers?) changed", text)
        assert found == [("one", "0 answers"), ("two", "1 answer")], text
    assert "Answers are shown after drop-think" in texts[-1]
    assert "rocessed" not in compare(one=ONE_WRONG, two=thinking).out


def test_a_run_without_the_document_shows_the_points_that_need_it_if_it_is_of_the_same_model(tmp_path, compare):
    def run(name, answers, model="a-model", **settings):
        return run_of(tmp_path / name, Settings(model, **settings), {"quality": answers})

    read, closed = run("read", ALL_RIGHT), run("closed", EIGHT_WRONG, variant="closed-book")
    points = "Points gained from the document: quality +80.0"
    outs = {form: tmp_path / f"out.{form}" for form in FORMS}
    done = compare(*(part for form, out in outs.items() for part in (f"--{form}", out)), read=read, closed=closed)
    more = "[40.2, 100.0] (closed is the same model, asked without the document)."
    assert f"{points} {more}" in done.out
    assert f"{points.replace('quality', 'QuALITY')} {more}" in outs["html"].read_text(encoding="utf-8")
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
        ("90", 0, "PASS: quality: two is as good as one within 90 points"),
    ):
        done = compare("--margin", margin, "--format", "json", one=ALL_RIGHT, two=ONE_WRONG)
        assert (done.status, line in done.err) == (status, True)
        (gate,) = json.loads(done.out)["matches"][0]["gate"]
        assert (gate["holds"], f"{gate['name']}: {gate['reason']}\n" in done.err) == (status == 0, True)
        less = {key: text for key, text in ALL_RIGHT.items() if key != "0_x"}
        assert compare("--partial", "--margin", margin, one=ALL_RIGHT, two=less).status == 1


def test_a_margin_of_the_average_of_other_tasks_is_a_wrong_call_and_a_lacking_task_a_failed_gate(
    tmp_path, zero_scrolls
):
    references = {"quality": ALL_RIGHT, "qasper": {str(i): "yes" for i in range(10)}}
    paths = [write(tmp_path / f"{name}.json", references) for name in ("one", "two")]
    few = write(tmp_path / "few.json", {"quality": ALL_RIGHT})
    against = ("--references", write(tmp_path / "references" / "all.json", references), "--margin", "2")
    done = zero_scrolls("compare", *paths, *against)
    assert (done.status, done.out) == (2, "")
    assert "give mean=2 for the mean of these, or qasper=2 for a task" in done.err
    done = zero_scrolls("compare", paths[0], few, *against)
    assert done.status == 1
    assert "FAIL: average: 1 of 10 tasks were compared; give --margin mean=POINTS or TASK=POINTS\n" in done.err


def test_a_system_can_be_better_and_fail_its_gate_and_both_are_said(tmp_path, zero_scrolls):
    references = {"qmsum": {str(i): f"a cat {i} sat on mat {i} and slept" for i in range(10)}}
    one, two = ({"qmsum": {str(i): f"a cat {i} {more}" for i in range(10)}} for more in ("sat", "sat on"))
    paths = [write(tmp_path / f"{name}.json", answers) for name, answers in (("one", one), ("two", two))]
    against = ("--references", write(tmp_path / "references" / "all.json", references))
    done = zero_scrolls("compare", *paths, *against, "--margin", "0.5", "--test", "randomization")
    assert done.status == 1
    assert (
        "FAIL: qmsum: two is better than one on these answers, but not shown to be as good as one within 0.5 "
        in done.err
    )
    assert "failures of two in up to 26 % of answers that score could stay unseen and cost" in done.err
    assert "(0.002 by randomisation)" in done.out
    assert "p (random)" in done.out
    assert "(ar:10000|seed:1)." in done.out


def test_the_same_file_twice_passes_its_gate(compare):
    done = compare("--margin", "quality=0.5", "--margin", "mean=0.5", "-q", one=ALL_RIGHT, two=ALL_RIGHT)
    assert (done.status, done.err.count("PASS: ")) == (0, 2)
    assert done.out == (
        "two: QuALITY: the answers of two and one are identical; failures in up to 26 % of answers could stay unseen.\n"
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


def test_one_path_twice_needs_names(zero_scrolls):
    done = zero_scrolls("compare", "a.csv", "a.csv", "--source", "embedded")
    assert done.err == (
        "zero-scrolls: the same path is given twice: a.csv, a.csv; give each once, or each with a --name\n"
    )


def test_warnings_stand_below_the_result_of_every_command_that_reads_answers(tmp_path):
    answers = write(tmp_path / "a.json", {"quality": {"1": "A", "2": ""}})
    known = write(tmp_path / "known.json", {"quality": {"1": "A", "2": "B"}})
    other = write(tmp_path / "b.json", {"quality": {"1": "B", "2": "B"}})
    for command in (["compare", answers, other], ["variants", answers], ["study", answers, other]):
        with StringIO() as both, redirect_stdout(both), redirect_stderr(both):
            main([*map(str, command), "--references", str(known)])
            text = both.getvalue()
        assert text.index("quality") < text.index("Empty answer"), command


def test_a_warning_that_systems_share_is_said_once_without_a_name_where_it_is_of_all(tmp_path, zero_scrolls):
    references = write_folder(tmp_path / "refs", {"quality.json": ALL_RIGHT, "notes.rtf": "…"})
    whole = write(tmp_path / "whole.json", {"quality": ALL_RIGHT})
    part = {"quality": {key: text for key, text in ALL_RIGHT.items() if key != "9_x"} | {"0_x": ""}}
    two = [write(tmp_path / f"{name}.json", part) for name in ("one", "two")]
    err = zero_scrolls("compare", whole, *two, "--references", references).err.splitlines()
    begins = {
        words: [line.partition(words)[0] for line in err if words in line]
        for words in ("the file was not read", "quality: 1 of 10 answers is missing", "quality: Empty answer")
    }
    assert [*begins.values()] == [[""], ["one, two: "], ["one: ", "two: "]]
