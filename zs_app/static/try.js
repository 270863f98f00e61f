// "Try a task": an example, an answer, its score. What is typed is kept for each question as long as the browser's tab.
import { FIRST, nameOf } from "./address.js";
import { UNREACHABLE, fit, live, show, store, stored } from "./calls.js";
import { copyText } from "./copy.js";
import { showClicked } from "./document.js";
import { handsOn } from "./hands_on.js";

const keyOf = ({ source, task, example }) => `${source} ${task} ${example}`;

/** Show a reply in the parts that it names; an error in the `main` one. */
function showAll(/** @type {Record<string, Element>} */ parts, /** @type {string} */ main, { error, ...reply }) {
  Object.entries(parts).forEach(([name, part]) => show(part, name === main && error ? { error } : { html: reply[name] }));
}

export function mount(/** @type {HTMLElement} */ element, server, address) {
  const find = (/** @type {string} */ selector) => element.querySelector(selector);
  const all = (/** @type {string} */ selector) => [...element.querySelectorAll(selector)];
  const box = find("#try-answer textarea"), sample = find("#try-fill"), example = find("#try-example select");
  const menu = find("#try-task"), tasks = find("#try-task > div"), sheet = find("#try-sheet");
  const contents = { asked: find("#try-asked"), sheet, references: find("#try-references"), prompt: find("#try-prompt-text"), choices: example, sample_label: sample };
  const scores = { card: find("#try-card"), why: find("#try-card-why"), where: find("#try-card-where") };
  const empty = Object.fromEntries(Object.entries(scores).map(([name, part]) => [name, part.innerHTML]));
  const markLate = (/** @type {Record<string, Element>} */ parts) => Object.values(parts).forEach((part) => { part.ariaBusy = "true"; });
  const onLost = (/** @type {boolean} */ isLost) => { find(".zs-lost").hidden = !isLost; };
  let question = address.place().try;
  let shown = menu.dataset.first; // the question whose content is shown

  // ---- The examples: those of this page are one file for each task.
  const variant = () => find("#try-variant:not([hidden]) :checked")?.value ?? "canonical";
  const form = () => ({ variant: variant(), budget: Number(find("#try-budget").value), tokenizer: find("[name=tokenizer]:checked").value });
  const asked = () => ({ ...question, ...form() });
  const first = JSON.stringify(form());
  const kept = {};
  const carried = (/** @type {string} */ task) => (kept[task] ??= fetch(`${menu.dataset.examples}${task.replace("/", "-")}.json`).then((reply) => reply.json()).catch(() => []));
  async function contentOf({ source, task, example, ...options }) {
    const isHere = source === FIRST.try.source && JSON.stringify(options) === first;
    return (isHere && (await carried(task))[example]) || server.example({ source, task, example, ...options });
  }
  const load = live(contentOf, (reply, inputs) => {
    const isOther = shown !== keyOf(inputs);
    showAll(contents, "sheet", reply);
    shown = keyOf(inputs);
    if (isOther) typed();
    else follow(box.value);
  }, onLost, 1_500, 600_000); // the Hub's examples may have to be downloaded
  function loadOther() {
    markLate(contents);
    load(asked());
  }

  // ---- The answer and its score.
  const tried = () => JSON.parse(stored("tried") || "{}");
  function showTried() {
    for (const [task, best] of Object.entries(tried())) find(`#try-task [value="${task}"] + span`)?.setAttribute("data-best", best.toFixed(1));
  }
  const ask = live(server.try_answer, (reply, { task, answer }) => {
    showAll(scores, "card", reply);
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
    markLate(scores);
    if (shown === keyOf(question)) ask({ ...question, answer: text }); // else once its content is there
  }
  const follow = handsOn(element, (text) => shown === keyOf(question) && typed(text)); // else it is an option of another question
  let forgetModel = () => {};
  const model = find("#try-ask");
  const scored = (/** @type {string} */ answer) => server.try_answer({ ...question, answer });
  if (model) import("./ask.js").then(({ askModel }) => { forgetModel = askModel(model, asked, scored); });
  async function fillSample() {
    const key = keyOf(question), before = box.value, reply = await contentOf(asked());
    if (reply?.sample === undefined || key !== keyOf(question) || before !== box.value) return;
    store("filled", reply.sample);
    typed(reply.sample);
  }
  async function promptText() {
    const { text, error } = (await server.prompt(asked())) ?? { error: UNREACHABLE };
    if (error) throw new Error(error);
    return text;
  }

  // ---- The menus and the address.
  const scrollTasks = () => { tasks.scrollLeft = find("#try-task input:checked").parentElement.offsetLeft - tasks.offsetLeft - 40; }; // on a phone
  function showPlace({ benchmark }) {
    if (!find(`[name=task][value="${question.task}"]`)) tasks.replaceChildren(find(`template[data-tasks="${benchmark}"]`).content.cloneNode(true));
    showTried();
    all("[name=task], [name=source]").forEach((input) => { input.checked = input.value === question[input.name]; });
    scrollTasks();
    find("#try-variant").hidden = benchmark !== Object.keys(address.catalog.benchmarks)[0];
  }
  address.subscribe((after, before) => {
    question = after.try;
    if (keyOf(question) === keyOf(before.try)) return;
    showPlace(after);
    forgetModel();
    all("#try-why, #try-reveal").forEach((details) => { details.open = false; });
    const isChosen = find("[data-option]") && shown === keyOf(before.try); // else the options are of another question
    const isSame = after.benchmark !== before.benchmark && nameOf(question.task) === nameOf(before.try.task) && !isChosen;
    if (!isSame || before.try.source !== FIRST.try.source) box.value = stored(keyOf(question));
    showAll(scores, "card", empty);
    contents.references.replaceChildren();
    loadOther();
    typed();
  });

  // ---- Clicks and keys.
  element.addEventListener("input", ({ target, target: { name, value } }) => {
    const budgets = target.closest("#try-budgets") ? all("#try-budgets input") : [];
    budgets.forEach((input) => { if (input !== target) input.value = value; });
    if (target === box) typed();
    else if (target === example) address.move({ try: { example: Number(value) } });
    else if (name === "task" || name === "source") address.move({ try: { [name]: value } });
    else if (target.closest("#try-prompt")) load(asked());
  });
  menu.addEventListener("pointerover", ({ target }) => carried(target.closest("label")?.control.value ?? question.task)); // there by the click
  element.addEventListener("click", (event) => {
    const { target } = event, link = target.closest("a[href^='#']");
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
    if (target.open && matchMedia("(min-width: 720px)").matches) find("#try-references button")?.click();
  });

  // ---- The start: what the server has drawn, unless the address or this browser's tab has something else.
  showPlace(address.place());
  new ResizeObserver(scrollTasks).observe(tasks); // the styles may come later
  box.value ||= stored(keyOf(question));
  if (keyOf(question) !== shown) loadOther();
  if (box.value) typed();
}
