"""The benchmark menu: every tab follows, nothing typed is lost, and a file of the other benchmark is recognised."""

import json
import re

import pytest
from axe import check_both_themes
from file_tab import exported, load_sample, score_files_in_tab
from page_actions import choose_answer_task, choose_benchmark, chosen, try_first_example, unfold
from playwright.sync_api import expect
from written_files import write

from zs_app import words
from zs_bench.dataset.embedded import load_embedded, sample_predictions
from zs_bench.tasks import info
from zs_metric import BENCHMARKS, score_example

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SCROLLS = BENCHMARKS["scrolls"]


def switch(page, title="SCROLLS"):
    """Switch, and wait for the tasks."""
    choose_benchmark(page, title)
    last = {"SCROLLS": "ContractNLI", "ZeroSCROLLS": "BookSumSort"}[title]
    expect(page.locator("#try-task label").last).to_contain_text(last)


@pytest.fixture
def page(shared_page):
    try_first_example(shared_page)
    return shared_page


@pytest.fixture
def scrolls(page):
    switch(page)
    return page


def tasks(page, place):
    return page.locator(f"{place} label").all_inner_texts()


def test_the_tasks_follow_and_the_one_of_the_same_name_stays(scrolls):
    assert len(tasks(scrolls, "#try-task")) == len(SCROLLS.tasks)
    expect(chosen(scrolls, "task")).to_contain_text("QuALITY")
    expect(scrolls.locator("#try-facts")).to_contain_text("scored by Exact match")
    expect(scrolls.locator("#try-facts")).to_contain_text("2,128 test examples of 4,193 words")
    heads = scrolls.locator("#try-sheet h4")
    expect(heads).to_have_text([re.compile("Query", re.IGNORECASE), re.compile("Document", re.IGNORECASE)])
    switch(scrolls, "ZeroSCROLLS")
    expect(chosen(scrolls, "task")).to_contain_text("QuALITY")
    expect(scrolls.locator("#try-facts")).to_contain_text("scored by Accuracy")


def test_an_answer_stays_and_is_scored_by_the_other_metric(page):
    answer = load_embedded("quality", benchmark="scrolls")[0].references[0]
    page.locator("#try-answer textarea").fill(answer)
    expect(page.locator("#try-card")).to_contain_text("read as nothing")
    switch(page)
    expect(page.locator("#try-answer textarea")).to_have_value(answer)
    expect(page.locator("#try-card .zs-score")).to_have_attribute("data-score", "100.0000")
    expect(page.locator("#try-card")).to_contain_text("Exact match")


def test_every_example_of_scrolls_is_shown_and_its_reference_scores_100(scrolls):
    for task, title in (("contract_nli", "ContractNLI"), ("qasper", "Qasper")):
        scrolls.locator("#try-task").get_by_text(title).click()
        expect(scrolls.locator("#try-facts")).to_contain_text(info(SCROLLS.tasks[task]).domain)
        for number, example in enumerate(load_embedded(task, benchmark="scrolls")):
            scrolls.locator("#try-example label").nth(number).click()
            expect(scrolls.locator("#try-sheet .query .zs-text")).to_have_text(example.query)
            scrolls.locator("#try-answer textarea").fill(example.references[0])
            expect(scrolls.locator("#try-card .zs-score")).to_have_attribute("data-score", "100.0000")


def test_of_contract_nli_the_strip_shows_the_hypothesis_with_the_reference_on_a_phone_too(scrolls):
    scrolls.locator("#try-task").get_by_text("ContractNLI").click()
    unfold(scrolls, "reveal")
    expect(scrolls.locator("#try-references")).to_contain_text("word pairs of the hypothesis")
    scrolls.set_viewport_size({"width": 390, "height": 844})
    expect(scrolls.locator("#try-references .zs-strip")).to_be_visible()
    assert scrolls.evaluate("document.documentElement.scrollWidth") <= 390
    scrolls.set_viewport_size({"width": 1280, "height": 900})


def test_one_answer_is_scored_by_the_benchmarks_metric(page):
    page.get_by_role("tab", name=words.ANSWER_TAB).click()
    page.locator("#answer-text textarea").click()
    page.locator("#answer-text textarea").fill("café")
    page.locator("#answer-reference-1 textarea").fill("cafe")
    expect(page.locator("#answer-card .zs-score")).to_have_attribute("data-score", "100.0000")
    choose_benchmark(page, "SCROLLS")
    expect(page.locator("#answer-card .zs-score")).to_have_attribute("data-score", "0.0000")
    choose_answer_task(page, "ContractNLI")
    page.locator("#answer-text textarea").fill("Not mentioned.")
    page.locator("#answer-reference-1 textarea").fill("not mentioned")
    expect(page.locator("#answer-card .zs-score")).to_have_attribute("data-score", "100.0000")
    expect(page.locator("#answer-card")).to_contain_text("Exact match")


def test_the_sample_of_scrolls_is_scored_and_listed_among_the_published(scrolls):
    load_sample(scrolls)
    expect(scrolls.locator("#file-report .zs-total")).to_contain_text(re.compile(r"SCROLLS score\s+7 of 7 tasks"))
    expect(scrolls.locator("#file-signature")).to_contain_text("SC|tasks:all|")
    expect(scrolls.locator("#file-opened")).to_contain_text("1 of 15")
    report = json.loads(exported(scrolls, "json"))
    assert report["benchmark"] == "scrolls"
    scrolls.get_by_role("tab", name=words.RESULTS_TAB).click()
    expect(scrolls.locator("#results-verdict")).to_contain_text("Not ranked, because these tasks have fewer examples")
    expect(scrolls.locator("#results-table")).to_contain_text("ContractNLI")
    scrolls.locator("#results-filters [data-filter=sort]").select_option("quality_hard")
    expect(scrolls.locator("#results-chart")).to_contain_text("27.4")
    choose_benchmark(scrolls, "ZeroSCROLLS")
    expect(scrolls.locator("#results-verdict")).to_contain_text("Your file belongs to SCROLLS")
    expect(scrolls.locator("#results-chart")).to_contain_text("GPT-4")
    expect(scrolls.locator("#results-table")).to_contain_text("BookSumSort")


def test_an_opened_answer_of_scrolls_is_explained_as_such(scrolls, tmp_path):
    answers = {"qasper": {"a": "café", "b": "x"}, "contract_nli": {"c": "Entailment, clause 2"}}
    known = {"qasper": {"a": ["cafe"], "b": ["x"]}, "contract_nli": {"c": ["Entailment"]}}
    score_files_in_tab(
        scrolls, write(tmp_path / "predictions.json", answers), write(tmp_path / "references.json", known)
    )
    expect(scrolls.locator("#file-report .zs-total")).to_contain_text("2 of 7 tasks; the SCROLLS score needs all 7")
    score = score_example("contract_nli", "Entailment, clause 2", "Entailment", benchmark="scrolls")
    expect(scrolls.locator("#per-task")).to_contain_text(f"{score.score:.1f}")
    scrolls.locator("#file-form [name=text]").fill("clause")
    expect(scrolls.locator("#file-opened")).to_contain_text("1 of 1")
    expect(scrolls.locator("#file-opened")).to_contain_text("The whole answer must equal a reference")


def test_a_file_of_scrolls_given_as_zero_scrolls_gets_one_button_that_switches_and_scores(page, tmp_path):
    known = {task: {e.id: e.references for e in load_embedded(task, benchmark="scrolls")} for task in SCROLLS.tasks}
    score_files_in_tab(page, sample_predictions("scrolls"), write(tmp_path / "references.json", known))
    report = page.locator("#file-report")
    expect(report).to_contain_text("This is a SCROLLS file")
    expect(report.locator(".zs-score")).to_have_count(0)
    expect(report).not_to_contain_text("not a task of ZeroSCROLLS")
    report.get_by_role("button", name="Score as SCROLLS").click()
    expect(report.locator(".zs-total")).to_contain_text(re.compile(r"SCROLLS score\s+7 of 7 tasks"))
    expect(page.locator("#benchmark")).to_have_value("scrolls")
    expect(page.locator("#file-tab")).to_have_attribute("data-report", "current")
    assert "benchmark=scrolls" in page.url


def test_a_link_opens_a_task_of_scrolls(open_page):
    page = open_page(query="&benchmark=scrolls&task=contract_nli&example=2")
    expect(page.locator("#benchmark")).to_have_value("scrolls")
    expect(chosen(page, "task")).to_contain_text("ContractNLI")
    expect(page.locator("#try-example input:checked")).to_have_value("2")
    text = load_embedded("contract_nli", benchmark="scrolls")[2].query
    expect(page.locator("#try-sheet .query .zs-text")).to_have_text(text)


def test_a_link_to_scrolls_alone_switches_every_tab(open_page):
    page = open_page(query="&benchmark=scrolls&tab=results")
    expect(page.locator("#results-chart")).to_contain_text("LED, 16,384")
    expect(page.locator("#results-lead")).to_contain_text("fine-tuned models")
    page.get_by_role("tab", name=words.ANSWER_TAB).click()
    expect(page.locator("#answer-task select")).to_have_value("scrolls/qasper")
    expect(page.locator("#answer-task option")).to_have_count(len(SCROLLS.tasks))
    page.get_by_role("tab", name=words.TRY_TAB).click()
    expect(chosen(page, "task")).to_contain_text("QuALITY")
    expect(page.locator("#try-facts")).to_contain_text("scored by Exact match")


def test_scrolls_has_no_variants_of_its_prompts_but_a_choice_of_sources(scrolls):
    unfold(scrolls, "prompt")
    expect(scrolls.locator("#try-budget")).to_be_visible()
    expect(scrolls.locator("#try-variant")).to_be_hidden()
    expect(scrolls.locator("#try-source")).to_be_visible()
    unfold(scrolls, "prompt")


def test_axe_finds_nothing_on_the_pages_of_scrolls_in_light_and_dark(scrolls):
    scrolls.locator("#try-task").get_by_text("ContractNLI").click()
    expect(scrolls.locator("#try-facts")).to_contain_text("legal")
    scrolls.locator("#try-answer textarea").fill("Entailment, since clause 3 says so")
    expect(scrolls.locator("#try-card .zs-score")).to_have_attribute("data-score", "0.0000")
    check_both_themes(scrolls)
    scrolls.get_by_role("tab", name=words.RESULTS_TAB).click()
    expect(scrolls.locator("#results-chart")).to_contain_text("LED")
    check_both_themes(scrolls)
