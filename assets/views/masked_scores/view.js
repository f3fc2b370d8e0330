/* Attention scores or weights as a matrix: a row for each query token, a column for each key token. It fills its room, and
   its cells stay in their places from one picture to the next.

   data: { tokens: [text], axes: { query, key }, cells: [[{ text, kind, shade, framed }]], row, chosen: [t, s],
   side: { title, texts: [text], low: [boolean] }, sum, pick }. Kinds of cell: plain, seen, masked, struck (masked just now), leak; `shade` (0 to 1) is how
   full its colour is. `row` is the row that is framed, `chosen` the cell that is; `side` stands right of the rows, `sum`
   is arithmetic below, in which e^{x} is raised. With `pick` a press on a cell reports "pick", [t, s]. Every text was
   formatted by core. */

import { element } from "../shared/element.js";
import { fadeIn } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";

const [SMALLEST, LARGEST] = [14, 30]; // pixels of type
const LETTER = 0.6; // the width of a letter, in sizes of type
const CELL_AT_MOST = 150; // pixels
const SIDE = 112; // pixels right of the rows, also where nothing stands there: cells keep their places

function buildMatrix(root) {
  root.classList.add("fills");
  const [grid, lane, sum] = [element("div", "grid"), element("div", "lane"), element("p", "sum")];
  const board = element("div", "board", grid);
  grid.append(lane);
  root.append(board, sum);
  const state = { root, board, grid, lane, sum, size: 0 };
  state.watch = new ResizeObserver(() => state.data && layMatrix(state));
  state.watch.observe(board);
  return state;
}

/** Make the elements of a matrix of another size; they stay for all pictures of that size. */
function makeParts(state) {
  const { data, grid, lane } = state;
  const T = data.tokens.length;
  state.size = T;
  const at = (made, row, column) => {
    made.style.gridArea = `${row} / ${column}`;
    return made;
  };
  state.corner = element("span", "axis query");
  state.corner.style.gridArea = "1 / 1 / 2 / 3";
  state.axis = element("span", "axis key");
  state.axis.style.gridArea = `1 / 2 / 2 / ${T + 2}`;
  state.title = at(element("span", "axis title"), 2, T + 2);
  const marked = (made, mark) => {
    made.dataset.mark = mark;
    return made;
  };
  const places = [...Array(T).keys()];
  state.rows = places.map((t) => at(marked(element("span", "label row"), `row.${t}`), t + 3, 1));
  state.columns = places.map((s) => at(marked(element("span", "label column"), `column.${s}`), 2, s + 2));
  state.sides = places.map((t) => at(marked(element("span", "side"), `side.${t}`), t + 3, T + 2));
  state.cells = places.map((t) => places.map((s) => {
    const made = at(marked(element("span", "cell", element("span", "text")), `${s > t ? "future" : "past"}.${t}.${s}`), t + 3, s + 2);
    made.onclick = () => state.data.pick && state.report("pick", [t, s]);
    made.onkeydown = (event) => {
      if (event.key === "Enter" && state.data.pick) state.report("pick", [t, s]);
    };
    return made;
  }));
  grid.replaceChildren(state.corner, state.axis, state.title, ...state.columns, ...state.rows, ...state.cells.flat(), ...state.sides, lane);
}

/** Write a text where there was another one; it fades in. */
function write(made, text, parts = [text]) {
  if (made.dataset.text === text) return;
  made.dataset.text = text;
  made.replaceChildren(...parts);
  fadeIn(made, 450);
}

function drawMatrix(state) {
  const { data, root } = state;
  if (state.size !== data.tokens.length) makeParts(state);
  root.classList.toggle("picks", Boolean(data.pick));
  state.corner.textContent = `${data.axes.query} ↓`;
  state.axis.textContent = `${data.axes.key} →`;
  write(state.title, data.side?.title ?? "");
  data.tokens.forEach((token, t) => {
    write(state.rows[t], token);
    write(state.columns[t], token);
    state.rows[t].title = state.columns[t].title = token;
    state.rows[t].classList.toggle("followed", t === data.row);
    write(state.sides[t], data.side?.texts[t] ?? "");
    state.sides[t].classList.toggle("low", Boolean(data.side?.low?.[t]));
  });
  data.cells.forEach((row, t) => row.forEach((cell, s) => drawCell(state, cell, t, s)));
  write(state.sum, data.sum ?? "", raised(data.sum ?? ""));
}

function drawCell({ cells, data }, { text, kind, shade, framed }, t, s) {
  const made = cells[t][s];
  made.className = `cell ${kind}`;
  made.classList.toggle("framed", Boolean(framed));
  made.classList.toggle("chosen", data.chosen?.[0] === t && data.chosen?.[1] === s);
  made.style.setProperty("--share", `${Math.round(100 * (shade ?? 0))}%`);
  write(made.firstChild, text);
  if (data.pick) {
    made.tabIndex = 0;
    made.setAttribute("role", "button");
    made.setAttribute("aria-label", `${data.tokens[t]} → ${data.tokens[s]}: ${text}`);
  } else for (const name of ["tabindex", "role", "aria-label"]) made.removeAttribute(name);
}

/** Arithmetic with its powers raised: e^{x}. */
function raised(text) {
  return text.split(/\^\{([^}]*)\}/).map((part, i) => (i % 2 ? element("sup", "", part) : part)).filter((part) => part !== "");
}

/** Give columns and rows the room that there is, and type the largest size at which all texts fit. */
function layMatrix(state) {
  const { data, board, grid, root } = state;
  const T = data.tokens.length;
  const [width, height] = [board.clientWidth || 600, board.clientHeight || 400];
  const narrow = width < 560;
  const long = (texts) => Math.max(1, ...texts.map((text) => [...text].length));
  const label = narrow ? 15 : Math.min(24, 13 + width / 80);
  const names = Math.min(width * 0.28, Math.max(2, long(data.tokens)) * LETTER * label + 12);
  const beside = data.side ? Math.max(long(data.side.texts) * LETTER * label, long([data.side.title]) * 8) + 12 : 0;
  const sides = narrow ? beside : Math.max(SIDE, beside);
  const cell = Math.min(CELL_AT_MOST, (width - names - sides - 8) / T);
  const head = narrow ? 44 : 64;
  const tall = Math.min(CELL_AT_MOST, (height - head - 4) / T);
  const written = long(data.cells.flat().map(({ text }) => text));
  const size = Math.max(SMALLEST, Math.min(LARGEST, tall * 0.5, (cell - 6) / (written * LETTER)));
  grid.style.gridTemplate = `${head * 0.44}px ${head * 0.56}px repeat(${T}, ${tall}px) / ${names}px repeat(${T}, ${cell}px) ${sides}px`;
  for (const [name, value] of Object.entries({ "--size": size, "--label": label })) root.style.setProperty(name, `${value}px`);
  const framed = Number.isInteger(data.row);
  state.lane.classList.toggle("shown", framed);
  if (framed) {
    Object.assign(state.lane.style, {
      left: `${names}px`, top: `${head + data.row * tall}px`, width: `${T * cell}px`, height: `${tall}px`,
    });
  }
}

export default function draw(component) {
  const state = mount(component, "masked-scores", buildMatrix);
  drawMatrix(state);
  layMatrix(state);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
