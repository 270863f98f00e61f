// "Score a file": the chosen files and settings, one job at a time, and the report with its answers.
import { follow, show, store, stored } from "./calls.js";
import { answerList } from "./file_lists.js";
import { sideOf, withFiles } from "./uploads.js";

const MOST_OWN = 8; // files scored here that "Results" shows
const UNREACHABLE = "The server could not be reached. Your files and settings are still here: try again.";
const LOST = "The connection is lost. The job goes on at the server; its report appears here once the connection is back.";
const LINKED = "The link opens this report while it is kept, an hour after its last use. To keep it, send the report of “Export”.";
const GONE = "This report is no longer kept. Ask for the exported one, or score the file.";
const KEPT = ["columns", "sample", "repaired", "accept", "fill"]; // options of a report that the next one has, too
const FILLS = ["missing", "missing-task"]; // problems that empty answers repair

/** @param {HTMLElement} element @param {any} server @param {any} address @param {(file: File) => Promise<{path: string}>} upload */
export function mount(element, server, address, upload) {
  const find = (/** @type {string} */ selector) => element.querySelector(selector);
  const all = (/** @type {string} */ selector) => [...element.querySelectorAll(selector)];
  const tab = find("#file-tab"), form = find("#file-settings"), status = find("#file-status");
  const saved = JSON.parse(stored("file") || "{}");
  const linked = address.place().file.report;
  let report = null; // the shown one: its id, and the `inputs` and options (`asked`) that it is for
  let last = saved.report; // that of before a reload, until it is shown again
  let job = saved.job?.id ? saved.job : null; // the running one; without an id while files are uploaded

  let pressed = find("#file-score"); // the button that shows the progress

  const rolesOf = (/** @type {string[]} */ paths) => server.roles({ paths, benchmark: address.place().benchmark });
  const sides = {};
  for (const name of ["files", "second"]) {
    sides[name] = sideOf(find(`#file-${name}`), upload, () => {
      if (sides[name].error) say(sides[name].error);
      refresh();
    }, name === "files" ? rolesOf : null);
  }
  const openScreen = (/** @type {string} */ name) => {
    tab.dataset.screen = name;
    find("#file-explorer").scrollIntoView({ block: "nearest" });
  };
  const answers = async (/** @type {object} */ fields) => {
    const reply = await server.answers(fields);
    if (reply?.gone) scoreAgain();
    return reply;
  };
  const list = answerList(find("#file-explorer"), answers, (file) => address.move({ file: tab.dataset.screen === "tasks" ? { ...file, answer: "" } : file }, false), openScreen);

  // ---- What is shown follows from the choices, the job and the report.

  const settings = () => ({ source: form.source.value, partial: form.partial.checked, post: form.post.value, benchmark: address.place().benchmark });
  const paths = () => ({ predictions: sides.files.paths("predictions"), references: sides.files.paths("references"), second: sides.second.paths() });
  const inputs = () => JSON.stringify({ ...settings(), ...paths(), second: [] }); // a report of others is out of date
  const isOutdated = () => report !== null && report.inputs !== inputs();

  function refresh() {
    tab.dataset.report = !report ? "none" : isOutdated() ? "outdated" : "current";
    tab.dataset.job = job ? "running" : "none";
    find("#file-source").hidden = tab.dataset.report === "current" && Boolean(report.asked.sample); // it has its own
    const files = Object.fromEntries(Object.entries(sides).map(([name, side]) => [name, side.files]));
    store("file", JSON.stringify({ ...settings(), files, report: report ?? last, job }));
  }

  function say(/** @type {string} */ text, kind = "error") {
    Object.assign(status, { textContent: text, hidden: !text, className: `zs-notice zs-${kind}` });
  }

  function progress(/** @type {number} */ fraction, message = "") {
    pressed.dataset.running ??= pressed.textContent;
    pressed.textContent = `${job?.id ? "Scoring" : "Uploading"} … ${Math.round(100 * fraction)}%`;
    pressed.style.setProperty("--done", String(fraction));
    find("#file-progress").textContent = `${pressed.textContent} ${message}`;
  }

  function lost(/** @type {boolean} */ isLost) {
    if (isLost) say(LOST, "warning");
    else if (status.textContent === LOST) say("");
  }

  // ---- One click is one job.

  /** Return what a started job has made, or the error. */
  const made = async (reply, showProgress) => (reply?.job ? follow(server, reply.job, { progress: showProgress, lost }) : reply ?? { error: UNREACHABLE });

  /** Score; `isAgain` for a report that is gone, whose filter and opened answer stay. */
  async function score(asked = {}, isAgain = false) {
    if (job) return;
    form.partial.checked ||= Boolean(asked.partial);
    job = {};
    say("");
    progress(0);
    refresh();
    const compare = asked.compare ?? Boolean(report?.isCompared && sides.second.files.length);
    const names = [...new FormData(find("#compare-names")).values()];
    const reply = await withFiles(Object.values(sides), () => {
      job = { inputs: inputs(), asked, isAgain };
      return server.start_scoring({ asked: { ...settings(), ...paths(), ...asked, compare, names } });
    });
    job.id = reply?.job;
    progress(0);
    refresh();
    ended(await made(reply, progress));
  }

  /** Score the files of the report again, which the server has no longer, as after a restart. */
  function scoreAgain() {
    if (report && !isOutdated() && (report.asked.sample || sides.files.files.length)) {
      pressed = find("#file-score");
      score({ ...report.asked, compare: report.isCompared }, true);
    }
  }

  function ended({ error, ...parts }) {
    const { inputs: of, asked, isAgain } = job;
    job = null;
    if (pressed.dataset.running) pressed.textContent = pressed.dataset.running;
    delete pressed.dataset.running;
    if (error) {
      say(error);
      return refresh();
    }
    const before = (asked.compare || isAgain) && report?.result;
    if (!isAgain) address.move({ file: { pattern: "", answer: "" } }, false);
    arrive(parts, of, asked, isAgain);
    const own = JSON.parse(stored("own results") || "[]").filter((result) => result !== before);
    store("own results", JSON.stringify([...own, parts.result].slice(-MOST_OWN)));
    document.dispatchEvent(new Event("zs-scored")); // for "Results", if it has been opened
    if (!tab.getClientRects().length || isOutdated() || isAgain) return;
    find("#file-report").scrollIntoView({ block: "start" });
    find("#file-report .zs-total").focus({ preventScroll: true });
  }

  /** Show a report. */
  function arrive({ result, names, filters, ...parts }, of, asked, isAgain = false) {
    const place = address.place().file;
    report = { result, inputs: of, asked, isCompared: names.length > 1 };
    for (const name of ["report", "tasks", "more"]) find(`#file-${name}`).innerHTML = parts[name];
    refresh();
    if (isAgain) return list.again(result);
    find("#file-menus").innerHTML = filters;
    tab.dataset.screen = place.answer ? "answer" : place.pattern ? "list" : "tasks";
    ["A", "B"].forEach((letter, i) => { find(`#compare-names [name=${letter}]`).placeholder = names[i] ?? letter; });
    return list.begin(result, report.isCompared ? "difference" : "score", place);
  }

  // ---- Clicks

  function scoreRepaired({ dataset: { kind } }) {
    const ticked = [...all("[data-accept]:checked").map((box) => box.dataset.accept), ...(kind ? [kind] : [])];
    const accept = [...new Set(ticked)].filter((kind) => !FILLS.includes(kind));
    score({ ...terms(["columns", "sample"]), repaired: true, accept, fill: ticked.some((kind) => FILLS.includes(kind)) });
  }

  /** Return these options of the report; without files of one's own the sample stays the sample. */
  function terms(/** @type {string[]} */ names) {
    if (!report || isOutdated()) return { sample: Boolean(report?.asked.sample) && !sides.files.files.length };
    return Object.fromEntries(names.map((name) => [name, report.asked[name]]));
  }

  const actions = {
    score: () => score(terms(["sample"])),
    sample: () => score({ sample: true }),
    partial: () => score({ ...terms(["columns"]), partial: true }),
    mapping: () => score({ columns: Object.fromEntries(new FormData(find("#file-mapping"))) }),
    repair: scoreRepaired,
    benchmark({ dataset: { benchmark } }) {
      address.move({ benchmark });
      score();
    },
    "run-comparison": () => score({ ...terms(KEPT), compare: true }),
    alone() {
      sides.second.choose([]);
      find("#file-compare").hidden = true;
      score(terms(KEPT));
    },
    post({ dataset: { post } }) {
      const kept = terms(KEPT);
      form.post.value = post;
      score(kept);
    },
    answers: () => openScreen("list"),
    compare() {
      const box = find("#file-compare");
      box.hidden = !box.hidden;
      box.scrollIntoView({ block: "center" });
    },
    async variants() {
      show(find("#file-variants"), { html: "…" });
      const fields = Object.fromEntries(new FormData(find("#variants-form")));
      const reply = await server.start_variants({ result: report.result, ...fields });
      if (reply?.gone) scoreAgain();
      show(find("#file-variants"), await made(reply, () => {}));
    },
  };
  element.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-file]"), action = actions[button?.dataset.file];
    if (action && !job) pressed = button;
    action?.(button);
  });
  element.addEventListener("change", ({ target }) => { // a tick applies to all boxes of the same repair
    if (target.dataset.accept) all(`[data-accept="${CSS.escape(target.dataset.accept)}"]`).forEach((box) => { box.checked = target.checked; });
    else if (target.type !== "file") refresh();
  });
  document.addEventListener("click", ({ target }) => {
    if (target.closest("[data-copy=address]") && report && address.place().tab === "file") say(LINKED, "info");
  });

  // ---- The page was loaded (again): the files, the settings, the job and the report are there as before.

  if (saved.source) form.source.value = saved.source;
  form.partial.checked = Boolean(saved.partial);
  form.post.value = saved.post ?? "";
  Object.entries(sides).forEach(([name, side]) => side.restore(saved.files?.[name] ?? []));
  if (linked && linked !== last?.result) last = { result: linked, inputs: inputs(), asked: {} };
  address.move({ file: { report: "" } }, false); // it is in no further address
  address.subscribe(refresh);
  address.report = () => report?.result ?? "";
  refresh();
  if (last) server.report({ result: last.result }).then((parts) => {
    if (parts && !parts.error && !report) return arrive(parts, last.inputs, last.asked);
    if (!parts) return say(UNREACHABLE);
    if (!report) say(linked ? GONE : parts.error);
    last = null;
    return refresh();
  });
  if (job) made({ job: job.id }, progress).then(ended);
  tab.dataset.ready = "";
}
