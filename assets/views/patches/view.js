/* A picture cut into patches, as often as there is something to lay over it. Python sends everything
   (core/figures/images/patches.py).

   data: { side, across, pixels, hidden, chosen, columns, note, panels: [{ title, press, values, most }] }
   pixels: base64 of side x side x 3 bytes; hidden: the places that are out of sight; chosen: the place that is framed, or
   -1; note: what is said until a patch is pointed at; values: a number a place, null where it has none, or no list; most:
   the largest of them in size. A square's area is in proportion to |value|, hollow where the value is below nought; the
   largest has FULL of its patch's side, so that the picture is still seen around it. What is TOO_SMALL has none.
   In a panel with `press` each patch is a button. It reports `hide`, the place whose patch goes out of sight or back. */

import { button, element } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";
import { bytes, written } from "../shared/numbers.js";

const FULL = 0.8;
const TOO_SMALL = 0.01; // of the largest: such a square would be nothing but its edge

/* The picture, one pixel a pixel; the browser enlarges it without smoothing. */
function paint(canvas, pixels, side) {
  Object.assign(canvas, { width: side, height: side });
  const context = canvas.getContext("2d");
  const image = context.createImageData(side, side);
  for (let i = 0; i < side * side; i += 1) image.data.set([...pixels.subarray(3 * i, 3 * i + 3), 255], 4 * i);
  context.putImageData(image, 0, 0);
}

const KEYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/* Arrow keys go from patch to patch; Enter or Space, as on any button, hides it. */
function moved(state, cells, place, event) {
  const step = KEYS[event.key];
  if (!step || event.altKey) return;
  const { across } = state.data;
  const within = (n) => Math.max(0, Math.min(across - 1, n));
  const to = within(Math.floor(place / across) + step[0]) * across + within((place % across) + step[1]);
  state.focused = to;
  cells.forEach((each, i) => { each.tabIndex = i === to ? 0 : -1; });
  cells[to].focus();
  event.preventDefault();
}

function named(state, place) {
  const { across } = state.data;
  return `Patch ${place + 1}, row ${Math.floor(place / across) + 1}, column ${(place % across) + 1}`;
}

/* What is said of a patch that is pointed at. */
function said(state, panel, place) {
  const value = panel.values?.[place];
  if (state.data.hidden.includes(place)) return `${named(state, place)}: hidden`;
  return named(state, place) + (value === null || value === undefined ? "" : `: ${written(value, 4)}`);
}

function square(value, most) {
  const mark = element("span", value < 0 ? "mark below" : "mark");
  mark.style.setProperty("--size", `${100 * FULL * Math.sqrt(Math.min(1, Math.abs(value) / most))}%`);
  return mark;
}

function cellOf(state, panel, place, cells) {
  const hidden = state.data.hidden.includes(place);
  const cell = panel.press ? button("cell", "", () => state.report("hide", { place })) : element("span", "cell");
  cell.classList.toggle("out", hidden);
  cell.classList.toggle("framed", place === state.data.chosen);
  if (panel.press) {
    cell.setAttribute("aria-label", named(state, place));
    cell.setAttribute("aria-pressed", String(hidden));
    cell.tabIndex = place === state.focused ? 0 : -1;
    cell.onkeydown = (event) => moved(state, cells, place, event);
    cell.onfocus = () => { state.note.textContent = said(state, panel, place); };
  }
  cell.onpointerenter = () => { state.note.textContent = said(state, panel, place); };
  const value = panel.values?.[place];
  if (!hidden && Math.abs(value ?? 0) > TOO_SMALL * panel.most) cell.append(square(value, panel.most));
  return cell;
}

function board(state, panel) {
  const canvas = element("canvas");
  paint(canvas, state.pixels, state.data.side);
  const cells = [];
  for (let place = 0; place < state.data.across ** 2; place += 1) cells.push(cellOf(state, panel, place, cells));
  const grid = element("div", "grid", ...cells);
  grid.style.setProperty("--across", state.data.across);
  if (panel.press) {
    grid.setAttribute("role", "group");
    grid.setAttribute("aria-label", "Patches; arrow keys go from patch to patch, Enter hides one");
  } else grid.setAttribute("aria-hidden", "true");
  return element("figure", "", element("figcaption", "", panel.title), element("div", "board", canvas, grid));
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
  state.body.style.setProperty("--columns", data.columns);
  state.body.replaceChildren(...data.panels.map((panel) => board(state, panel)));
  if (held) state.body.querySelectorAll("button")[state.focused]?.focus();
  else state.note.textContent = data.note;
  return unmount(component.parentElement);
}
