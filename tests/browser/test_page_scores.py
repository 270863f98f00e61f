"""The page gives the scores of the other interfaces (tests/app/test_endpoints.py)."""

import json

import pytest
from file_tab import exported, is_scored
from page_actions import choose_answer_task, choose_benchmark
from playwright.sync_api import expect as on_page
from scored_cases import cases, check, expected, tables_of, written

from zs_bench.tasks import info
from zs_metric import BENCHMARKS, score_example

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_the_page_gives_the_scores_of_every_other_interface(benchmark, open_page, tmp_path):
    """Whole files in one tab; in another a few answers, typed."""
    files, page, results = written(tmp_path, benchmark), open_page(), expected(benchmark)
    choose_benchmark(page, BENCHMARKS[benchmark].title)
    page.get_by_role("tab", name="Score a file").click()
    for which, path in zip(("predictions", "references"), files, strict=True):
        page.locator(f"#file-{which} input[type=file]").set_input_files(path)
        on_page(page.locator(f"#file-{which}")).to_contain_text(which)
    page.get_by_role("button", name="Score", exact=True).click()
    total = sum(result.score for result in results.values()) / len(results)
    is_scored(page, total)
    check(json.loads(exported(page, "json")), benchmark)
    page.get_by_role("tab", name="Score an answer").click()
    table = tables_of(benchmark)[-1]
    for key in (f"{table}-1", f"{table}-2", f"{table}-3"):
        task, case = next((task, rows[key]) for task, rows in cases(benchmark).items() if key in rows)
        choose_answer_task(page, info(BENCHMARKS[benchmark].tasks[task]).title)
        page.locator("#answer-text textarea").fill(case[0])
        page.locator("#answer-reference-1 textarea").fill(case[1][0])
        score = score_example(task, case[0], case[1][:1], benchmark=benchmark).score
        on_page(page.locator("#answer-card .zs-score")).to_have_attribute("data-score", f"{score:.4f}")
