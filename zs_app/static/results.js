// "Results": the address has the settings; the server filters, sorts and draws the rows.
import { FIRST } from "./address.js";
import { live, markLate, show, store, stored } from "./calls.js";

/** @param {HTMLElement} element @param {any} server @param {any} address */
export function mount(element, server, address) {
  const find = (selector) => element.querySelector(selector);
  const explorer = find("#results-explorer"), menus = find("#results-filters");
  const own = () => JSON.parse(stored("own results") || "[]");
  const inputs = () => ({ benchmark: address.place().benchmark, own: own(), settings: address.place().results });
  const change = (changes) => address.move({ results: changes }, false);
  let shown = ""; // the inputs of what is shown, or asked for

  const load = live(server.published, ({ error, filters, ...parts }, { benchmark, settings }) => {
    markLate(explorer, false);
    if (error) return show(find("#results-verdict"), { error });
    const focused = document.activeElement.id;
    if (menus.dataset.of !== benchmark) menus.innerHTML = filters; // else what is typed would be lost
    menus.dataset.of = benchmark;
    Object.entries(parts).forEach(([name, html]) => { find(`#results-${name}`).innerHTML = html; });
    for (const control of element.querySelectorAll("[data-filter]")) {
      const value = settings[control.dataset.filter];
      if (control.type === "checkbox") control.checked = Boolean(value);
      else if (control !== document.activeElement) control.value = value;
    }
    if (focused.startsWith("results-")) document.getElementById(focused)?.focus({ preventScroll: true });
  }, (isLost) => markLate(explorer, isLost));

  function request() { // when the tab is open, and again when a file was scored
    const asked = JSON.stringify(inputs());
    if (address.place().tab !== "results" || shown === asked) return;
    shown = asked;
    markLate(explorer, true);
    load(inputs());
  }

  function unfold(line) {
    const about = line.nextElementSibling;
    about.hidden = !about.hidden;
    line.querySelector("th button").ariaExpanded = String(!about.hidden);
  }

  async function save(form) {
    const { text } = (await server.exported({ ...inputs(), form })) ?? {};
    if (!text) return;
    const href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
    Object.assign(document.createElement("a"), { download: `${address.place().benchmark}-results.${form}`, href }).click();
  }

  element.addEventListener("click", ({ target }) => {
    const column = target.closest("[data-column]"), line = target.closest("tr[data-row]"), filters = target.closest("[data-unfold]");
    const { format, remove } = target.dataset;
    if (column) {
      const isDown = column.ariaSort === "descending" || (column.dataset.column === "name" && !column.ariaSort);
      change({ sort: column.dataset.column, up: isDown ? "1" : "" });
    } else if (target.matches("[data-all]")) change({ all: "1" });
    else if (target.matches("[data-reset]")) change(FIRST.results);
    else if (filters) filters.ariaExpanded = String(filters.ariaExpanded !== "true");
    else if (format) save(format);
    else if (remove) {
      store("own results", JSON.stringify(own().filter((result) => result !== remove)));
      request();
    } else if (line && !target.matches("input, a")) unfold(line);
  });
  element.addEventListener("input", ({ target: { dataset, type, checked, value }, target }) => {
    const { row } = target.closest("tr[data-row]")?.dataset ?? {};
    const { rows, only } = address.place().results;
    if (row) {
      const chosen = rows.split(" ").filter((id) => id && id !== row).concat(checked ? row : []);
      change({ rows: chosen.join(" "), only: chosen.length ? only : "" });
    } else if (dataset.filter === "sort") change({ sort: value, up: "" });
    else change({ [dataset.filter]: type !== "checkbox" ? value : checked ? "1" : "" });
  });
  document.addEventListener("zs-scored", request);
  address.subscribe(request);
  request();
}
