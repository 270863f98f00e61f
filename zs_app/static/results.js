/** "Results": rows are filtered and sorted here; charts and exports of the rows shown come from the server. */
import { live, markLate, show, store, stored } from "./calls.js";
import { settingsFrom, showInAddress } from "./settings.js";
import { sorted } from "./tables.js";

const FIRST = { split: "", kind: "", year: "", context: "", find: "", sort: "average", up: "", only: "", rows: "" };

const FEW = 8; // rows of a group on a phone, until all are asked for

/** Whether a row passes the filters. Files scored here pass all but those by name and split. */
export function passes({ group, kind, year, tokens, own, name, row }, settings) {
  const [from, to] = settings.context.split("-");
  const fits = from === "none" ? !tokens : tokens && tokens >= Number(from) && tokens <= (Number(to) || Infinity);
  return (!settings.split || group === settings.split || group === "own")
    && (own || !settings.kind || kind === settings.kind)
    && (own || !settings.year || year === settings.year)
    && (own || !settings.context || Boolean(fits))
    && name.toLowerCase().includes(settings.find.trim().toLowerCase())
    && (!settings.only || settings.rows.split(" ").includes(row));
}

/** @param {HTMLElement} element @param {any} server @param {any} address */
export function mount(element, server, address) {
  const find = (selector) => element.querySelector(selector);
  const all = (selector) => [...element.querySelectorAll(selector)];
  const place = find("#results-explorer");
  const nameOf = (line) => line.cells[0].querySelector("button").textContent;
  const about = (line) => line.nextElementSibling;
  const lines = (body) => [...body.querySelectorAll("tr[data-row]")];
  const shown = () => all("tr[data-row]:not([hidden])").map((line) => line.dataset.row);
  const own = () => JSON.parse(stored("own results") || "[]");
  const isOpen = () => address.place().tab === "results";
  let settings = settingsFrom(location.search, FIRST, "results");
  let asked = ""; // the benchmark and the files of the table

  // ---- The table comes from the server when the tab is open, and again when a file was scored.

  const load = live(server.published, (reply) => {
    if (reply.error) return show(place, reply);
    find("#results-lead").innerHTML = reply.lead;
    find("#results-verdict").innerHTML = reply.verdict;
    show(place, reply);
    refresh();
  }, (lost) => markLate(place, lost));

  function request() {
    const inputs = { benchmark: address.place().benchmark, own: own() };
    if (!isOpen() || asked === JSON.stringify(inputs)) return;
    asked = JSON.stringify(inputs);
    markLate(place, true);
    load(inputs);
  }

  // ---- Filter and sort

  const heads = () => [...find("[data-results] thead tr").cells];
  const columnOf = (name) => Math.max(heads().findIndex((head) => head.dataset.column === name), 0);
  const isScore = (name) => !["name", "tokens", "year"].includes(name);
  const value = (line, column) => {
    if (column === 0) return nameOf(line).toLowerCase();
    const cell = line.cells[column];
    return cell.matches(".apart") || !cell.dataset.value ? null : Number(cell.dataset.value);
  };

  function change(changes) {
    settings = { ...settings, ...changes };
    showInAddress(settings, FIRST);
    refresh();
  }

  function refresh() {
    if (!find("[data-results]")) return;
    const [column, up, chosen] = [columnOf(settings.sort), settings.up === "1", settings.rows.split(" ")];
    heads().forEach((head, i) => { head.ariaSort = i === column ? (up ? "ascending" : "descending") : null; });
    for (const body of find("[data-results]").tBodies) {
      sorted(lines(body), (line) => value(line, column), up).forEach((line) => body.append(line, about(line)));
      for (const line of lines(body)) {
        const isChosen = chosen.includes(line.dataset.row);
        line.hidden = !passes({ ...line.dataset, own: "own" in line.dataset, name: nameOf(line) }, settings);
        line.classList.toggle("chosen", isChosen);
        line.cells[0].querySelector("input").checked = isChosen;
        if (line.hidden) unfold(line, false);
      }
      const passing = lines(body).filter((line) => !line.hidden);
      passing.forEach((line, i) => line.classList.toggle("later", i >= FEW));
      body.hidden = !passing.length;
      body.querySelector("[data-all]").textContent = `Show all ${passing.length}`;
      body.querySelector("[data-all]").hidden = passing.length <= FEW;
    }
    const count = shown().length;
    find("[data-count]").textContent = count ? `${count} of ${all("tr[data-row]").length} rows` : "No rows match the filters.";
    const active = ["split", "kind", "year", "context", "only"].filter((name) => settings[name]).length;
    find("[data-active]").textContent = active ? `(${active})` : "";
    find("[data-chosen]").textContent = settings.rows ? `(${chosen.length})` : "";
    for (const control of all("[data-filter]")) {
      const name = control.dataset.filter;
      if (control.type === "checkbox") control.checked = Boolean(settings[name]);
      else if (document.activeElement !== control) control.value = name === "sort" ? focus() : settings[name];
    }
    find("[data-focus]").textContent = heads()[columnOf(focus())].textContent;
    all("[data-lengths]").forEach((one) => { one.hidden = one.dataset.lengths !== focus(); });
    draw({ benchmark: address.place().benchmark, own: own(), rows: shown(), column: focus(), pair: settings.rows.split(" ").filter(Boolean).slice(0, 3) });
  }

  const draw = live(server.chart, (reply) => {
    show(find("#results-chart"), reply);
    find("#results-pair").innerHTML = reply.pair ?? "";
    find("#results-years").innerHTML = reply.years ?? "";
  });
  // The score in the charts: the last one that the table was sorted by.
  let last = "average";
  const focus = () => (isScore(settings.sort) && columnOf(settings.sort) ? (last = settings.sort) : columnOf(last) ? last : "average");

  function unfold(line, open) {
    about(line).hidden = !open;
    line.cells[0].querySelector("button").ariaExpanded = String(open);
  }

  async function save(form) {
    const reply = await server.exported({ benchmark: address.place().benchmark, own: own(), rows: shown(), form });
    if (!reply?.text) return;
    const href = URL.createObjectURL(new Blob([reply.text], { type: "text/plain;charset=utf-8" }));
    Object.assign(document.createElement("a"), { download: `${address.place().benchmark}-results.${form}`, href }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  }

  // ---- Clicks and choices

  element.addEventListener("click", ({ target }) => {
    const { column, format, remove, reset, unfold: folded } = target.closest("[data-column], [data-format], [data-remove], [data-reset], [data-unfold]")?.dataset ?? {};
    const line = target.closest("tr[data-row]");
    if (column) {
      const sort = target.closest("th").ariaSort;
      change({ sort: column, up: sort === "descending" || (column === "name" && !sort) ? "1" : "" });
    } else if (target.matches("[data-all]")) target.closest("tbody").dataset.unfolded = "";
    else if (reset !== undefined) change(FIRST);
    else if (folded !== undefined) target.closest("[data-unfold]").ariaExpanded = String(target.closest("[data-unfold]").ariaExpanded !== "true");
    else if (format) {
      target.closest("details").open = false;
      save(format);
    } else if (remove) {
      store("own results", JSON.stringify(own().filter((one) => one !== remove)));
      request();
    } else if (line && !target.matches("input, a")) unfold(line, about(line).hidden);
  });
  element.addEventListener("input", ({ target }) => {
    const name = target.dataset.filter;
    if (name === "sort") change({ sort: target.value, up: "" });
    else if (name) change({ [name]: target.type === "checkbox" ? (target.checked ? "1" : "") : target.value });
    else if (target.matches("tr[data-row] input")) {
      const rows = all("tr[data-row]:has(input:checked)").map((line) => line.dataset.row);
      change({ rows: rows.join(" "), only: rows.length ? settings.only : "" });
    }
  });
  element.addEventListener("submit", (event) => event.preventDefault());

  document.addEventListener("zs-scored", request);
  address.subscribe(() => {
    if (isOpen()) request();
    showInAddress(isOpen() ? settings : FIRST, FIRST);
  });
  addEventListener("popstate", () => { settings = settingsFrom(location.search, FIRST, "results"); refresh(); });
  request();
}
