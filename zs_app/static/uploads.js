// Boxes for files, which are uploaded at once. `frame.js` takes what is dropped.

/**
 * The files of a box: `{name, size, path, role, batch, source}`, with an empty path until a file is uploaded. Where the
 * server tells the role of each (what it holds), a later choice replaces the earlier files of the same roles; else all.
 */
export class Side {
  files = [];
  error = ""; // what went wrong with the upload
  ready = Promise.resolve(); // until every file of the last choice is uploaded and has its role, or has failed

  /**
   * @param {(file: File) => Promise<{path: string}>} upload
   * @param {() => void} changed
   * @param {((paths: string[]) => Promise<{roles?: string[], error?: string} | undefined>) | null} rolesOf
   */
  constructor(upload, changed, rolesOf = null) {
    Object.assign(this, { upload, changed, rolesOf });
  }

  choose(/** @type {Iterable<File>} */ chosen) {
    const batch = 1 + (this.files.at(-1)?.batch ?? 0);
    const added = [...chosen].map((source) => ({ name: source.name, size: source.size, path: "", role: "", batch, source }));
    this.files = this.rolesOf ? [...this.files, ...added] : added;
    this.send();
  }

  /** Upload the files that have no path, and ask for the roles that are not known. */
  send() {
    const { files } = this;
    this.error = "";
    const uploads = files.filter(({ path }) => !path).map(async (file) => { file.path = (await this.upload(file.source)).path; });
    this.ready = Promise.allSettled(uploads).then(async (ended) => {
      const failed = ended.find(({ status }) => status === "rejected");
      const error = failed ? `Not uploaded (${failed.reason?.message ?? failed.reason}); choose the files again.` : await this.sort(files);
      if (this.files !== files) return this.ready; // of a later choice
      this.error = error;
      const newest = Object.fromEntries(files.map(({ role, batch }) => [role, batch]));
      this.files = files.filter(({ role, batch }) => !this.rolesOf || !role || batch === newest[role]);
      return this.changed();
    });
    this.changed();
  }

  /** Give the files their roles, and return the error. */
  async sort(/** @type {any[]} */ files) {
    const unsorted = this.rolesOf ? files.filter(({ role }) => !role) : [];
    if (!unsorted.length) return "";
    const { roles, error } = (await this.rolesOf(unsorted.map(({ path }) => path))) ?? {};
    roles?.forEach((role, i) => { unsorted[i].role = role; });
    return roles ? "" : error ?? "The server could not be reached; try again.";
  }

  /**
   * Do again what failed or, of these paths, is gone from the server; return the error. Files that only an earlier page
   * had are dropped, with the error `unkept`.
   */
  async again(/** @type {string[]} */ gone = [], unkept = "") {
    const lost = this.files.filter(({ path }) => !path || gone.includes(path));
    if (!lost.length && !(this.rolesOf && this.files.some(({ role }) => !role))) return "";
    lost.forEach((file) => { file.path = ""; });
    this.files = this.files.filter(({ path, source }) => path || source);
    this.send();
    await this.ready;
    return this.error || (lost.every(({ source }) => source) ? "" : unkept);
  }

  /** Show files that were uploaded before the page was loaded again. */
  restore(files) {
    this.files = files.filter(({ path }) => path).map(({ name, size, path, role, batch }) => ({ name, size, path, role, batch }));
    this.changed();
  }

  /** Return the paths of the uploaded files: of all, of the references, or of all others. */
  paths(/** @type {"" | "references" | "predictions"} */ which = "") {
    return this.files.filter(({ path, role }) => path && (!which || (role === "references") === (which === "references"))).map(({ path }) => path);
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

const made = (/** @type {string} */ tag, /** @type {object} */ fields) => Object.assign(document.createElement(tag), fields);

/** Return the side of a box `[data-side]`, which takes files and lists them, each with its role, which a click changes. */
export function sideOf(/** @type {HTMLElement} */ box, upload, changed, rolesOf = null) {
  const input = box.querySelector("input");
  const side = new Side(upload, () => {
    box.querySelector("ul").replaceChildren(...side.files.map((file) => {
      const { name, size, path, role } = file, item = made("li", {}), other = role === "references" ? "predictions" : "references";
      const turn = () => { file.role = other; side.changed(); };
      const remove = () => { side.files = side.files.filter((each) => each !== file); side.changed(); };
      if (role) item.append(made("button", { type: "button", className: "zs-link", textContent: role, title: `Take as ${other}`, onclick: turn }), " ");
      item.append(`${name} · ${readable(size)}${path || side.error ? "" : " · uploading …"}`);
      item.append(made("button", { type: "button", className: "zs-remove", ariaLabel: `Remove ${name}`, onclick: remove }));
      return item;
    }));
    changed();
  }, rolesOf);
  const take = () => {
    if (input.files.length) side.choose(input.files);
    input.value = ""; // so that the same file can be chosen again
  };
  input.addEventListener("change", take);
  queueMicrotask(take); // chosen before this script was there
  return side;
}
