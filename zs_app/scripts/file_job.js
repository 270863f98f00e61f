// "Score a file": one click is one job, whose report says which inputs it is of.
(() => {
  "use strict";
  const zs = window.zs;
  const { find } = zs;
  const file = zs.file;
  const page = document.documentElement;
  const LOST = "The connection was lost before the score was there. Nothing else is lost: press Score again.";
  const sent = new Map(); // by stamp: what a report is of
  let options = {}; // what the next click asks besides
  let waiting = false; // whether a click waits for files that are on their way
  let job = null; // the stamp of the job that runs
  let count = 0;

  const newStamp = () => `${Date.now()}-${(count += 1)}`;

  function start(asked = {}) {
    if (job || (waiting && file.isUploading())) return;
    options = asked;
    waiting = true;
    showProgress();
    find("#file-go").click();
  }

  // The inputs of the event, in the order of `given` in score_file.py; Gradio waits until files are uploaded.
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
    const compare = Boolean(!sample && second.length && (options.compare || file.shown?.questions));
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

  // The page is loaded again: the files that were chosen, and the report that was shown, see `restore` in score_file.py.
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

  // A job that runs shows in its button how far it is.
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
