// "Score an answer": the boxes begin with a sample of the task, and keep what is typed; the score follows every key.
import { taskOf } from "./address.js";
import { live, markLate, show, store, stored } from "./calls.js";

const MOST = 8; // references

/** Return whether the texts are still the sample: nothing of the visitor's would be lost by another one. */
export function isSample(/** @type {string[]} */ texts, /** @type {string[]} */ sample) {
  const filled = [texts[0], ...texts.slice(1).filter(Boolean)];
  return filled.length === sample.length && filled.every((text, i) => text === sample[i]);
}

/** @param {HTMLElement} element @param {any} server @param {any} address */
export function mount(element, server, address) {
  const find = (/** @type {string} */ selector) => element.querySelector(selector);
  const all = (/** @type {string} */ selector) => [...element.querySelectorAll(selector)];
  const card = find("#answer-card"), menu = find("#answer-task select"), more = find("#answer-add"), note = find("#answer-sample");
  const boxes = () => all("textarea");
  const texts = () => boxes().map((box) => box.value);
  const { catalog } = address;
  let task = menu.value; // drawn by the server, whatever the address names
  let { sample } = taskOf(catalog, menu.dataset.benchmark, task);

  /** Show an answer and its references, as boxes: at least one, at most eight. */
  function setTexts(/** @type {string[]} */ [answer, ...references]) {
    const [first, ...rows] = all(".zs-reference");
    rows.forEach((row) => row.remove());
    for (let i = 2; i <= Math.min(references.length, MOST); i++) {
      const row = first.cloneNode(true);
      row.innerHTML = row.innerHTML.replaceAll("Reference 1", `Reference ${i}`).replaceAll("reference 1", `reference ${i}`);
      row.id = `answer-reference-${i}`;
      more.before(row);
    }
    more.disabled = references.length >= MOST;
    boxes().forEach((box, i) => { box.value = [answer, ...references][i] ?? ""; });
  }

  const ask = live(server.score, (reply) => show(card, reply), (isLost) => { find(".zs-lost").hidden = !isLost; });
  function changed() {
    note.hidden = !isSample(texts(), sample);
    store("answer", !note.hidden && boxes().length === 2 ? "" : JSON.stringify(texts()));
    markLate(card, true);
    const [answer, ...references] = texts();
    ask({ task, answer, references });
  }

  function follow(/** @type {any} */ place) {
    if (menu.dataset.benchmark !== place.benchmark) menu.replaceChildren(...catalog.benchmarks[place.benchmark].map((one) => new Option(one.scored, one.value)));
    menu.dataset.benchmark = place.benchmark;
    menu.value = place.answerTask;
    if (place.answerTask === task) return;
    task = place.answerTask;
    const untouched = isSample(texts(), sample);
    sample = taskOf(catalog, place.benchmark, task).sample;
    if (untouched) boxes().forEach((box, i) => { box.value = sample[i] ?? ""; });
    changed();
  }

  menu.addEventListener("change", () => address.move({ answerTask: menu.value }));
  element.addEventListener("input", (event) => event.target.matches("textarea") && changed());
  element.addEventListener("click", ({ target }) => {
    if (target.matches(".zs-remove")) setTexts(texts().toSpliced(all(".zs-remove").indexOf(target) + 1, 1));
    else if (target === more) setTexts([...texts(), ""]);
    else if (target.closest("#answer-sample button")) setTexts(["", ""]);
    else return;
    (texts()[0] ? boxes().at(-1) : boxes()[0]).focus();
    changed();
  });
  const kept = isSample(texts(), sample) && stored("answer"); // something may have been typed before this script came
  if (kept) setTexts(JSON.parse(kept));
  note.hidden = !isSample(texts(), sample);
  address.subscribe(follow);
  follow(address.place());
  if (kept) changed();
}
