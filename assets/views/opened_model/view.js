/* A GPT opened: from the whole model to one block, one part, one matrix, one number. Python sends what stands around the
   place (core/figures/transformers/opened_view.py); nothing is computed here but where things are drawn.

   data: { level 0 to 4, place: { stage, part, matrix, head, token, number }, trail: [5 names], heads, T,
           rows: [{ label, group, n, reach, place }], values: float32 or shares: 16-bit shares of the reach, row after row,
           columns: [names], first, firstRow, of, causal, row, column, moves, panel, closed }
   closed: nothing can be opened yet. It reports `go`, { level, stage, part, matrix, head, token, number }. */

import { button, element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { decoded, decodedShares } from "../shared/numbers.js";
import { drawPanel } from "./panel.js";
import { cellAt, cellWidth, drawTable, readout } from "./table.js";

const REST = 120; // milliseconds without a move, before the page hears of the place
const DEEPEST = 4;
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/* The place of a row and column, which may lie outside what was sent. */
function placeAt(state, row, column) {
  const { data } = state;
  const within = (i, n) => Math.max(0, Math.min(n - 1, i));
  if (data.level >= 3) {
    const [token, number] = [(data.firstRow ?? 0) + row, (data.first ?? 0) + column];
    return { ...data.place, token: within(token, data.T), number: within(number, data.of) };
  }
  const [i, last] = [within(row, data.rows.length), "number" === data.moves[1]];
  const at = within(column, data.rows[i].n);
  return { ...data.place, ...data.rows[i].place, ...(last ? { number: at } : { token: at }) };
}

function report(state, level, place) {
  clearTimeout(state.resting);
  state.resting = 0;
  state.report("go", { level, ...place });
}

function choose(state, row, column) {
  const { data } = state;
  if (data.closed) return;
  const place = placeAt(state, row, column);
  const inside = row >= 0 && row < data.rows.length && column >= 0 && column < data.rows[row].n;
  if (inside) {
    Object.assign(state, { row, column });
    drawTable(state);
    state.status.textContent = readout(state);
  }
  clearTimeout(state.resting);
  state.resting = setTimeout(() => report(state, data.level, place), inside ? REST : 0);
}

function zoom(state, level) {
  if (state.data.closed || level < 0 || level > DEEPEST) return;
  const wide = cellWidth(state, state.row);
  const [x, y] = [state.place.left + (state.column + 0.5) * wide, state.place.ys[state.row]];
  state.canvas.style.transformOrigin = `${x}px ${y}px`;
  report(state, level, placeAt(state, state.row, state.column));
}

function onKey(state, event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const { level, rows } = state.data;
  if (MOVES[event.key]) {
    const [down, right] = MOVES[event.key];
    const row = level < 3 ? Math.max(0, Math.min(rows.length - 1, state.row + down)) : state.row + down;
    const column = level < 3 ? Math.max(0, Math.min(rows[row].n - 1, state.column + right)) : state.column + right;
    choose(state, row, column);
  } else if (event.key === "Enter" || event.key === "+") zoom(state, level + 1);
  else if ((event.key === "Escape" || event.key === "-") && level > 0) zoom(state, level - 1);
  else return;
  event.preventDefault();
}

function drawTrail(state) {
  const { data } = state;
  const steps = data.trail.map((name, level) => {
    const made = button("place", name, () => zoom(state, level));
    if (level === data.level) made.setAttribute("aria-current", "step");
    made.disabled = data.closed;
    return made;
  });
  const out = button("out", `− ${translated("Out")}`, () => zoom(state, data.level - 1));
  out.disabled = data.closed || data.level === 0;
  const into = button("in", `+ ${translated("In")}`, () => zoom(state, data.level + 1));
  into.disabled = data.closed || data.level === DEEPEST;
  const heads = Array.from({ length: data.heads }, (_, head) => {
    const made = button("head", String(head + 1), () => report(state, data.level, { ...data.place, head }));
    made.setAttribute("aria-label", translated("Head {n}", { n: head + 1 }));
    made.setAttribute("aria-pressed", String(head === data.place.head));
    return made;
  });
  if (heads.length) heads.unshift(element("span", "of", translated("head")));
  state.trail.replaceChildren(out, into, ...steps, ...heads);
}

function build(root) {
  const state = { root, trail: element("div", "trail"), canvas: element("canvas", "table"), panel: element("div", "panel"), below: element("div", "below-table"), level: -1, resting: 0 };
  state.status = element("p", "status");
  state.status.setAttribute("role", "status");
  state.canvas.tabIndex = 0;
  state.canvas.setAttribute("role", "application");
  state.canvas.onkeydown = (event) => onKey(state, event);
  state.canvas.onclick = (event) => {
    const at = cellAt(state, event);
    if (!at) return;
    if (at.row === state.row && at.column === state.column) zoom(state, state.data.level + 1);
    else choose(state, at.row, at.column);
  };
  const table = element("div", "tables", state.canvas, state.status, state.below);
  root.append(state.trail, element("div", "sides", table, state.panel));
  root.ontransitionend = (event) => { if (event.target === root) drawTable(state); }; // a new theme
  state.resized = new ResizeObserver(() => drawTable(state));
  state.resized.observe(table);
  return state;
}

/* The new level grows out of the chosen cell, or shrinks back into it. */
function animate(state, level) {
  if (state.level >= 0 && level !== state.level) {
    state.canvas.classList.remove("into", "back");
    void state.canvas.offsetWidth; // begins the animation anew
    state.canvas.classList.add(level > state.level ? "into" : "back");
  }
  state.level = level;
}

export default function draw(component) {
  const state = mount(component, "opened-model", build);
  const { data } = component;
  state.values = data.values ? decoded(data.values) : decodedShares(data.shares).map((share) => share * data.rows[0].reach);
  if (!state.resting || data.level !== state.level) Object.assign(state, { row: data.row, column: data.column });
  state.row = Math.min(state.row, data.rows.length - 1);
  state.column = Math.min(state.column, data.rows[state.row].n - 1);
  state.canvas.setAttribute("aria-label", translated("{name}: {n} rows of numbers. Arrow keys choose one, Enter zooms in, Escape out.", { name: data.trail[data.level], n: data.rows.length }));
  drawTrail(state);
  animate(state, data.level);
  drawTable(state);
  drawPanel(state);
  state.status.textContent = readout(state);
  return () => {
    clearTimeout(state.resting);
    state.resized.disconnect();
    unmount(component.parentElement)();
  };
}
