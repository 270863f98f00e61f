// "Score an answer": the boxes begin with a sample of the task, and keep what is typed; the score follows every key.
import { fit, live, show, store, stored } from "./calls.js";

export function mount(/** @type {HTMLElement} */ element, server, address) {
  const find = (/** @type {string} */ selector) => element.querySelector(selector);
  const all = (/** @type {string} */ selector) => [...element.querySelectorAll(selector)];
  const card = find("#answer-card"), menu = find("#answer-task select"), more = find("#answer-add");
  const boxes = () => all("#answer-text textarea, .zs-reference:not([hidden]) textarea");
  const texts = () => boxes().map((box) => box.value);
  let task = menu.value; // drawn by the server, whatever the address names
  let own = stored("answer"); // the visitor's texts, "" as long as the boxes hold a sample

  /** Show an answer and its references, in one box each. */
  function setTexts(/** @type {string[]} */ values) {
    all(".zs-reference").forEach((row, i) => { row.hidden = i > 0 && i > values.length - 2; });
    all("textarea").forEach((box, i) => { box.value = values[i] ?? ""; });
  }

  const ask = live(server.score, (reply) => show(card, reply), (isLost) => { find(".zs-lost").hidden = !isLost; });
  function score() {
    card.ariaBusy = "true";
    fit(boxes());
    const [answer, ...references] = texts();
    ask({ task, answer, references });
  }
  function typed() {
    store("answer", own = JSON.stringify(texts()));
    score();
  }

  function follow(/** @type {any} */ { benchmark, answer }) {
    const tasks = address.catalog.benchmarks[benchmark];
    menu.value = answer.task;
    if (!menu.value) menu.replaceChildren(...tasks.map(({ scored, value }) => new Option(scored, value, false, value === answer.task)));
    if (answer.task === task) return;
    task = answer.task;
    if (!own) setTexts(tasks.find(({ value }) => value === task).sample);
    score();
  }

  menu.addEventListener("change", () => address.move({ answer: { task: menu.value } }));
  element.addEventListener("input", ({ target }) => target.matches("textarea") && typed());
  element.addEventListener("click", ({ target }) => {
    if (target.id === "answer-clear") setTexts(["", ""]);
    else if (target.matches(".zs-remove")) setTexts(texts().toSpliced(all(".zs-remove").indexOf(target), 1));
    else if (target === more) setTexts([...texts(), ""]);
    else return;
    boxes().at(texts()[0] ? -1 : 0).focus();
    typed();
  });
  if (own) setTexts(JSON.parse(own));
  address.subscribe(follow);
  follow(address.place());
  if (own) score();
}
