/* A text that runs in a loop: its tokens in a ring, with arrows from each to the next, and texts beside it. It fills its
   room, and what stays from one picture to the next moves there.

   data: { texts: [{ label, note, hue, pieces: [{ text, kind, shade }] }], rings: [{ enter, middle, below, steps: [{ token, kind, p,
   text, faint, exit: null or { token, text, p } }] }], key: [{ kind, text }] }. The arrow after a step is as wide as its p, null for a plain one;
   `text` stands inside it. An exit is a dashed arrow that leads out. Kinds of step: plain, strong, seen, next; the number at the arrow into a strong one is bold. Kinds of piece:
   plain, prompt, loop. `shade` is how much of the hue of surprisal is behind a piece. Every text was formatted by core. */

import { drawn, element } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";

const GLYPH = 0.58; // of the font's size: a letter's width
const NARROW = 620; // pixels, below which texts stand above the ring
const POINTS = 720; // of an ellipse, to measure along it
const WIDEST = 10; // pixels of an arrow with p = 1

function buildLoop(root) {
  root.classList.add("fills");
  const texts = element("div", "texts");
  const svg = drawn("svg", "board", { "aria-hidden": "true" });
  const defs = svg.appendChild(drawn("defs", ""));
  for (const name of ["on", "out"]) {
    const marker = drawn("marker", `head ${name}`, { id: `head-${name}`, viewBox: "0 0 10 10", refX: 6, refY: 5, markerUnits: "userSpaceOnUse", markerWidth: 15, markerHeight: 15, orient: "auto" });
    marker.append(drawn("path", "", { d: "M0,0.5 L10,5 L0,9.5 z" }));
    defs.append(marker);
  }
  const layers = ["arrows", "nodes", "names"].map((name) => svg.appendChild(drawn("g", name)));
  const key = element("div", "key");
  const stage = element("div", "stage", texts, svg);
  root.append(stage, key);
  const state = { root, svg, layers, texts, key, kept: new Map() };
  state.watch = new ResizeObserver(() => state.data && layLoop(state));
  state.watch.observe(root);
  return state;
}

/** Return the element of a key, made in its layer where there is none yet; `used` notes that it is still wanted. */
function keep({ kept, used, layers }, layer, key, make) {
  used.add(key);
  if (!kept.has(key)) kept.set(key, layers[layer].appendChild(make()));
  return kept.get(key);
}

function layLoop(state) {
  const { data, root, svg } = state;
  const narrow = root.clientWidth < NARROW;
  root.classList.toggle("narrow", narrow);
  root.classList.toggle("with-texts", data.texts.length > 0);
  root.classList.toggle("with-rings", data.rings.length > 0);
  const [width, height] = [svg.clientWidth || 600, svg.clientHeight || 400];
  state.used = new Set();
  const n = data.rings.length;
  const stacked = n > 1 && width < NARROW;
  data.rings.forEach((ring, i) => {
    const [w, h] = stacked ? [width, height * (i ? 0.4 : 0.6)] : [width / n, height];
    const box = stacked ? { x: 0, y: i ? height * 0.6 : 0, w, h } : { x: i * w, y: 0, w, h };
    layRing(state, ring, i, measure(ring, box, narrow));
  });
  for (const [key, made] of state.kept) {
    if (state.used.has(key)) continue;
    made.remove();
    state.kept.delete(key);
  }
}

/** How long an arrow is that leads out. */
function exitLength(narrow) {
  return narrow ? 18 : 28;
}

/** The sizes of a ring, and its points at equal steps along it, clockwise from the top. */
function measure(ring, { x, y, w, h }, narrow) {
  const size = narrow ? 15 : Math.max(17, Math.min(22, w / 36));
  const small = narrow ? 14 : Math.max(15, size * 0.82);
  const exits = ring.steps.some(({ exit }) => exit);
  const longest = Math.max(1, ...ring.steps.map(({ token }) => token.length));
  const named = exits && ring.steps.some(({ exit }) => exit?.token);
  const outside = Math.max(0, ...ring.steps.map(({ exit }) => (exit ? Math.max(exit.token.length, exit.text.length) : 0)));
  const side = Math.max((longest * size * GLYPH) / 2 + 12, exits ? 8 + exitLength(narrow) + 16 + outside * small * GLYPH : 0);
  const out = exits ? (named ? (narrow ? 62 : 80) : 46) : size; // room for what is written at the ways out
  const [above, below] = [(ring.enter ? size * 2.4 : 0) + out + 4, out + 4];
  const ry = Math.max(40, (h - above - below) / 2);
  const rx = Math.max(40, Math.min(w / 2 - side, ry * 1.55));
  const numbered = ring.steps.some(({ text }) => text);
  const inside = 2 * rx - (numbered ? 2 * (5 * small * GLYPH + 14) : longest * size * GLYPH + 30); // room for the middle
  const [cx, cy] = [x + w / 2, y + above + ry];
  const around = [];
  let length = 0;
  for (let i = 0; i <= POINTS; i++) {
    const angle = (2 * Math.PI * i) / POINTS - Math.PI / 2;
    const point = { x: cx + rx * Math.cos(angle), y: cy + ry * Math.sin(angle) };
    if (i) length += Math.hypot(point.x - around[i - 1].x, point.y - around[i - 1].y);
    around.push({ ...point, at: length });
  }
  return { size, small, inside, rx, ry, cx, cy, y, around, length, each: length / ring.steps.length, narrow };
}

/** The point so far along a ring, with its direction. */
function pointAt({ around, length, cx, cy, rx, ry }, at) {
  const wanted = ((at % length) + length) % length;
  const point = around.find((each) => each.at >= wanted) ?? around[0];
  const out = { x: (point.x - cx) / (rx * rx), y: (point.y - cy) / (ry * ry) };
  const norm = Math.hypot(out.x, out.y) || 1;
  const [ox, oy] = [out.x / norm, out.y / norm];
  return { x: point.x, y: point.y, out: { x: ox, y: oy }, along: { x: -oy, y: ox } };
}

function layRing(state, ring, i, room) {
  const { size, small, each } = room;
  const halves = ring.steps.map(({ token }, at) => {
    const { along } = pointAt(room, at * each);
    const [hw, hh] = [(token.length * size * GLYPH) / 2 + 8, size * 0.78];
    return Math.min(hw / Math.max(0.01, Math.abs(along.x)), hh / Math.max(0.01, Math.abs(along.y)), each * 0.46);
  });
  ring.steps.forEach((step, at) => {
    layStep(state, step, `${i}.${at}`, pointAt(room, at * each), room);
    const from = at * each + halves[at] + 2;
    const to = (at + 1) * each - halves[(at + 1) % halves.length] - 8;
    layArrow(state, { ...step, kind: ring.steps[(at + 1) % halves.length].kind }, `${i}.${at}`, from, Math.max(to, from + 2), room);
  });
  const middle = keep(state, 2, `middle.${i}`, () => drawn("text", "middle", { "text-anchor": "middle" }));
  middle.dataset.mark = `middle.${i}`;
  middle.textContent = ring.middle;
  const lines = ring.below ? ring.below.split("\n") : [];
  const big = Math.max(18, Math.min(size * 2.6, room.ry * 0.6, room.inside / (ring.middle.length * GLYPH)));
  place(middle, { x: room.cx, y: room.cy + big * 0.35 - lines.length * small * 0.6 });
  middle.style.fontSize = `${big}px`;
  lines.forEach((line, at) => {
    const below = keep(state, 2, `below.${i}.${at}`, () => drawn("text", "below", { "text-anchor": "middle" }));
    below.textContent = line;
    place(below, { x: room.cx, y: room.cy + big * 0.35 + small * (0.9 + 1.25 * at - 0.1 * lines.length) });
    below.style.fontSize = `${small}px`;
  });
  if (ring.enter) layEnter(state, ring.enter, i, room);
}

/** The words before the loop, and an arrow from them to its first token. */
function layEnter(state, enter, i, { size, cx, around, y }) {
  const text = keep(state, 2, `enter.${i}`, () => drawn("text", "enter", { "text-anchor": "middle" }));
  text.dataset.mark = `enter.${i}`;
  text.textContent = enter;
  place(text, { x: cx, y: y + size });
  text.style.fontSize = `${size}px`;
  const arrow = keep(state, 0, `into.${i}`, () => drawn("path", "into", { "marker-end": "url(#head-on)" }));
  arrow.setAttribute("d", `M${cx},${y + size * 1.35} L${cx},${around[0].y - size * 0.78 - 8}`);
}

function layStep(state, { token, kind, faint }, key, { x, y }, { size }) {
  const group = keep(state, 1, `step.${key}`, () => {
    const made = drawn("g", "step");
    made.append(drawn("rect", "pill", { rx: 8 }), drawn("text", "", { "text-anchor": "middle", dy: "0.34em" }));
    return made;
  });
  group.dataset.mark = `step.${key}`;
  group.setAttribute("class", `step ${kind}`);
  group.style.setProperty("--there", String(1 - 0.72 * (faint ?? 0)));
  group.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  const [wide, tall] = [token.length * size * GLYPH + 16, size * 1.56];
  place(group.firstChild, { x: -wide / 2, y: -tall / 2, width: wide, height: tall });
  group.lastChild.textContent = token;
  group.style.fontSize = `${size}px`;
}

function layArrow(state, { p, text, exit, faint, kind }, key, from, to, room) {
  const { small, narrow } = room;
  const arrow = keep(state, 0, `arrow.${key}`, () => drawn("path", "arrow", { "marker-end": "url(#head-on)" }));
  arrow.dataset.mark = `arrow.${key}`;
  const n = Math.max(2, Math.round((to - from) / 6));
  const points = Array.from({ length: n + 1 }, (_, i) => pointAt(room, from + ((to - from) * i) / n));
  arrow.setAttribute("d", points.map(({ x, y }, i) => `${i ? "L" : "M"}${x.toFixed(1)},${y.toFixed(1)}`).join(" "));
  arrow.style.strokeWidth = `${p === null ? 3 : Math.max(1, WIDEST * p)}px`;
  arrow.style.opacity = String(1 - 0.8 * (faint ?? 0));
  const { x, y, out } = pointAt(room, (from + to) / 2);
  if (text) {
    const said = keep(state, 2, `p.${key}`, () => drawn("text", "p", { "text-anchor": "middle", dy: "0.35em" }));
    said.dataset.mark = `p.${key}`;
    said.setAttribute("class", `p ${kind}`);
    said.textContent = text;
    const inside = small * (0.75 + 0.75 * Math.abs(out.x)) + (text.length * small * GLYPH * Math.abs(out.x)) / 4 + 6;
    place(said, { x: x - out.x * inside, y: y - out.y * inside });
    said.style.fontSize = `${small}px`;
  }
  if (!exit) return;
  const [start, end] = [8, 8 + exitLength(narrow)];
  const way = keep(state, 0, `out.${key}`, () => drawn("path", "out", { "marker-end": "url(#head-out)" }));
  way.dataset.mark = `exit.${key}`;
  way.setAttribute("d", `M${(x + out.x * start).toFixed(1)},${(y + out.y * start).toFixed(1)} L${(x + out.x * end).toFixed(1)},${(y + out.y * end).toFixed(1)}`);
  way.style.strokeWidth = `${Math.max(1.5, WIDEST * exit.p)}px`;
  [exit.token, exit.text].filter(Boolean).forEach((line, at, all) => {
    const said = keep(state, 2, `exit.${key}.${at}`, () => drawn("text", "exit", { dy: "0.35em" }));
    const anchor = out.x > 0.4 ? "start" : out.x < -0.4 ? "end" : "middle";
    said.setAttribute("text-anchor", anchor);
    said.textContent = line;
    const rise = (at - (all.length - 1) / 2) * small * 1.1 + out.y * small * (all.length > 1 ? 1.05 : 0.5);
    place(said, { x: x + out.x * (end + 12), y: y + out.y * (end + 10) + rise });
    said.style.fontSize = `${small}px`;
  });
}

/** Set where a part is; its style moves it there. */
function place(part, where) {
  for (const [name, value] of Object.entries(where)) part.setAttribute(name, value.toFixed(2));
}

function fillTexts({ texts, data }) {
  texts.replaceChildren(
    ...data.texts.map(({ label, note, hue, pieces }, i) => {
      const written = element("p", "text");
      for (const { text, kind, shade } of pieces) {
        const piece = element("span", `piece ${kind}`, text);
        piece.dataset.mark = `piece.${i}.${kind}`;
        if (shade) piece.style.background = `color-mix(in srgb, var(--ochre) ${Math.round(100 * shade)}%, transparent)`;
        written.append(piece);
      }
      const name = element("span", "name", label);
      if (hue) name.style.color = `var(--ink-${hue})`;
      const block = element("div", "block", element("p", "label", name, element("span", "note", note)), written);
      block.dataset.mark = `text.${i}`;
      return block;
    }),
  );
}

function fillKey({ key, data }) {
  key.replaceChildren(...data.key.map(({ kind, text }) => element("span", "entry", element("i", `swatch ${kind}`), text)));
}

export default function draw(component) {
  const state = mount(component, "loop-ring", buildLoop);
  fillTexts(state);
  fillKey(state);
  layLoop(state);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
