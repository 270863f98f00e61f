"""Explanations in a real browser: every view with a good, a bad and a hostile answer."""

from typing import NamedTuple

import pytest
from page_actions import choose_answer_task
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HOSTILE = '<img src=x onerror="document.title=1"></p>{0} “' + "W" * 300 + "” \u202e 7% (A) 3, 1, 2"


class View(NamedTuple):
    """A task, its reference, a good and a bad answer, what their views say, and what a hostile one's says."""

    task: str
    reference: str
    good: tuple[str, str]
    bad: tuple[str, str]
    hostile: str


VIEWS = {
    "f1": View(
        "NarrativeQA",
        "Behind the pendulum of the old clock",
        ("behind the pendulum of the clock", "4 words shared: precision 100.00, recall 80.00"),
        ("The “clock”…", "Typography costs 33.3 points: 33.3 without"),
        "Words shared",
    ),
    "rouge": View(
        "QMSum",
        "the council voted for the bridge and the river was calm",
        ("the council voted for a bridge and the river was calm", "Reference 1, best for all three types"),
        ("nobody knows", "words missing"),
        "Words in pairs (0)",
    ),
    "accuracy": View(
        "QuALITY",
        "(B) the mill",
        ("(B), not (C)", "Reference: B"),
        ("A good answer is B", "The first letter alone is the article “A”"),
        "What the scorer read",
    ),
    "exp_similarity": View(
        "SpaceDigest",
        "60%",
        ("about 55%", "answer 55%: 70.71"),
        ("55 percent", "55% would be 70.71"),
        "answer 7%",
    ),
    "concordance_index": View(
        "BookSumSort",
        "1, 2, 3, 4",
        ("1, 3, 2, 4", "5 of 6 pairs in order"),
        ("2-1-3-4", "The order that was probably meant"),
        "Not a permutation of the ids",
    ),
}


@pytest.fixture(scope="module")
def phone(open_shared_page):
    return open_shared_page(width=390, dark=True, query="&tab=answer")


def answer(page, view, text):
    choose_answer_task(page, view.task)
    page.locator("#answer-reference-1 textarea").fill(view.reference)
    page.locator("#answer-text textarea").fill(text)
    return page.locator("#answer-card .zs-why")


def wait_for_least(page, measure, least):
    """Wait until every measure is at least that; a new text may take a frame to get its style."""
    page.wait_for_function(f"Math.min(...({measure})(document.querySelector('#answer-card .zs-why'))) >= {least}")


@pytest.mark.parametrize("metric", VIEWS)
def test_a_good_a_bad_and_a_hostile_answer_are_explained_on_a_phone_in_both_themes(phone, metric):
    view = VIEWS[metric]
    for text, reported in (view.good, view.bad, (HOSTILE, view.hostile)):
        expect(answer(phone, view, text)).to_contain_text(reported)
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        wait_for_least(phone, SIZES, 11)
        for _ in range(2):
            wait_for_least(phone, CONTRASTS, 4.5)
            phone.evaluate("document.body.classList.toggle('dark')")
    expect(phone.locator("#answer-card img")).to_have_count(0)
    assert phone.title() != "1"


def test_the_switch_of_rouge_is_moved_by_the_arrow_keys_and_a_chart_has_a_description(phone):
    why = answer(phone, VIEWS["rouge"], VIEWS["rouge"].good[0])
    pairs, words = why.locator("mark.b").first, why.locator("mark.u:not(.b)").first
    first, plain = why.get_by_role("radio").first, "rgba(0, 0, 0, 0)"
    expect(why.get_by_role("radio", name="Words in pairs")).to_be_checked()
    first.check()
    expect(words).not_to_have_css("background-color", plain)
    first.focus()
    phone.keyboard.press("ArrowRight")
    expect(why.get_by_role("radio", name="Words in pairs")).to_be_checked()
    expect(words).to_have_css("background-color", plain)
    expect(pairs).not_to_have_css("background-color", plain)
    why = answer(phone, VIEWS["concordance_index"], VIEWS["concordance_index"].good[0])
    reported = "5 of 6 pairs in order; true order 1, 2, 3, 4; answer 1, 3, 2, 4"
    expect(why.get_by_role("img", name=reported)).to_be_visible()


# The size in pixels of every text that is drawn.
SIZES = """why => [...why.querySelectorAll("*")]
  .filter(e => [...e.childNodes].some(n => n.nodeType == 3 && n.data.trim()))
  .map(e => { const svg = e.ownerSVGElement, size = parseFloat(getComputedStyle(e).fontSize);
    return svg ? size * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : size; })"""
# The contrast (WCAG 2.2) of every HTML text with the nearest background behind it.
CONTRASTS = """why => { const luminance = c => { const [r, g, b] = c.map(v => v / 255)
    .map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
  const numbers = s => s.match(/[0-9.]+/g).map(Number), seen = s => numbers(s).length < 4 || numbers(s)[3] > 0;
  return [...why.querySelectorAll("*:not(svg *)")]
    .filter(e => e.checkVisibility() && [...e.childNodes].some(n => n.nodeType == 3 && n.data.trim()))
    .map(e => { let behind = e; while (!seen(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
      const pair = [getComputedStyle(e).color, getComputedStyle(behind).backgroundColor]
        .map(s => luminance(numbers(s).slice(0, 3))).sort((a, b) => b - a);
      return (pair[0] + .05) / (pair[1] + .05); }); }"""
