"""What every form of a report has to do: mark a score that leaves answers out, and show any title as it is."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written_files import score, write, write_folder

from zs_bench.commands import compare as compare_command
from zs_bench.commands import score as score_command
from zs_bench.reports import comparison, report
from zs_bench.reports.comparison import compare
from zs_bench.scoring.score_files import score_files
from zs_start.cli import main

REFERENCES = {"quality": {str(number): "A" for number in range(12)}, "qasper": {"7": "yes"}}
#: What says in any form that a score leaves answers out.
MARKED = re.compile(r'"partial": (true|"yes")|11,12,yes|\(partial|partial:|\d (<small>)?\(11 of 12\)|partial</')
TOML = """name = "team"
title = {0}
[tasks.who]
title = {0}
metric = "f1"
[tasks.what]
title = {0}
metric = "f1"
[averages.both]
title = {0}
mean_of = ["who", "what"]
"""


def outputs(folder, command, files, options):
    """What a command writes in every form that it has, by option; `quiet` prints."""
    written = {}
    for option in options:
        out = folder / f"out.{option}"
        others = ["--dataset", "a/b"] if option == "eval-results" else []
        assert main([command, *files, "--partial", *others, f"--{option}", str(out)]) == 0
        written[option] = out.read_text(encoding="utf-8")
    return written


@pytest.mark.parametrize("missing", [0, 1])
def test_every_form_of_a_score_or_comparison_marks_what_leaves_answers_out_and_nothing_else(tmp_path, capsys, missing):
    answers = {**REFERENCES, "quality": {str(number): "AB"[number % 2] for number in range(12 - missing)}}
    files = write_folder(tmp_path, {"one.json": answers, "two.json": REFERENCES, "known.json": REFERENCES})
    one, two, known = (str(files / name) for name in ("one.json", "two.json", "known.json"))
    forms = score_command.FORMS.options
    assert {"json", "csv", "markdown", "latex", "html", "eval-results"} <= {*forms}
    written = outputs(tmp_path, "score", [one, "--references", known], forms)
    forms = [form for form in compare_command.FORMS.options if form != "csv"]  # which has no score of a task
    pairs = outputs(tmp_path, "compare", [one, two, "--references", known], forms)
    capsys.readouterr()
    assert main(["score", one, "--references", known, "--partial"]) == 0
    written["text"] = capsys.readouterr().out
    assert main(["score", one, "--references", known, "--partial", "--quiet"]) == 0
    written["quiet"] = capsys.readouterr().out
    eee = ["--eee", str(tmp_path / "eee"), "--name", "a/b"]
    assert main(["score", one, "--references", known, "--partial", *eee]) == 0
    written["eee"] = next((tmp_path / "eee").rglob("*[0-9a-f].json")).read_text(encoding="utf-8")
    assert main(["compare", one, two, "--references", known, "--partial"]) == 0
    pairs["text"] = capsys.readouterr().out.partition("verdict")[0]
    texts = {**written, **{f"pair {name}": text for name, text in pairs.items()}}
    found = {name: MARKED.search(text) is not None for name, text in texts.items()}
    assert found == dict.fromkeys(found, bool(missing))


@settings(max_examples=20)
@given(st.sets(st.sampled_from([*REFERENCES["quality"]]), min_size=1), st.sampled_from(["a", "z"]))
def test_a_number_of_a_partial_task_is_never_written_without_its_mark(tmp_path_factory, answered, name):
    folder = tmp_path_factory.mktemp("some")
    scored = score(folder, {"a.json": {"quality": dict.fromkeys(answered, "A")}}, REFERENCES, partial=True)
    is_partial = len(answered) < len(REFERENCES["quality"])
    for text in (report.as_markdown(scored, name), report.as_latex(scored, name)):
        cells = [cell for line in text.splitlines() for cell in re.split("[|&]", line) if re.match(r" *\d+\.\d", cell)]
        assert cells
        assert [cell for cell in cells if (("partial" in cell) or ("dagger" in cell)) != is_partial] == []
    (headline,) = report.headlines(scored)
    assert ("partial" in headline) == is_partial


def test_a_table_of_a_paper_says_below_it_what_its_marks_and_its_difference_are(tmp_path):
    half = {"quality": {str(number): "AB"[number % 2] for number in range(11)}}
    one = score(tmp_path / "1", {"a.json": half}, REFERENCES, partial=True)
    two = score(tmp_path / "2", {"a.json": REFERENCES}, REFERENCES)
    text = comparison.as_latex(compare({"outputs": one, "two": two}))
    head, rows, notes = re.split(r"\\midrule", text.partition(r"\toprule")[2])
    assert "& minus outputs &" in head
    assert r"outputs & -- & 54.5$^\dagger$ &" in rows
    assert r"\textbf{100.0}$^*$" in rows
    assert r"two & 100.0 &" in rows, "the only score of a column is not the best of several"
    assert f"{report.PARTIAL_NOTE}; stars and differences are of the examples that both answered" in notes
    assert "* differs from outputs on the task: two-sided p $<$ 0.05" in notes
    assert "minus outputs: two: QuALITY" in notes


@settings(max_examples=30)
@given(st.text("<>|`*[]()_~&\\!#a b\"'\n", min_size=1).filter(str.strip))
def test_no_title_makes_a_tag_or_another_column_in_markdown(tmp_path_factory, title):
    folder = tmp_path_factory.mktemp("titles")
    benchmark = write(folder / "team.toml", TOML.format(json.dumps(title)))
    known = write(folder / "known.json", {"who": {"1": "Ada", "2": "Bob"}, "what": {"1": "tea"}})
    options = {"benchmark": str(benchmark)}
    answers = json.loads(known.read_text(encoding="utf-8"))
    one, two = (score_files([write(folder / f"{n}.json", answers)], [known], **options) for n in "ab")
    pair = compare({title: one, f"{title} 2": two})
    for text in (report.as_markdown(one, title), comparison.as_markdown(pair)):
        bare = re.sub(r"\\.", "", text)
        assert "<" not in bare
        assert re.search(r"[`*\[]", re.sub(r"`\w+\|def:[^`]*`", "", bare.replace("**", ""))) is None or "**" in text
        tables = [line for line in bare.splitlines() if line.startswith("|")]
        assert {line.count("|") for line in tables} <= {5, 6}
        assert len({line.count("|") for line in tables}) == 1
