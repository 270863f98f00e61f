// Tables with `data-sortable` are sorted by a click on a heading: numbers by `data-value`, texts as shown.
(() => {
  "use strict";
  const value = (row, column, kind) => {
    const cell = row.cells[column];
    if (kind === "text") return cell?.textContent.trim() ?? "";
    const text = cell?.dataset.value ?? cell?.textContent.trim() ?? "";
    return text === "" || Number.isNaN(Number(text)) ? null : Number(text);
  };
  // Rows in the order of their values; those without one come last.
  window.zs.sorted = (rows, valueOf, up) => rows.map((row) => [valueOf(row), row]).sort(([a], [b]) => {
    if (a === null || b === null) return (a === null) - (b === null);
    const order = typeof a === "string" ? a.localeCompare(b, undefined, { numeric: true }) : a - b;
    return up ? order : -order;
  }).map(([, row]) => row);

  function sort(table, head) {
    const column = [...head.parentElement.cells].indexOf(head);
    const kind = head.dataset.sort;
    const up = head.ariaSort ? head.ariaSort !== "ascending" : kind === "text";
    const body = table.tBodies[0];
    body.append(...window.zs.sorted([...body.rows], (row) => value(row, column, kind), up));
    [...head.parentElement.cells].forEach((one) => one.removeAttribute("aria-sort"));
    head.ariaSort = up ? "ascending" : "descending";
  }

  function prepare() {
    document.querySelectorAll("table[data-sortable] th[data-sort]:not(:has(button))").forEach((head) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
    });
  }
  addEventListener("click", (event) => {
    const head = event.target.closest("table[data-sortable] thead th[data-sort]");
    if (head) sort(head.closest("table"), head);
  });
  window.zs.watch(prepare);
})();
