/* All heads of a model at once: a row a layer, a column a head. Python sends every weight (core/figures/self_attention/heads.py).

   data: { layers, heads, side, cell, chosen: [layer, head], shades }
   shades: base64 of bytes, layers x heads x side x side: 255 times the square root of the weight, so that small ones
   are seen; 0 where it is masked. A text longer than the
   grid can show comes averaged, `cell` tokens a cell. It reports `head`, { layer, head }. */

import { button, element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { bytes } from "../shared/numbers.js";
import { rgb } from "../shared/surfaces.js";

/* One pixel a cell, as dark as its shade. */
function paint(canvas, shades, side, colour) {
  Object.assign(canvas, { width: side, height: side });
  const context = canvas.getContext("2d");
  const image = context.createImageData(side, side);
  shades.forEach((shade, i) => image.data.set([...colour, shade], 4 * i));
  context.putImageData(image, 0, 0);
}

function repaint(state) {
  const { layers, heads, side } = state.data;
  const primary = getComputedStyle(state.root).getPropertyValue("--st-primary-color").trim() || "#0072b2";
  const [colour, size] = [rgb(primary), side * side];
  for (let i = 0; i < layers * heads; i += 1) {
    paint(state.buttons[i].firstChild, state.shades.subarray(i * size, (i + 1) * size), side, colour);
  }
}

function mark(state) {
  const [layer, head] = state.chosen;
  state.buttons.forEach((each, i) => {
    const open = i === layer * state.data.heads + head;
    each.setAttribute("aria-pressed", String(open));
    each.tabIndex = open ? 0 : -1;
  });
}

function choose(state, i) {
  const { heads } = state.data;
  state.chosen = [Math.floor(i / heads), i % heads];
  mark(state);
  state.report("head", { layer: state.chosen[0], head: state.chosen[1] });
}

/* Arrow keys move the focus; Enter or Space, as in any button, opens the head. */
function moved(state, i, key) {
  const { layers, heads } = state.data;
  const [layer, head] = [Math.floor(i / heads), i % heads];
  const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key];
  const within = (place, n) => Math.max(0, Math.min(n - 1, place));
  state.buttons[within(layer + down, layers) * heads + within(head + right, heads)].focus();
}

function headButton(state, layer, head) {
  const i = layer * state.data.heads + head;
  const made = button("head", "", () => choose(state, i));
  made.setAttribute("aria-label", translated("Layer {layer}, head {head}", { layer: layer + 1, head: head + 1 }));
  made.onkeydown = (event) => {
    if (!event.key.startsWith("Arrow")) return;
    moved(state, i, event.key);
    event.preventDefault();
  };
  made.append(element("canvas"));
  return made;
}

function fill(state) {
  const [layers, heads] = [[...Array(state.data.layers).keys()], [...Array(state.data.heads).keys()]];
  state.grid.style.setProperty("--heads", heads.length);
  state.grid.replaceChildren(
    element("span", "corner"),
    ...heads.map((head) => element("span", "name", translated("head {n}", { n: head + 1 }))),
    ...layers.flatMap((layer) => [
      element("span", "name layer", translated("layer {n}", { n: layer + 1 })),
      ...heads.map((head) => headButton(state, layer, head)),
    ]),
  );
  state.buttons = [...state.grid.querySelectorAll("button")];
}

function build(root) {
  const state = { grid: element("div", "grid"), note: element("p", "note"), sent: null, shape: "", buttons: [] };
  root.append(state.grid, state.note);
  root.ontransitionend = (event) => { if (event.target === root) repaint(state); }; // a new theme
  return state;
}

export default function draw(component) {
  const state = mount(component, "head-grid", build);
  const { data } = component;
  const shape = `${data.layers} ${data.heads}`;
  state.chosen = data.chosen;
  if (state.sent !== data.shades) state.shades = new Uint8Array(bytes(data.shades));
  if (state.shape !== shape) fill(state);
  if (state.sent !== data.shades || state.shape !== shape) repaint(state);
  Object.assign(state, { sent: data.shades, shape });
  state.note.textContent = data.cell === 1
    ? translated("Rows: query (from). Columns: key (to). The bluer, the heavier; shades go with the square root.")
    : translated("Each cell is the mean of {n} × {n} weights; shades go with the square root.", { n: data.cell });
  mark(state);
  return unmount(component.parentElement);
}
