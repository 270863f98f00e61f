// "Score a file": the chosen files and settings, kept as long as the browser's tab, and the job of a click, whose stamp
// tells which inputs a report is for.
(() => {
  "use strict";
  const zs = window.zs;
  const { find } = zs;
  const CONTROLS = ["predictions", "references", "second", "source", "partial"];
  const START = { predictions: [], references: [], second: [], source: "files", partial: false, sample: false };
  const chosen = { ...START, ...JSON.parse(zs.stored("chosen") || "{}") };
  const handled = {}; // by control: the last paths from Gradio

  const asList = (files) => [files ?? []].flat();
  const paths = (files) => files.map((file) => file.path);
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const names = (files) => files.map((file) => file.orig_name ?? file.path.split("/").pop());

  // The inputs of a report as a text; the sample replaces the files.
  function inputs(benchmark = zs.place().benchmark) {
    const { predictions, references, source, partial, sample } = chosen;
    if (sample) return JSON.stringify(["sample", benchmark]);
    const known = source === "files" ? paths(references) : null;
    return JSON.stringify([paths(predictions), known, source, partial, benchmark]);
  }

  function change(changes) {
    Object.assign(chosen, changes);
    zs.store("chosen", same(chosen, START) ? "" : JSON.stringify(chosen));
    file.refreshSoon();
  }

  // New files replace earlier ones, to which Gradio adds them; the visitor's own files also replace the sample.
  function take(name, files) {
    const before = paths(chosen[name]);
    const now = paths(files);
    if (same(now, handled[name])) return;
    handled[name] = now;
    const isAdded = before.length > 0 && now.length > before.length && same(before, now.slice(0, before.length));
    const isOwn = name !== "second" && now.length > 0 && !same(before, now);
    change({ [name]: isAdded ? files.slice(before.length) : files, ...(isOwn && { sample: false }) });
  }

  function chose(name, value) {
    const files = asList(value);
    take(name, files);
    const kept = chosen[name];
    if (name !== "references") nameSystem(name === "second" ? "second" : "first", names(kept));
    return [kept.length < files.length ? kept : zs.KEEP]; // one output, whose value is a list
  }

  // A system has the name of its file, until the visitor gives it another.
  function nameSystem(which, files) {
    const box = find(`#compare-names [name=${which}]`);
    const name = files.length === 1 ? files[0].replace(/\.[^.]+$/, "") : files.length ? `${files.length} files` : "";
    if (!box || (box.value && box.value !== box.dataset.given)) return;
    box.value = box.dataset.given = name;
  }

  // The inputs of a job: the chosen files, even if Gradio has not yet removed earlier ones.
  function given(predictions, references, second, source, partial) {
    Object.entries({ predictions, references, second }).forEach(([name, value]) => take(name, asList(value)));
    change({ source, partial });
    return CONTROLS.map((name) => chosen[name]);
  }

  const file = zs.file = {
    chosen, chose, inputs, given,
    set: (name, value) => change({ [name]: value }),
    names: () => names(chosen.predictions),
    systems: () => ["first", "second"].map((name) => find(`#compare-names [name=${name}]`)?.value.trim() ?? ""),
    isUploading: () => Boolean(find(":is(#file-inputs, #file-second) .uploading")),
    // The values of the controls after a reload.
    controls: () => CONTROLS.map((name) => (same(chosen[name], START[name]) ? zs.KEEP : chosen[name])),
  };

  // ---- One click is one job.

  const page = document.documentElement;
  const LOST = "The connection was lost before the score arrived. Your files and settings are still here: press Score again.";
  const sent = new Map(); // by stamp: the inputs of a report
  let options = {}; // the options of the last click
  let waiting = false; // whether a click waits for uploads
  let job = null; // the stamp of the running job
  let count = 0;

  const newStamp = () => `${Date.now()}-${(count += 1)}`;

  function start(asked = {}) {
    if (job || (waiting && file.isUploading())) return;
    options = asked;
    waiting = true;
    showProgress();
    find("#file-go").click();
  }

  // The inputs of the event, in the order of `given` in score_file.py; Gradio calls this once files are uploaded.
  function send(...controls) {
    const inputs = file.given(...controls.slice(0, 5));
    const { predictions, second } = file.chosen;
    if (options.sample) file.set("sample", true);
    else if (options.own && predictions.length) file.set("sample", false);
    const { sample } = file.chosen;
    const benchmark = options.benchmark ?? zs.place().benchmark;
    const stamp = newStamp();
    sent.set(stamp, { inputs: file.inputs(benchmark), names: sample ? [] : file.names() });
    waiting = false;
    job = stamp;
    zs.store("job", stamp);
    const compare = Boolean(options.compare || (!sample && second.length && file.shown?.questions));
    const asked = { stamp, benchmark, sample, compare, names: file.systems(), before: file.shown?.result ?? "" };
    Object.assign(asked, { repaired: Boolean(options.repaired), accept: options.accept ?? [], fill: Boolean(options.fill) });
    say("");
    file.refreshSoon();
    return [...inputs, JSON.stringify(asked)];
  }

  function done(isTold = false) {
    if (job && !isTold && !find(`#file-report [data-stamp="${job}"], #file-status [data-message="${job}"]`)) say(LOST);
    job = null;
    zs.store("job", "");
    file.refreshSoon();
  }

  function say(text) {
    const place = find("#file-lost");
    if (!place || place.textContent === text) return;
    place.textContent = text;
    place.hidden = !text;
  }

  // The request for the report that was shown before a reload, see `restore` in score_file.py.
  function kept() {
    const { result, inputs, files } = JSON.parse(zs.stored("file") || "{}");
    const stamp = newStamp();
    sent.set(stamp, { inputs, names: files, again: true });
    return JSON.stringify({ stamp, before: result ?? "", names: files ?? [] });
  }

  function restoreSoon() {
    const button = find("#file-restore");
    if (!button) return void setTimeout(restoreSoon, 100);
    if (zs.stored("file")) button.click();
    if (zs.stored("chosen")) find("#file-controls").click();
    if (zs.stored("job")) say(LOST);
    zs.store("job", "");
  }

  // Show the progress of the job in the buttons that start one.
  function showProgress() {
    const loading = waiting && file.isUploading();
    const share = Math.round(100 * (job ? Number(find("#file-status [data-share]")?.dataset.share ?? 0) : 0));
    const busy = Boolean(job) || loading;
    ["#file-score", "#file-compare-run"].map(find).forEach((button) => {
      if (!button) return;
      button.classList.toggle("zs-busy", busy);
      button.ariaDisabled = busy ? "true" : null;
      button.style.setProperty("--share", `${share}%`);
      button.dataset.progress = loading ? "Uploading …" : busy ? `Scoring … ${share} %` : "";
    });
    page.dataset.fileJob = job || waiting ? "running" : "none";
    page.style.setProperty("--zs-share", `${share}%`);
  }

  Object.assign(file, { start, send, done, kept, restoreSoon, showProgress, asked: () => options, sentAs: (stamp) => sent.get(stamp) });
})();
