import assert from "node:assert/strict";
import test from "node:test";
import { fit, follow, live } from "../../zs_app/static/calls.js";

globalThis.CSS = { supports: () => false };

const until = async (/** @type {() => boolean} */ is) => {
  while (!is()) await new Promise((done) => setTimeout(done, 1));
};

/** Calls that a test answers when it wants. */
function held(most = 2_000) {
  const made = [], shown = [], lost = [];
  const call = (inputs) => new Promise((resolve, reject) => made.push({ inputs, resolve, reject }));
  return { made, shown, lost, ask: live(call, (reply) => shown.push(reply), (is) => lost.push(is), 1, most) };
}

test("of the inputs typed while calls are under way the newest are sent, and only their reply is shown", async () => {
  const { made, shown, ask } = held();
  for (const text of ["a", "ab", "abc", "abcd", "abcde", "abcdef"]) ask(text);
  assert.deepEqual(made.map(({ inputs }) => inputs), ["a", "ab", "abc", "abcd"]);
  made[0].resolve("late");
  await until(() => made.length === 5);
  assert.equal(made[4].inputs, "abcdef");
  made[4].resolve("score of abcdef"), made[1].resolve("late");
  await until(() => shown.length > 0);
  assert.deepEqual(shown, ["score of abcdef"]);
});

test("a call without a reply is repeated until the connection is back, unless it is outdated", async () => {
  const { made, shown, lost, ask } = held();
  ask("a");
  made[0].resolve(undefined);
  await until(() => made.length === 2);
  made[1].reject(new Error("offline"));
  await until(() => made.length === 3);
  assert.deepEqual(lost, [true]);
  ask("ab");
  made[2].resolve(undefined), made[3].resolve("score of ab");
  await until(() => shown.length > 0);
  assert.deepEqual([lost, shown, made.length], [[true, false], ["score of ab"], 4]);
  ask("abc"), ask("abcd");
  made[5].resolve("score of abcd"), made[4].resolve(undefined); // the earlier one is lost, which no longer matters
  await until(() => shown.length > 1);
  await new Promise((done) => setTimeout(done, 5));
  assert.deepEqual(lost, [true, false]);
  const slow = held(3);
  slow.ask("a");
  await until(() => slow.lost.length > 0); // a reply that does not come in time
  const answer = setInterval(() => slow.made.at(-1).resolve("score of a"), 1);
  await until(() => slow.shown.length > 0);
  clearInterval(answer);
});

test("a job is followed to its outcome or its error, also through a lost connection", async () => {
  const run = async (...replies) => {
    const seen = { steps: [], lost: [], pauses: [] };
    const server = { progress: async () => replies.shift() };
    const show = { progress: (...step) => seen.steps.push(step), lost: (is) => seen.lost.push(is) };
    return { ...(await follow(server, { job: "7" }, show, async (pause) => seen.pauses.push(pause))), ...seen };
  };
  const done = await run({ state: "waiting", place: 2, fraction: 0 }, { state: "running", fraction: 0.5, message: "qasper" }, { state: "done", made: { of: "7" } });
  assert.deepEqual([done.of, done.steps], ["7", [[0, "waiting, 2 before this one"], [0.5, "qasper"]]]);
  const lost = await run(undefined, undefined, { state: "done", made: { of: "7" } });
  assert.deepEqual([lost.of, lost.pauses, lost.lost], ["7", [2_000, 2_000], [true, true, false]]);
  assert.equal((await run({ state: "failed", message: "no rows" })).error, "no rows");
  assert.deepEqual(await follow({}, { error: "no file" }), { error: "no file" });
  assert.match((await follow({}, undefined)).error, /could not be reached/);
});

test("where boxes do not grow by themselves they get a row for each of their lines", () => {
  const rows = ["", "a\nb", `a\n${"b".repeat(130)}`, "\n".repeat(40)].map((value) => {
    const box = { value };
    fit([box]);
    return box.rows;
  });
  assert.deepEqual(rows, [2, 3, 5, 12]);
});
