// Calls of server functions, whose late replies are dropped; jobs; and texts that outlast the page.

const sleep = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

/**
 * Return a function that asks the server for the newest inputs and shows the reply to these only.
 *
 * At most two calls are under way; of the inputs that wait only the newest are sent. A call without a reply (Gradio
 * resolves it with `undefined`), or with none in time, is repeated until it gets one or is outdated.
 * @template Inputs, Reply
 * @param {(inputs: Inputs) => Promise<Reply | undefined>} call
 * @param {(reply: Reply, inputs: Inputs) => void} show
 * @param {(lost: boolean) => void} onLost told when the connection is lost, and when it is back
 * @param {number} pause milliseconds before a call is repeated, doubled each time
 * @param {number} most milliseconds that a reply may take
 */
export function live(call, show, onLost = () => {}, pause = 1_500, most = 20_000) {
  let newest = 0, busy = 0, waiting = null, lost = false;
  async function send(inputs, number, wait = pause) {
    busy += 1;
    const reply = await Promise.race([call(inputs), sleep(most)]).catch(() => undefined);
    busy -= 1;
    if (lost !== (reply === undefined)) onLost((lost = !lost));
    if (number === newest && reply !== undefined) show(reply, inputs);
    else if (number === newest) setTimeout(() => number === newest && send(inputs, number, 2 * wait), wait);
    if (!waiting || busy > 1) return;
    const next = waiting;
    waiting = null;
    send(next, newest);
  }
  return (/** @type {Inputs} */ inputs) => {
    newest += 1;
    if (busy < 2) send(inputs, newest);
    else waiting = inputs;
  };
}

/**
 * Wait for a job of the server; a lost connection is waited for, since the job goes on.
 * @param {{progress: Function, outcome: Function}} server its functions; a call that does not reach it gives undefined
 * @param {{progress: (fraction: number, message: string) => void, lost: (isLost: boolean) => void}} show
 * @returns what `outcome` gives, or `{error}`
 */
export async function follow(server, /** @type {string} */ id, show, wait = sleep) {
  const reached = async (call) => {
    for (let pause = 500; ; pause = Math.min(2 * pause, 5_000)) {
      const reply = await call({ job_id: id });
      show.lost(reply === undefined);
      if (reply !== undefined) return reply;
      await wait(pause);
    }
  };
  for (;;) {
    const job = await reached(server.progress);
    if (job.state === "done") return reached(server.outcome);
    if (!["waiting", "running"].includes(job.state)) return { error: job.message ?? job.error };
    show.progress(job.fraction, job.state === "waiting" && job.place ? `waiting, ${job.place} before this one` : job.message);
  }
}

/** Return what is stored under that name in this tab of the browser, else "". @param {string} name */
export function stored(name) {
  try { return sessionStorage.getItem(`zs ${name}`) ?? ""; } catch { return ""; }
}

/** Store a text until this tab of the browser is closed. */
export function store(/** @type {string} */ name, /** @type {string} */ text) {
  try { sessionStorage.setItem(`zs ${name}`, text); } catch { /* full or not allowed: the text lasts until the page is left */ }
}

/** Mark an element whose content is for earlier inputs, or no longer. */
export function markLate(/** @type {Element} */ element, /** @type {boolean} */ late) {
  element.classList.toggle("zs-late", late);
  element.ariaBusy = late ? "true" : null;
}

/** Show a reply in an element: HTML that the server has rendered and escaped, or an error as plain text. */
export function show(/** @type {Element} */ element, /** @type {{ html?: string, error?: string }} */ { html = "", error }) {
  const notice = { className: "zs-notice zs-error", role: "alert", textContent: error };
  if (error === undefined) element.innerHTML = html;
  else element.replaceChildren(Object.assign(document.createElement("p"), notice));
  markLate(element, false);
}
