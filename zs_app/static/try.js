// "Try a task": an example, an answer, its score. What is typed is kept for each question as long as the browser's tab.
import { nameOf } from "./address.js";
import { askModel } from "./ask.js";
import { live, markLate, show, store, stored } from "./calls.js";
import { copyText } from "./copy.js";
import { showClicked } from "./document.js";
import { handsOn } from "./hands_on.js";

const MOST_KEPT = 40; // replies
const questionOf = ({ source, task, example }) => ({ source, task, example });
const keyOf = (place) => `${place.source} ${place.task} ${place.example}`;

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
  const box = find("#try-answer textarea"), sample = find("#try-fill"), intro = find("#try-intro"), lost = find(".zs-lost");
  const menus = find(".zs-menus"), tasks = find("#try-task > div"), sheet = find("#try-sheet");
  const contents = { asked: find("#try-asked"), sheet, references: find("#try-references"), notes: find("#try-length"), choices: find("#try-example > div") };
  const scores = { card: find("#try-card"), why: find("#try-card-why"), where: find("#try-card-where") };
  const empty = Object.fromEntries(Object.entries(scores).map(([name, one]) => [name, one.innerHTML]));
  const onLost = (/** @type {boolean} */ isLost) => { lost.hidden = !isLost; };
  let place = address.place();
  let shown = menus.dataset.first; // the question whose content is shown

  // ---- The examples, each asked for once.
  const checked = (/** @type {string} */ id) => find(`#${id} input:checked`).value;
  const form = () => ({ variant: checked("try-variant"), budget: Number(find("#try-budget").value), tokenizer: checked("try-tokens") });
  const asked = () => ({ ...questionOf(place), ...form() });
  const first = JSON.stringify(form());
  const carried = fetch(menus.dataset.examples, { priority: "low" }).then((reply) => reply.json(), () => ({}));
  const replies = new Map();
  async function contentOf({ source, task, example, ...options }) {
    const here = source === "embedded" && JSON.stringify(options) === first && (await carried)[`${task} ${example}`];
    if (here) return here;
    const inputs = { source, task, example, ...options }, key = JSON.stringify(inputs);
    if (replies.size > MOST_KEPT) replies.clear();
    if (!replies.has(key)) replies.set(key, server.example(inputs));
    const reply = await replies.get(key);
    if (!reply || reply.error || reply.unavailable) replies.delete(key);
    return reply;
  }
  const load = live(contentOf, ({ error, ...reply }, inputs) => {
    for (const [name, one] of Object.entries(contents)) {
      show(one, name === "sheet" && error ? { error } : { html: reply[name] });
      one.inert = false;
    }
    find("#try-side").hidden = Boolean(reply.unavailable); // there is nothing to answer
    sample.textContent = reply.sample_label ?? sample.textContent;
    check("example", inputs.example);
    if (shown !== keyOf(inputs)) sheet.querySelector(".zs-sheet")?.scrollTo(0, 0);
    shown = keyOf(inputs);
    follow(box.value);
  }, onLost, 1_500, 600_000); // the Hub's examples may have to be downloaded
  function loadOther() {
    for (const one of Object.values(contents)) {
      markLate(one, true);
      one.inert = one !== sheet; // an option of the question before would become the answer to this one
    }
    load(asked());
  }

  // ---- The answer and its score.
  const tried = () => JSON.parse(stored("tried") || "{}");
  function showTried() {
    const best = tried(), values = address.catalog.benchmarks[place.benchmark].map((task) => task.value);
    all("#try-task input").filter((one) => one.value in best).forEach((one) => { one.parentElement.dataset.best = best[one.value].toFixed(1); });
    const count = values.filter((value) => value in best).length;
    find("#try-progress").textContent = count ? `${count} of ${values.length} tasks tried; your best score stands beside each.` : "";
  }
  const ask = live(server.tryAnswer, ({ error, ...reply }, { task, answer }) => {
    Object.entries(scores).forEach(([name, one]) => show(one, name === "card" && error ? { error } : { html: reply[name] }));
    const score = Number(find("#try-card [data-score]")?.dataset.score ?? NaN);
    if (!(score >= 0) || answer === stored("filled")) return; // the sample is not the visitor's
    store("tried", JSON.stringify({ ...tried(), [task]: Math.max(score, tried()[task] ?? 0) }));
    showTried();
  }, onLost);
  function typed() {
    store(keyOf(place), box.value);
    follow(box.value);
    Object.values(scores).forEach((one) => markLate(one, true));
    ask({ ...questionOf(place), answer: box.value });
  }
  function setText(/** @type {string} */ text) {
    box.value = text;
    typed();
  }
  const follow = handsOn(contents.asked, setText);
  const cardOf = async (answer) => (await server.tryAnswer({ ...questionOf(place), answer })).card;
  const forgetModel = find("#try-ask") ? askModel(find("#try-ask"), asked, cardOf) : () => {};
  async function fillSample() {
    const question = keyOf(place), before = box.value;
    const reply = await contentOf(asked());
    if (reply?.sample === undefined || question !== keyOf(place) || before !== box.value) return;
    store("filled", reply.sample);
    setText(reply.sample);
  }

  // ---- The menus and the address.
  const check = (name, value) => all(`[name="${name}"]`).forEach((one) => { one.checked = one.value === String(value); });
  function scrollTasks() { // on a phone they scroll
    tasks.scrollLeft = find("#try-task input:checked").parentElement.offsetLeft - tasks.offsetLeft - 40;
  }
  function showPlace() {
    if (tasks.dataset.of !== place.benchmark) tasks.replaceChildren(find(`template[data-tasks="${place.benchmark}"]`).content.cloneNode(true));
    tasks.dataset.of = place.benchmark;
    showTried();
    ["task", "source", "example"].forEach((name) => check(name, place[name]));
    scrollTasks();
    const hasVariants = place.benchmark === Object.keys(address.catalog.benchmarks)[0];
    find("#try-variant").hidden = !hasVariants;
    if (!hasVariants) check("variant", "canonical");
  }
  address.subscribe((after, before) => {
    place = after;
    showPlace();
    if (keyOf(after) === keyOf(before)) return;
    intro.open = false;
    forgetModel();
    all("#try-why, #try-reveal").forEach((one) => { one.open = false; });
    const isSame = after.benchmark !== before.benchmark && nameOf(after.task) === nameOf(before.task);
    if (!isSame || before.source !== "embedded") box.value = stored(keyOf(after));
    Object.entries(scores).forEach(([name, one]) => { one.innerHTML = empty[name]; });
    contents.references.replaceChildren();
    loadOther();
    typed();
  });

  async function promptText() {
    const reply = await server.prompt(asked());
    if (reply?.text === undefined) throw new Error(reply?.error ?? "no connection to the server");
    return reply.text;
  }
  function goTo(target) {
    target.scrollIntoView({ block: "start" });
    target.querySelector("textarea, [tabindex]")?.focus({ preventScroll: true });
  }
  find("#try-reveal").addEventListener("toggle", ({ target }) => { // where the reference, or its first words, stand
    if (!target.open || matchMedia("(max-width: 719px)").matches) return;
    (find("#try-references [data-quoted]") ?? find("#try-references .zs-places button"))?.click();
  });
  element.addEventListener("change", ({ target: { name, value } }) => {
    if (name === "task" || name === "source") address.move({ [name]: value });
    else if (name === "example") address.move({ example: Number(value) });
    else if (name === "variant" || name === "tokenizer") load(asked());
  });
  element.addEventListener("input", ({ target }) => {
    if (target === box) return typed();
    if (!target.closest("#try-budgets")) return;
    all("#try-budgets input").filter((one) => one !== target).forEach((one) => { one.value = target.value; });
    load(asked());
  });
  element.addEventListener("click", (event) => {
    const { target } = event;
    const link = target.closest("a[href^='#']");
    if (target === sample) fillSample();
    else if (target.closest("[data-source]")) address.move({ source: "embedded" });
    else if (target.closest("[data-shorten]")) intro.dataset.shortened = "";
    else if (target.closest("#try-copy")) copyText(promptText(), target);
    else if (!link) return showClicked(find(".zs-sheet"), event);
    else {
      event.preventDefault();
      goTo(find(link.getAttribute("href")));
    }
  });

  // ---- The start: what the server has drawn, unless the address or this browser's tab has something else.
  showPlace();
  new ResizeObserver(scrollTasks).observe(tasks); // the styles may come later
  box.value ||= stored(keyOf(place));
  intro.open = keyOf(place) === shown && !box.value && address.place().tab === "try";
  if (keyOf(place) !== shown) loadOther();
  if (box.value) typed();
}
