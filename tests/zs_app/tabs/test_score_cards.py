"""An example whose document cannot be found in its prompt is scored all the same, without the strip."""

from dataclasses import replace

import pytest

from zs_app import words
from zs_app.tabs import examples
from zs_app.tabs.examples import Question
from zs_app.tabs.score_cards import example_score as score
from zs_app.tabs.score_cards import references, scored
from zs_bench.dataset.embedded import load_embedded
from zs_metric.tasks import TASKS


@pytest.mark.parametrize(("task", "benchmark"), [("qasper", "zero_scrolls"), ("contract_nli", "scrolls")])
def test_an_answer_is_scored_without_a_strip_if_no_document_is_found(task, benchmark, monkeypatch):
    odd = replace(load_embedded(task, benchmark=benchmark)[0], text="three plain words", indices=None)
    monkeypatch.setattr(examples, "find_example", lambda *_: odd)
    question = Question("hub", task if benchmark == "zero_scrolls" else f"{benchmark}/{task}", 0)
    shown, where = score(question, odd.references[0])
    assert "100.0" in shown.card
    assert where == ""
    assert odd.references[0] in references(question)


@pytest.mark.parametrize(
    "question", [("folder", "quality", 0), ("embedded", "quality", 9), ("/etc/passwd", "quality", 0)]
)
def test_sources_and_examples_outside_the_menus_are_refused(question):
    with pytest.raises(examples.NoSuchExample):
        _ = Question(*question).example


def test_an_answer_that_loses_by_typography_alone_is_not_said_to_share_no_word():
    cards = scored(TASKS["narrative_qa"], "“Paris”", ["Paris"])
    assert words.TYPOGRAPHY in cards.card
    assert "No word in common" not in cards.card + cards.why
    wrong = scored(TASKS["narrative_qa"], "“Rome”", ["Paris"])
    assert words.TYPOGRAPHY not in wrong.card
    assert (wrong.card + wrong.why).count("No word in common") == 1
    assert words.TYPOGRAPHY not in scored(TASKS["narrative_qa"], "“Paris” or Rome", ["Paris"]).card
    assert "Partly right" in scored(TASKS["narrative_qa"], "Paris or Rome", ["Paris"]).card


def test_the_places_of_an_answer_are_shown_where_answers_are_words_of_the_document():
    for task, is_shown in (("qasper", True), ("scrolls/contract_nli", False)):
        question = Question("embedded", task, 0)
        answer = " ".join(question.example.document.split()[40:60])
        assert ("zs-places" in score(question, answer)[1]) is is_shown
