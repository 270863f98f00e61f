// "Results": the numbers of a row, the charts of the rows shown, and their export.
(() => {
  "use strict";
  const zs = window.zs;
  const MOST_BARS = 12; // in a group, besides the visitor's own and the chosen rows
  const YARDSTICKS = { naive: ["low", "naive baseline"], "no document": ["low", "without the document"], human: ["high", "human"] };
  const lines = (body) => [...body.querySelectorAll("tr[data-row]")];
  const nameOf = (line) => line.cells[0].querySelector("button").textContent;
  const number = (cell) => (cell.dataset.value ? Number(cell.dataset.value) : null);

  function value(line, column) {
    if (column === 0) return nameOf(line).toLowerCase();
    return line.cells[column].matches(".apart") ? null : number(line.cells[column]);
  }

  zs.resultOf = value;

  // ---- The charts of the rows shown, one per group.

  const tag = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  function bar(line, column, marks) {
    const cell = line.cells[column];
    const points = number(cell);
    const track = tag("p", {}, tag("b", { style: `width:${points}%` }));
    marks.forEach(([kind, , at]) => track.append(tag("i", { className: kind, style: `left:${at}%` })));
    const { low, high } = cell.dataset;
    if (low) track.append(tag("i", { className: "error", style: `left:${low}%;width:${Math.max(high - low, 0.2)}%` }));
    track.append(tag("em", { className: "value", style: `left:${Math.max(points, high ?? 0)}%`, textContent: points.toFixed(1) }));
    return tag("div", { className: "own" in line.dataset ? "zs-bar ours" : "zs-bar" }, tag("span", { textContent: barName(line) }), track);
  }

  function barName(line) {
    const twice = lines(line.parentElement).filter((other) => nameOf(other) === nameOf(line)).length > 1;
    const { tokens } = line.dataset;
    return twice && tokens ? `${nameOf(line)}, ${Number(tokens).toLocaleString("en")}` : nameOf(line);
  }

  function figure(body, column, picked) {
    const drawn = lines(body).filter((line) => !line.hidden && value(line, column) !== null);
    const marks = drawn.filter((line) => YARDSTICKS[line.dataset.kind]).map((line) => [...YARDSTICKS[line.dataset.kind], value(line, column)]);
    const ranked = drawn.filter((line) => !("yardstick" in line.dataset)).sort((a, b) => value(b, column) - value(a, column));
    const few = ranked.filter((line, i) => i < MOST_BARS || "own" in line.dataset || picked.has(line.dataset.row));
    if (!few.length) return "";
    const title = body.querySelector(".zs-group b").textContent;
    const words = few.map((line) => `${barName(line)} ${value(line, column).toFixed(1)}`).join(", ");
    const scale = tag("p", {}, ...[0, 25, 50, 75, 100].map((at) => tag("span", { style: `left:${at}%`, textContent: at })));
    const bars = tag("div", { className: "zs-bars", role: "img", ariaLabel: `${title}: ${words}` },
      ...few.map((line) => bar(line, column, marks)), tag("div", { className: "zs-ticks" }, scale));
    const rest = few.length < ranked.length ? ` · the best ${few.length} of ${ranked.length}` : "";
    const key = [...new Set(marks.map(([, name]) => name))].map((name) => {
      const same = marks.filter((mark) => mark[1] === name);
      return tag("li", {}, tag("i", { className: same[0][0] }), `${name} ${same.map((mark) => mark[2].toFixed(1)).join(", ")}`);
    });
    return tag("figure", { className: "zs-chart" }, tag("h4", { textContent: title + rest }), bars, tag("ul", {}, ...key));
  }

  // Draw a column of the rows shown.
  zs.drawResults = (table, column, picked) => {
    const head = table.tHead.rows[0].cells[column];
    zs.find("#results-explorer [data-focus]").textContent = head.textContent;
    zs.find("#results-chart").replaceChildren(...[...table.tBodies].map((body) => figure(body, column, picked)));
    document.querySelectorAll("#results-lengths [data-lengths]").forEach((one) => {
      one.hidden = one.dataset.lengths !== head.dataset.column;
    });
  };

  // ---- Export the rows shown, as the server formatted them.

  zs.saveResults = (table, format) => {
    const [above, below] = JSON.parse(table.dataset.export)[format];
    const shown = [...table.tBodies].flatMap(lines).filter((line) => !line.hidden);
    const text = above + shown.map((line) => JSON.parse(line.dataset.export)[format]).join("") + below;
    const link = tag("a", { download: `${table.dataset.results}-results.${format}` });
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
})();
