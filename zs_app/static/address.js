// Where the visitor is: benchmark, tab, task and example, kept in step with the page's address in both directions.

/**
 * @typedef {{ value: string, scored: string, examples: number, sample: string[] }} Task
 * @typedef {{ tabs: string[], annexes: string[], modules: string[], sources: string[], benchmarks: Record<string, Task[]> }} Catalog what the page offers; `modules` are the scripts to load last
 * @typedef {{ benchmark: string, tab: string, task: string, source: string, example: number, answerTask: string }} Place
 * `task`, `source` and `example` are those of "Try a task", `answerTask` is that of "Score an answer".
 */

const START = { task: "quality", answerTask: "qasper", source: "embedded" };
const NAMES = ["benchmark", "tab", "task", "example", "source"];

/** Return the name of a task, which tasks of the same name in several benchmarks share. @param {string} value */
export const nameOf = (value) => value.split("/").pop();

/** Return a benchmark's task of that value or name, else its first. */
export function taskOf(/** @type {Catalog} */ catalog, /** @type {string} */ benchmark, /** @type {string} */ value) {
  const tasks = catalog.benchmarks[benchmark];
  return tasks.find((task) => nameOf(task.value) === nameOf(value)) ?? tasks[0];
}

/** Return the place that an address names; what the page does not offer is left at its default. @returns {Place} */
export function placeFrom(/** @type {string} */ search, /** @type {Catalog} */ catalog) {
  const query = new URLSearchParams(search);
  const offered = (name, choices) => choices.find((choice) => choice === query.get(name)) ?? choices[0];
  const benchmark = offered("benchmark", Object.keys(catalog.benchmarks)), tab = offered("tab", catalog.tabs);
  const isTask = catalog.benchmarks[benchmark].some(({ value }) => nameOf(value) === query.get("task"));
  const task = (of, start) => taskOf(catalog, benchmark, isTask && tab === of ? query.get("task") : start).value;
  const place = { benchmark, tab, task: task("try", START.task), answerTask: task("answer", START.answerTask), source: START.source, example: 0 };
  if (tab !== "try") return place;
  place.source = offered("source", catalog.sources);
  const example = /^\d{1,3}$/.test(query.get("example")) ? Number(query.get("example")) : 0;
  if (place.source !== START.source || example < taskOf(catalog, benchmark, place.task).examples) place.example = example;
  return place;
}

/** Return the address of a place; parameters of others in `search` are kept. */
export function searchOf(/** @type {Place} */ place, /** @type {Catalog} */ catalog, search = "") {
  const query = new URLSearchParams(search);
  NAMES.forEach((name) => query.delete(name));
  if (place.benchmark !== Object.keys(catalog.benchmarks)[0]) query.set("benchmark", place.benchmark);
  query.set("tab", place.tab);
  if (place.tab === "answer") query.set("task", nameOf(place.answerTask));
  if (place.tab !== "try") return query;
  query.set("task", nameOf(place.task));
  query.set("example", String(place.example));
  if (place.source !== START.source) query.set("source", place.source);
  return query;
}

/** Return the parameters of a link that the page does not have, as written in the link: `task=nosuch`. */
export function unknownIn(/** @type {string} */ search, /** @type {Catalog} */ catalog) {
  const shown = searchOf(placeFrom(search, catalog), catalog);
  const defaults = { benchmark: Object.keys(catalog.benchmarks)[0], source: START.source };
  const value = (name) => shown.get(name) ?? defaults[name];
  return [...new URLSearchParams(search)]
    .filter(([name, asked]) => NAMES.includes(name) && value(name) !== undefined && value(name) !== asked)
    .map((pair) => pair.join("="));
}

/** Return the place after a choice, with what follows from it: another benchmark keeps the task of the same name. */
export function moved(/** @type {Place} */ from, /** @type {Partial<Place>} */ changes, /** @type {Catalog} */ catalog) {
  const place = { ...from, ...changes };
  if (place.benchmark !== from.benchmark) {
    const task = taskOf(catalog, place.benchmark, from.task);
    const isSame = nameOf(task.value) === nameOf(from.task) && from.source === START.source && from.example < task.examples;
    const answerTask = taskOf(catalog, place.benchmark, from.answerTask).value;
    Object.assign(place, { source: START.source, task: task.value, answerTask, example: isSame ? from.example : 0 });
  } else if (!("example" in changes) && (place.task !== from.task || place.source !== from.source)) place.example = 0;
  return place;
}

/**
 * Return the address of a page: where the visitor is, a way to move, and a way to follow every move, the back button's too.
 * `unknown` has the parameters of the link that opened the page which the page does not have.
 */
export function createAddress(/** @type {Catalog} */ catalog) {
  const kept = () => (catalog.benchmarks[history.state?.benchmark] && catalog.tabs.includes(history.state.tab) ? history.state : null);
  const here = () => kept() ?? placeFrom(location.search, catalog);
  const followers = [];
  const unknown = kept() ? [] : unknownIn(location.search, catalog);
  let place = here();
  history.replaceState(place, "");
  function go(/** @type {Place} */ after) {
    const before = place;
    place = after;
    followers.forEach((follow) => follow(after, before));
  }
  addEventListener("popstate", () => go(here()));
  return {
    catalog,
    unknown,
    place: () => place,
    link: () => location.href, // what "Copy link" copies
    subscribe: (/** @type {(after: Place, before: Place) => void} */ follow) => void followers.push(follow),
    move(/** @type {Partial<Place>} */ changes) {
      const after = moved(place, changes, catalog);
      const search = String(searchOf(after, catalog, location.search));
      if (search !== String(searchOf(place, catalog, location.search))) history.pushState(after, "", `${location.pathname}?${search}${location.hash}`);
      go(after);
    },
  };
}

/** Return the settings of a tab in an address, where it differs from the first ones. @param {Record<string, string>} first */
export function settingsFrom(/** @type {string} */ search, first, /** @type {string} */ tab) {
  const query = new URLSearchParams(search);
  if (query.get("tab") !== tab) return { ...first };
  return Object.fromEntries(Object.entries(first).map(([name, value]) => [name, query.get(name) ?? value]));
}

/** Have the address hold the settings that differ from the first ones. */
export function showInAddress(/** @type {Record<string, string>} */ settings, /** @type {Record<string, string>} */ first) {
  const query = new URLSearchParams(location.search);
  Object.entries(first).forEach(([name, value]) => {
    query.delete(name);
    if (settings[name] !== value) query.set(name, settings[name]);
  });
  if (`?${query}` !== location.search) history.replaceState(history.state, "", `${location.pathname}?${query}${location.hash}`);
}
