"""The report of a scored file in every form: text, Markdown, LaTeX, CSV, and JSON that fits its schema."""

import copy
import csv
import io
import json
import re
from functools import reduce
from operator import getitem

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import ValidationError
from report_schema import SCHEMAS, generated, schema_file, validated, validator
from scored_answers import answers_of
from shipped import as_shipped
from written_files import official_csv, score, write

from zs_bench.answers import documents_of
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import SAMPLE_PREDICTIONS, load_embedded
from zs_bench.reports import report
from zs_bench.reports.html.standalone import html_report
from zs_bench.reports.tables import Table, latex_text, markdown_text, safe_cell
from zs_bench.scoring.score_files import score_files
from zs_bench.statistics.intervals import average_interval, columns, interval
from zs_bench.validation.references import reference_hash
from zs_metric import score_task
from zs_metric.rouge import engine
from zs_start.cli import main

REFERENCES = {
    "gov_report": {"1": "the cat sat on the mat", "2": ["dogs bark", "a dog barks"]},
    "quality": {"1": "A", "2": "B", "3": "C"},
    "space_digest": {"1": "60%"},
    "book_sum_sort": {"1": "1, 2, 3"},
}
ANSWERS = {
    "gov_report": {"1": "a cat sat", "2": "dogs"},
    "quality": {"1": "(A)", "2": "", "x": "D"},
    "space_digest": {"1": "55%"},
    "book_sum_sort": {"1": "2, 1, 3"},
}
#: Six stories of two questions, and ten questions whose documents are not known.
MANY = {
    "quality": {f"{story}_ABCDEFGH_{i}": "A" for story in ("11", "22", "33", "44", "55", "66") for i in range(2)},
    "qmsum": {f"m{i}": ["a cat sat on the mat", f"cat {i}"] for i in range(10)},
}
MANY_ANSWERS = {
    "quality": {key: "AB"[key.startswith(("11", "22"))] for key in MANY["quality"]},
    "qmsum": {key: f"a cat {'sat on ' * (i % 3)}" for i, key in enumerate(MANY["qmsum"])},
}


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    """Four tasks, of which one is partial."""
    return score(tmp_path_factory.mktemp("scored"), {"answers.json": ANSWERS}, REFERENCES, partial=True)


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    return score(tmp_path_factory.mktemp("many"), {"answers.json": MANY_ANSWERS}, MANY)


HEADLINE = (
    "Mean of 4 of 10 tasks: 55.6763 (partial: some predictions are missing). The ZeroSCROLLS score needs all 10 tasks; "
    "not scored: summ_screen_fd, qmsum, squality, qasper, narrative_qa, musique."
)


def test_the_text_has_the_tasks_with_answers_the_average_and_how_it_was_computed(scored, tmp_path):
    text, _, warnings = report.as_text(scored).partition("\n\nWarnings:\n- ")
    assert text.splitlines() == [
        "task             score  answers  metric",
        "gov_report     35.3280      2/2  rouge 55.56/14.29/55.56",
        "quality        50.0000      2/3  accuracy, partial",
        "space_digest   70.7107      1/1  exp_similarity",
        "book_sum_sort  66.6667      1/1  concordance_index",
        "",
        HEADLINE,
        "1 of 2 QuALITY answers has no option letter that accuracy reads.",
        f"ROUGE-1/2/L by {engine().name}, aggregation: corpus.",
        "No interval, fewer than 10 examples: all tasks.",
        f"Signature: {scored.signature()}",
    ]
    assert "quality: Empty answer (scores 0): 2 (answers/answers.json)" in warnings
    refused = score(tmp_path, {"quality.json": {"2": "A", "x": "B"}}, REFERENCES)
    assert report.as_text(refused).startswith(
        "task          score  answers  metric\nquality  not scored      1/3  accuracy, 2 missing, 1 unknown ID\n\n"
        "No task could be scored.\n\nNot scored:\n- quality: "
    )


def test_the_published_yardsticks_stand_beside_scores_of_enough_questions_and_those_not_above_the_naive_are_named(
    many, scored, tmp_path
):
    lines = report.as_text(many).splitlines()
    apart = "perhaps other questions than these, whose split is not known"
    published = next(line for line in lines if line.startswith("Published"))
    head = f"Published averages over the whole test split, {apart}; of each task naive baseline, GPT-4 (2023), human: "
    assert f"{published} ".startswith(f"{head}qmsum 6.7, 18.5, –; ")
    assert "Not above" not in report.as_text(many)
    assert "Published" not in report.as_text(scored), "too few questions"
    low = score(tmp_path, {"a.json": {"qmsum": dict.fromkeys(MANY["qmsum"], "no")}}, MANY)
    assert "Not above the naive baseline of the test split: qmsum 0.0 (baseline 6.7)." in report.as_text(low)
    examples = score_files([SAMPLE_PREDICTIONS], source="embedded")
    assert list(report.yardsticks(examples)) == []
    several = {"qasper": {str(number): ["yes"] for number in range(12)}}
    scrolls = score(
        tmp_path, {"b.json": {"qasper": dict.fromkeys(several["qasper"], "yes")}}, several, benchmark="scrolls"
    )
    for shown in (report.as_text(scrolls), html_report(scrolls, name="")):
        assert "Published on" not in shown, "fewer questions than either split has, whichever they are of"
        assert "Published averages" not in shown


def test_markdown_has_a_row_and_latex_a_column_for_every_task(scored, many):
    rows = [line.strip("|").split("|") for line in report.as_markdown(scored, "my run").splitlines()[:12]]
    assert [[cell.strip() for cell in row] for row in rows if "no predictions" not in row[2]] == [
        ["my run", "metric", "score", "answers"],
        ["---", "---", "---:", "---:"],
        ["GovReport", "ROUGE", "35.3280", "2 of 2"],
        ["QuALITY", "Accuracy", "50.0000 (partial)", "2 of 3"],
        ["SpaceDigest", "Exponential similarity", "70.7107", "1 of 1"],
        ["BookSumSort", "Concordance index", "66.6667", "1 of 1"],
    ]
    assert report.as_markdown(scored, "my run").endswith(f" |\n\n{HEADLINE}\n\n`{scored.signature()}`\n")
    assert "| QMSum | ROUGE | 60.4139 [44.8, 70.7] | 10 of 10 |" in report.as_markdown(many, "")
    head = "System & GvRp & SSFD & QMsm & SQAL & Qspr & Nrtv & QALT & MuSQ & SpDg & BkSS & Avg"
    assert report.as_latex(many, "a_b").splitlines() == [
        f"% {many.signature()}",
        r"\begin{tabular}{lrrrrrrrrrrr}",
        r"\toprule",
        rf"{head} \\",
        r"\midrule",
        r"a\_b & -- & -- & 60.4 & -- & -- & -- & 66.7 & -- & -- & -- & -- \\",
        r"&  &  & {\tiny [44.8, 70.7]} &  &  &  & {\tiny [14.9, 95.8]} &  &  &  & \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_a_whole_benchmark_has_its_average_in_every_form(tmp_path):
    perfect = {"quality": "A", "space_digest": "60%", "book_sum_sort": "1, 2, 3"}
    texts = {task: {str(i): perfect.get(task, "a few words") for i in range(10)} for task in TASKS}
    whole = score(tmp_path, {"a.json": {**texts, "quality": {str(i): "AB"[i % 2] for i in range(10)}}}, texts)
    ends = report.format_interval(whole.interval)
    assert report.headline(whole) == f"ZeroSCROLLS score: 95.0000 {ends}"
    assert f"| **average** |  | **95.0000** {ends} |  |" in report.as_markdown(whole, "mine")
    *_, scores, intervals, _, _ = report.as_latex(whole, "mine").splitlines()
    assert scores.endswith(r" & 100.0 & 95.0 \\")
    assert (intervals.count(r"{\tiny ["), intervals.endswith(rf"{{\tiny {ends}}} \\")) == (11, True)
    data = report.as_json(whole)
    assert (data["score"], data["mean_of_tasks"], data["missing_tasks"]) == (pytest.approx(95), pytest.approx(95), [])
    low_high = f",task,{whole.tasks['quality'].interval.low},{whole.tasks['quality'].interval.high},"
    assert low_high in report.as_csv(whole)


def test_the_numbers_of_the_csv_are_read_back_equal(scored, tmp_path):
    rows = {(row["task"], row["id"]): row for row in csv.DictReader(io.StringIO(report.as_csv(scored), newline=""))}
    assert len(rows) == 4 + 6
    for name, task in scored.scored.items():
        row = rows[name, ""]
        assert (float(row["score"]), row["answers"], row["level"]) == (task.score, str(task.answered), "task")
        for answer in task.answers:
            row = rows[name, answer.id]
            assert (float(row["score"]), row["level"]) == (answer.result.score, "answer")
            assert (row["prediction"], json.loads(row["references"])) == (answer.text, answer.references)
            assert bool(row["lost_to"]) == (answer.result.score < 100)
    rouge = scored.tasks["gov_report"].answers[0].result.rouge
    assert float(rows["gov_report", "1"]["rougeL"]) == rouge["rougeL"].fmeasure
    assert rows["gov_report", ""]["rouge1"] == "55.5556"
    assert rows["book_sum_sort", "1"]["parsed"] == "2, 1, 3"
    formula = score(tmp_path, {"quality.json": {"=1+1": "A"}}, {"quality": {"=1+1": "A"}})
    assert "\r\nquality,'=1+1,100.0," in report.as_csv(formula)


def test_the_json_has_the_promised_keys_and_no_rounding(scored):
    data = validated(report.as_json(scored))
    first = "schema version benchmark engine rouge_aggregation signature partial score mean_of_tasks interval "
    last = "missing_tasks refused_tasks references files post tasks patterns problems problems_left_out"
    assert list(data) == (first + last).split()
    assert (data["score"], data["refused_tasks"], data["partial"]) == (None, [], True)
    assert data["missing_tasks"] == [task for task in TASKS if task not in ANSWERS]
    exact = [task["score"] for task in data["tasks"].values()]
    assert data["mean_of_tasks"] == pytest.approx(sum(exact) / 4, abs=1e-12)
    result = score_task("space_digest", ["55%"], ["60%"])
    expected = {"score": result.score, "interval": None, "signature": str(scored.signature("space_digest"))}
    expected |= {"metrics": result.metrics, "n": 1, "total": 1, "partial": False, "split": None, "missing": []}
    expected |= {"unknown": [], "examples": [{"id": "1", **result.examples[0].as_dict()}]}
    assert data["tasks"]["space_digest"] == expected


SHAPES = {
    "instance": (ANSWERS, {"partial": True, "rouge_aggregation": "instance"}),
    "refused": ({"quality": {"1": "A", "x": "B"}}, {}),
    "nothing": ({}, {}),
    "not JSON": ("{", {}),
    "twice": ('{"quality": {"1": "A", "1": "B", "2": null}}', {}),
    "infinite": ({"space_digest": {"1": "9" * 500 + "%"}, "book_sum_sort": {"1": "9" * 5_000}}, {}),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_report_fits_the_schema(tmp_path, shape):
    answers, options = SHAPES[shape]
    data = report.as_json(score(tmp_path, {"answers.json": answers}, REFERENCES, **options))
    assert validated(data) == data
    if shape == "infinite":
        assert [task["score"] for task in data["tasks"].values()] == [0, 0]
    if shape == "refused":
        assert (data["score"], data["mean_of_tasks"], data["signature"]) == (None, None, None)
        assert data["refused_tasks"] == ["quality"]
        quality = data["tasks"]["quality"]
        assert (quality["score"], quality["metrics"], quality["examples"]) == (None, None, [])
        assert (quality["missing"], quality["unknown"], quality["n"], quality["total"]) == (["2", "3"], ["x"], 1, 3)


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_schema_in_the_package_is_that_of_the_types(name):
    kept = json.loads(schema_file(name).read_text(encoding="utf-8"))
    assert kept == as_shipped(generated(name)), "run python -m report_schema"


def test_the_schema_refuses_other_values():
    sample = validated(report.as_json(score_files([SAMPLE_PREDICTIONS], source="embedded"), losses=True))
    assert [name for name, row in sample["tasks"].items() if "answerability" in row] == ["musique"]
    for value, *path, key in (
        ("zero-scrolls-report/1", "schema"),
        (101, "score"),
        ({"low": None}, "interval"),
        (1, "tasks", "qasper", "examples", 0, "new"),
    ):
        data = copy.deepcopy(sample)
        reduce(getitem, path, data)[key] = value
        with pytest.raises(ValidationError):
            validator().validate(data)


def test_at_most_ten_thousand_problems_are_listed_those_that_refuse_first_and_the_rest_counted(tmp_path):
    rows = [("quality", str(i), "") for i in range(11_000)]
    data = report.as_json(score(tmp_path, {"a.csv": official_csv(rows)}, {"quality": {"0": "A", "x": "B"}}))
    assert len(data["problems"]) == 10_000
    assert data["problems_left_out"] == 1 + 10_999 + 11_000 - 10_000
    assert all(problem["refuses"] for problem in data["problems"])


def test_the_same_references_give_the_same_report_as_files_and_as_a_source(tmp_path):
    for task in TASKS:
        rows = [{**example.as_dict(), "output": text} for example in load_embedded(task) for text in example.references]
        write(tmp_path / task / "validation.jsonl", rows)
    as_source = report.as_json(score_files([SAMPLE_PREDICTIONS], source=tmp_path))
    label = {"source": f"your folder {tmp_path.name}", "split": "validation", "revision": None}
    assert report.as_json(score_files([SAMPLE_PREDICTIONS], [tmp_path])) | {"references": label} == as_source


def test_musique_is_split_into_answerable_and_unanswerable_questions():
    rows = {"1": ("Paris", ["Paris"]), "2": ("unanswerable", ["Unanswerable."]), "3": ("Oslo", ["Rome", "The Rome"])}
    answers = answers_of(TASKS["musique"], {**rows, "4": ("Rome", ["n/a", "unanswerable"])})
    halves = {"score": 50.0, "n": 2}
    assert report.answerability(answers) == {"answerable": halves, "unanswerable": halves}
    assert report.answerability(answers[:1])["unanswerable"] == {"score": None, "n": 0}


def as_reported(ends):
    low_high = {"low": ends.low, "high": ends.high, "level": 95, "clusters": ends.clusters}
    return {**low_high, "method": "jackknife-t-unseen"}


def test_the_intervals_are_those_of_the_statistics_with_examples_of_one_story_together(many, tmp_path):
    data, text = validated(report.as_json(many)), report.as_text(many)
    parts = {name: (columns(task.result.examples), documents_of(task.answers)) for name, task in many.tasks.items()}
    assert parts["quality"][1] == [answer.id.partition("_")[0] for answer in many.tasks["quality"].answers]
    assert parts["qmsum"][1] is None
    for name, part in parts.items():
        assert data["tasks"][name]["interval"] == as_reported(interval(*part))
    assert data["interval"] == as_reported(
        average_interval([(many.tasks[name].score, interval(*part)) for name, part in parts.items()])
    )
    assert (
        "\nquality  66.6667  [14.9, 95.8]    12/12  accuracy\n\nMean of 2 of 10 tasks: 63.5403 [36.5, 79.0]. " in text
    )
    assert (
        "\nIntervals: 95 %, method jackknife-t-unseen (jackknife, Student's t on the logit scale; lower end not above "
        "what unseen failures allow), as if the examples were drawn at random.\n"
        "Examples of one document count together: quality (6 documents).\n" in text
    )
    assert "Examples are treated as independent, since it is unknown which share a document: qmsum." in text
    other = score(tmp_path, {"answers.json": MANY_ANSWERS}, MANY, rouge_aggregation="instance").tasks["qmsum"]
    assert other.interval == interval(columns(other.result.examples, "instance")) != many.tasks["qmsum"].interval


FEW = {
    "fewer than 10 examples: quality.": {"quality": {f"{i}_x": "A" for i in range(9)}, "qmsum": MANY_ANSWERS["qmsum"]},
    "fewer than 5 documents: all tasks.": {"quality": {f"{n % 4}1234_ABCDEFGH_{n}": "A" for n in range(20)}},
}


@pytest.mark.parametrize("reason", FEW)
def test_too_few_examples_or_documents_have_no_interval_and_the_report_says_why(reason, tmp_path):
    few = score(tmp_path, {"answers.json": FEW[reason]}, FEW[reason])
    data, text = report.as_json(few), report.as_text(few)
    assert (data["interval"], data["tasks"]["quality"]["interval"]) == (None, None)
    assert f"No interval, {reason}" in text
    assert ("The average has no interval, since there is none of quality." in text) == (len(few.tasks) == 2)


def test_documents_that_have_most_of_the_answers_are_named(tmp_path):
    stories = {"10001": 20, "10002": 10, **{str(10003 + i): 1 for i in range(10)}}
    texts = {"quality": {f"{story}_ABCDEFGH_{i}": "A" for story, count in stories.items() for i in range(count)}}
    text = report.as_text(score(tmp_path, {"answers.json": texts}, texts))
    assert "count together: quality (12 documents, of which 10001, 10002, 10003 have 78 % of the answers)." in text


@pytest.mark.parametrize("last", ["It snows.", None, ""])
def test_questions_on_equal_documents_are_together_where_every_row_has_its_document(tmp_path, last):
    rows = []
    for name, document in (("q1", "It rains."), ("q2", "It rains."), ("q3", last)):
        text = f"Read.\n\nArticle:\n{document}\n\nQuestion:\nWhat?\n\nAnswer:\n" if document else document
        rows.append({"id": name, "input": text, "output": "rain"})
    answers = write(tmp_path / "qasper.json", {"q1": "rain", "q2": "there", "q3": "snow"})
    task = score_files([answers], [write(tmp_path / "rows" / "qasper.jsonl", rows)]).tasks["qasper"]
    first, second, third = (answer.document for answer in task.answers)
    assert (first == second != third) if last else first is second is third is None


def test_every_number_is_signed_with_its_data_and_what_was_left_out(tmp_path):
    answers = {**MANY_ANSWERS, "qasper": {"1": "x"}}
    data = report.as_json(score(tmp_path / "a", {"answers.json": answers}, MANY))
    assert data["signature"].startswith(f"ZS|tasks:qmsum,quality|data:{reference_hash(MANY)}|n:22/22|")
    quality = reference_hash({"quality": MANY["quality"]})
    assert data["tasks"]["quality"]["signature"].startswith(f"ZS|tasks:quality|data:{quality}|n:12/12|")
    assert data["tasks"]["qasper"]["signature"] is None
    references = {"quality": {"1_x": "A", "2_y": "B", "3_z": None}}
    signature = score(tmp_path / "b", {"quality.json": {"1_x": "A", "9": "B"}}, references, partial=True).signature()
    assert f"|data:{reference_hash({'quality': {'1_x': ['A'], '2_y': ['B']}})}|n:1/3|" in str(signature)
    rows = write(tmp_path / "qmsum" / "test.jsonl", [{"id": "1_x", "output": "A"}])
    answers = write(tmp_path / "preds_qmsum.json", {"1_x": "A"})
    signature = score_files([answers], [rows], rouge_aggregation="instance").signature()
    assert ("|source:test|" in str(signature), "|rouge:instance|" in str(signature)) == (True, True)


def test_a_table_aligns_by_display_width_in_a_terminal_and_by_columns_elsewhere():
    table = Table(("task", "", "模型"), [("qasper", "", "7.5"), ("e\u0301", "", "10.25")], right=[2])
    assert table.text() == "task     模型\nqasper    7.5\ne\u0301       10.25"
    assert table.markdown().splitlines()[1:3] == ["| --- | --- | ---: |", "| qasper |  | 7.5 |"]
    assert table.latex().splitlines()[0] == r"\begin{tabular}{llr}"
    assert '<td style="text-align: right">7.5</td>' in table.html()
    assert Table(("id", "n"), [("=1", 2.5), (None, [3, 4])]).csv() == 'id,n\r\n\'=1,2.5\r\n,"3, 4"\r\n'
    assert Table((), [("title", "A board"), ("per_day", "3")]).text() == "title    A board\nper_day  3"
    assert [report.one_decimal(points) for points in (-0.04, 0.0, -0.06, 12.25)] == ["0.0", "0.0", "-0.1", "12.2"]
    assert [report.signed(points) for points in (2.04, -0.04, -7)] == ["+2.0", "0.0", "-7.0"]


def test_a_latex_table_of_many_columns_is_as_wide_as_the_line_with_upright_heads():
    heads = [f"task {number}" for number in range(17)]
    (comment, begin, *_, end), plain = (
        Table(heads[:number], [heads[:number]]).latex().splitlines() for number in (17, 16)
    )
    assert (comment, begin) == (r"% \usepackage{graphicx}", r"\resizebox{\linewidth}{!}{%")
    assert end == r"\end{tabular}}"
    wide = Table(heads, [heads]).latex()
    assert wide.count("{") == wide.count("}")
    assert (r"task 0 & \rotatebox{90}{task 1~} & " in wide, wide.count("rotatebox")) == (True, 16)
    assert (plain[0], plain[-1]) == (rf"\begin{{tabular}}{{{16 * 'l'}}}", r"\end{tabular}")


def test_a_name_with_every_special_character_is_escaped():
    assert latex_text("a\nb \x00\\ {50}% #1 $x_1^2$ ~ <|> &") == (
        r"a b \textbackslash{} \{50\}\% \#1 \$x\_1\textasciicircum{}2\$ \textasciitilde{} "
        r"\textless{}\textbar{}\textgreater{} \&"
    )
    assert latex_text("[x]*--") == "{[}x{]}{*}{-}{-}"
    assert markdown_text("gpt_4 | _x_ <b> `c`") == r"gpt_4 \| \_x\_ \<b\> \`c\`"


@given(st.text() | st.sampled_from(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "'quoted", "＝1"]))
def test_no_text_breaks_out_of_its_cell(text):
    cell, markdown, csv_cell = latex_text(text), markdown_text(text), safe_cell(text)
    assert not re.search(r"(?<!\\)[&%$#_]", cell)
    bare = re.sub(r"\\[{}]", "", cell)
    assert bare.count("{") == bare.count("}")
    assert not re.search(r"[\x00-\x1f\x7f-\x9f]", cell + markdown)
    assert not re.search(r"(?<!\\)(\\\\)*\|", markdown)
    assert not csv_cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))
    assert csv_cell.removeprefix("'") == text


def test_the_command_line_writes_tables_under_the_name_of_the_file_or_that_given(tmp_path, capsys):
    answers, references = write(tmp_path / "my_run.json", ANSWERS), write(tmp_path / "known.json", REFERENCES)
    command = ["score", str(answers), "--references", str(references), "--partial"]
    markdown, latex = tmp_path / "out.md", tmp_path / "out.tex"
    assert main([*command, "--markdown", str(markdown), "--latex", str(latex)]) == 0
    assert markdown.read_text(encoding="utf-8").startswith("| my_run | metric | score | answers |\n| --- |")
    assert "\nmy\\_run & 35.3 & -- & " in latex.read_text(encoding="utf-8")
    capsys.readouterr()
    assert main([*command, "--name", "A&B", "--latex", "-"]) == 0
    printed = capsys.readouterr().out
    assert "\nA\\&B & 35.3 & -- & " in printed
    assert (printed[:5], printed[-14:]) == ("% ZS|", "\\end{tabular}\n"), "nothing else is on standard output"
