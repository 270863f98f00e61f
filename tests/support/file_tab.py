"""What tests do in the tab "Score a file" in one step."""

from page_actions import open_tab
from playwright.sync_api import expect

from zs_app import words


def open_file_tab(page):
    open_tab(page, "file")


def choose(page, which, *paths):
    """Choose files for `predictions`, `references` or `second`, without waiting for their upload."""
    page.locator(f"#file-{_box(which)} input[type=file]").set_input_files(list(paths))


def _box(which):
    return "second" if which == "second" else "files"


def listed(page, role):
    """The files in the list that are taken as `predictions` or `references`."""
    return page.locator(f"#file-files li:has(> b:text-is('{role}'))")


def give(page, which, *paths):
    """Choose files and wait until they are uploaded and taken as what they are."""
    choose(page, which, *paths)
    items = page.locator("#file-second li") if which == "second" else listed(page, which)
    expect(items).to_have_count(len(paths))
    expect(items.last).to_contain_text(paths[-1].stem)
    expect(page.locator(f"#file-{_box(which)}")).not_to_contain_text("uploading")


def open_options(page):
    """Unfold the settings of the tab; they stay unfolded."""
    page.locator("#file-options").evaluate("fold => { fold.open = true; }")


def press_score(page):
    page.locator("#file-score").click()


def load_sample(page):
    """Open the sample, on a page without a report."""
    open_file_tab(page)
    if page.locator("#file-sample").is_hidden():
        page.evaluate("sessionStorage.clear()")
        page.reload()
        open_file_tab(page)
    page.locator("#file-sample").click()
    is_scored(page)


def score_files_in_tab(page, predictions, references):
    """Open the tab, choose the files, press Score."""
    open_file_tab(page)
    give(page, "predictions", predictions)
    give(page, "references", references)
    press_score(page)


def score_against_this_page(page, *predictions):
    """Open the tab, choose predictions, press Score with the examples of the page as references."""
    open_file_tab(page)
    give(page, "predictions", *predictions)
    page.locator("#file-source").get_by_text(words.FILE_FROM_EMBEDDED).click()
    press_score(page)


def compare(page, second):
    page.get_by_role("button", name="compare with …").click()
    give(page, "second", second)
    page.locator("#file-compare-run").click()
    expect(page.locator("#file-report .zs-verdict")).to_be_visible()
    is_scored(page)


def is_listed(page, answers):
    """Wait for a report and the list of so many answers."""
    is_scored(page)
    expect(page.locator("#file-found")).to_contain_text(f"{answers} of {answers} answers")


def is_scored(page, score=None):
    """Wait for a report, of that score where one is given, that is up to date."""
    expect(page.locator("#file-tab")).to_have_attribute("data-job", "none")
    expect(page.locator("#file-tab")).to_have_attribute("data-report", "current")
    expect(page.locator("#file-report .zs-total")).to_be_visible()
    if score is not None:
        expect(page.locator("#file-report .zs-score")).to_have_attribute("data-score", f"{score:.4f}")


def exported(page, end):
    """The text of a report from the export menu."""
    page.locator("#file-report .zs-menu summary").click()
    with page.expect_download() as download:
        page.locator(f"#file-report [data-export={end}]").first.click()
    return download.value.path().read_text(encoding="utf-8")
