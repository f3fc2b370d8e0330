/* A machine: boxes, arrows, and the streams of numbers that run through it. It fills its room. Every part has a key; what
   keeps its key from one picture to the next moves to its new place and size, so a box that is entered grows out of the
   drawing that it is in.

   data: { nodes: [{ key, kind, wide, narrow, title, note, hue, state, cells, bars, grid, across }], arrows: [{ from, to, kind, hue,
   text, weight }], sum }. pick: a cell of a grid that is framed. wide and narrow are [x, y, width, height] in per cent of the room, for a wide room and for a phone;
   null: not drawn there. Kinds of node: box, frame (a box that others are in), token, plus, dot (where an arrow leaves a
   stream), text, cells (numbers of a vector, shaded), bars, grid (many shaded cells, `across` of them in a row, else 32). States: "", faint, open (not told yet),
   now, off. An arrow is straight; where its ends share a height or a column it keeps to it. Its thickness is its weight; a
   stream is thick. Marks are the keys; the bars of a node have key.i. Every text was formatted by core. */

import { drawn, element } from "../shared/element.js";
import { dropUnused, fadeIn, keep, keyed } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";

const NARROW = 560; // pixels of width, below which a room is a phone's
const FADE = 400; // milliseconds
const STREAM = 7; // pixels
const THICKEST = 14; // pixels of an arrow of weight 1

function buildMachine(root) {
  root.classList.add("fills");
  const svg = drawn("svg", "wires", { "aria-hidden": "true" });
  const boxes = element("div", "boxes");
  const room = element("div", "room", svg, boxes);
  const sum = element("p", "sum");
  root.append(room, sum);
  const layers = { wires: svg.appendChild(drawn("g", "")), boxes };
  const state = { root, room, svg, sum, layers, kept: new Map(), used: new Set() };
  state.watch = new ResizeObserver(() => state.data && layAll(state));
  state.watch.observe(root);
  return state;
}

function layAll(state) {
  const { room, svg, data } = state;
  const [width, height] = [room.clientWidth || 600, room.clientHeight || 400];
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const narrow = width < NARROW;
  state.root.classList.toggle("narrow", narrow);
  state.used = new Set();
  const places = new Map();
  for (const node of data.nodes) {
    const at = narrow ? node.narrow : node.wide;
    if (!at) continue;
    const [x, y, w, h] = at;
    places.set(node.key, { x: (x * width) / 100, y: (y * height) / 100, w: (w * width) / 100, h: (h * height) / 100 });
    layNode(state, node, at);
  }
  for (const arrow of data.arrows) {
    const [from, to] = [places.get(arrow.from), places.get(arrow.to)];
    if (from && to) layArrow(state, arrow, from, to);
  }
  dropUnused(state);
}

// The nodes.

function layNode(state, node, [x, y, w, h]) {
  const { key, kind, title, note, hue, state: how, across } = node;
  const made = keep(state, "boxes", key, () => fadeIn(element("div", "", element("div", "head", element("span", "title"), element("span", "note")), element("div", "body")), FADE));
  made.className = `node ${kind} ${how} ${hue ? "hued" : ""}`;
  made.dataset.mark = key;
  made.style.setProperty("--hue", hue ? `var(--${hue})` : "var(--plain)");
  made.style.setProperty("--across", String(across ?? 32));
  made.style.setProperty("--ink", hue ? `var(--ink-${hue})` : "var(--st-text-color)");
  for (const [name, value] of Object.entries({ left: x, top: y, width: w, height: h })) made.style[name] = `${value}%`;
  const [head, body] = made.children;
  head.children[0].textContent = kind === "plus" ? "+" : title;
  head.children[1].textContent = note;
  made.rows ??= new Map();
  keyed(made.rows, itemsOf(node), ITEMS[kind] ?? (() => element("i")), body, (row, item) => layItem(row, item, kind));
}

function itemsOf({ key, kind, cells, bars, grid, pick }) {
  if (kind === "cells") return cells.map((cell, i) => ({ ...cell, key: `${i}` }));
  if (kind === "grid") return grid.map((shade, i) => ({ shade, key: `${i}`, picked: i === pick, mark: i === pick ? `${key}.pick` : undefined }));
  return kind === "bars" ? bars.map((bar, i) => ({ ...bar, key: `${i}`, mark: `${key}.${i}` })) : [];
}

const ITEMS = {
  bars: () => element("div", "", element("span", "name"), element("span", "track", element("i", "fill"), element("i", "was")), element("b", "value")),
};

/** A shade from -1 to 1 as a colour: blue above 0, orange below. */
const shadeOf = (shade) => `color-mix(in srgb, var(--${shade < 0 ? "vermillion" : "blue"}) ${(Math.min(1, Math.abs(shade)) * 62).toFixed(1)}%, var(--st-background-color))`;

function layItem(row, item, kind) {
  if (kind === "bars") {
    const { name, share, text, hue, now, was, mark } = item;
    row.className = `bar${now ? " now" : ""}`;
    row.dataset.mark = mark;
    row.style.setProperty("--hue", `var(--${hue || "plain"})`);
    const [label, track, value] = row.children;
    label.textContent = name;
    track.children[0].style.width = `${100 * share}%`;
    track.children[1].style.left = `${100 * (was ?? 0)}%`;
    track.children[1].hidden = was === null;
    value.textContent = text;
    return;
  }
  row.style.background = shadeOf(item.shade);
  if (kind === "cells") row.textContent = item.text;
  else {
    row.classList.toggle("picked", item.picked);
    if (item.mark) row.dataset.mark = item.mark;
    else delete row.dataset.mark;
  }
}

// The arrows.

const middle = ({ x, y, w, h }) => ({ x: x + w / 2, y: y + h / 2 });

/** Where two stretches overlap: the middle of the shorter one where it lies in the longer, else of what they share. */
function shared(a, length, b, size) {
  const [start, end] = [Math.max(a, b), Math.min(a + length, b + size)];
  return end - start > -0.5 ? (start + end) / 2 : null;
}

/** Both ends of an arrow: on the sides that face each other. */
function endsOf(from, to) {
  const [a, b] = [middle(from), middle(to)];
  const column = shared(from.x, from.w, to.x, to.w);
  const height = shared(from.y, from.h, to.y, to.h);
  const down = b.y >= a.y ? 1 : -1;
  const right = b.x >= a.x ? 1 : -1;
  const nearest = (at, start, size) => Math.max(start + Math.min(10, size / 2), Math.min(start + size - Math.min(10, size / 2), at));
  const below = { tail: { x: column ?? a.x, y: a.y + (down * from.h) / 2 }, tip: { x: column ?? nearest(a.x, to.x, to.w), y: b.y - (down * to.h) / 2 } };
  const beside = { tail: { x: a.x + (right * from.w) / 2, y: height ?? a.y }, tip: { x: b.x - (right * to.w) / 2, y: height ?? nearest(a.y, to.y, to.h) } };
  if (column !== null) return below;
  if (height !== null) return beside;
  const [across, along] = [right * (beside.tip.x - beside.tail.x), down * (below.tip.y - below.tail.y)];
  return across > 0.4 * along ? beside : below;
}

function layArrow(state, { from, to, kind, hue, text, weight }, start, end) {
  const made = keep(state, "wires", `wire.${from}.${to}`, () => fadeIn(makeArrow(), FADE));
  made.setAttribute("class", `wire ${kind}${hue ? " hued" : ""}`);
  made.dataset.mark = `wire.${from}.${to}`;
  made.style.setProperty("--hue", hue ? `var(--${hue})` : "var(--wire)");
  const [shaft, head, label] = made.children;
  const thick = kind === "stream" ? STREAM : Math.max(1.5, weight * THICKEST);
  const { tail, tip } = endsOf(start, end);
  const [dx, dy] = [tip.x - tail.x, tip.y - tail.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const long = Math.min(length, kind === "stream" ? 13 : 7 + thick * 0.7);
  const wide = kind === "stream" ? 9 : 4.5 + thick * 0.6;
  const neck = { x: tip.x - ux * (long - 1), y: tip.y - uy * (long - 1) };
  const base = { x: tip.x - ux * long, y: tip.y - uy * long };
  const at = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  shaft.setAttribute("d", `M ${at(tail.x, tail.y)} L ${at(neck.x, neck.y)}`);
  shaft.style.strokeWidth = `${thick.toFixed(1)}px`;
  head.setAttribute("d", `M ${at(tip.x, tip.y)} L ${at(base.x - uy * wide, base.y + ux * wide)} L ${at(base.x + uy * wide, base.y - ux * wide)} Z`);
  label.textContent = text;
  label.setAttribute("x", ((tail.x + tip.x) / 2 + (Math.abs(ux) < 0.5 ? 10 : 0)).toFixed(1));
  label.setAttribute("y", ((tail.y + tip.y) / 2 - (Math.abs(ux) < 0.5 ? 0 : 12)).toFixed(1));
  label.setAttribute("text-anchor", Math.abs(ux) < 0.5 ? "start" : "middle");
}

function makeArrow() {
  const group = drawn("g", "wire");
  group.append(drawn("path", "shaft"), drawn("path", "head"), drawn("text", "label", { dy: "0.35em" }));
  return group;
}

export default function draw(component) {
  const state = mount(component, "machine", buildMachine);
  state.sum.textContent = state.data.sum;
  layAll(state);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
