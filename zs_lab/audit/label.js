/** The labelling page: one answer at a time, one key each. Labels are kept in this browser, and on disk where served. */
const data = JSON.parse(document.getElementById("data").textContent);
const find = (id) => document.getElementById(id);
const served = location.protocol === "http:";
const keyOf = ({ id, answer }) => JSON.stringify([id, answer]);
const VERDICTS = { 1: "right", 2: "wrong", 3: "cannot tell" };

let annotator = "";
let cards = data.cards; // fewer for a second annotator
let labels = new Map(); // by card, in the order in which they were given
let unsaved = new Map(); // those that are not on disk yet; null for one that was undone
let since = 0; // when the card was shown
let sending = false;

const left = () => cards.filter((card) => !labels.has(keyOf(card)));
const trouble = (text) => { find("trouble").textContent = text; };
const asLines = (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const request = (name, options) => fetch(`${name}?annotator=${encodeURIComponent(annotator)}`, options).catch(() => null);

// ---- What is kept

const kept = (name) => {
  try { return JSON.parse(localStorage.getItem(`zs audit ${data.sample} ${name}`)); } catch { return null; }
};
const keep = (name, value) => {
  try { localStorage.setItem(`zs audit ${data.sample} ${name}`, JSON.stringify(value)); } catch {
    trouble("This browser keeps nothing: save the labels as a file before you close the page.");
  }
};

function remember() {
  keep("annotator", { annotator, most: cards.length });
  keep(`labels ${annotator}`, { labels: [...labels], unsaved: [...unsaved] });
}

function change(key, label) {
  labels.delete(key);
  if (label) labels.set(key, label);
  if (served) unsaved.set(key, label);
  remember();
  send();
  show();
}

async function send() {
  if (!served || sending || !unsaved.size) return;
  sending = true;
  const sent = [...unsaved];
  const undone = sent.filter(([, label]) => !label).map(([key]) => JSON.parse(key));
  const body = JSON.stringify({ labels: asLines(sent.map(([, label]) => label).filter(Boolean)), undone });
  const reply = await request("labels", { method: "POST", body });
  sending = false;
  if (!reply?.ok) {
    trouble(`Not on disk yet, but kept in this browser: ${reply ? await reply.text() : "is zero-scrolls audit label still running?"}`);
    setTimeout(send, 2000);
    return;
  }
  sent.forEach(([key, label]) => { if (unsaved.get(key) === label) unsaved.delete(key); });
  remember();
  trouble("");
  if (!unsaved.size && !left().length) finish();
  send();
}

// ---- What is shown

const fill = (place, tag, texts) => place.replaceChildren(
  ...texts.map((textContent) => Object.assign(document.createElement(tag), { textContent, className: "text" })));

function show() {
  const [open, most] = [left(), cards.length];
  const [card, done] = [open[0], most - open.length];
  const now = data.widths[done - 1];
  const goal = now && [20, 15, 12, 10, 9, 8, 7, 6, 5, 4, 3].find((points) => points < Math.floor(now));
  const more = goal ? data.widths.findIndex((half) => half <= goal) + 1 - done : 0;
  find("start").hidden = true;
  find("label").hidden = false;
  find("card").hidden = find("bar").hidden = !card;
  find("done").hidden = Boolean(card);
  find("undo").disabled = !labels.size;
  find("place").textContent = card ? `${done + 1} of ${most}` : `${most} of ${most} labelled`;
  find("width").textContent = now === undefined ? "" : `about ±${now.toFixed(0)} points by now${more > 0 ? `; about ${more} more for ±${goal}` : ""}`;
  Object.assign(find("progress"), { max: most, value: done });
  if (!card) return finish();
  look(false);
  find("question").textContent = card.question ?? "The question is not at hand: the sample was drawn from references alone.";
  find("references-title").textContent = card.references.length === 1 ? "Reference" : `${card.references.length} references, any of which will do`;
  fill(find("references"), "li", card.references);
  find("prediction").textContent = card.prediction.trim() || "(an empty answer)";
  scrollTo(0, 0);
  find("card").focus({ preventScroll: true });
  since = performance.now();
}

function look(open = find("passages").hidden) {
  find("passages").hidden = !open;
  find("look").ariaExpanded = String(open);
  if (!open) return;
  const { passages } = left()[0];
  fill(find("passages").lastElementChild, "blockquote", passages.length ? passages : ["The document is not at hand: draw the sample with --source to have it here."]);
  find("passages").scrollIntoView({ block: "nearest" });
}

function finish() {
  const counts = Object.values(VERDICTS).map((verdict) => `${[...labels.values()].filter((label) => label.verdict === verdict).length} ${verdict}`);
  const onDisk = unsaved.size ? "Some labels are not yet on disk; leave this page open." : "All labels are saved beside the sample.";
  find("done-text").textContent = `${counts.join(", ")}. ${served ? onDisk
    : "Save the labels as a file and give it to whoever drew the sample: with zero-scrolls, into the folder of sample.json; on the page, under “Check a sample by hand”."}`;
  find("report").hidden = !served || cards.length < data.cards.length;
  find("done").focus();
}

// ---- What is done

function judge(verdict) {
  const [card] = left();
  if (!card) return;
  const { task, seed, version } = data;
  const seconds = Math.round((performance.now() - since) / 100) / 10;
  change(keyOf(card), { id: card.id, task, answer: card.answer, verdict, annotator, seconds, seed, version });
}

function undo() {
  const shown = new Set(cards.map(keyOf));
  const last = [...labels.keys()].filter((key) => shown.has(key)).pop();
  if (last) change(last, null);
}

async function begin(name, few) {
  annotator = name;
  cards = data.cards.slice(0, few ? data.second : undefined);
  const before = kept(`labels ${name}`) ?? { labels: [], unsaved: [] };
  [labels, unsaved] = [new Map(before.labels), new Map(before.unsaved)];
  const reply = served && await request("labels");
  if (reply?.ok) {
    const keys = new Set(data.cards.map(keyOf));
    const rows = (await reply.text()).split("\n").filter(Boolean).map((line) => JSON.parse(line));
    const onDisk = new Map(rows.map((label) => [keyOf(label), label]).filter(([key]) => keys.has(key)));
    labels.forEach((label, key) => { if (!onDisk.has(key)) unsaved.set(key, label); });
    labels = new Map([...onDisk].filter(([key]) => unsaved.get(key) !== null).concat([...labels]));
  }
  remember();
  send();
  show();
}

find("start").addEventListener("submit", (event) => {
  event.preventDefault();
  begin(find("annotator").value.trim() || "annotator", find("few").checked);
});
for (const id of ["undo", "back"]) find(id).addEventListener("click", undo);
find("look").addEventListener("click", () => look());
document.querySelectorAll("[data-verdict]").forEach((button) => button.addEventListener("click", () => judge(button.dataset.verdict)));
find("download").addEventListener("click", () => {
  const href = URL.createObjectURL(new Blob([asLines([...labels.values()])], { type: "application/jsonl" }));
  const download = `labels-${annotator.replace(/[^\p{L}\p{N}_-]+/gu, "-")}.jsonl`;
  Object.assign(document.createElement("a"), { href, download }).click();
});
find("report").addEventListener("click", async () => {
  for (let tries = 0; unsaved.size && tries < 50; tries += 1) await new Promise((done) => { setTimeout(done, 100); });
  const reply = await request("report");
  const text = reply ? await reply.text() : "zero-scrolls audit label is no longer running.";
  find("result").replaceChildren(...text.trim().split("\n\n").map((block) => // tables scroll, sentences wrap
    Object.assign(document.createElement(/ {2}/.test(block) ? "pre" : "p"), { textContent: block, className: "text", tabIndex: 0 })));
  find("result").hidden = false;
});
find("other").addEventListener("click", () => { keep("annotator", null); location.assign(location.pathname); });
addEventListener("keydown", (event) => {
  if (find("label").hidden || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  if (VERDICTS[event.key]) judge(VERDICTS[event.key]);
  else if (event.key === "u") undo();
  else if (event.key === "d" && left().length) look();
});

// A page opened as a file that asks Chromium 156 for what is kept before the browser has noted the page may be told for
// good that there is nothing (after 18 of 204 reloads on a busy machine). Another reply of the browser comes after that.
await navigator.locks?.query().catch(() => {});
const last = kept("annotator");
const asked = new URLSearchParams(location.search).get("annotator");
if (last && (!asked || asked === last.annotator)) begin(last.annotator, last.most < data.cards.length);
else {
  find("start").hidden = false;
  find("annotator").value = asked ?? "";
  find("annotator").focus();
}
