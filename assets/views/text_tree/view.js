/* A tree of texts: the prompt, and after each token the tokens that may follow, each with its probability. A line is as
   thick as the probability of the token that it leads to. It fills its room: from left to right, on a phone from top to
   bottom. What stays from one picture to the next moves there.

   data: { nodes: [{ key, parent, token, number, p, depth, row, hue, share, kind, mark }], ends: [{ node, lines, strong, hue }],
   heads: [text], key: [{ kind, text }] }. A node's parent is a key, empty for the prompt. Every text was formatted by core. */

import { contextOf, drawn, element } from "../shared/element.js";
import { dropUnused, keep } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";

const NARROW = 620; // pixels, below which the tree grows downwards
const [LEAST, MOST] = [14, 24]; // pixels of the letters
const THIN = 1.5; // pixels of a line of probability 0
const THICK = 22; // and how many more for probability 1
const LINE = 1.3; // heights of a letter that a line of an end takes
const pen = contextOf();

function buildTextTree(root) {
  root.classList.add("fills");
  const svg = drawn("svg", "board", { "aria-hidden": "true" });
  const layers = ["edges", "nodes", "ends", "heads"].map((name) => svg.appendChild(drawn("g", name)));
  const key = element("div", "key");
  root.append(svg, key);
  const state = { root, svg, layers, key, kept: new Map() };
  state.watch = new ResizeObserver(() => state.data && layTree(state));
  state.watch.observe(svg);
  return state;
}

function layTree(state) {
  const { data, svg, root } = state;
  const narrow = root.clientWidth < NARROW;
  root.classList.toggle("narrow", narrow);
  const width = svg.clientWidth || 600;
  const height = svg.clientHeight || 400;
  state.used = new Set();
  const family = getComputedStyle(svg).fontFamily;
  state.wide = (text, size, weight) => {
    pen.font = `${weight} ${size}px ${family}`;
    return pen.measureText(text).width;
  };
  const room = narrow ? growDown(state, width, height) : growRight(state, width, height);
  svg.style.fontSize = `${room.size}px`;
  data.heads.forEach((text, depth) => layHead(state, text, depth, room));
  data.nodes.forEach((node) => layNode(state, node, room));
  data.ends.forEach((end) => layEnd(state, end, room));
  dropUnused(state);
}

/** How wide a node's box is, and how high all boxes are. */
const boxWidth = ({ wide }, { token, number }, size) =>
  Math.max(wide(token, size, 650), wide(number, small(size), 500)) + size * 0.9;
const boxHeight = (nodes, size) => size * (nodes.some(({ number }) => number) ? 2.7 : 1.8);
const small = (size) => Math.max(LEAST, size * 0.85);

/** The largest letters with which a layout fits, and the layout; with the least ones it need not fit. */
function fitLetters(layOut) {
  for (let size = MOST; size > LEAST; size -= 0.5) {
    const room = layOut(size);
    if (room.fits) return room;
  }
  return layOut(LEAST);
}

/** Columns are tokens, rows are texts. */
function growRight(state, width, height) {
  const { nodes, ends, heads } = state.data;
  const depths = 1 + Math.max(...nodes.map(({ depth }) => depth));
  const rows = spanOf(nodes);
  return fitLetters((size) => {
    const columns = Array.from({ length: depths }, (_, depth) =>
      Math.max(...nodes.filter((node) => node.depth === depth).map((node) => boxWidth(state, node, size))),
    );
    const tail = Math.max(0, ...ends.flatMap(({ lines }) => lines.map((line) => state.wide(line, size, 700) + size)));
    const tall = boxHeight(nodes, size);
    const head = heads.length ? size * 2 : 0;
    const taken = columns.reduce((sum, each) => sum + each, 0) + tail + 8;
    const gap = Math.min(size * 7, (width - taken) / Math.max(1, depths - 1));
    const pitch = Math.min(size * 9, (height - head - tall - 8) / Math.max(1, rows.count - 1));
    const left = Math.max(4, (width - taken - gap * (depths - 1)) / 2);
    const top = head + (height - head - pitch * (rows.count - 1)) / 2;
    const starts = columns.map((_, depth) => left + columns.slice(0, depth).reduce((sum, each) => sum + each + gap, 0));
    const at = (node) => ({ x: starts[node.depth] + columns[node.depth] / 2, y: top + (node.row - rows.first) * pitch });
    const fits = gap >= size * 1.5 && (rows.count < 2 || pitch >= tall + size * 0.4);
    return { size, tall, at, fits, down: false, starts, columns, head: Math.max(size * 1.2, top - tall / 2 - size), width };
  });
}

/** Rows are tokens, columns are texts. Where there is little room, a token and its number are on one line. */
function growDown(state, width, height) {
  const { nodes, ends } = state.data;
  const depths = 1 + Math.max(...nodes.map(({ depth }) => depth));
  const rows = spanOf(nodes);
  const lines = Math.max(0, ...ends.map((end) => end.lines.length));
  const slot = Math.min(150, width / rows.count);
  const layOut = (size, flat) => {
    const tall = flat ? size * 1.5 : boxHeight(nodes, size);
    const foot = lines * size * LINE + (lines ? size * 0.3 : 0);
    const pitch = (height - foot - tall - 6) / Math.max(1, depths - 1);
    const left = (width - slot * (rows.count - 1)) / 2;
    const room = { size, tall, down: true, width, flat, slot };
    const at = (node) => {
      const half = widthIn(state, node, room) / 2 + 2;
      const x = left + (node.row - rows.first) * slot;
      return { x: Math.min(Math.max(x, half), Math.max(half, width - half)), y: 3 + tall / 2 + node.depth * pitch };
    };
    const boxes = nodes.filter(({ depth }) => depth).map((node) => boxWidth(state, node, size));
    const said = ends.flatMap((end) => end.lines.map((line) => state.wide(line, size, 700)));
    const fits = Math.max(...boxes, ...said, 0) <= slot - 3 && pitch >= tall + size * 0.45;
    return { ...room, at, fits, flat: flat && pitch >= tall };
  };
  const upright = fitLetters((size) => layOut(size, false));
  const pitched = (height - lines * LEAST * LINE) / depths;
  return upright.fits || pitched >= upright.tall + 4 ? upright : layOut(LEAST, true);
}

/** A node's width in a room, and what stands behind its token on the same line: its number where there is room. */
const beside = (state, node, { flat, size, slot }) =>
  flat && node.number && state.wide(node.token, size, 650) + state.wide(node.number, small(size), 500) + size * 1.3 <= slot ? node.number : "";
const widthIn = (state, node, room) => {
  if (!room.flat) return boxWidth(state, node, room.size);
  const number = beside(state, node, room);
  return state.wide(node.token, room.size, 650) + room.size * 0.9 + (number ? state.wide(number, small(room.size), 500) + room.size * 0.4 : 0);
};

function spanOf(nodes) {
  const rows = nodes.map(({ row }) => row);
  const first = Math.min(...rows);
  return { first, count: Math.max(...rows) - first + 1 };
}

const hueOf = ({ hue, share }) => (hue ? `color-mix(in srgb, var(--${hue}) ${share}%, var(--st-background-color))` : "var(--plain)");

function layHead(state, text, depth, room) {
  if (room.down) return;
  const head = keep(state, 3, `head.${depth}`, () => drawn("text", "head", { "text-anchor": "middle" }));
  head.textContent = text;
  head.style.transform = `translate(${(room.starts[depth] + room.columns[depth] / 2).toFixed(1)}px, ${room.head.toFixed(1)}px)`;
}

function layNode(state, node, room) {
  const { size, tall } = room;
  const { x, y } = room.at(node);
  const width = widthIn(state, node, room);
  const parent = state.data.nodes.find(({ key }) => key === node.parent);
  if (parent) layEdge(state, node, parent, room);
  const group = keep(state, 1, `node.${node.key}`, makeNode);
  group.setAttribute("class", `node ${node.kind}`);
  group.dataset.mark = node.mark;
  group.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  group.style.setProperty("--hue", hueOf(node));
  const [box, token, number] = group.children;
  for (const [name, value] of Object.entries({ x: -width / 2, y: -tall / 2, width, height: tall })) box.setAttribute(name, value.toFixed(1));
  token.textContent = node.token;
  token.setAttribute("y", (node.number && !room.flat ? -tall * 0.1 : size * 0.35).toFixed(1));
  number.textContent = room.flat ? "" : node.number;
  if (beside(state, node, room)) token.append(drawn("tspan", "number", { dx: (size * 0.4).toFixed(1) }, node.number));
  number.setAttribute("y", (tall * 0.36).toFixed(1));
  number.style.fontSize = `${small(size)}px`;
}

function makeNode() {
  const group = drawn("g", "node");
  group.append(
    drawn("rect", "box", { rx: 8 }),
    drawn("text", "token", { "text-anchor": "middle" }),
    drawn("text", "number", { "text-anchor": "middle" }),
  );
  return group;
}

/** A line from a node to one that follows it. */
function layEdge(state, node, parent, room) {
  const [from, to] = [room.at(parent), room.at(node)];
  const half = (each) => (room.down ? room.tall : widthIn(state, each, room)) / 2;
  const [a, b] = room.down ? [from.y + half(parent), to.y - half(node)] : [from.x + half(parent), to.x - half(node)];
  const middle = (a + b) / 2;
  const point = (along, across) => (room.down ? `${across.toFixed(1)} ${along.toFixed(1)}` : `${along.toFixed(1)} ${across.toFixed(1)}`);
  const [c, d] = room.down ? [from.x, to.x] : [from.y, to.y];
  const edge = keep(state, 0, `edge.${node.key}`, () => drawn("path", "edge"));
  edge.setAttribute("class", `edge ${node.kind}`);
  edge.dataset.mark = node.mark;
  edge.style.setProperty("--hue", hueOf(node));
  edge.style.strokeWidth = `${(THIN + THICK * node.p).toFixed(1)}px`;
  edge.setAttribute("d", `M ${point(a, c)} C ${point(middle, c)}, ${point(middle, d)}, ${point(b, d)}`);
}

/** What is said of a text behind its last token. */
function layEnd(state, end, room) {
  const node = state.data.nodes.find(({ key }) => key === end.node);
  const { x, y } = room.at(node);
  const { size, tall } = room;
  const text = keep(state, 2, `end.${end.node}`, () => drawn("text", "end"));
  text.setAttribute("class", end.strong ? "end strong" : "end");
  text.dataset.mark = `end.${node.mark}`;
  text.style.fill = end.hue ? `var(--ink-${end.hue})` : "";
  const half = Math.max(...end.lines.map((line) => state.wide(line, size, 700))) / 2 + 2; // on a phone it stays inside
  const begin = room.down
    ? { x: Math.min(Math.max(x, half), room.width - half), y: y + tall / 2 + size * 1.15 }
    : { x: x + widthIn(state, node, room) / 2 + size * 0.6, y: y + size * (0.35 - ((end.lines.length - 1) * LINE) / 2) };
  text.setAttribute("text-anchor", room.down ? "middle" : "start");
  text.style.transform = `translate(${begin.x.toFixed(1)}px, ${begin.y.toFixed(1)}px)`;
  text.replaceChildren(...end.lines.map((line, i) => drawn("tspan", "", { x: 0, dy: i ? `${LINE}em` : 0 }, line)));
}

function fillTreeKey({ key, data }) {
  key.replaceChildren(...data.key.map(({ kind, text }) => element("span", "entry", element("i", `swatch ${kind}`), text)));
}

export default function draw(component) {
  const state = mount(component, "text-tree", buildTextTree);
  fillTreeKey(state);
  layTree(state);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
