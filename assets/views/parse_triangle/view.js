/* Spans of a sentence as boxes above its words: a box is as far right as the middle of its words, and the higher the more
   words it covers. All boxes of a chart are its triangle; those of a tree, with lines to what they are made of, are the tree.
   Several panels stand side by side, on a phone one above the other. Below them are products or sums. What stays moves.

   data: { panels: [{ name, words, nodes: [{ i, j, label, number, kind, hue }], edges: [{ i, j, a, b, kind }] }], operator, lines:
   [{ name, factors: [{ text, label }], result, kind }] }. A span holds the words i ... j-1; an edge leads from the span i, j
   down to the span a, b. Kinds of node and edge: empty, filled, now, best, faint. Kinds of line: plain, kept, dropped. Every
   text was formatted by core. */

import { contextOf, drawn, element } from "../shared/element.js";
import { dropUnused, keep } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";

const NARROW = 620; // pixels, below which panels stand one above the other
const [LEAST, MOST] = [14, 24]; // pixels of the letters
const TALL = { 1: 1.5, 2: 2.5 }; // heights of a letter that a box of one line or of two takes
const GAP = 0.5; // and what is between two levels at least
const pen = contextOf();

function buildTriangle(root) {
  root.classList.add("fills");
  const svg = drawn("svg", "board", { "aria-hidden": "true" });
  const layers = ["edges", "nodes", "words", "names"].map((name) => svg.appendChild(drawn("g", name)));
  const lines = element("div", "lines");
  root.append(svg, lines);
  const state = { root, svg, layers, lines, kept: new Map() };
  state.watch = new ResizeObserver(() => state.data && layPanels(state));
  state.watch.observe(svg);
  return state;
}

function layPanels(state) {
  const { data, svg } = state;
  const [width, height] = [svg.clientWidth || 600, svg.clientHeight || 400];
  const family = getComputedStyle(svg).fontFamily;
  state.wide = (text, size) => {
    pen.font = `650 ${size}px ${family}`;
    return pen.measureText(text).width;
  };
  state.used = new Set();
  const count = data.panels.length;
  const down = width < NARROW;
  const room = down ? { width, height: height / count } : { width: width / count, height };
  const size = Math.min(...data.panels.map((panel) => fitLetters(state, panel, room)));
  data.panels.forEach((panel, p) => {
    const at = down ? { x: 0, y: p * room.height } : { x: p * room.width, y: 0 };
    layPanel(state, panel, p, measure(state, panel, { ...room, ...at }, size));
  });
  dropUnused(state);
}

/** The largest letters with which a panel's levels and boxes fit. */
function fitLetters(state, panel, room) {
  for (let size = MOST; size > LEAST; size -= 0.5) {
    if (measure(state, panel, { ...room, x: 0, y: 0 }, size).fits) return size;
  }
  return LEAST;
}

/** Where a panel's words and levels are; where there is little room, only lengths that some box has take a level. */
function measure({ wide }, { name, words, nodes }, { x, y, width, height }, size) {
  const slot = Math.min((width - 8) / words.length, size * 8);
  const left = x + (width - slot * words.length) / 2;
  const tall = size * TALL[nodes.some(({ number }) => number) ? 2 : 1];
  const stagger = Math.max(...words.map((word) => wide(word, size))) > slot - 6;
  const top = y + (name ? size * 1.7 : 4);
  const foot = y + height - size * (stagger ? 2.9 : 1.7);
  const used = [...new Set([1, ...nodes.map(({ i, j }) => j - i)])].sort((a, b) => a - b);
  const every = Array.from({ length: used[used.length - 1] }, (_, length) => length + 1);
  const pitchOf = (levels) => Math.min(size * 5, (foot - top - tall) / Math.max(1, levels.length - 1));
  const lengths = pitchOf(every) >= tall + size * GAP ? every : used; // with every level no line touches another box
  const pitch = pitchOf(lengths);
  const level = (i, j) => foot - tall / 2 - lengths.indexOf(j - i) * pitch;
  const boxes = nodes.map(({ label, number }) => Math.max(wide(label, size), wide(number, size * 0.9)) + size * 0.8);
  const widest = Math.max(size * 1.6, ...boxes);
  const fits = pitch >= tall + size * GAP && widest <= slot - 4 && (!stagger || slot * 2 > Math.max(...words.map((word) => wide(word, size))));
  return { size, slot, tall, stagger, foot, fits, widest: Math.min(widest, slot - 2), middle: x + width / 2, from: x, to: x + width, name: y + size * 1.1, at: (i, j) => ({ x: left + ((i + j) / 2) * slot, y: level(i, j) }) };
}

function layPanel(state, panel, p, room) {
  const { size, foot, stagger, at } = room;
  const name = keep(state, 3, `name.${p}`, () => drawn("text", "name", { "text-anchor": "middle" }));
  name.textContent = panel.name;
  place(name, room.middle, room.name, size);
  panel.words.forEach((word, i) => {
    const text = keep(state, 2, `word.${p}.${i}`, () => drawn("text", "word", { "text-anchor": "middle" }));
    text.textContent = word;
    text.dataset.mark = `word.${i}`;
    const low = stagger && i % 2 ? 2.4 : 1.2;
    const half = state.wide(word, size) / 2 + 2; // a long word at an end stays in the panel
    place(text, Math.max(room.from + half, Math.min(room.to - half, at(i, i + 1).x)), foot + size * low, size);
  });
  panel.edges.forEach((edge) => layEdge(state, edge, p, room));
  panel.nodes.forEach((node) => layNode(state, node, p, room));
}

function place(made, x, y, size) {
  made.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  made.style.fontSize = `${size}px`;
}

function layNode(state, { i, j, label, number, kind, hue }, p, { size, tall, widest, at }) {
  const group = keep(state, 1, `node.${p}.${i}.${j}`, makeNode);
  group.setAttribute("class", `node ${kind}`);
  group.dataset.mark = `node.${p}.${i}.${j}`;
  group.style.setProperty("--hue", hue ? `var(--${hue})` : "var(--plain)");
  const { x, y } = at(i, j);
  place(group, x, y, size);
  const [box, text, figure] = group.children;
  for (const [key, value] of Object.entries({ x: -widest / 2, y: -tall / 2, width: widest, height: tall })) box.setAttribute(key, value.toFixed(1));
  text.textContent = label;
  text.setAttribute("y", (number ? -tall * 0.08 : size * 0.35).toFixed(1));
  figure.textContent = number;
  figure.setAttribute("y", (tall * 0.36).toFixed(1));
  figure.style.fontSize = `${Math.max(LEAST, size * 0.9)}px`;
}

function makeNode() {
  const group = drawn("g", "node");
  group.append(drawn("rect", "box", { rx: 7 }), drawn("text", "label", { "text-anchor": "middle" }), drawn("text", "number", { "text-anchor": "middle" }));
  return group;
}

function layEdge(state, { i, j, a, b, kind }, p, { tall, at }) {
  const edge = keep(state, 0, `edge.${p}.${i}.${j}.${a}.${b}`, () => drawn("path", "edge"));
  edge.setAttribute("class", `edge ${kind}`);
  edge.dataset.mark = `edge.${p}.${i}.${j}.${a}.${b}`;
  const [from, to] = [at(i, j), at(a, b)];
  edge.setAttribute("d", `M ${from.x.toFixed(1)} ${(from.y + tall / 2).toFixed(1)} L ${to.x.toFixed(1)} ${(to.y - tall / 2).toFixed(1)}`);
}

/** Products or sums: each factor above what it is. */
function fillLines({ data, lines }) {
  lines.replaceChildren(
    ...data.lines.map(({ name, factors, result, kind }, at) => {
      const line = element("div", `line ${kind}`, element("span", "title", name));
      line.dataset.mark = `line.${at}`;
      factors.forEach(({ text, label }, f) => {
        if (f) line.append(element("span", "op", data.operator));
        line.append(element("span", "factor", element("b", "", text), element("small", "", label)));
      });
      line.append(element("span", "op", "="), element("b", "result", result));
      return line;
    }),
  );
}

export default function draw(component) {
  const state = mount(component, "parse-triangle", buildTriangle);
  fillLines(state);
  layPanels(state);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
