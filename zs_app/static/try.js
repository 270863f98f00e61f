// "Try a task": an example, an answer, its score. What is typed is kept for each question as long as the browser's tab.
import { FIRST, nameOf } from "./address.js";
import { fit, live, markLate, show, store, stored } from "./calls.js";
import { copyText } from "./copy.js";
import { showClicked } from "./document.js";
import { handsOn } from "./hands_on.js";

const keyOf = ({ source, task, example }) => `${source} ${task} ${example}`;

/** Return a function of the server. @param {string} name */
const call = (name) => async (/** @type {object} */ fields) => {
  const headers = { "Content-Type": "application/json" };
  return (await fetch(`zs/call/${name}`, { method: "POST", headers, body: JSON.stringify(fields) })).json();
};
const server = { example: call("example"), tryAnswer: call("try_answer"), prompt: call("prompt") };

/** @param {HTMLElement} element @param {any} address */
export function start(element, address) {
  const find = (/** @type {string} */ selector) => element.querySelector(selector);
  const all = (/** @type {string} */ selector) => [...element.querySelectorAll(selector)];
  const box = find("#try-answer textarea"), sample = find("#try-fill"), example = find("#try-example select");
  const menu = find("#try-task"), tasks = find("#try-task > div"), sheet = find("#try-sheet");
  const contents = { asked: find("#try-asked"), sheet, references: find("#try-references"), prompt: find("#try-prompt-text"), choices: example };
  const scores = { card: find("#try-card"), why: find("#try-card-why"), where: find("#try-card-where") };
  const empty = Object.fromEntries(Object.entries(scores).map(([name, part]) => [name, part.innerHTML]));
  const onLost = (/** @type {boolean} */ isLost) => { find(".zs-lost").hidden = !isLost; };
  let question = address.place().try;
  let shown = menu.dataset.first; // the question whose content is shown

  // ---- The examples: those of this page are one file for each task.
  const checked = (/** @type {string} */ id) => find(`#${id} input:checked`).value;
  const form = () => ({ variant: checked("try-variant"), budget: Number(find("#try-budget").value), tokenizer: checked("try-tokens") });
  const asked = () => ({ ...question, ...form() });
  const first = JSON.stringify(form());
  const kept = {};
  const carried = (/** @type {string} */ task) => (kept[task] ??= fetch(`${menu.dataset.examples}${task.replace("/", "-")}.json`).then((reply) => reply.json(), () => []));
  async function contentOf({ source, task, example, ...options }) {
    const isHere = source === FIRST.try.source && JSON.stringify(options) === first;
    return (isHere && (await carried(task))[example]) || server.example({ source, task, example, ...options });
  }
  const load = live(contentOf, ({ error, ...reply }, inputs) => {
    for (const [name, part] of Object.entries(contents)) {
      show(part, name === "sheet" && error ? { error } : { html: reply[name] });
      part.inert = false;
    }
    find("#try-side").hidden = Boolean(reply.unavailable); // there is nothing to answer
    sample.textContent = reply.sample_label ?? sample.textContent;
    if (shown !== keyOf(inputs)) sheet.querySelector(".zs-sheet")?.scrollTo(0, 0);
    shown = keyOf(inputs);
    follow(box.value);
  }, onLost, 1_500, 600_000); // the Hub's examples may have to be downloaded
  function loadOther() {
    for (const part of Object.values(contents)) {
      markLate(part, true);
      part.inert = part !== sheet; // an option of the question before would become the answer to this one
    }
    load(asked());
  }

  // ---- The answer and its score.
  const tried = () => JSON.parse(stored("tried") || "{}");
  function showTried() {
    for (const [task, best] of Object.entries(tried())) find(`#try-task [value="${task}"] + span`)?.setAttribute("data-best", best.toFixed(1));
  }
  const ask = live(server.tryAnswer, ({ error, ...reply }, { task, answer }) => {
    Object.entries(scores).forEach(([name, part]) => show(part, name === "card" && error ? { error } : { html: reply[name] }));
    const score = Number(find("#try-card [data-score]")?.dataset.score ?? NaN);
    if (score >= 0) find(":is([aria-pressed=true], .zs-order)")?.setAttribute("data-points", `${score.toFixed(1)} points`);
    if (!(score >= 0) || answer === stored("filled")) return; // the sample is not the visitor's
    store("tried", JSON.stringify({ ...tried(), [task]: Math.max(score, tried()[task] ?? 0) }));
    showTried();
  }, onLost);
  function typed(text = box.value) {
    box.value = text;
    store(keyOf(question), text);
    follow(text);
    fit([box]);
    all("[data-points]").forEach((made) => made.removeAttribute("data-points"));
    Object.values(scores).forEach((part) => markLate(part, true));
    ask({ ...question, answer: text });
  }
  const follow = handsOn(element, typed);
  const cardOf = async (answer) => (await server.tryAnswer({ ...question, answer })).card;
  let forgetModel = () => {};
  const model = find("#try-ask");
  if (model) {
    model.inert = true; // a click before its script is there would have no effect
    import("./ask.js").then(({ askModel }) => {
      forgetModel = askModel(model, asked, cardOf);
      model.inert = false;
    });
  }
  async function fillSample() {
    const key = keyOf(question), before = box.value, reply = await contentOf(asked());
    if (reply?.sample === undefined || key !== keyOf(question) || before !== box.value) return;
    store("filled", reply.sample);
    typed(reply.sample);
  }
  async function promptText() {
    const reply = await server.prompt(asked());
    if (reply?.text === undefined) throw new Error(reply?.error ?? "no connection to the server");
    return reply.text;
  }

  // ---- The menus and the address.
  const check = (name, value) => all(`[name="${name}"]`).forEach((input) => { input.checked = input.value === String(value); });
  const scrollTasks = () => { tasks.scrollLeft = find("#try-task input:checked").parentElement.offsetLeft - tasks.offsetLeft - 40; }; // on a phone
  function showPlace({ benchmark }) {
    if (tasks.dataset.of !== benchmark) tasks.replaceChildren(find(`template[data-tasks="${benchmark}"]`).content.cloneNode(true));
    tasks.dataset.of = benchmark;
    showTried();
    Object.entries(question).forEach(([name, value]) => check(name, value));
    example.value = question.example;
    scrollTasks();
    const hasVariants = benchmark === Object.keys(address.catalog.benchmarks)[0];
    find("#try-variant").hidden = !hasVariants;
    if (!hasVariants) check("variant", "canonical");
  }
  address.subscribe((after, before) => {
    question = after.try;
    if (keyOf(question) === keyOf(before.try)) return;
    showPlace(after);
    forgetModel();
    all("#try-why, #try-reveal").forEach((details) => { details.open = false; });
    const isSame = after.benchmark !== before.benchmark && nameOf(question.task) === nameOf(before.try.task) && !find("[data-option]");
    if (!isSame || before.try.source !== FIRST.try.source) box.value = stored(keyOf(question));
    Object.entries(scores).forEach(([name, part]) => { part.innerHTML = empty[name]; });
    contents.references.replaceChildren();
    loadOther();
    typed();
  });

  // ---- Clicks and keys.
  element.addEventListener("change", ({ target, target: { name, value } }) => {
    if (name === "task" || name === "source") address.move({ try: { [name]: value } });
    else if (target === example) address.move({ try: { example: Number(value) } });
    else if (name === "variant" || name === "tokenizer") load(asked());
  });
  menu.addEventListener("pointerover", ({ target }) => { // it will be there by the click
    const input = target.closest("label")?.control;
    if (input) carried(input.value);
  });
  element.addEventListener("input", ({ target }) => {
    if (target === box) return typed();
    if (!target.closest("#try-budgets")) return;
    all("#try-budgets input").forEach((input) => { if (input !== target) input.value = target.value; });
    load(asked());
  });
  element.addEventListener("click", (event) => {
    const { target } = event;
    const link = target.closest("a[href^='#']");
    if (target === sample) fillSample();
    else if (target.closest("[data-source]")) address.move({ try: { source: FIRST.try.source } });
    else if (target.closest("#try-copy")) copyText(promptText(), target);
    else if (!link) showClicked(sheet.querySelector(".zs-sheet") ?? sheet, event);
    else {
      event.preventDefault(); // the address is the visitor's place
      find(link.hash).scrollIntoView({ block: "start" });
      find(link.hash).querySelector("textarea, [tabindex]")?.focus({ preventScroll: true });
    }
  });
  find("#try-reveal").addEventListener("toggle", ({ target }) => { // where the reference, or its first words, stand
    if (!target.open || matchMedia("(max-width: 719px)").matches) return;
    (find("#try-references [data-quoted]") ?? find("#try-references .zs-places button"))?.click();
  });

  // ---- The start: what the server has drawn, unless the address or this browser's tab has something else.
  showPlace(address.place());
  new ResizeObserver(scrollTasks).observe(tasks); // the styles may come later
  box.value ||= stored(keyOf(question));
  if (keyOf(question) !== shown) loadOther();
  if (box.value) typed();
}
