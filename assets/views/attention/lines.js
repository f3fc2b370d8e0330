/* The same weights as lines between the two sequences, as strong as the weights. */

import { translated } from "../shared/labels.js";
import { TYPE, clipped, heatColour, longest } from "./heatmap.js";

const UNLIT = 0.5; // how strongly lines show beside those of a pinned cell; while one points, only its own show

export function weightAt(state, t, s) {
  return state.mean[t * state.inputs.length + s];
}

export function linesLayout(state, width, measure) {
  const rows = Math.max(state.outputs.length, state.inputs.length);
  const step = rows > 12 ? 18 : 22;
  const left = longest(state.outputs, measure, width * 0.32) + 10;
  const right = width - longest(state.inputs, measure, width * 0.32) - 10;
  return { left, right, step, top: 30, width, height: 30 + step * rows + 6 };
}

export function drawLines(surface, state, layout, theme) {
  const { left, right, step, top } = layout;
  const { t: row, s: column } = state.focus;
  const heads = state.heads.filter((head) => !state.off.has(head.name));
  const S = state.inputs.length;
  const middle = (i) => top + (i + 0.5) * step;
  const family = theme.family;
  surface.text(4, 10, translated("from: {name}", { name: state.from }), theme.text, TYPE, { bold: true, family });
  surface.text(layout.width - 4, 10, translated("to: {name}", { name: state.to }), theme.text, TYPE, { anchor: "end", bold: true, family });
  state.outputs.forEach((word, t) => {
    const own = column === null || row !== null ? Number(t === row) : weightAt(state, t, column);
    if (own > 0) surface.rect(4, top + t * step, left - 2, step, heatColour(state), 0.35 * own);
    surface.text(left - 4, middle(t), clipped(word), theme.text, TYPE, { anchor: "end", bold: t === row, family });
  });
  state.inputs.forEach((word, s) => {
    const own = row === null ? Number(s === column) : weightAt(state, row, s);
    if (own > 0) surface.rect(right - 2, top + s * step, layout.width - right - 2, step, heatColour(state), 0.35 * own);
    surface.text(right + 4, middle(s), clipped(word), theme.text, TYPE, { bold: s === column, family });
  });
  for (const head of heads) {
    for (let t = 0; t < state.outputs.length; t += 1) {
      for (let s = 0; s < S; s += 1) {
        const lit = row === null ? column === null || s === column : t === row;
        if (!lit && state.pointing) continue;
        const weight = head.weights[t * S + s];
        if (!(weight >= 0.01)) continue;
        const chosen = row !== null && s === column;
        const opacity = row === null && column === null ? weight / heads.length : weight;
        const shown = Math.min(1, opacity) * (lit ? 1 : UNLIT);
        surface.line(left, middle(t), right, middle(s), head.colour, chosen && lit ? 3.5 : 2, shown);
      }
    }
  }
  if (!state.showGold) return;
  for (const [t, s] of state.gold) {
    if ((row === null || t === row) && (column === null || row !== null || s === column)) {
      surface.line(left, middle(t), right, middle(s), theme.text, 0.7, 0.9);
    }
  }
}

export function lineToken(state, layout, x, y) {
  const i = Math.floor((y - layout.top) / layout.step);
  if (x <= layout.left && i >= 0 && i < state.outputs.length) return { t: i, s: null };
  if (x >= layout.right && i >= 0 && i < state.inputs.length) return { t: null, s: i };
  return { t: null, s: null };
}
