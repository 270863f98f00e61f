// Answers made by hand: options to click, a slider, cards to order. The text box shows what they write, and stays the truth.

/** Return the ids that a text orders, `null` unless it names each of 1 to `count` once. */
export function orderFrom(/** @type {string} */ text, /** @type {number} */ count) {
  const ids = (text.match(/\d+/g) ?? []).map(Number);
  return ids.length === count && new Set(ids).size === count && ids.every((id) => id >= 1 && id <= count) ? ids : null;
}

/** Return the first percentage of a text, `null` if it has none from 0 to 100. */
export function percentFrom(/** @type {string} */ text) {
  const number = Number(/(\d+(?:\.\d+)?)%/.exec(text)?.[1] ?? NaN);
  return number <= 100 ? number : null;
}

/** Call `write` with each answer made by hand in `element`, and return a function that shows the answer of the text box. */
export function handsOn(/** @type {HTMLElement} */ element, /** @type {(text: string) => void} */ write) {
  const cards = () => [...element.querySelectorAll(".zs-order > li")];
  const order = () => cards().map((card) => card.dataset.id).join(", ");
  let dragged = null, isMoved = false;

  element.addEventListener("click", (event) => {
    const { target } = event;
    if (isMoved) event.preventDefault(); // the end of a drag unfolds nothing
    isMoved = false;
    const option = target.closest("[data-option]"), button = target.closest("[data-step]"), card = button?.closest("li");
    if (option) write(option.dataset.option);
    if (!button) return;
    if (button.dataset.step < 0) card.previousElementSibling?.before(card);
    else card.nextElementSibling?.after(card);
    write(order());
    button.focus();
  });
  element.addEventListener("input", ({ target }) => target.matches(".zs-slider input") && write(`${target.value}%`));

  element.addEventListener("pointerdown", ({ target, pointerType }) => {
    const isGrip = pointerType === "mouse" ? !target.closest("button") : target.closest(".zs-order b"); // a finger scrolls elsewhere
    dragged = isGrip ? target.closest(".zs-order li") : null;
    isMoved = false;
  });
  document.addEventListener("pointermove", ({ clientX, clientY }) => {
    const card = dragged && document.elementFromPoint(clientX, clientY)?.closest(".zs-order li");
    if (!card || card === dragged) return;
    const { top, height } = card.getBoundingClientRect();
    if (clientY < top + height / 2) card.before(dragged);
    else card.after(dragged);
    isMoved = true;
  });
  ["pointerup", "pointercancel"].forEach((type) => document.addEventListener(type, () => {
    if (dragged && isMoved) write(order());
    dragged = null;
  }));

  return (text) => {
    element.querySelectorAll("[data-option]").forEach((option) => { option.ariaPressed = String(option.dataset.option === text); });
    const slider = element.querySelector(".zs-slider input"), ids = orderFrom(text, cards().length), percent = percentFrom(text);
    if (slider) slider.value = String(percent ?? 0);
    slider?.classList.toggle("zs-unset", percent === null);
    const byId = Object.fromEntries(cards().map((card) => [card.dataset.id, card]));
    if (ids && ids.join(", ") !== order()) element.querySelector(".zs-order").append(...ids.map((id) => byId[id]));
  };
}
