/* A bidirectional language model on a sentence: a box for each vector. Apart, one direction rises above the words and the
   other goes down below them, and no arrow leads from one to the other. Joined, both halves of a layer are one box, with
   the tag that is read from it. The boxes move from one picture to the other.

   data: { words, chosen: [places], layout: "apart" | "joined", layers: [names, from layer 0 up], streams: [from the left,
   from the right], at: the column whose path is traced, -1 for none, tags: [layer][word] { text, hue, p, kind } }.
   Marks: column.t of everything of a word, ahead and back of the arrows, layer.j, tag.j.t. Every text was formatted by core. */

import { drawn, element } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";

const NARROW = 560; // pixels, below which joined layers stand side by side and the words below one another

function buildStreams(root) {
  root.classList.add("fills");
  const svg = drawn("svg", "board", { "aria-hidden": "true" });
  const defs = drawn("defs", "");
  for (const side of ["ahead", "back"]) {
    const head = drawn("marker", `head ${side}`, { id: `head-${side}`, viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 9, markerHeight: 9, orient: "auto", markerUnits: "userSpaceOnUse" });
    head.append(drawn("path", "", { d: "M 0 0 L 10 5 L 0 10 z" }));
    defs.append(head);
  }
  const layers = Object.fromEntries(["arrows", "boxes", "names"].map((name) => [name, drawn("g", name)]));
  svg.append(defs, ...Object.values(layers));
  root.append(svg, element("span", ""));
  const state = { root, svg, layers, boxes: new Map() };
  state.watch = new ResizeObserver(() => state.data && layStreams(state));
  state.watch.observe(root);
  return state;
}

/** Where everything is in a room: a function from a box to its centre, and its size. */
function measure({ data, svg }) {
  const [width, height] = [svg.clientWidth || 600, svg.clientHeight || 400];
  const [n, L] = [data.words.length, data.layers.length];
  const joined = data.layout === "joined";
  const narrow = width < NARROW;
  const size = Math.max(14, Math.min(Math.max(22, width / 42), width / n / 6));
  if (joined && narrow) {
    const left = Math.min(width * 0.3, Math.max(...data.words.map((word) => word.length)) * 9 + 22);
    const [across, down] = [(width - left) / L, (height - 30) / n];
    const box = { w: across * 0.86, h: Math.min(58, down * 0.84) };
    const centre = (layer, t) => [left + (layer + 0.5) * across, 30 + (t + 0.5) * down];
    return { width, height, size: 16, box, centre, joined, narrow, word: (t) => [left - 8, 30 + (t + 0.5) * down], name: (layer) => [left + (layer + 0.5) * across, 18] };
  }
  const left = narrow ? 76 : Math.max(96, 4.4 * size);
  const top = joined ? 10 : Math.max(34, 1.6 * size);
  const bottom = joined ? Math.max(44, 2 * size) : top;
  const rows = joined ? L : 2 * L - 1;
  const [across, down] = [(width - left - 8) / n, (height - top - bottom) / rows];
  const box = { w: across * (joined ? 0.88 : narrow ? 0.8 : 0.68), h: down * (joined ? 0.76 : 0.66) };
  const y = (row) => top + (row + 0.5) * down;
  const centre = (layer, t, side) => [left + (t + 0.5) * across, y(joined ? L - 1 - layer : side === "back" ? L - 1 + layer : L - 1 - layer)];
  const word = (t) => (joined ? [left + (t + 0.5) * across, height - Math.max(16, 0.7 * size)] : centre(0, t));
  const name = (layer, side) => [left - 12, centre(layer, 0, side)[1]];
  return { width, height, size, box, centre, joined, narrow, word, name, left };
}

function layStreams(state) {
  const { data, svg } = state;
  const room = measure(state);
  svg.setAttribute("viewBox", `0 0 ${room.width} ${room.height}`);
  svg.style.setProperty("--size", `${room.size}px`);
  svg.classList.toggle("joined", room.joined);
  svg.classList.toggle("narrow", room.narrow);
  layNames(state, room);
  layArrows(state, room);
  const wanted = new Map();
  data.words.forEach((word, t) => {
    data.layers.forEach((_, layer) => {
      for (const side of layer ? ["ahead", "back"] : ["word"]) wanted.set(`${side}.${layer}.${t}`, { side, layer, t });
    });
  });
  for (const [key, made] of state.boxes) {
    if (wanted.has(key)) continue;
    made.remove();
    state.boxes.delete(key);
  }
  for (const [key, box] of wanted) {
    if (!state.boxes.has(key)) state.boxes.set(key, state.layers.boxes.appendChild(makeBox(box)));
    layBox(state.boxes.get(key), box, data, room);
  }
}

function makeBox({ side, layer, t }) {
  const made = drawn("g", "");
  made.dataset.mark = `column.${t}.${side}.${layer}`;
  made.append(drawn("rect", "", { rx: 7 }));
  return made;
}

/** Whether a vector is one that the traced column's vectors have read. */
function isRead({ at }, { side, layer, t }) {
  if (at < 0) return false;
  return layer === 0 ? t === at : side === "ahead" ? t <= at : t >= at;
}

function layBox(made, box, data, room) {
  const { side, layer, t } = box;
  const [x, y] = room.centre(layer, t, side);
  const half = room.joined && layer > 0;
  const w = half ? room.box.w / 2 : room.box.w;
  const shift = half ? (side === "ahead" ? -w / 2 : w / 2) : 0;
  const kinds = ["box", side];
  if (isRead(data, box)) kinds.push("read");
  if (data.chosen.includes(t)) kinds.push("chosen");
  if (data.at === t) kinds.push("own");
  made.setAttribute("class", kinds.join(" "));
  made.style.transform = `translate(${x + shift}px, ${y}px)`;
  const rect = made.firstChild;
  Object.assign(rect.style, { width: `${w}px`, height: `${room.box.h}px`, x: `${-w / 2}px`, y: `${-room.box.h / 2}px` });
}

/** The names of layers, the words, and the tags that lie on the boxes. */
function layNames({ data, layers }, room) {
  const made = [];
  const anchor = room.joined && room.narrow ? "middle" : "end";
  data.layers.forEach((name, layer) => {
    for (const side of room.joined || layer === 0 ? ["ahead"] : ["ahead", "back"]) {
      const [x, y] = room.name(layer, side);
      const text = drawn("text", "layer", { x, y, dy: "0.35em", "text-anchor": anchor }, name);
      text.dataset.mark = room.joined ? `layer.${layer}` : `layer.${layer}.${side}`;
      made.push(text);
    }
  });
  if (!room.joined) {
    data.streams.forEach((name, i) => {
      const text = drawn("text", `stream ${i ? "back" : "ahead"}`, { x: room.left, y: i ? room.height - 0.6 * room.size : 1.1 * Math.max(room.size, 20) }, name);
      text.dataset.mark = i ? "back" : "ahead";
      made.push(text);
    });
  }
  data.words.forEach((word, t) => {
    const [x, y] = room.word(t);
    const kept = room.joined && room.narrow ? 12 : Math.max(4, Math.floor(room.box.w / room.size / 0.56));
    const shown = word.length > kept ? `${word.slice(0, kept - 1)}…` : word;
    const text = drawn("text", `word${data.chosen.includes(t) || data.at === t ? " chosen" : ""}`, { x, y, dy: "0.35em", "text-anchor": room.joined && room.narrow ? "end" : "middle" }, shown);
    text.dataset.mark = `column.${t}.name`;
    made.push(text);
  });
  (data.tags ?? []).forEach((row, layer) => row.forEach((tag, t) => made.push(tagAt(tag, layer, t, room))));
  layers.names.replaceChildren(...made);
}

function tagAt({ text, hue, p, kind }, layer, t, room) {
  const [x, y] = room.centre(layer, t, "ahead");
  const tag = drawn("g", `tag ${kind}`);
  tag.dataset.mark = `tag.${layer}.${t}`;
  tag.style.setProperty("--hue", `var(--${hue})`);
  tag.style.setProperty("--ink", `var(--ink-${hue})`);
  const line = Math.max(20, 0.92 * room.size);
  const two = p && room.box.h > 2 * line + 6;
  const [w, h] = [Math.min(room.box.w * 0.94, Math.max(text.length, two ? p.length : 0) * room.size * 0.68 + 14), (two ? 2 : 1) * line + 8];
  tag.append(
    drawn("rect", "pill", { x: x - w / 2, y: y - h / 2, width: w, height: h, rx: 8 }),
    drawn("text", "name", { x, y: two ? y - line / 2 : y, dy: "0.35em", "text-anchor": "middle" }, text),
  );
  if (two) tag.append(drawn("text", "p", { x, y: y + line / 2, dy: "0.35em", "text-anchor": "middle" }, p));
  return tag;
}

function layArrows({ data, layers }, room) {
  if (room.joined) return layers.arrows.replaceChildren();
  const made = [];
  const { w, h } = room.box;
  const line = (x1, y1, x2, y2, side, read) => {
    const arrow = drawn("line", `arrow ${side}${read ? " read" : ""}`, { x1, y1, x2, y2, "marker-end": `url(#head-${side})` });
    arrow.dataset.mark = `${side}.arrow`;
    made.push(arrow);
  };
  for (let layer = 1; layer < data.layers.length; layer++) {
    for (const side of ["ahead", "back"]) {
      const sign = side === "ahead" ? 1 : -1;
      data.words.forEach((_, t) => {
        const [x, y] = room.centre(layer, t, side);
        const below = room.centre(layer - 1, t, side);
        const read = isRead(data, { side, layer, t });
        line(below[0], below[1] - (sign * h) / 2, x, y + sign * (h / 2 + 2), side, read);
        const before = t - sign;
        if (before < 0 || before >= data.words.length) return;
        const from = room.centre(layer, before, side);
        line(from[0] + (sign * w) / 2, from[1], x - sign * (w / 2 + 2), y, side, read && isRead(data, { side, layer, t: before }));
      });
    }
  }
  layers.arrows.replaceChildren(...made);
}

export default function draw(component) {
  const state = mount(component, "two-streams", buildStreams);
  layStreams(state);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
