/* A window of tokens as training examples: a row for each example, with what it may read and what it must predict. It fills
   its room, and its cells stay in their places from one picture to the next.

   data: { widths: [number] of the columns, rows: [{ name, lit, cells: [{ text, kind }] }], links: [[[row, column],
   [row, column]]], sides: [{ title, hue, texts, bars: [share] or null, mark: share or null }], key: [{ text, kind }], sum }.
   Kinds of cell: none, plain, seen, target, hidden, leak (a target that the row can read). A link is an arrow from one cell to
   another; a side stands right of the rows, as bars and numbers, its `mark` crosses all bars. Every text was formatted by
   core. */

import { drawn, element } from "../shared/element.js";
import { dropUnused, fadeIn, keep } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";

const [SMALLEST, LARGEST] = [14, 32]; // pixels of type
const LETTER = 0.58; // the width of a letter, in sizes of type
const [WIDE, TALL] = [92, 74]; // pixels of a cell, at most
const NARROW = 560; // pixels
const GAP = 84; // pixels between rows that links join
/** How many letters wide a text is: signs of East Asia and emoji are wider. */
const across = (text) => [...text].reduce((sum, sign) => sum + (sign.codePointAt(0) > 0x2e80 ? 2.3 : 1), 0);

function buildStaircase(root) {
  root.classList.add("fills");
  root.setAttribute("aria-hidden", "true");
  const [key, board, grid, sum] = [element("p", "key"), element("div", "board"), element("div", "grid"), element("p", "sum")];
  const links = drawn("svg", "links");
  links.append(drawn("defs", ""));
  const head = drawn("marker", "pointer", { id: "points", viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 13, markerHeight: 13, orient: "auto", markerUnits: "userSpaceOnUse" });
  head.append(drawn("path", "", { d: "M 0 0 L 10 5 L 0 10 z" }));
  links.firstChild.append(head);
  board.append(grid);
  root.append(key, board, sum);
  const state = { root, key, grid, board, sum, links, kept: new Map(), layers: { grid } };
  state.watch = new ResizeObserver(() => state.data && layStaircase(state));
  state.watch.observe(root);
  return state;
}

/** Return the element of a mark, which stays from picture to picture; a new one fades in. */
function keepMark(state, mark, make) {
  return keep(state, "grid", mark, () => {
    const made = fadeIn(make(), 400);
    made.dataset.mark = mark;
    return made;
  });
}

function at(made, row, column) {
  made.style.gridArea = `${row} / ${column}`;
  return made;
}

function drawStaircase(state) {
  const { data } = state;
  state.used = new Set();
  const n = data.widths.length;
  data.rows.forEach((row, r) => {
    at(keepMark(state, `row.${r}`, () => element("div", "name")), r + 2, 1).textContent = row.name;
    row.cells.forEach((cell, c) => drawCell(at(keepMark(state, `cell.${r}.${c}`, () => element("div", "cell", element("span", "text"))), r + 2, c + 2), cell, row.lit));
  });
  data.sides.forEach((side, i) => {
    const column = n + 2 + i;
    const title = at(keepMark(state, `title.${i}`, () => element("div", "title")), 1, column);
    title.textContent = side.title;
    title.style.setProperty("--ink", `var(--ink-${side.hue})`);
    side.texts.forEach((text, r) => drawSide(at(keepMark(state, `side.${i}.${r}`, makeSide), r + 2, column), side, text, r, data.rows[r].lit));
  });
  dropUnused(state);
  state.key.replaceChildren(...data.key.map(({ text, kind }) => element("span", "entry", element("i", `swatch ${kind}`), text)));
  state.sum.textContent = data.sum;
}

function drawCell(made, { text, kind }, lit) {
  made.className = `cell ${kind}`;
  made.classList.toggle("now", lit && kind !== "none");
  made.firstChild.textContent = text;
}

function makeSide() {
  return element("div", "side", element("span", "track", element("i", "fill"), element("i", "mark")), element("span", "value"));
}

function drawSide(made, { bars, mark, hue }, text, r, lit) {
  made.classList.toggle("barred", Boolean(bars));
  made.classList.toggle("now", lit);
  made.style.setProperty("--hue", `var(--${hue})`);
  made.style.setProperty("--share", `${100 * (bars?.[r] ?? 0)}%`);
  made.style.setProperty("--mark", `${100 * (mark ?? 0)}%`);
  made.classList.toggle("marked", mark !== null);
  made.lastChild.textContent = text;
}

/** Give columns and rows the room that there is, and type the largest size at which all texts fit. */
function layStaircase(state) {
  const { data, root, grid, board } = state;
  const [width, height] = [board.clientWidth || 600, board.clientHeight || 400];
  const narrow = width < NARROW;
  const [n, m] = [data.rows.length, data.widths.reduce((sum, each) => sum + each, 0)];
  const long = (texts) => Math.max(1, ...texts.map(across));
  const note = narrow ? SMALLEST : 18;
  const names = Math.min(width * 0.2, long(data.rows.map(({ name }) => name)) * LETTER * note + 12);
  const sides = data.sides.map(({ title, texts, bars }) => {
    const numbers = Math.max(long(texts) * LETTER * note, (bars ? 0 : long(title.split(" "))) * LETTER * note) + (narrow ? 10 : 18);
    return numbers + (bars ? (narrow ? 44 : Math.min(190, width * 0.2)) : 0);
  });
  const beside = sides.reduce((sum, each) => sum + each, 0);
  const cell = Math.min(n === 1 ? 1.2 * WIDE : WIDE, (width - names - beside - 4) / m);
  const head = data.sides.length ? (narrow ? 56 : 72) : 0; // three lines
  const gap = data.links.length ? Math.min(GAP, height / 4) : 0;
  const tall = Math.min(TALL, (height - head - gap * (n - 1) - 2) / n);
  const room = Math.min(...data.rows.flatMap(({ cells }) => cells.map(({ text }, c) => (text ? (cell * data.widths[c] - 8) / (across(text) * LETTER) : Infinity))));
  root.style.setProperty("--size", `${Math.max(SMALLEST, Math.min(LARGEST, tall * 0.56, room))}px`);
  root.style.setProperty("--note", `${note}px`);
  grid.style.rowGap = `${gap}px`;
  const rows = gap ? `0px repeat(${n}, ${tall}px)` : `${head}px repeat(${n}, ${tall}px)`;
  grid.style.gridTemplate = `${rows} / ${names}px ${data.widths.map((each) => `${each * cell}px`).join(" ")} ${sides.map((each) => `${each}px`).join(" ")}`;
  grid.style.marginTop = gap ? `${-gap}px` : "";
  layLinks(state);
}

function layLinks({ data, grid, links, kept }) {
  links.querySelectorAll(".link").forEach((each) => each.remove());
  if (!data.links.length) return links.remove();
  grid.append(links);
  const box = ([r, c]) => {
    const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = kept.get(`cell.${r}.${c}`);
    return [offsetLeft + offsetWidth / 2, offsetTop, offsetTop + offsetHeight];
  };
  data.links.forEach(([from, to]) => {
    const [[x1, , y1], [x2, y2]] = [box(from), box(to)];
    links.append(drawn("path", "link", { d: `M ${x1} ${y1 + 3} L ${x2} ${y2 - 4}` }));
  });
}

export default function draw(component) {
  const state = mount(component, "staircase", buildStaircase);
  drawStaircase(state);
  layStaircase(state);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
