"""The HTML report: one file that loads nothing, and reveals nothing of the references unless asked to."""

import json
import re
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError
from markup_check import read_html
from markupsafe import Markup
from report_schema import validated
from written_files import score, write

from zs_bench.answers import Answer
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.measures import spread
from zs_bench.reports.answers import choose_informative, explained_answers, loss_sentence, losses_as_text
from zs_bench.reports.html import MEANINGS, PLACES, Point, environment, length_chart, render, strip
from zs_bench.reports.html.standalone import LONGEST_EXPLAINED, html_report
from zs_bench.reports.report import as_json, as_text, largest_patterns
from zs_metric.results import ExampleResult
from zs_metric.rouge import engine
from zs_start.cli import main

SECRET = "quokka zyzzyva crwth"
ANSWERS = {
    "gov_report": {"g1": "the dam broke in the night and the town was lost", "g2": ""},
    "qasper": {"q1": "yes, “indeed”", "q2": "no it is not"},
    "quality": {"y1": "A good answer is B", "y2": "C"},
    "space_digest": {"s1": "55%", "s2": "none"},
    "book_sum_sort": {"b1": "4, 3, 2, 1", "b2": "2-1-3-4"},
}
REFERENCES = {
    "gov_report": {"g1": f"the dam broke {SECRET}", "g2": SECRET},
    "qasper": {"q1": [f"yes indeed {SECRET}", SECRET], "q2": SECRET},
    "quality": {"y1": f"(B) {SECRET}", "y2": f"(D) {SECRET}"},
    "space_digest": {"s1": "61.375%", "s2": "61.375%"},
    "book_sum_sort": {"b1": "3, 1, 4, 2", "b2": "3, 1, 4, 2"},
}
HOSTILE = "</style></title><script>alert(1)</script><img src=//x onerror=alert(1)>\"'&amp;{0}{name}\u202e\ud800"


def scored_file(folder, answers, references, **options):
    return score(folder, {"answers.json": json.dumps(answers)}, json.dumps(references), **options)


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    return scored_file(tmp_path_factory.mktemp("scored"), ANSWERS, REFERENCES)


def test_the_published_numbers_that_the_text_has_stand_in_it_under_the_titles_of_the_tasks(tmp_path):
    known = {"qmsum": {str(number): [f"They met {number} times."] for number in range(281)}}
    low = scored_file(tmp_path, {"qmsum": dict.fromkeys(known["qmsum"], "no")}, known)
    text = read_html(html_report(low)).text
    for line in as_text(low).splitlines():
        if line.startswith(("Not above", "Published averages")):
            assert line.replace("qmsum", "QMSum") in text
    assert "Not above the naive baseline of the test split: QMSum 0.0 (baseline 6.7)." in text


def test_it_has_the_score_the_losses_and_the_answers_with_their_explanations(scored):
    report = read_html(html_report(scored))
    title = r"answers: ZeroSCROLLS scores answers : ZeroSCROLLS scores \d{4}-\d\d-\d\d\. File: "
    assert re.match(title, report.text)
    for text in (
        " mean of these tasks 5 of 10 tasks; the ZeroSCROLLS score needs all 10 ",
        "Signature: ZS|tasks:",
        "Where the points went",
        "b2 not a permutation",
        "50.0 points lost score: 50.0 wrong order: 50.0 points",
        "Read as 11 words",
    ):
        assert text in report.text
    assert report.tags["details"] == 10 + 5 + 2
    assert report.classes["hit"] > 0
    scores = [row.result.score for row in explained_answers(scored)]
    assert scores == sorted(scores)
    assert "<my> run : ZeroSCROLLS scores" in read_html(html_report(scored, name="<my> run")).text


def test_it_asks_for_nothing_and_reveals_no_reference_unless_asked(scored, tmp_path):
    without, page = html_report(scored), html_report(scored, references=True)
    for secret in (*SECRET.split(), "61.375", "3, 1, 4, 2"):
        assert (secret in without, secret in page) == (False, True)
    report = read_html(page)
    assert not {"script", "img", "iframe", "object", "embed"} & set(report.tags)
    assert [value for name, value in report.attributes if name == "href" and value[:1] != "#"] == ["data:,"]
    assert not [word for word in ("http:", "https:", "url(", "@import", "javascript:") if word in page]
    assert "default-src 'none'" in page
    unreadable = {"quality": {"1": SECRET}, "qasper": {"2": "x"}}
    file = scored_file(tmp_path, {"quality": {"1": "A"}, "qasper": {"2": "no"}}, unreadable)
    assert "A reference cannot be read" in html_report(file)
    assert ("quokka" in html_report(file), "quokka" in html_report(file, references=True)) == (False, True)


def test_hostile_ids_answers_and_references_stay_text(tmp_path):
    answers = {task: {HOSTILE: next(iter(by_id.values()))} for task, by_id in ANSWERS.items()}
    references = {task: {HOSTILE: next(iter(by_id.values()))} for task, by_id in REFERENCES.items()}
    answers["qasper"], references["qasper"] = {HOSTILE: HOSTILE}, {HOSTILE: [HOSTILE + " x", "end"]}
    page = html_report(scored_file(tmp_path, answers, references), references=True)
    report = read_html(page)
    assert not {"script", "img"} & set(report.tags)
    assert "<script>alert(1)</script>" in report.text
    page.encode("utf-8")


def test_it_stays_small_whatever_the_answers(tmp_path):
    long, longer = "word and ” " * 2_000, "w" * (LONGEST_EXPLAINED + 1)
    answers = {"gov_report": {"1": long, "2": longer}, "qasper": {"1": long, "2": longer}}
    references = {task: {"1": [long + "end"] * 4, "2": ["word"]} for task in answers}
    page = html_report(scored_file(tmp_path, answers, references), references=True)
    assert len(page) < 200_000
    assert "An answer of more than 50,000 characters is scored, not explained." in page


ONE = {"quality": {"1": "A"}}
THREE = {"quality": {"1": "A", "2": "B"}, "qasper": {"7": ["yes indeed it is"]}, "gov_report": {"9": "a b c d"}}


def test_every_task_has_a_row_and_up_to_three_are_in_large_figures(tmp_path):
    for answers, references, texts in (
        (
            {"quality": {"1": "A", "2": "A good B"}, "qasper": {"7": "yes"}, "gov_report": {"9": "a b c"}},
            THREE,
            [
                "83.8 GovReport 40.0 Qasper 50.0 QuALITY 3 of 10 tasks; the ZeroSCROLLS score needs all",
                "QuALITY 50.0 Accuracy 2",
                "GovReport 83.8 ROUGE-1/2/L: 85.71/80.00/85.71 1",
                "No predictions: SummScreenFD, QMSum, SQuALITY, NarrativeQA, MuSiQue, SpaceDigest, BookSumSort.",
                "No interval, fewer than 10 examples: all tasks.",
                "QuALITY 50.0 points lost: misread 50.0; 50% are a bare letter",
                "Qasper answers 1 word · references 4 words · scale 0 to 4 words",
            ],
        ),
        ({"quality": {"1": "A", "9": "B"}}, THREE, ["QuALITY not scored 1 missing, 1 unknown ID 1 of 2"]),
        ({"quality": {"1": None}}, ONE, ["Nothing was scored. 0 of 10 tasks", "Not scored QuALITY:"]),
        ({"quality": {"1": "A"}}, ONE, ["nothing lost; 100% are a bare letter"]),
    ):
        report = read_html(html_report(scored_file(tmp_path, answers, references)))
        assert [text for text in texts if text not in report.text] == []
        assert ("zs-example" in report.classes) == ("qasper" in answers)
        assert ("words (median" in report.text) == ("qasper" in answers)


def test_the_largest_patterns_and_what_is_not_read_stand_below_the_score_in_every_form(tmp_path):
    references = {"qasper": {f"q{i}": "two corpora" for i in range(4)}, "quality": {"y": "B"}}
    answers = {"qasper": {"q0": "Yes.", "q1": "Yes", "q2": "Unanswerable", "q3": "two corpora"}, "quality": {"y": "2"}}
    file = scored_file(tmp_path, answers, references)
    sentences = [
        "1 of 1 QuALITY answers has no option letter that accuracy reads.",
        "2 of the 3 Qasper answers that lost points begin with yes or no where no reference does.",
    ]
    assert [pattern.sentence for pattern in largest_patterns(file.scored.values())] == sentences
    assert f"the ZeroSCROLLS score needs all 10 {' '.join(sentences)}" in read_html(html_report(file)).text
    assert "\n".join([*sentences, "No interval"]) in as_text(file)
    patterns = validated(as_json(file))["patterns"]
    assert [(row["name"], row["task"], row["count"], row["points"], row["below"], row["ids"]) for row in patterns] == [
        ("unasked_yes_no", "qasper", 2, None, 50, ["q0", "q1"]),
        ("false_unanswerable", "qasper", 1, None, 25, ["q2"]),
        ("nothing_read", "quality", 1, None, 100, ["y"]),
    ]


def test_the_command_writes_it_with_references_if_asked(tmp_path):
    answers, references = write(tmp_path / "a.json", ANSWERS), write(tmp_path / "r.json", REFERENCES)
    command, out = ["score", str(answers), "--references", str(references)], tmp_path / "out.html"
    for options in ([], ["--html-references"]):
        assert main([*command, "--html", str(out), *options]) == 0
        text = out.read_text(encoding="utf-8")
        assert (text.startswith("<!doctype html>"), "quokka" in text) == (True, bool(options))


def test_the_rouge_engine_is_named_only_where_a_task_uses_it(scored, tmp_path):
    assert f"; ROUGE by {engine().name}." in html_report(scored)
    without = scored_file(tmp_path, {"quality": {"1": "A"}}, ONE)
    assert "ROUGE" not in html_report(without)
    assert (as_json(without)["engine"], as_json(without)["rouge_aggregation"]) == (None, None)
    assert (as_json(scored)["engine"], as_json(scored)["rouge_aggregation"]) == (engine().name, "corpus")


def test_what_the_causes_mean_claims_nothing_of_a_person_where_nobody_looked_for_an_answer():
    assert "person" not in MEANINGS["nothing read"]
    assert "not broken down" in MEANINGS["not explained"]


def test_the_losses_of_each_task_are_a_table_and_add_up_in_the_json(scored, tmp_path):
    title, *table, mean, aggregation, in_format = losses_as_text(scored).splitlines()
    assert title == "Where the points went:"
    assert [" ".join(line.split()) for line in (table[0], table[3])] == [
        "task mean aggregation score in format lost to",
        "quality 0.00 0.00 50% misread 50.00, wrong option 50.00",
    ]
    assert mean == "mean: of the answers' scores; mean + what was lost = 100"
    assert aggregation.startswith("aggregation: ROUGE's score is ")
    assert in_format.startswith("in format: the answers in the form that the task asks for")
    assert "losses" not in as_json(scored)["tasks"]["quality"]
    for task in validated(as_json(scored, losses=True))["tasks"].values():
        lost = [100 - example["score"] for example in task["examples"]]
        assert sum(task["losses"].values()) == pytest.approx(sum(lost) / len(lost))
    references, answers = {"gov_report": {"1": "a b c d e f", "2": "a b"}}, {"gov_report": {"1": "a b c", "2": "a b"}}
    for aggregation in ("corpus", "instance"):
        task = scored_file(tmp_path, answers, references, rouge_aggregation=aggregation).tasks["gov_report"]
        assert (task.losses.aggregation == 0) == (aggregation == "instance")
        assert task.losses.score + task.losses.aggregation == pytest.approx(task.score)
    assert task.losses is task.losses
    assert task.patterns is task.patterns


def test_losses_are_put_in_a_sentence_the_largest_first():
    for causes, aggregation, sentence in (
        ({}, 0.0, "nothing lost"),
        ({"typography": 2.0, "words missing": 3.0}, 0.0, "5.0 points lost: words missing 3.0, typography 2.0"),
        (
            {"too high": 5.0},
            -0.25,
            "5.0 points lost: too high 5.0; -0.25 since ROUGE is no mean of its answers' scores",
        ),
    ):
        assert loss_sentence(SimpleNamespace(mean=causes, aggregation=aggregation, in_format=None)) == sentence


NAMES = {"misread": "misread", "missing": "words missing", "extra": "words too many"}


def row(key, task="qasper", answer=None, **lost):
    losses = {NAMES[name]: points for name, points in lost.items()}
    text = f"answer {key}" if answer is None else answer
    result = ExampleResult(100 - sum(lost.values()), text, None)
    answer = Answer(TASKS[task], key, text, [], result, None)
    vars(answer)["explanation"] = SimpleNamespace(losses=losses)
    return answer


def test_an_answer_is_said_to_lose_to_the_cause_that_took_most():
    lost_to = [row("1", missing=3.0, misread=2.0).lost_to, row("2", extra=1).lost_to, row("3").lost_to]
    assert lost_to == ["words missing", "words too many", ""]
    assert row("4", misread=0.004).lost_to == ""


SHARED = [row("c1", missing=60), row("c2", missing=90), row("f", misread=100), row("l1", extra=5), row("l2", extra=9)]
MANY = [*(row(f"q{i}", missing=50) for i in range(9)), row("n", "narrative_qa", missing=1)]
EQUAL = [row("1", answer="I do not know", missing=100), row("2", answer=" I do not know\n", missing=100)]
EQUAL += [row("3", "quality", answer="I do not know", misread=100), row("perfect")]


def test_the_causes_of_loss_and_the_tasks_take_turns_and_equal_answers_are_shown_once():
    for rows, most, chosen in (
        (SHARED, 100, {"qasper": ["f", "c2", "l2", "c1", "l1"]}),
        ([row("both", extra=30, missing=40), row("c", missing=10)], 100, {"qasper": ["both", "c"]}),
        (MANY, 4, {"qasper": ["q0", "q1", "q2"], "narrative_qa": ["n"]}),
        (EQUAL, 100, {"qasper": ["1"], "quality": ["3"]}),
    ):
        informative = choose_informative(rows, most)
        assert {task: [answer.id for answer in answers] for task, answers in informative.items()} == chosen


def test_the_lines_of_several_models_have_their_names_beside_them():
    series = {"A": [Point(1024, 10.0), Point(2048, 20.0, (18.0, 22.0))], "B": [Point(2048, 15.0)]}
    chart = read_html(length_chart(series, "a chart"))
    assert chart.labels == ["a chart A: 1,024 tokens 10.0, 2,048 tokens 20.0; B: 2,048 tokens 15.0"]
    assert chart.text.endswith("tokens 10.0 20.0 15.0 A B")
    assert chart.tags["polyline"] == 2


def test_a_strip_says_where_the_word_pairs_occur():
    for document, output, sentence in (
        ("a b c", "x y z", "None of the 2 word pairs of the answer occurs in the document of 3 words."),
        ("a b c", "x y", "The only word pair of the answer does not occur in the document of 3 words."),
        ("a b c", "a b", "The only word pair of the answer occurs in the document of 3 words, first at word 1."),
        ("a b c", "a", "The answer has fewer than two words: no word pairs to look for in the document."),
        ("a b c", "a b x", "1 of 2 word pairs of the answer occurs in the document of 3 words, first at word 1."),
        ("a b x x x x x x c d e", "a b c d", "2 of 3 word pairs of the answer occur in the document, between words 1 "),
    ):
        drawn = read_html(strip(spread(document, output)))
        assert sentence in drawn.text
        assert drawn.labels[0] in drawn.text
        assert drawn.tags["b"] == sentence.startswith("2")
        assert "<img" in read_html(strip(spread(document, output), "<img src=x")).text


@given(st.text(alphabet="ab ", max_size=60), st.text(alphabet="ab ", max_size=20))
def test_every_mark_stands_within_the_strip(document, output):
    styles = [value or "" for name, value in read_html(strip(spread(document, output))).attributes if name == "style"]
    assert all(0 <= float(style[len("left:") : style.index("%")]) <= 100 for style in styles)


def test_a_long_output_has_no_more_ticks_than_the_strip_has_places():
    document = " ".join(f"w{i}" for i in range(5000))
    assert read_html(strip(spread(document, document))).tags["i"] == PLACES + 1


def test_values_are_escaped_a_missing_one_is_an_error_and_tables_align_numbers():
    drawn = render("notice.html", kind="error", title="<b>", lines=[Markup("<i>x</i>"), "a & b"])
    assert "<strong>&lt;b&gt;</strong><ul><li><i>x</i></li><li>a &amp; b</li></ul>" in drawn
    with pytest.raises(UndefinedError):
        render("notice.html", kind="info")
    macros = environment().get_template("macros.html").module
    drawn = macros.table("Scores", [("Task", ""), ("Score", "num")], [["Qasper", "7"]])
    assert '<th scope="col" class="num">Score</th>' in drawn
    assert '<tbody><tr><th scope="row">Qasper</th><td class="num">7</td></tr></tbody>' in drawn
