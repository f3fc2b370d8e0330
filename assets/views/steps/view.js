/* Steps that the server sends once and the learner scrubs through: a picture, what it says, its formulas and its code.

   data: { total, sentenceFirst, shared: what all pictures share, frames: [{ name, picture | null, alt, said, notes: [text], formulas: [LaTeX],
           code: [file, source] | null, below: a second picture, after the notes, if there is one,
           parts: further notes, each with its formulas, [[text, [LaTeX]]], if there are any }],
           and what shared/sent_bar.js reads }
   Every number is core's. `total` counts the steps that are still to be guessed too; those are not among the frames. */

import { element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { formula } from "../shared/latex.js";
import { mount, unmount } from "../shared/mount.js";
import { sentBar } from "../shared/sent_bar.js";
import { bars } from "./bars.js";
import { chances } from "./chances.js";
import { decoder } from "./decoder.js";
import { examples } from "./examples.js";
import { factors } from "./factors.js";
import { lens } from "./lens.js";
import { masking } from "./masking.js";
import { matrices } from "./matrices.js";
import { merging } from "./merging.js";
import { shifted } from "./shifted.js";
import { sliding } from "./sliding.js";
import { surface } from "./surface.js";
import { twoWays } from "./two_ways.js";
import { unrolled } from "./unrolled.js";
import { tokenWindow } from "./window.js";

const PICTURES = {
  bars, chances, decoder, examples, factors, lens, masking, matrices, merging, shifted, sliding, surface,
  twoWays, unrolled,
  window: tokenWindow,
};

function picture(state) {
  const frame = state.frames[state.at];
  state.picture.hidden = !frame.picture;
  if (!frame.picture) return;
  const width = state.picture.clientWidth;
  if (!width) return; // not laid out yet: the observer calls again
  const tell = (words) => (state.pointed.textContent = words);
  const draw = (each) => PICTURES[each.kind](each, width, tell, state.shared);
  state.picture.replaceChildren(draw(frame.picture));
  state.picture.setAttribute("aria-label", frame.alt);
  state.below.replaceChildren(...(frame.below ? [draw(frame.below)] : []));
}

const worked = (latex) => Object.assign(element("div", "formula", formula(latex)), { tabIndex: 0 }); // a long one scrolls

function show(state, at) {
  state.at = at;
  const frame = state.frames[at];
  picture(state);
  state.pointed.textContent = "";
  state.said.textContent = frame.said;
  state.rest.replaceChildren(
    ...frame.notes.map((note) => element("p", "note", note)),
    state.below,
    ...frame.formulas.map(worked),
    ...(frame.parts ?? []).flatMap(([note, formulas]) => [element("p", "note part", note), ...formulas.map(worked)]),
  );
  if (frame.code) state.rest.append(element("p", "file", frame.code[0]), element("pre", "code", frame.code[1]));
}

function build() {
  const state = { picture: element("div", "picture"), pointed: element("p", "pointed"), said: element("p", "said"), rest: element("div"), below: element("div", "below") };
  state.picture.tabIndex = 0; // the course's keys step while it has the focus
  state.picture.setAttribute("role", "img");
  state.said.setAttribute("role", "status");
  state.resized = new ResizeObserver(() => {
    if (state.frames && state.width !== state.picture.clientWidth) picture(state);
    state.width = state.picture.clientWidth;
  });
  state.resized.observe(state.picture);
  return state;
}

export default function draw(component) {
  const state = mount(component, "steps", build);
  const { data } = component;
  const sent = JSON.stringify(data);
  const leave = () => {
    state.bar.pause();
    state.resized.disconnect();
    unmount(component.parentElement)();
  };
  if (state.sent === sent) return leave;
  Object.assign(state, { sent, frames: data.frames, shared: data.shared });
  sentBar(state, data, {
    steps: data.frames.length,
    label: translated("Step"),
    pace: 1200,
    show: (at) => show(state, at),
    say: (at) => translated("Step {n} of {total}: {name}", { n: at + 1, total: data.total, name: data.frames[at].name }),
  });
  const pictured = data.sentenceFirst ? [state.said, state.picture, state.pointed] : [state.picture, state.pointed, state.said];
  const box = element("div", "", state.bar.root, ...pictured, state.rest);
  state.bar.keys(box);
  state.root.replaceChildren(box);
  return leave;
}
