/* The stages as matrices side by side, as many as there is room for, with the chosen cell lit in each. */

import { contextOf, element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { total } from "./compute.js";
import { formula, leaks, masked, short } from "./formula.js";

const LEGIBLE = 44; // pixels a cell needs for numbers that the back row reads
const GAP = 20;
const TALL = 276; // pixels of all rows of a panel: it is seen whole
const LEAST = 23; // pixels of a row, in which type of 16 pixels has room

/* The size of type at which the longest number shown fits its cell. */
function typeSize(state) {
  const { cell, height } = state.layout;
  const texts = shownStages(state).flatMap((number) => {
    const { values, sum } = state.order[number];
    const rows = state.found[values];
    return [...rows.flat(), ...(sum ? rows.map(total) : [])].map((value) => short(value, values !== "exponentials"));
  });
  const longest = Math.max(3, ...texts.map((text) => text.length));
  return Math.max(12, Math.min(24, Math.max(16, 0.64 * height), (cell - 6) / (0.52 * longest)));
}

/* The pixels of the widest token in a row's label, at the largest type a label has. */
function widest(state) {
  const ruler = contextOf();
  ruler.font = `600 19px ${getComputedStyle(state.root).fontFamily}`;
  return Math.ceil(Math.max(...state.data.tokens.map((token) => ruler.measureText(token).width)));
}

/* How many panels stand side by side, and how large a cell is: all six where their numbers stay legible. */
function layout(state) {
  const width = Math.max(240, state.stages.clientWidth);
  const { tokens } = state.data;
  const n = tokens.length + 1; // and the column of row sums
  const labels = Math.min(108, 14 + widest(state)); // 14: the label's padding, and a pixel to either side
  const fit = Math.floor((width + GAP) / (labels + n * LEGIBLE + GAP));
  const across = fit >= 6 ? 6 : fit >= 3 ? 3 : Math.max(1, fit);
  const cell = Math.max(40, Math.min(84, ((width + GAP) / across - GAP - labels - 8) / n)); // 8: borders
  return { across, labels, cell, height: Math.max(LEAST, Math.min(44, 0.6 * cell, TALL / tokens.length)) };
}

function shownStages(state) {
  const { across } = state.layout;
  if (across >= 3) return state.order.map((_, i) => i);
  return across === 2 ? [Math.max(0, state.stage - 1), Math.max(1, state.stage)] : [state.stage];
}

function panel(state, number) {
  const stage = state.order[number];
  const ahead = number > state.stage;
  const box = element("section", `panel ${stage.name}`);
  box.classList.toggle("ahead", ahead);
  box.classList.toggle("current", number === state.stage);
  box.append(element("div", "title", element("span", "number", String(number + 1)), ` ${stage.title}`));
  const grid = element("div", "grid");
  grid.setAttribute("role", "grid");
  grid.setAttribute("aria-label", translated("Stage {n}, {title}: rows are queries, columns are keys", { n: number + 1, title: stage.title }));
  const { tokens } = state.data;
  const head = element("div", "row", element("span", "corner", ""));
  head.setAttribute("role", "row");
  head.firstChild.setAttribute("role", "gridcell"); // an empty corner heads nothing
  [...tokens, ...(stage.sum ? ["Σ"] : [])].forEach((token) => {
    const label = element("span", "label column", token);
    label.setAttribute("role", "columnheader");
    label.title = token;
    head.append(label);
  });
  grid.append(head, ...tokens.map((_, t) => matrixRow(state, stage, number, t, ahead)));
  box.append(grid);
  return box;
}

function matrixRow(state, stage, number, t, ahead) {
  const label = element("span", "label", state.data.tokens[t]);
  label.setAttribute("role", "rowheader");
  label.title = state.data.tokens[t];
  const row = element("div", "row", label);
  row.setAttribute("role", "row");
  row.dataset.t = t;
  const values = state.found[stage.values][t];
  values.forEach((value, s) => row.append(matrixCell(state, stage, number, t, s, value, ahead)));
  if (stage.sum) {
    const sum = element("span", "cell sum", ahead ? "" : short(total(values)));
    sum.setAttribute("role", "gridcell");
    row.append(sum);
  }
  return row;
}

function matrixCell(state, stage, number, t, s, value, ahead) {
  const share = ["softmax", "cut"].includes(stage.name);
  const cell = element("span", "cell", ahead ? "" : short(value, share));
  cell.setAttribute("role", "gridcell");
  Object.assign(cell.dataset, { t, s, stage: number });
  cell.tabIndex = -1;
  cell.classList.toggle("masked", !ahead && masked(state, stage, t, s));
  cell.classList.toggle("leak", !ahead && leaks(state, stage, t, s));
  cell.classList.toggle("edited", stage.name === "scores" && state.edits.has(`${t},${s}`));
  if (!ahead && masked(state, stage, t, s)) cell.setAttribute("aria-label", translated("masked: {value}", { value: cell.textContent }));
  if (stage.name === "scores" && !ahead) cell.title = translated("Click, or type a number, to change this score");
  const shade = share && !ahead ? value : 0;
  cell.style.setProperty("--shade", `${Math.round(60 * shade)}%`);
  return cell;
}

export function drawStages(state) {
  const focused = state.root.getRootNode().activeElement?.classList?.contains("cell");
  state.layout = layout(state);
  const { across, labels, cell, height } = state.layout;
  const size = typeSize(state);
  const style = { across, labels: `${labels}px`, cell: `${cell}px`, height: `${height}px`, size: `${size}px` };
  for (const [name, value] of Object.entries(style)) state.stages.style.setProperty(`--${name}`, value);
  state.stages.classList.toggle("alone", shownStages(state).length === 1); // the bar says which it is
  state.stages.replaceChildren(...shownStages(state).map((number) => panel(state, number)));
  light(state, focused);
}

/* Light the chosen cell and its row in every panel; the one in the current stage takes part in the Tab order. */
export function light(state, focus = false) {
  const { t, s } = state.chosen;
  const numbers = shownStages(state);
  const active = numbers.includes(state.active) && state.active <= state.stage ? state.active : state.stage;
  for (const row of state.stages.querySelectorAll(".row[data-t]")) row.classList.toggle("lit", Number(row.dataset.t) === t);
  for (const cell of state.stages.querySelectorAll(".cell[data-t]")) {
    const here = Number(cell.dataset.t) === t && Number(cell.dataset.s) === s;
    cell.classList.toggle("chosen", here);
    cell.tabIndex = here && Number(cell.dataset.stage) === active ? 0 : -1;
    if (focus && cell.tabIndex === 0) cell.focus({ preventScroll: true });
  }
  formula(state);
}

export function choose(state, t, s, stage, focus = false) {
  const last = state.data.tokens.length - 1;
  state.chosen = { t: Math.max(0, Math.min(last, t)), s: Math.max(0, Math.min(last, s)) };
  if (stage !== undefined) state.active = stage;
  light(state, focus);
}
