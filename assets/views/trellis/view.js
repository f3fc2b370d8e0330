/* A trellis: a column for each observation, a row for each state, and the paths through them. It fills its room, and what
   stays from one picture to the next moves there.

   data: { columns: [{ word, count }], rows: [{ name, hue }], start: [text] by row, nodes: [[{ text, kind }]] by column and row,
   edges: [{ t, i, j, kind, text }], faint, pointers, axis, sum: text }. An edge leads from row i of column t - 1 to row j of column t.
   Kinds of node: open, filled, now, best, lost, missed. Kinds of edge: faint, product, way, dropped, kept, best. `count` draws so many
   scoops, `faint` draws every edge that is not listed, `pointers` heads them to the left, `axis` says what the
   columns hold, `sum` is arithmetic below. `paths` [{ id, name, hue, nodes: [row] by column, text }] lie side by side, each
   named where it ends, or below where the room is narrow. A lost node is crossed out, a missed one too, and it is on the
   best path. A node may have a hue of its own. Every text was formatted by core. */

import { drawn, element } from "../shared/element.js";
import { keyed } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";

const ORDER = ["faint", "product", "dropped", "way", "kept", "best"]; // what lies on what
const SCOOP = 9; // pixels, at most
const WIDE = 0.58; // of a letter: its width, as a part of its height
const SMALL = 14; // pixels: a number that would be smaller in its node stands below it
const NARROW = 560; // pixels, below which the paths are named below the trellis
const EXIT = 34; // pixels of the arrow that leads from a path's last node to its name

function buildTrellis(root) {
  root.classList.add("fills");
  const svg = drawn("svg", "board", { "aria-hidden": "true" });
  const layers = Object.fromEntries(["edges", "paths", "nodes", "heads"].map((name) => [name, svg.appendChild(drawn("g", name))]));
  svg.append(drawn("defs", ""));
  const head = drawn("marker", "pointer", { id: "pointer", viewBox: "0 0 10 10", refX: 1, refY: 5, markerWidth: 18, markerHeight: 18, orient: "auto", markerUnits: "userSpaceOnUse" });
  head.append(drawn("path", "", { d: "M 10 0 L 0 5 L 10 10 z" }));
  svg.lastChild.append(head);
  const sum = element("p", "sum");
  const key = element("p", "key");
  root.append(svg, key, sum);
  const state = { root, svg, sum, key, layers, nodes: new Map(), edges: new Map(), paths: new Map() };
  state.watch = new ResizeObserver(() => state.data && layTrellis(state));
  state.watch.observe(root);
  return state;
}

/** The sizes of a trellis in its room. */
function measure({ data, svg }) {
  const [width, height] = [svg.clientWidth || 600, svg.clientHeight || 400];
  const [n, K, paths] = [data.columns.length, data.rows.length, data.paths ?? []];
  const letters = Math.max(0.8 * (data.axis?.length ?? 0), ...data.rows.map(({ name }) => name.length));
  const dense = K > 4 || n > 12;
  let size = Math.max(13, Math.min(dense ? 18 : 26, (width - 60) / n / 4, (height - 60) / K / 1.4));
  const arrow = data.start ? Math.min(74, width * 0.13) : 0;
  const left = Math.min(width / 3, letters * size * 0.66 + 18 + arrow);
  const named = width >= NARROW && paths.length > 0;
  const right = named ? EXIT + 14 + Math.max(...paths.flatMap(({ name, text }) => [name.length, text.length])) * size * WIDE : 8;
  const columnWidth = (width - left - right) / n;
  const most = Math.max(...data.columns.map(({ word }) => word.length));
  const snug = (columnWidth + 4) / (most * WIDE); // the size at which no word lies on another
  if (dense && snug >= SMALL + 1) size = Math.min(size, snug);
  const longest = most * size * WIDE;
  const slanted = longest > columnWidth + 4.5; // words that would lie on each other
  const top = slanted ? longest * 0.7 + 22 : dense ? 44 : Math.min(96, height * 0.17);
  const rowHeight = (height - top - 6) / K;
  const numbered = data.nodes.some((column) => column.some(({ text }) => text));
  const largest = numbered ? 74 : dense ? Math.max(9, Math.min(18, rowHeight * 0.18)) : 46;
  const radius = Math.max(3, Math.min(largest, columnWidth * (numbered ? 0.34 : 0.24), rowHeight * 0.36));
  const texts = data.nodes.flat().map(({ text }) => text.length);
  const fits = (radius * 3.1) / Math.max(4, ...texts) >= SMALL - 1; // every number stands in its node, or none does
  const x = (t) => left + (t + 0.5) * columnWidth;
  const y = (j) => top + (j + 0.5) * rowHeight;
  return { width, height, size, left, arrow, top, columnWidth, radius, x, y, dense, slanted, fits, named, numbered };
}

function layTrellis(state) {
  const { data, svg, layers } = state;
  const room = measure(state);
  svg.setAttribute("viewBox", `0 0 ${room.width} ${room.height}`);
  svg.style.setProperty("--size", `${room.size}px`);
  svg.classList.toggle("dense", room.dense);
  svg.classList.toggle("pointers", Boolean(data.pointers));
  layHeads(state, room);
  const nodes = data.nodes.flatMap((column, t) => column.map((node, j) => ({ ...node, key: `${t}.${j}`, t, j })));
  keyed(state.nodes, nodes, makeNode, layers.nodes, (made, node) => layNode(made, node, data, room));
  const edges = [...(data.faint ? everyEdge(data) : []), ...data.edges].map((edge) => ({ ...edge, key: `${edge.t}.${edge.i}.${edge.j}` }));
  edges.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  keyed(state.edges, edges, makeEdge, layers.edges, (made, edge) => layEdge(made, edge, room));
  edges.forEach((edge) => layers.edges.append(state.edges.get(edge.key)));
  layPaths(state, room);
}

/** Named paths side by side: a piece between two columns each, and an arrow from the last node to the name. */
function layPaths({ data, layers, paths: kept, key }, room) {
  const paths = data.paths ?? [];
  const gap = Math.min(13, room.radius * 0.62);
  const pieces = paths.flatMap((path, p) => {
    const side = (p - (paths.length - 1) / 2) * gap;
    const made = path.nodes.slice(1).map((j, t) => ({ ...path, key: `${path.id}.${t + 1}`, d: besideEdge(room, t, path.nodes[t], j, side) }));
    const all = [entryOf(path, side, room), ...made];
    return room.named ? [...all, exitOf(paths, p, room)] : all;
  });
  layers.paths.style.setProperty("--wide", `${gap * 0.62}px`);
  keyed(kept, pieces, makePiece, layers.paths, (made, { hue, d, label }) => {
    made.style.setProperty("--hue", `var(--${hue})`);
    made.style.setProperty("--ink", `var(--ink-${hue})`);
    made.firstChild.setAttribute("d", d);
    made.querySelectorAll("text").forEach((each) => each.remove());
    made.append(...(label ?? []));
  });
  key.replaceChildren(...(room.named ? [] : paths.map(keyOf)));
}

/** The line between two nodes of columns t and t + 1, moved sideways by some pixels. */
function besideEdge({ x, y }, t, i, j, side) {
  const [x1, y1, x2, y2] = [x(t), y(i), x(t + 1), y(j)];
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(-(y2 - y1) * side) / length, ((x2 - x1) * side) / length];
  return `M ${x1 + dx} ${y1 + dy} L ${x2 + dx} ${y2 + dy}`;
}

/** The short line that leads into a path's first node: here it starts. */
function entryOf({ id, hue, nodes }, side, { x, y, columnWidth, radius }) {
  const from = x(0) - Math.min(0.47 * columnWidth, radius + EXIT);
  return { id, hue, key: `${id}.0`, d: `M ${from} ${y(nodes[0]) + side} L ${x(0)} ${y(nodes[0]) + side}` };
}

/** The arrow from a path's last node to its name; names of paths that end in one node stand below one another. */
function exitOf(paths, p, { x, y, radius, size }) {
  const { id, name, text, hue, nodes } = paths[p];
  const last = nodes.length - 1;
  const together = paths.map((each, q) => (each.nodes[last] === nodes[last] ? q : -1)).filter((q) => q >= 0);
  const lines = together.some((q) => paths[q].text) ? 2.5 : 1.4;
  const down = (together.indexOf(p) - (together.length - 1) / 2) * size * lines;
  const [from, at] = [x(last), y(nodes[last]) + down];
  const to = from + radius + EXIT;
  const d = `M ${from} ${y(nodes[last])} C ${from + radius} ${y(nodes[last])} ${from + radius * 0.8} ${at} ${to} ${at} m -11 -8 l 11 8 l -11 8`;
  const place = { x: to + 8, y: at - (text ? size * 0.32 : -size * 0.35) };
  const label = [drawn("text", "path-name", place, name)];
  if (text) label.push(drawn("text", "path-text", { ...place, y: place.y + size * 1.1 }, text));
  return { id, hue, key: `${id}.exit`, d, label };
}

function makePiece({ key }) {
  const made = drawn("g", "path");
  made.dataset.mark = `path.${key}`;
  made.append(drawn("path", "line"));
  return made;
}

function keyOf({ id, name, text, hue }) {
  const made = element("span", "path-key", element("i", "swatch"), element("b", "", name), text ? ` ${text}` : "");
  made.dataset.mark = `path.${id}.key`;
  made.style.setProperty("--hue", `var(--${hue})`);
  return made;
}

/** Every edge that is not listed, to be drawn faintly. */
function everyEdge({ columns, rows, edges }) {
  const listed = new Set(edges.map(({ t, i, j }) => `${t}.${i}.${j}`));
  const every = [];
  for (let t = 1; t < columns.length; t++) {
    rows.forEach((_, i) => rows.forEach((__, j) => listed.has(`${t}.${i}.${j}`) || every.push({ t, i, j, kind: "faint" })));
  }
  return every;
}

function layHeads({ data, layers }, { size, left, top, x, y, radius, arrow, columnWidth, slanted }) {
  const most = Math.max(1, ...data.columns.map(({ count }) => count ?? 0));
  const scoop = Math.min(SCOOP, columnWidth / (2.6 * most));
  const words = data.columns.map(({ word, count }, t) => {
    const head = drawn("g", "head");
    head.dataset.mark = `column.${t}`;
    /** @type {Record<string, string | number>} */
    const place = slanted ? { x: x(t), y: top - 10, transform: `rotate(-45 ${x(t)} ${top - 10})` } : { x: x(t), y: count ? top * 0.42 : top * 0.6, "text-anchor": "middle" };
    head.append(drawn("text", "word", place, word));
    for (let i = 0; i < (count ?? 0); i++) {
      const cx = x(t) + (i - (count - 1) / 2) * 2.3 * scoop;
      head.append(drawn("path", "cone", { d: `M ${cx - scoop} ${top * 0.62} h ${2 * scoop} l ${-scoop} ${scoop * 1.9} z` }));
      head.append(drawn("circle", "scoop", { cx, cy: top * 0.62, r: scoop }));
    }
    return head;
  });
  const rows = data.rows.map(({ name, hue }, j) => {
    const row = drawn("text", "row", { x: left - arrow - Math.min(14, radius), y: y(j), dy: "0.35em", "text-anchor": "end" }, name);
    if (hue) row.style.fill = `var(--ink-${hue})`;
    row.dataset.mark = `row.${j}`;
    return row;
  });
  const starts = (data.start ?? []).flatMap((text, j) => {
    if (!text) return [];
    const [from, to] = [x(0) - radius - arrow, x(0) - radius - 4];
    const line = drawn("path", "start", { d: `M ${from} ${y(j)} H ${to} m -9 -7 l 9 7 l -9 7` });
    return [line, drawn("text", "start-text", { x: (from + to) / 2, y: y(j) - size * 0.5, "text-anchor": "middle" }, text)];
  });
  const end = Math.max(left - arrow - Math.min(14, radius), (data.axis?.length ?? 0) * size * 0.72 * WIDE);
  const axis = data.axis ? [drawn("text", "axis", { x: end, y: top * 0.42, "text-anchor": "end" }, data.axis)] : [];
  layers.heads.replaceChildren(...axis, ...words, ...rows, ...starts);
  layers.heads.style.fontSize = `${size}px`;
}

function makeNode({ key }) {
  const made = drawn("g", "node");
  made.dataset.mark = `node.${key}`;
  made.append(drawn("circle", "", { r: 1 }), drawn("path", "cross"), drawn("text", "", { "text-anchor": "middle", dy: "0.35em" }));
  return made;
}

function layNode(made, { text, kind, hue: own, t, j }, { rows }, { x, y, radius, dense, columnWidth, fits, numbered }) {
  const hue = own ?? rows[j].hue ?? "blue";
  made.setAttribute("class", `node ${kind}`);
  made.style.setProperty("--hue", `var(--${hue})`);
  made.style.transform = `translate(${x(t)}px, ${y(j)}px)`;
  layCross(made.children[1], kind, radius, Boolean(text) && fits);
  if (dense && kind === "open") radius = 3;
  if (kind === "lost" && !numbered) radius = 0;
  made.firstChild.style.transform = `scale(${kind === "best" || kind === "now" ? radius * 1.06 : radius})`;
  const across = Math.max(4, text.length);
  const size = fits ? Math.min(30, (radius * 3.1) / across) : Math.min(SMALL + 1, (columnWidth - 2) / (WIDE * across));
  made.lastChild.textContent = size >= 10 ? text : ""; // no number is better than one on another
  made.lastChild.classList.toggle("outside", !fits);
  made.lastChild.setAttribute("y", String(fits ? 0 : j < rows.length / 2 ? -radius - SMALL : radius + SMALL));
  made.lastChild.style.fontSize = `${size}px`;
}

/** What crosses a pruned node out: in its middle, or at its upper right where a number stands in it. */
function layCross(cross, kind, radius, numbered) {
  const bold = numbered ? Math.min(14, radius * 0.26) : Math.max(6, radius * 0.5);
  const half = kind === "missed" ? bold : Math.max(4, Math.min(9, radius * 0.34));
  const [x, y] = numbered ? [radius * 0.74, -radius * 0.74] : [0, 0];
  const d = `M ${x - half} ${y - half} l ${2 * half} ${2 * half} M ${x - half} ${y + half} l ${2 * half} ${-2 * half}`;
  cross.setAttribute("d", kind === "lost" || kind === "missed" ? d : "");
}

function makeEdge({ key }) {
  const made = drawn("g", "edge");
  made.dataset.mark = `edge.${key}`;
  made.append(drawn("path", "line"), drawn("text", "", { "text-anchor": "middle" }));
  return made;
}

function layEdge(made, { t, i, j, kind, text }, { x, y, radius, size, columnWidth }) {
  const [x1, y1, x2, y2] = [x(t - 1), y(i), x(t), y(j)];
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [((x2 - x1) * radius) / length, ((y2 - y1) * radius) / length];
  made.setAttribute("class", `edge ${kind}`);
  const [line, label] = made.children;
  line.setAttribute("d", `M ${x1 + dx} ${y1 + dy} L ${x2 - dx} ${y2 - dy}`); // a path's shape eases, a line's ends do not
  label.textContent = text ?? "";
  const at = i === j ? 0.5 : 0.36; // two ways that cross have their numbers apart
  const across = (text ?? "").length * size * WIDE;
  const [ux, uy] = [Math.abs(y2 - y1) / length, -(x2 - x1) / length]; // away from the line, upwards
  const away = (Math.abs(ux) * across) / 2 + Math.abs(uy) * size * 0.5 + 6;
  const side = y2 < y1 ? -1 : 1;
  const raised = i === j && across > columnWidth - 2 * radius ? radius * 0.8 : 0; // no room between the nodes
  label.setAttribute("x", String(x1 + (x2 - x1) * at + side * ux * away));
  label.setAttribute("y", String(y1 + (y2 - y1) * at + uy * away - raised + size * 0.3));
}

export default function draw(component) {
  const state = mount(component, "trellis", buildTrellis);
  state.sum.textContent = state.data.sum ?? "";
  layTrellis(state);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
