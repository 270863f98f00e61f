// "Score a file": what is shown follows from the chosen files and settings, the running job and the current report.
(() => {
  "use strict";
  const zs = window.zs;
  const { find } = zs;
  const file = zs.file;
  const page = document.documentElement;
  let open = true; // whether the inputs are shown
  let comparing = false; // whether the comparison is unfolded

  const reportOf = () => find("#file-report [data-stamp]");

  function isOutdated(report) {
    const of = file.sentAs(report.dataset.stamp)?.inputs;
    return of !== undefined && of !== file.inputs();
  }

  function refresh() {
    const report = reportOf();
    if (report && report.dataset.stamp !== file.shown?.stamp) arrive(report);
    const outdated = Boolean(report) && isOutdated(report);
    page.dataset.fileInputs = report && !open && !outdated ? "folded" : "open";
    page.dataset.fileReport = !report ? "none" : outdated ? "outdated" : "current";
    page.dataset.fileCompare = comparing ? "open" : "closed";
    find("[data-file=compare-fold]")?.setAttribute("aria-expanded", comparing);
    page.dataset.fileAnswers = file.shown?.answers ? "some" : "none";
    page.dataset.fileQuestions = file.shown?.questions ? "some" : "none";
    find("#file-report .zs-menu")?.toggleAttribute("inert", outdated);
    file.showProgress();
  }

  // A report has arrived: fold the inputs and scroll to its score, unless the visitor has meanwhile unfolded them or is
  // choosing other files.
  function arrive(report) {
    const facts = JSON.parse(report.dataset.facts);
    file.shown = { ...facts, stamp: report.dataset.stamp };
    const of = file.sentAs(file.shown.stamp);
    const { compare, unfolded } = file.asked();
    if (of) zs.store("file", JSON.stringify({ result: facts.result, inputs: of.inputs, files: of.names }));
    open = Boolean(unfolded) || file.isUploading();
    file.begin(facts);
    if (compare && !unfolded) find("#file-comparison")?.scrollIntoView({ block: "start" });
    else if (!of?.again && !open && !isOutdated(report)) report.scrollIntoView({ block: "start" });
  }

  function scoreRepaired() {
    const ticked = [...document.querySelectorAll("[data-accept]:checked")].map((box) => box.dataset.accept);
    const filled = ["missing", "missing-task"];
    const accept = [...new Set(ticked)].filter((kind) => !filled.includes(kind));
    file.start({ repaired: true, accept, fill: ticked.some((kind) => filled.includes(kind)) });
  }

  // The comparison is of the report that is shown, with the repairs made in it.
  function compare() {
    const { repaired, accept, fill } = isOutdated(reportOf()) ? {} : file.asked();
    file.start({ repaired, accept, fill, compare: true });
  }

  function scoreAs({ benchmark }) {
    history.pushState(null, "", `${location.pathname}?benchmark=${benchmark}&tab=file`);
    find("#back").click();
    file.start({ benchmark });
  }

  function unfold(what, block) {
    refresh();
    find(what).scrollIntoView({ block });
  }

  const ACTIONS = {
    change: () => { open = file.asked().unfolded = true; unfold("#file-inputs", "nearest"); },
    compare: () => { comparing = true; unfold("#file-compare", "start"); },
    "compare-fold": () => { comparing = !comparing; refresh(); },
    score: () => file.start(),
    "run-comparison": compare,
    repair: scoreRepaired,
    problems: () => { find("#file-problem-list").open = true; unfold("#file-problem-list", "center"); },
    previous: () => file.open(file.answers.place - 1),
    next: () => file.open(file.answers.place + 1),
    more: () => file.answers.more(),
    "more-questions": () => file.questions.more(),
    task: (row) => { file.answers.task(row.closest("[data-task]").dataset.task); file.answers.changed(); },
    benchmark: (button) => scoreAs(button.dataset),
  };

  addEventListener("click", ({ target }) => {
    const order = target.closest("[data-order]");
    const row = target.closest("#file-answers [data-place]");
    const action = target.closest("[data-file]");
    if (target.closest("#file-score")) file.start({ own: true });
    else if (target.closest("#file-sample")) file.start({ sample: true });
    else if (order) (order.closest("#file-answers") ? file.answers : file.questions).sort(order.dataset.order);
    else if (row) file.open(Number(row.dataset.place));
    else if (action) ACTIONS[action.dataset.file](action);
    else if (target.closest("#per-task [data-task]")) ACTIONS.task(target);
    const menu = find("#file-report .zs-menu[open]");
    if (menu && !target.closest(".zs-menu summary")) menu.open = false;
  });

  // A tick applies to all boxes of the same repair.
  addEventListener("input", ({ target }) => {
    const { accept } = target.dataset ?? {};
    if (!accept) return;
    document.querySelectorAll(`[data-accept="${CSS.escape(accept)}"]`).forEach((box) => (box.checked = target.checked));
  });

  file.refreshSoon = zs.watch(() => { refresh(); file.markLists(); }, ["data-stamp", "data-share", "data-query"]);
  file.restoreSoon();
})();
