/* The player's voice speaks every five seconds at most, and then of the newest. */

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { announcer, PAUSE } from "../../assets/views/story/announce.js";

globalThis.document = /** @type {any} */ ({ createElement: () => ({ append() {}, setAttribute() {}, textContent: "" }) });
globalThis.window = /** @type {any} */ (globalThis);

function voiceAt() {
  const clock = { now: 0 };
  mock.timers.enable({ apis: ["setTimeout"] });
  const pass = (milliseconds) => {
    clock.now += milliseconds;
    mock.timers.tick(milliseconds);
  };
  return { voice: announcer(() => clock.now), pass };
}

test("what moves in quick succession is said at once, then after five seconds, the newest alone", () => {
  const { voice, pass } = voiceAt();
  voice.say("step 1");
  assert.equal(voice.region.textContent, "step 1");
  for (const step of ["step 2", "step 3", "step 4"]) {
    pass(1200);
    voice.say(step);
    assert.equal(voice.region.textContent, "step 1");
  }
  pass(PAUSE - 3600);
  assert.equal(voice.region.textContent, "step 4");
  mock.timers.reset();
});

test("a move after a pause is said at once, and nothing once the player has left", () => {
  const { voice, pass } = voiceAt();
  voice.say("one");
  pass(PAUSE);
  voice.say("two");
  assert.equal(voice.region.textContent, "two");
  voice.say("three");
  voice.stop();
  pass(PAUSE);
  assert.equal(voice.region.textContent, "two");
  mock.timers.reset();
});

test("a beat that one arrives at is said without the pause, in place of what waited", () => {
  const { voice, pass } = voiceAt();
  voice.say("the first beat", true);
  assert.equal(voice.region.textContent, ""); // no screen reader knows of the region
  pass(1000);
  assert.equal(voice.region.textContent, "the first beat");
  voice.say("a move");
  voice.say("the second beat", true);
  assert.equal(voice.region.textContent, "the second beat");
  pass(PAUSE);
  assert.equal(voice.region.textContent, "the second beat");
  mock.timers.reset();
});
