// "Score a file": the chosen files and settings, one job at a time, and the report with its answers.
import { follow, live, show, store, stored } from "./calls.js";
import { answerList } from "./file_lists.js";
import { choose, whenFoldersDrop } from "./drops.js";
import { sideOf, withFiles } from "./uploads.js";

const LINKED = "The link opens this report while it is kept, an hour after its last use. To keep it, send the report of “Export”.";

const INTERRUPTED = "The page was loaded again during the upload, which ended it: choose the missing files and press Score.";

export function mount(/** @type {HTMLElement} */ element, server, address, /** @type {(file: File) => Promise<{path: string}>} */ upload) {
  const find = (/** @type {string} */ selector) => element.querySelector(selector);
  const all = (/** @type {string} */ selector) => [...element.querySelectorAll(selector)];
  const tab = find("#file-tab"), form = find("#file-settings"), status = find("#file-status");
  const saved = JSON.parse(stored("file") || "{}");
  const linked = address.place().file.report;
  let report = null; // the shown one: its id, and the `inputs` and options (`asked`) that it is for
  let last = saved.report; // that of before a reload, until it is shown again
  const asked = address.place().file.job; // of the address, which a reload of the Hub's page keeps alone
  let job = saved.job?.id ? saved.job : asked ? { id: asked, asked: {} } : null; // the running one; without an id while files are uploaded
  let pressed = find("#file-score"); // the button that shows the progress
  let isPair = false; // two ZIPs or folders were given at once, which are two systems

  const rolesOf = (/** @type {string[]} */ paths) => server.roles({ paths, benchmark: address.place().benchmark });
  const boxOf = (/** @type {"files" | "second"} */ name, ask = null) => sideOf(find(`#file-${name}`), upload, () => {
    say(["error", "refused"].flatMap((fault) => [sides.files[fault], sides.second[fault]]).find(Boolean) ?? "");
    splitPair();
    refresh();
  }, ask, saved.files?.[name]);
  const sides = { files: boxOf("files", rolesOf), second: boxOf("second") };
  const list = answerList(tab, server, address, scoreAgain);
  const say = (/** @type {string} */ text, kind = "error") => Object.assign(status, { textContent: text, hidden: !text, className: `zs-notice zs-${kind}` });
  const lost = (/** @type {boolean} */ isLost) => { find("#file-job-lost").hidden = !isLost; };

  /** Two ZIPs of predictions that were given at once are two systems: the second one goes to the box of the other system. */
  function splitPair() {
    const pair = sides.files.files.filter(({ role }) => role !== "references");
    const isRead = pair.every(({ name, path, role }) => path && role && /\.zip$/i.test(name));
    if (pair.length !== 2 || !isRead || pair[0].batch !== pair[1].batch) return;
    isPair = true;
    sides.files.files = sides.files.files.filter((file) => file !== pair[1]);
    sides.second.files = [{ ...pair[1], role: "" }];
    find("#file-compare").hidden = false;
    sides.second.changed();
    sides.files.changed();
  }

  whenFoldersDrop((box, given) => {
    if (given.length !== 2 || given.some(({ isFolder }) => !isFolder)) return choose(box ?? find("#file-files"), given.flatMap(({ files }) => files));
    const names = given.map(({ name }) => name.slice(0, 24)); // as long as the fields take
    isPair = true;
    find("#file-compare").hidden = false;
    if (names[0] !== names[1]) ["A", "B"].forEach((letter, i) => { find(`#compare-names [name=${letter}]`).value = names[i]; });
    return ["files", "second"].forEach((side, i) => choose(find(`#file-${side}`), given[i].files));
  }, say);

  // ---- What is shown follows from the choices, the job and the report.
  const settings = () => ({ source: form.source.value, partial: form.partial.checked, post: form.post.value, benchmark: address.place().benchmark });
  const paths = () => ({ predictions: sides.files.paths("predictions"), references: sides.files.paths("references") });
  const inputs = () => JSON.stringify({ ...settings(), ...paths() }); // a report of others is out of date
  const isCurrent = () => report?.inputs === inputs();
  const isSample = () => Boolean(report?.asked.sample) && !sides.files.files.length; // else Score is for one's own files

  function refresh() {
    if (form.partial.checked || form.post.value) find("#file-options").open = true; // what is in effect is seen
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
  async function score({ compare = Boolean((report?.isCompared || isPair) && sides.second.files.length), ...asked } = {}, isAgain = false) {
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
    address.move({ file: { job: job.id ?? "" } }, false);
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
    address.move({ file: { job: "" } }, false);
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
    isPair = false; // of the next choice
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

  /** Return these, but runs only where they are of the first system: whether the second one has some is asked again. */
  const keptOfFirst = () => ({ ...kept(), runs: Boolean(kept().runs) && paths().predictions.length > 1 });

  const actions = {
    ...list.actions,
    score: () => score({ sample: isSample() }),
    sample: () => score({ sample: true }),
    partial: () => score({ ...kept(), partial: true }),
    mapping: () => score({ columns: { ...kept().columns, ...Object.fromEntries(new FormData(find("#file-mapping"))) } }),
    repair({ dataset: { kind } }) {
      const ticked = all("[data-accept]:checked").map((box) => box.dataset.accept);
      score({ ...kept(), repaired: true, accept: [...new Set([...ticked, kind])].filter(Boolean) });
    },
    benchmark({ dataset: { benchmark } }) {
      address.move({ benchmark });
      score();
    },
    insist({ dataset: { benchmark } }) {
      address.move({ benchmark });
      score({ ...kept(), insisted: true });
    },
    "run-comparison": () => score({ ...keptOfFirst(), compare: true }),
    alone() {
      isPair = false;
      find("#file-compare").hidden = true;
      score({ ...keptOfFirst(), compare: false });
    },
    runs: () => score({ ...kept(), runs: true }), // of one system, or of either of two
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
  if (job) {
    job.inputs ??= inputs();
    follow(server, { job: job.id }, { progress, lost }).then(ended);
  } else if (saved.job) queueMicrotask(() => say(INTERRUPTED)); // after the boxes have said that they are empty
}
