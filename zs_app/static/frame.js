// The frame: the benchmark's menu, the tabs, the links, and the note on a link that names what the page does not have.
import { copyText } from "./copy.js";
import { listen } from "./drops.js";

const BELOW = 32; // pixels that Gradio has between the page and its foot, and below that

export function mount(/** @type {HTMLElement} */ element, _server, address) {
  const menu = element.querySelector("select");
  const tabs = () => [...document.querySelectorAll("#tabs > .tab-wrapper [role=tab]")];
  const tabNamed = (/** @type {string} */ name) => tabs()[address.catalog.tabs.indexOf(name)];
  const panel = () => [...document.querySelectorAll("[role=tabpanel]")].find((each) => each.getClientRects().length);

  function follow(place, before) {
    menu.value = place.benchmark;
    const isAnnex = address.catalog.annexes.includes(place.tab); // which has tasks and a head of its own
    menu.hidden = isAnnex;
    element.querySelector("#brand").hidden = !isAnnex;
    document.querySelectorAll("#links [data-of]").forEach((link) => (link.hidden = isAnnex || link.dataset.of !== place.benchmark));
    document.getElementById("link-note")?.remove();
    if (place.tab !== before.tab) tabNamed(place.tab).click();
    tabs().forEach((tab) => (tab.tabIndex = tab === tabNamed(place.tab) ? 0 : -1)); // one tab stop for all
  }

  /** Show the page, which `head.html` hides, once the visitor's tab is there with its scripts and styles. */
  function show() {
    const hasStyles = getComputedStyle(element).getPropertyValue("--zs-ink"), shown = panel();
    const isThere = hasStyles && shown?.querySelector(".block")?.clientHeight && !shown.querySelector("[inert]");
    if (isThere) document.documentElement.dataset.shown = "";
    else requestAnimationFrame(show);
  }

  function start() {
    if (!tabNamed(address.catalog.tabs.at(-1))) return requestAnimationFrame(start);
    const chosen = tabs().findIndex(({ ariaSelected }) => ariaSelected === "true");
    if (chosen > 0) address.move({ tab: address.catalog.tabs[chosen] }); // before this script was there
    follow(address.place(), { tab: "try" });
    address.subscribe(follow);
    show();
    if (!address.unknown.length) return;
    const look = { id: "link-note", className: "zs-notice zs-warning", role: "status", textContent: `Not found: ${address.unknown.join(", ")}. The link may be misspelt.` };
    document.getElementById("tabs").before(Object.assign(document.createElement("p"), look));
  }

  listen(address);
  document.addEventListener("submit", (event) => event.preventDefault()); // the scripts follow each change
  menu.addEventListener("change", () => address.move({ benchmark: menu.value }));
  document.addEventListener("keydown", (event) => {
    const place = tabs().indexOf(event.target), step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (place < 0 || !step) return;
    const next = tabs().at((place + step) % tabs().length);
    next.focus();
    next.click();
  });
  document.addEventListener("click", (event) => {
    const tab = tabs().indexOf(event.target.closest("[role=tab]"));
    const copy = event.target.closest("[data-copy]");
    if (!event.target.closest(".zs-menu summary")) document.querySelectorAll(".zs-menu[open]").forEach((menu) => { menu.open = false; });
    if (tab >= 0) address.move({ tab: address.catalog.tabs[tab] });
    if (copy) copyText(copy.dataset.copy === "address" ? address.link() : copy.closest("figure").querySelector("code").innerText, copy);
    if (!event.target.closest(".zs-skip")) return;
    event.preventDefault();
    panel().tabIndex = -1;
    panel().focus();
  });
  // The Hub's frame is as high as the page. Gradio asks for the height, but no longer once the page has grown five times in a row.
  const content = element.closest(".column"), gradioFoot = document.querySelector("footer:not(.zs-foot)");
  function askForHeight() {
    const height = content.getBoundingClientRect().bottom + scrollY + (gradioFoot?.clientHeight ?? 0) + BELOW;
    if ("parentIFrame" in window && Math.abs(height - innerHeight) >= 2) window.parentIFrame.size(height);
  }
  new ResizeObserver(askForHeight).observe(content);
  addEventListener("resize", askForHeight);
  addEventListener("scroll", () => "parentIFrame" in window && scrollTo(0, 0)); // the Hub's page scrolls
  start();
}
