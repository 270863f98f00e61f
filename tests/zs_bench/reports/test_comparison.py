"""A comparison of systems in every form: the verdict first, tables, and every question with both predictions."""

import csv
import io
import json
import re
import sys
from dataclasses import replace

import pytest
from compared_systems import ONE, TWO, systems
from markup_check import read_html
from packaged_files import ROOT
from report_schema import schema_file, validated
from written_files import score

from zs_bench.benchmarks import BENCHMARKS
from zs_bench.problems import Problem
from zs_bench.reports import comparison
from zs_bench.reports.comparison import ComparedQuestion, compare, headline, questions, verdict
from zs_bench.reports.html.file_page import ReportLine, file_page
from zs_bench.reports.html.standalone import comparison_page, html_report
from zs_bench.scoring.compare import Outcome
from zs_bench.statistics.intervals import Interval
from zs_bench.statistics.paired_comparison import PairedComparison, Unseen

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    folder = tmp_path_factory.mktemp("three")
    return compare(systems(folder, one=ONE, two=TWO, three={"quality": {**TWO["quality"], "1_a": HOSTILE}}))


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    return compare(systems(tmp_path_factory.mktemp("two"), one=ONE, two=TWO), {"quality": 5})


WITHIN = "as good as A within 2 points"
# The verdict on a difference, its interval and p-value, and more of the comparison and the outcome.
VERDICTS = {
    "B is worse than A: -5.3 points [-9.8, -1.2], p = 0.012": ((-5.26, (-9.8, -1.24), 0.0123), {}, {}),
    "B is better than A: +5.3 points [1.2, 9.8], p < 0.0001": ((5.26, (1.24, 9.8), 1e-5), {}, {}),
    "no clear difference between A and B: +1.0 points [-2.0, 4.0], p = 0.460; with this spread, a true loss of "
    "4.3 points would be found in 80 % of samples of this size": ((1.0, (-2.02, 4.0), 0.46), {"detectable": 4.31}, {}),
    "no clear difference between A and B: 0.0 points [-1.0, 1.0], p = 1.000": ((0.0, (-1.0, 1.0), 1.0), {}, {}),
    "no clear difference between A and B: no score differs": ((0.0, None, None), {}, {}),
    "no clear difference between A and B: +5.3 points [1.2, 9.8], p = 0.012 (0.120 corrected for all tasks)": (
        *((5.26, (1.24, 9.8), 0.0123), {}, {"corrected": 0.12, "corrected_for": "all tasks"}),
    ),
    "the answers of B and A are identical; failures in up to 3 % of answers could stay unseen": (
        *((0.0, None, None), {"identical": True}, {"margin": 2}),
    ),
    "the answers of B and A are identical; fewer than 10 examples": (
        *((0.0, None, None), {"identical": True, "reason": "fewer than 10 examples"}, {}),
    ),
    "undecided, fewer than 10 examples: B minus A is +25.0 points": (
        *((25.0, None, None), {"reason": "fewer than 10 examples"}, {"margin": 2}),
    ),
    "no verdict on the whole, since both answered only 100 of 120 examples; on these B minus A is +5.3 points "
    "[1.2, 9.8], p = 0.012": ((5.26, (1.24, 9.8), 0.0123), {}, {"total": 120, "margin": 2}),
    "B is better than A: +1.0 points [0.2, 1.9], p = 0.010": ((1.0, (0.2, 1.9), 0.01), {}, {"margin": 2}),
    f"B is {WITHIN}: -0.5 points [-1.9, 0.9], and the 95 % interval lies above -2": (
        *((-0.5, (-1.9, 0.9), 0.3), {}, {"margin": 2}),
    ),
    f"B is {WITHIN}, but lower: -1.0 points [-1.9, -0.1], and the 95 % interval lies above -2": (
        *((-1.0, (-1.9, -0.1), 0.03), {}, {"margin": 2}),
    ),
    f"B is {WITHIN}: no score differs": ((0.0, None, None), {}, {"margin": 2}),
    "undecided whether B is as good as A within 1 point: no score differs; failures of B in up to 5 % of answers that "
    "score could stay unseen and cost 3.0 points; such a margin needs about 306 answers": (
        *((0.0, None, None), {"unseen": Unseen(3.0, 0.05, "", 100, 60)}, {"margin": 1}),
    ),
    "undecided whether B is as good as A within 1 point: no score differs; 9 answers of A score, and a margin needs "
    "10": (*((0.0, None, None), {"unseen": Unseen(0.5, 0.3, "", 100, 9)}, {"margin": 1}),),
    f"B is better than A on these answers, but not shown to be {WITHIN}: +1.0 points [0.2, 1.9], p = 0.010; failures "
    "of B in up to 13 % of answers to qmsum that score could stay unseen and cost 3.5 points; such a margin needs "
    "about 25 answers to qmsum": (
        *((1.0, (0.2, 1.9), 0.01), {"unseen": Unseen(3.5, 0.133, "qmsum", 21, 21)}, {"margin": 2}),
    ),
    "B is better than A on these answers: +1.0 points [0.2, 1.9], p = 0.010; failures of B in up to 13 % of answers "
    "that score could stay unseen": ((1.0, (0.2, 1.9), 0.01), {"unseen": Unseen(3.5, 0.133, "", 21, 21)}, {}),
    "B is worse than A on these answers: -1.0 points [-1.9, -0.2], p = 0.010; failures of A in up to 13 % of answers "
    "that score could stay unseen": ((-1.0, (-1.9, -0.2), 0.01), {"unseen_old": Unseen(3.5, 0.133, "", 21, 21)}, {}),
    "no clear difference between A and B: -1.0 points [-2.1, 0.1], p = 0.070 (0.033 by randomisation)": (
        *((-1.0, (-2.1, 0.1), 0.07), {}, {"randomization": 0.033}),
    ),
    f"B is worse than A, and not shown to be {WITHIN}: -2.0 points [-3.0, -1.0], p = 0.001": (
        *((-2.0, (-3.0, -1.0), 0.001), {}, {"margin": 2}),
    ),
    f"undecided whether B is {WITHIN}: -2.0 points [-3.0, -1.0], p = 0.001 (0.200 corrected for all tasks)": (
        *((-2.0, (-3.0, -1.0), 0.001), {}, {"margin": 2, "corrected": 0.2, "corrected_for": "all tasks"}),
    ),
    f"undecided whether B is {WITHIN}: -0.5 points [-3.5, 2.5]; with this spread, a true loss of 4.3 "
    "points would be found in 80 % of samples of this size": (
        (-0.5, (-3.5, 2.5), 0.7),
        {"detectable": 4.3},
        {"margin": 2},
    ),
}


@pytest.mark.parametrize("words", VERDICTS)
def test_a_verdict_judges_the_second_system_in_a_sentence(words):
    (difference, ends, p), more, about = VERDICTS[words]
    more = {"unseen": Unseen(0.1, 0.01, "", 100, 100), **more}
    paired = PairedComparison(difference, ends and Interval(*ends), p, 30, 20, 50, **more)
    assert verdict(Outcome((50, 50 + difference), paired, **about), "A", "B") == words


def test_the_text_begins_with_the_verdict_and_names_the_answers_that_changed(two):
    lines = comparison.as_text(two).splitlines()
    said = "Mean of 2 tasks: undecided, fewer than 10 examples in each task: two minus one is -7.4 points."
    assert lines[0] == headline(two.comparisons[0]) == said
    assert "one and two: 7 examples answered by both, in 2 tasks." in lines
    assert "- quality: 2 right to wrong (2_a, 3_a), 1 wrong to right (4_a); 1 of 4 texts are identical" in lines
    assert "quality          75.0000  50.0000      -25.0  –         –                 1-1-2" in lines
    assert "mean of 2 tasks  70.1400  62.7525       -7.4  –" in lines, "no wins of its own"
    assert all(line.isprintable() for line in lines)


def test_the_json_has_every_number_and_question(two, three):
    data = comparison.as_json(two)
    assert validated(data, "comparison") == data
    assert list(data) == ["schema", "version", "systems", "test", "matches", "questions"]
    assert [row["signature"] for row in data["systems"]] == [str(scored.signature()) for scored in two.systems.values()]
    (match,) = data["matches"]
    keys = "first second tasks mean not_compared gate without_document signatures_differ settings_differ warnings"
    assert list(match) == keys.split()
    quality = match["tasks"]["quality"]
    expected = {"difference": -25, "interval": None, "p_value": None, "p_holm": None, "kind": "undecided", "margin": 5}
    assert {name: quality[name] for name in expected} == expected
    assert (quality["n"], quality["wins"], quality["lost"], quality["identical"]) == (4, 1, ["2_a", "3_a"], 1)
    assert quality["examples"][0] == {"id": "2_a", "scores": [100, 0], "difference": -100}
    assert (match["mean"]["wins"], match["mean"]["margin"]) == (None, None)
    reason = "undecided, fewer than 10 examples: two minus one is -25.0 points"
    assert match["gate"] == [{"name": "quality", "margin": 5, "holds": False, "reason": reason}]
    rows = {row["id"]: row for row in validated(comparison.as_json(three), "comparison")["questions"]}
    texts, points = {"one": "B", "two": "C", "three": "C"}, {"one": 100, "two": 0, "three": 0}
    expected = ComparedQuestion("quality", "2_a", ["B"], texts, points, {"two": -100, "three": -100})
    assert rows["2_a"] == expected._asdict()
    assert [rows["m1"][name]["three"] for name in ("predictions", "scores", "differences")] == [None] * 3
    assert [*rows] == [row.id for row in questions(three)] == ["m1", "m2", "m3", "1_a", "2_a", "3_a", "4_a"]


def test_the_page_has_every_key_of_the_json_and_no_other():
    page = (ROOT / "docs" / "compare.md").read_text(encoding="utf-8").partition("| in | keys |")[2]
    said = [re.findall(r"`(\w+)`", line.split(" | ")[1]) for line in page.splitlines() if " | " in line]
    schema = json.loads(schema_file("comparison").read_text(encoding="utf-8"))
    keys = {name: {*part["properties"]} for name, part in schema["$defs"].items()}
    mean, of_task, of_average = keys["OutcomeData"], keys["TaskOutcomeData"], keys["AverageOutcomeData"]
    assert mean <= of_task
    assert mean <= of_average
    systems, match, gate, question = (keys[f"{name}Data"] for name in ("System", "Match", "Gate", "Question"))
    of_outcomes = (mean, of_task - mean, of_average - mean)
    assert [*map(set, said)] == [{*schema["properties"]}, systems, match, gate, *of_outcomes, question]


def test_the_csv_has_a_row_per_question(three):
    rows = {row["id"]: row for row in csv.DictReader(io.StringIO(comparison.as_csv(three), newline=""))}
    row = rows["1_a"]
    assert (row["references"], row["prediction: three"], row["score: three"]) == ("A", HOSTILE, "0.0")
    assert row["difference: three - one"] == "-100.0"
    assert (rows["m1"]["references"], rows["m1"]["score: three"]) == ("a cat sat on the mat | the cat", "")


def test_systems_without_a_common_question_are_told_so_everywhere(tmp_path):
    apart = compare(systems(tmp_path, one={"quality": ONE["quality"]}, two={"qmsum": TWO["qmsum"]}))
    sentence = "Nothing to compare: no question was answered by both systems."
    assert comparison.as_text(apart).startswith(f"{sentence}\n\none and two: 0 examples answered by both")
    assert sentence in comparison_page(apart)


def test_markdown_has_a_table_for_each_pair_and_latex_a_row_for_each_system(three):
    lines = comparison.as_markdown(three).splitlines()
    assert lines[0] == "| task | one | two | two wins-ties-losses | verdict |"
    assert [line.split(" | ")[0] for line in lines[2:5]] == ["| QMSum", "| QuALITY", "| mean of 2 tasks"]
    undecided = "undecided, fewer than 10 examples: two minus one is -25.0 points"
    assert lines[3] == f"| QuALITY | 75.0000 | 50.0000 | 1-1-2 | {undecided} |"
    assert lines[5:7] == ["", "| task | one | three | three wins-ties-losses | verdict |"]
    assert "- not compared, no answers of three: qmsum" in lines
    assert lines[-3:] == [f"- {name}: `{scored.signature()}`" for name, scored in three.systems.items()]
    assert comparison.as_latex(three).splitlines() == [
        r"% \usepackage{booktabs}",
        r"% * differs from one on the task: two-sided p $<$ 0.05, corrected for the number of tasks and systems (Holm)",
        r"% * at the average or mean: two-sided p $<$ 0.05, corrected for the number of systems (2, Holm)",
        "% three: not compared, no answers of three: qmsum",
        *(f"% {name}: {scored.signature()}" for name, scored in three.systems.items()),
        r"\begin{tabular}{lrrrrr}",
        r"\toprule",
        r"System & QMsm & QALT & minus one & 95\,\% & $p$ \\",
        r"\midrule",
        r"one & 65.3 & \textbf{75.0} &  &  & \\",
        r"two & \textbf{75.5} & 50.0 & $-7.4$ &  & -- \\",
        r"three & -- & 25.0 & $-50.0$ &  & -- \\",
        r"\midrule",
        r"\multicolumn{6}{l}{\footnotesize minus one: two: Mean of 2 tasks; three: QuALITY} \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_the_text_ends_with_the_signature_of_each_system(two):
    signatures = [f"Signature of {name}: {scored.signature()}" for name, scored in two.systems.items()]
    assert comparison.as_text(two).splitlines()[-3:] == ["", *signatures]


def test_latex_prints_signs_as_signs(tmp_path):
    references = {"quality": {str(number): "A" for number in range(40)}}
    other = {"quality": {key: "AB"[int(key) % 2] for key in references["quality"]}}
    text = comparison.as_latex(compare(systems(tmp_path, references, one=references, two=other)))
    assert r"two & 50.0$^*$ & $-50.0$ & [$-67.3$, $-32.7$] & $<$ 0.0001 \\" in text


def test_hostile_names_and_ids_stay_on_their_line(tmp_path):
    references = {"quality": {"a|b\n\x1b[2J": "A", "c": "B"}}
    answers = {"o|n\ne\x1b": references, "two": {"quality": {"a|b\n\x1b[2J": "B", "c": "B"}}}
    hostile = compare(
        {name: score(tmp_path / str(i), {"a.json": a}, references) for i, (name, a) in enumerate(answers.items())}
    )
    assert "\x1b" not in comparison.as_text(hostile)
    first = comparison.as_markdown(hostile).splitlines()[0]
    assert first == "| task | o\\|n\\\\ne\\\\x1b | two | two wins-ties-losses | verdict |"


def test_the_page_shows_both_predictions_and_no_reference_unless_asked(three):
    drawn = read_html(comparison_page(three))
    title = r"Comparison of one and two and three Comparison of one , two and three \d{4}-\d\d-\d\d\."
    assert re.match(title, drawn.text)
    assert "answers/answers.json" in drawn.text
    assert ("script" in drawn.tags, HOSTILE in drawn.text) == (False, True)
    assert "one against two Mean of 2 tasks: undecided, fewer than 10 examples in each task: two" in drawn.text
    shown = "-100.0 QuALITY 2_a 100.0 against 0.0 one B two C"
    for asked in (False, True):
        page = comparison_page(three, references=asked)
        assert (f"{shown} Reference B" in read_html(page).text, "a cat sat on the mat" in page) == (asked, asked)
    assert shown in drawn.text


def test_the_page_and_the_json_have_the_warnings_about_the_data_with_the_names_of_their_systems(tmp_path):
    answers = {**TWO["quality"], "1_a": "", "2_a": ""}
    result = compare(systems(tmp_path, one=ONE, two={**TWO, "quality": answers}, three=ONE))
    drawn = read_html(comparison_page(result))
    assert "1 warning two: QuALITY: Empty answer (scores 0): 1_a (" in drawn.text
    assert drawn.text.index("1 warning") < drawn.text.index("one against two"), "it stands above the verdicts"
    found = validated(comparison.as_json(result), "comparison")["systems"]
    assert [row.get("problems_left_out") for row in found] == [None, 0, None]
    assert [(row["id"], row["kind"], row["refuses"]) for row in found[1]["problems"]] == [
        ("1_a", "empty", False),
        ("2_a", "empty", False),
    ]
    assert "warning" not in read_html(comparison_page(compare(systems(tmp_path, one=ONE, two=TWO)))).text


def test_a_warning_quotes_a_reference_only_on_a_page_with_references(tmp_path):
    quoted = Problem("lists-as-texts", "3 references are lists", "quality", detail="a private text", is_error=False)
    scored = systems(tmp_path, one=ONE, two=TWO)
    result = compare({name: replace(each, problems=[quoted]) for name, each in scored.items()})
    for shown in (False, True):
        text = read_html(comparison_page(result, references=shown)).text
        assert ("3 references are lists" in text, "a private text" in text) == (True, shown)


def test_the_page_says_what_was_not_scored_and_why(tmp_path):
    refused = {**TWO, "quality": {**TWO["quality"], "9_x": "A"}}
    page = comparison_page(compare(systems(tmp_path, one=ONE, two=refused)))
    assert "Not scored two: QuALITY: " in read_html(page).text


#: References that the metrics read; others take any text.
READ = {"exp_similarity": "50%", "accuracy": "B", "concordance_index": "1, 2", "retrieval": "Paragraph 1 段落1"}


@pytest.mark.parametrize("name", BENCHMARKS)
def test_sentences_of_the_page_and_of_html_begin_with_the_titles_of_tasks(name, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "jieba", None)  # tasks in Chinese are refused, in sentences of their own
    tasks = BENCHMARKS[name].all_tasks
    references = {key: dict.fromkeys("123", READ.get(task.metric.name, "x y")) for key, task in tasks.items()}
    answers = {"one": {"1": "x", "2": ""}, "two": {"2": "x", "3": "x"}}
    two = compare(
        {
            system: score(
                tmp_path / system, {"a.json": dict.fromkeys(tasks, texts)}, references, partial=True, benchmark=name
            )
            for system, texts in answers.items()
        }
    )
    (match,), scored = two.comparisons, [*two.systems.values()]
    pages = [file_page(scored, ReportLine("a", "r", "b"), (), match), file_page(scored[:1], ReportLine("a", "r"), ())]
    pages += [comparison_page(two), html_report(scored[0])]
    pieces = [piece.strip() for page in pages for piece in re.split("<[^<>]*>", str(page))]
    for key, task in tasks.items():
        assert any(piece.startswith(f"{task.title}: ") for piece in pieces), key
        names = {key, key.capitalize(), key[:1].upper() + key[1:]} - {task.title}
        assert [piece for piece in pieces if piece.startswith(tuple(f"{each}: " for each in names))] == []


def test_differences_are_drawn_inside_one_axis_with_the_score_of_either_side(tmp_path):
    references = {"quality": {str(number): "A" for number in range(12)}, "qasper": {"q": "yes"}}
    other = {"quality": {**references["quality"], "3": "B"}, "qasper": {"q": "no"}}
    html = comparison_page(compare(systems(tmp_path, references, one=references, two=other)))
    assert "QuALITY 100.0 91.7 -8.3 [-37.9, +21.2] no clear difference" in read_html(html).text
    assert not re.search('<tr class="zs-(up|down)', html), "a colour is a verdict"
    lefts = [float(left) for left in re.findall(r"left:(-?[\d.]+)%", html)]
    # The largest difference, 100 points, is at the end, at 1; 8.3 points are at 50 - 49 * 0.083.
    assert {1.0, 45.92} <= set(lefts)
    assert len(lefts) > 5
    assert 0 <= min(lefts) <= max(lefts) <= 100


def test_only_a_clear_difference_of_the_whole_is_coloured_and_has_a_better_system(tmp_path):
    references = {"quality": dict.fromkeys(map(str, range(12)), "A")}
    wrong = {"quality": dict.fromkeys(map(str, range(11)), "B")}
    for new, rows, word in (
        ({"quality": {**wrong["quality"], "11": "A"}}, 1, "one better"),
        (wrong, 0, "no verdict"),  # an answer is missing
    ):
        result = compare(systems(tmp_path, references, partial=True, one=references, two=new))
        html = comparison_page(result)
        assert (html.count('<tr class="zs-down"'), html.count('class="dot"')) == (rows, rows)
        assert word in read_html(html).text
