/* Matrices side by side as heat maps, with the names of their rows and columns; one below the other where it is narrow.

   A panel may have rows and columns of its own, and keep room for those of later steps: { rows, columns, letters } in
   all. A value that is no number is masked. A panel without values shows those that all steps share. */

import { diverging, faded, ink } from "../shared/colours.js";
import { drawn, element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { decoded, written } from "../shared/numbers.js";

const [LETTER, LINE, CLOSE, GAP, LEAST] = [9, 22, 18, 14, 230]; // pixels: a letter, a line, a close one, between panels, a panel's width
const UPRIGHT = 15; // pixels of width that a name on its side takes
const PALE = 2.6; // a number is legible on the strongest cell that is this many times fainter

/**
 * @param {any} picture { rows: [name], columns: [name] | null, panels: [{ title, values, width, signed, bounds, marked, rows, columns, room }], write, most };
 *   a panel's `words`, if it has them, are written instead of its numbers (null is a cell that is not known
 *   yet), and those of its cells `bold` in bold; `most` is how high a row may be, in pixels
 * @param {number} width pixels that there are
 * @param {(words: string) => void} tell says what the pointer is on
 * @param {any} [shared] { values } what all steps share
 * @returns {any}
 */
export function matrices({ rows, columns, panels, write, most = 40 }, width, tell, shared = null) {
  const beside = Math.min(panels.length, Math.max(1, Math.floor((width + GAP) / (LEAST + GAP))));
  const lettered = (letters) => Math.min(width / 3, LETTER * letters + 10);
  const box = element("div", panels.some((panel) => panel.room) ? "matrices apart" : "matrices");
  panels.forEach((panel, i) => {
    const own = panel.rows ? { rows: panel.rows, columns: panel.columns } : { rows, columns };
    const [first, share] = [i % beside === 0, (width - GAP * (beside - 1)) / beside];
    const left = lettered(panel.room?.letters ?? longest(own.rows));
    const each = panel.rows ? share - left : share - left / beside;
    const count = panel.room?.rows ?? own.rows.length;
    const rowHeight = Math.max(panel.room ? CLOSE : LINE, Math.min(most, each / count, 280 / count));
    box.append(matrix({ values: shared?.values, ...panel }, { ...own, write, left: panel.rows || first ? left : 0, each, rowHeight, tell }));
  });
  return box;
}

const longest = (names) => Math.max(...names.map((name) => name.length));

function matrix(panel, { rows, columns, write, left, each, rowHeight, tell }) {
  const values = typeof panel.values === "string" ? decoded(panel.values) : panel.values;
  const reach = panel.reach || values.reduce((most, value) => Math.max(most, Math.abs(value || 0)), 0) || 1;
  const cell = each / (panel.room?.columns ?? panel.width);
  const tall = columns ? LETTER * Math.max(longest(columns), panel.room?.letters ?? 0) : 0;
  const upright = tall > cell; // then names stand on their side
  const top = columns ? (upright ? tall + 8 : LINE) : 2;
  const box = element("figure", "matrix");
  if (panel.title) box.append(element("figcaption", "title", panel.title));
  const [wide, high] = [left + each, top + rowHeight * (panel.room?.rows ?? rows.length) + 1];
  const svg = drawn("svg", "cells", { width: wide, height: high, viewBox: `0 0 ${wide} ${high}` });
  svg.setAttribute("aria-hidden", "true");
  rows.forEach((rowName, r) => {
    const y = top + rowHeight * r;
    if (left) svg.append(drawn("text", "name", { x: left - 6, y: y + rowHeight / 2 + 6, "text-anchor": "end" }, rowName));
    for (let c = 0; c < panel.width; c += 1) {
      const value = values[r * panel.width + c];
      const word = panel.words?.[r * panel.width + c];
      if (word === null) continue;
      const masked = Number.isNaN(value);
      const share = Math.abs(value) / reach / (write ? PALE : 1);
      const fill = masked ? "transparent" : panel.signed ? diverging(value, reach) : faded("blue", share);
      const [x, gap] = [left + cell * c, cell > 6 ? 1 : 0];
      const among = (cells) => cells?.some(([row, column]) => row === r && column === c);
      const name = masked ? "cell masked" : among(panel.marked) ? "cell marked" : "cell";
      const square = drawn("rect", name, { x, y, width: cell - gap, height: rowHeight - gap });
      square.style.fill = fill;
      const told = masked ? translated("masked") : `${word === undefined ? "" : `${word}, `}${written(value, panel.digits ?? 4)}`;
      square.onpointerenter = () => tell(`${rowName} → ${columns ? columns[c] : translated("number {n}", { n: c + 1 })}: ${told}`);
      svg.append(square);
      if (masked) svg.append(crossed(x, y, cell - gap, rowHeight - gap));
      if (!write || masked || cell < 4 * LETTER) continue;
      const said = word === undefined ? short(value) : fitting(word, Math.floor(cell / LETTER));
      const text = drawn("text", among(panel.bold) ? "number bold" : "number", { x: x + cell / 2, y: y + rowHeight / 2 + 6, "text-anchor": "middle" }, said);
      text.style.fill = ink(share, panel.signed && value < 0);
      svg.append(text);
    }
  });
  const every = upright ? Math.ceil(UPRIGHT / cell) : 1; // in narrow columns only each so many has its name
  columns?.forEach((name, c) => {
    if (c % every) return;
    const x = left + cell * (c + 0.5);
    /** @type {Record<string, string | number>} */
    const place = upright ? { transform: `translate(${x + 6} ${top - 6}) rotate(-90)` } : { x, y: top - 6, "text-anchor": "middle" };
    svg.append(drawn("text", "name", place, name));
  });
  for (const bound of panel.bounds ?? []) {
    svg.append(drawn("line", "bound", { x1: left + cell * bound, x2: left + cell * bound, y1: top, y2: high }));
  }
  if (panel.rule) { // the rows below it are made of those above
    const y = top + rowHeight * panel.rule;
    svg.append(drawn("line", "bound", { x1: 0, x2: wide, y1: y, y2: y }));
  }
  box.append(svg);
  return box;
}

/* As many letters as there is room for. */
function fitting(word, room) {
  const letters = [...word];
  return letters.length > room ? `${letters.slice(0, room - 1).join("")}…` : word;
}

/* A masked cell is struck through: it is no weight of nought, it is not there. */
function crossed(x, y, wide, high) {
  return drawn("line", "masked", { x1: x + 0.3 * wide, x2: x + 0.7 * wide, y1: y + 0.7 * high, y2: y + 0.3 * high });
}

/* Two decimals, but whole numbers as they are: exactly nought is 0, 0.00 is near it, on whichever side. */
export function short(value) {
  if (Number.isInteger(value)) return written(value, 0);
  return written(Math.abs(value) < 0.005 ? 0 : value, 2);
}
