"""The tab "Try a task" in a real browser: its start, by hand, typed, and 600 ms away from the server."""

import pytest
from page_actions import KEYS, choose_example, choose_task, chosen, show_only_whole, try_first_example, unfold
from playwright.sync_api import expect
from slow_network import at_distance, held

from zs_app import words
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import load_embedded
from zs_metric import score_example

pytestmark = pytest.mark.browser

ORDER = load_embedded("book_sum_sort")[0].references[0]
BOXES = "parts => parts.map(part => JSON.stringify(part.getBoundingClientRect()))"
MARKED = "[...CSS.highlights.get('zs-place') ?? []].map(String).join()"


@pytest.fixture
def page(shared_page):
    """The page at the first example of QuALITY, with nothing typed."""
    shared_page.bring_to_front()  # behind another page the browser draws it once a second
    shared_page.set_viewport_size({"width": 1280, "height": 800})
    try_first_example(shared_page)
    return shared_page


@pytest.fixture
def far(page):
    """The same, 600 ms away from the server."""
    with at_distance(page, 600):
        yield page


def answer_box(page):
    return page.locator("#try-answer textarea")


def write(page, text):
    answer_box(page).press("End")
    answer_box(page).press_sequentially(text, delay=KEYS)


def is_scored(page, points):
    """Wait until this score is shown and not marked as late."""
    expect(page.locator("#try-card .zs-score")).to_have_attribute("data-score", f"{points:.4f}")
    expect(page.locator("#try-card")).not_to_have_attribute("aria-busy", "true")


def is_score_of(page, task, text, index=0):
    is_scored(page, score_example(task, text, load_embedded(task)[index].references).score)
    expect(answer_box(page)).to_have_value(text)


# ---- The start


def test_the_page_is_shown_with_the_visitors_tab_and_nothing_can_be_chosen_before_its_script_is_there(context, url):
    page = context.new_page()
    show_only_whole(page)
    shown = page.locator("#tabs > .tab-wrapper")
    with held(page, "/answer[.]js"):
        page.goto(f"{url}/?tab=answer", wait_until="commit")
        page.locator("#answer-text").wait_for(state="attached")
        expect(page.locator("#zs-answer [inert]")).to_have_count(1)
        expect(shown).to_be_hidden()
    expect(shown).to_be_visible()
    expect(page.locator("#answer-text")).to_be_visible()
    expect(page.locator("[inert]")).to_have_count(0)
    page.close()


def test_a_page_whose_script_does_not_come_is_shown_after_ten_seconds(context, url):
    page = context.new_page()
    show_only_whole(page)
    with held(page, "/frame[.]js"):
        page.goto(f"{url}/?tab=try", wait_until="commit")
        shown = page.locator("gradio-app .main")
        shown.wait_for(state="attached")
        expect(shown).to_be_hidden()
        page.evaluate("document.getAnimations().find(each => each.animationName === 'zs-late').finish()")
        expect(page.get_by_role("tab", name=words.ANSWER_TAB)).to_be_visible()
        page.get_by_role("tab", name=words.ANSWER_TAB).click()
        expect(page.locator("#answer-text")).to_be_visible()
    page.wait_for_url("**tab=answer**", wait_until="commit")  # once the script has come, the address follows the tab
    page.close()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_a_stranger_sees_a_question_its_options_and_after_a_click_the_score_without_scrolling(open_page, width, height):
    page = open_page(width=width, height=height)
    page.locator("#tabs #try-side").wait_for()
    for place in ("#try-asked h3", *(f"[data-option={letter}]" for letter in "ABCD")):
        expect(page.locator(place)).to_be_in_viewport(ratio=1)
    page.locator("[data-option=B]").click()
    for place in ("#try-card .zs-score", "#try-card .zs-verdict"):
        expect(page.locator(place)).to_be_in_viewport(ratio=1)
    expect(page.locator("#try-asked")).to_contain_text("Written for this page")
    expect(page.locator("#try-card")).not_to_contain_text("GPT-4")
    expect(answer_box(page)).to_be_hidden()


SHIFTS = """window.shifts = [];
new PerformanceObserver(list => shifts.push(...list.getEntries().map(each => each.value)))
  .observe({ type: "layout-shift", buffered: true });"""


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_what_is_seen_first_hardly_moves_when_gradio_takes_over(context, url, width, height):
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": height})
    page.add_init_script(SHIFTS)
    page.goto(url, wait_until="load")
    page.locator("#tabs #try-side").wait_for()
    page.wait_for_function("document.fonts.status === 'loaded'")
    assert (
        page.evaluate("() => new Promise(requestAnimationFrame).then(() => shifts.reduce((a, b) => a + b, 0))") < 0.05
    )
    page.close()


@pytest.mark.slow
def test_a_task_that_was_pointed_at_is_chosen_without_the_server(page):
    fetched = "(task) => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(`/${task}.json`))"
    assert not all(page.evaluate(fetched, name) for name in TASKS)
    for name, task in TASKS.items():
        page.locator("#try-task").get_by_text(task.title, exact=True).hover()
        page.wait_for_function(fetched, arg=name)
    with held(page):
        for name, task in TASKS.items():
            choose_task(page, task.title)
            document = max(load_embedded(name)[0].document.split("\n"), key=len)[:40]
            expect(page.locator("#try-sheet")).to_contain_text(document)


def test_a_file_dropped_anywhere_else_opens_score_a_file_and_one_on_a_box_goes_there(open_page):
    page = open_page()
    expect(page.get_by_role("tab", name=words.FILE_TAB)).to_be_visible()
    for target, box, name in (("#try-side", "files", "run-7.csv"), ("#file-files", "files", "r.json")):
        page.locator(target).evaluate(
            """(place, name) => {
                const dataTransfer = new DataTransfer();
                dataTransfer.items.add(new File(["id,prediction\\n"], name));
                const drag = (type) => place.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true }));
                drag("dragover");
                drag("drop");
            }""",
            name,
        )
        expect(page.get_by_role("tab", name=words.FILE_TAB)).to_have_attribute("aria-selected", "true")
        expect(page.locator(f"#file-{box}")).to_contain_text(name)


# ---- Answers by hand and typed


def test_an_option_a_slider_and_cards_write_the_answer_and_follow_what_is_typed(page, navigate):
    wrong, right = page.locator("[data-option=B]"), page.locator("[data-option=C]")
    verdict = page.locator("#try-card .zs-verdict")
    wrong.click()
    expect(verdict).to_have_text(words.WRONG)
    right.click()
    expect(verdict).to_have_text("Right")
    expect(right).to_have_attribute("aria-pressed", "true")

    choose_task(page, "SpaceDigest")
    slider = page.get_by_role("slider", name=words.SLIDER)
    expect(slider).to_have_class("zs-unset")  # until there is an answer
    slider.fill("62")
    expect(answer_box(page)).to_have_value("62%")
    expect(slider).not_to_have_class("zs-unset")
    is_scored(page, 100)
    answer_box(page).fill("about 40% of them")
    expect(slider).to_have_value("40")

    choose_task(page, "BookSumSort")
    cards, down = page.locator(".zs-order li"), page.get_by_role("button", name=words.ORDER_DOWN.format(1))
    for _ in range(2):
        down.press("Enter")
    expect(answer_box(page)).to_have_value("2, 3, 1, 4, 5, 6, 7, 8, 9")
    expect(down).to_be_focused()
    cards.nth(3).drag_to(cards.nth(0), target_position={"x": 60, "y": 3})
    expect(answer_box(page)).to_have_value("4, 2, 3, 1, 5, 6, 7, 8, 9")
    points = score_example("book_sum_sort", answer_box(page).input_value(), [ORDER]).score
    expect(page.locator(".zs-order")).to_have_attribute("data-points", f"{points:.1f} points")
    answer_box(page).fill(ORDER)
    is_scored(page, 100)
    expect(cards.first).to_have_attribute("data-id", "3")

    choose_task(page, "Qasper")
    page.get_by_role("button", name=words.TRY_SAMPLE).click()
    is_scored(page, 400 / 11)
    for _ in range(2):  # the second time after a refresh
        expect(page.locator("#try-task [data-best]")).to_have_count(3)  # the sample answer is not the visitor's
        expect(page.locator("#try-task span", has_text="BookSumSort")).to_have_attribute("data-best", "100.0")
        navigate(page.reload)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_score_of_a_chosen_option_is_seen_in_it_and_on_the_card_of_the_task_and_nothing_moves(page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    shown = "part => getComputedStyle(part, '::after').content"
    for letter, points in (("B", "0.0"), ("C", "100.0")):
        option = page.locator(f"[data-option={letter}]")
        option.scroll_into_view_if_needed()
        places = page.locator("#try-task label, [data-option]").evaluate_all(BOXES)
        option.click()
        expect(option).to_have_attribute("data-points", f"{points} points")
        expect(page.locator("#try-asked [data-points]")).to_have_count(1)
        expect(option).to_be_in_viewport(ratio=0.9)
        assert option.evaluate(shown) == f'"{points} points"'
        assert chosen(page, "task").locator("span").evaluate(shown) == f'"{points}"'
        assert page.locator("#try-task label, [data-option]").evaluate_all(BOXES) == places


@pytest.mark.slow
def test_summaries_are_ordered_by_a_finger(new_context, url):
    page = new_context(has_touch=True, viewport={"width": 390, "height": 844}, locale="en-US").new_page()
    page.goto(f"{url}/?tab=try&task=book_sum_sort", wait_until="commit")
    grips = page.locator(".zs-order b")
    expect(grips).to_have_count(9)
    page.locator("#zs-try .zs-order").scroll_into_view_if_needed()
    start, end = grips.nth(2).bounding_box(), grips.nth(0).bounding_box()
    touch = page.context.new_cdp_session(page)
    steps = (("touchStart", start, 8), ("touchMove", end, 12), ("touchMove", end, 3), ("touchEnd", None, 0))
    for kind, box, y in steps:
        points = [{"x": box["x"] + 5, "y": box["y"] + y}] if box else []
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(answer_box(page)).to_have_value("3, 1, 2, 4, 5, 6, 7, 8, 9")


def test_reference_and_reason_are_hidden_until_asked_for_and_stay_open_as_one_types(page):
    choose_task(page, "SpaceDigest")
    answer_box(page).fill("55 percent")
    is_scored(page, 0)
    hidden = [page.locator("#try-references li").first, page.locator("#try-card-why .zs-why").first]
    for place in hidden:
        expect(place).to_be_hidden()
    unfold(page, "reveal")
    unfold(page, "why")
    expect(page.locator("#try-card-why .zs-reason")).to_contain_text("No percentage")
    answer_box(page).fill("50%")
    expect(page.locator("#try-card .zs-verdict")).to_have_text("12 points off")
    for place in hidden:
        expect(place).to_be_visible()
    choose_task(page, "MuSiQue")
    for place in hidden:
        expect(place).not_to_be_visible()


def test_places_of_the_answer_and_the_reference_are_shown_in_the_document(page):
    choose_task(page, "Qasper")
    expect(page.locator("#try-facts")).to_contain_text("science")
    text = " ".join(load_embedded("qasper")[0].document.split()[900:920])
    answer_box(page).fill(text)
    page.locator("#try-card-where [role=img]").click(position={"x": 100, "y": 10})
    next_place = page.locator("#try-card-where").get_by_role("button", name=words.TRY_NEXT_PLACE)
    next_place.click()
    page.wait_for_function(f"text => text.includes({MARKED}) && {MARKED}", arg=text)
    first, places = page.evaluate(MARKED), page.locator("#try-card-where .zs-places").get_attribute("data-places")
    marked = []
    for _ in places.split(","):
        next_place.click()
        marked.append(page.evaluate(MARKED))
    assert marked[-1] == first != marked[0]  # in turn
    scrolled = "document.querySelector('#try-sheet .zs-sheet').scrollTop"
    assert page.evaluate(scrolled) > 200
    unfold(page, "reveal")  # which marks the evidence
    page.wait_for_function(f"{MARKED}.toLowerCase() === 'concurrent instructions'")
    choose_task(page, "MuSiQue")  # whose document is read from its top
    expect(page.locator("#try-facts")).to_contain_text("Multi-hop")
    page.wait_for_function(f"{scrolled} === 0")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_question_and_the_box_are_in_view_together_and_nothing_is_cut(page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    for title in ("GovReport", "QMSum", "MuSiQue"):
        choose_task(page, title)
        expect(page.locator("#try-asked")).not_to_have_attribute("aria-busy", "true")
        page.evaluate("scrollTo(0, 0)")
        if width < 720:
            page.locator("#try-asked").evaluate("asked => asked.scrollIntoView()")
        for place in ("#try-asked h3", "#try-answer textarea"):
            expect(page.locator(place)).to_be_in_viewport(ratio=0.9)
    answer_box(page).fill("Brennick")
    unfold(page, "why")
    unfold(page, "reveal")
    assert page.locator("#try-side").evaluate("side => side.scrollHeight <= side.clientHeight + 1")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width < 720:
        page.get_by_role("link", name=words.TRY_TO_DOCUMENT).click()
        expect(page.locator("#try-sheet h4").first).to_be_in_viewport()
        page.get_by_role("link", name=words.TRY_TO_ANSWER).click()
        expect(answer_box(page)).to_be_in_viewport()
        cut = "tabs => tabs.filter(tab => tab.scrollWidth > tab.clientWidth).map(tab => tab.innerText)"
        assert page.get_by_role("tab").evaluate_all(cut) == []


# ---- 600 ms away: what is typed stays, and no score stands beside a text that it does not belong to


@pytest.mark.slow
def test_what_is_typed_right_after_a_choice_is_scored_for_what_was_chosen(far):
    far.locator("[data-option=C]").click()
    for choose, task, index, text in [
        (lambda: choose_task(far, "MuSiQue"), "musique", 0, "Brennick-on-Ansel"),
        (lambda: choose_task(far, "Qasper"), "qasper", 0, "concurrent instructions, mostly"),
        (lambda: choose_task(far, "QuALITY"), "quality", 0, "C"),  # typed there before
        (lambda: choose_task(far, "NarrativeQA"), "narrative_qa", 0, "Nobody knows"),
        (lambda: choose_example(far, 1), "narrative_qa", 1, "With roofing tar, I think"),
    ]:
        with held(far):
            choose()
            expect(answer_box(far)).to_have_value("C" if text == "C" else "")
            if text != "C":
                write(far, text)
        is_score_of(far, task, text, index)


def test_the_sample_answer_is_that_of_the_task_that_was_clicked_just_before_unless_one_types(far):
    choose_task(far, "NarrativeQA")
    far.get_by_role("button", name=words.TRY_SAMPLE).click()
    expect(answer_box(far)).not_to_have_value("")
    is_score_of(far, "narrative_qa", answer_box(far).input_value())
    choose_task(far, "MuSiQue")
    far.get_by_role("button", name=words.TRY_SAMPLE).click()
    write(far, " mine")
    text = answer_box(far).input_value()
    assert text.endswith(" mine")
    is_score_of(far, "musique", text)  # by then the sample answer has arrived


def test_a_score_is_marked_as_late_until_it_belongs_to_the_text(far):
    choose_task(far, "NarrativeQA")
    answer_box(far).fill("tar")
    is_score_of(far, "narrative_qa", "tar")
    with held(far):
        write(far, " or rope")
        expect(far.locator("#try-card")).to_have_attribute("aria-busy", "true")
    is_score_of(far, "narrative_qa", "tar or rope")
    with held(far):
        choose_example(far, 1)
        expect(far.locator("#try-card .zs-score")).to_have_count(0)
        expect(far.locator("#try-asked h3")).to_contain_text("Benno")  # the page carries it
        expect(answer_box(far)).to_have_value("")


def test_a_lost_connection_is_said_at_the_place_and_what_was_typed_is_scored_when_it_is_back(far):
    far.route("**/component_server/**", lambda route: route.fulfill(body="the page of a proxy"))
    choose_task(far, "MuSiQue")
    write(far, "Brennick")
    expect(far.locator("#try-side .zs-lost")).to_be_visible()
    far.unroute("**/component_server/**")
    is_score_of(far, "musique", "Brennick")
    expect(far.locator("#try-side .zs-lost")).to_be_hidden()


def test_the_prompt_is_shown_in_another_form_trimmed_and_copied(page):
    """This test comes last on the shared page, since it changes the prompt's format and budget."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    unfold(page, "prompt")
    page.locator("#try-variant").get_by_text("chat models").click()
    prompt = page.locator("#try-prompt-text")
    expect(prompt.locator(".zs-part.instruction")).to_contain_text("Do not provide any explanation.")
    expect(prompt.locator(".zs-part.response")).to_have_count(0)
    page.locator("#try-budget").fill("640")
    expect(page.locator("#try-sheet .zs-part.separator")).to_contain_text("[The rest of the story is omitted]")
    expect(prompt).to_contain_text("of its characters")
    page.locator("#try-copy").click()
    expect(page.locator("#try-copy")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("You are provided a story")
    assert "... [The rest of the story is omitted]\n\nQuestion and Possible Answers:" in copied
    page.get_by_role("slider", name=words.PROMPT_BUDGET_SLIDER).fill("16384")
    expect(prompt).to_contain_text("The whole prompt")
