"""The benchmark menu: every tab follows, nothing typed is lost, and a file of the other benchmark is recognised."""

import re

import pytest
from axe import check_both_themes
from file_tab import is_scored, load_sample, score_files_in_tab
from page_actions import choose_answer_task, choose_benchmark, choose_task, chosen, open_tab, unfold
from playwright.sync_api import expect
from slow_network import held
from written_files import write

from zs_bench.benchmarks import BENCHMARKS
from zs_bench.dataset.rows import load_embedded, sample_predictions

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SCROLLS = BENCHMARKS["scrolls"]


def test_an_answer_in_words_stays_and_is_scored_again_and_one_that_is_chosen_is_chosen_again(page):
    answer = load_embedded("qasper", benchmark="scrolls")[0].references[0]
    score = page.locator("#try-card .zs-score")
    choose_task(page, "Qasper")
    page.locator("#try-answer textarea").fill(answer)
    choose_benchmark(page, "SCROLLS")
    expect(page.locator("#try-task label")).to_have_count(len(SCROLLS.tasks))
    expect(chosen(page, "task")).to_contain_text("Qasper")
    expect(page.locator("#try-answer textarea")).to_have_value(answer)
    expect(score).to_have_attribute("data-score", "100.0000")
    choose_benchmark(page, "ZeroSCROLLS")
    choose_task(page, "QuALITY")
    page.locator("[data-option=C]").click()
    expect(score).to_have_attribute("data-score", "100.0000")
    choose_benchmark(page, "SCROLLS")
    expect(page.locator("#try-card .zs-empty")).to_be_visible()
    page.locator("[data-option]").nth(2).click()
    expect(score).to_have_attribute("data-score", "100.0000")
    expect(page.locator("#try-card")).to_contain_text("Exact match")
    expect(page.locator("#try-facts")).to_contain_text("2,128 test questions")
    unfold(page, "prompt")
    expect(page.locator("#try-budget")).to_be_visible()
    expect(page.locator("#try-variant")).to_be_hidden()
    choose_task(page, "ContractNLI")
    expect(page.locator("[data-option]")).to_have_count(3)
    expect(page.locator("#try-reveal")).to_be_hidden()  # until one has answered
    page.locator("[data-option]").first.click()
    unfold(page, "reveal")
    expect(page.locator("#try-references")).to_contain_text("word pairs of the hypothesis")
    check_both_themes(page)
    open_tab(page, "answer")
    choose_answer_task(page, "ContractNLI")
    page.locator("#answer-text textarea").fill("Not mentioned.")
    page.locator("#answer-reference-1 textarea").fill("not mentioned")
    expect(page.locator("#answer-card .zs-score")).to_have_attribute("data-score", "100.0000")


def test_an_answer_stays_also_where_the_options_of_an_earlier_question_are_still_shown(open_page):
    page = open_page()
    choose_task(page, "QuALITY")
    expect(page.locator("[data-option]").first).to_be_visible()
    with held(page):
        choose_task(page, "Qasper")
        page.locator("#try-answer textarea").fill("a word")
        choose_benchmark(page, "SCROLLS")
        expect(chosen(page, "task")).to_contain_text("Qasper")
        expect(page.locator("#try-answer textarea")).to_have_value("a word")


def test_a_file_of_scrolls_gets_one_button_that_switches_and_is_listed_among_the_published(page, tmp_path):
    references = {
        task: {e.id: e.references for e in load_embedded(task, benchmark="scrolls")} for task in SCROLLS.tasks
    }
    score_files_in_tab(page, sample_predictions("scrolls"), write(tmp_path / "references.json", references))
    expect(page.locator("#file-report")).to_contain_text("This is a SCROLLS file")
    expect(page.locator("#file-report .zs-score")).to_have_count(0)
    page.get_by_role("button", name="Score as SCROLLS").click()
    total = page.locator("#file-report .zs-total")
    expect(total).to_contain_text(re.compile(r"SCROLLS score\s+7 of 7 tasks"))
    is_scored(page)
    assert "benchmark=scrolls" in page.url
    load_sample(page)
    expect(total).to_contain_text(re.compile(r"mean of these tasks\s+7 of 7 tasks"))
    open_tab(page, "results")
    expect(page.locator("#results-table")).to_contain_text(
        "Not ranked, because the examples were written for this package: 7 tasks"
    )
    page.locator("th[data-column=quality_hard] button").click()
    expect(page.locator("#results-table tr[data-row]:not([data-own])").first).to_contain_text("43.8")
    check_both_themes(page)
    choose_benchmark(page, "ZeroSCROLLS")
    expect(page.locator("#results-verdict")).to_contain_text("Your file belongs to SCROLLS")
    expect(page.locator("#results-table")).to_contain_text("BookSumSort")


def test_links_open_scrolls_in_every_tab(open_page):
    page = open_page(query="&benchmark=scrolls&task=contract_nli&example=2")
    expect(chosen(page, "task")).to_contain_text("ContractNLI")
    expect(page.locator("#try-example select")).to_have_value("2")
    text = load_embedded("contract_nli", benchmark="scrolls")[2].query
    expect(page.locator("#try-prompt-text .query .zs-text")).to_have_text(text)
    page = open_page(query="&benchmark=scrolls&tab=results")
    expect(page.locator("#benchmark")).to_have_value("scrolls")
    expect(page.locator("#results-table")).to_contain_text("LED")
    open_tab(page, "answer")
    expect(page.locator("#answer-task select")).to_have_value("scrolls/qasper")
