import assert from "node:assert/strict";
import test from "node:test";
import { isSample } from "../../zs_app/static/answer.js";
import { nextOf, wordsAt } from "../../zs_app/static/document.js";
import { orderFrom, percentFrom } from "../../zs_app/static/hands_on.js";
import { readable, Side, withFiles } from "../../zs_app/static/uploads.js";

test("what is typed moves cards and slider if it can", () => {
  assert.deepEqual(orderFrom("I say: 3, 1, then 2.", 3), [3, 1, 2]);
  for (const text of ["1, 2", "1, 2, 2", "0, 1, 2", "1, 2, 4", "1, 2, 3, 4", ""]) assert.equal(orderFrom(text, 3), null);
  assert.deepEqual(["about 62%", "7.5% or 8%", "60 %", "140%", ""].map(percentFrom), [62, 7.5, null, null, null]);
});

test("words of a document are found by their number, and places come in turn", () => {
  assert.deepEqual([wordsAt("one  two\nthree", 1), wordsAt("one two", 1), wordsAt("one two", 2)], [[5, 14], [4, 7], null]);
  assert.deepEqual([nextOf([3, 8], -1), nextOf([3, 8], 3), nextOf([3, 8], 8)], [3, 8, 3]);
});

test("another task brings its sample only if nothing of the visitor's would be lost", () => {
  const sample = ["the answer", "the reference"];
  assert.ok(isSample(sample, sample) && isSample([...sample, ""], sample));
  for (const texts of [["mine", "the reference"], ["the answer", ""], [...sample, "mine"]]) assert.ok(!isSample(texts, sample));
});

test("a new choice of files replaces the earlier one, and whoever waits for that waits for this", async () => {
  const ends = {};
  const side = new Side(({ name }) => new Promise((done) => { ends[name] = () => done({ path: `/up/${name}` }); }), () => {});
  side.choose([{ name: "old.csv" }]);
  const ready = side.ready.then(() => side.paths());
  side.choose([{ name: "new.csv" }]);
  assert.deepEqual(side.paths(), []);
  ends["old.csv"]();
  setTimeout(() => ends["new.csv"]());
  assert.deepEqual(await ready, ["/up/new.csv"]);
});

test("what the server has lost is uploaded again, and what only an earlier page had is asked for", async () => {
  let sent = 0;
  const side = new Side(async () => ({ path: `/up/${sent += 1}` }), () => {});
  side.choose([{ name: "a" }, { name: "b" }]);
  const asked = [];
  const call = async () => asked.push(side.paths()) > 1 ? { job: "1" } : { error: "b is gone", gone: ["/up/2"] };
  assert.deepEqual(await withFiles([side], call), { job: "1" });
  assert.deepEqual(asked, [["/up/1", "/up/2"], ["/up/1", "/up/3"]]);
  side.restore(JSON.parse(JSON.stringify(side.files)));
  assert.deepEqual(await withFiles([side], async () => ({ error: "a is gone", gone: ["/up/1"] })), { error: "a is gone" });
  assert.deepEqual(side.paths(), ["/up/3"]);
});

test("files get roles, the latest of each role stay, and a role that was not told is asked for again by the next call", async () => {
  const told = [undefined, { roles: ["references", "predictions"] }, { roles: ["predictions"] }];
  const side = new Side(async ({ name }) => ({ path: `/up/${name}` }), () => {}, async () => told.shift());
  side.choose([{ name: "known" }, { name: "old" }]);
  await side.ready;
  assert.match(side.error, /could not be reached/);
  assert.deepEqual(await withFiles([side], async () => side.paths("references")), ["/up/known"]);
  side.choose([{ name: "new" }]);
  await side.ready;
  assert.deepEqual([side.paths("references"), side.paths("predictions")], [["/up/known"], ["/up/new"]]);
});

test("a failed upload is tried again by the next call", async () => {
  const replies = [Promise.reject(new Error("asleep")), Promise.resolve({ path: "/up/1" })];
  const side = new Side(() => replies.shift(), () => {});
  side.choose([{ name: "a" }]);
  assert.deepEqual(await withFiles([side], async () => side.paths()), ["/up/1"]);
});

test("a failed upload is said with its reason until files are chosen again; sizes are read by people", async () => {
  const side = new Side(() => Promise.reject(new Error("too large")), () => {});
  side.choose([{ name: "a" }]);
  await side.ready;
  assert.match(side.error, /too large.*choose the files again/);
  side.choose([]);
  assert.deepEqual([side.error, side.files], ["", []]);
  assert.deepEqual([999, 1_499, 999_499, 999_500, 34_000_000].map(readable), ["999 B", "1 kB", "999 kB", "1.0 MB", "34.0 MB"]);
});
