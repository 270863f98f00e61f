import assert from "node:assert/strict";
import test from "node:test";
import { moved, placeFrom, searchOf, unknownIn } from "../../zs_app/static/address.js";

const task = (value, examples) => ({ value, scored: value, examples, sample: ["", ""] });
const catalog = {
  tabs: ["try", "answer", "file", "results", "board"],
  sources: ["embedded", "hub"],
  benchmarks: {
    zero_scrolls: [task("gov_report", 2), task("qasper", 2), task("quality", 2), task("musique", 3)],
    scrolls: [task("scrolls/gov_report", 1), task("scrolls/qasper", 1), task("scrolls/quality", 1)],
  },
};
const start = placeFrom("", catalog);
const after = (changes, from = start) => moved(from, changes, catalog);

test("a link names the benchmark, the tab and the parameters of this tab alone", () => {
  const place = placeFrom("?benchmark=scrolls&task=qasper&example=0&source=hub", catalog);
  assert.deepEqual(place, { ...start, benchmark: "scrolls", try: { task: "scrolls/qasper", example: 0, source: "hub" }, answer: { task: "scrolls/qasper" } });
  const { answer, try: tried } = placeFrom("?tab=answer&task=musique", catalog);
  assert.deepEqual([answer.task, tried.task], ["musique", "quality"]);
  assert.equal(placeFrom("?tab=results&sort=qasper", catalog).results.sort, "qasper");
  assert.equal(placeFrom("?tab=file&sort=qasper&report=7", catalog).results.sort, "average");
  assert.equal(placeFrom("?tab=file&report=7", catalog).file.report, "7");
});

test("what a link names and the page does not have is left at its first value, and said", () => {
  const wrong = "?tab=nowhere&task=<b>&example=-1&benchmark=toString&source=disk&theme=dark";
  assert.deepEqual(placeFrom(wrong, catalog), start);
  assert.deepEqual(unknownIn(wrong, catalog), ["tab=nowhere", "task=<b>", "example=-1", "benchmark=toString", "source=disk"]);
  const examples = ["1", "2", "1.5", "x"].map((example) => placeFrom(`?task=quality&example=${example}`, catalog).try.example);
  assert.deepEqual(examples, [1, 0, 0, 0]);
  assert.equal(placeFrom("?task=quality&example=999&source=hub", catalog).try.example, 999);
  assert.equal(placeFrom("?task=quality&example=1000&source=hub", catalog).try.example, 0);
  assert.deepEqual(unknownIn("?benchmark=zero_scrolls&tab=try&task=musique&example=2&source=embedded", catalog), []);
  assert.deepEqual(unknownIn("?tab=results&find=x", catalog), []);
});

test("an address has what differs from the first values, leads back to its place and keeps what others have put there", () => {
  const search = (place) => String(searchOf(place, catalog, "?__theme=dark&task=old&sort=old"));
  for (const [changes, expected] of [
    [{}, "tab=try&task=quality&example=0"],
    [{ tab: "answer", answer: { task: "musique" } }, "tab=answer&task=musique"],
    [{ try: { task: "musique", example: 2 } }, "tab=try&task=musique&example=2"],
    [{ try: { source: "hub" } }, "tab=try&task=quality&example=0&source=hub"],
    [{ benchmark: "scrolls" }, "benchmark=scrolls&tab=try&task=quality&example=0"],
    [{ tab: "results", results: { sort: "qasper", only: "1" } }, "tab=results&sort=qasper&only=1"],
    [{ tab: "file", file: { answer: "qasper/1" } }, "tab=file&answer=qasper%2F1"],
    [{ tab: "board" }, "tab=board"],
  ]) {
    assert.equal(search(after(changes)), `__theme=dark&${expected}`);
    assert.equal(search(placeFrom(search(after(changes)), catalog)), `__theme=dark&${expected}`);
  }
});

test("another task starts at its first example, and another benchmark keeps the task of the same name", () => {
  const there = after({ try: { example: 1, source: "hub" }, answer: { task: "musique" } });
  assert.equal(there.try.example, 1);
  assert.equal(after({ try: { task: "musique" } }, there).try.example, 0);
  assert.equal(after({ try: { task: "musique", example: 2 } }, there).try.example, 2);
  assert.equal(after({ tab: "answer" }, there).try.example, 1);
  const switched = after({ benchmark: "scrolls" }, there);
  assert.deepEqual([switched.try, switched.answer.task], [{ task: "scrolls/quality", example: 0, source: "embedded" }, "scrolls/qasper"]);
  assert.equal(after({ benchmark: "zero_scrolls" }, switched).try.task, "quality");
});
