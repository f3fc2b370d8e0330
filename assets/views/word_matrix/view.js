/* Words by contexts: a row for each word, a column for each context, a number in each cell; above them, where there is one,
   the sentence that a window slides over. It fills its room, and rows and cells that stay move there.

   data: { strip: [{ text, kind }], axes: { row, column, cell }, rows: [{ text, kind }], columns: [{ text, kind }],
   cells: [[{ text, kind, shade }]], side: null or { title, texts } }. Kinds of a word of the strip: centre, around, faint.
   Kinds of row and column: plain, now. Kinds of cell: plain, now (framed), low (below 0); `shade` (0 to 1) is how full its
   colour is. `side` stands right of the rows. Every text was formatted by core. Marks: word.p, row.name, column.name,
   cell.row.column, side.name. */

import { element } from "../shared/element.js";
import { dropUnused, fadeIn, keep } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";

const [SMALLEST, LARGEST] = [14, 28]; // pixels of type
const LETTER = 0.6; // the width of a letter, in sizes of type
const [WIDEST, TALLEST] = [130, 84]; // pixels of a cell

function buildMatrix(root) {
  root.classList.add("fills");
  const [strip, board, axis] = [element("p", "strip"), element("div", "board"), element("p", "axis")];
  const grid = board.appendChild(element("div", "grid"));
  root.append(strip, axis, board);
  const state = { root, strip, axis, board, grid, layers: { grid }, kept: new Map(), used: new Set() };
  state.watch = new ResizeObserver(() => state.data && layMatrix(state));
  state.watch.observe(board);
  return state;
}

const long = (texts) => Math.max(1, ...texts.map((text) => [...text].length));

function drawStrip({ strip, data }) {
  while (strip.children.length > data.strip.length) strip.lastChild.remove();
  while (strip.children.length < data.strip.length) strip.append(element("span", "", ""));
  data.strip.forEach(({ text, kind }, p) => {
    const made = strip.children[p];
    made.className = `word ${kind}`;
    made.textContent = text;
    made.dataset.mark = `word.${p}`;
  });
}

/** Write a text where there was another one; it fades in. */
function write(made, text) {
  if (made.textContent === text) return;
  made.textContent = text;
  fadeIn(made, 450);
}

/** One part of the grid: it is made once, and has its place in pixels. */
function lay(state, key, className, text, mark, [left, top, width, height]) {
  const made = keep(state, "grid", key, () => fadeIn(element("span"), 450));
  made.className = className;
  write(made, text);
  if (mark) made.dataset.mark = mark;
  Object.assign(made.style, { width: `${width}px`, height: `${height}px`, transform: `translate(${left}px, ${top}px)` });
  return made;
}

function layMatrix(state) {
  const { data, board, grid, root } = state;
  const { rows, columns, cells, side } = data;
  const [width, height] = [board.clientWidth || 600, board.clientHeight || 400];
  const label = width < 560 ? 15 : Math.min(22, 12 + width / 80);
  const written = long(cells.flat().map(({ text }) => text));
  const names = long(rows.map(({ text }) => text)) * LETTER * label + 14;
  const beside = side ? Math.max(long(side.texts) * LETTER * label, long([side.title]) * 9) + 18 : 0;
  const cell = Math.min(WIDEST, (width - names - beside - 2) / columns.length);
  const letters = long(columns.map(({ text }) => text)) * LETTER;
  const heading = Math.max(15, Math.min(label, (cell - 4) / letters));
  const turned = letters * heading > cell; // no room for a name across its column
  const head = turned ? letters * heading + 12 : label + 14;
  const tall = Math.min(TALLEST, (height - head - 2) / rows.length);
  const size = Math.max(SMALLEST, Math.min(LARGEST, tall * 0.5, (cell - 6) / (written * LETTER)));
  for (const [name, value] of Object.entries({ "--size": size, "--label": label, "--heading": heading })) root.style.setProperty(name, `${value}px`);
  grid.style.width = `${names + columns.length * cell + beside}px`;
  grid.style.height = `${head + rows.length * tall}px`;
  state.used = new Set();
  columns.forEach(({ text, kind }, c) => {
    lay(state, `column.${text}`, `label column ${kind}${turned ? " turned" : ""}`, text, `column.${text}`, [names + c * cell, 0, cell, head]);
  });
  rows.forEach((row, r) => {
    const top = head + r * tall;
    lay(state, `row.${row.text}`, `label row ${row.kind}`, row.text, `row.${row.text}`, [0, top, names, tall]);
    columns.forEach((column, c) => {
      const { text, kind, shade } = cells[r][c];
      const key = `cell.${row.text}.${column.text}`;
      const made = lay(state, key, `cell ${kind}`, text, key, [names + c * cell, top, cell, tall]);
      made.style.setProperty("--share", `${Math.round(100 * shade)}%`);
    });
    if (side) lay(state, `side.${row.text}`, `side ${row.kind}`, side.texts[r], `side.${row.text}`, [names + columns.length * cell, top, beside, tall]);
  });
  if (side) lay(state, "title", "side title", side.title, "", [names + columns.length * cell, head - label - 12, beside, label + 10]);
  dropUnused(state);
}

export default function draw(component) {
  const state = mount(component, "word-matrix", buildMatrix);
  drawStrip(state);
  const { row, column, cell } = state.data.axes;
  state.axis.replaceChildren(element("span", "", `${row} ↓  ${column} →`), element("span", "", cell));
  layMatrix(state);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
