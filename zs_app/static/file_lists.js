// The answers of a report: a form is their filter; the server filters, sorts and draws their list, and the opened one.
import { live, show } from "./calls.js";

const FEW = 100, MORE = 400; // rows

/** Return what fills the tasks, the list and the opened answer of `tab`; `onGone` is called if the server has the report no longer. */
export function answerList(/** @type {HTMLElement} */ tab, server, address, /** @type {() => void} */ onGone) {
  const find = (/** @type {string} */ selector) => tab.querySelector(selector);
  const form = find("#file-form"), box = find("#file-answers"), opened = find("#file-opened");
  let query = {}; // the result and the place, beside the fields of the form; with `most` rows until the list has come

  function ask(/** @type {object} */ changes) {
    query = { ...query, answer: "", ...changes };
    if (!query.result) return;
    opened.ariaBusy = true;
    box.ariaBusy = "most" in query;
    send({ ...query, ...Object.fromEntries(new FormData(form)) });
  }

  const send = live((fields) => server.answers({ query: fields }), (reply) => {
    box.ariaBusy = false;
    show(opened, reply.error ? reply : { html: reply.opened });
    if (reply.gone) onGone();
    if (reply.error) return;
    opened.parentElement.scrollTo(0, 0);
    query.place = reply.place;
    const isFocused = box.contains(document.activeElement);
    if (reply.list) {
      box.innerHTML = reply.list;
      delete query.most;
    }
    box.querySelector("[aria-selected]")?.removeAttribute("aria-selected");
    const row = box.querySelector(`[data-place="${reply.place}"]`);
    if (row) select(row);
    if (isFocused) row?.querySelector("button").focus({ preventScroll: true });
    address.move({ file: { answer: tab.dataset.screen === "tasks" ? "" : reply.answer } }, false);
  }, (isLost) => { find("#file-lost").hidden = !isLost; });

  /** Mark a row, and scroll the list, never the page, until it is in view. */
  function select(/** @type {HTMLElement} */ row) {
    const list = row.closest(".zs-list-box"), top = row.offsetTop - list.scrollTop;
    row.ariaSelected = "true";
    if (top < row.offsetHeight || top + row.offsetHeight > list.clientHeight) list.scrollTop = row.offsetTop - list.clientHeight / 2;
  }

  /** List the answers that pass, with the first one opened or the `answer` of the changes; of an unknown pattern all. */
  function list(/** @type {object} */ changes = {}) {
    const pattern = find(`[data-pattern="${CSS.escape(form.pattern.value || "-")}"]`);
    form.pattern.value = pattern?.dataset.pattern ?? "";
    find("#file-chip").hidden = !pattern;
    find("#file-chip button").textContent = `${pattern?.title} ✕`;
    tab.querySelectorAll("tr[data-task]").forEach((row) => { row.querySelector("th button").ariaPressed = row.dataset.task === form.task.value; });
    address.move({ file: { pattern: form.pattern.value } }, false);
    ask({ most: FEW, place: 0, ...changes });
  }

  function openScreen(/** @type {string} */ name) {
    tab.dataset.screen = name;
    find("#file-explorer").scrollIntoView({ block: "nearest" });
  }

  const open = (/** @type {number} */ place) => ask({ place: Math.max(0, place) }); // one that is too high is the last one
  const actions = {
    /** Set the fields of the form that a button names, or reset them if they are set so; an order is set again. */
    filter({ dataset: { file, ...fields } }) {
      const isSet = !fields.order && box.getClientRects().length && Object.keys(fields).every((name) => form[name].value === fields[name]);
      if (fields.pattern) form.task.value = "any";
      for (const [name, value] of Object.entries(fields)) form[name].value = isSet ? form[name].defaultValue ?? "any" : value;
      list();
      if (tab.dataset.screen === "tasks") openScreen("list");
    },
    open(row) {
      row.querySelector("button").focus({ preventScroll: true }); // for the arrow keys
      open(Number(row.dataset.place));
      openScreen("answer");
    },
    more() {
      const { length } = box.querySelectorAll("[data-place]");
      ask({ most: length + MORE, place: length }); // the first of those that were not there
    },
    previous: () => open(query.place - 1),
    next: () => open(query.place + 1),
    screen: ({ dataset: { screen } }) => openScreen(screen),
  };

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
    actions,
    begin(/** @type {string} */ result, /** @type {string} */ order) {
      const { pattern, answer } = address.place().file;
      tab.dataset.screen = answer ? "answer" : pattern ? "list" : "tasks";
      for (const [name, value] of Object.entries({ pattern, order, down: "", task: "any" })) form[name].value = value;
      list({ result, answer });
    },
    /** Show what was asked for last, of a result that has taken the place of a lost one. */
    again: (/** @type {string} */ result) => ask({ result, most: FEW }),
  };
}
