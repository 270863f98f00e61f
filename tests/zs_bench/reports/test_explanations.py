"""Explanations as text, one fact a line, and as HTML, in which no text of a visitor becomes markup."""

from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markup_check import read_html

from zs_bench.benchmarks import BENCHMARKS, find_task
from zs_bench.reports.explain_text import FEW, render
from zs_bench.reports.html import environment
from zs_bench.reports.html.explanation import why
from zs_metric.explain import explain
from zs_metric.metrics import METRICS


def explained(task, prediction, *references):
    return explain(
        find_task(task, benchmark="scrolls" if task == "contract_nli" else "zero_scrolls"), prediction, references
    )


def lines(*question):
    return render(explained(*question)).splitlines()


def drawn(*question):
    return read_html(why(explained(*question)))


#: Task, answer and references, and the end of the text.
TEXTS = {
    ("musique", "“Paris”, the capital\nof France", "x", "Paris, France"): """\
musique: 33.33 of 100 points (f1).
Lost 66.67 points: typography 33.33, words too many 33.33.
F1 compares words, not meaning.
What if: typographic characters written in ASCII, “"Paris", the capital of France”: 66.67 points.
Answer: “Paris”, the capital of France
Words of the answer, those shared in brackets: "paris" capital of [france]
Words of reference 2: paris [france]
Shared: 1. Precision 25.00, recall 50.00.
Typographic: “ (left double quotation mark), '"' in ASCII, 1 in the prediction and 0 in the references.
Typographic: ” (right double quotation mark), '"' in ASCII, 1 in the prediction and 0 in the references.
With ASCII in their place on both sides: 66.67 points.
Reference 1: 0.00 points: “x”.
Reference 2: 33.33 points: “Paris, France”.""",
    ("squality", "Police killed the old gunman.", "police kill the gunman", "police killed a man"): """\
squality: 50.26 of 100 points (rouge).
Lost 49.74 points: words missing 26.70, words too many 23.04.
Reference 1 has 4 words, the prediction 5 (125%); shared are 3 words, 1 pair of neighbours, 3 words in the same order.
ROUGE compares words, not meaning.
ROUGE-1: precision 60.00, recall 75.00, F 66.67, with reference 1.
ROUGE-2: precision 25.00, recall 33.33, F 28.57, with reference 2.
ROUGE-L: precision 60.00, recall 75.00, F 66.67, with reference 1.
Score: the cube root of 66.67 x 28.57 x 66.67, 50.26.
Reference 1, 4 words: ROUGE-1 66.67, ROUGE-2 0.00, ROUGE-L 66.67.
Reference 2, 4 words: ROUGE-1 44.44, ROUGE-2 28.57, ROUGE-L 44.44.
Words of the answer shared one by one: 3 of 5.
Words of the answer shared in pairs of neighbours: 2 of 5.
Words of the answer shared in the longest common subsequence: 3 of 5.
Answer, shared pairs of words in brackets: [Police killed] the old gunman.
Reference 1, the best for ROUGE-1, ROUGE-L: police kill the gunman
Reference 2, the best for ROUGE-2: [police killed] a man""",
    ("quality", "C or D?", "D"): """\
Why: the first letter found is C, not D.
Lost 100.00 points: two options 100.00.
Answer: [C] or D?
Read: C, the first letter that stands alone. Also there: D.
Reference: D.""",
    ("quality", "d", "D"): """\
Read: no letter.
It may mean D (a lowercase letter), which would score 100.00.
Reference: D.""",
    ("space_digest", "so 55%", "60%"): """\
Answer: so [55%]
Read: 55%. Reference: 60%. They are 5 points apart; every 10 points halve the score.""",
    ("space_digest", "40", "60%"): """\
Read: no percentage. Reference: 60%.
It may mean 40% (a number without the percent sign), which would score 25.00.""",
    ("book_sum_sort", "3, 1, 2", "1, 2, 3"): """\
Read: 3, 1, 2.
Reference: 1, 2, 3.
In order: 1 of 3 pairs.
Out of order: 3 before 1, 3 before 2.""",
    ("book_sum_sort", "1, 2", "1, 2"): """\
book_sum_sort: 100.00 of 100 points (concordance_index).
Nothing was lost.
Read: 1, 2.
Reference: 1, 2.
In order: 1 of 1 pair.""",
    ("book_sum_sort", "1-2, 9999999999999", "1, 2, 3"): """\
Not a permutation: missing 1, 2, 3; foreign 12, a huge number.
It may mean 1, 2 (the longest list in the answer, alone), which would score 0.00.
Note: ids above 1,000,000,000,000 are shown as that number.""",
    ("contract_nli", "Entailment, yes", "Entailment"): """\
Answer: Entailment, yes
Words of the answer, those shared in brackets: [entailment] yes
Words of reference 1: [entailment]
Reference 1: 0.00 points: “Entailment”.""",
}


@pytest.mark.parametrize("question", TEXTS)
def test_an_answer_is_read_out_step_by_step(question):
    text = TEXTS[question].splitlines()
    assert lines(*question)[-len(text) :] == text


def test_long_answers_and_lists_are_cut():
    (what_if,) = (line for line in lines("qasper", "yes " * 30 + "no " * 30, "yes " * 30) if line.startswith("What if"))
    assert what_if == "What if: the answer up to “… yes yes yes yes yes”: 100.00 points."
    ids = [str(i) for i in range(1, 31)]
    out_of_order = lines("book_sum_sort", ", ".join(reversed(ids)), ", ".join(ids))[-1]
    assert (out_of_order.count(" before "), out_of_order[-4:]) == (FEW, ", ….")


@pytest.mark.parametrize("task", ["qasper", "gov_report", "quality", "space_digest", "book_sum_sort"])
def test_an_empty_answer_and_a_huge_one_are_read_out(task):
    reference = {"quality": "B", "space_digest": "40%", "book_sum_sort": "1, 2"}.get(task, "cat sat")
    assert "Why: the answer is empty." in lines(task, "", reference)
    huge = lines(task, "1, cat “ " * 10_000, reference)
    assert any(line.startswith(("Note: only the first ", "Note: no repair ")) for line in huge)
    assert len("\n".join(huge)) < 300_000


def test_every_metric_with_an_explanation_of_its_own_has_a_template():
    of_tasks = {task.metric.name for benchmark in BENCHMARKS.values() for task in benchmark.all_tasks.values()}
    metrics = {name for name in {*of_tasks, *METRICS} if find_spec(f"zs_metric.explain.{name}")}
    assert {"f1", "rouge", "accuracy"} <= metrics
    assert {f"explanations/{metric}.html" for metric in metrics} <= set(environment().list_templates())


#: Task, answer and references; how many places are marked, and sentences of the view.
VIEWS = {
    ("narrative_qa", "the Old clock, behind it", "Behind the pendulum of the old clock", "In the clock"): (
        *(6, "F1 = 2PR/(P+R) = 66.6667 , precision P 75.0, recall R 60.0"),
        *("Words shared, without a, an, the", "Behind the pendulum of the old clock 66.7, the best"),
    ),
    ("musique", "“Paris”", "Paris"): (0, "Typography costs 100.0 points", '“ left double quotation mark is not "'),
    ("qasper", "the a an", "yes"): (0, "nothing read: 100.0", "no word is left"),
    ("qasper", "concurrent instructions, as the paper says", "concurrent instructions"): (
        *(4, "All words of reference 1 are in the prediction", "100.0 the answer up to “concurrent instructions,”"),
    ),
    ("squality", "the cat sat on the mat", "a cat sat on a mat", "the mat was red"): (
        *(0, "Words (4)", "∛(", "Reference 1, best for all three types 6 tokens"),
    ),
    ("squality", "one two three four", "one two five six", "four three two one"): (0, "best for ROUGE-2"),
    ("quality", "A good answer is B, not D", "B"): (
        *(1, "The first letter alone is the article “A”", "The answer names B as its answer", "Reference: B"),
    ),
    ("quality", "b) the mill", "B"): (0, "It may mean B (a lowercase letter)"),
    ("space_digest", "so " * 3_000 + "it is 55% in all", "60%"): (
        *(1, "it is 55% in all", "reference 60% answer 55%: 70.7"),
    ),
    ("space_digest", "55 percent", "60%"): (0, "It may mean 55%", "55% would be 70.7"),
    ("book_sum_sort", "2-1-3", "1, 2, 3"): (
        *(0, "missing : 1, 2, 3", "not in the list : 213", "The order that was probably meant"),
    ),
    ("contract_nli", "Entailment, yes", "Entailment"): (2, "Word by word, without a, an, the"),
}


@pytest.mark.parametrize("question", VIEWS)
def test_every_view_marks_what_counted_and_says_it_in_words(question):
    (hits, *texts), view = VIEWS[question], drawn(*question)
    assert view.classes["hit"] == hits
    assert [text for text in texts if text not in view.text] == []


def test_rouge_has_tables_and_a_switch_without_what_takes_too_long():
    view = drawn("squality", "the cat sat on the mat", "a cat sat on a mat", "the mat was red")
    assert (view.tags["table"], view.tags["input"]) == (2, 3)
    assert view.classes["u"] > view.classes["b"] > 0
    words = " ".join(f"w{i}" for i in range(3_000))
    view = drawn("gov_report", words, words)
    assert "Longest common subsequence (not marked)" in view.text
    assert ("disabled", None) in view.attributes


def test_charts_say_in_words_what_they_draw():
    curve = "Score by percentage: 100 at the reference 60%, half every 10 points"
    assert drawn("space_digest", "about 55%", "60%").labels[1:] == [f"{curve}; the answer's 55% gives 70.7"]
    assert drawn("space_digest", "55 percent", "60%").labels[1:] == [f"{curve}; 55% would have given 70.7"]
    view = drawn("book_sum_sort", "2, 1, 3, 5, 4", "1, 2, 3, 4, 5")
    assert [view.classes[name] for name in ("cross", "slope", "out")] == [2, 5, 4]
    assert "8 of 10 pairs in order; true order 1, 2, 3, 4, 5; answer 2, 1, 3, 5, 4" in view.labels
    truth = ", ".join(map(str, range(1, 102)))
    view = drawn("book_sum_sort", truth, truth)
    assert (view.tags["svg"], "5,050 of 5,050 pairs in order" in view.text) == (0, True), "too many to draw"


SOME = {
    "narrative_qa": "The café's “end”",
    "gov_report": "one two three, and the end of it",
    "quality": "B",
    "space_digest": "45.5%",
    "book_sum_sort": "2, 1, 3, 4",
}
HOSTILE = "<img src=x onerror=alert(1)></p>\"'&amp; {0} {name} \u202e\x00 55% A 3, 1, 2 the end"


@pytest.mark.parametrize("task", SOME)
def test_a_hostile_answer_stays_text(task):
    texts = ("narrative_qa", "gov_report")
    view = drawn(task, HOSTILE, f"<b onload=x>{SOME[task]}</b>" if task in texts else SOME[task])
    assert "img" not in view.tags
    assert ("img" in view.text) == (task != "book_sum_sort")


@pytest.mark.parametrize("task", SOME)
@given(st.text(max_size=40) | st.text("ABCD abcd 0123456789%,.-“”’é<>&\"'{}", max_size=60))
def test_any_answer_is_drawn_as_whole_html(task, prediction):
    drawn(task, prediction, SOME[task])
    drawn(task, prediction, SOME[task], SOME[task] + " 7")
