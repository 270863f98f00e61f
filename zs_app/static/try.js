// "Try a task": an example, an answer, its score. What is typed is kept for each question as long as the browser's tab.
import { nameOf, taskOf } from "./address.js";
import { inTime, live, markLate, show, store, stored } from "./calls.js";
import { askModel } from "./ask.js";
import { copyText } from "./copy.js";
import { showClicked } from "./document.js";
import { handsOn } from "./hands_on.js";

const MOST_KEPT = 40;
const keyOf = (place) => `${place.source} ${place.task} ${place.example}`;
const questionOf = (place) => ({ source: place.source, task: place.task, example: place.example });

/** Return a function of the server. @param {string} name */
const call = (name) => async (/** @type {object} */ fields) => {
  const headers = { "Content-Type": "application/json" };
  return (await fetch(`zs/call/${name}`, { method: "POST", headers, body: JSON.stringify(fields) })).json();
};
const server = { example: call("example"), tryAnswer: call("try_answer"), prompt: call("prompt") };

/** @param {HTMLElement} element @param {any} address */
export function start(element, address) {
  const find = (/** @type {string} */ selector) => element.querySelector(selector);
  const box = find("#try-answer textarea"), sample = find("#try-fill"), intro = find("#try-intro"), lost = find(".zs-lost");
  const contents = ["#try-asked", "#try-sheet", "#try-references"].map(find);
  const scores = ["#try-card", "#try-card-why", "#try-card-where"].map(find);
  const empty = scores.map((one) => one.innerHTML);
  const checked = (/** @type {string} */ id) => find(`#${id} input:checked`).value;
  const form = () => ({ variant: checked("try-variant"), budget: Number(find("#try-budget").value), tokenizer: checked("try-tokens") });
  let place = address.place();

  // ---- The examples, each asked for once.
  const first = form();
  const carried = fetch(find("[data-examples]").dataset.examples, { priority: "low" }).then((reply) => reply.json(), () => ({}));
  const replies = new Map();
  async function contentOf(inputs) {
    const key = JSON.stringify(inputs);
    const isWhole = inputs.source === "embedded" && Object.entries(first).every(([name, value]) => inputs[name] === value);
    const here = isWhole && (await carried)[`${inputs.task} ${inputs.example}`];
    if (here) return here;
    if (replies.size > MOST_KEPT) replies.clear();
    if (!replies.has(key)) replies.set(key, server.example(inputs));
    const reply = await replies.get(key);
    if (!reply || reply.error || reply.unavailable) replies.delete(key);
    return reply;
  }
  const onLost = (/** @type {boolean} */ is) => (lost.hidden = !is);
  const load = live(contentOf, (reply, inputs) => {
    const [asked, sheet, references] = contents;
    show(sheet, reply.error ? reply : { html: reply.sheet });
    show(asked, { html: reply.asked ?? "" });
    asked.inert = false;
    find("#try-side").hidden = Boolean(reply.unavailable); // there is nothing to answer
    show(references, { html: reply.references ?? "" });
    find("#try-length").innerHTML = reply.notes ?? "";
    sample.textContent = reply.sample_label ?? sample.textContent;
    if (reply.choices) setExamples(reply.choices, inputs.example);
    if (shown !== keyOf(inputs)) sheet.querySelector(".zs-sheet")?.scrollTo(0, 0);
    shown = keyOf(inputs);
    follow(box.value);
  }, onLost);
  const loadShown = () => load({ ...questionOf(place), ...form() });
  function loadOther() {
    contents.forEach((one) => markLate(one, true));
    contents[0].inert = true; // an option of the question before would become the answer to this one
    loadShown();
  }
  let shown = element.querySelector("[data-first]").dataset.first; // the question whose content is shown

  // ---- The answer and its score.
  const follow = handsOn(contents[0], setText);
  const tried = () => JSON.parse(stored("tried") || "{}");
  function showTried() {
    const best = tried(), values = address.catalog.benchmarks[place.benchmark].map((task) => task.value);
    element.querySelectorAll("#try-task input").forEach((one) => {
      if (one.value in best) one.parentElement.dataset.best = best[one.value].toFixed(1);
    });
    const count = values.filter((value) => value in best).length;
    find("#try-progress").textContent = count ? `${count} of ${values.length} tasks tried; your best score stands beside each.` : "";
  }
  const ask = live((inputs) => inTime(server.tryAnswer(inputs)), (reply, { task, answer }) => {
    show(scores[0], reply.error ? reply : { html: reply.card });
    const score = Number(find("#try-card [data-score]")?.dataset.score ?? NaN);
    if (score >= 0 && answer !== stored("filled")) {
      store("tried", JSON.stringify({ ...tried(), [task]: Math.max(score, tried()[task] ?? 0) }));
      showTried();
    }
    show(scores[1], { html: reply.why ?? "" });
    show(scores[2], { html: reply.where ?? "" });
  }, onLost);
  const cardOf = async (answer) => (await server.tryAnswer({ ...questionOf(place), answer })).card;
  const forgetModel = find("#try-ask") ? askModel(find("#try-ask"), () => ({ ...questionOf(place), ...form() }), cardOf) : () => {};
  function typed() {
    store(keyOf(place), box.value);
    follow(box.value);
    scores.forEach((one) => markLate(one, true));
    ask({ ...questionOf(place), answer: box.value });
  }
  function setText(/** @type {string} */ text) {
    box.value = text;
    typed();
  }
  async function fillSample() {
    const asked = keyOf(place), before = box.value;
    const reply = await contentOf({ ...questionOf(place), ...form() });
    if (reply?.sample !== undefined && asked === keyOf(place) && before === box.value) {
      store("filled", reply.sample); // which is not the visitor's
      setText(reply.sample);
    }
  }

  // ---- The menus and the address.
  function setExamples(/** @type {string[]} */ titles, /** @type {number} */ chosen) {
    const choices = titles.map((title, i) => {
      const input = Object.assign(document.createElement("input"), { type: "radio", name: "example", value: i, checked: i === chosen });
      const label = document.createElement("label");
      label.append(input, title);
      return label;
    });
    const menu = find("#try-example");
    menu.replaceChildren(menu.firstElementChild, ...choices);
  }
  function scrollTasks() { // on a phone they scroll
    const tasks = find("#try-task > div");
    tasks.scrollLeft = find("#try-task input:checked").parentElement.offsetLeft - tasks.offsetLeft - 40;
  }
  const check = (name, value) => element.querySelectorAll(`[name="${name}"]`).forEach((one) => (one.checked = one.value === String(value)));
  function showPlace(/** @type {any} */ before) {
    const tasks = find("#try-task > div");
    if (tasks.dataset.of !== place.benchmark) {
      tasks.replaceChildren(find(`template[data-tasks="${place.benchmark}"]`).content.cloneNode(true));
      tasks.dataset.of = place.benchmark;
    }
    showTried();
    check("task", place.task);
    check("source", place.source);
    scrollTasks();
    const { examples } = taskOf(address.catalog, place.benchmark, place.task);
    const changed = place.task !== before?.task || place.source !== before?.source;
    if (changed) setExamples(place.source === "embedded" ? examples : ["…"], place.example);
    check("example", place.example);
    const hasVariants = place.benchmark === Object.keys(address.catalog.benchmarks)[0];
    find("#try-variant").hidden = !hasVariants;
    if (!hasVariants) check("variant", "canonical");
  }
  address.subscribe((after, before) => {
    place = after;
    showPlace(before);
    if (keyOf(after) === keyOf(before)) return;
    intro.open = false;
    forgetModel();
    element.querySelectorAll("#try-why, #try-reveal").forEach((one) => (one.open = false));
    const same = after.benchmark !== before.benchmark && nameOf(after.task) === nameOf(before.task);
    if (!same || before.source !== "embedded") box.value = stored(keyOf(after));
    scores.forEach((one, i) => (one.innerHTML = empty[i]));
    contents[2].replaceChildren();
    loadOther();
    typed();
  });

  find("#try-reveal").addEventListener("toggle", ({ target }) => { // where the reference, or its first words, stand
    if (!target.open || matchMedia("(max-width: 719px)").matches) return;
    (find("#try-references [data-quoted]") ?? find("#try-references .zs-places button"))?.click();
  });
  element.addEventListener("change", ({ target }) => {
    if (target.name === "task") address.move({ task: target.value });
    else if (target.name === "source") address.move({ source: target.value });
    else if (target.name === "example") address.move({ example: Number(target.value) });
    else if (target.name === "variant" || target.name === "tokenizer") loadShown();
  });
  element.addEventListener("input", ({ target }) => {
    if (target === box) typed();
    else if (target.closest("#try-budgets")) {
      element.querySelectorAll("#try-budgets input").forEach((one) => one !== target && (one.value = target.value));
      loadShown();
    }
  });
  element.addEventListener("click", (event) => {
    const { target } = event;
    const link = target.closest("a[href^='#']");
    if (target === sample) fillSample();
    else if (target.closest("[data-source]")) address.move({ source: "embedded" });
    else if (target.closest("[data-shorten]")) intro.dataset.shortened = "";
    else if (target.closest("#try-copy")) {
      const prompt = server.prompt({ ...questionOf(place), ...form() }).then((reply) => {
        if (reply?.text === undefined) throw new Error(reply?.error ?? "no connection to the server");
        return reply.text;
      });
      copyText(prompt, target);
    } else if (link) {
      event.preventDefault();
      find(link.getAttribute("href")).scrollIntoView({ block: "start" });
      find(link.getAttribute("href")).querySelector("textarea, [tabindex]")?.focus({ preventScroll: true });
    } else showClicked(find(".zs-sheet"), event);
  });

  // ---- The start: what the server has drawn, unless the address or this browser's tab has something else.
  showPlace(undefined);
  new ResizeObserver(scrollTasks).observe(find("#try-task > div")); // the styles may come later
  box.value = box.value || stored(keyOf(place));
  intro.open = keyOf(place) === shown && !box.value && address.place().tab === "try";
  if (keyOf(place) !== shown) loadOther();
  if (box.value) typed();
}
