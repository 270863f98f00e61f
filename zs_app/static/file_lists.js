/** The list of answers, which the server filters and sorts: its form is the query; only the reply to the last is shown. */
import { live, markLate, show } from "./calls.js";

/**
 * @param {(query: object) => Promise<object>} call
 * @param {{form: HTMLFormElement, box: Element, opened: Element}} parts
 * @param {(answer: string) => void} arrived told which answer is opened, as in `qasper/q1`
 * @param {(isLost: boolean) => void} lost
 */
export function answerList(call, { form, box, opened }, arrived, lost) {
  const query = { most: 100 };
  let count = 0; // of the answers that pass
  let isListed = false;

  function ask(changes) {
    Object.assign(query, { answer: "" }, changes);
    [opened, !isListed && box].forEach((element) => element && markLate(element, true));
    const { most, ...rest } = query;
    if (query.result) send({ ...rest, ...Object.fromEntries(new FormData(form)), ...(!isListed && { most }) });
  }

  const send = live(call, (reply) => {
    markLate(box, false);
    if (reply.error) return show(opened, reply);
    show(opened, { html: reply.opened });
    opened.scrollTo(0, 0);
    ({ count } = reply);
    Object.assign(query, { place: reply.place, answer: "" });
    if (reply.list !== undefined) {
      const top = query.most > 100 ? box.querySelector(".zs-list-box")?.scrollTop : 0;
      box.innerHTML = reply.list;
      box.querySelector(".zs-list-box")?.scrollTo(0, top ?? 0);
      Object.assign(query, { order: reply.order, down: reply.down });
      isListed = true;
    }
    for (const row of box.querySelectorAll("[data-place]")) row.ariaSelected = String(Number(row.dataset.place) === query.place);
    const row = box.querySelector("[aria-selected=true]");
    if (row) showRow(row);
    return arrived(reply.answer);
  }, lost);

  /** Scroll the list, never the page, until the row is in view. */
  function showRow(row) {
    const list = row.closest(".zs-list-box");
    const [top, end] = [row.offsetTop - list.scrollTop, row.offsetTop + row.offsetHeight - list.scrollTop];
    if (top < row.offsetHeight || end > list.clientHeight) list.scrollTop = row.offsetTop - list.clientHeight / 2;
    if (box.contains(document.activeElement)) row.querySelector("button").focus({ preventScroll: true });
  }

  /** Change the query: the list begins again, with its first row opened, or the `answer` given. */
  function change(changes) {
    isListed = false;
    ask({ most: 100, place: 0, ...changes });
  }

  const open = (/** @type {number} */ place) => ask({ place: Math.max(0, Math.min(place, count - 1)) });
  form.addEventListener("input", () => change());
  form.addEventListener("submit", (event) => event.preventDefault());
  return {
    change,
    sort: (order) => change({ order, down: query.order === order ? !query.down : undefined }),
    more() {
      isListed = false;
      ask({ most: query.most + 400 });
    },
    open,
    step: (by) => open(query.place + by),
  };
}
