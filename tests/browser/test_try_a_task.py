"""The tab "Try a task" in a real browser."""

import pytest
from playwright.sync_api import expect

from zs_bench.embedded import load_embedded
from zs_metric import TASKS, score_example

pytestmark = pytest.mark.browser


def test_a_visitor_sees_an_example_with_its_four_parts(page):
    for part in ("instruction", "document", "query", "response"):
        expect(page.locator(f"#try-sheet .zs-part.{part}")).to_be_visible()


def test_an_answer_is_scored_as_it_is_typed(page):
    page.locator("#try-answer textarea").fill("I think it is (C)")
    expect(page.locator("#try-card .zs-score")).to_have_text("100.0000")
    page.locator("#try-answer textarea").press("Backspace")
    page.locator("#try-answer textarea").fill("A better choice is C")
    expect(page.locator("#try-card .zs-score")).to_have_text("0.0000")
    expect(page.locator("#try-card .zs-reason")).to_contain_text("the word “A”")


@pytest.mark.parametrize("task", TASKS)
def test_every_task_shows_its_example_and_scores_the_sample_answer(open_page, task):
    from zs_app.try_task import sample_answer
    from zs_bench.catalog import FACTS

    page = open_page()
    page.locator("#try-task").get_by_text(FACTS[task].title, exact=True).click()
    example = load_embedded(task)[0]
    expect(page.locator("#try-sheet .zs-part.instruction p")).to_contain_text(example.input[:60])
    page.get_by_role("button", name="Use the sample answer").click()
    score = score_example(task, sample_answer(task, 0), example.references).score
    expect(page.locator("#try-card .zs-score")).to_have_text(f"{score:.4f}")


def test_the_references_are_hidden_until_revealed(page):
    reference = page.locator("#try-references")
    expect(reference).not_to_be_visible()
    page.get_by_role("button", name="Reveal the reference").click()
    expect(reference).to_be_visible()
    expect(reference.locator("li")).to_have_text("C")


def test_another_example_starts_without_an_answer(page):
    page.locator("#try-answer textarea").fill("C")
    expect(page.locator("#try-card .zs-score")).to_have_text("100.0000")
    page.locator("#try-example").get_by_text("The Row Behind").click()
    expect(page.locator("#try-answer textarea")).to_have_value("")
    expect(page.locator("#try-card")).to_contain_text("appears here as you type")


def test_a_hostile_answer_is_shown_as_text(page):
    page.locator("#try-task").get_by_text("NarrativeQA", exact=True).click()
    hostile = "<img src=x onerror=alert(1)> ${history.replaceState(1,1,7)} {{x}} C:\\new\\table"
    page.locator("#try-answer textarea").fill(hostile)
    expect(page.locator("#try-card")).to_contain_text("historyreplacestate117")
    expect(page.locator("#try-card img")).to_have_count(0)
