/* A loss curve with a marker, and next to it what the network writes at the marked step. It fills its room; the marker,
   the part of the curve that is behind it and the axes move from one picture to the next.

   data: { curve: [{ step, bits }], range: { steps: [least, most], bits: [least, most] },
           ticks: { steps: [{ at, text }], bits: [{ at, text }] }, at, now, dots,
           levels: [{ name, bits, text, right, below, strong }], crossings: [{ step, bits, text }],
           panels: [{ mark, title, pieces: [{ text, known }] | null, foot }], labels: { x, y, hidden } }.
   Steps are placed by their square root. `at` is the marked step, null for none; the curve behind it is strong. A panel
   without pieces is hidden. Without panels the curve has all the room; several panels are rows. */

import { drawn, element } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";

const NARROW = 620; // pixels

function buildLearningCurve(root) {
  root.classList.add("fills");
  const svg = drawn("svg", "board", { "aria-hidden": "true" });
  const clip = drawn("clipPath", "", { id: "behind" });
  const behind = clip.appendChild(drawn("rect", "behind"));
  const layers = ["back", "front"].map((name) => drawn("g", name));
  svg.append(clip, ...layers);
  const panels = element("div", "panels");
  root.append(svg, panels);
  const state = { root, svg, behind, layers, panels, kept: new Map() };
  state.watch = new ResizeObserver(() => state.data && layCurve(state));
  state.watch.observe(svg);
  return state;
}

/** Return the part of a key, made where there is none yet; `used` notes that it is still wanted. */
function keep({ kept, used, layers }, key, make, front = false) {
  used.add(key);
  if (!kept.has(key)) kept.set(key, layers[Number(front)].appendChild(make()));
  return kept.get(key);
}

/** Set where a part is; its style moves it there. */
function place(part, where) {
  for (const [name, value] of Object.entries(where)) part.setAttribute(name, value.toFixed(2));
}

function write(state, key, className, text, where, anchor = "start", front = true) {
  const part = keep(state, key, () => drawn("text", className), front);
  part.setAttribute("class", className);
  part.setAttribute("text-anchor", anchor);
  part.textContent = text;
  part.style.fontSize = `${state.size}px`;
  place(part, where);
  return part;
}

function layCurve(state) {
  const { data, svg } = state;
  const [width, height] = [svg.clientWidth || 500, svg.clientHeight || 400];
  state.used = new Set();
  state.size = width < 360 ? 14 : Math.max(15, Math.min(20, width / 36));
  const { size } = state;
  const room = { left: size * 1.6, right: width - 14, top: size * 2.1, bottom: height - size * 2.9, width };
  const [from, to] = data.range.steps.map(Math.sqrt);
  const [least, most] = data.range.bits;
  state.x = (step) => room.left + ((room.right - room.left) * (Math.sqrt(step) - from)) / (to - from);
  state.y = (bits) => room.bottom - ((room.bottom - room.top) * (bits - least)) / (most - least);
  layAxes(state, room, height);
  data.levels.forEach((level) => layLevel(state, level, room));
  layLine(state, room, height);
  data.crossings.forEach((crossing, i) => layCrossing(state, crossing, i, room));
  layMarker(state, room);
  for (const [key, made] of state.kept) {
    if (state.used.has(key)) continue;
    made.remove();
    state.kept.delete(key);
  }
}

function layAxes(state, { left, right, top, bottom }, height) {
  const { data, size, x, y } = state;
  write(state, "label.y", "label", data.labels.y, { x: 0, y: size }, "start");
  write(state, "label.x", "label", data.labels.x, { x: right, y: height - size * 0.35 }, "end");
  const apart = Math.abs(y(data.ticks.bits[0].at) - y(data.ticks.bits[1].at));
  const every = Math.max(1, Math.ceil((size * 1.15) / apart));
  for (const { at, text } of data.ticks.bits.filter((_, i) => i % every === 0)) {
    const line = keep(state, `grid.${at}`, () => drawn("line", "grid"));
    place(line, { x1: left, x2: right, y1: y(at), y2: y(at) });
    write(state, `bits.${at}`, "tick", text, { x: left - size * 0.4, y: y(at) + size * 0.35 }, "end");
  }
  for (const { at, text } of data.ticks.steps) {
    const anchor = x(at) > right - size * 1.5 ? "end" : "middle";
    write(state, `step.${at}`, "tick", text, { x: Math.min(x(at), right), y: bottom + size * 1.25 }, anchor);
  }
  const frame = keep(state, "axis", () => drawn("path", "axis"));
  frame.setAttribute("d", `M${left} ${top}V${bottom}H${right}`);
}

function layLevel(state, { name, bits, text, right: late, below, strong }, { left, right }) {
  const { size, y } = state;
  const line = keep(state, `level.${name}`, () => drawn("line", "level"));
  line.setAttribute("class", `level${strong ? " strong" : ""}`);
  line.dataset.mark = `level.${name}`;
  place(line, { x1: left, x2: right, y1: y(bits), y2: y(bits) });
  const where = { x: late ? right : left + 6, y: y(bits) + (below ? size * 1.15 : -size * 0.4) };
  const anchor = late ? "end" : "start";
  const said = write(state, `name.${name}`, `level-text${strong ? " strong" : ""}`, text, where, anchor);
  said.dataset.mark = `level.${name}`;
}

function layLine(state, { left, right, top }, height) {
  const { data, x, y, behind } = state;
  const shown = data.curve.filter(({ step }) => step >= data.range.steps[0] && step <= data.range.steps[1]);
  const d = shown.map(({ step, bits }, i) => `${i ? "L" : "M"}${x(step).toFixed(2)} ${y(bits).toFixed(2)}`).join("");
  for (const kind of ["ahead", "done"]) {
    const line = keep(state, kind, () => drawn("path", `line ${kind}`));
    line.setAttribute("d", d);
    line.dataset.mark = "curve";
    if (kind === "done") line.setAttribute("clip-path", "url(#behind)");
  }
  const end = data.at === null ? right : x(data.at);
  place(behind, { x: left - 4, y: top - 30, width: Math.max(0, end - left + 4 + (data.at === null ? 10 : 0)), height: height + 30 });
  if (!data.dots) return;
  for (const { step, bits } of shown) {
    const dot = keep(state, `dot.${step}`, () => drawn("circle", "dot", { r: 3.5 }));
    place(dot, { cx: x(step), cy: y(bits) });
  }
}

function layCrossing(state, { step, bits, text }, i, { right }) {
  const { size, x, y } = state;
  const dot = keep(state, `crossing.${i}`, () => drawn("circle", "crossing", { r: size * 0.42 }), true);
  dot.dataset.mark = `crossing.${i}`;
  place(dot, { cx: x(step), cy: y(bits) });
  const fits = x(step) + size * (0.7 + 0.55 * text.length) < right; // else it is above its circle, as far as the edge lets it
  const where = fits ? { x: x(step) + size * 0.6, y: y(bits) - size * 0.7 } : { x: Math.min(right, x(step) + size * 0.275 * text.length), y: y(bits) - size * 1.1 };
  write(state, `crossing.text.${i}`, "crossing-text", text, where, fits ? "start" : "end");
}

function layMarker(state, { right, bottom }) {
  const { data, size, x, y } = state;
  if (data.at === null) return;
  const { bits } = data.curve.find(({ step }) => step === data.at);
  const marker = keep(
    state,
    "marker",
    () => {
      const group = drawn("g", "marker");
      group.append(drawn("line", "drop"), drawn("circle", "now"), drawn("text", "now-text"));
      group.dataset.mark = "now";
      return group;
    },
    true,
  );
  const [drop, dot, text] = marker.children;
  marker.style.transform = `translate(${x(data.at).toFixed(2)}px, ${y(bits).toFixed(2)}px)`;
  place(drop, { x1: 0, x2: 0, y1: 0, y2: bottom - y(bits) });
  place(dot, { r: size * 0.5 });
  const at = { x: x(data.at), y: y(bits) };
  text.textContent = data.now;
  text.style.fontSize = `${size * 1.1}px`;
  const wide = size * 0.6 * data.now.length;
  const fits = at.x + size + wide < right;
  const ends = data.curve.at(-1).step === data.at; // nothing of the curve is to the right
  text.setAttribute("text-anchor", fits ? "start" : "end");
  // Where the text has no room to the right, it ends at the edge, above what the curve is there.
  const above = Math.min(...data.curve.filter(({ step }) => x(step) >= right - wide && step <= data.at).map((each) => y(each.bits)), at.y);
  const here = fits ? { x: size * 0.8, y: ends ? size * 0.35 : -size * 0.7 } : { x: right - at.x, y: above - at.y - size * 0.9 };
  place(text, here);
}

function describePanel({ mark, title, pieces, foot }, hidden) {
  const box = element("section", "panel");
  box.dataset.mark = mark;
  box.append(element("h3", "title", title));
  if (pieces === null) {
    box.append(element("div", "hidden", hidden));
    return box;
  }
  const text = element("pre", "text");
  for (const piece of pieces) text.append(piece.known ? element("span", "known", piece.text) : piece.text);
  box.append(text);
  if (foot) box.append(element("p", "foot", foot));
  return box;
}

export default function draw(component) {
  const state = mount(component, "learning-curve", buildLearningCurve);
  const { panels, labels } = state.data;
  state.root.classList.toggle("alone", panels.length === 0);
  state.root.classList.toggle("rows", panels.length > 1);
  state.root.classList.toggle("narrow", state.root.clientWidth < NARROW);
  state.panels.replaceChildren(...panels.map((panel) => describePanel(panel, labels.hidden)));
  layCurve(state);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
