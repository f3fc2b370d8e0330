/* What query tokens attend to: the key tokens above, the query tokens below, an arrow from each query to the keys that it
   attends to, and rows of bars above the keys. Tokens stay in their places from one picture to the next, and bars grow.

   data: { tokens: [{ text, hue }], axes: { key, query }, most, rows: [{ title, bars: [{ value, text, hue }] }],
   queries: [places], links: [{ from, to, weight, hue, open }], sum, pick }. A bar's value is from -1 to 1; `most` is the highest
   one that has room, in every row. A link's weight (0 to 1) is how thick its arrow is; an open one is not known yet, and
   dashed. With `pick` a press on a query token reports "pick", its place. Every text was formatted by core.
   Marks: key.s, query.t, bar.row.s, link.t.s, row.number. */

import { drawn, element } from "../shared/element.js";
import { keyed } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";

const NARROW = 560; // pixels
const [SMALLEST, LARGEST] = [15, 30]; // pixels of type
const LETTER = 0.62; // the width of a letter, in sizes of type
const [THIN, THICK] = [1.5, 11]; // pixels of an arrow
const HEAD = 11; // pixels of an arrow's head

function buildArrows(root) {
  root.classList.add("fills");
  const svg = drawn("svg", "board", { role: "group" });
  const layers = Object.fromEntries(["rows", "bars", "links", "keys", "queries", "names"].map((name) => [name, drawn("g", name)]));
  svg.append(...Object.values(layers));
  const sum = element("p", "sum");
  root.append(svg, sum);
  const state = { root, svg, sum, layers, bars: new Map(), links: new Map(), keys: new Map(), queries: new Map() };
  state.watch = new ResizeObserver(() => state.data && layArrows(state));
  state.watch.observe(svg);
  return state;
}

/** Where everything is in a room. */
function measure({ data, svg }) {
  const [width, height] = [svg.clientWidth || 600, svg.clientHeight || 400];
  const n = data.tokens.length;
  const narrow = width < NARROW;
  const longest = Math.max(1, ...data.tokens.map(({ text }) => [...text].length));
  const named = narrow ? 0 : Math.min(120, Math.max(...Object.values(data.axes).map((text) => text.length)) * 10 + 10);
  const column = Math.min(170, (width - named - 4) / n);
  const left = named + Math.max(0, (width - named - n * column) / 2);
  const size = Math.max(SMALLEST, Math.min(LARGEST, (column - 4) / (longest * LETTER), height / 16));
  const box = { w: Math.min(column - (narrow ? 2 : 6), Math.max(size * 1.6, longest * LETTER * size + 14)), h: size * 1.7 };
  const name = narrow ? 22 : 0; // on a phone the names of both lines stand above them
  const rows = data.rows.length;
  const empty = data.rows.every(({ bars }) => bars.every(({ value }) => !value)); // its bars are still to come
  const share = empty && rows ? 0.3 : rows ? (data.links.length ? Math.min(0.74, 0.46 + 0.09 * rows) : 0.8) : 0;
  const keys = Math.max(name + box.h / 2 + 2, share * height);
  const queries = height - box.h / 2 - 3;
  const room = rows ? (keys - box.h / 2 - name - 4) / rows : 0;
  const label = narrow ? 20 : 26;
  return { width, height, narrow, left, column, size, box, name, keys, queries, room, label, x: (s) => left + (s + 0.5) * column };
}

function layArrows(state) {
  const { data, svg, layers, root } = state;
  const room = measure(state);
  svg.setAttribute("viewBox", `0 0 ${room.width} ${room.height}`);
  root.style.setProperty("--size", `${room.size}px`);
  root.classList.toggle("picks", Boolean(data.pick));
  const tokens = data.tokens.map((token, s) => ({ ...token, s, key: `${s}` }));
  keyed(state.keys, tokens, (token) => makeToken("key", token, state), layers.keys, (made, token) => layToken(made, token, room, room.keys, isKey(data, token.s)));
  keyed(state.queries, tokens, (token) => makeToken("query", token, state), layers.queries, (made, token) => layToken(made, token, room, room.queries, data.queries.includes(token.s), data.pick));
  const links = data.links.map((link) => ({ ...link, key: `${link.from}.${link.to}.${link.hue}` })).sort((a, b) => a.weight - b.weight);
  keyed(state.links, links, makeLink, layers.links, (made, link) => layLink(made, link, room));
  links.forEach((link) => layers.links.append(state.links.get(link.key)));
  const bars = data.rows.flatMap((row, r) => row.bars.map((bar, s) => ({ ...bar, r, s, key: `${r}.${s}` })));
  keyed(state.bars, bars, makeBar, layers.bars, (made, bar) => layBar(made, bar, room, data));
  layNames(state, room);
}

/** Whether an arrow of some thickness ends at a key. */
function isKey({ links }, s) {
  return links.some(({ to, weight, open }) => to === s && weight > 0.05 && !open);
}

function makeToken(kind, { s }, state) {
  const made = drawn("g", "token");
  made.dataset.mark = `${kind}.${s}`;
  made.append(drawn("rect", "", { rx: 6 }), drawn("text", "", { "text-anchor": "middle", dy: "0.35em" }));
  if (kind === "query") {
    made.addEventListener("click", () => state.data.pick && state.report("pick", s));
    made.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && state.data.pick) state.report("pick", s);
    });
  }
  return made;
}

function layToken(made, { text, hue, s }, { box, size, x }, y, on, pick) {
  made.setAttribute("class", `token${on ? " on" : ""}${hue ? " hued" : ""}`);
  if (hue) {
    made.style.setProperty("--hue", `var(--${hue})`);
    made.style.setProperty("--ink", `var(--ink-${hue})`);
  }
  made.style.transform = `translate(${x(s)}px, ${y}px)`;
  const [rect, label] = made.children;
  Object.assign(rect.style, { width: `${box.w}px`, height: `${box.h}px`, x: `${-box.w / 2}px`, y: `${-box.h / 2}px` });
  const most = Math.max(1, Math.floor((box.w - 2) / (size * LETTER) + 0.5));
  const letters = [...text];
  label.textContent = letters.length > most ? `${letters.slice(0, Math.max(1, most - 1)).join("")}…` : text;
  label.style.fontSize = `${size}px`;
  if (pick) {
    made.setAttribute("tabindex", "0");
    made.setAttribute("role", "button");
    made.setAttribute("aria-label", text);
  } else for (const name of ["tabindex", "role", "aria-label"]) made.removeAttribute(name);
}

function makeLink({ from, to }) {
  const made = drawn("g", "link");
  made.dataset.mark = `link.${from}.${to}`;
  made.append(drawn("path", "shaft"), drawn("path", "head"));
  return made;
}

/** An arrow from a query up to a key; its thickness is the weight. */
function layLink(made, { from, to, weight, hue, open }, { x, keys, queries, box, narrow }) {
  const thick = open ? 3 : THIN + (narrow ? 0.6 : 1) * (THICK - THIN) * weight;
  made.setAttribute("class", `link${open ? " open" : ""}`);
  made.style.setProperty("--hue", `var(--${hue || "grey"})`);
  made.style.opacity = String(open ? 0.7 : weight < 0.05 ? 0.3 : 0.55 + 0.45 * weight);
  const [x1, y1, x2, y2] = [x(from), queries - box.h / 2 - 1, x(to), keys + box.h / 2 + 2];
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const tip = HEAD * (narrow ? 0.7 : 1) * (0.6 + 0.6 * weight) + thick * 0.5;
  const [bx, by] = [x2 - ux * tip, y2 - uy * tip]; // where the head begins
  const half = tip * 0.62;
  const [shaft, head] = made.children;
  shaft.style.strokeWidth = `${thick}px`;
  shaft.setAttribute("d", `M ${x1} ${y1} L ${bx} ${by}`);
  head.setAttribute("d", `M ${x2} ${y2} L ${bx - uy * half} ${by + ux * half} L ${bx + uy * half} ${by - ux * half} Z`);
}

function makeBar({ r, s }) {
  const made = drawn("g", "bar");
  made.dataset.mark = `bar.${r}.${s}`;
  made.append(drawn("rect", ""), drawn("text", "", { "text-anchor": "middle" }));
  return made;
}

/** Where a row of bars has its line for 0, and how high a bar of 1 is. */
function lineOf({ room, label, size }, { rows, most }, r) {
  const least = Math.min(0, ...rows.flatMap(({ bars }) => bars.map(({ value }) => value)));
  const top = r * room + label + Math.min(26, size) * 0.9; // a number stands on the highest bar
  const bottom = (r + 1) * room - 4 - (least < 0 ? size * 0.3 : 0);
  const unit = (bottom - top) / (most - least);
  return { zero: top + most * unit, unit };
}

function layBar(made, { value, text, hue, r, s }, room, data) {
  const { zero, unit } = lineOf(room, data, r);
  const { x, column, narrow, size } = room;
  made.style.setProperty("--hue", `var(--${hue || "grey"})`);
  const w = Math.min(column * 0.62, 64);
  const high = Math.max(1.5, Math.abs(value) * unit);
  const [rect, label] = made.children;
  Object.assign(rect.style, { x: `${x(s) - w / 2}px`, width: `${w}px`, y: `${value < 0 ? zero : zero - high}px`, height: `${high}px` });
  const type = Math.max(14, Math.min(narrow ? 15 : 22, size * 0.9));
  label.textContent = fits(text, type, s, data.rows[r].bars, column) ? text : "";
  label.style.fontSize = `${type}px`;
  const half = (text.length * type * 0.6) / 2;
  label.setAttribute("x", String(Math.max(half, Math.min(room.width - half, x(s)))));
  label.setAttribute("y", String(value < 0 ? zero + high + type : zero - high - 5));
}

/** Whether a number has room: where columns are narrow, the smaller one of two neighbours has none. */
function fits(text, type, s, bars, column) {
  if (!text) return false;
  const wide = (each) => (each?.text ?? "").length * type * 0.58;
  return [bars[s - 1], bars[s + 1]].every((other, i) => !other?.text || (wide(bars[s]) + wide(other)) / 2 + 4 < column
    || Math.abs(bars[s].value) > Math.abs(other.value) || (Math.abs(bars[s].value) === Math.abs(other.value) && i === 1 && s % 2 === 0));
}

/** The names of both lines of tokens, and of the rows of bars. */
function layNames(state, room) {
  const { data, layers } = state;
  const { left, narrow, keys, queries, box, size, column } = room;
  const type = narrow ? 15 : Math.max(17, Math.min(20, size * 0.8));
  const made = [];
  const side = Math.max(4, left - 10);
  const add = (text, y, kind) => {
    /** @type {Record<string, string | number>} */
    const place = narrow ? { x: 4, y: y - box.h / 2 - 5, "text-anchor": "start" } : { x: side, y, dy: "0.35em", "text-anchor": "end" };
    const label = drawn("text", `name ${kind}`, place, text);
    label.style.fontSize = `${type}px`;
    made.push(label);
  };
  add(data.axes.key, keys, "keys");
  add(data.axes.query, queries, "queries");
  layers.rows.replaceChildren();
  data.rows.forEach((row, r) => {
    const { zero } = lineOf(room, data, r);
    const top = r * room.room;
    const line = drawn("line", "zero", { x1: left, x2: left + data.tokens.length * column, y1: zero, y2: zero });
    layers.rows.append(line);
    const label = drawn("text", "title", { x: narrow ? 4 : left, y: top + type }, row.title);
    label.dataset.mark = `row.${r}`;
    label.style.fontSize = `${type}px`;
    made.push(label);
  });
  layers.names.replaceChildren(...made);
}

export default function draw(component) {
  const state = mount(component, "attention-arrows", buildArrows);
  state.sum.textContent = state.data.sum ?? "";
  layArrows(state);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
