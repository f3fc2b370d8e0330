/* A text above the same text moved by one: in each column what the model reads, the target below it, and the loss of that
   target as a bar. It fills its room, and what stays from one picture to the next moves there.

   data: { columns: [{ x, y, loss, number, before }], at, first, mean, before, arrows, labels: { x, y, loss, before } }.
   A character that is null is not shown. `at` is the column that is looked at, null for none: x from `first` to `at` is
   its context. `before` of a column is another loss, drawn as an outline. A mean is null or { at, text }. */

import { drawn } from "../shared/element.js";
import { dropUnused, keep } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";

const NARROW = 620; // pixels
const HIDDEN = "?";

function buildShiftedText(root) {
  root.classList.add("fills");
  const svg = drawn("svg", "board", { "aria-hidden": "true" });
  const [back, front] = ["back", "front"].map((name) => svg.appendChild(drawn("g", name)));
  root.append(svg);
  const state = { root, svg, layers: { back, front }, kept: new Map() };
  state.watch = new ResizeObserver(() => state.data && layShiftedText(state));
  state.watch.observe(svg);
  return state;
}

/** Set where a part is; its style moves it there. */
function place(part, where) {
  for (const [name, value] of Object.entries(where)) part.setAttribute(name, value.toFixed(2));
}

function layShiftedText(state) {
  const { data, svg } = state;
  const [width, height] = [svg.clientWidth || 600, svg.clientHeight || 400];
  state.used = new Set();
  const room = measure(data, width, height);
  layLabel(state, "x", room.x - 10, room);
  layLabel(state, "y", room.y + room.tall + room.size * 1.25, room);
  data.columns.forEach((column, t) => {
    layCell(state, "x", column.x, t, room, kindOfX(data, t));
    layArrow(state, t, room);
    layCell(state, "y", column.y, t, room, data.at === t ? "target" : "");
    if (room.bars) layBar(state, column, t, room);
  });
  if (room.bars) layFoot(state, room);
  dropUnused(state);
}

function kindOfX({ at, first }, t) {
  if (at === null) return "";
  return t >= first && t <= at ? "context" : "faint";
}

/** The sizes of the picture in its room. */
function measure({ columns, mean, before }, width, height) {
  const bars = columns.some(({ loss }) => loss !== null);
  const size = width < NARROW ? 14 : Math.min(20, width / 46);
  const margin = 6;
  const each = Math.min(64, (width - 2 * margin) / columns.length);
  const left = (width - each * columns.length) / 2;
  const tall = Math.min(each * (bars ? 1.15 : 1.7), bars ? height * 0.13 : height * 0.2, 80);
  const gap = bars ? Math.max(size * 1.6, height * 0.05) : Math.max(size * 3, height * 0.24);
  const x = bars ? size * 1.7 : Math.max(size * 2, (height - 2 * tall - gap) / 2.2);
  const y = x + tall + gap;
  const top = y + tall + size * (before ? 5.8 : 4.4);
  const bottom = height - 8;
  const most = Math.max(1, mean?.at ?? 0, ...columns.map(({ loss, before }) => Math.max(loss ?? 0, before ?? 0)));
  return { bars, size, each, left, tall, x, y, top, bottom, scale: Math.max(0, bottom - top - size * 1.6) / most, width };
}

function layLabel(state, row, y, { left, size }) {
  const label = keep(state, "back", `label.${row}`, () => drawn("text", `label ${row}`));
  label.textContent = state.data.labels[row];
  label.style.fontSize = `${size}px`;
  place(label, { x: left, y });
}

function layCell(state, row, text, t, room, kind) {
  const cell = keep(state, "back", `${row}.${t}`, () => {
    const group = drawn("g", "cell");
    group.append(drawn("rect", "box", { rx: 4 }), drawn("text", "letter", { "text-anchor": "middle", dy: "0.35em" }));
    return group;
  });
  cell.setAttribute("class", `cell ${kind}${text === null ? " hidden" : ""}`);
  cell.dataset.mark = `${row}.${t}`;
  const [box, letter] = cell.children;
  const { each, left, tall } = room;
  place(box, { x: left + t * each + 1, y: room[row], width: each - 2, height: tall });
  place(letter, { x: left + (t + 0.5) * each, y: room[row] + tall / 2 });
  letter.textContent = text ?? (kind === "target" ? HIDDEN : "");
  letter.style.fontSize = `${Math.max(14, Math.min(30, each * 0.62))}px`;
}

/** From what is read down to its target: in every column, or in the one that is looked at. */
function layArrow(state, t, { each, left, x, y, tall, size }) {
  const { arrows, at } = state.data;
  if (!arrows && at !== t) return;
  const arrow = keep(state, "back", `arrow.${t}`, () => drawn("path", "arrow"));
  const [middle, from, to, tip] = [left + (t + 0.5) * each, x + tall + 3, y - 4, Math.min(5, each * 0.2)];
  arrow.setAttribute("d", `M${middle} ${from}V${to}M${middle - tip} ${to - tip * 1.4}L${middle} ${to}L${middle + tip} ${to - tip * 1.4}`);
  arrow.classList.toggle("strong", at === t);
  arrow.style.strokeWidth = String(size / 8);
}

function layBar(state, { loss, number, before }, t, { each, left, bottom, scale, size }) {
  const { at } = state.data;
  const bar = keep(state, "back", `bar.${t}`, () => drawn("rect", "bar", { rx: 2 }));
  bar.dataset.mark = `bar.${t}`;
  bar.setAttribute("class", `bar${at === t ? " target" : ""}`);
  const tall = (loss ?? 0) * scale;
  const [x, wide] = [left + (t + 0.14) * each, each * 0.72];
  place(bar, { x, y: bottom - tall, width: wide, height: tall });
  if (before !== null) {
    const outline = keep(state, "back", `before.${t}`, () => drawn("rect", "before", { rx: 2 }));
    place(outline, { x, y: bottom - before * scale, width: wide, height: before * scale });
  }
  if (loss === null || (each < size * 2 && at !== t)) return;
  const text = keep(state, "front", `number.${t}`, () => drawn("text", "number", { "text-anchor": "middle" }));
  text.textContent = number;
  text.style.fontSize = `${at === t ? size : Math.max(14, size * 0.8)}px`;
  text.classList.toggle("strong", at === t);
  place(text, { x: left + (t + 0.5) * each, y: bottom - Math.max(tall, (before ?? 0) * scale) - 5 });
}

function layFoot(state, { left, each, top, bottom, scale, size }) {
  const { labels, mean, columns, before } = state.data;
  const right = left + each * columns.length;
  const label = keep(state, "back", "label.loss", () => drawn("text", "label loss"));
  label.textContent = labels.loss;
  label.style.fontSize = `${size}px`;
  place(label, { x: left, y: top - size * (before ? 2.6 : 1.2) });
  if (before) {
    const outlines = keep(state, "back", "label.before", () => drawn("text", "label outlines"));
    outlines.textContent = labels.before;
    outlines.style.fontSize = `${size}px`;
    place(outlines, { x: left, y: top - size * 1.2 });
  }
  const axis = keep(state, "back", "axis", () => drawn("line", "axis"));
  place(axis, { x1: left, x2: right, y1: bottom, y2: bottom });
  if (!mean) return;
  const line = keep(state, "back", "mean", () => drawn("line", "mean"));
  line.dataset.mark = "mean";
  place(line, { x1: left, x2: right, y1: bottom - mean.at * scale, y2: bottom - mean.at * scale });
  const said = keep(state, "back", "mean.text", () => drawn("text", "mean-text", { "text-anchor": "end" }));
  said.dataset.mark = "mean";
  said.textContent = mean.text;
  said.style.fontSize = `${size}px`;
  place(said, { x: right, y: top - size * 1.2 });
}

export default function draw(component) {
  const state = mount(component, "shifted-text", buildShiftedText);
  layShiftedText(state);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
