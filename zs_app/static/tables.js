/** Tables with `data-sortable` are sorted by a click on a heading: numbers by `data-value`, texts as shown. */

/** Return pairs of a value and a row in the order of the values; those without one (null) come last. */
export function sorted(pairs, up) {
  const valued = pairs.filter(([value]) => value !== null);
  valued.sort(([a], [b]) => (typeof a === "string" ? a.localeCompare(b, undefined, { numeric: true }) : a - b));
  return [...(up ? valued : valued.reverse()), ...pairs.filter(([value]) => value === null)];
}

/** Sort by the heading that was clicked, if one was. */
export function sortBy(/** @type {Element} */ target) {
  const head = target.closest("table[data-sortable] thead th[data-sort]");
  if (!head) return;
  const isText = head.dataset.sort === "text", up = head.ariaSort ? head.ariaSort !== "ascending" : isText;
  const valueOf = ({ dataset, textContent }) => (isText ? textContent.trim() : dataset.value ? Number(dataset.value) : null);
  const body = head.closest("table").tBodies[0];
  const pairs = [...body.rows].map((row) => [valueOf(row.cells[head.cellIndex]), row]);
  body.append(...sorted(pairs, up).map(([, row]) => row));
  [...head.parentElement.cells].forEach((other) => other.removeAttribute("aria-sort"));
  head.ariaSort = up ? "ascending" : "descending";
}
