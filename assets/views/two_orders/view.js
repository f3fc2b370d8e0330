/* The same tokens in two orders, one line above the other, and a line from each token to itself. Above the upper line and
   below the lower one there is room for a bar or a strip of numbers at each token. It fills its room, and a token moves to
   its place in the other order from one picture to the next.

   data: { lines: [{ name, tokens: [{ id, text, hue, note, on }], bars: { title, most, values: [{ value, text }] } or null (a value is null
   where the bar is still to come),
   cells: { title, most, values: [[number]] } or null }], two of them; `values` are in the order of the line's tokens, and `most`
   is the longest bar, or the number with the deepest colour. `id` says which token is which: it is in both lines. Every text
   was formatted by core. Marks: line.k, token.k.id, bar.k.id, strip.k.id, link.id. */

import { drawn } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";

const NARROW = 560; // pixels
const [SMALLEST, LARGEST] = [15, 28]; // pixels of type
const LETTER = 0.62; // the width of a letter, in sizes of type
const FLAT = 0.001; // a share that is drawn as 0
const LAYERS = ["links", "bars", "strips", "tokens", "names"];

function buildOrders(root) {
  root.classList.add("fills");
  const svg = drawn("svg", "board", { role: "group" });
  const layers = Object.fromEntries(LAYERS.map((name) => [name, drawn("g", name)]));
  svg.append(...Object.values(layers));
  root.append(svg);
  const state = { root, svg, layers, kept: Object.fromEntries(LAYERS.map((name) => [name, new Map()])) };
  state.watch = new ResizeObserver(() => state.data && layOrders(state));
  state.watch.observe(svg);
  return state;
}

const sectionOf = (line) => line.bars ?? line.cells;

/** Where everything is in a room. */
function measure({ data: { lines }, svg }) {
  const [width, height] = [svg.clientWidth || 600, svg.clientHeight || 400];
  const narrow = width < NARROW;
  const all = lines.flatMap(({ tokens }) => tokens);
  const n = Math.max(1, ...lines.map(({ tokens }) => tokens.length));
  const type = narrow ? 15 : 18;
  const gutter = narrow ? 0 : Math.max(...lines.map(({ name }) => name.length)) * type * 0.58 + 18;
  const column = Math.min(150, (width - gutter - 4) / n);
  const left = gutter + Math.max(0, (width - gutter - n * column) / 2);
  const longest = Math.max(1, ...all.map(({ text }) => [...text].length));
  const size = Math.max(SMALLEST, Math.min(LARGEST, (column - 10) / (longest * LETTER), height / 15));
  const noted = all.some(({ note }) => note) ? (narrow ? 17 : 21) : 0;
  const box = { w: column - (narrow ? 4 : 10), h: size * 1.6 + noted };
  const name = narrow ? 22 : 0; // on a phone the name of a line stands outside its boxes
  const label = type + 12;
  const low = label + (narrow ? 34 : 44); // the room of bars that are all 0, or still to come
  const flat = lines.map(({ bars }) => Boolean(bars?.values.every(({ value }) => value < FLAT)));
  const tall = lines.filter((line, k) => sectionOf(line) && !flat[k]).length;
  const rest = height - 2 * box.h - 2 * name - low * flat.filter(Boolean).length;
  const between = tall ? height * (tall === 1 ? 0.26 : 0.17) : Math.min(rest, height * 0.5);
  const rooms = lines.map((line, k) => (!sectionOf(line) ? 0 : flat[k] ? low : (rest - between) / tall));
  const top = rooms[0] + (tall ? 0 : (rest - between) / 2);
  const first = top + name + box.h / 2;
  return { narrow, type, left, column, size, noted, box, name, rooms, width, height, label, y: [first, first + box.h + between], x: (s) => left + (s + 0.5) * column };
}

/** Keep an element for each key: what is new is made, what is gone is taken away, all are laid. */
function keyed(state, layer, items, make, lay) {
  const kept = state.kept[layer];
  const wanted = new Set(items.map(({ key }) => key));
  for (const [key, made] of kept) {
    if (wanted.has(key)) continue;
    made.remove();
    kept.delete(key);
  }
  for (const item of items) {
    if (!kept.has(item.key)) kept.set(item.key, state.layers[layer].appendChild(make(item)));
    lay(kept.get(item.key), item);
  }
}

function layOrders(state) {
  const { data, svg } = state;
  const room = measure(state);
  svg.setAttribute("viewBox", `0 0 ${room.width} ${room.height}`);
  const tokens = data.lines.flatMap((line, k) => line.tokens.map((token, s) => ({ ...token, k, s, line, key: `${k}.${token.id}` })));
  keyed(state, "tokens", tokens, makeToken, (made, token) => layToken(made, token, room));
  const below = new Map(data.lines[1].tokens.map(({ id }, s) => [id, s]));
  const links = data.lines[0].tokens.map((token, s) => ({ ...token, s, to: below.get(token.id), key: `${token.id}` })).filter(({ to }) => to !== undefined);
  keyed(state, "links", links, makeLink, (made, link) => layLink(made, link, room));
  keyed(state, "bars", tokens.filter(({ line }) => line.bars), makeBar, (made, token) => layBar(made, token, room));
  keyed(state, "strips", tokens.filter(({ line }) => line.cells), makeStrip, (made, token) => layStrip(made, token, room));
  layNames(state, room);
}

function setHue(made, hue) {
  made.style.setProperty("--hue", `var(--${hue || "grey"})`);
}

function makeToken({ key }) {
  const made = drawn("g", "token");
  made.dataset.mark = `token.${key}`;
  made.append(drawn("rect", "", { rx: 7 }), drawn("text", "word", { "text-anchor": "middle", dy: "0.35em" }), drawn("text", "note", { "text-anchor": "middle", dy: "0.35em" }));
  return made;
}

function layToken(made, { text, hue, note, on, k, s }, { box, size, noted, narrow, x, y }) {
  made.setAttribute("class", `token${on ? " on" : ""}${hue ? " hued" : ""}`);
  setHue(made, hue);
  made.style.transform = `translate(${x(s)}px, ${y[k]}px)`;
  const [rect, word, small] = made.children;
  Object.assign(rect.style, { width: `${box.w}px`, height: `${box.h}px`, x: `${-box.w / 2}px`, y: `${-box.h / 2}px` });
  const most = Math.max(1, Math.floor((box.w - 2) / (size * LETTER) + 0.5));
  const letters = [...text];
  word.textContent = letters.length > most ? `${letters.slice(0, Math.max(1, most - 1)).join("")}…` : text;
  word.style.fontSize = `${size}px`;
  word.setAttribute("y", String(-noted / 2));
  small.textContent = note;
  small.style.fontSize = `${narrow ? 14 : 16}px`;
  small.setAttribute("y", String(box.h / 2 - noted / 2 - 3));
}

function makeLink({ key }) {
  const made = drawn("path", "link");
  made.dataset.mark = `link.${key}`;
  return made;
}

function layLink(made, { hue, s, to }, { box, x, y }) {
  made.setAttribute("class", `link${hue ? " hued" : ""}`);
  setHue(made, hue);
  const [y1, y2] = [y[0] + box.h / 2 + 2, y[1] - box.h / 2 - 2];
  const bend = (y2 - y1) * 0.4;
  made.setAttribute("d", `M ${x(s)} ${y1} C ${x(s)} ${y1 + bend} ${x(to)} ${y2 - bend} ${x(to)} ${y2}`);
}

function makeBar({ key }) {
  const made = drawn("g", "bar");
  made.dataset.mark = `bar.${key}`;
  made.append(drawn("rect", "", { rx: 3 }), drawn("text", "", { "text-anchor": "middle", dy: "0.35em" }));
  return made;
}

/** Where the room of a line begins at its boxes, and which way it leads: up above the upper line, down below the lower one. */
function edgeOf(k, { y, box, name }) {
  return { from: k ? y[1] + box.h / 2 + name + 4 : y[0] - box.h / 2 - name - 4, way: k ? 1 : -1 };
}

function layBar(made, { hue, k, s, line }, room) {
  const { value, text } = line.bars.values[s];
  const { from, way } = edgeOf(k, room);
  const type = Math.max(14, Math.min(room.narrow ? 16 : 22, room.size));
  const high = Math.max(4, (room.rooms[k] - room.label - type - 16) * Math.min(1, value / line.bars.most));
  const w = Math.min(room.column * 0.6, 70);
  setHue(made, hue);
  const [rect, label] = made.children;
  rect.style.display = value === null ? "none" : "";
  Object.assign(rect.style, { x: `${room.x(s) - w / 2}px`, width: `${w}px`, y: `${way < 0 ? from - high : from}px`, height: `${high}px` });
  label.textContent = text;
  label.style.fontSize = `${type}px`;
  label.setAttribute("x", String(room.x(s)));
  label.setAttribute("y", String(from + way * (high + type * 0.75)));
}

function makeStrip({ key }) {
  const made = drawn("g", "strip");
  made.dataset.mark = `strip.${key}`;
  return made;
}

function layStrip(made, { hue, k, s, line }, room) {
  const numbers = line.cells.values[s];
  const { from, way } = edgeOf(k, room);
  const tall = Math.max(40, room.rooms[k] - room.label - 14);
  const w = Math.min(room.column * 0.56, 60);
  const top = way < 0 ? from - tall : from;
  setHue(made, hue);
  made.setAttribute("class", `strip${hue ? " hued" : ""}`);
  made.style.transform = `translate(${room.x(s) - w / 2}px, ${top}px)`;
  const each = tall / numbers.length;
  const cells = numbers.map((number, i) => {
    const cell = drawn("rect", "", { x: 0, y: i * each, width: w, height: each + 0.3 });
    const share = Math.min(1, Math.abs(number) / line.cells.most);
    cell.dataset.value = String(number);
    cell.style.fill = `color-mix(in srgb, var(--${number < 0 ? "vermillion" : "blue"}) ${(100 * share).toFixed(1)}%, var(--st-background-color))`;
    return cell;
  });
  made.replaceChildren(...cells, drawn("rect", "edge", { x: 0, y: 0, width: w, height: tall, rx: 4 }));
}

/** The names of both lines, and of what stands above and below them. */
function layNames({ data, layers }, room) {
  const { narrow, type, left, box, y, name } = room;
  const made = [];
  data.lines.forEach((line, k) => {
    /** @type {Record<string, string | number>} */
    const place = narrow
      ? { x: 4, y: k ? y[1] + box.h / 2 + name - 5 : y[0] - box.h / 2 - 6 }
      : { x: left - 12, y: y[k], dy: "0.35em", "text-anchor": "end" };
    const label = drawn("text", "name", place, line.name);
    label.dataset.mark = `line.${k}`;
    made.push(label);
    const section = sectionOf(line);
    if (section) made.push(drawn("text", "title", { x: narrow ? 4 : left + 4, y: k ? y[1] + box.h / 2 + name + room.rooms[1] - 6 : y[0] - box.h / 2 - name - room.rooms[0] + type + 1 }, section.title));
  });
  for (const each of made) each.style.fontSize = `${type}px`;
  layers.names.replaceChildren(...made);
}

export default function draw(component) {
  const state = mount(component, "two-orders", buildOrders);
  layOrders(state);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
