/** "Check a sample by hand": downloads the page to label with, and shows the report of finished labels. */
import { follow, live, stored } from "./calls.js";

/** @param {HTMLElement} element @param {any} server */
export function mount(element, server) {
  const find = (selector) => element.querySelector(selector);
  const [form, input] = [find("form"), find("input[type=file]")];
  let result = ""; // of the file scored last
  let busy = false;

  const say = (text) => { find("#audit-status").textContent = text; };

  const load = live(server.audit_tasks, ({ tasks = {} }) => {
    const before = form.task.value;
    form.task.replaceChildren(...Object.entries(tasks).map(([name, title]) => new Option(title, name, false, name === before)));
    find("#audit").hidden = !form.task.options.length;
  });
  function offer() {
    result = JSON.parse(stored("own results") || "[]").at(-1) ?? "";
    find("#audit-report").hidden = true; // of another file
    if (result) load({ result });
  }

  async function run(start, text, show) {
    if (busy) return say("Wait until the last one has ended, and try again.");
    busy = true;
    say(text);
    const lost = (isLost) => say(isLost ? "The connection is lost; this goes on once it is back." : text);
    const made = await follow(server, await start(), { progress: () => {}, lost });
    busy = false;
    say(made.error ?? "");
    if (!made.error) show(made);
  }

  function draw() {
    const task = form.task.value;
    run(() => server.start_drawing({ result, task, size: Number(form.size.value) }), "Drawing the sample …", ({ html, without }) => {
      const href = URL.createObjectURL(new Blob([html], { type: "text/html" }));
      const link = Object.assign(document.createElement("a"), { href, download: `label-${task}.html`, textContent: "Download it so." });
      say(without ? `The questions of ${without} answers are not known here; these are labelled by their references alone. ` : `label-${task}.html is downloaded: open it to label.`);
      if (without) find("#audit-status").append(link);
      else link.click();
    });
  }

  async function read(files) {
    const labels = await Promise.all([...files].map(async (file) => [file.name, await file.text()]));
    if (labels.length) run(() => server.start_report({ result, labels }), "Reading the labels …", ({ text }) => {
      find("#audit-report").replaceChildren(...text.trim().split("\n\n").map((block) => // tables scroll, sentences wrap
        Object.assign(document.createElement(/ {2}/.test(block) ? "pre" : "p"), { textContent: block, className: "zs-block", tabIndex: 0 })));
      find("#audit-report").hidden = false;
    });
  }

  form.addEventListener("submit", (event) => { event.preventDefault(); draw(); });
  input.addEventListener("change", () => read(input.files).then(() => { input.value = ""; }));
  for (const type of ["dragover", "dragleave", "drop"]) {
    find("#audit-labels").addEventListener(type, (event) => {
      event.preventDefault();
      find("#audit-labels").classList.toggle("zs-over", type === "dragover");
      if (type === "drop") read(event.dataTransfer.files);
    });
  }
  document.addEventListener("zs-scored", offer);
  offer();
}
