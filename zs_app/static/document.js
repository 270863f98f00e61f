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

/** Return where two words, the first of that number from 0, stand in a text: the start of the first, the end of the last. */
export function wordsAt(/** @type {string} */ text, /** @type {number} */ first) {
  const words = [...text.matchAll(/\S+/g)].slice(first, first + 2);
  return words.length ? [words[0].index, words.at(-1).index + words.at(-1)[0].length] : null;
}

/** Return the place after this one, in turn. */
export const nextOf = (/** @type {number[]} */ places, /** @type {number} */ place) => places.find((other) => other > place) ?? places[0];

/** Show what was clicked: on a strip the nearest place, below it the next one, beside a reference the reference itself. */
export function showClicked(/** @type {HTMLElement} */ sheet, /** @type {MouseEvent & { target: Element }} */ { target, clientX }) {
  const text = sheet.querySelector(".zs-part.document .zs-text")?.firstChild;
  const strip = target.closest(".zs-places"), drawn = target.closest("[role=img]"), quoted = target.closest("[data-quoted]")?.dataset.quoted;
  if (!text || !(quoted || (strip && (drawn || target.closest("button"))))) return;
  if (quoted) {
    const start = text.textContent.toLowerCase().indexOf(quoted.toLowerCase());
    if (start >= 0) showRange(sheet, text, [start, start + quoted.length]); // else it was cut
    return;
  }
  const places = strip.dataset.places.split(",").map(Number);
  strip.place = nextOf(places, strip.place ?? -1);
  if (drawn) {
    const { left, width } = drawn.getBoundingClientRect();
    const word = ((clientX - left) / width) * (strip.dataset.words - 1);
    strip.place = places.reduce((a, b) => (Math.abs(b - word) < Math.abs(a - word) ? b : a));
  }
  const range = wordsAt(text.textContent, strip.place);
  if (range) showRange(sheet, text, range);
}
