/** "Score a file": the chosen files and settings, one job at a time, and the report with its answers. */
import { follow } from "./job.js";
import { List } from "./file_lists.js";
import { store, stored } from "./calls.js";
import { settingsFrom, showInAddress } from "./settings.js";
import { sortBy } from "./tables.js";
import { readable, Side } from "./uploads.js";

const FIRST = { pattern: "", answer: "" }; // what the address holds
const MOST_OWN = 8; // files scored here that "Results" shows
const UNREACHABLE = "The server could not be reached. Your files and settings are still here: try again.";
const LOST = "The connection is lost. The job goes on at the server; its report appears here once the connection is back.";
const LINKED = "The link opens this report while it is kept, an hour after its last use. To keep it, send the report of “Export”.";
const GONE = "This report is no longer kept. Ask for the exported one, or score the file.";

/** What a report is for, as a text: it is out of date when this changes. */
export function inputsOf({ sample, predictions, references, source, partial }, benchmark) {
  if (sample) return JSON.stringify(["sample", benchmark]);
  return JSON.stringify([predictions, source === "files" ? references : null, source, partial, benchmark]);
}

/** @param {HTMLElement} element @param {any} server @param {any} address @param {(file: File) => Promise<{path: string}>} upload */
export function mount(element, server, address, upload) {
  const find = (selector) => element.querySelector(selector);
  const tab = find("#file-tab");
  const form = find("#file-settings");
  const settings = settingsFrom(location.search, FIRST, "file");
  const saved = JSON.parse(stored("file") || "{}");
  const linked = settingsFrom(location.search, { report: "" }, "file").report;
  const sides = Object.fromEntries(["predictions", "references", "second"].map((name) => [name, new Side(upload, () => chosen(name))]));
  let sample = Boolean(saved.sample);
  let last = saved.last ?? null; // the report that was shown before the page was loaded again
  let report = null; // what the server sent, with its `inputs` and the options `asked` for
  let running = null; // the job
  let uploading = false; // a click waits for uploads
  let comparing = false; // the second system's files are asked for

  const answers = new List((query) => server.answers({ query }), { form: find("#file-form"), box: find("#file-answers"), opened: find("#file-opened") }, {
    lost: (isLost) => { find("#file-lost").hidden = !isLost; },
    arrived: ({ error, answer }) => {
      if (error) say(error);
      else show({ answer });
    },
  });

  // ---- What is chosen

  function choices() {
    const paths = Object.fromEntries(Object.entries(sides).map(([name, side]) => [name, side.paths]));
    return { ...paths, sample, source: form.source.value, partial: form.partial.checked };
  }

  function chosen(name) {
    const { files, error } = sides[name];
    const place = find(`#file-${name}`);
    place.querySelector("ul").replaceChildren(...files.map((file) => {
      const line = document.createElement("li");
      line.textContent = `${file.name} · ${readable(file.size)}${file.path || error ? "" : " · uploading …"}`;
      return line;
    }));
    place.querySelector("[data-file=clear]").hidden = !files.length;
    if (error) say(error);
    if (files.length && name !== "second") sample = false;
    refresh();
  }

  // ---- What is shown follows from the choices, the job and the report.

  const isOutdated = () => report !== null && report.inputs !== inputsOf(choices(), address.place().benchmark);
  const isCompared = () => report?.names.length > 1;

  function refresh() {
    const outdated = isOutdated();
    Object.assign(tab.dataset, {
      inputs: report && !report.unfolded && !outdated ? "folded" : "open",
      report: !report ? "none" : outdated ? "outdated" : "current",
      compare: comparing ? "open" : "closed",
      answers: report?.answers ? "some" : "none",
      job: running || uploading ? "running" : "none",
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

  function showProgress(fraction, message) {
    const share = `${Math.round(100 * fraction)}%`;
    tab.style.setProperty("--share", share);
    element.querySelectorAll("#file-score, #file-compare-run").forEach((button) => {
      button.dataset.progress = running?.job ? `Scoring … ${share}` : "Uploading …";
      button.title = message ?? "";
    });
  }

  function say(text) {
    const place = find("#file-status");
    place.textContent = text;
    place.hidden = !text;
  }

  function lost(isLost) {
    if (isLost) say(LOST);
    else if (find("#file-status").textContent === LOST) say("");
  }

  // ---- One click is one job.

  async function score(asked = {}) {
    if (uploading || running) return;
    uploading = true;
    sample = asked.sample ?? sample;
    if (asked.partial) form.partial.checked = true;
    say("");
    showProgress(0);
    refresh();
    await Promise.all(Object.values(sides).map((side) => side.ready));
    uploading = false;
    if (Object.values(sides).some(({ error }) => error)) return refresh();
    const names = [...new FormData(find("#compare-names")).values()];
    const inputs = inputsOf(choices(), asked.benchmark ?? address.place().benchmark);
    const compare = Boolean(asked.compare || (isCompared() && sides.second.paths.length));
    const request = { benchmark: address.place().benchmark, ...choices(), ...asked, compare, names };
    running = { inputs, asked };
    refresh();
    const reply = await server.start_scoring({ asked: request });
    if (!reply?.job) return ended(reply ?? { error: UNREACHABLE });
    running.job = reply.job;
    return wait();
  }

  async function wait() {
    showProgress(0);
    refresh();
    ended(await follow(server, running.job, { progress: showProgress, lost }));
  }

  function ended({ error, ...made }) {
    const { inputs, asked } = running;
    running = null;
    if (error) say(error);
    else arrive({ ...made, inputs, asked }, { isNew: true });
    refresh();
  }

  function arrive(made, { isNew = false } = {}) {
    const [unfolded, before] = [isNew && report?.unfoldedDuringJob, report?.result];
    report = { ...made, unfolded };
    comparing = false;
    for (const name of ["report", "tasks", "more"]) find(`#file-${name}`).innerHTML = made[name];
    for (const [name, choice] of Object.entries(made.menus)) {
      const menu = find(`#file-form [name=${name}]`);
      menu.replaceChildren(menu.options[0], ...Object.entries(choice).map(([value, text]) => new Option(text, value)));
      menu.parentElement.hidden = !Object.keys(choice).length;
    }
    ["A", "B"].forEach((letter, i) => { find(`#compare-names [name=${letter}]`).placeholder = made.names[i] ?? letter; });
    refresh();
    if (isNew) show(FIRST);
    Object.assign(answers, { result: made.result, order: isCompared() ? "difference" : "score", down: undefined });
    showPattern(settings.pattern, settings.answer);
    if (!isNew) return;
    const own = JSON.parse(stored("own results") || "[]").filter((one) => !(made.asked.compare && one === before));
    store("own results", JSON.stringify([...own, made.result].slice(-MOST_OWN)));
    document.dispatchEvent(new Event("zs-scored")); // for "Results", if it has been opened
    if (unfolded || tab.offsetParent === null || isOutdated()) return;
    openScreen("tasks");
    find("#file-report").scrollIntoView({ block: "start" });
    find("#file-report .zs-total")?.focus({ preventScroll: true });
  }

  async function showVariants() {
    const place = find("#file-variants");
    place.textContent = "…";
    const reply = await server.start_variants({ result: report.result, ...Object.fromEntries(new FormData(find("#variants-form"))) });
    const made = reply?.job ? await follow(server, reply.job, { progress: () => {}, lost }) : reply ?? { error: UNREACHABLE };
    if (made.error) place.textContent = made.error;
    else place.innerHTML = made.html;
  }

  // ---- Clicks and keys

  function take(input) {
    if (input.files.length) sides[input.closest("[data-side]").dataset.side].choose(input.files);
    input.value = ""; // so that the same file can be chosen again
  }

  function scoreRepaired() {
    const ticked = [...element.querySelectorAll("[data-accept]:checked")].map((box) => box.dataset.accept);
    const filled = ["missing", "missing-task"];
    const accept = [...new Set(ticked)].filter((kind) => !filled.includes(kind));
    score({ columns: report.asked.columns, repaired: true, accept, fill: ticked.some((kind) => filled.includes(kind)) });
  }

  // On a phone one of the three panes is shown.
  function openScreen(name) {
    tab.dataset.screen = name;
    find("#file-explorer h3").scrollIntoView({ block: "nearest" });
  }

  function filterTask(name) {
    const menu = find("#file-form [name=task]");
    menu.value = menu.value === name ? "any" : name;
    element.querySelectorAll("#per-task [data-task]").forEach((row) => {
      const on = row.dataset.task === menu.value;
      row.classList.toggle("chosen", on);
      row.querySelector("[data-file=task]").ariaPressed = String(on);
    });
    answers.change({});
    openScreen("list");
  }

  // The answers of a pattern, which the address holds; "" for all.
  function showPattern(pattern, answer = "") {
    const button = find(`[data-pattern="${CSS.escape(pattern)}"]`);
    show({ pattern: button ? pattern : "" });
    find("#file-chip").hidden = !button;
    find("#file-chip button").textContent = `${button?.title} ✕`;
    find("#file-form [name=task]").value = "any";
    answers.change({ pattern: settings.pattern || "any", answer });
  }

  // A bar in the picture of the scores is a range of them.
  function filterScores(bar) {
    const isChosen = bar.ariaPressed === "true";
    find("#file-form [name=low]").value = isChosen ? 0 : bar.dataset.low;
    find("#file-form [name=high]").value = isChosen ? 100 : bar.dataset.high;
    answers.change({});
  }

  const options = () => (isOutdated() ? {} : (({ columns, repaired, accept, fill }) => ({ columns, repaired, accept, fill }))(report.asked));
  const actions = {
    score: () => score({ sample: sample && !sides.predictions.files.length }),
    again: () => score(),
    sample: () => score({ sample: true }),
    partial: () => score({ columns: report.asked.columns, partial: true }),
    clear: (button) => sides[button.closest("[data-side]").dataset.side].choose([]),
    change: () => {
      Object.assign(report, { unfolded: true, unfoldedDuringJob: Boolean(running) });
      refresh();
      find("#file-inputs").scrollIntoView({ block: "nearest" });
    },
    compare: () => {
      comparing = !comparing;
      refresh();
      if (comparing) find("#file-compare").scrollIntoView({ block: "nearest" });
    },
    "run-comparison": () => score({ ...options(), compare: true }),
    alone: () => {
      sides.second.choose([]);
      score(options());
    },
    repair: scoreRepaired,
    problems: () => {
      find("#file-problem-list").open = true;
      find("#file-problem-list").scrollIntoView({ block: "center" });
    },
    back: (button) => openScreen(button.dataset.screen),
    previous: () => answers.open(answers.place - 1),
    next: () => answers.open(answers.place + 1),
    more: () => answers.more(),
    "no-pattern": () => showPattern(""),
    mapping: () => score({ columns: Object.fromEntries(new FormData(find("#file-mapping"))) }),
    task: (button) => filterTask(button.closest("[data-task]").dataset.task),
    benchmark: ({ dataset: { benchmark } }) => { address.move({ benchmark }); score({ benchmark }); },
  };

  element.addEventListener("click", ({ target }) => {
    const order = target.closest("[data-order]");
    const bar = target.closest("[data-low]");
    const row = target.closest("#file-answers [data-place]");
    const pattern = target.closest("[data-pattern]")?.dataset.pattern;
    const action = target.closest("[data-file]") ?? target.closest("#per-task [data-task]")?.querySelector("[data-file=task]");
    if (order) answers.sort(order.dataset.order);
    else if (bar) filterScores(bar);
    else if (pattern) {
      showPattern(settings.pattern === pattern ? "" : pattern);
      openScreen("list");
    } else if (row) {
      row.querySelector("button").focus({ preventScroll: true }); // for the arrow keys
      answers.open(Number(row.dataset.place));
      openScreen("answer");
    } else if (action) actions[action.dataset.file](action);
    else sortBy(target);
    const menu = find("#file-report .zs-menu[open]");
    if (menu && !target.closest(".zs-menu summary")) menu.open = false;
  });
  element.addEventListener("change", ({ target }) => {
    if (target.type === "file") take(target);
    else if (target.dataset.accept) { // a tick applies to all boxes of the same repair
      element.querySelectorAll(`[data-accept="${CSS.escape(target.dataset.accept)}"]`).forEach((box) => { box.checked = target.checked; });
    } else refresh();
  });
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.target.id === "variants-form") showVariants();
  });
  for (const type of ["dragover", "dragleave", "drop"]) {
    element.addEventListener(type, (event) => {
      const place = event.target.closest("[data-side]");
      if (!place) return;
      event.preventDefault();
      place.classList.toggle("zs-over", type === "dragover");
      if (type === "drop") sides[place.dataset.side].choose(event.dataTransfer.files);
    });
  }
  document.addEventListener("keydown", (event) => {
    const step = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isTyping = event.target.closest("input, textarea, select, [contenteditable=true]");
    const isElsewhere = event.key.startsWith("Arrow") && !event.target.closest("#file-answers");
    if (!step || isTyping || isElsewhere || event.ctrlKey || event.metaKey || event.altKey || find("#file-explorer").offsetParent === null) return;
    event.preventDefault();
    answers.open(answers.place + step);
  });
  document.addEventListener("click", ({ target }) => {
    if (target.closest("[data-copy=address]") && report && address.place().tab === "file") say(LINKED);
  });
  addEventListener("resize", refresh);

  // ---- The page was loaded (again): the files, the settings, the job and the report are there as before.

  if (saved.source) form.source.value = saved.source;
  form.partial.checked = Boolean(saved.partial);
  Object.entries(sides).forEach(([name, side]) => { side.restore(saved[name] ?? []); });
  running = saved.running?.job ? saved.running : null;
  ["predictions", "references", "second"].forEach((name) => chosen(name));
  sample = Boolean(saved.sample);
  if (linked) last = { result: linked, inputs: inputsOf(choices(), address.place().benchmark), asked: {} };
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
  element.querySelectorAll("input[type=file]").forEach(take); // chosen before this script was there
  tab.dataset.ready = "";
}
