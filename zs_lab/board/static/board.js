// "Board": the leaderboard, the form to submit to it, and the submitter's own entries.
import { follow, live, show, store, stored } from "./calls.js";
import { sideOf, withFiles } from "./uploads.js";

const UNREACHABLE = "The server could not be reached. Nothing was submitted, and the form is as it was: try again.";
const LOST = "The connection is lost. The server goes on; its answer appears here once the connection is back.";

/** @param {HTMLElement} element @param {any} server @param {any} address @param {(file: File) => Promise<{path: string}>} upload */
export function mount(element, server, address, upload) {
  const find = (selector) => element.querySelector(selector);
  const form = find("#board-form"), status = find("#board-status"), question = find("#board-question"), own = find("#board-own");
  const sides = {};
  let isBusy = false;
  let edits = 0; // of the form and its files; a question is about them as they were
  function edited() {
    edits += 1;
    question.hidden = true;
  }
  for (const name of ["predictions", "run"]) {
    sides[name] = sideOf(find(`#board-${name}`), upload, () => {
      edited();
      if (sides[name].error) show(status, sides[name]);
    });
  }
  const code = () => form.code?.value ?? "";

  const say = (text) => { status.textContent = text; };
  const refresh = live(server.leaderboard, (reply) => {
    if (reply.error) return show(find("#board-table"), reply);
    const isOpen = find("#board-head details").open;
    find("#board-head").innerHTML = reply.head;
    find("#board-head details").open = isOpen;
    show(find("#board-table"), { html: reply.table });
  }, (isLost) => { find("#board-table").ariaBusy = isLost; });
  const load = () => refresh({ by: find("#board-by").value });

  /** Show the submitter's entries, after the withdrawal of one. */
  async function look(withdraw = null) {
    show(own, (await server.own_entries({ code: code(), withdraw })) ?? { error: UNREACHABLE });
    if (withdraw !== null) load();
  }

  async function start(act) {
    if (isBusy) return;
    isBusy = question.hidden = true;
    say("…");
    const { system, link, note } = Object.fromEntries(new FormData(form));
    const reply = await withFiles(Object.values(sides), () => {
      const given = { predictions: sides.predictions.paths(), run: sides.run.paths()[0] ?? null, system, link, note };
      return server.start({ act, upload: given, code: code() });
    });
    if (act === "submit" && reply?.job) store("board job", reply.job); // its answer is shown also after a reload
    if (reply?.job) await wait(reply.job, edits);
    else show(status, reply ?? { error: UNREACHABLE });
    isBusy = false;
  }

  async function wait(job, asked = edits) {
    const made = await follow(server, { job }, { progress: (_, text) => say(text), lost: (isLost) => isLost && say(LOST) });
    store("board job", "");
    show(status, made);
    question.hidden = !made.ask || asked !== edits;
    if (made.ask && question.hidden) say("The form was changed meanwhile; send it again.");
    if (!made.accepted) return;
    ["system", "link", "note"].forEach((name) => { form[name].value = ""; });
    Object.values(sides).forEach((side) => side.choose([]));
    load();
    look();
  }

  const actions = {
    send: () => start("ask"),
    check: () => start("check"),
    confirm: () => start("submit"),
    cancel: () => { question.hidden = true; say(own.dataset.cancelled); },
    look: () => look(),
  };
  element.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-board]"), entry = target.closest("[data-withdraw]")?.dataset.withdraw;
    if (button) actions[button.dataset.board](button);
    else if (entry && confirm(own.dataset.sure)) look(Number(entry));
  });
  element.addEventListener("input", ({ target }) => { if (target.form === form) edited(); });
  element.addEventListener("change", ({ target }) => {
    if (target.id === "board-by") load();
  });
  address.subscribe((place) => { if (place.tab === "board") load(); });
  if (address.place().tab === "board") load(); // the page may have been kept since an older board
  const job = stored("board job");
  if (job) {
    find("#board-submit").open = true;
    isBusy = true;
    wait(job).finally(() => { isBusy = false; });
  }
}
