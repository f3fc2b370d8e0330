/* A tree of texts, from left to right: a box a token with its p, at each end the path's ln p; below it the
   distribution of the opened token, or the candidates of a step.

   data: { nodes: [{ parent, x, y, token, p, chance, about, kind, end: [way, ln p, mean] | null }],
           path: [node], opened: node | null, follow: node to keep in sight, if another,
           choices: { title, head, rows: [{ id | null, token, p, numbers, taken, kept }], rest } | null,
           gap: pixels between two columns, for the links; most: pixels of the widest box, where boxes are runs of
           tokens; live: whether nodes open and choices grow }
   or, of a beam search, { beam: of beam.js, total: its steps, live: false } and what shared/sent_bar.js reads.
   A node that is clicked opens; a choice that is clicked is forced after the opened node. It reports `act`,
   { kind, node, token }. */

import { contextOf, drawn, element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { sentBar } from "../shared/sent_bar.js";
import { treeAt } from "./beam.js";

const ROW = 48; // pixels from row to row
const [LEAST, MOST] = [36, 150]; // width of a box
const END = 24; // room at the end of a path, beside what is written there
const wanted = new WeakMap(); // root -> where the focus goes after the next drawing: "choice" or "node"

/* Where each box stands: in a column as wide as its longest token needs, or, in runs, right after its parent. */
function places({ nodes, gap, most }, pen) {
  const wide = nodes.map(({ token, chance }) => Math.ceil(Math.max(pen.measureText(token).width, pen.measureText(chance).width)));
  const widths = wide.map((width) => Math.max(LEAST, Math.min(most ?? MOST, width + 10)));
  if (most) {
    const lefts = [];
    nodes.forEach(({ parent }) => lefts.push(parent < 0 ? 8 : lefts[parent] + widths[parent] + gap));
    return nodes.map((_, i) => ({ left: lefts[i], width: widths[i] }));
  }
  const columns = [];
  nodes.forEach(({ x }, i) => (columns[x] = Math.max(columns[x] ?? 0, widths[i])));
  const lefts = [];
  columns.reduce((left, width, x) => ((lefts[x] = left), left + width + gap), 8);
  return nodes.map(({ x }) => ({ left: lefts[x], width: columns[x] }));
}

function pen(root) {
  const context = contextOf();
  const style = getComputedStyle(root);
  context.font = `600 ${style.fontSize} ${style.fontFamily}`;
  return context;
}

const middle = (row) => 8 + row * ROW + 21;

function links(data, place, width, height) {
  const svg = drawn("svg", "links", { width, height, "aria-hidden": "true" });
  const path = new Set(data.path);
  const order = data.nodes.map((_, i) => i).sort((a, b) => Number(path.has(a)) - Number(path.has(b)));
  for (const i of order) {
    const node = data.nodes[i];
    const from = data.nodes[node.parent];
    if (!from) continue;
    const [x0, x1] = [place[node.parent].left + place[node.parent].width, place[i].left];
    const [y0, y1] = [middle(from.y), middle(node.y)];
    const bend = (x0 + x1) / 2;
    const d = `M${x0} ${y0} C${bend} ${y0} ${bend} ${y1} ${x1} ${y1}`;
    const chosen = path.has(i) && path.has(node.parent);
    svg.append(drawn("path", chosen ? "chosen" : node.kind, { d, "stroke-width": 1 + 7 * node.p }));
  }
  return svg;
}

function box(data, i, { left, width }, open) {
  const node = data.nodes[i];
  const made = element(data.live ? "button" : "div", `node ${node.kind}`);
  if (data.live) {
    made.type = "button";
    made.tabIndex = i === (data.opened ?? 0) ? 0 : -1;
    made.onclick = () => open(i);
    made.setAttribute("aria-pressed", String(i === data.opened));
  }
  made.dataset.node = i;
  made.classList.toggle("on", data.path.includes(i));
  made.classList.toggle("open", i === data.opened);
  made.style.cssText = `left: ${left}px; top: ${8 + node.y * ROW}px; width: ${width}px`;
  made.style.setProperty("--share", `${100 * (node.p ?? 0)}%`);
  made.title = node.p === null ? translated("the prompt") : `“${node.token}” p = ${node.chance}; ${node.about}`;
  if (data.live) made.setAttribute("aria-label", made.title);
  made.append(element("span", "token", node.token));
  if (node.p !== null) made.append(element("span", "chance", node.chance));
  return made;
}

function end(node, { left, width }) {
  const made = element("div", "end");
  made.style.cssText = `left: ${left + width + 8}px; top: ${middle(node.y) - 21}px`;
  const [way, total, mean] = node.end;
  const line = element("div", "whole", ` ${total}`);
  line.prepend(element("span", "way", way));
  made.append(line, element("div", "mean", mean));
  return made;
}

function tree(data, root, act) {
  const field = element("div", "field");
  const drawing = element("div", "drawing");
  const ink = pen(root);
  const place = places(data, ink);
  const room = ({ end: said }) => (said ? END + ink.measureText(`${said[0]} ${said[1]}`).width : 8);
  const rights = place.map(({ left, width }, i) => left + width + room(data.nodes[i]));
  const width = Math.max(...rights);
  const height = 22 + ROW * (1 + Math.max(...data.nodes.map((node) => node.y)));
  drawing.style.cssText = `width: ${width}px; height: ${height}px`;
  const open = (node) => act({ kind: "open", node, token: null }, "node");
  drawing.append(links(data, place, width, height), ...data.nodes.map((_, i) => box(data, i, place[i], open)));
  data.nodes.forEach((node, i) => node.end && drawing.append(end(node, place[i])));
  field.append(drawing);
  field.setAttribute("role", "group");
  field.setAttribute("aria-label", translated("The tree of texts"));
  if (!data.live) field.tabIndex = 0; // to be scrolled by keys
  return field;
}

function choice(data, row, first, act) {
  const made = element(row.id === null ? "div" : "button", "choice");
  if (row.id !== null) {
    made.type = "button";
    made.tabIndex = first ? 0 : -1;
    made.onclick = () => act({ kind: "force", node: data.opened, token: row.id }, "choice");
  }
  made.classList.toggle("taken", row.taken);
  made.classList.toggle("pruned", !row.kept);
  made.style.setProperty("--share", `${100 * row.p}%`);
  made.append(element("span", "name", row.token), ...row.numbers.map((number) => element("span", "number", number)));
  return made;
}

function choices(data, act) {
  const { title, head, rows, rest } = data.choices;
  const made = element("div", "choices");
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", title);
  const line = element("div", "title", title);
  line.append(element("span", "of", `  ${head}`));
  const grid = element("div", "grid");
  grid.classList.toggle("wide", rows.some((row) => row.id === null || row.numbers.length > 1));
  grid.append(...rows.map((row, i) => choice(data, row, i === 0, act)));
  if (rest) grid.append(element("div", "rest", rest));
  made.append(line, grid);
  return made;
}

/* Bring the opened node into sight, or the last column of a beam: the field scrolls, never the page. */
function follow(field, data) {
  const node = field.querySelector(`[data-node="${data.follow ?? data.opened ?? 0}"]`);
  if (!node) return;
  const [right, bottom] = [node.offsetLeft + node.offsetWidth + 6 * END, node.offsetTop + ROW];
  if (right > field.scrollLeft + field.clientWidth) field.scrollLeft = right - field.clientWidth;
  if (node.offsetLeft < field.scrollLeft + 8) field.scrollLeft = node.offsetLeft - field.clientWidth / 2;
  if (bottom > field.scrollTop + field.clientHeight) field.scrollTop = bottom - field.clientHeight;
  if (node.offsetTop < field.scrollTop) field.scrollTop = node.offsetTop - 8;
}

/* Right to the first child, Left to the parent, Up and Down to the neighbour in the column. */
function neighbour(data, i, key) {
  const { nodes } = data;
  if (key === "ArrowLeft") return nodes[i].parent;
  if (key === "ArrowRight") return nodes.findIndex((node) => node.parent === i);
  if (key === "Home") return 0;
  const down = key === "ArrowDown" ? 1 : -1;
  const column = nodes.map((_, j) => j).filter((j) => nodes[j].x === nodes[i].x && (nodes[j].y - nodes[i].y) * down > 0);
  return column.sort((a, b) => (nodes[a].y - nodes[b].y) * down)[0] ?? -1;
}

function onKey(root, data, event) {
  if (!data.live || !["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home"].includes(event.key)) return;
  const at = event.target;
  let next = null;
  if (at.dataset.node) next = root.querySelector(`[data-node="${neighbour(data, Number(at.dataset.node), event.key)}"]`);
  else if (at.matches(".choice")) {
    const forward = event.key === "ArrowDown" || event.key === "ArrowRight";
    next = event.key === "Home" ? null : forward ? at.nextElementSibling : at.previousElementSibling;
    if (!next && !forward) next = root.querySelector(".node.open");
  } else return;
  event.preventDefault();
  if (next?.matches("button")) next.focus();
}

function focusAgain(root, held) {
  const goal = wanted.get(root) ?? held;
  wanted.delete(root);
  if (goal === "choice") root.querySelector("button.choice")?.focus();
  else if (goal === "node") root.querySelector("button.node.open")?.focus({ preventScroll: true });
}

/* Draw a tree in the place of the one before, which keeps its scroll and the focus. */
function show(box, data, report) {
  const active = box.getRootNode().activeElement;
  const before = box.querySelector(".field");
  const inField = active && active === before;
  const held = box.contains(active) && !inField ? (active.matches(".choice") ? "choice" : "node") : null;
  const [left, top] = [before?.scrollLeft ?? 0, before?.scrollTop ?? 0];
  const act = (what, goal) => {
    wanted.set(box, goal);
    report("act", what);
  };
  const field = tree(data, box, act);
  box.replaceChildren(field);
  if (data.choices) box.append(choices(data, act));
  field.scrollLeft = left;
  field.scrollTop = top;
  follow(field, data);
  if (inField) field.focus({ preventScroll: true });
  focusAgain(box, held);
}

/* A beam search steps by its bar, in the browser. */
function stepped(state, { beam, total, live, ...data }) {
  const trees = element("div", "texts");
  const box = element("div", "stepped", trees);
  state.root.replaceChildren(box); // laid out before it is drawn
  sentBar(state, data, {
    steps: beam.steps.length,
    label: translated("Step"),
    pace: 900,
    show: (at) => show(trees, { ...treeAt(beam, at + 1), live }, state.report),
    say: (at) => translated("Step {n} of {total}: the candidates for token {n}", { n: at + 1, total }),
  });
  box.prepend(state.bar.root);
  state.bar.keys(box);
}

export default function draw(component) {
  const { data } = component;
  const state = mount(component, data.beam ? "beam" : "texts", () => ({}));
  const leave = () => {
    state.bar?.pause();
    unmount(component.parentElement)();
  };
  const sent = data.beam && JSON.stringify(data);
  if (!sent) {
    show(state.root, data, state.report);
    state.root.onkeydown = (event) => onKey(state.root, data, event);
  } else if (state.sent !== sent) stepped(state, data);
  state.sent = sent;
  return leave;
}
