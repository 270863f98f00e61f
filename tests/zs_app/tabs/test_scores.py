"""Scores as cards: once for each key typed, with the reason apart, and whatever is typed shown as text."""

import asyncio
import re
import threading
from dataclasses import replace

import pytest
from hostile_files import CHARMS
from hypothesis import example as with_example
from hypothesis import given
from hypothesis import strategies as st
from markup_check import read_html

from zs_app import words
from zs_app.tabs import examples, score_answer, try_task
from zs_app.tabs.examples import ChosenExample, sample_answer, task_of
from zs_app.tabs.score_answer import example_score, references, scored
from zs_app.tabs.try_task import LEAST, WHOLE
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import load_embedded
from zs_bench.dataset.source import Source
from zs_metric import score_example

WORDS = ["A", "(B)", "55%", "1, 2, 3", "2-1", "the", "“quoted”", "é", "cat sat", "9" * 400, "%", ".", "\n", *CHARMS]
TEXT = st.lists(st.sampled_from(WORDS) | st.text(max_size=8), max_size=6).map(" ".join)


@given(st.sampled_from(list(TASKS)), TEXT, st.lists(TEXT, min_size=1, max_size=3))
@with_example("qasper", "<img src=x onerror=alert(1)>", ["<script>alert(1)</script>"])
def test_whatever_is_typed_is_shown_as_text(task, answer, references):
    shown = str(score_answer.scored_card(task_of(task), answer, references))
    assert "href" not in dict(read_html(shown).attributes)
    assert re.search("zs-(card|notice)", shown)


@pytest.mark.parametrize(
    ("task", "answer", "texts", "shown", "hidden"),
    [
        ("narrative_qa", "“Paris”", ["Paris"], [words.TYPOGRAPHY], ["No word in common"]),
        ("narrative_qa", "“Rome”", ["Paris"], ["No word in common"], [words.TYPOGRAPHY]),
        ("narrative_qa", "“Paris” or Rome", ["Paris"], [], [words.TYPOGRAPHY]),
        ("narrative_qa", "Paris or Rome", ["Paris"], ["1 of 3 words shared", words.WORDS_ONLY], ["ight", "GPT"]),
        ("narrative_qa", "the Paris", ["Paris"], ["Every word shared", '<code dir="auto">paris</code>'], []),
        ("quality", "(B)", ["B"], ["Right", "read as"], []),
        ("quality", "C", ["B"], ["Wrong"], ["again", words.WORDS_ONLY]),
        ("quality", "Bob", ["B"], ["nothing"], []),
        ("space_digest", "0.5%", ["60%"], ["0.5%", "59.5 points off"], []),
        ("space_digest", "none", ["60%"], ["nothing", "No percentage read"], []),
        ("space_digest", "60%", ["60%"], ["0 points off"], ["ight"]),
        ("book_sum_sort", "2, 1, 3", ["1, 2, 3"], ["2, 1, 3", "2 of 3 pairs in order"], []),
        ("book_sum_sort", "2, 1", ["1, 2, 3"], ["Not a permutation of the list"], []),
        ("qmsum", "a bridge here", ["the bridge here"], ["read as 3 words", "2 of 3 words shared"], ["ight", "GPT"]),
        ("narrative_qa", "word " * 20, ["other"], ["20 words"], []),
    ],
)
def test_a_card_has_the_verdict_of_its_metric_and_what_was_read(task, answer, texts, shown, hidden):
    cards = scored(TASKS[task], answer, texts, is_hidden=True)
    for text in shown:
        assert text in cards.card + cards.why, text
    for text in hidden:
        assert text not in cards.card, text
    assert (cards.card + cards.why).count("No word in common") <= 1


def test_the_reason_stands_beside_the_score_unless_the_references_are_hidden():
    for is_hidden in (False, True):
        card, why = scored(TASKS["qasper"], "yes", ["yes indeed"], is_hidden=is_hidden)
        reason = "1 of the 2 words of reference 1"
        assert (reason in card, reason in why) == (not is_hidden, is_hidden)


def test_a_score_that_counts_words_is_said_in_words_and_n_grams_beside_no_average_and_no_right():
    card, _ = scored(TASKS["gov_report"], "the cat sat on the mat", ["the dog sat on the mat"])
    assert "74.7" in card
    assert "shared are 5 words, 3 pairs of neighbours, 5 words in the same order" in card
    opposite, _ = scored(TASKS["qasper"], "The method does not improve accuracy", ["The method does improve accuracy"])
    assert "88.9" in opposite
    for shown in (card, opposite):
        assert shown.count("compares words, not meaning") == 1
        assert not re.search("GPT|average|[Rr]ight", shown)


@pytest.fixture
def calls(monkeypatch):
    """The names of the scoring functions called."""
    made = []

    def counted(name, function):
        return lambda *texts, **options: made.append(name) or function(*texts, **options)

    for name in ("score_within_limits", "explain_within_limits"):
        monkeypatch.setattr(score_answer, name, counted(name, getattr(score_answer, name)))
    return made


def test_each_key_typed_scores_once_a_long_answer_without_explanation_and_none_not_at_all(calls):
    asyncio.run(try_task.try_answer("embedded", "quality", 0, ""))
    asyncio.run(score_answer.score("qasper", "", ["no"]))
    assert calls == []
    for value in ("qasper", "gov_report", "scrolls/contract_nli"):
        asyncio.run(try_task.try_answer("embedded", value, 0, "A, 50% of 1, 2"))
    assert 'data-score="66.6667"' in asyncio.run(score_answer.score("qasper", "yes", ["no", "", "yes indeed"]))["html"]
    assert calls == ["explain_within_limits"] * 4
    long = score_answer.scored(task_of("quality"), "B " * 50_000, ["B"])
    assert all(text in long.card for text in ("100.0", words.RIGHT))
    assert "too long to explain: 100,000 characters in the answer, 1 character in the references" in long.why
    assert calls[4:] == ["score_within_limits"]
    by_words = score_answer.scored(task_of("qasper"), "no " * 50_000, ["no"]).card
    assert not any(text in by_words for text in (words.RIGHT, words.WRONG)), "F1 asks for words"
    assert "more than the 1,000,000" in scored(TASKS["quality"], "B" * 1_000_001, ["B"]).card


def test_a_reference_that_cannot_be_read_is_named_as_its_box():
    shown = score_answer.scored_card(TASKS["quality"], "B", ["", "B", "none"])
    assert "Reference 3 cannot be read" in shown
    assert words.ANSWER_NO_REFERENCE in score_answer.scored_card(TASKS["quality"], "B", [""])
    assert words.NO_ANSWER_YET in score_answer.scored_card(TASKS["quality"], "", [""])


def test_the_card_of_an_example_does_not_give_its_reference_away():
    for text in ("D", "A good answer is B"):
        score = asyncio.run(try_task.try_answer("embedded", "quality", 0, text))
        assert "not C" not in score["card"]
        assert "C" in score["why"]


@pytest.mark.parametrize(
    ("source", "task", "answer", "in_the_loop"),
    [
        ("embedded", "quality", "B", True),
        ("embedded", "quality", "B " * 400_000, False),
        ("embedded", "squality", "long references", False),
        ("hub", "quality", "B", False),
    ],
)
def test_only_short_texts_that_are_at_hand_are_scored_in_the_event_loop(source, task, answer, in_the_loop, monkeypatch):
    threads = []

    def score(*_):
        threads.append(threading.current_thread())
        return score_answer.nothing_yet(), ""

    monkeypatch.setattr(try_task, "example_score", score)
    asyncio.run(try_task.try_answer(source, task, 0, answer))
    assert (threads == [threading.current_thread()]) is in_the_loop


@pytest.mark.parametrize(("task", "benchmark"), [("qasper", "zero_scrolls"), ("contract_nli", "scrolls")])
def test_an_answer_is_scored_without_a_strip_if_no_document_is_found(task, benchmark, monkeypatch):
    odd = replace(load_embedded(task, benchmark=benchmark)[0], text="three plain words", indices=None)
    monkeypatch.setattr(examples, "find_example", lambda *_: odd)
    question = ChosenExample("hub", task if benchmark == "zero_scrolls" else f"{benchmark}/{task}", 0)
    shown, where = example_score(question, odd.references[0])
    assert "100.0" in shown.card
    assert where == ""
    assert odd.references[0] in references(question)
    assert "zs-places" not in references(question)


def test_places_are_shown_for_answers_of_the_documents_words_and_for_references_by_name():
    for task, is_shown, names in (
        ("qasper", True, ["reference 2", "reference 3"]),
        ("squality", True, ["reference 1", "reference 4"]),
        ("scrolls/contract_nli", False, ["the hypothesis"]),
    ):
        question = ChosenExample("embedded", task, 0)
        document = question.example.document
        assert ("zs-places" in example_score(question, " ".join(document.split()[40:60]))[1]) is is_shown
        assert example_score(question, "x")[1] == ""
        strips = references(question)
        assert all(f"of {name}" in strips for name in names), strips
    too_long = "word " * (score_answer.MAX_SEARCHED // 5)
    assert example_score(ChosenExample("embedded", "qasper", 0), too_long)[1] == ""


def test_the_tab_has_the_menus_and_an_example_with_all_its_parts():
    screen = try_task.screen("zs/1/")
    for text in (
        'data-examples="zs/1/"',
        'data-first="embedded quality 0"',
        "completion models (original)",
        'value="quality" checked',
        '<template data-tasks="scrolls">',
        'value="words" checked',
        f'max="{WHOLE}"',
        words.NO_ANSWER_YET,
        words.TRY_SAMPLE,
    ):
        assert text in screen, text
    assert 'value="closed' not in screen
    shown = try_task.embedded_examples("quality")[1]
    assert list(shown) == ["asked", "sheet", "prompt", "references", "choices", "sample", "sample_label"]
    assert shown["asked"].count("data-option") == 4
    assert words.TRY_WRITTEN in shown["asked"]
    assert "GPT" not in "".join(shown.values())
    assert words.TRY_SHOWN_HERE in shown["prompt"]
    assert "test questions" in shown["prompt"]
    assert 'value="1" selected' in shown["choices"]
    assert shown["sample"] == sample_answer("embedded", "quality", 1)
    assert "zs-slider" in try_task.embedded_examples("space_digest")[0]["asked"]
    assert words.SOURCE_DEFECTS not in shown["sheet"]


def test_a_published_average_stands_with_its_split_beside_real_examples_alone(monkeypatch):
    source = Source("hub", label="Hub, tau/zero_scrolls at 1a2b3c4")
    split = replace(examples.loaded("embedded", "quality"), source=source)
    monkeypatch.setattr(try_task, "loaded", lambda *_: split)
    monkeypatch.setattr(examples, "loaded", lambda *_: split)
    asked = try_task.example("hub", "quality", 0, "canonical", WHOLE, "words")["asked"]
    assert "GPT-4 averages 89.2 points on the test split, other questions than this one." in asked
    assert words.TRY_WRITTEN not in asked


def test_the_defects_of_a_source_stand_below_the_document(monkeypatch):
    problem = type("Problem", (), {"message": "two rows have one id"})
    split = replace(examples.loaded("embedded", "quality"), findings=[problem])
    monkeypatch.setattr(try_task, "loaded", lambda *_: split)
    sheet = try_task.example("embedded", "quality", 0, "canonical", WHOLE, "words")["sheet"]
    assert words.SOURCE_DEFECTS in sheet
    assert "<li>two rows have one id</li>" in sheet


def test_the_tab_begins_with_the_score_of_its_sample(monkeypatch):
    shown = []
    monkeypatch.setattr(score_answer, "component", lambda *parts: shown.append(parts))
    score_answer.layout()
    ((name, html, function),) = shown
    assert (name, function) == ("answer", score_answer.score)
    answer, reference = words.ANSWER_SAMPLES["f1"]
    assert answer in html
    assert reference in html
    assert '<option value="qasper" selected>Qasper · F1</option>' in html
    assert f'data-score="{score_example("qasper", answer, [reference]).score:.4f}"' in html


def test_a_prompt_is_whole_at_the_right_end_and_cut_at_least_to_the_least_limit():
    def shown(limit, variant="canonical"):
        return try_task.example("embedded", "quality", 0, variant, limit, "words")

    assert shown(1) == shown(LEAST)
    assert "Cut to" in shown(LEAST)["prompt"]
    assert re.search(
        r"Cut to [\d,]+ of [\d,]+ words; [\d,]+ of [\d,]+ in the document are kept, \d+%", shown(640)["prompt"]
    )
    assert "The whole prompt" in shown(WHOLE)["prompt"]
    text = try_task.prompt("embedded", "quality", 0, "canonical", 1, "words")["text"]
    assert text in load_embedded("quality")[0].text or len(text) < len(load_embedded("quality")[0].text)
    for variant, tokenizer in (("nosuch", "words"), ("canonical", "nosuch")):
        with pytest.raises(examples.NoSuchExample, match="no such prompt format or tokenizer"):
            try_task.example("embedded", "quality", 0, variant, WHOLE, tokenizer)


def test_a_limit_below_the_question_shows_the_whole_prompt_with_a_warning(monkeypatch):
    monkeypatch.setattr(try_task, "LEAST", 1)
    small = try_task.example("embedded", "quality", 0, "canonical", 5, "words")
    assert words.PROMPT_TOO_SMALL in small["prompt"]
    assert small["sheet"] == try_task.example("embedded", "quality", 0, "canonical", WHOLE, "words")["sheet"]
