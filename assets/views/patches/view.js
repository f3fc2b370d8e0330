/* A picture cut into patches, as often as there is something to lay over it. Python sends everything
   (core/figures/images/patches.py).

   data: { side, across, pixels, hidden, chosen, columns, note, panels: [{ title, press, values, most }] }
   pixels: base64 of side x side x 3 bytes; hidden: the places that are out of sight; chosen: the place that is framed, or
   -1; note: what is said until a patch is pointed at; a panel is what shared/patch_board.js draws.
   In a panel with `press` each patch is a button. It reports `hide`, the place whose patch goes out of sight or back. */

import { element } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";
import { bytes } from "../shared/numbers.js";
import { patchBoard } from "../shared/patch_board.js";

function build(root) {
  const state = { body: element("div", "boards"), note: element("p", "note"), focused: 0 };
  state.note.setAttribute("aria-live", "polite");
  root.append(state.body, state.note);
  return state;
}

export default function draw(component) {
  const state = mount(component, "patches", build);
  const { data } = component;
  state.pixels = new Uint8Array(bytes(data.pixels));
  if (state.focused >= data.across ** 2) state.focused = 0;
  const held = state.body.contains(state.root.getRootNode().activeElement);
  state.body.style.setProperty("--columns", data.columns);
  state.body.replaceChildren(...data.panels.map((panel) => patchBoard(state, panel)));
  if (held) state.body.querySelectorAll("button")[state.focused]?.focus();
  else state.note.textContent = data.note;
  return unmount(component.parentElement);
}
