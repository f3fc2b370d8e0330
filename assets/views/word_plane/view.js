/* Words as points in a plane, with lines and arrows between places. The plane fills its room; words, lines and labels move
   to their next places. A label that has no room next to its point stands further away, on a thin line.

   data: { panels: [{ title, range: { x: [least, most], y: [least, most] }, points: [{ key, text, x, y, hue, kind, trail }],
   arrows: [{ key, from: [x, y], to: [x, y], text, kind, hue }] }], key: [{ kind, hue, text }] }. Kinds of point: plain, strong, open
   (an output vector), bare (no label), faint, star (no word: where a sum ends). `trail` are the places [x, y] that a word comes from.
   Kinds of arrow: link (a dashed line), line, arrow, strong (a thick arrow). Both axes have one scale. Every text was formatted by core. Marks: point.key, arrow.key. */

import { contextOf, drawn, element } from "../shared/element.js";
import { dropUnused, fadeIn, keep } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";

const NARROW = 520; // pixels
const LAYERS = ["trails", "leads", "arrows", "points", "labels", "texts"];
const ANGLES = [0, 180, 90, 270, 45, 135, 225, 315, 22, 158, 202, 338, 67, 112, 248, 292].map((degree) => (degree * Math.PI) / 180);
const FARTHEST = 170; // pixels from a point to its label
const LEAD = 26; // pixels, from which on a thin line joins them
const STAR = `M${Array.from({ length: 10 }, (_, i) => [Math.sin((i * Math.PI) / 5), -Math.cos((i * Math.PI) / 5)].map((each) => ((i % 2 ? 0.42 : 1) * each).toFixed(3)).join(" ")).join("L")}Z`; // of size 1

function buildPlane(root) {
  root.classList.add("fills");
  const [boards, key] = [element("div", "boards"), element("div", "key")];
  root.append(boards, key);
  const state = { root, boards, key, made: [], pen: contextOf() };
  state.watch = new ResizeObserver(() => state.data && layPlanes(state));
  state.watch.observe(boards);
  return state;
}

function makeBoard() {
  const svg = drawn("svg", "board", { "aria-hidden": "true" });
  const layers = Object.fromEntries(LAYERS.map((name) => [name, drawn("g", name)]));
  svg.append(...Object.values(layers));
  const title = element("p", "title");
  return { box: element("div", "panel", title, svg), title, svg, layers, kept: new Map(), used: new Set() };
}

function layPlanes(state) {
  const { data, boards, made } = state;
  while (made.length > data.panels.length) made.pop().box.remove();
  while (made.length < data.panels.length) {
    made.push(makeBoard());
    boards.append(made.at(-1).box);
  }
  data.panels.forEach((panel, i) => {
    made[i].title.textContent = panel.title;
    layPlane(made[i], panel, state.pen, getComputedStyle(state.root).fontFamily);
  });
}

/** Return a function from a place in the plane to pixels. */
function scaleOf({ range }, width, height, size) {
  const edge = size * 1.6;
  const [wide, high] = [range.x[1] - range.x[0], range.y[1] - range.y[0]];
  const unit = Math.min((width - 2 * edge) / wide, (height - 2 * edge) / high);
  const middle = [(range.x[0] + range.x[1]) / 2, (range.y[0] + range.y[1]) / 2];
  return ([x, y]) => [width / 2 + unit * (x - middle[0]), height / 2 - unit * (y - middle[1])];
}

function layPlane(board, panel, pen, family) {
  const { svg } = board;
  const [width, height] = [svg.clientWidth || 500, svg.clientHeight || 400];
  const size = width < NARROW ? 14 : Math.max(16, Math.min(21, width / 42));
  const at = scaleOf(panel, width, height, size);
  board.used = new Set();
  svg.style.fontSize = `${size}px`;
  const wide = (text, bold) => {
    pen.font = `${bold ? 750 : 600} ${size}px ${family}`;
    return pen.measureText(text).width;
  };
  const dot = size * 0.42;
  const taken = panel.points.map(({ x, y }) => around(at([x, y]), dot, dot));
  const room = { width, height, size, dot, at, wide, taken };
  for (const arrow of panel.arrows) layArrow(board, arrow, room);
  for (const arrow of panel.arrows) if (arrow.text) layText(board, arrow, room); // once all lines are known
  for (const point of panel.points) layPoint(board, point, room);
  dropUnused(board);
}

/**
 * Return the rectangle around a place.
 * @param {number[]} place
 * @param {number} w
 * @param {number} h
 */
function around([x, y], w, h) {
  return { left: x - w, right: x + w, top: y - h, bottom: y + h };
}

function overlap(one, other) {
  const w = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const h = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return w > 0 && h > 0 ? w * h : 0;
}

/** How many pixels of a rectangle are over the edges of the plane. */
function outside(box, width, height) {
  return Math.max(0, -box.left) + Math.max(0, box.right - width) + Math.max(0, -box.top) + Math.max(0, box.bottom - height);
}

function layArrow(board, { key, from, to, kind, hue }, { at, size, taken, dot }) {
  const made = keep(board, "arrows", `arrow.${key}`, () => {
    const group = fadeIn(drawn("g", ""), 450);
    group.append(drawn("path", "shaft"), drawn("path", "head"));
    return group;
  });
  made.setAttribute("class", `arrow ${kind}`);
  made.dataset.mark = `arrow.${key}`;
  made.style.setProperty("--hue", `var(--${hue})`);
  const [x0, y0] = at(from);
  const [x1, y1] = at(to);
  const long = Math.hypot(x1 - x0, y1 - y0) || 1;
  const [dx, dy] = [(x1 - x0) / long, (y1 - y0) / long];
  const head = kind === "link" || kind === "line" ? 0 : size * (kind === "strong" ? 1.05 : 0.85);
  const [bx, by] = [x1 - dx * head * 0.9, y1 - dy * head * 0.9];
  made.children[0].setAttribute("d", `M${x0.toFixed(1)} ${y0.toFixed(1)}L${bx.toFixed(1)} ${by.toFixed(1)}`);
  const side = head * 0.42;
  const tip = head ? `M${x1.toFixed(1)} ${y1.toFixed(1)}L${(bx - dy * side).toFixed(1)} ${(by + dx * side).toFixed(1)}L${(bx + dy * side).toFixed(1)} ${(by - dx * side).toFixed(1)}Z` : "M0 0";
  made.children[1].setAttribute("d", tip);
  for (let t = 0.1; t <= 0.9; t += 0.1) taken.push(around([x0 + t * (x1 - x0), y0 + t * (y1 - y0)], dot * 0.8, dot * 0.8));
}

/** Write what an arrow is next to its middle, where it covers least; to the left or right of a line shorter than the text. */
function layText(board, { key, from, to, text, hue }, { at, size, wide, taken, dot, width, height }) {
  const [[x0, y0], [x1, y1]] = [at(from), at(to)];
  const long = Math.hypot(x1 - x0, y1 - y0) || 1;
  const [dx, dy] = [(x1 - x0) / long, (y1 - y0) / long];
  const w = wide(text, true) / 2;
  const gap = dot + size * (0.35 + 0.6 * Math.min(2, Math.abs(dx / (dy || 1e-9))));
  const sides = [1, -1].map((sign) => [(x0 + x1) / 2 + sign * (w + gap), (y0 + y1) / 2]);
  const beside = long < 2 * w ? sides.filter(([x]) => x > w && x < width - w) : [];
  const across = [0.5, 0.62, 0.38, 0.75, 0.25].flatMap((t) => {
    const [x, y] = [x0 + t * (x1 - x0), y0 + t * (y1 - y0)];
    const off = Math.abs(dx) * size * 0.95 + Math.abs(dy) * (w + size * 0.5);
    return [1, -1].map((sign) => [x - sign * dy * off, y + sign * dx * off]);
  });
  const lost = (place) => {
    const box = around(place, w, size * 0.6);
    return sum(taken, box) + outside(box, width, height) * 1000;
  };
  const best = [...beside, ...across].map((place) => ({ place, lost: lost(place) })).sort((a, b) => a.lost - b.lost)[0].place;
  taken.push(around(best, w + 4, size * 0.7));
  const said = keep(board, "texts", `text.${key}`, () => fadeIn(drawn("text", ""), 450));
  said.setAttribute("class", `arrow-text`);
  said.style.setProperty("--ink", `var(--ink-${hue})`);
  said.dataset.mark = `arrow.${key}`;
  said.textContent = text;
  said.style.transform = `translate(${best[0].toFixed(1)}px, ${(best[1] + size * 0.35).toFixed(1)}px)`;
}

function sum(taken, box) {
  return taken.reduce((lost, other) => lost + overlap(box, other), 0);
}

function layPoint(board, { key, text, x, y, hue, kind, trail }, room) {
  const { at, dot } = room;
  const [px, py] = at([x, y]);
  const made = keep(board, "points", `point.${key}`, () => fadeIn(kind === "star" ? drawn("path", "", { d: STAR }) : drawn("circle", ""), 450));
  made.setAttribute("class", `point ${kind}`);
  made.dataset.mark = `point.${key}`;
  made.style.setProperty("--hue", `var(--${hue})`);
  const size = kind === "strong" ? dot * 1.3 : kind === "faint" ? dot * 0.7 : dot;
  if (kind !== "star") made.setAttribute("r", size.toFixed(1));
  made.style.transform = `translate(${px.toFixed(1)}px, ${py.toFixed(1)}px)${kind === "star" ? ` scale(${(dot * 2).toFixed(1)})` : ""}`;
  if (trail.length) {
    const line = keep(board, "trails", `trail.${key}`, () => fadeIn(drawn("polyline", "trail"), 450));
    line.style.setProperty("--hue", `var(--${hue})`);
    line.setAttribute("points", [...trail, [x, y]].map((place) => at(place).map((each) => each.toFixed(1)).join(",")).join(" "));
  }
  if (kind !== "bare") layLabel(board, { key, text, hue, kind, px, py }, room);
}

function layLabel(board, { key, text, hue, kind, px, py }, room) {
  const { size, dot, width, height, wide, taken } = room;
  const [w, h] = [wide(text, kind === "strong") / 2 + 1, size * 0.58];
  let best = { place: [px, py], lost: Infinity, box: around([px, py], w, h), far: 0 };
  for (let far = dot + 5; far < FARTHEST && best.lost > 0; far += 9) {
    for (const angle of ANGLES) {
      const [c, s] = [Math.cos(angle), -Math.sin(angle)];
      const place = [px + c * (far + w), py + s * (far + h)];
      const box = around(place, w, h);
      const lost = sum(taken, box) + outside(box, width, height) * 1000;
      if (lost < best.lost) best = { place, lost, box, far };
      if (lost === 0) break;
    }
  }
  taken.push(best.box);
  const label = keep(board, "labels", `label.${key}`, () => fadeIn(drawn("text", ""), 450));
  label.setAttribute("class", `label ${kind}`);
  label.dataset.mark = `point.${key}`;
  label.style.setProperty("--ink", `var(--ink-${hue})`);
  label.textContent = text;
  label.style.transform = `translate(${best.place[0].toFixed(1)}px, ${(best.place[1] + size * 0.35).toFixed(1)}px)`;
  if (best.far < LEAD) return;
  const lead = keep(board, "leads", `lead.${key}`, () => fadeIn(drawn("path", "lead"), 450));
  const [lx, ly] = [Math.max(best.box.left, Math.min(best.box.right, px)), Math.max(best.box.top, Math.min(best.box.bottom, py))];
  lead.setAttribute("d", `M${px.toFixed(1)} ${py.toFixed(1)}L${lx.toFixed(1)} ${ly.toFixed(1)}`);
}

function describeKey({ kind, hue, text }) {
  const item = element("span", `item ${kind}`, element("i", ""), text);
  item.style.setProperty("--hue", `var(--${hue})`);
  return item;
}

export default function draw(component) {
  const state = mount(component, "word-plane", buildPlane);
  state.key.replaceChildren(...state.data.key.map(describeKey));
  state.root.classList.toggle("pair", state.data.panels.length > 1);
  layPlanes(state);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
