/* Keys and values as points over the line, the kernel below them, the weights as bars. */

import { drawn } from "../shared/element.js";
import { fadeIn } from "../shared/kept.js";
import { bump, lookUp } from "./compute.js";
import { number } from "./numbers.js";

export const LEFT = 52;
const RIGHT = 14, LINE = 24; // pixels: the room right of the picture, a line of words

/* How the height is shared out: values above, the axis' numbers and its name, the weights below. */
export function shape({ root, data }) {
  const top = 2 * LINE;
  const below = 2 * LINE + 10; // the axis' numbers and its name
  if (!data.bare) return { top, plot: 212, bars: 76, height: top + 212 + below + 76 + 6 };
  const height = Math.max(260, root.clientHeight || 260);
  const free = height - top - below - 6;
  return { top, plot: Math.round(0.7 * free), bars: Math.round(0.3 * free), height };
}

function ticks([low, high], room) {
  const rough = (high - low) / Math.max(2, Math.floor(room / 70));
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((m) => m * power >= rough) ?? 10) * power;
  const made = [];
  for (let at = Math.ceil(low / step); at * step <= high; at += 1) made.push(Number((at * step).toPrecision(12)));
  return made;
}

/* What places on the picture are, in pixels. */
function scales(state) {
  const { data } = state;
  const { top, plot, bars, height } = shape(state);
  const wide = Math.max(120, (state.root.clientWidth || 600) - LEFT - RIGHT);
  const [low, high] = data.reach.key;
  const [bottom, most] = data.reach.value;
  const x = (key) => LEFT + ((key - low) / (high - low)) * wide;
  const y = (value) => top + (1 - (value - bottom) / (most - bottom)) * plot;
  const floor = top + plot;
  return { top, plot, bars, height, wide, low, high, x, y, floor, base: floor + 2 * LINE + 10 + bars };
}

export function picture(state, point) {
  const { now, data, svg } = state;
  const at = scales(state);
  const { top, wide, height, x, y, floor, base, bars: tall } = at;
  state.wide = wide;
  const focused = svg.contains(svg.getRootNode().activeElement) ? svg.getRootNode().activeElement.dataset.row : undefined;
  const queries = Array.from({ length: Math.round(wide / 2) + 1 }, (_, i) => at.low + ((at.high - at.low) * i * 2) / wide);
  const parts = axes(data, at);
  if (now.way !== "exact") parts.push(drawn("path", "kernel", { d: outline(now, queries, x, floor, 0.25 * at.plot) }));
  for (const line of data.lines) parts.push(drawn("path", "other", { d: curve({ ...now, ...line }, queries, x, y) }));
  if (!data.hidden && data.curve) parts.push(drawn("path", "curve", { d: curve(now, queries, x, y) }));
  parts.push(drawn("line", "asked", { x1: x(now.query), x2: x(now.query), y1: top, y2: floor + 4 }));
  parts.push(drawn("line", "asked", { x1: x(now.query), x2: x(now.query), y1: floor + 2 * LINE, y2: base }));
  if (!data.hidden) parts.push(...bars(state, x, base, tall));
  parts.push(drawn("line", "axis", { x1: LEFT, x2: LEFT + wide, y1: base, y2: base }));
  now.keys.forEach((key, row) => parts.push(point(row, x(key), y(now.values[row]))));
  parts.push(...asked(state, at));
  for (const line of data.lines) parts.push(nameOf(line, lookUp({ ...now, ...line }, line.at).result, at));
  svg.setAttribute("width", LEFT + wide + RIGHT);
  svg.setAttribute("height", height);
  svg.replaceChildren(...parts);
  if (focused !== undefined) svg.querySelector(`.point[data-row="${focused}"]`)?.focus();
}

/* Where the parts are that stay from one picture to the next, by their class and, of several, their order. */
export function placesIn(svg) {
  const counts = {};
  return new Map(
    [...svg.querySelectorAll(".asked, .bar, .share, .found, .level, .f, .q")].map((part) => {
      const name = part.getAttribute("class");
      counts[name] = (counts[name] ?? 0) + 1;
      return [`${name} ${counts[name]}`, { part, box: part.getBoundingClientRect() }];
    }),
  );
}

/* Move what stays from where it was; what is new fades in. */
export function glide(svg, before) {
  if (!before.size || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const [name, { part, box }] of placesIn(svg)) {
    const was = before.get(name)?.box;
    if (!was) {
      fadeIn(part, 400);
      continue;
    }
    const taller = part.matches(".bar") && box.height > 0.5 ? was.height / box.height : 1;
    const move = `translate(${was.x - box.x}px, ${was.bottom - box.bottom}px) scale(1, ${taller})`;
    part.animate([{ transform: move }, { transform: "none" }], { duration: 450, easing: "ease" });
  }
  for (const part of svg.querySelectorAll(".kernel, .curve, .other")) fadeIn(part, 450);
}

/* The grid, the numbers of both axes, and what the axes and the bars are. */
function axes({ reach, labels }, { top, plot, wide, x, y, floor }) {
  const parts = [];
  for (const tick of ticks(reach.key, wide)) {
    parts.push(drawn("line", "grid", { x1: x(tick), x2: x(tick), y1: top, y2: floor }));
    parts.push(drawn("text", "tick", { x: x(tick), y: floor + 19, "text-anchor": "middle" }, number(tick)));
  }
  for (const tick of ticks(reach.value, plot)) {
    parts.push(drawn("line", "grid", { x1: LEFT, x2: LEFT + wide, y1: y(tick), y2: y(tick) }));
    parts.push(drawn("text", "tick", { x: LEFT - 7, y: y(tick) + 5, "text-anchor": "end" }, number(tick)));
  }
  parts.push(drawn("text", "name", { x: 0, y: 17 }, labels.value));
  parts.push(drawn("text", "name", { x: LEFT + wide, y: floor + LINE + 17, "text-anchor": "end" }, labels.key));
  parts.push(drawn("text", "name", { x: 0, y: floor + LINE + 17 }, labels.weight));
  return parts;
}

/* The query, the bandwidth, and the answer: a dot, its level and its number; "?" while it is hidden. */
function asked({ now, data, found }, { top, wide, x, y, plot, floor }) {
  const { labels, hidden } = data;
  const place = x(now.query);
  const right = place < LEFT + 0.62 * wide;
  const words = (className, height, text) =>
    drawn("text", className, { x: place + (right ? 14 : -14), y: height, "text-anchor": right ? "start" : "end" }, text);
  const middle = Math.min(Math.max(place, 80), LEFT + wide - 66); // so that its name is not cut
  const name = labels.query.replace("{q}", number(now.query, 8));
  const named = [drawn("text", "name q", { x: middle, y: top - 7, "text-anchor": "middle" }, name)];
  if (now.way !== "exact") named.push(words("name", floor - 8, labels.bandwidth.replace("{b}", number(now.bandwidth))));
  if (hidden) return [...named, words("name f", top + 0.55 * plot, "?")];
  if (Number.isNaN(found.result)) return [...named, words("name f", top + 0.55 * plot, labels.none)];
  const level = y(found.result);
  const dot = [
    drawn("line", "level", { x1: LEFT, x2: place, y1: level, y2: level }),
    drawn("circle", "found", { cx: place, cy: level, r: data.bare ? 11 : 8 }),
  ];
  if (!data.bare) return [...named, ...dot];
  const answer = `${found.result.toFixed(1).replace("-", "−")}\u00a0${labels.unit}`;
  return [...named, ...dot, words("name f", level + (level > top + 0.5 * plot ? -16 : 30), answer)];
}

/* A line's name: above it in the middle or at its start, or to the right of it. */
function nameOf({ text, at, side }, value, { x, y }) {
  const places = {
    above: { x: x(at), y: y(value) - 12, "text-anchor": "middle" },
    start: { x: LEFT + 6, y: y(value) - 10, "text-anchor": "start" },
    right: { x: x(at) + 14, y: y(value) + 5, "text-anchor": "start" },
  };
  return drawn("text", "name of", places[side], text);
}

function outline(now, queries, x, floor, tall) {
  const points = queries.map((k) => `L${x(k).toFixed(1)} ${(floor - tall * bump(now, now.query - k)).toFixed(1)}`);
  return `M${x(queries[0])} ${floor} ${points.join(" ")} L${x(queries.at(-1))} ${floor} Z`;
}

function curve(now, queries, x, y) {
  if (now.way === "exact") return "";
  let pen = "M";
  const parts = queries.map((query) => {
    const { result } = lookUp(now, query);
    const part = Number.isNaN(result) ? "" : `${pen}${x(query).toFixed(1)} ${y(result).toFixed(2)}`;
    pen = Number.isNaN(result) ? "M" : "L";
    return part;
  });
  return parts.join(" ");
}

function bars({ now, found, data, wide }, x, base, room) {
  const thick = Math.max(4, Math.min(data.bare ? 40 : 22, (0.6 * wide) / now.keys.length));
  return now.keys.flatMap((key, row) => {
    const weight = found.weights[row];
    const tall = weight * (room - 22);
    const bar = { "data-row": row, "data-mark": `key.${row}`, x: x(key) - thick / 2, y: base - tall, width: thick, height: tall };
    const name = { x: x(key), y: base - tall - 4, "text-anchor": "middle" };
    const shown = data.bare || weight >= 0.005;
    return [drawn("rect", "bar", bar), ...(shown ? [drawn("text", "tick share", name, `${Math.round(100 * weight)}%`)] : [])];
  });
}
