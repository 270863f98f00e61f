// "Score a file": the lists of answers and of compared questions. A form is a query that the server answers; the reply
// says which query it answers.
(() => {
  "use strict";
  const zs = window.zs;
  const { find } = zs;
  const file = zs.file;
  const read = (text) => JSON.parse(text || "null");

  // A list: its form, the hidden box of its query, its place, and its initial order.
  function lookup(form, box, place, { order, down, step, further }) {
    const state = { order, down, most: step, place: 0 };
    const area = () => find(`${box} :is(textarea, input)`);
    const values = () => {
      const data = Object.fromEntries(new FormData(find(form)));
      ["low", "high"].forEach((name) => name in data && (data[name] = data[name] === "" ? null : Number(data[name])));
      return { ...data, order: state.order, down: state.down, most: state.most };
    };
    const wanted = () => JSON.stringify([file.shown?.result, values()]);
    const listed = () => read(find(`${place} [data-query]`)?.dataset.query);
    // Each change has its own number: when a filter is changed and set back, the list still shown may be replaced by a
    // late reply to the first change.
    let number = 0;
    let last = "";
    const key = () => `${number} ${last}`;

    function ask() {
      if (!file.shown) return;
      if (last !== wanted()) [number, last] = [number + 1, wanted()];
      const query = { result: file.shown.result, ...values(), place: state.place, key: key(), list: listed() !== key() };
      const text = JSON.stringify(query);
      if (area().value === text) return;
      area().value = text;
      area().dispatchEvent(new Event("input", { bubbles: true }));
      state.mark();
    }

    const change = (changes) => { Object.assign(state, changes); ask(); };
    return Object.assign(state, {
      ask,
      first: () => change({ place: 0, most: step }),
      changed: () => change({ place: 0 }),
      more: () => change({ most: state.most + further }),
      sort: (name) => change({ place: 0, order: name, down: state.order === name ? !state.down : /score|difference/.test(name) }),
      isAsked: (query) => query === area().value,
      task: (name) => {
        const menu = find(`${form} [name=task]`);
        if (name) menu.value = menu.value === name ? "any" : name;
        return menu?.value;
      },
      mark() {
        if (find(`${place} [data-query]`)) zs.mark(find(place), listed() !== key());
        document.querySelectorAll(`${place} [data-order]`).forEach((button) => {
          const head = button.closest("th");
          if (button.dataset.order === state.order) head.ariaSort = state.down ? "descending" : "ascending";
          else head.removeAttribute("aria-sort");
        });
      },
    });
  }

  const answers = lookup("#file-form", "#file-query", "#file-answers", { order: "score", down: false, step: 100, further: 400 });
  const questions = lookup("#compare-form", "#compare-query", "#compare-questions", { order: "difference", down: true, step: 10, further: 40 });

  // Mark the opened answer, its row, and the task of the filter.
  function markOpened() {
    const opened = find("#file-opened [data-query]");
    if (opened) zs.mark(find("#file-opened"), !answers.isAsked(opened.dataset.query));
    document.querySelectorAll("#file-answers [data-place]").forEach((row) => {
      row.ariaSelected = String(Number(row.dataset.place) === answers.place);
    });
    const task = answers.task();
    document.querySelectorAll("#per-task [data-task]").forEach((row) => {
      const on = row.dataset.task === task;
      row.classList.toggle("chosen", on);
      const button = row.querySelector("[data-file=task]");
      if (button && button.ariaPressed !== String(on)) button.ariaPressed = String(on);
    });
  }

  // Open the answer at a place of the list.
  function open(place) {
    const count = Number(/([\d,]+)/.exec(find("#file-found")?.textContent ?? "0")[1].replaceAll(",", ""));
    answers.place = Math.min(Math.max(place, 0), Math.max(count - 1, 0));
    answers.ask();
    find(`#file-answers [data-place="${answers.place}"]`)?.scrollIntoView({ block: "nearest" });
  }

  function fillTasks(form) {
    const menu = find(`${form} [name=task]`);
    const rows = [...document.querySelectorAll("#per-task [data-task]")];
    const before = menu.value;
    menu.replaceChildren(menu.options[0], ...rows.map((row) => new Option(row.dataset.title, row.dataset.task)));
    menu.value = rows.some((row) => row.dataset.task === before) ? before : "any";
  }

  // The lists of a new report.
  function begin({ names: [first, second], questions: compared }) {
    ["#file-form", "#compare-form"].forEach(fillTasks);
    document.querySelectorAll("#compare-form [data-text]").forEach((one) => {
      one.textContent = one.dataset.text.replaceAll("{first}", first ?? "A").replaceAll("{second}", second ?? "B");
    });
    answers.first();
    if (compared) questions.ask();
  }

  const listOf = (target) => (target.closest?.("#file-form") ? answers : target.closest?.("#compare-form") ? questions : null);
  addEventListener("input", (event) => listOf(event.target)?.changed());
  addEventListener("submit", (event) => listOf(event.target) && event.preventDefault());

  Object.assign(file, { answers, questions, begin, open, markLists: () => { answers.mark(); questions.mark(); markOpened(); } });
})();
