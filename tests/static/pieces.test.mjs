import assert from "node:assert/strict";
import test from "node:test";
import { wordsAt } from "../../zs_app/static/document.js";
import { orderFrom, percentFrom } from "../../zs_app/static/hands_on.js";
import { Side, withFiles } from "../../zs_app/static/uploads.js";

test("what is typed moves cards and slider if it can", () => {
  assert.deepEqual(orderFrom("I say: 3, 1, then 2.", 3), [3, 1, 2]);
  for (const text of ["1, 2", "1, 2, 2", "0, 1, 2", "1, 2, 4", "1, 2, 3, 4", ""]) assert.equal(orderFrom(text, 3), null);
  assert.deepEqual(["about 62%", "7.5% or 8%", "60 %", "140%", ""].map(percentFrom), [62, 7.5, null, null, null]);
});

test("words of a document are found by their number", () => {
  assert.deepEqual([wordsAt("one  two\nthree", 1), wordsAt("one two", 1), wordsAt("one two", 2)], [[5, 14], [4, 7], null]);
  assert.deepEqual([wordsAt("one two three", 0, 3), wordsAt("one two", 1, 1)], [[0, 13], [4, 7]]);
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

test("a file is uploaded once, even if another is chosen or it is removed meanwhile", async () => {
  const asked = [];
  const side = new Side(async ({ name }) => ({ path: `/up/${asked.push(name) && name}` }), () => {}, async (paths) => ({ roles: paths }));
  side.choose([{ name: "a" }]);
  side.choose([{ name: "b" }, { name: "c" }]);
  side.remove(side.files[0]);
  assert.deepEqual(await withFiles([side], async () => side.paths()), ["/up/b", "/up/c"]);
  assert.deepEqual(asked, ["a", "b", "c"]);
});

test("a file that is removed is not waited for, and its failure is not said", async () => {
  let fail;
  const upload = ({ name }) => (name === "large" ? new Promise((_, reject) => { fail = reject; }) : Promise.resolve({ path: "/up/small" }));
  const side = new Side(upload, () => {});
  side.choose([{ name: "large" }, { name: "small" }]);
  side.remove(side.files[0]);
  assert.deepEqual(await withFiles([side], async () => side.paths()), ["/up/small"]);
  fail(new Error("too large"));
  await side.ready;
  assert.equal(side.error, "");
});

test("what the server has lost is uploaded again, and what only an earlier page had is asked for", async () => {
  let sent = 0;
  const upload = async () => ({ path: `/up/${sent += 1}` });
  const side = new Side(upload, () => {});
  side.choose([{ name: "a" }, { name: "b" }]);
  const asked = [];
  const call = async () => asked.push(side.paths()) > 1 ? { job: "1" } : { error: "b is gone", gone: ["/up/2"] };
  assert.deepEqual(await withFiles([side], call), { job: "1" });
  assert.deepEqual(asked, [["/up/1", "/up/2"], ["/up/1", "/up/3"]]);
  const reloaded = new Side(upload, () => {}, null, JSON.parse(JSON.stringify(side.files)));
  assert.deepEqual(await withFiles([reloaded], async () => ({ error: "a is gone", gone: ["/up/1"] })), { error: "a is gone" });
  assert.deepEqual(reloaded.paths(), ["/up/3"]);
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

test("a failed upload is said with its reason until files are chosen again", async () => {
  const side = new Side(() => Promise.reject(new Error("too large")), () => {});
  side.choose([{ name: "a" }]);
  await side.ready;
  assert.match(side.error, /too large.*choose the files again/);
  side.choose([]);
  assert.deepEqual([side.error, side.files], ["", []]);
});
