/* Scenes in an order, each with a line of words below it. Python sends everything (core/figures/images/one_space.py).

   data: { side, note, scenes: [{ number, pixels, name, line, true, chosen }] }
   pixels: base64 of side x side x 3 bytes; name: what it is called, its rank in front where it has one; line: its cosine;
   true: whether the sentence is true of it, null where nobody knows or nobody may know yet; chosen: whether it is framed.
   A press reports `pick`, the scene's number. */

import { button, element } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";
import { bytes } from "../shared/numbers.js";
import { paint } from "../shared/pixels.js";

function card(state, scene) {
  const canvas = element("canvas");
  paint(canvas, new Uint8Array(bytes(scene.pixels)), state.data.side);
  const made = button("scene", "", () => state.report("pick", { number: scene.number }));
  made.classList.toggle("framed", scene.chosen);
  made.append(
    canvas,
    element("span", "name", scene.name, scene.true ? element("span", "true", " ✓ true") : ""),
    element("span", "line", scene.line),
  );
  made.setAttribute("aria-pressed", String(scene.chosen));
  return made;
}

function build(root) {
  const state = { body: element("div", "scenes"), note: element("p", "note") };
  root.append(state.body, state.note);
  return state;
}

export default function draw(component) {
  const state = mount(component, "ranked-scenes", build);
  state.body.replaceChildren(...component.data.scenes.map((scene) => card(state, scene)));
  state.note.textContent = component.data.note;
  return unmount(component.parentElement);
}
