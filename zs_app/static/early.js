// The first screen, part of the page's HTML: it works at once, and moves into Gradio's page when that has loaded.
import { createAddress } from "./address.js";
import { start } from "./try.js";

const early = document.getElementById("zs-early");
const screen = document.getElementById("zs-screen");
const menu = early.querySelector("select");

/** The one address of the page, which all its components share. */
export const address = createAddress(JSON.parse(document.getElementById("zs-catalog").textContent));

function show(/** @type {{ tab: string, benchmark: string }} */ { tab, benchmark }) {
  menu.value = benchmark;
  early.dataset.shown = tab;
  early.querySelectorAll("nav a").forEach((link) => (link.ariaCurrent = link.dataset.tab === tab ? "page" : null));
}

/** Whether Gradio shows the tab where the visitor is, with what is in it. */
function isShown() {
  const { tab } = address.place(), chosen = document.querySelector("#tabs > .tab-wrapper [aria-selected=true]");
  if (tab === "try") return true;
  const panel = [...document.querySelectorAll("[role=tabpanel]")].find((each) => each.getClientRects().length);
  return chosen?.textContent.trim() === early.querySelector(`nav [data-tab="${tab}"]`).textContent && panel?.querySelector(".block")?.clientHeight > 0;
}

/** Move the first screen into Gradio's element, and show Gradio's page once it has the visitor's tab. */
export function mount(/** @type {HTMLElement} */ element) {
  const shownBy = performance.now() + 10_000; // should Gradio not show the tab
  const scrolled = [...screen.querySelectorAll("*")].map((part) => [part, part.scrollLeft, part.scrollTop]).filter(([, x, y]) => x || y);
  (function reveal() {
    if (!isShown() && performance.now() < shownBy) return requestAnimationFrame(reveal);
    const { activeElement } = document, place = [...early.querySelector("nav").children].indexOf(activeElement);
    const focused = document.querySelectorAll("#benchmark, #tabs > .tab-wrapper [role=tab]")[place] ?? activeElement;
    early.remove();
    element.replaceChildren(screen);
    requestAnimationFrame(() => scrolled.forEach(([part, x, y]) => part.scrollTo(x, y)));
    const until = performance.now() + 2_000;
    (function take() { // Gradio may hide it for some frames more
      if (document.activeElement !== document.body || performance.now() > until) return;
      focused.focus({ preventScroll: true });
      requestAnimationFrame(take);
    })();
  })();
  document.head.append(document.getElementById("zs-later").content); // the scripts of the other tabs
}

document.addEventListener("submit", (event) => event.preventDefault()); // the scripts follow each change
early.addEventListener("click", (event) => {
  const { tab } = event.target.dataset;
  if (!tab || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  address.move({ tab });
});
menu.addEventListener("change", () => address.move({ benchmark: menu.value }));
addEventListener("dragover", (event) => event.dataTransfer.types.includes("Files") && event.preventDefault());
addEventListener("drop", async (event) => { // on a box for files; anywhere else they are predictions to score
  const files = new DataTransfer(); // which outlasts the event
  [...event.dataTransfer.files].forEach((file) => files.items.add(file));
  if (event.defaultPrevented || !files.files.length) return;
  event.preventDefault();
  let input = event.target.closest("[data-side]")?.querySelector("input");
  if (!input && address.catalog.annexes.includes(address.place().tab)) return;
  if (!input) address.move({ tab: "file" });
  while (!(input ??= document.querySelector("#file-files input"))) await new Promise(requestAnimationFrame);
  input.files = files.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
});
address.subscribe(show);
show(address.place());
start(screen, address);
menu.disabled = screen.inert = false; // a click or a choice before this would have no effect
