/* Words on a line between two ends. "rows": a row for each word, a dot at its place, a stem to it from 0. "arc": vectors of
   length 1 as arrows in a half circle, and where they drop onto the line. A word glides from one picture to the next.

   data: { shape, left, right, unit, least, most, ticks: [{ at, text }], lines: [{ at, text, kind, mark }], hill, band, sides,
           rows: [{ key, word, at, text, kind, before, mark }], chord, key: [{ kind, text }] }
   Kinds of row: plain, best, end (in the arc), open (its place is not shown yet). Kinds of line: zero, mean. `hill` counts words
   in bins from least to most; `sides` are the two texts on its halves. `before` is where a word was in another picture.
   Every number was computed and every text formatted by core. */

import { contextOf, drawn, element } from "../shared/element.js";
import { dropUnused, fadeIn, keep } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";

const [SIDE, HEAD] = [14, 9]; // pixels at both sides of the room; of an arrow's head

function buildLine(root) {
  root.classList.add("fills");
  const svg = drawn("svg", "board");
  const head = drawn("marker", "", { id: "word-line-head", viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 4.2, markerHeight: 4.2, orient: "auto-start-reverse" });
  head.append(drawn("path", "head", { d: "M0 0 10 5 0 10Z" }));
  const names = ["behind", "words", "front"];
  const layers = Object.fromEntries(names.map((name) => [name, drawn("g", name)]));
  svg.append(head, ...Object.values(layers));
  const [room, key] = [element("div", "room", svg), element("div", "key")];
  root.append(room, key);
  const state = { svg, room, key, layers, kept: new Map(), used: new Set(), pen: contextOf() };
  state.watch = new ResizeObserver(() => state.data && lay(state));
  state.watch.observe(room);
  return state;
}

const wide = (state, words, scale = 1, weight = 680) => {
  state.pen.font = `${weight} ${scale * state.size}px ${getComputedStyle(state.root).fontFamily}`;
  return state.pen.measureText(words).width;
};

/** Words, cut where they are wider than their room. */
function cut(state, words, room) {
  let shown = [...words];
  while (shown.length > 2 && wide(state, shown.join("")) > room) shown = [...shown.slice(0, -2), "…"];
  return shown.join("");
}

/** Set attributes and words of an element that is kept, or made now. */
function put(state, layer, key, tag, className, attributes, words) {
  const made = keep(state, layer, key, () => fadeIn(drawn(tag, ""), 400));
  made.setAttribute("class", className);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "mark") made.dataset.mark = value;
    else made.setAttribute(name, typeof value === "number" ? value.toFixed(1) : value);
  }
  if (words !== undefined) made.textContent = words;
  return made;
}

const sideOf = (at) => (at < 0 ? "left-side" : "right-side");

/** The scale: from least to most, moved in so far that each label has room outside its dot. */
function scaleOf(state, labels) {
  const { least, most, ticks } = state.data;
  const width = state.width;
  let [left, right] = [ticks[0], ticks.at(-1)].map((tick) => SIDE + wide(state, tick?.text ?? "") / 2);
  const x = (at) => left + ((at - least) / (most - least)) * (width - left - right);
  for (let again = 0; again < 12; again++) {
    for (const { at, w, side } of labels) {
      if (side < 0) left += Math.max(0, SIDE / 2 + w - x(at));
      else right += Math.max(0, x(at) + w + SIDE / 2 - width);
    }
  }
  return x;
}

function hillPath({ counts, least, most }, from, to, x, base, tall) {
  const top = Math.max(...counts);
  const edge = (i) => least + ((most - least) * i) / counts.length;
  const within = counts.map((count, i) => ({ count, i })).filter(({ i }) => (edge(i) + edge(i + 1)) / 2 > from && (edge(i) + edge(i + 1)) / 2 < to);
  if (!within.length) return "";
  const steps = within.map(({ count, i }) => `V${(base - (count / top) * tall).toFixed(1)}H${x(edge(i + 1)).toFixed(1)}`);
  return `M${x(edge(within[0].i)).toFixed(1)} ${base}${steps.join("")}V${base}Z`;
}

/** A text near x that stays within the room, and to one side of the upright lines that pass it where there is room. */
function beside(state, key, className, words, at, y, mark, lines = []) {
  const w = wide(state, words);
  const crossed = lines.filter((line) => Math.abs(line - at) < w / 2 + 6);
  const sides = crossed.length ? [Math.min(...crossed) - w - 8, Math.max(...crossed) + 8] : [];
  const free = sides.find((side) => side >= 4 && side + w <= state.width - 4);
  const start = free ?? Math.max(4, Math.min(at - w / 2, state.width - w - 4));
  put(state, "front", key, "text", className, { x: start, y, mark }, words);
}

function layScale(state, x, { top, base }) {
  const { data, size, width } = state;
  put(state, "behind", "base", "line", "base", { x1: SIDE, x2: width - SIDE, y1: base, y2: base });
  let after = -Infinity;
  for (const { at, text } of data.ticks) {
    if (x(at) - wide(state, text) / 2 < after + 8) continue;
    after = x(at) + wide(state, text) / 2;
    put(state, "front", `tick ${at}`, "text", "tick", { x: x(at), y: base + 1.25 * size }, text);
  }
  put(state, "front", "unit", "text", "unit", { x: width / 2, y: base + 2.6 * size }, data.unit);
  data.lines.forEach(({ at, text, kind, mark }, i) => {
    const y = top - (data.lines.length + (data.band ? 1 : 0) - i - 0.75) * 1.3 * size;
    put(state, "behind", `line ${kind}`, "line", `upright ${kind}`, { x1: x(at), x2: x(at), y1: y + 5, y2: base, mark });
    beside(state, `line text ${kind}`, "line-text", text, x(at), y, mark, data.lines.slice(0, i).map((line) => x(line.at)));
  });
}

function layEnds(state) {
  const { data, size, width } = state;
  const room = width / 2 - 1.5 * SIDE;
  put(state, "front", "left", "text", "end-text left-side", { x: 4, y: size, mark: "end.left" }, cut(state, `← ${data.left}`, room));
  put(state, "front", "right", "text", "end-text right-side", { x: width - 4, y: size, "text-anchor": "end", mark: "end.right" }, cut(state, `${data.right} →`, room));
}

function layHill(state, x, { top, base }) {
  const { hill, sides, band, lines, least, most } = state.data;
  const { size } = state;
  if (band) {
    const [from, to] = [x(Math.max(band.from, least)), x(Math.min(band.to, most))];
    put(state, "behind", "band", "rect", "band", { x: from, y: top, width: to - from, height: base - top, mark: "band" });
    for (const [key, at] of [["from", from], ["to", to]]) put(state, "behind", `band ${key}`, "line", "band-line", { x1: at, x2: at, y1: top, y2: base });
    beside(state, "band text", "band-text", band.text, (from + to) / 2, top - 0.4 * size, "band", lines.map((line) => x(line.at)));
  }
  if (!hill) return;
  const shape = { counts: hill.counts, least, most };
  const tall = 0.9 * (base - top);
  const parts = sides.length ? [[-Infinity, 0, "hill side left-side"], [0, Infinity, "hill side right-side"]] : [[-Infinity, Infinity, "hill"]];
  parts.forEach(([from, to, className], i) =>
    put(state, "behind", `hill ${parts.length} ${i}`, "path", className, { d: hillPath(shape, from, to, x, base, tall), mark: sides.length ? sides[i].mark : "hill" }));
  put(state, "front", "hill text", "text", "hill-text", { x: state.width - SIDE, y: base - 0.7 * size, "text-anchor": "end", mark: "hill" }, hill.text);
  sides.forEach(({ at, text, mark }) =>
    put(state, "front", `side ${mark}`, "text", `side-text ${sideOf(at)}`, { x: x(at), y: (top + base) / 2, mark }, text));
}

/** The group of a word, kept so that it glides: a stem, where it was, its dot, its name and its number. */
function wordOf(state, row) {
  const made = keep(state, "words", `word ${row.key}`, () => {
    const name = drawn("text", "label");
    name.append(drawn("tspan", "name"), drawn("tspan", "number"));
    const group = drawn("g", "");
    group.append(drawn("line", "stem"), drawn("circle", "ring"), drawn("circle", "dot"), name);
    return fadeIn(group, 400);
  });
  made.setAttribute("class", `word ${row.kind} ${sideOf(row.at ?? 0)}`);
  made.dataset.mark = row.mark;
  const [stem, ring, dot, label] = made.children;
  const [name, number] = label.children;
  name.textContent = row.shown;
  number.textContent = row.text ? `\u00a0${row.text}` : "";
  return { made, stem, ring, dot, label };
}

function layRow(state, row, x, y, tall) {
  const { made, stem, ring, dot, label } = wordOf(state, row);
  const at = row.at ?? 0;
  made.style.transform = `translate(${x(at).toFixed(1)}px, ${y.toFixed(1)}px)`;
  const r = Math.max(5, Math.min(row.kind === "best" ? 12 : 9, tall / 2.6));
  const { least, most } = state.data;
  const [start, finish] = row.at === null ? [x(least), x(most)].map((end) => end - x(0)) : [x(row.before ?? 0) - x(at), 0];
  stem.setAttribute("x1", start.toFixed(1));
  stem.setAttribute("x2", finish.toFixed(1));
  dot.setAttribute("r", row.at === null ? "0" : String(r));
  ring.setAttribute("r", row.before === null ? "0" : String(0.8 * r));
  ring.setAttribute("cx", start.toFixed(1));
  ring.style.setProperty("--hue-before", `var(--${(row.before ?? 0) < 0 ? "vermillion" : "blue"})`);
  label.setAttribute("text-anchor", row.at === null ? "middle" : row.side < 0 ? "end" : "start");
  label.setAttribute("x", row.at === null ? "0" : (row.side * (r + 6)).toFixed(1));
  label.setAttribute("y", ((row.at === null ? -0.35 : 0.35) * state.size).toFixed(1));
}

function layRows(state) {
  const { data, height } = state;
  state.size = Math.max(15, Math.min(21, height / 27, state.width / 26));
  const { size } = state;
  const top = (2.1 + 1.3 * (data.lines.length + (data.band ? 1 : 0))) * size;
  const base = height - 3.1 * size;
  const tall = Math.min(4 * size, (base - top) / Math.max(1, data.rows.length));
  state.size = Math.max(14, Math.min(size, 0.82 * tall));
  // A label is on the side of its dot to which the stem does not go.
  const rows = data.rows.map((row) => ({ ...row, shown: cut(state, row.word, 0.3 * state.width), side: (row.at ?? 0) < (row.before ?? 0) ? -1 : 1 }));
  const labels = rows.filter(({ at }) => at !== null).map(({ at, side, shown, text }) => ({ at, side, w: wide(state, `${shown} ${text}`, 1, 750) + 22 }));
  const x = scaleOf(state, labels);
  const above = top + (base - top - tall * rows.length) / 2;
  rows.forEach((row, i) => layRow(state, row, x, above + (i + 0.5) * tall, tall));
  state.nameSize = state.size; // many rows have smaller names
  state.size = size;
  layHill(state, x, { top, base });
  layScale(state, x, { top, base });
  layEnds(state);
}

function layVector(state, row, point, base, r) {
  const { made, stem, ring, dot, label } = wordOf(state, { ...row, shown: row.word, text: "" });
  const { size } = state;
  const [tipX, tipY] = point(row.at, r);
  const hue = `${row.kind} ${sideOf(row.at)}`;
  const best = row.kind !== "end";
  made.style.transform = `translate(${tipX.toFixed(1)}px, ${tipY.toFixed(1)}px)`;
  stem.setAttribute("x1", "0");
  stem.setAttribute("x2", "0");
  ring.setAttribute("r", "0");
  dot.setAttribute("r", best ? "9" : "6");
  label.setAttribute("text-anchor", best ? (row.at < 0 ? "end" : "start") : "middle");
  label.setAttribute("x", best ? String(14 * Math.sign(row.at)) : "0");
  label.setAttribute("y", (best ? 0.15 * size : -0.75 * size).toFixed(1));
  const [endX, endY] = point(row.at, r - HEAD);
  put(state, "behind", `arrow ${row.key}`, "line", `arrow ${hue}`, { x1: point(0, 0)[0], y1: base, x2: endX, y2: endY, "marker-end": "url(#word-line-head)" });
  if (!best) return;
  put(state, "behind", `drop ${row.key}`, "line", `drop ${hue}`, { x1: tipX, x2: tipX, y1: tipY + 9, y2: base - 8, mark: row.mark });
  put(state, "front", `foot ${row.key}`, "circle", `dot ${hue}`, { cx: tipX, cy: base, r: 9, mark: row.mark });
  put(state, "front", `number ${row.key}`, "text", `number ${hue}`, { x: tipX, y: base + 1.4 * size, "text-anchor": "middle", mark: row.mark }, row.text);
}

function layArc(state) {
  const { data, width, height } = state;
  state.size = Math.max(15, Math.min(22, height / 26, width / 26));
  state.nameSize = state.size;
  const { size } = state;
  const [top, base] = [3.6 * size, height - 3.1 * size];
  const r = Math.min(base - top, (width / 2 - 4.5 * size) / 0.42);
  const reach = Math.min(1, (width / 2 - SIDE) / r); // the half circle may be wider than the room
  const [middle, ground] = [width / 2, (top + base + r) / 2];
  const point = (at, length) => [middle + at * length, ground - Math.sqrt(1 - at * at) * length];
  put(state, "behind", "arc", "path", "arc", { d: `M${point(-reach, r).join(" ")}A${r} ${r} 0 0 1 ${point(reach, r).join(" ")}` });
  put(state, "behind", "base", "line", "base", { x1: middle - reach * r, x2: middle + reach * r, y1: ground, y2: ground });
  const ends = data.rows.filter(({ kind }) => kind === "end").map(({ at }) => point(at, r));
  if (ends.length === 2) {
    const [[fromX, y], [toX]] = ends;
    put(state, "behind", "chord", "line", "chord", { x1: fromX + 6, x2: toX - HEAD - 4, y1: y, y2: y, "marker-end": "url(#word-line-head)", mark: "direction" });
    put(state, "front", "chord text", "text", "chord-text", { x: (fromX + toX) / 2, y: y + 1.35 * size, mark: "direction" }, data.chord);
  }
  data.rows.forEach((row) => layVector(state, row, point, ground, r));
  put(state, "front", "tick 0", "text", "tick", { x: middle, y: ground + 1.4 * size }, data.ticks.find(({ at }) => at === 0)?.text ?? "");
  put(state, "front", "unit", "text", "unit", { x: middle, y: ground + 2.8 * size }, data.unit);
  layEnds(state);
}

function lay(state) {
  state.width = state.room.clientWidth;
  state.height = state.room.clientHeight;
  if (!state.width || !state.height) return; // not laid out yet: the observer calls again
  state.used.clear();
  if (state.data.shape === "arc") layArc(state);
  else layRows(state);
  state.svg.style.setProperty("--size", `${state.size.toFixed(1)}px`);
  for (const { style } of state.layers.words.children) style.setProperty("--size", `${state.nameSize.toFixed(1)}px`);
  dropUnused(state);
}

export default function draw(component) {
  const state = mount(component, "word-line", buildLine);
  state.key.replaceChildren(...state.data.key.map(({ kind, text }) => element("span", kind, element("i", ""), text)));
  lay(state);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
