/* A picture cut into patches, with squares laid over it; in a board with `press` each patch is a button.

   The view's state: { data: { across, side, hidden, chosen }, pixels: side x side x 3 bytes, focused, note, report }. A panel
   is { title, press, values, most }: values is a number a place, null where it has none, or no list; most is the largest of
   them in size. A square's area is in proportion to |value|, hollow where the value is below nought; the largest has FULL
   of its patch's side, so that the picture is still seen around it. What is TOO_SMALL has none. The rules for how it looks
   stand in shared.css. */

import { button, element } from "./element.js";
import { translated } from "./labels.js";
import { written } from "./numbers.js";
import { paint } from "./pixels.js";

const FULL = 0.8;
const TOO_SMALL = 0.01; // of the largest: such a square would be nothing but its edge

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/* Arrow keys go from patch to patch; Enter or Space, as on any button, hides it. */
function movedTo(state, cells, place, event) {
  const step = ARROWS[event.key];
  if (!step || event.altKey) return;
  const { across } = state.data;
  const within = (n) => Math.max(0, Math.min(across - 1, n));
  const to = within(Math.floor(place / across) + step[0]) * across + within((place % across) + step[1]);
  state.focused = to;
  cells.forEach((each, i) => { each.tabIndex = i === to ? 0 : -1; });
  cells[to].focus();
  event.preventDefault();
}

function patchName(state, place) {
  const { across } = state.data;
  return translated("Patch {n}, row {row}, column {column}", { n: place + 1, row: Math.floor(place / across) + 1, column: (place % across) + 1 });
}

/* What is said of a patch that is pointed at. */
function saidOf(state, panel, place) {
  const value = panel.values?.[place];
  const out = state.data.hidden.includes(place) ? `: ${translated("hidden")}` : "";
  return patchName(state, place) + out + (value === null || value === undefined ? "" : `: ${written(value, 4)}`);
}

function markOf(value, most) {
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
    cell.setAttribute("aria-label", patchName(state, place));
    cell.setAttribute("aria-pressed", String(hidden));
    cell.tabIndex = place === state.focused ? 0 : -1;
    cell.onkeydown = (event) => movedTo(state, cells, place, event);
    cell.onfocus = () => { state.note.textContent = saidOf(state, panel, place); };
  }
  cell.onpointerenter = () => { state.note.textContent = saidOf(state, panel, place); };
  const value = panel.values?.[place];
  if (Math.abs(value ?? 0) > TOO_SMALL * panel.most) cell.append(markOf(value, panel.most));
  return cell;
}

/**
 * One board with its title.
 * @param {any} state the view's
 * @param {any} panel
 * @returns {HTMLElement}
 */
export function patchBoard(state, panel) {
  const canvas = element("canvas");
  paint(canvas, state.pixels, state.data.side);
  const cells = [];
  for (let place = 0; place < state.data.across ** 2; place += 1) cells.push(cellOf(state, panel, place, cells));
  const grid = element("div", "grid", ...cells);
  grid.style.setProperty("--across", state.data.across);
  if (panel.press) {
    grid.setAttribute("role", "group");
    grid.setAttribute("aria-label", translated("Patches; arrow keys go from patch to patch, Enter hides one"));
  } else grid.setAttribute("aria-hidden", "true");
  return element("figure", "in-patches", element("figcaption", "", panel.title), element("div", "board", canvas, grid));
}
