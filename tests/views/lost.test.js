import assert from "node:assert/strict";
import { test } from "node:test";
import { watchConnection } from "../../assets/views/shared/lost.js";

/** Return how often the page is loaded anew: connected, away for so long, connected again, the process named each time. */
async function reloads(names, away) {
  let at = 0;
  let count = 0;
  const asked = [...names];
  const tell = watchConnection(
    async () => asked.shift(),
    () => (count += 1),
    () => at,
  );
  await tell("CONNECTED");
  await tell("PINGING_SERVER");
  at += away;
  await tell("CONNECTING");
  await tell("CONNECTED");
  return count;
}

test("a page whose process is gone is loaded anew, once", async () => {
  assert.equal(await reloads(["a", "b"], 1_000), 1);
});

test("a page that finds its process again stays, with what it had", async () => {
  assert.equal(await reloads(["a", "a"], 60_000), 0);
});

test("a page that was away for longer than its session is kept is loaded anew", async () => {
  assert.equal(await reloads(["a", "a"], 121_000), 1);
});

test("a page whose server does not name its process stays", async () => {
  assert.equal(await reloads(["a", ""], 1_000), 0);
});
