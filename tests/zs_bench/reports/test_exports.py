"""Exports of a report: Markdown and LaTeX hold the numbers of the report, and any name as it is."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written_files import score, write

from zs_bench.cli import main
from zs_bench.dataset.embedded import SAMPLE_PREDICTIONS
from zs_bench.reports.report import as_latex, as_markdown, format_interval
from zs_bench.reports.tables import Table, latex_text, markdown_text
from zs_bench.scoring.score_files import score_against
from zs_bench.scoring.scored import ScoredFile
from zs_bench.tasks import info
from zs_metric import TASKS

REFERENCES = {"quality": {"1_x": "A", "2_y": "B", "3_z": "C"}, "space_digest": {"1": "60%", "2": "5%"}}
ANSWERS = {"quality": {"1_x": "A", "2_y": "B", "3_z": "D"}, "space_digest": {"1": "55%", "2": "5%"}}


@pytest.fixture
def ten() -> ScoredFile:
    return score_against([SAMPLE_PREDICTIONS], "embedded")


@pytest.fixture
def two(tmp_path: Path) -> ScoredFile:
    return score(tmp_path, {"answers.json": ANSWERS}, REFERENCES)


def number(cell: str) -> float:
    return float(re.findall(r"-?\d+\.\d+", cell)[0])


def markdown_rows(text: str) -> dict[str, list[str]]:
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines() if line[:1] == "|"]
    return {row[0].strip("* "): row for row in rows}


def test_the_numbers_of_the_markdown_table_are_read_back_equal_to_four_decimals(ten: ScoredFile) -> None:
    rows = markdown_rows(as_markdown(ten, "mine"))
    for name, task in ten.tasks.items():
        assert task.score is not None
        cells = rows[info(TASKS[name]).title]
        assert number(cells[2]) == round(task.score, 4)
        assert cells[2].endswith(format_interval(task.interval))
        assert cells[3].rstrip(" |") == "2 of 2"
    assert ten.result is not None
    assert ten.result.score is not None
    assert number(rows["average"][2]) == round(ten.result.score, 4)


def test_every_task_has_its_row_in_markdown_and_a_partial_one_says_so(tmp_path: Path) -> None:
    answers = {"quality": {"1_x": "A"}, "space_digest": {"of another split": "55%"}}
    rows = markdown_rows(as_markdown(score(tmp_path, {"a.json": answers}, REFERENCES, partial=True), "mine"))
    assert rows["QuALITY"][3].rstrip(" |") == "1 of 3 (partial)"
    assert rows["SpaceDigest"][2] == "not scored"
    assert rows["MuSiQue"][2] == "no predictions"


def latex_cells(scored: ScoredFile) -> list[str]:
    row = next(line for line in as_latex(scored, "mine").splitlines() if line.startswith("mine & "))
    assert row.endswith(r" \\")
    return row.removesuffix(r" \\").split(" & ")


PERFECT = {"quality": "A", "space_digest": "60%", "book_sum_sort": "1, 2, 3"}


def test_the_latex_table_has_twelve_columns_in_every_row_and_the_intervals_below_the_scores(tmp_path: Path) -> None:
    texts = {task: {str(i): PERFECT.get(task, "a few words") for i in range(10)} for task in TASKS}
    ten = score(tmp_path, {"a.json": texts}, texts)
    lines = as_latex(ten, "mine").splitlines()
    assert lines[0] == f"% {ten.signature()}"
    assert lines[1] == r"\begin{tabular}{lrrrrrrrrrrr}"
    assert lines[-1] == r"\end{tabular}"
    rows = [line for line in lines if line.endswith(r"\\")]
    assert [row.count("&") for row in rows] == [11, 11, 11]
    assert rows[0].startswith("System & GvRp & SSFD")
    scores = [*(task.score for task in ten.tasks.values()), ten.result.score]  # type: ignore[union-attr]
    assert list(ten.tasks) == list(TASKS)
    assert rows[1] == rf"mine & {' & '.join(f'{score:.1f}' for score in scores)} \\"
    intervals = [*(task.interval for task in ten.tasks.values()), ten.interval]
    assert re.findall(r"\\tiny (\[.*?\])", rows[2]) == [format_interval(interval) for interval in intervals]


def test_a_table_aligns_by_display_width_in_a_terminal_and_by_columns_elsewhere() -> None:
    table = Table(("task", "", "模型"), [("qasper", "", "7.5"), ("e\u0301", "", "10.25")], right=[2])
    assert table.text() == "task     模型\nqasper    7.5\ne\u0301       10.25"
    assert table.markdown().splitlines()[1:3] == ["| --- | --- | ---: |", "| qasper |  | 7.5 |"]
    assert table.latex().splitlines()[0] == r"\begin{tabular}{llr}"
    assert Table(("id", "n"), [("=1", 2.5), (None, [3, 4])]).csv() == 'id,n\r\n\'=1,2.5\r\n,"3, 4"\r\n'
    assert Table((), [("title", "A board"), ("per_day", "3")]).text() == "title    A board\nper_day  3"


def test_a_name_with_every_special_character_is_escaped() -> None:
    assert latex_text("a\nb \x00\\ {50}% #1 $x_1^2$ ~ <|> &") == (
        r"a b \textbackslash{} \{50\}\% \#1 \$x\_1\textasciicircum{}2\$ \textasciitilde{} "
        r"\textless{}\textbar{}\textgreater{} \&"
    )
    assert latex_text("[x]*--") == "{[}x{]}{*}{-}{-}"
    assert markdown_text("gpt_4 | _x_ <b> `c`") == r"gpt_4 \| \_x\_ \<b\> \`c\`"


@given(st.text())
def test_no_name_breaks_out_of_its_cell(name: str) -> None:
    cell = latex_text(name)
    assert not re.search(r"(?<!\\)[&%$#_]", cell)
    bare = re.sub(r"\\[{}]", "", cell)
    assert bare.count("{") == bare.count("}")
    assert not re.search(r"[\x00-\x1f\x7f-\x9f]", cell + markdown_text(name))
    assert not re.search(r"(?<!\\)(\\\\)*\|", markdown_text(name))
    assert "\n" not in markdown_text(name)


def test_the_command_line_writes_both_under_the_name_of_the_file_or_that_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers, known = write(tmp_path / "my_run.json", ANSWERS), write(tmp_path / "known.json", REFERENCES)
    outs = {form: tmp_path / f"out.{form}" for form in ("markdown", "latex", "json")}
    command = ["score", str(answers), "--references", str(known)]
    assert main([*command, *(part for form, out in outs.items() for part in (f"--{form}", str(out)))]) == 0
    assert outs["markdown"].read_text(encoding="utf-8").startswith("| my_run | metric | score | answers |\n| --- |")
    assert "\nmy\\_run & -- & " in outs["latex"].read_text(encoding="utf-8")
    score_ = json.loads(outs["json"].read_text(encoding="utf-8"))["tasks"]["quality"]["score"]
    assert number(markdown_rows(outs["markdown"].read_text(encoding="utf-8"))["QuALITY"][2]) == round(score_, 4)
    capsys.readouterr()
    assert main([*command, "--name", "A&B", "--latex", "-"]) == 0
    printed = capsys.readouterr().out
    assert "\nA\\&B & -- & " in printed
    assert (printed[:5], printed[-14:]) == ("% ZS|", "\\end{tabular}\n"), "nothing else is on standard output"
