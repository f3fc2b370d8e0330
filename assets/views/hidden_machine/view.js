/* A hidden Markov model as a machine, one of its draws, and what it has written. It fills its room, and what stays from one
   picture to the next moves there.

   data: { machine: null or { start, states: [{ name, hue, faint }], arrows: [{ from, to, p, text, kind }], emits: [{ title, bars:
   [{ count, p, text, hit }] }] }, line: null or { title, hue, segments: [{ name, count, hue, from, to, hit }], ticks: [{ at, text }],
   u: { at, text } }, runs: [{ title, note, days: [{ name, hue, count, into, down, now }] }], labels, sum }. An arrow from -1 begins
   at the start. Its thickness, a bar's length and a segment's width are probabilities. Kinds of arrow: plain, row, took, faint.
   `into` and `down` stand at a day's arrows, `now` is "state", "word" or "". Every text was formatted by core. */

import { drawn, element } from "../shared/element.js";
import { dropUnused, keep } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";

const GLYPH = 0.56; // of the font's size: a letter's width
const LEAST = 14; // pixels of a text
const THICK = 0.3; // of a state's radius: an arrow of probability 1 has twice that
const DAYS = 12; // of a run whose days are circles; a longer one is a strip
const LAYERS = ["back", "arrows", "shapes", "nodes", "texts"];

function buildMachine(root) {
  root.classList.add("fills");
  const svg = drawn("svg", "board", { "aria-hidden": "true" });
  const layers = Object.fromEntries(LAYERS.map((name) => [name, svg.appendChild(drawn("g", name))]));
  const sum = element("p", "sum");
  root.append(svg, sum);
  const state = { root, svg, layers, sum, kept: new Map(), used: new Set() };
  state.watch = new ResizeObserver(() => state.data && layAll(state));
  state.watch.observe(root);
  return state;
}

function layAll(state) {
  const { data, svg } = state;
  const [width, height] = [svg.clientWidth || 600, svg.clientHeight || 400];
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  state.size = Math.max(LEAST, Math.min(data.bare ? 21 : 18, width / 42, height / 22));
  state.narrow = width < 560;
  state.used = new Set();
  let y = 2;
  const parts = partsOf(data, state);
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  for (const { weight, lay } of parts) {
    const h = ((height - 4) * weight) / total;
    lay({ x: 0, y, w: width, h });
    y += h;
  }
  dropUnused(state);
}

/** What stands below one another, each with its part of the height. */
function partsOf({ machine, line, runs }, state) {
  const parts = [];
  if (machine) {
    const { arrows, emits } = machine;
    const weight = (arrows.length ? 4.2 : 1.3) + (emits.length ? 2.6 : 0);
    parts.push({ weight, lay: (room) => layMachine(state, machine, room) });
  }
  if (line) parts.push({ weight: 2.3, lay: (room) => layLine(state, line, room) });
  runs.forEach((run, i) => {
    const strip = isStrip(state, run);
    const weight = strip ? 2.3 : state.narrow ? 3 : 3.5;
    parts.push({ weight, lay: (room) => (strip ? layStrip : layRun)(state, run, i, room) });
  });
  return parts;
}

const isStrip = ({ narrow }, { days }) => days.length > (narrow ? 6 : DAYS);

/** Set where a part is; its style moves it there. A room that is still folded has no height, and no part has less. */
function place(part, where) {
  for (const [name, value] of Object.entries(where)) {
    const least = name === "width" || name === "height" ? Math.max(0, value) : value;
    part.setAttribute(name, typeof least === "number" ? least.toFixed(2) : least);
  }
}

function write(state, key, text, { x, y, size = state.size, anchor = "middle", kind = "", hue = "" }, layer = "texts") {
  const made = keep(state, layer, key, () => drawn("text", "", { dy: "0.35em" }));
  made.setAttribute("class", kind);
  made.textContent = text;
  made.setAttribute("text-anchor", anchor);
  made.style.fontSize = `${Math.max(LEAST, size)}px`;
  made.style.fill = hue ? `var(--ink-${hue})` : "";
  place(made, { x, y });
  return made;
}

// The machine.

function layMachine(state, machine, room) {
  const { arrows, emits, states } = machine;
  const area = arrows.length ? (emits.length ? room.h * 0.6 : room.h) : room.h * 0.34;
  const R = Math.max(22, Math.min(84, area * 0.17, room.w * 0.085));
  const y = arrows.length ? room.y + area * (machine.start ? 0.64 : 0.5) : room.y + R + 6;
  const places = states.map((_, i) => ({ x: room.x + room.w * (i ? 0.72 : 0.28), y }));
  const start = { x: room.x + room.w / 2, y: room.y + Math.max(18, area * 0.12) };
  arrows.forEach((arrow) => layArrow(state, arrow, { R, places, start, hues: states.map(({ hue }) => hue) }));
  if (machine.start) layStart(state, machine.start, start);
  states.forEach((one, i) => layState(state, `machine.${i}`, { ...places[i], R }, one));
  emits.forEach((emitted, i) => {
    const box = { w: Math.min(380, room.w * 0.43), y: y + R, h: room.y + room.h - y - R };
    layBars(state, emitted, i, { ...box, x: Math.max(4, Math.min(room.w - box.w - 4, places[i].x - box.w / 2)), at: places[i].x, most: mostOf(emits) }, states[i]);
  });
}

const mostOf = (emits) => Math.max(...emits.flatMap(({ bars }) => bars.map(({ p }) => p)));

function layStart(state, text, { x, y }) {
  const wide = text.length * state.size * GLYPH + 20;
  const box = keep(state, "nodes", "start", () => drawn("rect", "start", { rx: 6 }));
  box.dataset.mark = "start";
  place(box, { x: x - wide / 2, y: y - state.size * 0.8, width: wide, height: state.size * 1.6 });
  write(state, "start.text", text, { x, y, kind: "strong" });
}

function layState(state, mark, { x, y, R }, { name, hue, faint, kind = "" }) {
  const made = keep(state, "nodes", `node.${mark}`, () => {
    const group = drawn("g", "");
    group.append(drawn("circle", "", { r: 1 }), drawn("text", "", { "text-anchor": "middle", dy: "0.35em" }));
    return group;
  });
  made.dataset.mark = mark;
  made.setAttribute("class", `node ${kind}${faint ? " faint" : ""}${hue ? "" : " open"}`);
  made.style.setProperty("--hue", hue ? `var(--${hue})` : "var(--soft)");
  made.style.transform = `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px)`;
  made.firstChild.style.transform = `scale(${R.toFixed(2)})`;
  made.lastChild.textContent = name;
  made.lastChild.style.fontSize = `${Math.max(LEAST, Math.min(R * 0.56, (R * 1.7) / Math.max(3, name.length) / GLYPH))}px`;
}

const along = ({ x, y }, angle, r) => ({ x: x + r * Math.cos(angle), y: y + r * Math.sin(angle) });

/** The curve of an arrow, where it ends and from where it comes there, and where its number stands. */
function curveOf({ from, to }, { R, places, start }, thick, { size }) {
  if (from < 0) {
    const side = to ? 1 : -1;
    const tail = { x: start.x + side * 40, y: start.y + 4 };
    const end = along(places[to], -Math.PI / 2 - side * 0.35, R + 3); // beside the arrow that leaves the state there
    const middle = { x: (tail.x + end.x) / 2 + side * (thick / 2 + 8), y: (tail.y + end.y) / 2 - size * 0.7 };
    return { tail, first: tail, second: tail, end, label: { ...middle, anchor: side < 0 ? "end" : "start" } };
  }
  const here = places[from];
  if (from === to) {
    const [side, turn] = [from ? 1 : -1, 0.5];
    const at = (angle, r) => ({ x: here.x + side * r * Math.cos(angle), y: here.y + r * Math.sin(angle) });
    const [tail, end] = [at(-turn, R + 1), at(turn, R + 3)];
    const label = { x: here.x + side * (R * 1.98 + thick / 2 + 6), y: here.y, anchor: side < 0 ? "end" : "start" };
    return { tail, first: at(-0.75, R * 2.9), second: at(0.75, R * 2.9), end, label };
  }
  const [side, up] = [to > from ? 1 : -1, to > from ? -1 : 1];
  const tail = { x: here.x + side * R * 0.84, y: here.y + up * R * 0.56 };
  const end = { x: places[to].x - side * (R + 3) * 0.84, y: here.y + up * (R + 3) * 0.56 };
  const lift = here.y + up * R * 1.25;
  const bend = { x: (tail.x + end.x) / 2, y: lift };
  const first = { x: tail.x + (2 / 3) * (bend.x - tail.x), y: tail.y + (2 / 3) * (bend.y - tail.y) };
  const second = { x: end.x + (2 / 3) * (bend.x - end.x), y: end.y + (2 / 3) * (bend.y - end.y) };
  const label = { x: bend.x, y: (tail.y + lift) / 2 + up * (thick / 2 + size * 0.75), anchor: "middle" };
  return { tail, first, second, end, label };
}

function layArrow(state, arrow, room) {
  const { from, to, p, text, kind } = arrow;
  const key = `arrow.${from < 0 ? "start" : from}.${to}`;
  const thick = Math.max(1.5, p * THICK * 1.15 * room.R);
  const { tail, first, second, end, label } = curveOf(arrow, room, thick, state);
  const made = keep(state, "arrows", key, makeArrow);
  made.dataset.mark = key;
  made.setAttribute("class", `arrow ${kind}`);
  made.style.setProperty("--hue", from < 0 ? "var(--st-text-color)" : `var(--${room.hues[from]})`);
  headed(made, tail, first, second, end, thick);
  write(state, `${key}.text`, text, { ...label, kind: `number ${kind === "faint" ? "faint" : "strong"}`, size: state.size * 1.05 });
}

function makeArrow() {
  const group = drawn("g", "arrow");
  group.append(drawn("path", "shaft"), drawn("path", "head"));
  return group;
}

/** Draw a shaft along a curve and the head at its end. */
function headed(made, tail, first, second, end, thick) {
  const [shaft, head] = made.children;
  const from = second === tail ? tail : second;
  const angle = Math.atan2(end.y - from.y, end.x - from.x);
  const [long, wide] = [9 + thick * 0.8, 5.5 + thick * 0.62];
  const base = along(end, angle + Math.PI, long);
  const [left, right] = [along(base, angle + Math.PI / 2, wide), along(base, angle - Math.PI / 2, wide)];
  const pair = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const neck = along(base, angle, 1);
  shaft.setAttribute("d", `M ${pair(tail)} C ${pair(first)} ${pair(second === tail ? neck : second)} ${pair(neck)}`);
  shaft.style.strokeWidth = `${thick.toFixed(1)}px`;
  head.setAttribute("d", `M ${pair(end)} L ${pair(left)} L ${pair(right)} Z`);
}

/** Ice creams side by side, `r` pixels a scoop, around a middle. */
function layScoops(state, key, count, { x, y, r, mark = key }) {
  const made = keep(state, "shapes", key, () => drawn("g", "scoops"));
  made.dataset.mark = mark;
  if (made.dataset.count !== `${count}`) {
    made.dataset.count = `${count}`;
    made.replaceChildren(
      ...Array.from({ length: count }, (_, i) => {
        const one = drawn("g", "", { transform: `translate(${(i - (count - 1) / 2) * 2.3} 0)` });
        one.append(drawn("path", "cone", { d: "M -1 0 h 2 l -1 1.9 z" }), drawn("circle", "scoop", { r: 1 }));
        return one;
      }),
    );
  }
  made.style.transform = `translate(${x.toFixed(2)}px, ${(y - r * 0.4).toFixed(2)}px) scale(${r.toFixed(2)})`;
}

function layBars(state, { title, bars }, i, { x, y, w, h, at, most }, { hue, faint }) {
  const { size } = state;
  const top = y + Math.max(16, h * 0.12);
  const arrow = keep(state, "arrows", `down.${i}`, makeArrow);
  arrow.setAttribute("class", `arrow thin${faint ? " faint" : ""}`);
  arrow.style.setProperty("--hue", `var(--${hue})`);
  const [tail, end] = [{ x: at, y: y + 2 }, { x: at, y: top }];
  headed(arrow, tail, tail, tail, end, 2.5);
  const frame = keep(state, "back", `frame.${i}`, () => drawn("rect", "frame", { rx: 10 }));
  frame.style.setProperty("--hue", `var(--${hue})`);
  frame.classList.toggle("faint", Boolean(faint));
  place(frame, { x, y: top, width: w, height: y + h - top - 2 });
  write(state, `frame.${i}.title`, title, { x: x + w / 2, y: top + size * 0.85, kind: faint ? "faint" : "strong", hue });
  const each = (y + h - top - size * 1.7 - 6) / bars.length;
  const r = Math.max(3.5, Math.min(12, each * 0.2, w / 40));
  const labels = size * 1.2 + 3 * 2.3 * r + 12;
  const span = (w - labels - size * 2.6 - 10) / most;
  bars.forEach(({ count, p, text, hit }, j) => {
    const middle = top + size * 1.6 + (j + 0.5) * each;
    const kind = faint ? "faint" : hit ? "heavy" : "";
    write(state, `bar.${i}.${j}.count`, `${count}`, { x: x + 10 + size * 0.4, y: middle, kind });
    layScoops(state, `bar.${i}.${j}.scoops`, count, { x: x + size * 1.2 + 8 + 1.15 * count * r, y: middle, r, mark: `bar.${i}.${j}` });
    state.kept.get(`bar.${i}.${j}.scoops`).classList.toggle("faint", Boolean(faint));
    const bar = keep(state, "shapes", `bar.${i}.${j}`, () => drawn("rect", "", { rx: 2 }));
    bar.setAttribute("class", `bar${faint ? " faint" : ""}${hit ? " hit" : ""}`);
    bar.dataset.mark = `bar.${i}.${j}`;
    bar.style.setProperty("--hue", `var(--${hue})`);
    const tall = Math.min(44, each * 0.66);
    place(bar, { x: x + labels, y: middle - tall / 2, width: Math.max(1, p * span), height: tall });
    write(state, `bar.${i}.${j}.p`, text, { x: x + labels + p * span + 7, y: middle, anchor: "start", kind: faint ? "faint" : "strong" });
  });
}

// The line from 0 to 1 and the random number on it.

function layLine(state, { title, segments, ticks, u }, { x, y, w, h }) {
  const { size } = state;
  const [left, span] = [x + 14, w - 28];
  write(state, "line.title", title, { x: left, y: y + size * 1.1, anchor: "start", kind: "strong" });
  const tall = Math.max(size * 1.6, Math.min(54, h - size * 5.2));
  const top = y + size * 3.5;
  const base = keep(state, "back", "line.base", () => drawn("rect", "base"));
  base.dataset.mark = "line";
  place(base, { x: left, y: top, width: span, height: tall });
  segments.forEach(({ name, count, hue, from, to, hit }, j) => {
    const part = keep(state, "shapes", `segment.${j}`, () => drawn("rect", ""));
    part.setAttribute("class", `segment${hit ? " hit" : ""}`);
    part.dataset.mark = `segment.${j}`;
    part.style.setProperty("--hue", `var(--${hue})`);
    const wide = (to - from) * span;
    place(part, { x: left + from * span, y: top, width: Math.max(0, wide - (to < 0.999 ? 2 : 0)), height: tall });
    const r = Math.min(9, tall * 0.17);
    const scoops = count && wide > count * 2.3 * r + size * 2.2;
    const letters = name.length * size * 1.1 * GLYPH;
    if (wide < letters + 4) return;
    const middle = left + (from + to) * 0.5 * span - 1;
    write(state, `segment.${j}.name`, name, { x: middle - (scoops ? count * 1.15 * r + 4 : 0), y: top + tall / 2, size: size * 1.1, kind: hit ? "heavy" : "strong" });
    if (scoops) layScoops(state, `segment.${j}.scoops`, count, { x: middle + size * 0.6, y: top + tall / 2, r });
  });
  ticks.forEach(({ at, text }, j) => {
    const anchor = at === 0 ? "start" : at === 1 ? "end" : "middle";
    write(state, `tick.${j}`, text, { x: left + at * span, y: top + tall + size * 0.85, anchor, kind: "soft", size: size * 0.9 });
  });
  const pointer = keep(state, "arrows", "pointer", makeArrow);
  pointer.setAttribute("class", "arrow pointer");
  pointer.dataset.mark = "u";
  const [tail, tip] = [{ x: left + u.at * span, y: top - size * 1.5 }, { x: left + u.at * span, y: top + 1 }];
  headed(pointer, tail, tail, tail, tip, 4);
  const before = u.at > 0.62;
  const number = write(state, "u", u.text, { x: left + u.at * span + (before ? -14 : 14), y: top - size * 0.85, anchor: before ? "end" : "start", kind: "heavy", size: size * 1.15 });
  number.dataset.mark = "u";
}

// What the machine has written.

function layRun(state, { days }, run, { x, y, w, h }) {
  const { size, data } = state;
  const { day, hidden, observed } = data.labels;
  const left = Math.max(...[hidden, observed].flat().map((text) => text.length)) * size * GLYPH + 16;
  const each = (w - left - 6) / days.length;
  const above = size * (days[0].into ? 3.8 : 2.1); // the arrow from the start
  const R = Math.max(12, Math.min(72, each * 0.33, (h - above) * 0.2));
  const r = Math.min(24, each / 8, R * 0.38);
  const below = r * 2 + size * 1.3; // of the scoops' middle
  const down = Math.min(R * (state.narrow ? 5 : 2.4), h - above - 2 * R - r * 1.5 - below); // an arrow to the ice creams
  const begin = y + Math.max(0, (h - above - 2 * R - down - r * 1.5 - below) / 2);
  const middles = { hidden: begin + above + R, observed: begin + above + 2 * R + down + r * 1.5 };
  const at = (t) => x + left + (t + 0.5) * each;
  write(state, `run.${run}.day`, day, { x: x + 6, y: begin + size, anchor: "start", kind: "soft" });
  layRowName(state, `run.${run}.hidden`, hidden, { x: x + 6, y: middles.hidden });
  layRowName(state, `run.${run}.observed`, observed, { x: x + 6, y: middles.observed });
  days.forEach(({ name, hue, count, into, down: emitted, now }, t) => {
    write(state, `run.${run}.day.${t}`, `${t + 1}`, { x: at(t), y: begin + size, kind: "soft" });
    layState(state, run ? `state.${run}.${t}` : `state.${t}`, { x: at(t), y: middles.hidden, R }, { name, hue, faint: false, kind: now === "state" ? "now" : "" });
    const quiet = hue ? "" : " open";
    if ((t && name) || into) {
      const arrow = keep(state, "arrows", `run.${run}.into.${t}`, makeArrow);
      arrow.setAttribute("class", `arrow step${quiet}`);
      arrow.dataset.mark = `into.${t}`;
      const [tail, end] = t
        ? [{ x: at(t - 1) + R + 2, y: middles.hidden }, { x: at(t) - R - 3, y: middles.hidden }]
        : [{ x: at(0), y: middles.hidden - R - size * 1.7 }, { x: at(0), y: middles.hidden - R - 3 }];
      headed(arrow, tail, tail, tail, end, 2.5);
    }
    if (into) write(state, `run.${run}.into.${t}.text`, into, { x: t ? at(t) - each / 2 : at(t) + 9, y: middles.hidden - (t ? size * 0.95 : R + size), anchor: t ? "middle" : "start", kind: "number strong" });
    if (!count) return;
    const arrow = keep(state, "arrows", `run.${run}.down.${t}`, makeArrow);
    arrow.setAttribute("class", `arrow step${quiet}`);
    arrow.dataset.mark = `down.${t}`;
    const [tail, end] = [{ x: at(t), y: middles.hidden + R + 2 }, { x: at(t), y: middles.observed - r * 1.5 - 4 }];
    headed(arrow, tail, tail, tail, end, 2.5);
    if (emitted) write(state, `run.${run}.down.${t}.text`, emitted, { x: at(t) + 9, y: (tail.y + end.y) / 2 - 2, anchor: "start", kind: "number strong" });
    layScoops(state, `word.${run}.${t}`, count, { x: at(t), y: middles.observed, r, mark: run ? `word.${run}.${t}` : `word.${t}` });
    write(state, `word.${run}.${t}.text`, `${count}`, { x: at(t), y: middles.observed + r * 2 + size * 0.45, kind: now === "word" ? "heavy" : "strong" });
  });
}

function layRowName(state, key, [what, how], { x, y }) {
  write(state, `${key}.what`, what, { x, y: y - state.size * 0.55, anchor: "start", kind: "strong" });
  write(state, `${key}.how`, how, { x, y: y + state.size * 0.65, anchor: "start", kind: "soft" });
}

/** Many days: a cell for each, its scoops as dots below it, and the name of each spell in it. */
function layStrip(state, { title, note, days }, run, { x, y, w, h }) {
  const { size, narrow } = state;
  const [left, span] = [x + 6, w - 12];
  const each = span / days.length;
  const two = narrow && note && (title.length + note.length) * size * GLYPH > span - 16;
  write(state, `strip.${run}.title`, title, { x: left, y: y + size * 1.1, anchor: "start", kind: "strong" });
  if (note) write(state, `strip.${run}.note`, note, { x: two ? left : left + span, y: y + size * (two ? 2.4 : 1.1), anchor: two ? "start" : "end", kind: "heavy" }).dataset.mark = `note.${run}`;
  const top = y + size * (title || note ? (two ? 3.4 : 2.1) : 0.6);
  const r = Math.min(9, each * 0.36, (y + h - top) * 0.06);
  const tall = Math.min(160, y + h - top - r * 8 - 12);
  days.forEach(({ hue, count, now }, t) => {
    const cell = keep(state, "shapes", `cell.${run}.${t}`, () => drawn("rect", ""));
    cell.setAttribute("class", `cell${hue ? "" : " open"}${now ? " now" : ""}`);
    cell.dataset.mark = `cell.${run}.${t}`;
    cell.style.setProperty("--hue", hue ? `var(--${hue})` : "var(--soft)");
    place(cell, { x: left + t * each, y: top, width: Math.max(1, each - 1.5), height: tall });
    for (let i = 0; i < count; i++) {
      const dot = keep(state, "shapes", `dot.${run}.${t}.${i}`, () => drawn("circle", "scoop"));
      place(dot, { cx: left + (t + 0.5) * each - 0.75, cy: top + tall + r * 1.6 + i * r * 2.3, r });
    }
  });
  spells(days).forEach(({ name, hue, from, to }) => {
    const wide = (to - from) * each;
    if (wide > name.length * size * GLYPH + 6) write(state, `spell.${run}.${from}`, name, { x: left + (from + to) * 0.5 * each, y: top + tall / 2, kind: "strong", hue: hue ? "" : "grey" });
  });
}

/** Days in a row with the same weather. */
function spells(days) {
  const found = [];
  days.forEach(({ name, hue }, t) => {
    if (found.at(-1)?.name === name) found.at(-1).to = t + 1;
    else found.push({ name, hue, from: t, to: t + 1 });
  });
  return found;
}

export default function draw(component) {
  const state = mount(component, "hidden-machine", buildMachine);
  state.root.classList.toggle("bench", !state.data.bare);
  state.sum.textContent = state.data.sum ?? "";
  layAll(state);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
