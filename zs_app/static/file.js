// "Score a file": the chosen files and settings, one job at a time, and the report with its answers.
import { follow, live, show, store, stored } from "./calls.js";
import { answerList } from "./file_lists.js";
import { sideOf, withFiles } from "./uploads.js";

const LINKED = "The link opens this report while it is kept, an hour after its last use. To keep it, send the report of “Export”.";

export function mount(/** @type {HTMLElement} */ element, server, address, /** @type {(file: File) => Promise<{path: string}>} */ upload) {
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
  const boxOf = (/** @type {"files" | "second"} */ name, ask = null) => sideOf(find(`#file-${name}`), upload, () => {
    say(sides.files.error || sides.second.error);
    refresh();
  }, ask, saved.files?.[name]);
  const sides = { files: boxOf("files", rolesOf), second: boxOf("second") };
  const list = answerList(tab, server, address, scoreAgain);
  const say = (/** @type {string} */ text, kind = "error") => Object.assign(status, { textContent: text, hidden: !text, className: `zs-notice zs-${kind}` });
  const lost = (/** @type {boolean} */ isLost) => { find("#file-job-lost").hidden = !isLost; };

  // ---- What is shown follows from the choices, the job and the report.
  const settings = () => ({ source: form.source.value, partial: form.partial.checked, post: form.post.value, benchmark: address.place().benchmark });
  const paths = () => ({ predictions: sides.files.paths("predictions"), references: sides.files.paths("references") });
  const inputs = () => JSON.stringify({ ...settings(), ...paths() }); // a report of others is out of date
  const isCurrent = () => report?.inputs === inputs();
  const isSample = () => Boolean(report?.asked.sample) && !sides.files.files.length; // else Score is for one's own files

  function refresh() {
    tab.dataset.report = !report ? "none" : isCurrent() ? "current" : "outdated";
    tab.dataset.job = job ? "running" : "none";
    find("#file-source").hidden = isCurrent() && isSample(); // it has its own
    const files = { files: sides.files.files, second: sides.second.files };
    store("file", JSON.stringify({ ...settings(), files, report: report ?? last, job }));
  }

  function progress(/** @type {number} */ fraction, message = "") {
    pressed.dataset.running = `${job?.id ? "Scoring" : "Uploading"} … ${Math.round(100 * fraction)}%`;
    pressed.style.setProperty("--done", String(fraction));
    find("#file-progress").textContent = `${pressed.dataset.running} ${message}`;
  }

  // ---- One click is one job.
  /** Score; `isAgain` for a report that is gone, whose filter and opened answer stay. */
  async function score({ compare = Boolean(report?.isCompared && sides.second.files.length), ...asked } = {}, isAgain = false) {
    if (job) return;
    form.partial.checked ||= Boolean(asked.partial);
    form.post.value = asked.post ?? form.post.value;
    job = { asked, isAgain, compare };
    say("");
    progress(0);
    refresh();
    const names = [...new FormData(find("#compare-names")).values()];
    const reply = await withFiles(Object.values(sides), () => {
      job.inputs = inputs();
      return server.start_scoring({ asked: { ...settings(), ...paths(), second: sides.second.paths(), ...asked, compare, names } });
    });
    job.id = reply?.job;
    refresh();
    ended(await follow(server, reply, { progress, lost }));
  }

  /** Score the files of the report again, which the server has no longer, as after a restart. */
  function scoreAgain() {
    if (!isCurrent() || !(report.asked.sample || sides.files.files.length)) return;
    pressed = find("#file-score");
    score({ ...report.asked, compare: report.isCompared }, true);
  }

  function ended({ error, ...parts }) {
    const done = job, { isAgain, compare } = done;
    job = null;
    delete pressed.dataset.running;
    find("#file-progress").textContent = "";
    refresh();
    if (error) return say(error);
    const before = (compare || isAgain) && report?.result;
    if (!isAgain) address.move({ file: { pattern: "", answer: "" } }, false);
    arrive(parts, done);
    const own = JSON.parse(stored("own results") || "[]").filter((result) => result !== before);
    store("own results", JSON.stringify([...own, parts.result].slice(-8))); // as many as "Results" shows
    document.dispatchEvent(new Event("zs-scored")); // for "Results", if it has been opened
    if (!tab.getClientRects().length || !isCurrent() || isAgain) return;
    find("#file-report").scrollIntoView({ block: "start" });
    find("#file-report .zs-total").focus({ preventScroll: true });
  }

  /** Show the report of a job. */
  function arrive({ result, names, filters, ...parts }, { inputs, asked, isAgain }) {
    report = { result, inputs, asked, isCompared: names.length > 1 };
    address.report = result;
    for (const name of ["report", "tasks", "more", "variants"]) find(`#file-${name}`).innerHTML = parts[name] ?? "";
    refresh();
    if (isAgain) return list.again(result);
    find("#file-menus").innerHTML = filters;
    ["A", "B"].forEach((letter, i) => { find(`#compare-names [name=${letter}]`).placeholder = names[i] ?? letter; });
    return list.begin(result, report.isCompared ? "difference" : "score");
  }

  // ---- Clicks
  /** Return the options of the report, which the next one has, too; without files of one's own the sample stays the sample. */
  const kept = () => (isCurrent() ? report.asked : { sample: isSample() });

  const actions = {
    ...list.actions,
    score: () => score({ sample: isSample() }),
    sample: () => score({ sample: true }),
    partial: () => score({ ...kept(), partial: true }),
    mapping: () => score({ columns: Object.fromEntries(new FormData(find("#file-mapping"))) }),
    repair({ dataset: { kind } }) {
      const ticked = all("[data-accept]:checked").map((box) => box.dataset.accept);
      score({ ...kept(), repaired: true, accept: [...new Set([...ticked, kind])].filter(Boolean) });
    },
    benchmark({ dataset: { benchmark } }) {
      address.move({ benchmark });
      score();
    },
    "run-comparison": () => score({ ...kept(), compare: true }),
    alone() {
      find("#file-compare").hidden = true;
      score({ ...kept(), compare: false });
    },
    post: ({ dataset: { post } }) => score({ ...kept(), post }),
    compare() {
      find("#file-compare").toggleAttribute("hidden");
      find("#file-compare").scrollIntoView({ block: "center" });
    },
    async variants() {
      show(find("#file-variants"), { html: "…" });
      const reply = await server.start_variants({ result: report.result, ...Object.fromEntries(new FormData(find("#variants-form"))) });
      if (reply?.gone) scoreAgain();
      show(find("#file-variants"), await follow(server, reply, { progress: () => {}, lost }));
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
  if (linked && linked !== last?.result) last = { result: linked, inputs: inputs(), asked: {} };
  address.move({ file: { report: "" } }, false); // it is in no further address
  address.subscribe(refresh);
  refresh();
  if (last) live(server.report, ({ error, ...parts }) => {
    if (!report && !error) return arrive(parts, last);
    if (!report) say(error);
    last = null;
    return refresh();
  }, lost)({ result: last.result });
  if (job) follow(server, { job: job.id }, { progress, lost }).then(ended);
}
