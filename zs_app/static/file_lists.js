// The answers of a report: a form is their filter; the server filters, sorts and draws their list, and the opened one.
import { live, markLate, show } from "./calls.js";

const FEW = 100, MORE = 400; // rows

/**
 * @param {HTMLElement} explorer the tasks, the list and the opened answer
 * @param {(fields: { query: object }) => Promise<any>} call
 * @param {(shown: { pattern?: string, answer?: string }) => void} onShown called with what the address should hold
 * @param {(name: string) => void} openScreen shows one of the three on a phone
 */
export function answerList(explorer, call, onShown, openScreen) {
  const find = (/** @type {string} */ selector) => explorer.querySelector(selector);
  const form = find("#file-form"), box = find("#file-answers"), opened = find("#file-opened");
  let query = { result: "", pattern: "any", place: 0, most: FEW }; // beside the fields of the form
  let count = 0; // of the answers that pass
  let isListed = false; // else the next reply must have the list

  function ask(/** @type {object} */ changes) {
    query = { ...query, answer: "", ...changes };
    if (!query.result) return;
    markLate(opened, true);
    markLate(box, !isListed);
    const { most, ...rest } = query;
    send({ ...rest, ...Object.fromEntries(new FormData(form)), ...(isListed ? {} : { most }) });
  }

  const send = live((fields) => call({ query: fields }), (reply) => {
    markLate(box, false);
    show(opened, reply.error ? reply : { html: reply.opened });
    if (reply.error) return;
    opened.scrollTo(0, 0);
    ({ count } = reply);
    query.place = reply.place;
    if (reply.list) {
      const top = query.most > FEW ? box.querySelector(".zs-list-box").scrollTop : 0;
      box.innerHTML = reply.list;
      box.querySelector(".zs-list-box")?.scrollTo(0, top);
      isListed = true;
    }
    box.querySelector("[aria-selected]")?.removeAttribute("aria-selected");
    const row = box.querySelector(`[data-place="${reply.place}"]`);
    if (row) select(row);
    onShown({ answer: reply.answer });
  }, (isLost) => { find("#file-lost").hidden = !isLost; });

  /** Mark a row, and scroll the list, never the page, until it is in view. */
  function select(/** @type {HTMLElement} */ row) {
    const list = row.closest(".zs-list-box"), top = row.offsetTop - list.scrollTop;
    row.ariaSelected = "true";
    if (top < row.offsetHeight || top + row.offsetHeight > list.clientHeight) list.scrollTop = row.offsetTop - list.clientHeight / 2;
    if (box.contains(document.activeElement)) row.querySelector("button").focus({ preventScroll: true });
  }

  /** Begin the list again, with its first row opened or the `answer` of the changes. */
  function list(/** @type {object} */ changes = {}) {
    isListed = false;
    explorer.querySelectorAll("[data-file=task]").forEach((button) => {
      button.ariaPressed = String(button.closest("[data-task]").dataset.task === form.task.value);
    });
    ask({ most: FEW, place: 0, ...changes });
  }

  /** List the answers of a pattern, all if there is no such pattern. */
  function listPattern(/** @type {string} */ name, changes = {}) {
    const button = name && find(`[data-pattern="${CSS.escape(name)}"]`), pattern = button ? name : "";
    find("#file-chip").hidden = !button;
    find("#file-chip button").textContent = `${button?.title} ✕`;
    form.task.value = "any";
    onShown({ pattern });
    list({ ...changes, pattern: pattern || "any" });
  }

  const open = (/** @type {number} */ place) => ask({ place: Math.max(0, Math.min(place, count - 1)) });
  const actions = {
    task(button) {
      const { task } = button.closest("[data-task]").dataset;
      form.task.value = form.task.value === task && box.getClientRects().length ? "any" : task;
      list();
      openScreen("list");
    },
    pattern({ dataset: { pattern } }) {
      listPattern(query.pattern === pattern ? "" : pattern);
      openScreen("list");
    },
    "no-pattern": () => listPattern(""),
    order: ({ dataset: { order }, parentElement: { ariaSort } }) => list({ order, down: { ascending: true, descending: false }[ariaSort] }),
    bar({ ariaPressed, dataset: { low, high } }) { // in the picture of the scores a range of them
      [form.low.value, form.high.value] = ariaPressed === "true" ? [0, 100] : [low, high];
      list();
    },
    open(row) {
      row.querySelector("button").focus({ preventScroll: true }); // for the arrow keys
      open(Number(row.dataset.place));
      openScreen("answer");
    },
    more() {
      isListed = false;
      ask({ most: query.most + MORE });
    },
    previous: () => open(query.place - 1),
    next: () => open(query.place + 1),
    back: (button) => openScreen(button.dataset.screen),
  };

  explorer.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-pattern], [data-file]") ?? target.closest("[data-task]")?.querySelector("[data-file]");
    if (button) actions[button.dataset.file ?? "pattern"](button);
  });
  document.addEventListener("keydown", (event) => {
    const name = { j: "next", k: "previous", ArrowDown: "next", ArrowUp: "previous" }[event.key];
    const isTyping = event.target.closest("input, textarea, select, [contenteditable=true]");
    const isElsewhere = event.key.startsWith("Arrow") && !box.contains(event.target);
    if (!name || isTyping || isElsewhere || event.ctrlKey || event.metaKey || event.altKey || !opened.getClientRects().length) return;
    event.preventDefault();
    actions[name]();
  });
  form.addEventListener("input", () => list());

  return {
    begin(/** @type {string} */ result, /** @type {string} */ order, { pattern, answer }) {
      listPattern(pattern, { result, order, down: undefined, answer });
    },
    /** Show what was asked for last, of a result that has taken the place of a lost one. */
    again(/** @type {string} */ result) {
      isListed = false;
      ask({ result });
    },
  };
}
