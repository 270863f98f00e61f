// Boxes for files, which are uploaded at once; a new choice replaces the earlier one. `frame.js` takes what is dropped.

export class Side {
  files = []; // the chosen ones: `{name, size, path, source}`, with an empty path until a file is uploaded
  error = ""; // what went wrong with the upload
  ready = Promise.resolve(); // until every file of the last choice is uploaded, or has failed

  constructor(/** @type {(file: File) => Promise<{path: string}>} */ upload, /** @type {() => void} */ changed) {
    Object.assign(this, { upload, changed });
  }

  choose(/** @type {Iterable<File>} */ chosen) {
    this.files = [...chosen].map((source) => ({ name: source.name, size: source.size, path: "", source }));
    this.send();
  }

  /** Upload the files that have no path. */
  send() {
    const { files } = this;
    this.error = "";
    const uploads = files.filter(({ path }) => !path).map(async (file) => { file.path = (await this.upload(file.source)).path; });
    this.ready = Promise.allSettled(uploads).then((ended) => {
      const failed = ended.find(({ status }) => status === "rejected");
      if (this.files !== files) return this.ready; // of a later choice
      if (failed) this.error = `Not uploaded (${failed.reason?.message ?? failed.reason}); choose the files again.`;
      return this.changed();
    });
    this.changed();
  }

  /**
   * Upload again what failed or, of these paths, is gone from the server; return the error. Files that only an earlier
   * page had are dropped, with the error `unkept`.
   */
  async again(/** @type {string[]} */ gone = [], unkept = "") {
    const lost = this.files.filter(({ path }) => !path || gone.includes(path));
    if (!lost.length) return "";
    lost.forEach((file) => { file.path = ""; });
    this.files = this.files.filter(({ path, source }) => path || source);
    this.send();
    await this.ready;
    return this.error || (lost.every(({ source }) => source) ? "" : unkept);
  }

  /** Show files that were uploaded before the page was loaded again. */
  restore(files) {
    this.files = files.filter(({ path }) => path).map(({ name, size, path }) => ({ name, size, path }));
    this.changed();
  }

  get paths() {
    return this.files.map(({ path }) => path).filter(Boolean);
  }
}

/**
 * Return the reply to a call that names the files of these sides, once they are uploaded. If the server has lost some, as
 * in a restart, they are uploaded again, and it is called once more.
 */
export async function withFiles(/** @type {Side[]} */ sides, /** @type {() => Promise<any>} */ call) {
  const again = async (...lost) => (await Promise.all(sides.map((side) => side.again(...lost)))).find(Boolean);
  await Promise.all(sides.map((side) => side.ready));
  let error = await again();
  const reply = error ? { error } : await call();
  if (!reply?.gone) return reply;
  error = await again(reply.gone, reply.error);
  return error ? { error } : call();
}

/** A size in bytes, as people read it. */
export function readable(size) {
  if (size < 1_000) return `${size} B`;
  return size < 999_500 ? `${Math.round(size / 1_000)} kB` : `${(size / 1_000_000).toFixed(1)} MB`;
}

/**
 * Return the sides of the boxes `[data-side]` in an element, by name; each box lists its files and takes others.
 * @param {(name: string) => void} changed called after each change of a side
 */
export function sidesOf(/** @type {HTMLElement} */ element, upload, changed) {
  const sides = {};
  for (const box of element.querySelectorAll("[data-side]")) {
    const [input, clear] = [box.querySelector("input"), box.querySelector("button")];
    const side = new Side(upload, () => {
      box.querySelector("ul").replaceChildren(...side.files.map(({ name, size, path }) => {
        const textContent = `${name} · ${readable(size)}${path || side.error ? "" : " · uploading …"}`;
        return Object.assign(document.createElement("li"), { textContent });
      }));
      clear.hidden = !side.files.length;
      changed(box.dataset.side);
    });
    const take = () => {
      if (input.files.length) side.choose(input.files);
      input.value = ""; // so that the same file can be chosen again
    };
    input.addEventListener("change", take);
    queueMicrotask(take); // chosen before this script was there
    clear.addEventListener("click", () => side.choose([]));
    sides[box.dataset.side] = side;
  }
  return sides;
}
