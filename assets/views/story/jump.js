/* The list of beats, to jump to one. */

import { button, element } from "../shared/element.js";

export function closeJump(state) {
  const open = state.root.querySelector(".jump-list");
  open?.remove();
  return Boolean(open);
}

export function toggleJump(state, go) {
  if (closeJump(state)) return;
  const { beats, labels } = state.data;
  const list = element("ol");
  beats.forEach(({ title }, i) => {
    const made = button(i + 1 === state.place?.number ? "here" : "", title, () => {
      closeJump(state);
      go(i + 1);
    });
    if (i + 1 === state.place?.number) made.setAttribute("aria-current", "step");
    list.append(element("li", "", made));
  });
  const dialog = element("div", "jump-list", element("h2", "", labels.beats), list);
  dialog.setAttribute("role", "dialog");
  dialog.setAttribute("aria-label", labels.beats);
  dialog.onkeydown = (event) => {
    if (event.key === "Escape") closeJump(state);
  };
  state.root.append(dialog);
  list.querySelector("[aria-current] , button")?.focus();
}
