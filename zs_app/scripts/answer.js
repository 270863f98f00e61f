// "Score an answer": the boxes begin with a sample of the task, and keep what is typed.
(() => {
  "use strict";
  const zs = window.zs;
  const MOST = 8;
  const ids = ["answer-text", ...Array.from({ length: MOST }, (_, i) => `answer-reference-${i + 1}`)];
  const padded = (texts) => [...texts, ...Array(MOST + 1).fill("")].slice(0, MOST + 1);
  let rows = 1;
  let sample = window.zsSamples.qasper;

  // The new values of the boxes and of their rows, in the order of `boxes` in score_answer.py.
  function boxes(texts, shown) {
    rows = Math.min(Math.max(shown, 1), MOST);
    const visible = Array.from({ length: MOST }, (_, i) => zs.set({ visible: i < rows }));
    return [...padded(texts), ...visible, zs.set({ interactive: rows < MOST })];
  }

  const keep = () => Array(2 * MOST + 2).fill(zs.KEEP);
  const texts = () => padded(ids.slice(0, rows + 1).map(zs.typed));

  function save(given) {
    const touched = JSON.stringify(given) !== JSON.stringify(padded(sample));
    zs.store("answer", touched ? JSON.stringify({ texts: given, rows }) : "");
  }
  addEventListener("input", (event) => event.target.closest(ids.map((id) => `#${id}`).join()) && save(texts()));

  // The boxes after another task was chosen: its sample, unless the texts were edited.
  zs.sampleOf = (task, ...given) => {
    const untouched = JSON.stringify(given) === JSON.stringify(padded(sample));
    sample = window.zsSamples[task];
    if (untouched) return boxes(sample, rows);
    return keep();
  };

  function changed(given, shown) {
    const values = boxes(given, shown);
    save(padded(given));
    return values;
  }
  zs.addReference = (...given) => changed(given, rows + 1);
  zs.removeReference = (place, ...given) => changed(given.toSpliced(place + 1, 1), rows - 1);

  zs.restoreAnswer = () => {
    const kept = JSON.parse(zs.stored("answer") || "null");
    const task = zs.place().answerTask;
    sample = window.zsSamples[task];
    if (kept) return boxes(kept.texts, kept.rows);
    return task === "qasper" ? keep() : boxes(sample, 1);
  };
})();
