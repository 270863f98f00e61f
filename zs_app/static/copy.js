// Copying a text, or the promise of one, by a button, which then says whether it was copied.

/** @param {string | Promise<string>} text @param {HTMLElement & { timer?: number }} button */
export async function copyText(text, button) {
  button.dataset.label ??= button.textContent;
  button.textContent = await write(text).then(() => "Copied", (error) => `Not copied: ${error.message || "the browser refused"}`);
  clearTimeout(button.timer);
  button.timer = setTimeout(() => { button.textContent = button.dataset.label; }, 3_000);
}

/** Write to the clipboard. Some browsers allow it only during a click, so it starts before the text has arrived. */
async function write(text) {
  if (navigator.clipboard && window.ClipboardItem) {
    const arrived = Promise.resolve(text).then((it) => new Blob([it], { type: "text/plain" }));
    const written = navigator.clipboard.write([new ClipboardItem({ "text/plain": arrived })]);
    return Promise.all([text, written.catch(() => { throw new Error(); })]);
  }
  const area = document.createElement("textarea"); // the clipboard API needs a secure context, and Firefox 127
  area.value = await text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (!isCopied) throw new Error();
}
