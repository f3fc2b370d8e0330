/* An axis of meaning: words at their places between two ends, before the hill of where all words lie.

   data: { label, words: [{ word, standard, share }], ends: [{ word, standard }], left, right, halfway, reach,
           hill: [count], total }
   Places are core's, in standard deviations from the average word; the picture goes from -reach to reach. `share` says
   how many of all words lie as far out. A word keeps its lane while others come and go, and glides to a new place. */

import { contextOf, drawn, element } from "../shared/element.js";
import { save, saveButtons } from "../shared/files.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { counted, written } from "../shared/numbers.js";
import { inLanes, ticks } from "./compute.js";

const [LANE, LEAST, ROW, EDGE] = [25, 8, 22, 8]; // pixels of a lane, lanes at least, pixels of a row of words, of the sides
const KEPT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family", "font-weight",
  "paint-order", "text-anchor", "stroke-linejoin", "transform"];

function widthOf(state, words) {
  state.pen ??= contextOf();
  state.pen.font = `16px ${getComputedStyle(state.root).fontFamily}`;
  return Math.ceil(state.pen.measureText(words).width);
}

/** Words, cut where they are wider than their room. */
function cut(state, words, room) {
  let shown = words;
  while (shown.length > 3 && widthOf(state, shown) > room) shown = `${shown.replace(/…$/, "").slice(0, -1)}…`;
  return shown;
}

function hillPath({ hill, reach }, x, base, tall) {
  const most = Math.max(...hill);
  const edge = (i) => x(-reach + (2 * reach * i) / hill.length).toFixed(1);
  const steps = hill.map((count, i) => `L${edge(i)} ${(base - (count / most) * tall).toFixed(1)}H${edge(i + 1)}`);
  return `M${edge(0)} ${base}${steps.join("")}V${base}Z`;
}

/** Draw what stands behind the words: the hill, the two lines with their names, the axis with its numbers and ends. */
function background(state, x, { top, base, foot }) {
  const { data, width } = state;
  const parts = [drawn("path", "hill", { d: hillPath(data, x, base, (base - top) * 0.95) })];
  const names = [[translated("average word"), 0, ""], [translated("halfway between the ends"), data.halfway, "dashed"]].map(([name, at, look]) =>
    ({ name, at, look, x: x(at), w: widthOf(state, name) }));
  inLanes(names, width).forEach(({ lane, from }, i) => {
    const y = ROW * (lane + 0.5);
    parts.push(drawn("line", `upright ${names[i].look}`, { x1: names[i].x, x2: names[i].x, y1: ROW * lane, y2: base }));
    parts.push(drawn("text", "name", { x: from, y: y + 5 }, names[i].name));
  });
  parts.push(drawn("line", "base", { x1: 0, x2: width, y1: base, y2: base }));
  for (const at of ticks(data.reach, width)) {
    parts.push(drawn("text", "tick", { x: x(at), y: base + 18 }, written(at, 0)));
  }
  const unit = translated("standard deviations from the average word");
  const wide = width > widthOf(state, unit) + 320;
  const room = wide ? (width - widthOf(state, unit)) / 2 - 24 : width / 2 - 8;
  parts.push(drawn("text", "end", { x: 0, y: foot - 6 }, cut(state, `← ${data.left}`, room)));
  parts.push(drawn("text", "end last", { x: width, y: foot - 6 }, cut(state, `${data.right} →`, room)));
  parts.push(drawn("text", "tick", { x: width / 2, y: foot - 6 - (wide ? 0 : ROW) }, cut(state, unit, width)));
  return parts;
}

/** One word as a group that is kept, so that it glides when its place changes. */
function wordOf(state, name, kind, side) {
  const key = `${kind} ${name}`;
  if (!state.groups.has(key)) {
    const group = drawn("g", "");
    const mark = kind === "end" ? drawn("path", "mark", { d: "M0-7 7 0 0 7-7 0Z" }) : drawn("circle", "mark", { r: 6 });
    group.append(drawn("line", "drop"), mark, drawn("text", "label", { y: 5 }, name));
    state.groups.set(key, group);
  }
  const group = state.groups.get(key);
  group.setAttribute("class", `word ${kind} ${side}`);
  return group;
}

function placed(state, items, kind, x, y) {
  const asked = items.map(({ word, standard }) => ({ name: word, x: x(standard), w: widthOf(state, word) }));
  const lanes = inLanes(asked, state.width, state.lanes[kind]);
  state.lanes[kind] = new Map(lanes.map(({ lane }, i) => [asked[i].name, lane]));
  return { count: Math.max(0, ...lanes.map(({ lane }) => lane + 1)), draw: (base) => lanes.map(({ lane, from }, i) => {
    const group = wordOf(state, asked[i].name, kind, items[i].standard < 0 ? "left" : "right");
    const [line, , label] = group.children;
    const height = y(lane);
    group.style.transform = `translate(${asked[i].x.toFixed(1)}px, ${(base + height).toFixed(1)}px)`;
    line.setAttribute("y2", kind === "end" ? 0 : -height);
    label.setAttribute("x", (from - asked[i].x).toFixed(1));
    group.onpointerenter = () => tell(state, items[i]);
    return group;
  }) };
}

function tell(state, { word, standard, share }) {
  const rest = share ? translated("; {share} of all {total} words lie as far out or further", { share, total: counted(state.data.total) }) : translated(", one of the ends");
  const far = translated(standard < 0 ? "lies {n} standard deviations to the left of the average word" : "lies {n} standard deviations to the right of the average word", { n: written(Math.abs(standard), 2) });
  state.status.replaceChildren("“", element("bdi", "", word), `” ${far}${rest}.`);
}

function picture(state) {
  const { data } = state;
  const width = state.box.clientWidth;
  if (!width) return; // not laid out yet: the observer calls again
  state.width = width;
  const x = (value) => width / 2 + (value / data.reach) * (width / 2 - EDGE);
  const words = placed(state, data.words, "placed", x, (lane) => -LANE * (lane + 0.6));
  const ends = placed(state, data.ends, "end", x, (lane) => ROW + LANE * (lane + 0.5));
  const top = 2 * ROW;
  const base = top + LANE * Math.max(LEAST, words.count);
  const foot = base + ROW + LANE * ends.count + ROW + (width < 640 ? ROW : 0);
  const shown = [...ends.draw(base), ...words.draw(base)];
  for (const [key, group] of state.groups) if (!shown.includes(group)) state.groups.delete(key);
  state.svg.setAttribute("width", width);
  state.svg.setAttribute("height", foot);
  state.behind.replaceChildren(...background(state, x, { top, base, foot }));
  for (const old of [...state.front.children]) if (!shown.includes(old)) old.remove();
  shown.forEach((group) => group.parentNode || state.front.append(group));
}

/** The picture as a file of its own: what the stylesheet says is written into its parts. */
function asFile(state) {
  const copy = state.svg.cloneNode(true);
  const [now, then] = [state.svg, copy].map((svg) => [...svg.querySelectorAll("*")]);
  now.forEach((part, i) => {
    const style = getComputedStyle(part);
    for (const name of KEPT) then[i].style.setProperty(name, style.getPropertyValue(name));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
}

async function savePng(state) {
  const image = new Image();
  image.src = URL.createObjectURL(asFile(state));
  await image.decode();
  const canvas = element("canvas");
  Object.assign(canvas, { width: 2 * state.width, height: 2 * Number(state.svg.getAttribute("height")) });
  const pen = canvas.getContext("2d");
  pen.fillStyle = getComputedStyle(state.root).getPropertyValue("--st-background-color") || "#ffffff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => save(blob, "axis.png"));
  URL.revokeObjectURL(image.src);
}

function build(root) {
  const state = { groups: new Map(), lanes: {}, width: 0, box: element("div", "picture"), status: element("p", "status") };
  state.svg = drawn("svg", "");
  state.svg.setAttribute("role", "img");
  state.behind = drawn("g", "");
  state.front = drawn("g", "");
  state.svg.append(state.behind, state.front);
  state.box.append(state.svg);
  state.status.setAttribute("role", "status");
  const exports = saveButtons({ PNG: () => savePng(state), SVG: () => save(asFile(state), "axis.svg") });
  root.append(state.box, element("div", "foot", state.status, exports));
  state.resized = new ResizeObserver(() => {
    if (state.data && state.width !== state.box.clientWidth) picture(state);
  });
  state.resized.observe(state.box);
  document.fonts?.ready.then(() => state.data && picture(state));
  return state;
}

export default function draw(component) {
  const state = mount(component, "axis", build);
  const sent = JSON.stringify(component.data);
  if (sent !== state.sent) {
    state.svg.setAttribute("aria-label", component.data.label);
    state.status.textContent = translated("Point at a word. The grey hill: how many of all {total} words lie where.", { total: counted(component.data.total) });
    picture(state);
  }
  state.sent = sent;
  return () => {
    state.resized.disconnect();
    unmount(component.parentElement)();
  };
}
