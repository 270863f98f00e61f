// The first screen, part of the page's HTML: it works at once, and moves into Gradio's page when that has loaded.
import { address } from "./page.js";
import { start } from "./try.js";

const early = document.getElementById("zs-early");
const screen = document.getElementById("zs-screen");
const menu = early.querySelector("select");

function show(/** @type {{ tab: string, benchmark: string }} */ { tab, benchmark }) {
  if (!early.isConnected) return;
  menu.value = benchmark;
  early.querySelectorAll("nav a").forEach((link) => (link.ariaCurrent = link.dataset.tab === tab ? "page" : null));
  screen.hidden = tab !== "try";
  early.querySelector(":scope > p").hidden = tab === "try";
}

/** Return what takes the place of a focused element in Gradio's page: it may be the early menu, or a tab. */
function successor(/** @type {HTMLElement} */ focused) {
  if (focused === menu) return document.querySelector("#zs-frame select");
  const tabs = [...early.querySelectorAll("nav a")];
  return tabs.includes(focused) ? document.querySelectorAll("#tabs > .tab-wrapper [role=tab]")[tabs.indexOf(focused)] : focused;
}

/** Move the first screen into Gradio's element. @param {HTMLElement} element */
export function mount(element) {
  const focused = successor(document.activeElement);
  const scrolled = [...screen.querySelectorAll("*")].map((part) => [part, part.scrollLeft, part.scrollTop]).filter(([, x, y]) => x || y);
  early.remove();
  screen.hidden = false;
  element.replaceChildren(screen);
  requestAnimationFrame(() => scrolled.forEach(([part, x, y]) => part.scrollTo(x, y)));
  const until = performance.now() + 2_000;
  (function take() { // Gradio may hide it for some frames more
    if (document.activeElement !== document.body || performance.now() > until) return;
    focused?.focus({ preventScroll: true });
    requestAnimationFrame(take);
  })();
  for (const href of address.catalog.modules) { // those of the other tabs
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  }
}

menu.addEventListener("change", () => address.move({ benchmark: menu.value }));
address.subscribe(show);
show(address.place());
start(screen, address);
menu.disabled = screen.inert = false; // a click or a choice before this would have no effect
