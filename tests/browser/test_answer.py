"""The tab "Score an answer" in a real browser: what is typed is kept, and every kind of score is explained."""

import pytest
from page_actions import choose_answer_task
from playwright.sync_api import expect

from zs_app import words

pytestmark = pytest.mark.browser

HOSTILE = '<img src=x onerror="document.title=1"></p>{0} “' + "W" * 300 + "” \u202e 7% (A) 3, 1, 2"
# A task, its reference, and the messages about a good, a bad and a hostile answer.
VIEWS = [
    (
        "NarrativeQA",
        "Behind the pendulum of the old clock",
        ("behind the pendulum of the clock", "precision P 100.0, recall R 80.0"),
        ("The “clock”…", "Typography costs 33.3 points: in plain ASCII it would score 33.3"),
        "Words shared",
    ),
    (
        "QMSum",
        "the council voted for the bridge and the river was calm",
        ("the council voted for a bridge and the river was calm", "Reference 1, best for all three types"),
        ("nobody knows", "words missing"),
        "Words in pairs (0)",
    ),
    (
        "QuALITY",
        "(B) the mill",
        ("(B), not (C)", "Reference: B"),
        ("A good answer is B", "The first letter alone is the article “A”"),
        "What the scorer read",
    ),
    ("SpaceDigest", "60%", ("about 55%", "answer 55%: 70.7"), ("55 percent", "55% would be 70.7"), "answer 7%"),
    (
        "BookSumSort",
        "1, 2, 3, 4",
        ("1, 3, 2, 4", "5 of 6 pairs in order"),
        ("2-1-3-4", "The order that was probably meant"),
        "Not a permutation of the ids",
    ),
]
# The least size in pixels of a text that is drawn.
SMALLEST = """why => Math.min(...[...why.querySelectorAll("*")]
  .filter(e => [...e.childNodes].some(n => n.nodeType == 3 && n.data.trim()))
  .map(e => { const svg = e.ownerSVGElement, size = parseFloat(getComputedStyle(e).fontSize);
    return svg ? size * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : size; }))"""


@pytest.fixture(scope="module")
def phone(open_shared_page):
    return open_shared_page(width=390, dark=True, query="&tab=answer")


def answer(page, task, reference, text):
    choose_answer_task(page, task)
    page.locator("#answer-reference-1 textarea").fill(reference)
    page.locator("#answer-text textarea").fill(text)
    expect(page.locator("#answer-card")).not_to_have_attribute("aria-busy", "true")
    return page.locator("#answer-card .zs-why")


def test_a_sample_stands_until_one_types_and_what_is_typed_is_kept_through_other_tasks_and_a_reload(
    open_page, navigate
):
    page = open_page(query="&tab=answer&task=space_digest")
    text, reference = (page.locator(f"#answer-{box} textarea") for box in ("text", "reference-1"))
    score, card = page.locator("#answer-card .zs-score"), page.locator("#answer-card")
    expect(reference).to_have_value("60%")
    expect(score).to_have_attribute("data-score", "70.7107")
    choose_answer_task(page, "NarrativeQA")
    expect(reference).to_have_value("Behind the pendulum of the old clock")
    page.get_by_role("button", name=words.ANSWER_CLEAR).click()
    expect(text).to_be_focused()
    expect(text).to_have_attribute("placeholder", words.ANSWER_HINT)
    text.fill("yes")
    expect(reference).to_have_value("")
    expect(card).to_contain_text(words.ANSWER_NO_REFERENCE)
    reference.fill("no")
    expect(score).to_have_attribute("data-score", "0.0000")
    for number, typed in ((2, "yes indeed"), (3, "removed")):
        page.get_by_role("button", name=words.ANSWER_ADD).click()
        page.locator(f"#answer-reference-{number} textarea").fill(typed)
    page.get_by_role("button", name="Remove reference 3").click()
    navigate(page.reload)
    expect(page.locator("#answer-reference-2 textarea")).to_have_value("yes indeed")
    expect(page.locator("#answer-reference-3")).to_be_hidden()
    expect(page.locator("#answer-task select")).to_have_value("narrative_qa")
    expect(text).to_have_value("yes")
    expect(score).to_have_attribute("data-score", "66.6667")
    choose_answer_task(page, "QuALITY")
    expect(card.locator("[role=alert]")).to_contain_text("Reference 1 cannot be read")
    expect(text).to_have_value("yes")
    text.fill("B")
    reference.fill("(B) the letter")
    page.get_by_role("button", name="Remove reference 2").click()
    expect(score).to_have_attribute("data-score", "100.0000")


def test_boxes_are_as_high_as_their_text_and_follow_its_direction(phone):
    box = phone.locator("#answer-text textarea")
    box.fill("several words " * 25)
    narrow = box.bounding_box()["height"]
    phone.set_viewport_size({"width": 1280, "height": 900})
    assert box.bounding_box()["height"] < narrow - 20
    box.fill("صباح الخير")
    expect(box).to_have_css("direction", "rtl")
    phone.set_viewport_size({"width": 390, "height": 900})


def test_what_is_typed_while_the_connection_is_lost_is_kept_and_scored_when_it_is_back(phone):
    box, score, lost = (
        phone.locator(f"#zs-answer {part}") for part in ("#answer-text textarea", ".zs-score", ".zs-lost")
    )
    answer(phone, "NarrativeQA", "Behind the old clock", "Behind")
    phone.evaluate("window.stays = true")  # no other page takes its place
    phone.route("**/component_server/**", lambda route: route.fulfill(body="the page of a proxy"))
    box.press_sequentially(" the old")
    expect(lost).to_be_visible()
    box.press_sequentially(" clock")
    phone.unroute("**/component_server/**")
    expect(score).to_have_attribute("data-score", "100.0000")
    expect(lost).to_be_hidden()
    expect(box).to_have_value("Behind the old clock")
    expect(box).to_be_focused()
    assert phone.evaluate("window.stays")


@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view[0])
def test_a_good_a_bad_and_a_hostile_answer_are_explained_on_a_phone(phone, view):
    task, reference, good, bad, hostile = view
    for text, reported in (good, bad, (HOSTILE, hostile)):
        expect(answer(phone, task, reference, text)).to_contain_text(reported)
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        phone.wait_for_function(f"({SMALLEST})(document.querySelector('#answer-card .zs-why')) >= 11")
    expect(phone.locator("#answer-card img")).to_have_count(0)
    assert phone.title() != "1"


def test_the_switch_of_rouge_is_moved_by_the_arrow_keys_and_a_chart_has_a_description(phone):
    why = answer(phone, *VIEWS[1][:2], VIEWS[1][2][0])
    word, plain = why.locator("mark.u:not(.b)").first, "rgba(0, 0, 0, 0)"
    expect(why.get_by_role("radio", name="Words in pairs")).to_be_checked()
    why.get_by_role("radio").first.check()
    expect(word).not_to_have_css("background-color", plain)
    why.get_by_role("radio").first.focus()
    phone.keyboard.press("ArrowRight")
    expect(word).to_have_css("background-color", plain)
    expect(why.locator("mark.b").first).not_to_have_css("background-color", plain)
    why = answer(phone, *VIEWS[4][:2], VIEWS[4][2][0])
    reported = "5 of 6 pairs in order; true order 1, 2, 3, 4; answer 1, 3, 2, 4"
    expect(why.get_by_role("img", name=reported)).to_be_visible()
