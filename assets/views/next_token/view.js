/* The next token: a bar for each of the most probable tokens and one for all others, the line from 0 to 1 on which they
   lie end to end, and the text that is written. It fills its room, and what stays from one picture to the next moves there.

   data: { panels: [{ prompt, note, rows: [{ key, token, p, text, before, cut, hue, share }], line, most }], texts: [{ label, prompt,
   pieces: [{ text, kind }] }], key: [{ kind, text }], stairs }. A row's `before` is the length of its outline; a row that is
   cut has nothing else. A line is null or { segments: [{ key, token, hue, share, from, to, cut }], u: null or { at, text, hit },
   empty, cut: null or { at, text, drag }, drag, ticks: [{ at, text }] }. With `stairs` a bar begins where the one above it
   ends. Every text was formatted by core. It reports `top_p`, where the line's cut was dragged to. */

import { drawn, element } from "../shared/element.js";
import { dropUnused, keep } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";

const GLYPH = 0.56; // of the font's size: a letter's width
const NARROW = 620; // pixels, below which texts stand under the bars
const REST = "rest";
const LAYERS = ["lines", "numbers", "bars", "names"]; // what lies on what
const [LINES, NUMBERS, BARS, NAMES] = LAYERS.keys();

function buildNextToken(root) {
  root.classList.add("fills");
  const svg = drawn("svg", "board", { "aria-hidden": "true" });
  const layers = LAYERS.map((name) => svg.appendChild(drawn("g", name)));
  const texts = element("div", "texts");
  const key = element("div", "key");
  const stage = element("div", "stage", svg, texts);
  root.append(stage, key);
  const state = { root, svg, layers, texts, key, kept: new Map() };
  state.watch = new ResizeObserver(() => state.data && layNextToken(state));
  state.watch.observe(svg);
  return state;
}

function layNextToken(state) {
  const { data, svg, root } = state;
  const narrow = root.clientWidth < NARROW;
  root.classList.toggle("narrow", narrow);
  const [width, height] = [svg.clientWidth || 600, svg.clientHeight || 400];
  state.used = new Set();
  const n = data.panels.length;
  const across = n > 1 ? 2 : 1;
  const down = Math.ceil(n / across);
  const gap = n > 1 ? (narrow ? 10 : 28) : 0;
  const most = Math.max(...data.panels.flatMap(({ rows }) => rows.map(({ p, before }) => Math.max(p, before ?? 0))));
  data.panels.forEach((panel, i) => {
    const [w, h] = [(width - gap * (across - 1)) / across, (height - gap * (down - 1)) / down];
    const box = { x: (i % across) * (w + gap), y: Math.floor(i / across) * (h + gap), w, h };
    layPanel(state, panel, i, measure(panel, box, panel.most ?? most, data.stairs));
  });
  dropUnused(state);
}

/** The sizes of a chart in its box. */
function measure({ rows, line, note }, box, most, stairs) {
  const size = Math.max(14, Math.min(20, box.w / 24, box.h / (rows.length * 1.9)));
  const labels = Math.min(box.w * 0.4, Math.max(...rows.map(({ token }) => token.length)) * size * GLYPH + 12);
  const top = size * (note && box.w < 330 ? 3.2 : 2.1);
  const tight = box.h < size * (9 + 1.15 * rows.length); // then the line has no names and numbers below it
  const foot = line ? size * (tight ? 4.2 : 6.6) : 4;
  const each = Math.min(52, (box.h - top - foot) / rows.length);
  const left = box.x + labels;
  const span = box.w - labels - 16;
  const numbers = size * 3.4;
  const bars = (span - numbers) / most;
  const bottom = box.y + top + each * rows.length;
  return { ...box, size, top: box.y + top, each, left, span, bars, bottom, stairs, numbers, tight };
}

const coloured = ({ key, hue, share }) =>
  hue ? `color-mix(in srgb, var(--${hue}) ${share}%, var(--st-background-color))` : key === REST ? "var(--others)" : "var(--named)";

function layPanel(state, panel, i, room) {
  const { rows, line } = panel;
  layTitle(state, panel, i, room);
  const begins = beginnings(panel);
  if (line?.u) layPointer(state, line, i, room, rows.findIndex(({ key }) => key === line.u.hit));
  rows.forEach((row, at) => layRow(state, row, i, at, room, begins.get(row.key), line?.u?.hit === row.key));
  if (line) layLine(state, line, i, room);
}

/** Where each bar begins on the line: where its segment does, or, where it is cut, where the one before it ended. */
function beginnings({ rows, line }) {
  const found = new Map();
  let end = 0;
  for (const row of rows) {
    const segment = line?.segments.find(({ key }) => key === row.key);
    found.set(row.key, segment?.from ?? end);
    end = segment ? segment.to : end + (row.before ?? row.p);
  }
  return found;
}

function layTitle(state, { prompt, note, line, rows }, i, { x, y, size, w }) {
  const title = keep(state, NAMES, `title.${i}`, () => drawn("text", "title"));
  title.dataset.mark = `title.${i}`;
  const hit = line?.u ? rows.find(({ key }) => key === line.u.hit) : null;
  const rest = hit?.key === REST;
  const end = hit && !rest ? drawn("tspan", "written", {}, hit.token) : null;
  if (end) end.style.fill = hit.hue ? `var(--ink-${hit.hue})` : "";
  title.replaceChildren(drawn("tspan", "", {}, `${prompt} `), ...(end ? [end] : []));
  place(title, { x: x + 2, y: y + size * 1.2 });
  const long = prompt.length * GLYPH * size * 1.2;
  title.style.fontSize = `${long > w ? Math.max(14, (size * 1.2 * w) / long) : size * 1.2}px`;
  if (!note) return;
  const said = keep(state, NAMES, `note.${i}`, () => drawn("text", "note"));
  said.dataset.mark = `note.${i}`;
  said.textContent = note;
  const below = w < 330;
  said.setAttribute("text-anchor", below ? "start" : "end");
  place(said, { x: below ? x + 2 : x + w - 4, y: y + size * (below ? 2.5 : 1.2) });
  said.style.fontSize = `${size}px`;
}

function layRow(state, row, i, at, room, begin, hit) {
  const { each, left, span, bars, size, stairs, numbers } = room;
  const group = keep(state, BARS, `row.${i}.${row.key}`, makeRow);
  group.dataset.mark = i ? `row.${i}.${at}` : `row.${at}`;
  group.setAttribute("class", `row${row.cut ? " cut" : ""}${row.key === REST ? " others" : ""}${hit ? " hit" : ""}`);
  group.style.transform = `translateY(${room.top + at * each}px)`;
  group.style.setProperty("--fill", coloured(row));
  const scale = stairs ? span : bars;
  const x = left + (stairs ? begin * span : 0);
  const [label, bar, outline, number] = group.children;
  label.textContent = row.token;
  place(label, { x: left - 8, y: each / 2 });
  const tall = Math.min(each * 0.74, 30);
  place(bar, { x, y: (each - tall) / 2, width: row.cut ? 0 : row.p * scale, height: tall });
  const before = row.before ?? 0;
  place(outline, { x, y: (each - tall) / 2, width: before * scale, height: tall });
  outline.classList.toggle("gone", row.before === null);
  const end = x + Math.max(row.cut ? 0 : row.p, before) * scale;
  const inside = end + numbers > left + span + 6;
  number.textContent = row.text;
  number.setAttribute("text-anchor", inside ? "end" : "start");
  place(number, { x: inside ? x - 7 : end + 7, y: each / 2 });
  group.style.fontSize = `${size}px`;
}

function makeRow() {
  const group = drawn("g", "row");
  group.append(
    drawn("text", "token", { "text-anchor": "end", dy: "0.35em" }),
    drawn("rect", "bar", { rx: 2 }),
    drawn("rect", "before", { rx: 2 }),
    drawn("text", "number", { dy: "0.35em" }),
  );
  return group;
}

/** Set where a part is; its style moves it there. */
function place(part, where) {
  for (const [name, value] of Object.entries(where)) part.setAttribute(name, value.toFixed(2));
}

/** The sizes of the line below a chart. */
function onLine({ left, span, bottom, size }) {
  const y = bottom + size * 2;
  return { x: (share) => left + share * span, y, tall: size * 1.7 };
}

/** The line at which the random number falls: on stairs from the bar that it hits, or from the last, down. */
function layPointer(state, { u }, i, room, hit) {
  const { x, y, tall } = onLine(room);
  const pointer = keep(state, NUMBERS, `pointer.${i}`, () => drawn("line", "pointer"));
  pointer.dataset.mark = `u.${i}`;
  const from = hit < 0 ? room.bottom - room.each : room.top + hit * room.each;
  place(pointer, { x1: x(u.at), x2: x(u.at), y1: room.stairs ? from : y - room.size * 1.5, y2: y + tall + 4 });
}

function layLine(state, line, i, room) {
  const { size, left, span } = room;
  const { x, y, tall } = onLine(room);
  const base = keep(state, LINES, `base.${i}`, () => drawn("rect", "base"));
  place(base, { x: left, y, width: span, height: tall });
  line.segments.forEach((segment, at) => {
    const kind = segment.cut ? "cut" : "left";
    const part = keep(state, LINES, `segment.${i}.${segment.key}.${kind}`, () => drawn("rect", "segment"));
    part.setAttribute("class", `segment ${kind}`);
    part.dataset.mark = `line.${i}.${at}`;
    part.style.setProperty("--fill", coloured(segment));
    place(part, { x: x(segment.from), y, width: Math.max(0, (segment.to - segment.from) * span - 1), height: tall });
  });
  if (!room.tight) layNames(state, line, i, room);
  if (line.empty) {
    const end = line.segments.at(-1)?.to ?? 0;
    const empty = keep(state, NAMES, `empty.${i}`, () => drawn("text", "empty", { "text-anchor": "middle", dy: "0.35em" }));
    empty.textContent = line.empty;
    const at = line.u && line.u.at > end ? line.u.at : end; // beside the number, where there is more room
    const [from, to] = at - end > 1 - at ? [end, at] : [at, 1];
    const fits = line.empty.length * size * GLYPH < (to - from) * span - 6;
    place(empty, fits ? { x: x((from + to) / 2), y: y + tall / 2 } : { x: x((end + 1) / 2), y: y + tall + size * 0.8 });
    empty.style.fontSize = `${size}px`;
  }
  for (const { at, text } of room.tight ? [] : line.ticks) {
    const tick = keep(state, NAMES, `tick.${i}.${at}`, () => drawn("text", "tick", { "text-anchor": at === 0 ? "start" : at === 1 ? "end" : "middle" }));
    tick.textContent = text;
    place(tick, { x: x(at), y: y + tall + size * 2.4 });
    tick.style.fontSize = `${Math.max(14, size * 0.85)}px`;
  }
  if (line.u) layNumber(state, line.u, i, room);
  if (line.cut) layCut(state, line, i, room);
}

/** A segment's name below it, where there is room. */
function layNames(state, { segments }, i, room) {
  const { x, y, tall } = onLine(room);
  let end = room.left - 4;
  for (const { key, token, from, to, cut } of segments) {
    const wide = token.length * room.size * GLYPH;
    const middle = x((from + to) / 2);
    const least = Math.max(wide, 1.9 * room.size); // a comma below a thin segment would look lost
    if (cut || middle - wide / 2 < end || least > (to - from) * room.span + 2) continue;
    const name = keep(state, NAMES, `name.${i}.${key}`, () => drawn("text", "name", { "text-anchor": "middle" }));
    name.textContent = token;
    place(name, { x: middle, y: y + tall + room.size * 1.1 });
    name.style.fontSize = `${room.size}px`;
    end = middle + wide / 2 + 6;
  }
}

function layNumber(state, u, i, room) {
  const { x, y } = onLine(room);
  const text = keep(state, NAMES, `u.${i}`, () => drawn("text", "u"));
  text.dataset.mark = `u.${i}`;
  text.textContent = u.text;
  const before = u.at > 0.6;
  text.setAttribute("text-anchor", before ? "end" : "start");
  place(text, { x: x(u.at) + (before ? -8 : 8), y: y - room.size * 0.55 });
  text.style.fontSize = `${room.size * 1.1}px`;
}

/** Where top-p cuts the line: a mark, which can be dragged where the data say so. */
function layCut(state, line, i, room) {
  const { x, y, tall } = onLine(room);
  const { left, span, size } = room;
  const mark = keep(state, NAMES, `cut.${i}`, makeCut);
  mark.dataset.mark = `cut.${i}`;
  mark.classList.toggle("drags", line.cut.drag);
  const [stroke, grip, text] = mark.children;
  const lay = (at, said) => {
    place(stroke, { x1: x(at), x2: x(at), y1: y - 6, y2: y + tall + 6 });
    place(grip, { cx: x(at), cy: y - 4, r: line.cut.drag ? 11 : 0 });
    const half = (said.length * size * GLYPH) / 2 + (line.cut.drag ? 18 : 4);
    const before = x(at) + half * 2 > left + span;
    text.textContent = said;
    text.setAttribute("text-anchor", before ? "end" : "start");
    place(text, { x: x(at) + (before ? -1 : 1) * (line.cut.drag ? 17 : 4), y: y - size * 0.5 });
  };
  mark.style.fontSize = `${size}px`;
  lay(line.cut.at, line.cut.text);
  if (!line.cut.drag) return;
  mark.setAttribute("tabindex", "0");
  mark.setAttribute("role", "slider");
  mark.setAttribute("aria-label", line.drag);
  for (const [name, value] of Object.entries({ min: 0, max: 1, now: line.cut.at })) mark.setAttribute(`aria-value${name}`, String(value));
  const at = (event) => {
    const shown = event.clientX - state.svg.getBoundingClientRect().left;
    return Math.round(100 * Math.max(0, Math.min(1, (shown - left) / span))) / 100;
  };
  mark.onpointerdown = (event) => {
    event.preventDefault();
    mark.setPointerCapture(event.pointerId);
    mark.onpointermove = (moved) => lay(at(moved), line.cut.text.replace(/[\d.]+$/, at(moved).toFixed(2)));
    mark.onpointerup = mark.onpointercancel = (left_) => {
      mark.onpointermove = mark.onpointerup = mark.onpointercancel = null;
      state.report("top_p", at(left_));
    };
  };
  mark.onkeydown = (event) => {
    const by = { ArrowUp: 0.05, ArrowDown: -0.05 }[event.key];
    if (!by) return;
    event.preventDefault();
    state.report("top_p", Math.round(100 * Math.max(0, Math.min(1, line.cut.at + by))) / 100);
  };
}

function makeCut() {
  const mark = drawn("g", "cut-mark");
  mark.append(drawn("line", "stroke"), drawn("circle", "grip"), drawn("text", ""));
  return mark;
}

function fillTexts({ texts, root, data }) {
  root.classList.toggle("with-texts", data.texts.length > 0);
  root.classList.toggle("one-text", data.texts.length === 1);
  texts.replaceChildren(
    ...data.texts.map(({ label, prompt, pieces }, i) => {
      const written = element("p", "text", element("span", "prompt", prompt));
      for (const { text, kind } of pieces) {
        const piece = element("span", kind ? `piece ${kind}` : "piece", text);
        piece.dataset.mark = `text.${kind || "plain"}`;
        written.append(piece);
      }
      written.dataset.mark = `text.${i}`;
      return element("div", "block", element("p", "label", label), written);
    }),
  );
}

function fillKey({ key, data }) {
  key.replaceChildren(...data.key.map(({ kind, text }) => element("span", "entry", element("i", `swatch ${kind}`), text)));
}

export default function draw(component) {
  const state = mount(component, "next-token", buildNextToken);
  fillTexts(state);
  fillKey(state);
  layNextToken(state);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
