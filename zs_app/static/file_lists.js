/** The list of answers, which the server filters and sorts: its form is the query; only the reply to the last is shown. */
import { live, markLate } from "./calls.js";

export class List {
  place = 0; // of the opened answer
  answer = ""; // the opened one, as in `qasper/q1`, while its place is not known
  count = 0; // of the answers that pass
  pattern = "any"; // as in `qasper.refusal`
  order = "score";
  down = undefined; // as the server does first

  /**
   * @param {(query: object) => Promise<object>} ask
   * @param {{form: HTMLFormElement, box: Element, opened: Element}} parts
   * @param {{arrived: (reply: object) => void, lost: (isLost: boolean) => void}} follow
   */
  constructor(ask, parts, follow) {
    Object.assign(this, { ask: live(ask, (reply) => this.arrive(reply), follow.lost), parts, follow });
    parts.form.addEventListener("input", () => this.change({}));
    parts.form.addEventListener("submit", (event) => event.preventDefault());
  }

  /** Change the query: the list begins again, with its first row opened, or the `answer` given. */
  change(changes) {
    Object.assign(this, { answer: "", most: 100 }, changes, { place: 0, isListed: false });
    this.show();
  }

  more() {
    Object.assign(this, { most: this.most + 400, isListed: false });
    this.show();
  }

  sort(order) {
    this.change({ order, down: this.order === order ? !this.down : undefined });
  }

  open(place) {
    Object.assign(this, { answer: "", place: Math.max(0, Math.min(place, this.count - 1)) });
    this.show();
  }

  show() {
    if (!this.result) return;
    const { result, order, down, place, answer, most, pattern, parts } = this;
    [parts.opened, !this.isListed && parts.box].forEach((element) => element && markLate(element, true));
    this.ask({ result, order, down, place, answer, pattern, ...Object.fromEntries(new FormData(parts.form)), ...(!this.isListed && { most }) });
  }

  arrive(reply) {
    const { box, opened } = this.parts;
    [opened, box].forEach((element) => markLate(element, false));
    if (reply.error) return this.follow.arrived(reply);
    opened.innerHTML = reply.opened;
    opened.scrollTo(0, 0);
    Object.assign(this, { count: reply.count, place: reply.place, answer: "" });
    if (reply.list !== undefined) {
      const top = this.most > 100 ? box.querySelector(".zs-list-box")?.scrollTop : 0;
      box.innerHTML = reply.list;
      box.querySelector(".zs-list-box")?.scrollTo(0, top ?? 0);
      Object.assign(this, { isListed: true, order: reply.order, down: reply.down });
    }
    const focused = box.contains(document.activeElement);
    for (const row of box.querySelectorAll("[data-place]")) {
      const isOpened = Number(row.dataset.place) === this.place;
      row.ariaSelected = String(isOpened);
      if (isOpened) this.showRow(row, focused);
    }
    this.follow.arrived(reply);
  }

  /** Scroll the list, never the page, until the row is in view. */
  showRow(row, focused) {
    const list = row.closest(".zs-list-box");
    const [top, end] = [row.offsetTop - list.scrollTop, row.offsetTop + row.offsetHeight - list.scrollTop];
    if (top < row.offsetHeight || end > list.clientHeight) list.scrollTop = row.offsetTop - list.clientHeight / 2;
    if (focused) row.querySelector("button").focus({ preventScroll: true });
  }
}
