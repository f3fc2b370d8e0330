/* The list of beats, to jump to one. */

import { button, element } from "../shared/element.js";

/** The beats that can be gone to: the story's, or the lecture's that is played. */
export const listed = ({ playlist, beats }) => playlist?.beats ?? beats;

export function closeJump(state) {
  const open = state.root.querySelector(".jump-list");
  open?.remove();
  return Boolean(open);
}

export function toggleJump(state, go) {
  if (closeJump(state)) return;
  const { labels, playlist } = state.data;
  const here = playlist ? state.place?.at : state.place?.number - 1;
  const list = element("ol");
  listed(state.data).forEach(({ title }, i) => {
    const made = button(i === here ? "here" : "", title, () => {
      closeJump(state);
      go(i);
    });
    if (i === here) made.setAttribute("aria-current", "step");
    list.append(element("li", "", made));
  });
  const dialog = element("div", "jump-list", element("h2", "", labels.beats), list);
  dialog.setAttribute("role", "dialog");
  dialog.setAttribute("aria-label", labels.beats);
  state.root.append(dialog);
  list.querySelector("[aria-current] , button")?.focus();
}
