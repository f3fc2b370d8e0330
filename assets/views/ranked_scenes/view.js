/* Scenes in an order, each with a line of words below it. Python sends everything (core/figures/images/one_space.py).

   data: { side, note, bare, columns, said, scenes: [{ number, pixels, name, line, true, chosen }] }
   pixels: base64 of side x side x 3 bytes; name: what it is called, its rank in front where it has one; line: its cosine;
   true: whether the sentence is true of it, null where nobody knows or nobody may know yet; chosen: whether it is framed.
   A press reports `pick`, the scene's number. bare: a beat of a story, which fills its room; said are the captions above;
   `columns` scenes stand side by side, and a scene that stays goes to its new place. */

import { button, element } from "../shared/element.js";
import { comeFrom } from "../shared/kept.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { bytes } from "../shared/numbers.js";
import { paint } from "../shared/pixels.js";

function card(state, scene) {
  const canvas = element("canvas");
  paint(canvas, new Uint8Array(bytes(scene.pixels)), state.data.side);
  const { bare } = state.data;
  const made = bare ? element("div", "scene") : button("scene", "", () => state.report("pick", { number: scene.number }));
  made.classList.toggle("framed", scene.chosen);
  made.append(
    canvas,
    element("span", "name", scene.name, scene.true ? element("span", "true", ` ✓ ${translated("true")}`) : ""),
    element("span", "line", scene.line),
  );
  if (!bare) made.setAttribute("aria-pressed", String(scene.chosen));
  made.dataset.number = scene.number;
  return made;
}

function placesOf(body) {
  return new Map([...body.children].map((each) => [each.dataset.number, each.getBoundingClientRect()]));
}

function build(root) {
  const state = { body: element("div", "scenes"), note: element("p", "note"), said: element("div", "captions") };
  root.append(state.said, state.body, state.note);
  return state;
}

export default function draw(component) {
  const state = mount(component, "ranked-scenes", build);
  const { bare, columns, note, said, scenes } = component.data;
  state.root.classList.toggle("fills", Boolean(bare));
  state.note.hidden = Boolean(bare);
  state.said.replaceChildren(...(said ?? []).map((each) => element("p", "", each)));
  if (bare) {
    state.root.style.setProperty("--columns", columns);
    state.root.style.setProperty("--rows", Math.ceil(scenes.length / columns));
  }
  const before = placesOf(state.body);
  state.body.replaceChildren(...scenes.map((scene) => card(state, scene)));
  state.note.textContent = note;
  if (bare && before.size) for (const each of state.body.children) comeFrom(each, before.get(each.dataset.number));
  return unmount(component.parentElement);
}
