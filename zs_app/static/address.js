// Where the visitor is, in step with the page's address: the benchmark, the tab, and the parameters of each tab.

/**
 * @typedef {{ value: string, scored: string, examples: number, sample: string[] }} Task
 * @typedef {{ tabs: string[], annexes: string[], sources: string[], space: string, benchmarks: Record<string, Task[]> }} Catalog what the page offers; `space` is its address on the Hub, else ""
 * @typedef {{ benchmark: string, tab: string, try: typeof FIRST.try, answer: typeof FIRST.answer, file: typeof FIRST.file, results: typeof FIRST.results }} Place
 */

/** The parameters of the tabs with their first values, which an address leaves out but for task and example. */
export const FIRST = {
  try: { task: "quality", example: 0, source: "embedded" },
  answer: { task: "qasper" },
  file: { pattern: "", answer: "", report: "", job: "" },
  results: { split: "test", kind: "", year: "", context: "", find: "", sort: "average", up: "", only: "", rows: "" },
};

/** Return the name of a task, which tasks of the same name in several benchmarks share. @param {string} value */
export const nameOf = (value) => value.split("/").pop();

/** Return the place with first values instead of what the page does not offer; tasks are found by their names. */
function offered(/** @type {Place} */ place, /** @type {Catalog} */ catalog) {
  const tasks = catalog.benchmarks[place.benchmark];
  const named = (/** @type {string} */ wanted) => tasks.find(({ value }) => nameOf(value) === nameOf(wanted));
  const taskOf = (/** @type {"try" | "answer"} */ tab) => named(place[tab].task) ?? named(FIRST[tab].task) ?? tasks[0];
  const source = catalog.sources.includes(place.try.source) ? place.try.source : FIRST.try.source;
  const task = taskOf("try");
  const most = source === FIRST.try.source ? task.examples - 1 : 999;
  const example = /^\d+$/.test(String(place.try.example)) && place.try.example <= most ? Number(place.try.example) : 0;
  return { ...place, try: { task: task.value, example, source }, answer: { task: taskOf("answer").value } };
}

/** Return the place that an address names. @returns {Place} */
export function placeFrom(/** @type {string} */ search, /** @type {Catalog} */ catalog) {
  const query = new URLSearchParams(search);
  const oneOf = (name, choices) => choices.find((choice) => choice === query.get(name)) ?? choices[0];
  const place = { benchmark: oneOf("benchmark", Object.keys(catalog.benchmarks)), tab: oneOf("tab", catalog.tabs), ...structuredClone(FIRST) };
  const settings = place[place.tab] ?? {};
  for (const name of Object.keys(settings)) settings[name] = query.get(name) ?? settings[name];
  return offered(place, catalog);
}

/** Return the address of a place; parameters of others in `search` are kept. */
export function searchOf(/** @type {Place} */ place, /** @type {Catalog} */ catalog, search = "") {
  const query = new URLSearchParams(search);
  ["benchmark", "tab", ...Object.values(FIRST).flatMap(Object.keys)].forEach((name) => query.delete(name));
  if (place.benchmark !== Object.keys(catalog.benchmarks)[0]) query.set("benchmark", place.benchmark);
  query.set("tab", place.tab);
  for (const [name, value] of Object.entries(place[place.tab] ?? {})) {
    if (["task", "example"].includes(name) || value !== FIRST[place.tab][name]) query.set(name, name === "task" ? nameOf(value) : value);
  }
  return query;
}

/** Return the parameters of a link that the page does not have, as written in the link: `task=nosuch`. */
export function unknownIn(/** @type {string} */ search, /** @type {Catalog} */ catalog) {
  const { benchmark, tab, ...settings } = placeFrom(search, catalog), shown = { benchmark, tab, ...settings[tab] };
  const pairs = [...new URLSearchParams(search)].filter(([name, asked]) => name in shown && nameOf(String(shown[name])) !== nameOf(asked));
  return pairs.map((pair) => pair.join("="));
}

/** Return the place after changes of the benchmark, the tab or a tab's parameters, with what follows from them. */
export function moved(/** @type {Place} */ from, /** @type {object} */ changes, /** @type {Catalog} */ catalog) {
  const place = { ...from, ...changes };
  for (const tab of Object.keys(FIRST)) place[tab] = { ...from[tab], ...changes[tab] };
  if (place.benchmark !== from.benchmark) place.try.source = FIRST.try.source;
  if (changes.try && !("example" in changes.try)) place.try.example = 0;
  return offered(place, catalog);
}

/** Return the address of a page: where the visitor is, a way to move, and a way to follow every move, the back button's too. */
export function createAddress(/** @type {Catalog} */ catalog) {
  const kept = () => (history.state?.try && catalog.tabs.includes(history.state.tab) ? history.state : null);
  const here = () => kept() ?? placeFrom(location.search, catalog);
  const followers = [];
  const unknown = kept() ? [] : unknownIn(location.search, catalog);
  let place = here();
  history.replaceState(place, "");
  function go(/** @type {Place} */ after) {
    const before = place;
    place = after;
    followers.forEach((follow) => follow(after, before));
    if (catalog.space && parent !== window) parent.postMessage({ queryString: address.query(), hash: location.hash }, new URL(catalog.space).origin);
  }
  addEventListener("popstate", () => go(here()));
  const address = {
    catalog,
    unknown, // in the link that opened the page
    place: () => place,
    report: "", // the open report, which only links name
    /** Return the query of a link to the place; what the Hub adds for its frame, a theme and a token, is the visitor's own. */
    query: () => String(searchOf({ ...place, file: { ...place.file, report: address.report } }, catalog, location.search.replace(/\b__\w+=[^&]*&?/g, ""))),
    link: () => `${catalog.space || location.origin + location.pathname}?${address.query()}${location.hash}`,
    subscribe: (/** @type {(after: Place, before: Place) => void} */ follow) => void followers.push(follow),
    /** Change the place; `isStep`: the back button leads back. */
    move(/** @type {object} */ changes, isStep = true) {
      const after = moved(place, changes, catalog);
      const search = String(searchOf(after, catalog, location.search));
      const isSame = search === String(searchOf(place, catalog, location.search));
      const url = isSame ? undefined : `${location.pathname}?${search}${location.hash}`;
      history[isStep && url ? "pushState" : "replaceState"](after, "", url);
      go(after);
    },
  };
  return address;
}
