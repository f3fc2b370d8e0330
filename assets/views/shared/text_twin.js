/* The text twin of a picture (core/descriptions) as a grid that the arrow keys walk: first the overview, then the rows, each read
   whole at its name, then single cells, each read with its row and column. */

import { element } from "./element.js";

/**
 * @param {any} told a description; `place` and `settings` only where a beat has them
 * @param {string} name the grid's name
 * @param {string} [id] what the ids of its cells begin with, where a page has several
 */
export function textTwin({ alt, sentence, axes, place = "", settings = [], columns, rows }, name, id = "twin") {
  const table = element("table", "twin");
  table.setAttribute("role", "grid");
  table.setAttribute("aria-label", name);
  const set = settings.map((/** @type {string[]} */ [, , said]) => said);
  const overview = twinCell("td", "gridcell", "overview");
  for (const text of [alt, sentence, axes, [place, ...set].filter(Boolean).join(" ")]) if (text) overview.append(element("p", "", text));
  overview.colSpan = Math.max(1, columns.length);
  const heads = columns.map((text, j) => Object.assign(twinCell("th", "columnheader", "", text), { id: `${id}-column-${j}`, scope: "col" }));
  const lines = rows.map((row, i) => row.map((text, j) => {
    const made = j ? twinCell("td", "gridcell", "", text) : twinCell("th", "rowheader", "", text);
    made.id = `${id}-${i}-${j}`;
    if (j) made.setAttribute("aria-labelledby", `${id}-${i}-0 ${id}-column-${j} ${made.id}`);
    else made.setAttribute("aria-label", rowInWords(columns, row));
    return made;
  }));
  const grid = [[overview], heads, ...lines].filter((line) => line.length);
  for (const line of grid) {
    const drawn = element("tr", "", ...line);
    drawn.setAttribute("role", "row");
    table.append(drawn);
  }
  walkable(table, grid);
  return table;
}

/** A row as it is read at its name: the name, then each column with its cell. */
function rowInWords(columns, row) {
  const told = row.slice(1).map((text, j) => text && `${columns[j + 1]} ${text}`).filter(Boolean);
  return [row[0], ...told].join(", ");
}

function twinCell(tag, role, className, text = "") {
  const made = element(tag, className, text);
  made.setAttribute("role", role);
  made.tabIndex = -1;
  return made;
}

/** One cell at a time can have the focus; arrows, Home and End move it, with Ctrl to the first and the last cell. */
function walkable(table, grid) {
  let [at, of] = [0, 0];
  const move = (i, j) => {
    grid[at][of].tabIndex = -1;
    at = Math.max(0, Math.min(grid.length - 1, i));
    of = Math.max(0, Math.min(grid[at].length - 1, j));
    grid[at][of].tabIndex = 0;
  };
  const go = (i, j) => {
    move(i, j);
    grid[at][of].focus();
  };
  const last = () => grid[at].length - 1;
  move(0, 0);
  table.onkeydown = (event) => {
    if (event.altKey || event.metaKey) return;
    const far = event.ctrlKey;
    const moves = {
      ArrowUp: () => go(at - 1, of), ArrowDown: () => go(at + 1, of), ArrowLeft: () => go(at, of - 1), ArrowRight: () => go(at, of + 1),
      Home: () => (far ? go(0, 0) : go(at, 0)), End: () => (far ? go(grid.length - 1, grid[grid.length - 1].length - 1) : go(at, last())),
    };
    if (!(event.key in moves) || (far && event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    event.stopPropagation();
    moves[event.key]();
  };
  table.onfocusin = ({ target }) => grid.forEach((line, i) => line.forEach((each, j) => each === target && move(i, j)));
}
