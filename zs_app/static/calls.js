// Calls of server functions, whose late replies are dropped; jobs; and texts that outlast the page.

export const UNREACHABLE = "The server could not be reached. What you entered is still here: try again.";
const sleep = (/** @type {number} */ milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });
const MOST = 4; // calls under way; with two, the last letter typed far from the server waited for the reply to an earlier one

/**
 * Return a function that asks the server for the newest inputs and shows the reply to these only.
 *
 * Of the inputs that wait for a call to end only the newest are sent. A call without a reply (Gradio resolves it with
 * `undefined`) within `most` milliseconds is repeated until it is outdated, after a `pause` that doubles, up to half a
 * minute. `onLost` is told when the connection is lost, and when it is back.
 */
export function live(call, show, onLost = () => {}, pause = 1_500, most = 20_000) {
  let newest = 0, busy = 0, waiting = [], isLost = false;
  async function send(inputs, number, wait = pause) {
    busy += 1;
    const reply = await Promise.race([call(inputs), sleep(most)]).catch(() => undefined);
    busy -= 1;
    if (number === newest && isLost !== (reply === undefined)) onLost((isLost = !isLost));
    if (number === newest && reply !== undefined) show(reply, inputs);
    else if (number === newest) setTimeout(() => number === newest && send(inputs, number, Math.min(2 * wait, 30_000)), wait);
    if (busy < MOST) waiting.splice(0).forEach((next) => send(next, newest));
  }
  return (inputs) => {
    newest += 1;
    if (busy < MOST) send(inputs, newest);
    else waiting = [inputs];
  };
}

/** Return what the job of a reply has made, or `{error}`; a lost connection is waited for, since the job goes on. */
export async function follow(server, reply, show, wait = sleep) {
  while (reply?.job) {
    const job = await server.progress({ job_id: reply.job });
    show.lost(!job);
    if (!job) await wait(2_000);
    else if (job.state === "done") return job.made;
    else if (!["waiting", "running"].includes(job.state)) return { error: job.message ?? job.error };
    else show.progress(job.fraction, job.state === "waiting" && job.place ? `waiting, ${job.place} before this one` : job.message);
  }
  return reply ?? { error: UNREACHABLE };
}

/** Return what is stored under that name in this tab of the browser, else "". */
export function stored(/** @type {string} */ name) {
  try { return sessionStorage.getItem(`zs ${name}`) ?? ""; } catch { return ""; }
}

/** Store a text until this tab of the browser is closed. */
export function store(/** @type {string} */ name, /** @type {string} */ text) {
  try { sessionStorage.setItem(`zs ${name}`, text); } catch { /* full or not allowed: the text lasts until the page is left */ }
}

/** Give boxes a row for each of their lines, as `field-sizing` does in newer browsers. */
export function fit(/** @type {HTMLTextAreaElement[]} */ boxes) {
  if (CSS.supports("field-sizing", "content")) return;
  for (const box of boxes) box.rows = Math.min(12, box.value.split("\n").reduce((rows, line) => rows + 1 + Math.floor(line.length / 60), 1));
}

let spoken = 0; // the timer of the score that screen readers say next

/** Show a reply in an element: HTML that the server has rendered and escaped, or an error as plain text. */
export function show(/** @type {Element} */ element, /** @type {{ html?: string, error?: string }} */ { html = "", error }) {
  element.innerHTML = error === undefined ? html : '<p class="zs-notice zs-error" role="alert"></p>';
  if (error !== undefined) element.firstChild.textContent = error;
  element.ariaBusy = "false";
  const scores = [...element.querySelectorAll(".zs-brief")].map((line) => line.textContent).join("; ");
  if (!scores) return;
  clearTimeout(spoken);
  spoken = setTimeout(() => { document.getElementById("zs-spoken").textContent = scores; }, 700); // of the keys of a word the last one
}
