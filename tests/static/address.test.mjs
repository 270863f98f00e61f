import assert from "node:assert/strict";
import test from "node:test";
import { moved, placeFrom, searchOf, settingsFrom, unknownIn } from "../../zs_app/static/address.js";

const task = (value, examples) => ({ value, scored: value, examples, sample: ["", ""] });
const catalog = {
  tabs: ["try", "answer", "file", "results"],
  sources: ["embedded", "hub"],
  benchmarks: {
    zero_scrolls: [task("gov_report", 2), task("qasper", 2), task("quality", 2), task("musique", 3)],
    scrolls: [task("scrolls/gov_report", 1), task("scrolls/qasper", 1), task("scrolls/quality", 1)],
  },
};
const start = placeFrom("", catalog);
const address = (place, search) => searchOf(place, catalog, search).toString();

test("a link names benchmark, tab, task, example and source", () => {
  const place = placeFrom("?benchmark=scrolls&task=qasper&example=0&source=hub", catalog);
  assert.deepEqual(place, { benchmark: "scrolls", tab: "try", task: "scrolls/qasper", answerTask: "scrolls/qasper", source: "hub", example: 0 });
  assert.equal(placeFrom("?tab=answer&task=musique", catalog).answerTask, "musique");
  assert.equal(placeFrom("?tab=answer&task=musique", catalog).task, "quality");
});

test("what a link names and the page does not have is left at its default, and said", () => {
  const wrong = "?tab=nowhere&task=<b>&example=-1&benchmark=toString&source=disk&theme=dark";
  assert.deepEqual(placeFrom(wrong, catalog), start);
  assert.deepEqual(unknownIn(wrong, catalog), ["tab=nowhere", "task=<b>", "example=-1", "benchmark=toString", "source=disk"]);
  assert.equal(placeFrom("?task=quality&example=2", catalog).example, 0);
  assert.equal(placeFrom("?task=quality&example=2&source=hub", catalog).example, 2);
  assert.deepEqual(unknownIn("?benchmark=zero_scrolls&tab=try&task=musique&example=2&source=embedded", catalog), []);
});

test("an address leads back to its place and keeps what others have put there", () => {
  const places = [start, { ...start, tab: "answer", answerTask: "musique" }, { ...start, task: "musique", example: 2 }];
  for (const place of [...places, moved(start, { benchmark: "scrolls" }, catalog)]) {
    const again = placeFrom(address(place, "?__theme=dark&task=old"), catalog);
    assert.deepEqual(searchOf(again, catalog).toString(), address(place));
    assert.match(address(place, "?__theme=dark"), /__theme=dark/);
  }
});

test("another task starts at its first example, and another benchmark keeps the task of the same name", () => {
  const there = { ...start, task: "quality", example: 1, source: "hub" };
  assert.equal(moved(there, { task: "musique" }, catalog).example, 0);
  assert.equal(moved(there, { source: "embedded" }, catalog).example, 0);
  assert.equal(moved(there, { task: "musique", example: 2 }, catalog).example, 2);
  const switched = moved({ ...start, answerTask: "musique" }, { benchmark: "scrolls" }, catalog);
  assert.deepEqual([switched.task, switched.answerTask], ["scrolls/quality", "scrolls/gov_report"]);
  assert.equal(moved({ ...start, task: "musique", example: 1 }, { benchmark: "scrolls" }, catalog).task, "scrolls/gov_report");
  assert.equal(moved(there, { benchmark: "scrolls" }, catalog).source, "embedded");
});

test("the settings of another tab's address are not those of this one", () => {
  assert.deepEqual(settingsFrom("?tab=results&sort=qasper", { sort: "average" }, "results"), { sort: "qasper" });
  assert.deepEqual(settingsFrom("?tab=file&sort=qasper", { sort: "average" }, "results"), { sort: "average" });
});
