/* Keys and values as points over the line, the kernel below them, the weights as bars. */

import { drawn } from "../shared/element.js";
import { bump, lookUp } from "./compute.js";
import { number } from "./numbers.js";

export const TOP = 12, PLOT = 212, LEFT = 52;
const BUMP = 52, GAP = 34, BARS = 76, RIGHT = 14;
export const HEIGHT = TOP + PLOT + GAP + BARS + 22;

function ticks([low, high], room) {
  const rough = (high - low) / Math.max(2, Math.floor(room / 70));
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((m) => m * power >= rough) * power;
  const made = [];
  for (let at = Math.ceil(low / step); at * step <= high; at += 1) made.push(Number((at * step).toPrecision(12)));
  return made;
}

export function picture(state, point) {
  const { now, data, found, svg } = state;
  const wide = Math.max(120, (state.root.clientWidth || 600) - LEFT - RIGHT);
  state.wide = wide;
  const [low, high] = data.reach.key;
  const [bottom, top] = data.reach.value;
  const x = (key) => LEFT + ((key - low) / (high - low)) * wide;
  const y = (value) => TOP + (1 - (value - bottom) / (top - bottom)) * PLOT;
  const floor = TOP + PLOT, base = floor + GAP + BARS;
  const focused = svg.contains(svg.getRootNode().activeElement) ? svg.getRootNode().activeElement.dataset.row : undefined;
  const parts = [];
  for (const tick of ticks(data.reach.key, wide)) {
    parts.push(drawn("line", "grid", { x1: x(tick), x2: x(tick), y1: TOP, y2: floor }));
    parts.push(drawn("text", "tick", { x: x(tick), y: floor + 19, "text-anchor": "middle" }, number(tick)));
  }
  for (const tick of ticks(data.reach.value, PLOT)) {
    parts.push(drawn("line", "grid", { x1: LEFT, x2: LEFT + wide, y1: y(tick), y2: y(tick) }));
    parts.push(drawn("text", "tick", { x: LEFT - 7, y: y(tick) + 5, "text-anchor": "end" }, number(tick)));
  }
  const queries = Array.from({ length: Math.round(wide / 2) + 1 }, (_, i) => low + ((high - low) * i * 2) / wide);
  if (now.way !== "exact key") parts.push(drawn("path", "kernel", { d: outline(now, queries, x, floor) }));
  if (!data.hidden) parts.push(drawn("path", "curve", { d: curve(now, queries, x, y) }));
  for (const [y1, y2] of [[TOP, floor + 4], [floor + 24, base]]) { // between both stands the axis' number
    parts.push(drawn("line", "asked", { x1: x(now.query), x2: x(now.query), y1, y2 }));
  }
  parts.push(drawn("text", "name q", { x: x(now.query) + 6, y: TOP + 13 }, "q"));
  if (!data.hidden) {
    parts.push(...bars(state, x, base));
    if (!Number.isNaN(found.result)) {
      parts.push(drawn("line", "level", { x1: LEFT, x2: x(now.query), y1: y(found.result), y2: y(found.result) }));
      parts.push(drawn("circle", "found", { cx: x(now.query), cy: y(found.result), r: 8 }));
    }
  }
  parts.push(drawn("line", "axis", { x1: LEFT, x2: LEFT + wide, y1: base, y2: base }));
  parts.push(drawn("text", "name", { x: LEFT + wide, y: floor - 6, "text-anchor": "end" }, "keys and queries →"));
  parts.push(drawn("text", "name", { x: LEFT + 4, y: TOP + 12 }, "↑ values"));
  parts.push(drawn("text", "name", { x: LEFT + wide, y: base - BARS + 14, "text-anchor": "end" }, "weights a"));
  now.keys.forEach((key, row) => parts.push(point(row, x(key), y(now.values[row]))));
  svg.setAttribute("width", LEFT + wide + RIGHT);
  svg.replaceChildren(...parts);
  if (focused !== undefined) svg.querySelector(`.point[data-row="${focused}"]`)?.focus();
}

function outline(now, queries, x, floor) {
  const points = queries.map((k) => `L${x(k).toFixed(1)} ${(floor - BUMP * bump(now, now.query - k)).toFixed(1)}`);
  return `M${x(queries[0])} ${floor} ${points.join(" ")} L${x(queries.at(-1))} ${floor} Z`;
}

function curve(now, queries, x, y) {
  if (now.way === "exact key") return "";
  let pen = "M";
  const parts = queries.map((query) => {
    const { result } = lookUp(now, query);
    const part = Number.isNaN(result) ? "" : `${pen}${x(query).toFixed(1)} ${y(result).toFixed(2)}`;
    pen = Number.isNaN(result) ? "M" : "L";
    return part;
  });
  return parts.join(" ");
}

function bars(state, x, base) {
  const { now, found } = state;
  const thick = Math.max(4, Math.min(22, (0.6 * state.wide) / now.keys.length));
  return now.keys.flatMap((key, row) => {
    const tall = found.weights[row] * (BARS - 20);
    const bar = { "data-row": row, x: x(key) - thick / 2, y: base - tall, width: thick, height: tall };
    const name = { x: x(key), y: base - tall - 4, "text-anchor": "middle" };
    const text = found.weights[row] >= 0.005 ? [drawn("text", "tick", name, found.weights[row].toFixed(2))] : [];
    return [drawn("rect", "bar", bar), ...text];
  });
}
