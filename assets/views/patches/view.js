/* A picture cut into patches, as often as there is something to lay over it. Python sends everything
   (core/figures/images/patches.py).

   data: { side, across, pixels, hidden, chosen, columns, note, bare, order, panels: [{ title, press, values, most }] }
   pixels: base64 of side x side x 3 bytes; hidden: the places that are out of sight; chosen: the place that is framed, or
   -1; note: what is said until a patch is pointed at; bare: it fills its room and has no note; order: which patch each place has, and where that changes the
   patches go there; a panel is what shared/patch_board.js draws.
   In a panel with `press` each patch is a button. It reports `hide`, the place whose patch goes out of sight or back. */

import { element } from "../shared/element.js";
import { play } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";
import { bytes } from "../shared/numbers.js";
import { patchBoard } from "../shared/patch_board.js";

/* Each patch goes from the place where it was to the one where it is. */
function move(state, board, before) {
  const { across, side, order } = state.data;
  const picture = board.querySelector("canvas");
  const size = side / across;
  play(picture, [{ opacity: 0 }, { opacity: 0 }]);
  [...board.querySelectorAll(".cell")].forEach((cell, place) => {
    const [column, row] = [place % across, Math.floor(place / across)];
    const from = before.indexOf(order[place]);
    const piece = Object.assign(element("canvas", "piece"), { width: size, height: size });
    piece.getContext("2d").drawImage(picture, column * size, row * size, size, size, 0, 0, size, size);
    cell.prepend(piece);
    const [right, down] = [100 * ((from % across) - column), 100 * (Math.floor(from / across) - row)];
    const steps = [{ transform: `translate(${right}%, ${down}%)` }, { transform: "none" }];
    const moving = play(piece, steps);
    if (moving) moving.onfinish = () => piece.remove();
    else piece.remove();
  });
}

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
  state.root.classList.toggle("fills", Boolean(data.bare));
  state.note.hidden = Boolean(data.bare);
  state.body.style.setProperty("--columns", data.columns);
  state.body.replaceChildren(...data.panels.map((panel) => patchBoard(state, panel)));
  const before = state.order;
  state.order = data.order;
  const changed = before && data.order && before.some((patch, place) => patch !== data.order[place]);
  if (changed) move(state, state.body.firstChild, before);
  if (held) state.body.querySelectorAll("button")[state.focused]?.focus();
  else state.note.textContent = data.note;
  return unmount(component.parentElement);
}
