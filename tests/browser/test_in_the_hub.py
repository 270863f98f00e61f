"""The page in the Hub's frame, which has no scroll bar and is as high as its page, below the Hub's own address."""

from pathlib import Path

import pytest
from file_tab import is_scored, load_sample, open_file_tab
from page_actions import choose_example, choose_task, chosen
from playwright.sync_api import expect
from started_app import started_app

from zs_app import words

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
HUB = "https://huggingface.co/spaces/someone/zero_scrolls"
#: The tabs with what is visible in each alone.
TABS = {
    words.RESULTS_TAB: "#zs-results",
    words.API_TAB: ".zs-code >> nth=0",
    words.ANSWER_TAB: "#zs-answer",
    words.TRY_TAB: "#zs-try",
    words.FILE_TAB: "#zs-file",
}
# It speaks the protocol of iframe-resizer, as the Hub's page does, and takes the address that the page reports.
PARENT = """<!doctype html><body style="margin: 0"><header style="height: 57px"></header>
<iframe scrolling="no" style="display: block; width: 100%; border: 0" allow="clipboard-write"
  sandbox="allow-downloads allow-forms allow-modals allow-popups allow-same-origin allow-scripts"></iframe>
<script>
  const frame = document.querySelector("iframe");
  addEventListener("message", ({ data }) => {
    const [name, height] = String(data).split(":");
    if (name.startsWith("[iFrameSizer]")) frame.style.height = Number(height) ? `${height}px` : frame.style.height;
    else history.replaceState(null, "", `?${data.queryString}${data.hash}`);
  });
  const settings = "[iFrameSizer]hub:0:false:false:32:true:true::bodyOffset:::0:false:parent:scroll:false";
  frame.onload = () => frame.contentWindow.postMessage(settings, "*");
  frame.src = `SPACE/${location.search || "?"}&__theme=light&__sign=token`;
</script>"""
# The height of the frame once it has all of the page and no more; below it there is one line of Gradio's.
SETTLED = """() => {
  const below = innerHeight - document.querySelector(".zs-foot").getBoundingClientRect().bottom;
  if (document.querySelector("[aria-busy=true], [inert]")) return false;
  return scrollY === 0 && below > 0 && below < 60 && innerHeight;
}"""


@pytest.fixture(scope="module")
def space(tmp_path_factory):
    """The address of the app, started as in a Space."""
    settings = {"SYSTEM": "spaces", "SPACE_ID": "someone/zero_scrolls", "GRADIO_ANALYTICS_ENABLED": "False"}
    with started_app(ROOT, tmp_path_factory.mktemp("space") / "log", **settings) as url:
        yield url


@pytest.fixture
def hub(context, space):
    """The Hub's page of the Space."""
    page = context.new_page()
    page.set_default_timeout(60_000)
    html = PARENT.replace("SPACE", space)
    page.route(f"{HUB}**", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto(HUB)
    yield page
    page.close()


def framed(hub):
    """The page of the app in its frame, once it is usable."""
    frame = hub.locator("iframe").element_handle().content_frame()
    frame.locator("#tabs #try-side").wait_for(state="attached")
    return frame


def load_sample_in_frame(page):
    """Open the sample once the frame has the height of the tab: a click misses what moves with the frame."""
    open_file_tab(page)
    page.wait_for_function(SETTLED)
    load_sample(page)
    page.wait_for_function(SETTLED)


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_the_frame_settles_at_the_height_of_each_tab_and_the_end_of_each_is_reached(hub, width):
    hub.set_viewport_size({"width": width, "height": 800})
    page = framed(hub)
    load_sample_in_frame(page)
    heights = []
    for tab, part in [*TABS.items()] * 3:  # at the first time its script may not have come
        page.get_by_role("tab", name=tab).click()
        page.locator(part).wait_for()
        heights.append(page.wait_for_function(SETTLED).json_value())
        hub.evaluate("scrollTo(0, document.body.scrollHeight)")
        expect(page.locator(".zs-foot")).to_be_in_viewport()
    assert heights[5:10] == heights[10:]


# The end of the page gets 100 px more nine times, each of them seen by what observes it.
GROWS = """async () => {
  for (let height = 100; height <= 900; height += 100) {
    document.querySelector(".zs-foot").style.paddingTop = `${height}px`;
    await null;
  }
}"""
#: What folds or changes on a tab, beside the menus.
SWITCHES = "summary, #try-task label, [data-column], #results-table tr[data-row] button"


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_the_frame_ends_where_the_page_ends_after_each_click_on_what_folds_or_changes(hub, width):
    hub.set_viewport_size({"width": width, "height": 800})
    page = framed(hub)
    clicked = 0
    for tab, part in TABS.items():
        page.get_by_role("tab", name=tab, exact=True).click()
        page.locator(part).wait_for()
        for switch in page.locator("[role=tabpanel]:visible").locator(SWITCHES).all()[:20]:
            if switch.is_visible():
                switch.click()
                page.wait_for_function(SETTLED)
                clicked += 1
    assert clicked >= 20


@pytest.mark.slow
def test_the_frame_follows_a_page_that_grows_in_many_steps_and_shrinks(hub):
    page = framed(hub)
    page.get_by_role("tab", name=words.API_TAB).click()
    before = page.wait_for_function(SETTLED).json_value()
    page.evaluate(GROWS)
    page.wait_for_function(f"height => ({SETTLED})() && innerHeight > height", arg=before + 800)
    page.evaluate("document.querySelector('.zs-foot').style.paddingTop = ''")
    page.wait_for_function(f"height => ({SETTLED})() && Math.abs(innerHeight - height) < 2", arg=before)


@pytest.mark.slow
def test_the_address_of_the_hub_follows_a_reload_keeps_the_place_and_the_link_to_it_is_copied(hub, navigate):
    page = framed(hub)
    choose_task(page, "MuSiQue")
    choose_example(page, 1)
    hub.wait_for_url(f"{HUB}?tab=try&task=musique&example=1", wait_until="commit")
    navigate(hub.reload)
    page = framed(hub)
    expect(chosen(page, "task")).to_contain_text("MuSiQue")
    expect(page.locator("#try-example select")).to_have_value("1")
    load_sample_in_frame(page)
    hub.wait_for_url("**?tab=file&report=*", wait_until="commit")
    page.get_by_role("button", name="All answers").click()
    page.wait_for_function(SETTLED)
    page.get_by_role("button", name="Next").click()
    expect(page.locator("#file-opened")).to_contain_text("2 of 20")
    hub.wait_for_url("**answer=quality*", wait_until="commit")
    link, report = hub.url, page.locator("#file-opened").inner_text()
    navigate(hub.reload)
    page = framed(hub)
    is_scored(page)
    expect(page.locator("#file-opened")).to_have_text(report, use_inner_text=True)
    hub.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name=words.COPY_LINK).click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert hub.evaluate("navigator.clipboard.readText()") == link
    assert "__" not in link


@pytest.mark.slow
def test_no_request_leaves_a_space_that_is_opened_without_the_hubs_page(context, space):
    page, outside = context.new_page(), []
    page.route(
        lambda address: not address.startswith((space, "data:", "blob:")),
        lambda route: outside.append(route.request.url),
    )
    page.goto(space)
    page.locator("#zs-frame [data-ready]").wait_for(state="attached")
    page.wait_for_load_state("networkidle")
    assert outside == []
    page.close()


@pytest.mark.slow
def test_clients_are_given_the_name_of_the_space_and_the_docs_are_its_own(hub):
    page = framed(hub)
    page.get_by_role("tab", name=words.API_TAB).click()
    expect(page.locator(".zs-code code >> visible=true").first).to_contain_text('Client("someone/zero_scrolls")')
    expect(page.get_by_role("link", name="docs/api.md")).to_have_attribute("href", f"{HUB}/blob/main/docs/api.md")
