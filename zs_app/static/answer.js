// "Score an answer": the boxes begin with a sample of the task, and keep what is typed; the score follows every key.
import { taskOf } from "./address.js";
import { fit, live, markLate, show, store, stored } from "./calls.js";

/** Return whether the texts are still the sample: nothing of the visitor's would be lost by another one. */
export function isSample(/** @type {string[]} */ texts, /** @type {string[]} */ sample) {
  const filled = [texts[0], ...texts.slice(1).filter(Boolean)];
  return filled.length === sample.length && filled.every((text, i) => text === sample[i]);
}

/** @param {HTMLElement} element @param {any} server @param {any} address */
export function mount(element, server, address) {
  const find = (/** @type {string} */ selector) => element.querySelector(selector);
  const all = (/** @type {string} */ selector) => [...element.querySelectorAll(selector)];
  const card = find("#answer-card"), menu = find("#answer-task select"), more = find("#answer-add");
  const boxes = () => all("#answer-text textarea, .zs-reference:not([hidden]) textarea");
  const texts = () => boxes().map((box) => box.value);
  let task = menu.value; // drawn by the server, whatever the address names
  let { sample } = taskOf(address.catalog, menu.dataset.benchmark, task);

  /** Show an answer and its references, in one box each. */
  function setTexts(/** @type {string[]} */ values) {
    all(".zs-reference").forEach((row, i) => { row.hidden = i > 0 && i > values.length - 2; });
    all("textarea").forEach((box, i) => { box.value = values[i] ?? ""; });
    more.disabled = !find(".zs-reference[hidden]");
  }

  const ask = live(server.score, (reply) => show(card, reply), (isLost) => { find(".zs-lost").hidden = !isLost; });
  function changed() {
    store("answer", isSample(texts(), sample) && boxes().length < 3 ? "" : JSON.stringify(texts()));
    markLate(card, true);
    fit(boxes());
    const [answer, ...references] = texts();
    ask({ task, answer, references });
  }

  function follow(/** @type {any} */ { benchmark, answer }) {
    if (menu.dataset.benchmark !== benchmark) menu.replaceChildren(...address.catalog.benchmarks[benchmark].map(({ scored, value }) => new Option(scored, value)));
    menu.dataset.benchmark = benchmark;
    menu.value = answer.task;
    if (answer.task === task) return;
    task = answer.task;
    const isUntouched = isSample(texts(), sample);
    ({ sample } = taskOf(address.catalog, benchmark, task));
    if (isUntouched) boxes().forEach((box, i) => { box.value = sample[i] ?? ""; });
    changed();
  }

  menu.addEventListener("change", () => address.move({ answer: { task: menu.value } }));
  element.addEventListener("input", ({ target }) => target.matches("textarea") && changed());
  element.addEventListener("click", ({ target }) => {
    if (target.id === "answer-clear") setTexts(["", ""]);
    else if (target.matches(".zs-remove")) setTexts(texts().toSpliced(all(".zs-remove").indexOf(target), 1));
    else if (target === more) setTexts([...texts(), ""]);
    else return;
    boxes().at(texts()[0] ? -1 : 0).focus();
    changed();
  });
  const kept = isSample(texts(), sample) && stored("answer"); // something may have been typed before this script came
  if (kept) setTexts(JSON.parse(kept));
  address.subscribe(follow);
  follow(address.place());
  if (kept) changed();
}
