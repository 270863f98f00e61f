// "Results": the table is filtered, sorted, compared, charted and exported here, without the server. The choices are in
// the address; files scored in this browser tab stay beside the published systems until it is closed.
(() => {
  "use strict";
  const zs = window.zs;
  const FIRST = { split: "", kind: "", year: "", context: "", find: "", sort: "average", up: "", only: "", rows: "" };
  const MOST_OWN = 8;
  const root = () => zs.find("#results-explorer");
  const table = () => root()?.querySelector("[data-results]");
  const bodies = () => [...table().tBodies];
  const lines = (body) => [...body.querySelectorAll("tr[data-row]")];
  const about = (line) => line.nextElementSibling;
  const nameOf = (line) => line.cells[0].querySelector("button").textContent;
  const value = (line, column) => zs.resultOf(line, column);

  let now = read(location.search);
  function read(search) {
    const query = new URLSearchParams(search);
    const asked = query.get("tab") === "results" ? query : new URLSearchParams();
    return Object.fromEntries(Object.entries(FIRST).map(([name, value]) => [name, asked.get(name) ?? value]));
  }
  // For `addressOf` in state.js: the settings that differ from the initial ones.
  zs.addResults = (query, shown) => {
    Object.keys(FIRST).forEach((name) => query.delete(name));
    if (shown) Object.entries(now).forEach(([name, value]) => value !== FIRST[name] && query.set(name, value));
  };
  const chosen = () => new Set(now.rows.split(" ").filter(Boolean));

  function change(changes) {
    now = { ...now, ...changes };
    zs.keepAddress();
    show();
  }
  addEventListener("popstate", () => {
    now = read(location.search);
    if (table()) show();
  });

  // ---- The files scored here.

  const owned = () => JSON.parse(zs.stored("own results") || "[]");
  zs.resultsShown = () => table()?.dataset.results ?? "";

  // Keep a new row from the server; files of the same name get a number.
  let seen;
  function adopt() {
    const fresh = zs.find("#results-own [data-row]");
    if (!fresh || seen === fresh.dataset.row) return;
    seen = fresh.dataset.row;
    if (owned().some((one) => one.id === seen)) return;
    const benchmark = fresh.closest("[data-own-of]").dataset.ownOf;
    const same = owned().filter((one) => one.benchmark === benchmark && one.named === nameOf(fresh)).length;
    const one = { id: fresh.dataset.row, benchmark, named: nameOf(fresh), html: fresh.outerHTML + about(fresh).outerHTML };
    one.name = same ? `${one.named} (${same + 1})` : one.named;
    zs.store("own results", JSON.stringify([...owned(), one].slice(-MOST_OWN)));
  }

  function placeOwn() {
    const wanted = owned().filter((one) => one.benchmark === table().dataset.results);
    const placed = new Set();
    table().querySelectorAll("tr[data-own]").forEach((line) => {
      if (wanted.some((one) => one.id === line.dataset.row)) return placed.add(line.dataset.row);
      about(line).remove();
      return line.remove();
    });
    for (const one of wanted.filter(({ id }) => !placed.has(id))) {
      const holder = document.createElement("tbody");
      holder.innerHTML = one.html;
      holder.querySelector("[data-row] button").append(one.name.slice(one.named.length));
      bodies().find((body) => body.dataset.group === holder.rows[0].dataset.group).append(...holder.rows);
    }
  }

  // ---- Filter, sort, best.

  function passes(line) {
    const { group, kind, year, tokens } = line.dataset;
    const [from, to] = now.context.split("-");
    const own = "own" in line.dataset;
    return (!now.split || group === now.split || group === "own")
      && (own || !now.kind || kind === now.kind)
      && (own || !now.year || year === now.year)
      && (own || !now.context || (from === "none" ? !tokens : tokens && tokens >= Number(from) && tokens <= (Number(to) || Infinity)))
      && nameOf(line).toLowerCase().includes(now.find.trim().toLowerCase())
      && (!now.only || chosen().has(line.dataset.row));
  }

  const columnOf = (name) => [...table().tHead.rows[0].cells].findIndex((head) => head.dataset.column === name);

  function markBest(shown) {
    const columns = shown[0]?.cells.length ?? 0;
    for (let column = 1; column < columns - 2; column += 1) {
      const systems = shown.filter((line) => !("yardstick" in line.dataset) && value(line, column) !== null);
      const best = Math.max(...systems.map((line) => Number(value(line, column).toFixed(1))));
      shown.forEach((line) => {
        line.cells[column].classList.toggle("best", systems.includes(line) && Number(value(line, column).toFixed(1)) === best);
      });
    }
  }

  function show() {
    const heads = [...table().tHead.rows[0].cells];
    const column = Math.max(columnOf(now.sort), 0) || (now.sort === "name" ? 0 : 1);
    const up = now.up === "1";
    heads.forEach((head, i) => (i === column ? (head.ariaSort = up ? "ascending" : "descending") : head.removeAttribute("aria-sort")));
    const picked = chosen();
    let count = 0;
    let all = 0;
    for (const body of bodies()) {
      zs.sorted(lines(body), (line) => value(line, column), up).forEach((line) => body.append(line, about(line)));
      const shown = lines(body).filter((line) => {
        line.hidden = !passes(line);
        line.cells[0].querySelector("input").checked = picked.has(line.dataset.row);
        line.classList.toggle("chosen", picked.has(line.dataset.row));
        if (line.hidden) fold(line, true);
        return !line.hidden;
      });
      body.hidden = !shown.length;
      count += shown.length;
      all += lines(body).length;
      markBest(body.dataset.group === "own" ? [] : shown);
    }
    root().querySelector("[data-count]").textContent = count ? `${count} of ${all} rows` : "No rows match the filters.";
    const active = ["split", "kind", "year", "context", "only"].filter((name) => now[name]).length;
    root().querySelector("[data-active]").textContent = active ? `(${active})` : "";
    root().querySelector("[data-chosen]").textContent = picked.size ? `(${picked.size})` : "";
    root().querySelectorAll("[data-filter]").forEach((control) => {
      const name = control.dataset.filter;
      if (control.type === "checkbox") control.checked = Boolean(now[name]);
      else if (document.activeElement !== control) control.value = name === "sort" && !scored(now.sort) ? focus() : now[name];
    });
    zs.drawResults(table(), columnOf(focus()), picked);
    edges();
  }

  const scored = (name) => !["name", "tokens", "year"].includes(name) && columnOf(name) > 0;
  let last = "average";
  // The score in the charts: the last one that the table was sorted by.
  function focus() {
    if (scored(now.sort)) last = now.sort;
    return columnOf(last) > 0 ? last : "average";
  }

  function fold(line, folded) {
    about(line).hidden = folded;
    line.cells[0].querySelector("button").ariaExpanded = String(!folded);
  }

  // Show a shadow at the edge if the table goes on to the right.
  function edges() {
    const box = table().closest(".zs-scroll");
    box.parentElement.classList.toggle("zs-more-right", box.scrollWidth - box.clientWidth - box.scrollLeft > 2);
  }
  addEventListener("scroll", ({ target }) => target.matches?.(".zs-results") && edges(), true);
  addEventListener("resize", () => table() && edges());

  // ---- Clicks and choices.

  addEventListener("click", ({ target }) => {
    if (!target.closest("#results-explorer")) return;
    const head = target.closest("th[data-column]");
    const name = head?.dataset.column;
    if (name) return change({ sort: name, up: head.ariaSort === "descending" || (name === "name" && !head.ariaSort) ? "1" : "" });
    if (target.closest("[data-reset]")) return change(FIRST);
    const unfold = target.closest("[data-unfold]");
    if (unfold) return (unfold.ariaExpanded = String(unfold.ariaExpanded !== "true"));
    const format = target.closest("[data-format]")?.dataset.format;
    if (format) {
      target.closest("details").open = false;
      return zs.saveResults(table(), format);
    }
    const removed = target.closest("[data-remove]")?.dataset.remove;
    if (removed) {
      zs.store("own results", JSON.stringify(owned().map((one) => (one.id === removed ? { ...one, benchmark: "" } : one))));
      placeOwn();
      return show();
    }
    const line = target.closest("tr[data-row]");
    if (line && !target.matches("input")) fold(line, !about(line).hidden);
  });
  addEventListener("input", ({ target }) => {
    const name = target.closest("#results-explorer [data-filter]")?.dataset.filter;
    if (name === "sort") change({ sort: target.value, up: "" });
    else if (name) change({ [name]: target.type === "checkbox" ? (target.checked ? "1" : "") : target.value });
    else if (target.matches("#results-explorer tr[data-row] input")) {
      const picked = chosen();
      picked[target.checked ? "add" : "delete"](target.closest("tr").dataset.row);
      change({ rows: [...picked].join(" "), only: picked.size ? now.only : "" });
    }
  });
  addEventListener("submit", (event) => event.target.matches("#results-filters") && event.preventDefault());

  // ---- A table, or the row of a file, has arrived.

  function arrive() {
    const own = zs.find("#results-own [data-row]")?.dataset.row ?? "";
    adopt();
    if (!table() || (table().dataset.own === own && table().dataset.ready)) return;
    Object.assign(table().dataset, { own, ready: "1" });
    placeOwn();
    show();
  }
  zs.watch(arrive);
})();
