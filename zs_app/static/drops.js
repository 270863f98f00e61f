// Files and folders that are dropped anywhere on the page.
const MOST = 500; // files

/** Return the files of an entry, those in its folders, too, but none whose name begins with a dot. */
async function filesOf(/** @type {FileSystemEntry} */ entry, /** @type {File[]} */ found = []) {
  const wait = (/** @type {(done: Function, failed: Function) => void} */ ask) => new Promise(ask);
  if (found.length >= MOST) throw new Error(`it has more than ${MOST} files`);
  if (entry.isFile) found.push(await wait((...then) => entry.file(...then)));
  else {
    const reader = entry.createReader();
    for (let some; (some = await wait((...then) => reader.readEntries(...then))).length;) // some hundred at a time
      for (const each of some) if (!each.name.startsWith(".")) await filesOf(each, found);
  }
  return found;
}

/** Choose files in a box for files. */
export function choose(/** @type {HTMLElement} */ box, /** @type {File[]} */ files) {
  const chosen = new DataTransfer(), input = box.querySelector("input");
  files.forEach((file) => chosen.items.add(file));
  input.files = chosen.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

let taker = null, dropped = null; // of "Score a file", which may be opened by the drop

/**
 * Call `take` for folders that are dropped, also before this: with the box that they are dropped on, if any, and with
 * `{name, isFolder, files}` of each thing dropped. `failed` is called with what went wrong.
 */
export function whenFoldersDrop(take, /** @type {(text: string) => void} */ failed) {
  taker = (/** @type {object[]} */ ...given) => given[0] instanceof Error
    ? failed(`The folder was not read (${given[0].message}); drop the folder of the predictions alone, or its ZIP.`)
    : take(...given);
  if (dropped) taker(...dropped);
}

/** Put files into the box that they are dropped on; elsewhere, but on an annex, open "Score a file" for what is dropped. */
export function listen(address) {
  addEventListener("drop", async (event) => {
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    const box = event.target.closest?.("[data-side]"), { tab } = address.place();
    const isHere = box ? box.matches("#file-tab *") : !address.catalog.annexes.includes(tab);
    if (!isHere || !entries.some((entry) => entry.isDirectory)) return;
    event.preventDefault();
    if (!box) address.move({ tab: "file" });
    const read = async (entry) => ({ name: entry.name, isFolder: entry.isDirectory, files: await filesOf(entry) });
    dropped = await Promise.all(entries.map(read)).then((given) => [box, given], (reason) => [reason]);
    taker?.(...dropped);
  }, true); // before the listener for files
  addEventListener("dragover", (event) => event.dataTransfer.types.includes("Files") && event.preventDefault());
  addEventListener("drop", async (event) => {
    const files = new DataTransfer(); // which outlasts the event
    [...event.dataTransfer.files].forEach((file) => files.items.add(file));
    if (event.defaultPrevented || !files.files.length) return;
    event.preventDefault();
    let input = event.target.closest("[data-side]")?.querySelector("input");
    if (!input && address.catalog.annexes.includes(address.place().tab)) return;
    if (!input) address.move({ tab: "file" });
    while (!(input ??= document.querySelector("#file-files input"))) await new Promise(requestAnimationFrame);
    input.files = files.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
}
