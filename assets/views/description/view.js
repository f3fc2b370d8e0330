/* The pictures of a lab in words and numbers: a grid for each, which the arrow keys walk (shared/text_twin.js).

   data: { pictures: [{ title, alt, sentence, axes, columns: [names], rows: [[texts]], step, at }], lesson }
   It reports `step`, { name, at }, when a picture's view has come to rest at a step other than `at`, the one described: null
   for the one that the view began with. The view keeps it in the address, under the lesson's name and `step`. */

import { hear, recalled } from "../shared/address.js";
import { element } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";
import { textTwin } from "../shared/text_twin.js";

const REST = 400; // milliseconds without a step, before the page describes the picture again

/** Tell the page, once, where a picture's view is now. */
function tellStep(state, name, now) {
  const other = state.data.pictures.some(({ step, at }) => step === name && at !== now);
  clearTimeout(state.timers[name]);
  if (!other || Object.is(state.told[name], now)) return;
  state.timers[name] = setTimeout(() => {
    state.told[name] = now;
    state.report("step", { name, at: now });
  }, REST);
}

/** Hear of each step that the pictures' views keep; one may have moved while nobody heard. */
function hearSteps(state) {
  const { pictures, lesson } = state.data;
  for (const deaf of state.heard) deaf();
  const names = new Set(pictures.map(({ step }) => step).filter(Boolean));
  state.heard = [...names].map((name) => hear(`${lesson}_${name}`, (/** @type {number | null} */ now) => tellStep(state, name, now)));
  for (const name of names) {
    const kept = recalled(`${lesson}_${name}`);
    tellStep(state, name, kept === null ? null : Number(kept));
  }
}

export default function draw(component) {
  const state = mount(component, "descriptions", () => ({ timers: {}, told: {}, heard: [] }));
  const { pictures } = state.data;
  const held = state.root.contains(state.root.getRootNode().activeElement);
  state.root.replaceChildren(...pictures.flatMap((told, number) => {
    const grid = element("div", "scrolls", textTwin(told, told.title, `twin-${number}`));
    return pictures.length > 1 ? [element("h3", "", told.title), grid] : [grid];
  }));
  if (held) state.root.querySelector("[tabindex='0']")?.focus();
  hearSteps(state);
  return () => {
    for (const deaf of state.heard) deaf();
    unmount(component.parentElement)();
  };
}
