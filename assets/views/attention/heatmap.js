/* The weights as a heatmap: rows are outputs (from), columns inputs (to). */

import { contextOf } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { rgb, themeOf } from "../shared/surfaces.js";
import { shades } from "./compute.js";

const MARK = "#D55E00"; // the palette's vermillion
const [TALL, LEAST_ROW] = [260, 18]; // pixels of all rows together, as long as a row has those that its label needs
export const TYPE = 16; // pixels, of the words
const ROOM_FOR_LABEL = 170; // pixels that the turned label of the rows needs

/* The colour of the one head that is on; a mean of several has the theme's. */
export function heatColour(state) {
  const on = state.heads.filter((head) => !state.off.has(head.name));
  return on.length === 1 ? on[0].colour : themeOf(state.root).primary;
}

/* Each cell is one pixel of this image, which is then drawn as large as the heatmap. Masked cells are grey. */
export function heatImage(state) {
  const [T, S] = [state.outputs.length, state.inputs.length];
  const canvas = document.createElement("canvas");
  canvas.width = S;
  canvas.height = T;
  const context = contextOf(canvas);
  const image = context.createImageData(S, T);
  const colour = rgb(heatColour(state));
  shades(state).forEach((shade, i) => {
    image.data.set(Number.isNaN(shade) ? [127, 127, 127, 40] : [...colour, Math.round(255 * shade)], 4 * i);
  });
  context.putImageData(image, 0, 0);
  return canvas;
}

export function longest(words, measure, most) {
  return Math.min(most, Math.max(...words.map((word) => measure(word))));
}

export function heatLayout(state, width, measure) {
  const [T, S] = [state.outputs.length, state.inputs.length];
  const few = Math.max(T, S) <= 128;
  const left = (few ? longest(state.outputs, measure, 110) : 40) + 30;
  const top = (few ? longest(state.inputs, measure, 100) : 40) + 30;
  const cell = Math.min(34, (width - left - 6) / S, few ? Math.max(LEAST_ROW, TALL / T) : 700 / T);
  return { left, top, cell, width, height: Math.max(ROOM_FOR_LABEL, top + cell * T + 6) };
}

export function clipped(word, most = 16) {
  return word.length > most ? `${word.slice(0, most - 1)}…` : word;
}

export function drawHeatmap(surface, state, layout, theme) {
  const [T, S] = [state.outputs.length, state.inputs.length];
  const { left, top, cell } = layout;
  const size = Math.min(TYPE, Math.max(9, cell - 2));
  const { t: row, s: column } = state.focus;
  surface.text(9, Math.max(ROOM_FOR_LABEL / 2, top + (cell * T) / 2), translated("from: {name}", { name: state.from }), theme.text, TYPE,
    { anchor: "middle", turn: -Math.PI / 2, bold: true, family: theme.family });
  surface.text(left + (cell * S) / 2, 10, translated("to: {name}", { name: state.to }), theme.text, TYPE,
    { anchor: "middle", bold: true, family: theme.family });
  if (row !== null) surface.rect(left - 4, top + row * cell, cell * S + 4, cell, theme.tint);
  if (column !== null) surface.rect(left + column * cell, top - 4, cell, cell * T + 4, theme.tint);
  surface.image(state.image, left, top, cell * S, cell * T);
  surface.outline(left, top, cell * S, cell * T, theme.text, 0.5);
  const shown = (i, focused) => cell >= 9 || i === focused;
  state.outputs.forEach((word, t) => {
    if (!shown(t, row)) return;
    surface.text(left - 6, top + (t + 0.5) * cell, clipped(word), theme.text, size,
      { anchor: "end", bold: t === row, family: theme.family });
  });
  state.inputs.forEach((word, s) => {
    if (!shown(s, column)) return;
    surface.text(left + (s + 0.5) * cell, top - 6, clipped(word), theme.text, size,
      { turn: -Math.PI / 2, bold: s === column, family: theme.family });
  });
  if (state.showGold) {
    for (const [t, s] of state.gold) {
      surface.outline(left + s * cell + 1.5, top + t * cell + 1.5, cell - 3, cell - 3, theme.text, 1.5);
    }
  }
  for (const [t, s] of state.marked) {
    surface.outline(left + s * cell + 1, top + t * cell + 1, cell - 2, cell - 2, MARK, 2.5);
  }
  for (const [t, s] of [[row, column], state.pinned || [null, null]]) {
    if (t !== null && s !== null) surface.outline(left + s * cell, top + t * cell, cell, cell, theme.primary, 2.5);
  }
}

export function heatCell(state, layout, x, y) {
  const s = Math.floor((x - layout.left) / layout.cell);
  const t = Math.floor((y - layout.top) / layout.cell);
  const inside = (i, n) => (i >= 0 && i < n ? i : null);
  const [row, column] = [inside(t, state.outputs.length), inside(s, state.inputs.length)];
  if (y < layout.top) return { t: null, s: column }; // on an input's label
  if (x < layout.left) return { t: row, s: null }; // on an output's label
  return row === null || column === null ? { t: null, s: null } : { t: row, s: column };
}
