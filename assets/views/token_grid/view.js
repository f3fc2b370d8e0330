/* A grid with a column for each token: what is kept of it, computed or forgotten, or what it costs. It fills its room; in a
   lab it has a height of its own. Cells stay in their places from one picture to the next, and their colours change.

   data: { columns: [{ text, hue }], gap, corner, end, rows: [{ name, total, cells: [{ kind, text, share }] }],
   key: [{ kind, text }], sum }. Kinds of cell: none, kept, new, again, open (not known yet), level (`share` is how deep its
   colour is). Before column `gap` is a gap; `corner` names the rows and `end` their totals. Every text was formatted by core.
   Marks: column.c, row.r, cell.r.c. */

import { element } from "../shared/element.js";
import { dropUnused, keep } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";

const NARROW = 560; // pixels
const [SMALLEST, LARGEST, LARGEST_NARROW] = [14, 26, 17]; // pixels of a letter

function buildGrid(root) {
  root.classList.add("fills");
  const [grid, key, sum] = [element("div", "grid"), element("div", "key"), element("p", "sum")];
  for (const part of [grid, key, sum]) part.setAttribute("aria-hidden", "true"); // the alternative text says it
  root.append(grid, key, sum);
  /** @type {any} */
  const state = { root, grid, key, sum, kept: new Map(), used: new Set(), layers: { grid } };
  state.watch = new ResizeObserver(() => state.data && fit(state));
  state.watch.observe(root);
  return state;
}

/** The element of a mark, in its row and column of the grid. */
function place(state, mark, row, column, className, ...text) {
  const made = keep(state, "grid", mark, () => element("div", ""));
  made.className = className;
  made.dataset.mark = mark;
  made.style.gridArea = `${row} / ${column}`;
  made.textContent = text.join("");
  return made;
}

function fill(state) {
  const { data, grid, key, sum, root } = state;
  const { columns, gap, corner, end, rows } = data;
  const at = (c) => 2 + c + (gap && c >= gap ? 1 : 0);
  const last = at(columns.length);
  state.used = new Set();
  const parts = columns.map((_, c) => (gap && c === gap ? "var(--gap) minmax(0, var(--column))" : "minmax(0, var(--column))"));
  grid.style.gridTemplateColumns = `max-content ${parts.join(" ")} max-content`;
  grid.style.gridTemplateRows = `auto repeat(${rows.length}, minmax(0, var(--row)))`;
  root.style.setProperty("--n", String(columns.length));
  place(state, "corner", 1, 1, "corner", corner);
  place(state, "end", 1, last, "end", end);
  columns.forEach(({ text, hue }, c) => place(state, `column.${c}`, 1, at(c), "column", text).style.setProperty("--ink", hue ? `var(--ink-${hue})` : "var(--st-text-color)"));
  rows.forEach(({ name, total, cells }, r) => {
    place(state, `row.${r}`, r + 2, 1, "name", name);
    place(state, `total.${r}`, r + 2, last, "total", total);
    cells.forEach(({ kind, text, share }, c) => place(state, `cell.${r}.${c}`, r + 2, at(c), `cell ${kind}`, text).style.setProperty("--share", `${Math.round(8 + 62 * share)}%`));
  });
  dropUnused(state);
  key.replaceChildren(...data.key.map(({ kind, text }) => element("span", "entry", element("i", `swatch cell ${kind}`), text)));
  sum.textContent = data.sum;
  root.classList.toggle("bench", !data.bare);
}

/** The largest letters with which everything has room; on a narrow screen the tokens stand upright where there are many. */
function fit({ root, grid, key, sum, data }) {
  const narrow = root.clientWidth < NARROW;
  root.classList.toggle("narrow", narrow);
  root.classList.toggle("upright", narrow && data.columns.some(({ text }) => [...text].length > 2) && data.columns.length > 4);
  const wide = () => [...grid.querySelectorAll(".column, .cell")].some((each) => each.scrollWidth > each.clientWidth + 1);
  const tight = () => [root, grid, key, sum].some((each) => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1) || wide();
  for (let size = narrow ? LARGEST_NARROW : LARGEST; size >= SMALLEST; size--) {
    root.style.setProperty("--size", `${size}px`);
    if (!tight()) return;
  }
}

export default function draw(component) {
  const state = mount(component, "token-grid", buildGrid);
  fill(state);
  fit(state);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
