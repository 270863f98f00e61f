/** "Score a file": the chosen files and settings, one job at a time, and the report with its answers. */
import { settingsFrom, showInAddress } from "./address.js";
import { follow, store, stored } from "./calls.js";
import { answerList } from "./file_lists.js";
import { sortBy } from "./tables.js";
import { sidesOf } from "./uploads.js";

const FIRST = { pattern: "", answer: "" }; // what the address holds
const MOST_OWN = 8; // files scored here that "Results" shows
const UNREACHABLE = "The server could not be reached. Your files and settings are still here: try again.";
const LOST = "The connection is lost. The job goes on at the server; its report appears here once the connection is back.";
const LINKED = "The link opens this report while it is kept, an hour after its last use. To keep it, send the report of “Export”.";
const GONE = "This report is no longer kept. Ask for the exported one, or score the file.";
const FILLS = ["missing", "missing-task"]; // problems that empty answers repair

/** @param {HTMLElement} element @param {any} server @param {any} address @param {(file: File) => Promise<{path: string}>} upload */
export function mount(element, server, address, upload) {
  const find = (selector) => element.querySelector(selector);
  const all = (selector) => [...element.querySelectorAll(selector)];
  const tab = find("#file-tab"), form = find("#file-settings"), filters = find("#file-form"), status = find("#file-status");
  const settings = settingsFrom(location.search, FIRST, "file");
  const { report: linked } = settingsFrom(location.search, { report: "" }, "file");
  const saved = JSON.parse(stored("file") || "{}");
  let sample = Boolean(saved.sample);
  let last = saved.last; // the report that was shown before the page was loaded again
  let report = null; // what the server sent, with its `inputs` and the options `asked` for
  let running = saved.running?.job ? saved.running : null; // the job; without an id while files are uploaded
  let comparing = false; // the second system's files are asked for

  const sides = sidesOf(element, upload, (name) => {
    if (sides[name].error) say(sides[name].error);
    if (sides[name].files.length && name !== "second") sample = false;
    refresh();
  });
  const answers = answerList(
    (query) => server.answers({ query }),
    { form: filters, box: find("#file-answers"), opened: find("#file-opened") },
    (answer) => show({ answer }),
    (isLost) => { find("#file-lost").hidden = !isLost; },
  );

  // ---- What is shown follows from the choices, the job and the report.

  function choices() {
    const paths = Object.fromEntries(Object.entries(sides).map(([name, side]) => [name, side.paths]));
    return { ...paths, sample, source: form.source.value, partial: form.partial.checked, benchmark: address.place().benchmark };
  }

  /** What a report is for: it is out of date when this changes. */
  const inputs = () => JSON.stringify({ ...choices(), second: [] });
  const isOutdated = () => report !== null && report.inputs !== inputs();
  const isCompared = () => report?.names.length > 1;

  function refresh() {
    const outdated = isOutdated();
    Object.assign(tab.dataset, {
      inputs: report && !report.unfolded && !outdated ? "folded" : "open",
      report: !report ? "none" : outdated ? "outdated" : "current",
      compare: comparing ? "open" : "closed",
      answers: report?.answers ? "some" : "none",
      job: running ? "running" : "none",
    });
    find("#file-report .zs-menu")?.toggleAttribute("inert", outdated);
    const top = find("#file-explorer").getBoundingClientRect().top - tab.getBoundingClientRect().top;
    tab.style.setProperty("--zs-top", `${top}px`); // the panes fill the rest of the window
    const files = Object.fromEntries(Object.entries(sides).map(([name, side]) => [name, side.files]));
    if (report) last = { result: report.result, inputs: report.inputs, asked: report.asked };
    store("file", JSON.stringify({ ...choices(), ...files, last, running }));
  }

  /** Change what the address holds. */
  function show(changes) {
    Object.assign(settings, changes);
    if (address.place().tab === "file") showInAddress(settings, FIRST);
  }

  function say(text) {
    status.textContent = text;
    status.hidden = !text;
  }

  function progress(fraction, message = "") {
    const share = `${Math.round(100 * fraction)}%`;
    tab.style.setProperty("--share", share);
    all("#file-score, #file-compare-run").forEach((button) => {
      button.dataset.progress = running?.job ? `Scoring … ${share}` : "Uploading …";
      button.title = message;
    });
  }

  function lost(isLost) {
    if (isLost) say(LOST);
    else if (status.textContent === LOST) say("");
  }

  // ---- One click is one job.

  async function score(asked = {}) {
    if (running) return;
    sample = asked.sample ?? sample;
    form.partial.checked ||= Boolean(asked.partial);
    running = {};
    say("");
    progress(0);
    refresh();
    await Promise.all(Object.values(sides).map((side) => side.ready));
    const error = Object.values(sides).map((side) => side.error).find(Boolean);
    if (error) return ended({ error });
    running = { inputs: inputs(), asked };
    const names = [...new FormData(find("#compare-names")).values()];
    const compare = Boolean(asked.compare || (isCompared() && sides.second.paths.length));
    const reply = await server.start_scoring({ asked: { ...choices(), ...asked, compare, names } });
    if (!reply?.job) return ended(reply ?? { error: UNREACHABLE });
    running.job = reply.job;
    return wait();
  }

  async function wait() {
    progress(0);
    refresh();
    ended(await follow(server, running.job, { progress, lost }));
  }

  function ended({ error, ...made }) {
    const job = running;
    running = null;
    if (error) say(error);
    else {
      const before = report?.result;
      show(FIRST);
      arrive({ ...made, ...job });
      const own = JSON.parse(stored("own results") || "[]").filter((result) => !(job.asked.compare && result === before));
      store("own results", JSON.stringify([...own, made.result].slice(-MOST_OWN)));
      document.dispatchEvent(new Event("zs-scored")); // for "Results", if it has been opened
      if (tab.offsetParent !== null && !isOutdated()) showReport();
    }
    refresh();
  }

  function showReport() {
    openScreen("tasks");
    find("#file-report").scrollIntoView({ block: "start" });
    find("#file-report .zs-total")?.focus({ preventScroll: true });
  }

  function arrive(made) {
    report = made;
    comparing = false;
    for (const name of ["report", "tasks", "more"]) find(`#file-${name}`).innerHTML = made[name];
    for (const [name, choice] of Object.entries(made.menus)) {
      const menu = filters[name];
      menu.replaceChildren(menu.options[0], ...Object.entries(choice).map(([value, text]) => new Option(text, value)));
      menu.parentElement.hidden = !Object.keys(choice).length;
    }
    ["A", "B"].forEach((letter, i) => { find(`#compare-names [name=${letter}]`).placeholder = made.names[i] ?? letter; });
    refresh();
    showPattern(settings.pattern, { result: made.result, order: isCompared() ? "difference" : "score", down: undefined, answer: settings.answer });
  }

  async function showVariants() {
    const place = find("#file-variants");
    place.textContent = "…";
    const reply = await server.start_variants({ result: report.result, ...Object.fromEntries(new FormData(find("#variants-form"))) });
    const made = reply?.job ? await follow(server, reply.job, { progress() {}, lost }) : reply ?? { error: UNREACHABLE };
    if (made.error) place.textContent = made.error;
    else place.innerHTML = made.html;
  }

  // ---- Clicks and keys

  function openScreen(name) { // on a phone one of the three panes is shown
    tab.dataset.screen = name;
    find("#file-explorer h3").scrollIntoView({ block: "nearest" });
  }

  function filterTask(name) {
    filters.task.value = filters.task.value === name ? "any" : name;
    all("#per-task [data-task]").forEach((row) => {
      const isChosen = row.dataset.task === filters.task.value;
      row.classList.toggle("chosen", isChosen);
      row.querySelector("[data-file=task]").ariaPressed = String(isChosen);
    });
    answers.change();
    openScreen("list");
  }

  /** Show the answers of a pattern, which the address holds; of all if there is no such pattern. */
  function showPattern(pattern, changes = {}) {
    const button = find(`[data-pattern="${CSS.escape(pattern)}"]`);
    show({ pattern: button ? pattern : "" });
    find("#file-chip").hidden = !button;
    find("#file-chip button").textContent = `${button?.title} ✕`;
    filters.task.value = "any";
    answers.change({ ...changes, pattern: settings.pattern || "any" });
  }

  function scoreRepaired() {
    const ticked = all("[data-accept]:checked").map((box) => box.dataset.accept);
    const accept = [...new Set(ticked)].filter((kind) => !FILLS.includes(kind));
    score({ columns: report.asked.columns, repaired: true, accept, fill: ticked.some((kind) => FILLS.includes(kind)) });
  }

  function options() { // those of the report, for a comparison on the same terms
    const { columns, repaired, accept, fill } = isOutdated() ? {} : report.asked;
    return { columns, repaired, accept, fill };
  }

  const actions = {
    score: () => score({ sample: sample && !sides.predictions.files.length }),
    again: () => score(),
    sample: () => score({ sample: true }),
    partial: () => score({ columns: report.asked.columns, partial: true }),
    mapping: () => score({ columns: Object.fromEntries(new FormData(find("#file-mapping"))) }),
    repair: scoreRepaired,
    benchmark({ dataset: { benchmark } }) {
      address.move({ benchmark });
      score();
    },
    "run-comparison": () => score({ ...options(), compare: true }),
    alone() {
      sides.second.choose([]);
      score(options());
    },
    change() {
      report.unfolded = true;
      refresh();
      find("#file-inputs").scrollIntoView({ block: "nearest" });
    },
    compare() {
      comparing = !comparing;
      refresh();
      if (comparing) find("#file-compare").scrollIntoView({ block: "nearest" });
    },
    problems() {
      find("#file-problem-list").open = true;
      find("#file-problem-list").scrollIntoView({ block: "center" });
    },
    task: (button) => filterTask(button.closest("[data-task]").dataset.task),
    back: (button) => openScreen(button.dataset.screen),
    previous: () => answers.step(-1),
    next: () => answers.step(1),
    more: () => answers.more(),
    "no-pattern": () => showPattern(""),
    order: (button) => answers.sort(button.dataset.order),
    bar({ ariaPressed, dataset: { low, high } }) { // in the picture of the scores a range of them
      [filters.low.value, filters.high.value] = ariaPressed === "true" ? [0, 100] : [low, high];
      answers.change();
    },
    open(row) {
      row.querySelector("button").focus({ preventScroll: true }); // for the arrow keys
      answers.open(Number(row.dataset.place));
      openScreen("answer");
    },
  };

  element.addEventListener("click", ({ target }) => {
    const { pattern } = target.closest("[data-pattern]")?.dataset ?? {};
    const action = target.closest("[data-file]") ?? target.closest("#per-task [data-task]")?.querySelector("[data-file=task]");
    if (pattern) {
      showPattern(settings.pattern === pattern ? "" : pattern);
      openScreen("list");
    } else if (action) actions[action.dataset.file](action);
    else sortBy(target);
    const menu = find("#file-report .zs-menu[open]");
    if (menu && !target.closest(".zs-menu summary")) menu.open = false;
  });
  element.addEventListener("change", ({ target }) => { // a tick applies to all boxes of the same repair
    if (target.dataset.accept) all(`[data-accept="${CSS.escape(target.dataset.accept)}"]`).forEach((box) => { box.checked = target.checked; });
    else if (target.type !== "file") refresh();
  });
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.target.id === "variants-form") showVariants();
  });
  document.addEventListener("keydown", (event) => {
    const step = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isTyping = event.target.closest("input, textarea, select, [contenteditable=true]");
    const isElsewhere = event.key.startsWith("Arrow") && !event.target.closest("#file-answers");
    if (!step || isTyping || isElsewhere || event.ctrlKey || event.metaKey || event.altKey || find("#file-explorer").offsetParent === null) return;
    event.preventDefault();
    answers.step(step);
  });
  document.addEventListener("click", ({ target }) => {
    if (target.closest("[data-copy=address]") && report && address.place().tab === "file") say(LINKED);
  });
  addEventListener("resize", refresh);

  // ---- The page was loaded (again): the files, the settings, the job and the report are there as before.

  if (saved.source) form.source.value = saved.source;
  form.partial.checked = Boolean(saved.partial);
  Object.entries(sides).forEach(([name, side]) => side.restore(saved[name] ?? []));
  sample = Boolean(saved.sample);
  if (linked) last = { result: linked, inputs: inputs(), asked: {} };
  address.subscribe(() => {
    refresh();
    showInAddress(address.place().tab === "file" ? settings : FIRST, FIRST);
  });
  address.link = () => (report && address.place().tab === "file" ? `${location.href}&report=${report.result}` : location.href);
  showInAddress({ report: "" }, { report: "" });
  refresh();
  if (last) server.report({ result: last.result }).then((made) => {
    if (made === undefined) say(UNREACHABLE);
    else if (made.error) [last] = [null, say(linked ? GONE : made.error)];
    else if (!report) arrive({ ...made, inputs: last.inputs, asked: last.asked });
    refresh();
  });
  if (running) wait();
  tab.dataset.ready = "";
}
