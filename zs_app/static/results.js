// "Results": the address has the settings; the server filters, sorts and draws the rows.
import { FIRST } from "./address.js";
import { live, show, store, stored } from "./calls.js";

export function mount(/** @type {HTMLElement} */ element, server, address) {
  const find = (/** @type {string} */ selector) => element.querySelector(selector);
  const explorer = find("#results-explorer");
  const own = () => JSON.parse(stored("own results") || "[]");
  const inputs = () => ({ benchmark: address.place().benchmark, own: own(), settings: address.place().results });
  const change = (/** @type {object} */ changes) => address.move({ results: changes }, false);
  let shown = JSON.stringify({ benchmark: Object.keys(address.catalog.benchmarks)[0], own: [], settings: FIRST.results }); // or asked for
  let ticked = ""; // the box whose row stays where it is in the window

  const load = live(server.published, ({ error, ...parts }, { settings }) => {
    explorer.ariaBusy = false;
    if (error) return show(find("#results-verdict"), { error });
    const focused = document.activeElement.id, top = () => document.getElementById(ticked)?.getBoundingClientRect().top;
    const before = top();
    Object.entries(parts).forEach(([name, html]) => { find(`#results-${name}`).innerHTML = html; });
    find("#results-split").value = settings.split;
    if (focused !== "results-find") find("#results-find").value = settings.find;
    if (focused.startsWith("results-")) document.getElementById(focused)?.focus({ preventScroll: true });
    if (before) scrollBy(0, top() - before);
    if (ticked) find("#results-pair")?.scrollIntoView({ block: "nearest" });
  }, (isLost) => { explorer.ariaBusy = isLost; });

  function request() { // when the tab is open, and again when a file was scored
    const asked = JSON.stringify(inputs());
    if (address.place().tab !== "results" || shown === asked) return;
    shown = asked;
    explorer.ariaBusy = true;
    load(inputs());
  }

  element.addEventListener("click", ({ target }) => {
    const head = target.closest("[data-column]"), line = target.closest("tr[data-row]"), { remove } = target.dataset;
    if (head) {
      const isDown = head.ariaSort === "descending" || (head.dataset.column === "name" && !head.ariaSort);
      change({ sort: head.dataset.column, up: isDown ? "1" : "" });
    } else if (target.matches("[data-reset]")) change(FIRST.results);
    else if (target.matches("[data-later]")) {
      change({ ...FIRST.results, split: "all", sort: "year" });
      find("#results-table").scrollIntoView();
    } else if (remove) {
      store("own results", JSON.stringify(own().filter((result) => result !== remove)));
      request();
    } else if (line && !target.matches("input, a")) {
      line.querySelector("th button").ariaExpanded = !line.nextElementSibling.toggleAttribute("hidden");
    }
  });
  element.addEventListener("input", ({ target: { id, dataset, type, checked, value }, target }) => {
    const { row } = target.closest("tr[data-row]")?.dataset ?? {};
    const { rows, only } = address.place().results;
    ticked = row ? id : "";
    if (row) {
      const chosen = rows.split(" ").filter((other) => other && other !== row).concat(checked ? row : []);
      change({ rows: chosen.join(" "), only: chosen.length ? only : "" });
    } else change({ [dataset.filter]: type !== "checkbox" ? value : checked ? "1" : "", ...(dataset.filter === "sort" ? { up: "" } : {}) });
  });
  document.addEventListener("zs-scored", request);
  address.subscribe(request);
  request();
}
