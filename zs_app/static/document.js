// Places in the document of "Try a task": where words of an answer or a reference stand.

/** Scroll the sheet to a range of the document's text, counted in characters, and highlight it. */
function showRange(/** @type {HTMLElement} */ sheet, /** @type {Node} */ text, /** @type {number[]} */ [start, end]) {
  const range = document.createRange();
  range.setStart(text, start);
  range.setEnd(text, end);
  if (matchMedia("(max-width: 719px)").matches) sheet.scrollIntoView({ block: "start" });
  const { top, bottom } = sheet.getBoundingClientRect();
  const first = Math.max(top, 0), last = Math.min(bottom, innerHeight); // of the part of the sheet that is in the window
  sheet.scrollBy({ top: range.getBoundingClientRect().top - first - (last - first) / 3 });
  CSS.highlights?.set("zs-place", new Highlight(range));
}

/** Return where words, the first of that number from 0, stand in a text: the start of the first, the end of the last. */
export function wordsAt(/** @type {string} */ text, /** @type {number} */ first, count = 2) {
  const words = [...text.matchAll(/\S+/g)].slice(first, first + count);
  return words.length ? [words[0].index, words.at(-1).index + words.at(-1)[0].length] : null;
}

/** Show what was clicked: on a strip the nearest place, by a button the next one. */
export function showClicked(/** @type {HTMLElement} */ sheet, /** @type {MouseEvent & { target: Element }} */ { target, clientX }) {
  const text = sheet.querySelector(".zs-part.document .zs-text")?.firstChild;
  const found = target.closest("[data-places]"), drawn = target.closest("[role=img]");
  if (!text || !found || !target.closest("[role=img], button")) return;
  const places = found.dataset.places.split(",").map(Number);
  found.place = places.find((place) => place > found.place) ?? places[0];
  if (drawn) {
    const { left, width } = drawn.getBoundingClientRect();
    const word = ((clientX - left) / width) * (found.dataset.words - 1);
    found.place = places.reduce((a, b) => (Math.abs(b - word) < Math.abs(a - word) ? b : a));
  }
  const range = wordsAt(text.textContent, found.place, Number(found.dataset.count ?? 2));
  if (range) showRange(sheet, text, range); // else it was cut
}
