// Boxes for files, which are uploaded at once. `drops.js` takes what is dropped.
import { UNREACHABLE } from "./calls.js";

const made = (/** @type {string} */ tag, /** @type {object} */ fields) => Object.assign(document.createElement(tag), fields);
const sizes = new Intl.NumberFormat("en", { style: "unit", unit: "byte", unitDisplay: "narrow", notation: "compact" });

/**
 * The files of a box: `{name, size, path, role, batch, source}`, with an empty path until a file is uploaded. Where
 * `rolesOf` tells the role of each (what it holds), a later choice replaces the earlier files of the same roles; else all.
 */
export class Side {
  error = ""; // what went wrong with the upload
  refused = ""; // which files of the last choice are of no type that is read
  ready = Promise.resolve(); // until every file of the last choice is uploaded and has its role, or has failed

  /** `saved`: the files of before the page was loaded again; only their paths are left of them. */
  constructor(upload, changed, rolesOf = null, saved = []) {
    const files = saved.filter(({ path }) => path).map((file) => ({ ...file, source: null }));
    Object.assign(this, { upload, changed, rolesOf, files });
  }

  choose(/** @type {Iterable<File>} */ chosen) {
    const batch = 1 + (this.files.at(-1)?.batch ?? 0);
    const added = [...chosen].map((source) => ({ name: source.name, size: source.size, path: "", role: "", batch, source }));
    this.files = this.rolesOf ? [...this.files, ...added] : added;
    this.send();
  }

  remove(/** @type {object} */ file) {
    this.files = this.files.filter((each) => each !== file);
    this.send();
  }

  /** Upload the files that have no path, and ask for the roles that are not known. */
  send() {
    const { files } = this;
    this.error = "";
    const sent = (file) => file.sent ??= this.upload(file.source).then(({ path }) => { file.path = path; }).finally(() => { file.sent = null; });
    const ready = this.ready = Promise.all(files.filter(({ path }) => !path).map(sent)).then(async () => {
      const unsorted = files.filter(({ role }) => this.rolesOf && !role), paths = unsorted.map(({ path }) => path);
      const { roles = [], error = "" } = (paths.length ? await this.rolesOf(paths) : {}) ?? { error: UNREACHABLE };
      roles.forEach((role, i) => { unsorted[i].role = role; });
      return error;
    }, (reason) => `Not uploaded (${reason?.message ?? reason}); choose the files again.`).then((error) => {
      if (this.ready !== ready) return this.ready; // of a later choice
      this.error = error;
      const newest = Object.fromEntries(this.files.map(({ role, batch }) => [role, batch]));
      this.files = this.files.filter(({ role, batch }) => !this.rolesOf || !role || batch === newest[role]);
      return this.changed();
    });
    this.changed();
  }

  /** Do again what failed or is gone from the server, and return the error: `unkept` for files that only an earlier page had. */
  async again(/** @type {string[]} */ gone = [], unkept = "") {
    await this.ready;
    const lost = this.files.filter(({ path }) => !path || gone.includes(path));
    lost.forEach((file) => { file.path = ""; });
    this.files = this.files.filter(({ path, source }) => path || source);
    this.send();
    await this.ready;
    return this.error || (lost.every(({ source }) => source) ? "" : unkept);
  }

  /** Return the paths of the uploaded files: of all, of the references, or of all others. */
  paths(/** @type {"" | "references" | "predictions"} */ which = "") {
    return this.files.filter(({ path, role }) => path && (!which || (role === "references") === (which === "references"))).map(({ path }) => path);
  }
}

/** Return the reply to a call with the files of these sides, which are uploaded again if the server has lost some, as in a restart. */
export async function withFiles(/** @type {Side[]} */ sides, /** @type {() => Promise<any>} */ call, ...lost) {
  const error = (await Promise.all(sides.map((side) => side.again(...lost)))).find(Boolean);
  const reply = error ? { error } : await call();
  return reply?.gone && !lost.length ? withFiles(sides, call, reply.gone, reply.error) : reply;
}

/** Return the side of a box `[data-side]`, which takes files and lists them, each with its role and a button for the other role. */
export function sideOf(/** @type {HTMLElement} */ box, upload, changed, rolesOf = null, saved = []) {
  const input = box.querySelector("input");
  const side = new Side(upload, () => {
    box.querySelector("ul").replaceChildren(...side.files.map((file) => {
      const { name, size, path, role } = file, item = made("li", {}), other = role === "references" ? "predictions" : "references";
      const turn = () => { file.role = other; side.changed(); };
      if (role) item.append(made("b", { textContent: role }), " ");
      item.append(`${name} · ${sizes.format(size)}${path || side.error ? "" : " · uploading …"}`);
      if (role && role !== "definition") item.append(" ", made("button", { type: "button", className: "zs-link", textContent: `take as ${other}`, ariaLabel: `take as ${other}: ${name}`, onclick: turn }));
      item.append(made("button", { type: "button", className: "zs-remove", ariaLabel: `Remove ${name}`, onclick: () => side.remove(file) }));
      return item;
    }));
    changed();
  }, rolesOf, saved);
  const types = input.accept.split(","), isRead = ({ name }) => types.some((type) => name.toLowerCase().endsWith(type));
  const take = () => {
    const chosen = [...input.files], read = chosen.filter(isRead), others = chosen.filter((file) => !isRead(file)).map(({ name }) => name);
    side.refused = others.length ? `Not read: ${others.join(", ")}. Choose files of the types ${types.join(" ")}` : "";
    read.length ? side.choose(read) : side.changed();
    input.value = ""; // so that the same file can be chosen again
  };
  input.addEventListener("change", take);
  queueMicrotask(take); // chosen before this script was there
  return side;
}
