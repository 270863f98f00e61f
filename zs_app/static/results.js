/** "Results": the address has the settings; the server filters, sorts and draws the rows. */
import { live, markLate, show, store, stored } from "./calls.js";
import { settingsFrom, showInAddress } from "./address.js";

const FIRST = { split: "", kind: "", year: "", context: "", find: "", sort: "average", up: "", only: "", rows: "", all: "" };

/** @param {HTMLElement} element @param {any} server @param {any} address */
export function mount(element, server, address) {
  const find = (selector) => element.querySelector(selector);
  const all = (selector) => [...element.querySelectorAll(selector)];
  const place = find("#results-explorer");
  const own = () => JSON.parse(stored("own results") || "[]");
  const isOpen = () => address.place().tab === "results";
  const inputs = () => ({ benchmark: address.place().benchmark, own: own(), settings });
  let settings = settingsFrom(location.search, FIRST, "results");
  let shown = ""; // the inputs of what is shown, or asked for

  const load = live(server.published, ({ error, filters, ...parts }) => {
    if (error) return show(find("#results-verdict"), { error });
    const focused = document.activeElement.id;
    const menus = find("#results-filters");
    if (menus.dataset.of !== address.place().benchmark) menus.innerHTML = filters; // else what is typed would be lost
    menus.dataset.of = address.place().benchmark;
    Object.entries(parts).forEach(([name, html]) => { find(`#results-${name}`).innerHTML = html; });
    for (const control of all("[data-filter]")) {
      const value = settings[control.dataset.filter];
      if (control.type === "checkbox") control.checked = Boolean(value);
      else if (control !== document.activeElement) control.value = value;
    }
    if (focused.startsWith("results-")) document.getElementById(focused)?.focus({ preventScroll: true });
    return markLate(place, false);
  }, (lost) => markLate(place, lost));

  function request() { // when the tab is open, and again when a file was scored
    if (!isOpen() || shown === JSON.stringify(inputs())) return;
    shown = JSON.stringify(inputs());
    markLate(place, true);
    load(inputs());
  }

  function change(changes) {
    settings = { ...settings, ...changes };
    showInAddress(settings, FIRST);
    request();
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
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  }

  element.addEventListener("click", ({ target }) => {
    const column = target.closest("[data-column]"), line = target.closest("tr[data-row]"), filters = target.closest("[data-unfold]");
    const { format, remove } = target.dataset;
    if (column) {
      const isDown = column.ariaSort === "descending" || (column.dataset.column === "name" && !column.ariaSort);
      change({ sort: column.dataset.column, up: isDown ? "1" : "" });
    } else if (target.matches("[data-all]")) change({ all: "1" });
    else if (target.matches("[data-reset]")) change(FIRST);
    else if (filters) filters.ariaExpanded = String(filters.ariaExpanded !== "true");
    else if (format) {
      target.closest("details").open = false;
      save(format);
    } else if (remove) {
      store("own results", JSON.stringify(own().filter((result) => result !== remove)));
      request();
    } else if (line && !target.matches("input, a")) unfold(line);
  });
  element.addEventListener("input", ({ target }) => {
    const { filter } = target.dataset;
    if (filter === "sort") change({ sort: target.value, up: "" });
    else if (filter) change({ [filter]: target.type === "checkbox" ? (target.checked ? "1" : "") : target.value });
    else if (target.matches("tr[data-row] input")) {
      const { row } = target.closest("tr").dataset;
      const rows = settings.rows.split(" ").filter((one) => one && one !== row).concat(target.checked ? row : []);
      change({ rows: rows.join(" "), only: rows.length ? settings.only : "" });
    }
  });
  element.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("zs-scored", request);
  address.subscribe(() => {
    request();
    showInAddress(isOpen() ? settings : FIRST, FIRST);
  });
  addEventListener("popstate", () => {
    settings = settingsFrom(location.search, FIRST, "results");
    request();
  });
  request();
}
