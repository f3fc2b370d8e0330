/* The one picture at every level of zoom: rows of numbers as coloured cells, written out where there is room.

   Blue is above 0, vermillion below; a cell is as opaque as its number is large beside its row's reach. */

import { translated } from "../shared/labels.js";
import { written } from "../shared/numbers.js";

const STRONGEST = 0.75; // opacity; black or white words can be read on it
const GAP = 8; // pixels between the model's stages
const TALL = 316; // pixels of a table: it is seen whole, with its controls, on a lecturer's screen
const NAMES = 140; // pixels of the rows' names on a phone at most
const TYPE = 16; // pixels
const LEGIBLE = { width: 36, height: 17 }; // pixels a cell needs for its number

const threeDigits = (value) => Number(value.toPrecision(3)).toString().replace("e+", "e").replaceAll("-", "−");

/* A number in a cell: three digits of it, one and its power of ten where there is no room. */
function short(draw, value, room) {
  const text = threeDigits(value);
  if (draw.measureText(text).width <= room) return text;
  return value.toExponential(0).replace("e+", "e").replaceAll("-", "−");
}

const hiddenAt = (data, row, column) => data.causal && (data.first ?? 0) + column > (data.firstRow ?? 0) + row;
const clipped = (context, words, room) => {
  let text = words;
  while (text.length > 1 && context.measureText(text).width > room) text = `${text.slice(0, -2)}…`;
  return text;
};

/* How wide the longest name of a row is when it is chosen, in pixels. */
function widest({ data, canvas, root }) {
  const draw = canvas.getContext("2d");
  draw.font = `700 16px ${getComputedStyle(root).fontFamily}`;
  return Math.max(...data.rows.map((row) => draw.measureText(row.label).width));
}

/* Where everything stands, in pixels. */
function measured(state) {
  const { data, canvas } = state;
  const width = Math.max(260, canvas.parentElement.clientWidth);
  const narrow = width < 520;
  const groups = data.rows.some((row) => row.group) ? (narrow ? 0 : 96) : 0;
  const left = groups + (narrow ? Math.min(NAMES, widest(state) + 14) : data.level === 3 || data.level === 4 ? 104 : groups ? 122 : 212);
  const most = Math.max(...data.rows.map((row) => row.n));
  const cell = (width - left - 3) / most;
  const longest = Math.max(1, ...data.columns.map((name) => name.length));
  const upright = data.columns.length > 0 && cell < 7.6 * longest + 4; // words that do not fit stand slanted
  const head = data.columns.length === 0 ? 8 : upright && cell > 13 ? Math.min(86, 16 + 6 * longest) : 24;
  const gaps = data.rows.filter((row, i) => i && row.group !== data.rows[i - 1].group).length;
  const height = Math.max(5, Math.min(34, (TALL - head - GAP * gaps) / data.rows.length));
  let y = head;
  const ys = data.rows.map((row, i) => {
    if (i && row.group !== data.rows[i - 1].group) y += GAP;
    y += height;
    return y - height;
  });
  return { width, groups, left, cell, upright, head, height, ys, bottom: y + 3 };
}

export function cellWidth(state, row) {
  const { data, place } = state;
  return data.columns.length ? place.cell : (place.width - place.left - 3) / data.rows[row].n;
}

function heads(state, draw, theme) {
  const { data, place } = state;
  const every = place.cell > 13 ? 1 : Math.ceil(34 / place.cell);
  data.columns.forEach((name, i) => {
    if (i % every && i !== state.column) return;
    if (every > 1 && i !== state.column && Math.abs(i - state.column) * place.cell < 30) return;
    const x = place.left + (i + 0.5) * place.cell;
    draw.font = `${i === state.column ? "700 " : ""}${TYPE}px ${theme.family}`;
    draw.fillStyle = theme.ink;
    const slanted = place.upright && place.cell > 13;
    draw.save();
    draw.translate(x, slanted ? place.head - 4 : place.head / 2);
    if (slanted) draw.rotate(-Math.PI / 3);
    draw.textAlign = slanted ? "left" : "center";
    draw.fillText(clipped(draw, name, slanted ? place.head + 4 : 90), 0, 0);
    draw.restore();
  });
}

function labels(state, draw, theme) {
  const { data, place } = state;
  const every = Math.ceil(16 / place.height);
  draw.fillStyle = theme.ink;
  data.rows.forEach((row, i) => {
    const near = i !== state.row && every > 1 && Math.abs(i - state.row) < every;
    if ((i % every && i !== state.row) || near) return;
    const y = place.ys[i] + place.height / 2;
    draw.font = `${i === state.row ? "700 " : ""}${TYPE}px ${theme.family}`;
    draw.textAlign = "right";
    draw.fillText(clipped(draw, row.label, place.left - place.groups - 12), place.left - 7, y);
  });
  if (!place.groups) return;
  data.rows.forEach((row, i) => {
    if (i && row.group === data.rows[i - 1].group) return;
    const last = data.rows.findLastIndex((each) => each.group === row.group);
    const [top, bottom] = [place.ys[i] - 3, place.ys[last] + place.height + 3];
    draw.strokeStyle = theme.ink;
    draw.globalAlpha = 0.45;
    draw.lineWidth = 1;
    draw.beginPath();
    draw.roundRect(1, top, place.width - 2, bottom - top, 7);
    draw.stroke();
    draw.globalAlpha = 1;
    draw.font = `600 ${TYPE}px ${theme.family}`;
    draw.textAlign = "left";
    draw.fillText(clipped(draw, row.group, place.groups - 8), 8, (top + bottom) / 2);
  });
}

function cells(state, draw, theme) {
  const { data, place } = state;
  let at = 0;
  data.rows.forEach((row, i) => {
    const wide = cellWidth(state, i);
    const gap = wide > 5 && place.height > 7 ? 1 : 0;
    const fits = wide >= LEGIBLE.width && place.height >= LEGIBLE.height;
    draw.font = `${TYPE}px ${theme.family}`; // smaller where one of a row's numbers would have no room
    const roomy = fits && state.values.slice(at, at + row.n).every((value) => draw.measureText(threeDigits(value)).width <= wide - 4);
    if (!roomy) draw.font = `13px ${theme.family}`;
    draw.textAlign = "center";
    for (let j = 0; j < row.n; j += 1, at += 1) {
      if (hiddenAt(data, i, j)) continue;
      const value = state.values[at];
      const [x, y] = [place.left + j * wide, place.ys[i]];
      draw.globalAlpha = STRONGEST * Math.min(1, Math.abs(value) / row.reach);
      draw.fillStyle = value < 0 ? theme.below : theme.above;
      draw.fillRect(x, y, wide - gap, place.height - gap);
      draw.globalAlpha = 1;
      draw.fillStyle = theme.ink;
      if (fits && !data.closed) draw.fillText(short(draw, value, wide - 4), x + wide / 2, y + place.height / 2);
    }
  });
}

function chosen(state, draw, theme) {
  const { place, row, column } = state;
  const wide = cellWidth(state, row);
  draw.strokeStyle = theme.ink;
  draw.lineWidth = 3;
  const [width, height] = [Math.max(5, wide), Math.max(5, place.height)];
  draw.strokeRect(place.left + (column + 0.5) * wide - width / 2, place.ys[row] + (place.height - height) / 2, width, height);
}

export function drawTable(state) {
  if (!state.data) return;
  state.place = measured(state);
  const { width, bottom } = state.place;
  const ratio = devicePixelRatio || 1;
  Object.assign(state.canvas, { width: Math.round(width * ratio), height: Math.round(bottom * ratio) });
  Object.assign(state.canvas.style, { width: `${width}px`, height: `${bottom}px` });
  const style = getComputedStyle(state.root);
  const colour = (name) => style.getPropertyValue(name).trim();
  const theme = { ink: style.color, family: style.fontFamily, above: colour("--blue"), below: colour("--vermillion") };
  const draw = state.canvas.getContext("2d");
  draw.setTransform(ratio, 0, 0, ratio, 0, 0);
  draw.clearRect(0, 0, width, bottom);
  draw.textBaseline = "middle";
  cells(state, draw, theme);
  heads(state, draw, theme);
  labels(state, draw, theme);
  if (!state.data.closed) chosen(state, draw, theme);
}

/** The row and column under the pointer, null beside the cells; a label is its row's. */
export function cellAt(state, event) {
  const box = state.canvas.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  const row = state.place.ys.findLastIndex((top) => y >= top);
  if (row < 0) return null;
  const column = Math.floor((x - state.place.left) / cellWidth(state, row));
  const last = state.data.rows[row].n - 1;
  return { row, column: x < state.place.left ? Math.min(state.column, last) : Math.max(0, Math.min(last, column)) };
}

/** The number of the chosen cell as the status line says it. */
export function readout(state) {
  const { data, row, column } = state;
  const value = state.values[data.rows.slice(0, row).reduce((sum, each) => sum + each.n, 0) + column];
  const name = data.columns.length ? data.columns[column] : translated("number {n}", { n: column + 1 });
  if (data.closed) return "";
  if (hiddenAt(data, row, column)) return `${data.rows[row].label}, ${name}: ${translated("hidden by the mask")}`;
  const digits = Math.abs(value) >= 100 ? 1 : Math.abs(value) >= 1 ? 3 : 5;
  return `${data.rows[row].label}, ${name}: ${written(value, digits)}`;
}
