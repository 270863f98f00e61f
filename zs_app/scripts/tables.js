// Tables with `data-sortable` are sorted by a click on a head; numbers by `data-value`, texts as they are shown.
(() => {
  "use strict";
  const value = (row, column, kind) => {
    const cell = row.cells[column];
    if (kind === "text") return cell?.textContent.trim() ?? "";
    const text = cell?.dataset.value ?? cell?.textContent.trim() ?? "";
    return text === "" || Number.isNaN(Number(text)) ? null : Number(text);
  };
  const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b, undefined, { numeric: true }) : a - b);

  function sort(table, head) {
    const column = [...head.parentElement.cells].indexOf(head);
    const kind = head.dataset.sort;
    const up = head.ariaSort ? head.ariaSort !== "ascending" : kind === "text";
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [value(row, column, kind), row]);
    // What has no number stays at the end.
    rows.sort(([a], [b]) => (a === null || b === null ? (a === null) - (b === null) : up ? compare(a, b) : compare(b, a)));
    body.append(...rows.map(([, row]) => row));
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
