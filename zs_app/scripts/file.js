// "Score a file": which files and settings are chosen, which report belongs to them, and what of it is looked at.
(() => {
  "use strict";
  const zs = window.zs;
  const { find } = zs;
  const page = document.documentElement;
  const START = { predictions: null, references: null, second: null, source: "files", partial: false };
  const chosen = { ...START }; // paths of files, and settings, as they are chosen now
  const sent = new Map(); // by stamp: what a report is of
  let sample = false; // whether the sample is scored in the place of files
  let options = {}; // what the next click asks besides
  let job = null; // the stamp of the job that runs
  let open = true; // whether the inputs are shown
  let shown = null; // the facts of the report that is shown
  let comparing = false; // whether the comparison is unfolded
  let count = 0;

  const paths = (files) => (files?.length ? [files].flat().map((file) => file.path) : null);
  const names = (files) => (files?.length ? [files].flat().map((file) => file.orig_name ?? file.path.split("/").pop()) : []);
  const list = (text) => JSON.parse(text || "null");

  // What a report would be of.
  function inputs(benchmark = zs.place().benchmark) {
    if (sample) return JSON.stringify(["sample", benchmark]);
    const { predictions, references, source, partial } = chosen;
    return JSON.stringify([predictions, source === "files" ? references : null, source, partial, benchmark]);
  }

  // ---- Files replace those of before: Gradio adds a new choice to the old one.

  function chose(name, files) {
    const before = chosen[name] ?? [];
    const now = paths(files) ?? [];
    const added = before.length > 0 && now.length > before.length && before.every((path, i) => path === now[i]);
    const kept = added ? files.slice(before.length) : files;
    chosen[name] = paths(kept);
    if (now.length && name !== "second") sample = false;
    if (name === "second") nameSystem("second", names(kept));
    else if (name === "predictions") nameSystem("first", names(kept));
    refreshSoon();
    return [added ? kept : zs.KEEP]; // one output, whose value may be a list
  }

  function set(name, value) {
    chosen[name] = value;
    refreshSoon();
  }

  // A system is called after its file, until the visitor gives it a name.
  function nameSystem(which, files) {
    const box = find(`#compare-names [name=${which}]`);
    const name = files.length === 1 ? files[0].replace(/\.[^.]+$/, "") : files.length ? `${files.length} files` : "";
    if (!box || (box.value && box.value !== box.dataset.given)) return;
    box.value = box.dataset.given = name;
  }

  // ---- One click is one job.

  function start(asked = {}) {
    if (job) return;
    if (asked.sample) sample = true;
    options = asked;
    find("#file-go").click();
  }

  // The inputs of the event, in the order of `given` in score_file.py.
  function send(predictions, references, second, source, partial) {
    const benchmark = options.benchmark ?? zs.place().benchmark;
    const stamp = `${Date.now()}-${(count += 1)}`;
    Object.assign(chosen, { predictions: paths(predictions), references: paths(references), source, partial });
    sent.set(stamp, { inputs: inputs(benchmark), names: names(predictions) });
    job = stamp;
    const systems = ["first", "second"].map((name) => find(`#compare-names [name=${name}]`)?.value.trim() ?? "");
    const compare = Boolean(!sample && second?.length && (options.compare || shown?.questions));
    const asked = { stamp, benchmark, sample, compare, names: systems, before: shown?.result ?? "" };
    Object.assign(asked, { repaired: Boolean(options.repaired), accept: options.accept ?? [], fill: Boolean(options.fill) });
    refreshSoon();
    return [predictions, references, second, source, partial, JSON.stringify(asked)];
  }

  function done() {
    const lost = job && !find(`#file-report [data-stamp="${job}"], #file-status [data-message="${job}"]`);
    job = null;
    if (lost) say("The job stopped before it was done. Your files are still here: press Score again.");
    refreshSoon();
  }

  function say(text) {
    const place = find("#file-lost");
    place.textContent = text;
    place.hidden = !text;
  }

  // ---- The report lasts as long as the browser's tab.

  function kept() {
    const { result, names } = list(zs.stored("file"));
    const stamp = `${Date.now()}-${(count += 1)}`;
    const { files, inputs: of } = list(zs.stored("file"));
    sent.set(stamp, { inputs: of, names: files });
    restored = of;
    return JSON.stringify({ stamp, before: result, names: files ?? names });
  }
  let restored = null; // what the report is of that was shown before the page was loaded again

  function restoreSoon() {
    if (!zs.stored("file")) return;
    const button = find("#file-restore");
    if (button && zs.place) button.click();
    else setTimeout(restoreSoon, 100);
  }

  // ---- What is shown follows from all this.

  function isOutdated() {
    const of = sent.get(find("#file-report [data-stamp]")?.dataset.stamp)?.inputs;
    if (of === undefined) return false;
    if (of !== restored || chosen.predictions || chosen.references || sample) return of !== inputs();
    return list(of).at(-1) !== zs.place().benchmark;
  }

  function refresh() {
    const report = find("#file-report [data-stamp]");
    if (report && report.dataset.stamp !== shown?.stamp) arrive(report);
    const outdated = Boolean(report) && isOutdated();
    page.dataset.fileInputs = report && !open ? "folded" : "open";
    page.dataset.fileReport = !report ? "none" : outdated ? "outdated" : "current";
    page.dataset.fileCompare = comparing ? "open" : "closed";
    find("[data-file=compare-fold]")?.setAttribute("aria-expanded", comparing);
    page.dataset.fileAnswers = shown?.answers ? "some" : "none";
    page.dataset.fileQuestions = shown?.questions ? "some" : "none";
    find("#file-report .zs-menu")?.toggleAttribute("inert", outdated);
    showProgress();
  }

  // A report has come: the inputs fold, its score is in view, and its answers are looked up.
  function arrive(report) {
    const facts = list(report.dataset.facts);
    shown = { ...facts, stamp: report.dataset.stamp };
    const of = sent.get(shown.stamp);
    const compared = options.compare;
    if (of) zs.store("file", JSON.stringify({ result: facts.result, inputs: of.inputs, files: of.names }));
    open = false;
    options = {};
    say("");
    fillTasks("#file-form");
    fillTasks("#compare-form");
    nameFilters(facts.names);
    Object.assign(answers, { place: 0, most: 100 });
    answers.ask();
    if (facts.questions) questions.ask();
    if (compared) find("#file-comparison")?.scrollIntoView({ block: "start" });
    else if (restored !== of?.inputs) find("#file-report").scrollIntoView({ block: "start" });
  }

  function fillTasks(form) {
    const menu = find(`${form} [name=task]`);
    const rows = [...document.querySelectorAll("#per-task [data-task]")];
    const items = rows.map((row) => new Option(row.dataset.title, row.dataset.task));
    const before = menu.value;
    menu.replaceChildren(menu.options[0], ...items);
    menu.value = rows.some((row) => row.dataset.task === before) ? before : "any";
  }

  function nameFilters([first, second]) {
    document.querySelectorAll("#compare-form [data-text]").forEach((one) => {
      one.textContent = one.dataset.text.replaceAll("{first}", first ?? "A").replaceAll("{second}", second ?? "B");
    });
  }

  function showProgress() {
    const at = find("#file-status [data-share]");
    const share = job ? Number(at?.dataset.share ?? 0) : 0;
    ["#file-score", "#file-compare-run"].map(find).forEach((button) => {
      if (!button) return;
      button.classList.toggle("zs-busy", Boolean(job));
      button.ariaDisabled = job ? "true" : null;
      button.style.setProperty("--share", `${Math.round(100 * share)}%`);
      button.dataset.progress = job ? `Scoring … ${Math.round(100 * share)} %` : "";
    });
    page.dataset.fileJob = job ? "running" : "none";
    page.style.setProperty("--zs-share", `${Math.round(100 * share)}%`);
  }

  // ---- Lists: a form, a query that the server answers, and the answer's own query to know it by.

  function lookup(form, box, place, sortedBy, more) {
    const state = { order: sortedBy, down: more.down, most: more.step, place: 0 };
    const values = () => {
      const data = Object.fromEntries(new FormData(find(form)));
      ["low", "high"].forEach((name) => name in data && (data[name] = data[name] === "" ? null : Number(data[name])));
      return { ...data, order: state.order, down: state.down, most: state.most };
    };
    state.key = () => JSON.stringify([shown?.result, values()]);
    state.ask = () => {
      if (!shown) return;
      const listed = list(find(`${place} [data-query]`)?.dataset.query ?? "null") === state.key();
      const query = { result: shown.result, ...values(), place: state.place, key: state.key(), list: !listed };
      const area = find(`${box} :is(textarea, input)`);
      const text = JSON.stringify(query);
      if (area.value === text) return;
      area.value = text;
      area.dispatchEvent(new Event("input", { bubbles: true }));
      mark();
    };
    state.changed = () => { state.place = 0; state.ask(); };
    state.sort = (order) => {
      state.down = state.order === order ? !state.down : order.includes("score") || order === "difference";
      state.order = order;
      state.changed();
    };
    const late = (element, isLate) => {
      element?.classList.toggle("zs-late", isLate);
      element?.toggleAttribute("aria-busy", isLate);
    };
    function mark() {
      const shownList = find(`${place} [data-query]`);
      if (shownList) late(find(place), list(shownList.dataset.query) !== state.key());
      document.querySelectorAll(`${place} [data-order]`).forEach((button) => {
        const head = button.closest("th");
        if (button.dataset.order === state.order) head.ariaSort = state.down ? "descending" : "ascending";
        else head.removeAttribute("aria-sort");
      });
      const opened = find("#file-opened [data-query]");
      if (more.opens && opened) late(find("#file-opened"), opened.dataset.query !== find(`${box} :is(textarea, input)`).value);
      if (!more.opens) return;
      document.querySelectorAll(`${place} [data-place]`).forEach((row) => {
        row.ariaSelected = String(Number(row.dataset.place) === state.place);
      });
      const task = find(`${form} [name=task]`)?.value;
      document.querySelectorAll("#per-task [data-task]").forEach((row) => {
        const on = row.dataset.task === task;
        row.classList.toggle("chosen", on);
        const button = row.querySelector("[data-file=task]");
        if (button && button.ariaPressed !== String(on)) button.ariaPressed = String(on);
      });
    }
    state.mark = mark;
    return state;
  }
  const answers = lookup("#file-form", "#file-query", "#file-answers", "score", { down: false, step: 100, opens: true });
  const questions = lookup("#compare-form", "#compare-query", "#compare-questions", "difference", { down: true, step: 20 });

  const formOf = (target) => (target.closest?.("#file-form") ? answers : target.closest?.("#compare-form") ? questions : null);
  addEventListener("input", (event) => {
    const asked = formOf(event.target);
    if (asked) asked.changed();
    else if (event.target.dataset?.accept) {
      const { accept } = event.target.dataset;
      document.querySelectorAll(`[data-accept="${CSS.escape(accept)}"]`).forEach((box) => (box.checked = event.target.checked));
    }
  });
  addEventListener("submit", (event) => formOf(event.target) && event.preventDefault());

  function move(by) {
    const count = Number(/([\d,]+)/.exec(find("#file-found")?.textContent ?? "0")[1].replaceAll(",", ""));
    answers.place = Math.min(Math.max(answers.place + by, 0), Math.max(count - 1, 0));
    answers.ask();
    find(`#file-answers [data-place="${answers.place}"]`)?.scrollIntoView({ block: "nearest" });
  }

  const accepted = () => [...new Set([...document.querySelectorAll("[data-accept]:checked")].map((box) => box.dataset.accept))];
  const FILLED = ["missing", "missing-task"];
  const ACTIONS = {
    change: () => { open = true; refresh(); find("#file-inputs").scrollIntoView({ block: "nearest" }); },
    compare: () => { comparing = true; refresh(); find("#file-compare").scrollIntoView({ block: "start" }); },
    "compare-fold": () => { comparing = !comparing; refresh(); },
    score: () => start(),
    "run-comparison": () => start({ compare: true }),
    repair: () => start({ repaired: true, accept: accepted().filter((kind) => !FILLED.includes(kind)), fill: accepted().some((kind) => FILLED.includes(kind)) }),
    problems: () => { const part = find("#file-problem-list"); part.open = true; part.scrollIntoView({ block: "center" }); },
    previous: () => move(-1),
    next: () => move(1),
    more: () => { answers.most += 400; answers.ask(); },
    "more-questions": () => { questions.most += 40; questions.ask(); },
    task: (button) => {
      const menu = find("#file-form [name=task]");
      const { task } = button.closest("[data-task]").dataset;
      menu.value = menu.value === task ? "any" : task;
      answers.changed();
    },
    benchmark: (button) => {
      const { benchmark } = button.dataset;
      history.pushState(null, "", `${location.pathname}?benchmark=${benchmark}&tab=file`);
      find("#back").click();
      start({ benchmark });
    },
  };

  addEventListener("click", (event) => {
    const { target } = event;
    if (target.closest("#file-score")) start();
    else if (target.closest("#file-sample")) start({ sample: true });
    else if (target.closest("[data-order]")) {
      (target.closest("#file-answers") ? answers : questions).sort(target.closest("[data-order]").dataset.order);
    } else if (target.closest("#file-answers [data-place]")) {
      answers.place = Number(target.closest("[data-place]").dataset.place);
      answers.ask();
    } else if (target.closest("[data-file]")) ACTIONS[target.closest("[data-file]").dataset.file](target.closest("[data-file]"));
    else if (target.closest("#per-task [data-task]")) ACTIONS.task(target);
    const menu = find("#file-report .zs-menu[open]");
    if (menu && !target.closest(".zs-menu summary")) menu.open = false;
  });

  let waiting = false;
  function refreshSoon() {
    if (!waiting) queueMicrotask(() => { waiting = false; refresh(); answers.mark(); questions.mark(); });
    waiting = true;
  }
  zs.file = { chose, set, send, done, kept };
  const watch = () => {
    const watched = { childList: true, subtree: true, attributes: true, attributeFilter: ["data-stamp", "data-share", "data-query"] };
    new MutationObserver(refreshSoon).observe(document.body, watched);
    refreshSoon();
    restoreSoon();
  };
  if (document.body) watch();
  else addEventListener("DOMContentLoaded", watch);
})();
