// "Ask a model": the prompt of the example goes to the owner's model, and its answer arrives as it is written.
import { show } from "./calls.js";

/** Yield the objects of a stream of events. @param {ReadableStream<Uint8Array>} body */
async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const events = (rest + part.value).split("\n\n");
    rest = events.pop();
    for (const event of events) yield JSON.parse(event.slice("data: ".length));
  }
}

/**
 * @param {HTMLElement} element
 * @param {() => object} question the example that is shown
 * @param {(answer: string) => Promise<{card: string}>} score the reply about an answer to it
 * @returns {() => void} a function that forgets the answer, for another example
 */
export function askModel(element, question, score) {
  const find = (/** @type {string} */ selector) => element.querySelector(selector);
  const button = find("button"), model = find("input"), answer = find("pre"), notes = find("[data-notes]"), card = find("[data-card]");
  let newest = 0, stop = new AbortController();
  function forget() {
    stop.abort(); // else the server would go on, and refuse the next question
    stop = new AbortController();
    [answer, notes, card].forEach((part) => part.replaceChildren());
    button.disabled = false;
    newest += 1;
    return newest;
  }
  async function ask(number) {
    const headers = { "Content-Type": "application/json" };
    const reply = await fetch("zs/ask", { method: "POST", headers, signal: stop.signal, body: JSON.stringify({ ...question(), model: model?.value }) });
    if (!reply.ok) throw new Error((await reply.json()).error);
    for await (const event of eventsOf(reply.body)) {
      if (number !== newest) return;
      if (event.error) throw new Error(event.error);
      if (event.notes) notes.innerHTML = event.notes;
      answer.textContent += event.text ?? "";
      if (event.answer === undefined) continue;
      answer.textContent = event.answer || "(an empty answer)";
      const scored = await score(event.answer);
      if (number === newest) show(card, { html: scored.card });
    }
  }
  model?.addEventListener("focus", async () => { // the choices, which take a moment
    const names = await fetch("zs/models").then((reply) => reply.json(), () => []);
    find("datalist").replaceChildren(...names.map((/** @type {string} */ name) => new Option("", name)));
  }, { once: true });
  button.addEventListener("click", async () => {
    const number = forget();
    button.disabled = true;
    const error = await ask(number).then(() => undefined, ({ message }) => message || "The connection was lost; ask again.");
    if (number !== newest) return;
    if (error) show(card, { error });
    button.disabled = false;
  });
  element.inert = false; // a click before this would have no effect
  return forget;
}
