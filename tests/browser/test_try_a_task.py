"""The tab "Try a task" in a real browser."""

import pytest
from playwright.sync_api import expect

from zs_bench.sources.embedded import load_embedded
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
    from zs_app.example_answers import sample_answer
    from zs_bench.catalog import FACTS

    page = open_page()
    page.locator("#try-task").get_by_text(FACTS[task].title, exact=True).click()
    example = load_embedded(task)[0]
    expect(page.locator("#try-sheet .zs-part.instruction p")).to_contain_text(example.input[:60])
    page.get_by_role("button", name="Use the sample answer").click()
    score = score_example(task, sample_answer("embedded", task, 0), example.references).score
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


def test_the_prompt_is_shown_in_another_form_trimmed_and_copied(open_page):
    page = open_page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="The prompt").click()
    page.locator("#try-variant").get_by_text("chat", exact=True).click()
    expect(page.locator("#try-sheet .zs-part.instruction")).to_contain_text("Do not provide any explanation.")
    expect(page.locator("#try-sheet .zs-part.response")).to_have_count(0)
    page.locator("#try-budget input[type=number]").fill("640")
    page.locator("#try-budget input[type=number]").press("Enter")
    expect(page.locator("#try-sheet .zs-part.separator")).to_contain_text("[The rest of the story is omitted]")
    expect(page.locator("#try-sheet")).to_contain_text("of its characters")
    page.get_by_role("button", name="Copy the prompt").click()
    expect(page.locator(".toast-body")).to_contain_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("You are provided a story")
    assert "... [The rest of the story is omitted]\n\nQuestion and Possible Answers:" in copied


def test_a_budget_that_is_too_small_says_the_least_that_works(page):
    page.locator("#try-task").get_by_text("BookSumSort", exact=True).click()
    expect(page.locator("#try-sheet")).to_contain_text("Summary 1")
    page.get_by_role("button", name="The prompt").click()
    budget = page.locator("#try-budget input[type=number]")
    for _ in range(5):  # no one types as fast as this, into a field that has only just been put there
        budget.fill("256")
        budget.press("Enter")
        page.wait_for_timeout(500)
        if budget.input_value() == "256":
            break
    expect(page.locator("#try-sheet")).to_contain_text("Cut to")


def test_a_hub_that_cannot_be_reached_is_told_and_the_embedded_examples_stay(page, monkeypatch):
    from zs_app import prompt_panel
    from zs_bench.sources.hub import SourceUnavailable

    def unreachable(source, task):
        if source == "hub":
            raise SourceUnavailable("unreachable", "the Hub cannot be reached", "check the network")
        return real(source, task)

    real = prompt_panel.loaded
    monkeypatch.setattr("zs_app.try_task.loaded", unreachable)
    page.get_by_role("button", name="The prompt").click()
    page.locator("#try-source").get_by_text("the Hub").click()
    expect(page.locator(".toast-body")).to_contain_text("the Hub cannot be reached")
    expect(page.locator("#try-facts")).to_contain_text("embedded examples")
    expect(page.locator("#try-source input:checked")).to_have_value("embedded")
