/* A table of scores that is filled in by hand: a column for each observation, a row for each state. A cell may be empty, filled,
   asked for, or a field that the learner types into. An arrow leads from a cell to the one that it came from. Below the table
   stand the products of one cell, or the probabilities that every cell is computed from. What stays moves.

   data: { columns: [{ word, count }], rows: [{ name, hue }], cells: [[{ text, kind }]] by column and row, fields: [{ t, j, name,
   value, label, verdict }], arrows: [{ t, i, j, s, kind }], lines: [{ name, factors: [{ text, label }], result, kind }], operator,
   given: null or { groups: [{ name, columns }], rows: [{ name, cells: [{ text, used }] }] }, axis, bare, arrived }. An arrow leads
   from row j of column t to row i of column s, which is the column before where it is absent; `operator` stands between the
   factors of a line, × where it is absent. Kinds of cell: empty, now, filled, right, wrong, best. Kinds of arrow: way, kept, best.
   Kinds of line: plain, kept, dropped. Every text was formatted by core. The only event is `fill`, { name: what was typed }, of
   all fields. */

import { drawn, element } from "../shared/element.js";
import { keyed } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";

const SOON = 350; // milliseconds after the last key, when a field is read
const WIDE = 0.56; // of a letter: its width, as a part of its height
const BOLD = 0.68; // of a bold capital
const [SMALLEST, LARGEST] = [14, 34]; // pixels of a number
const NARROWEST = 74; // pixels of a column in the lab, where the table may scroll
const FIELD = 7; // letters that a field has room for, and three more once they are typed
const NARROW = 560; // pixels, below which what the columns hold may reach over the first one
const SCOOP = 9; // pixels, at most

function buildTable(root) {
  root.classList.add("fills");
  const board = element("div", "board");
  const svg = drawn("svg", "drawing", { "aria-hidden": "true" });
  const defs = drawn("defs", "");
  for (const kind of ["way", "kept", "best"]) {
    const head = drawn("marker", `tip ${kind}`, { id: `came-${kind}`, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 16, markerHeight: 16, orient: "auto", markerUnits: "userSpaceOnUse" });
    head.append(drawn("path", "", { d: "M 0 0 L 10 5 L 0 10 z" }));
    defs.append(head);
  }
  const layers = Object.fromEntries(["heads", "arrows"].map((name) => [name, drawn("g", name)]));
  svg.append(defs, ...Object.values(layers));
  board.append(svg);
  const around = element("div", "around", board);
  const lines = element("div", "lines");
  const given = element("div", "given");
  root.append(around, lines, given);
  const state = { root, board, svg, layers, lines, given, cells: new Map(), arrows: new Map(), timer: 0 };
  state.watch = new ResizeObserver(() => state.data && layTable(state));
  state.watch.observe(around);
  state.around = around;
  return state;
}

function measure({ data, around, root }) {
  const [n, K] = [data.columns.length, data.rows.length];
  const room = [around.clientWidth || 600, around.clientHeight || 320];
  const name = Math.max(...data.rows.map((row) => row.name.length), room[0] < NARROW ? 0 : 0.7 * data.axis.length);
  const size = Math.max(SMALLEST + 2, Math.min(26, room[0] / 24));
  const left = Math.min(room[0] / 3, name * size * BOLD + 16);
  const width = Math.max(room[0], root.classList.contains("bare") ? 0 : left + n * NARROWEST);
  const columnWidth = (width - left - 6) / n;
  const top = Math.min(86, Math.max(52, room[1] * 0.2));
  const rowHeight = (room[1] - top - 6) / K;
  const typed = data.fields.map(({ value }) => Math.max(FIELD, Math.min(FIELD + 3, value.length)));
  const longest = Math.max(typed.length ? 5 : 2, ...data.cells.flat().map(({ text }) => text.length), ...typed);
  const least = data.fields.length ? SMALLEST + 2 : SMALLEST; // a phone enlarges the page for a smaller field
  const needed = Math.min(0.87 * columnWidth, longest * least * WIDE + 14);
  const cell = { width: Math.max(needed, Math.min(220, columnWidth * 0.66)), height: Math.min(116, rowHeight * 0.72) };
  const x = (t) => left + (t + 0.5) * columnWidth;
  const y = (j) => top + (j + 0.5) * rowHeight;
  const digits = Math.max(SMALLEST, Math.min(LARGEST, (cell.width - 18) / (longest * WIDE), cell.height * 0.5));
  return { width, height: room[1], size, left, top, columnWidth, cell, x, y, digits };
}

function layTable(state) {
  const { data, svg, board, layers } = state;
  const room = measure(state);
  board.style.width = `${room.width}px`;
  svg.setAttribute("viewBox", `0 0 ${room.width} ${room.height}`);
  board.style.setProperty("--size", `${room.size}px`);
  board.style.setProperty("--digits", `${room.digits}px`);
  layHeads(state, room);
  const cells = data.cells.flatMap((column, t) => column.map((cell, j) => ({ ...cell, t, j, key: `${t}.${j}` })));
  keyed(state.cells, cells, makeCell, board, (made, cell) => layCell(state, made, cell, room));
  const arrows = data.arrows.map((arrow) => ({ ...arrow, key: [arrow.t, arrow.i, arrow.j, arrow.s].filter((each) => each !== undefined).join(".") }));
  keyed(state.arrows, arrows, makeArrow, layers.arrows, (made, arrow) => layArrow(made, arrow, room));
}

function layHeads({ data, layers }, { size, left, top, x, y, columnWidth }) {
  const most = Math.max(1, ...data.columns.map(({ count }) => count));
  const scoop = Math.min(SCOOP, columnWidth / (2.6 * most));
  const letters = Math.max(...data.columns.map(({ word }) => word.length));
  const columns = data.columns.map(({ word, count }, t) => {
    const head = drawn("g", "head");
    head.dataset.mark = `column.${t}`;
    const shown = drawn("text", "word", { x: x(t), y: count ? top * 0.42 : top * 0.62, "text-anchor": "middle" }, word);
    shown.style.fontSize = `${Math.max(SMALLEST, Math.min(size, columnWidth / (letters * WIDE)))}px`;
    head.append(shown);
    for (let i = 0; i < count; i++) {
      const cx = x(t) + (i - (count - 1) / 2) * 2.3 * scoop;
      head.append(drawn("path", "cone", { d: `M ${cx - scoop} ${top * 0.64} h ${2 * scoop} l ${-scoop} ${scoop * 1.9} z` }));
      head.append(drawn("circle", "scoop", { cx, cy: top * 0.64, r: scoop }));
    }
    return head;
  });
  const rows = data.rows.map(({ name, hue }, j) => {
    const row = drawn("text", "row", { x: left - 12, y: y(j), dy: "0.35em", "text-anchor": "end" }, name);
    if (hue) row.style.fill = `var(--ink-${hue})`;
    row.dataset.mark = `row.${j}`;
    return row;
  });
  const axis = data.axis ? [drawn("text", "axis", { x: Math.max(left - 12, data.axis.length * Math.max(SMALLEST, 0.72 * size) * WIDE), y: top * 0.42, "text-anchor": "end" }, data.axis)] : [];
  layers.heads.replaceChildren(...axis, ...columns, ...rows);
}

function makeCell({ key }) {
  const made = element("div", "cell");
  made.dataset.mark = `cell.${key}`;
  const badge = drawn("svg", "badge", { viewBox: "0 0 20 20", "aria-hidden": "true" });
  badge.append(drawn("path", ""));
  made.append(element("span", "number"), badge);
  return made;
}

function layCell(state, made, { text, kind, t, j }, { x, y, cell }) {
  const { data } = state;
  made.className = `cell ${kind}`;
  made.style.setProperty("--hue", `var(--${data.rows[j].hue ?? "grey"})`);
  Object.assign(made.style, { transform: `translate(${x(t) - cell.width / 2}px, ${y(j) - cell.height / 2}px)`, width: `${cell.width}px`, height: `${cell.height}px` });
  const field = data.fields.find((each) => each.t === t && each.j === j);
  made.querySelector(".number").textContent = field ? "" : text;
  const verdict = field?.verdict ?? "";
  made.querySelector(".badge path").setAttribute("d", verdict === "right" ? "M 3 11 L 8 16 L 17 4" : verdict === "wrong" ? "M 4 4 L 16 16 M 16 4 L 4 16" : "");
  layField(state, made, field);
}

/** The field in a cell; while the learner types into it, what they typed stays. */
function layField(state, made, field) {
  let input = made.querySelector("input");
  if (!field) return input?.remove();
  if (!input) {
    input = element("input", "field");
    Object.assign(input, { type: "text", autocomplete: "off", spellcheck: false, maxLength: 40 });
    const send = () => {
      clearTimeout(state.timer);
      const typed = [...state.root.querySelectorAll("input.field")].map((each) => [each.name, each.value]);
      state.report("fill", Object.fromEntries(typed));
    };
    input.oninput = () => {
      clearTimeout(state.timer);
      state.timer = window.setTimeout(send, SOON);
    };
    input.onkeydown = (event) => {
      if (event.key === "Enter") send();
    };
    made.append(input);
  }
  input.name = field.name;
  input.setAttribute("aria-label", field.label);
  const typing = input.getRootNode().activeElement === input && !state.data.arrived;
  if (!typing) input.value = field.value;
}

function makeArrow({ key }) {
  const made = drawn("path", "arrow");
  made.dataset.mark = `arrow.${key}`;
  return made;
}

function layArrow(made, { t, i, j, s, kind }, { x, y, cell }) {
  const aside = Math.sign(i - j) * cell.height * 0.27; // so that no two arrows share an end
  let [x1, y1, x2, y2] = [x(t) - cell.width / 2 - 3, y(j) + aside, x(t - 1) + cell.width / 2 + 4, y(i) - aside];
  if (s !== undefined) {
    const [across, down] = [Math.sign(s - t) * cell.width * 0.5, Math.sign(i - j) * cell.height * 0.5]; // from edge to edge
    [x1, y1, x2, y2] = [x(t) + across, y(j) + down, x(s) - across, y(i) - down];
  }
  made.setAttribute("class", `arrow ${kind}`);
  made.setAttribute("d", `M ${x1} ${y1} L ${x2} ${y2}`);
  made.setAttribute("marker-end", `url(#came-${kind})`);
}

/** The products of one cell: each factor above what it is. */
function drawLines({ data, lines }) {
  lines.replaceChildren(
    ...data.lines.map(({ name, factors, result, kind }, at) => {
      const line = element("div", `line ${kind}`, element("span", "name", name));
      line.dataset.mark = `line.${at}`;
      factors.forEach(({ text, label }, f) => {
        const factor = element("span", "factor", element("b", "", text), element("small", "", label));
        factor.dataset.mark = `factor.${at}.${f}`;
        line.append(...(f ? [element("span", "op", data.operator ?? "×")] : []), factor);
      });
      line.append(element("span", "op", "="), element("b", "result", result));
      return line;
    }),
  );
}

/** The probabilities that every cell is computed from; those of the cell in question are marked. */
function drawGiven({ data, given }) {
  if (!data.given) return given.replaceChildren();
  const { groups, rows } = data.given;
  const [first, second] = [element("tr", "", element("td")), element("tr", "", element("td"))];
  for (const { name, columns } of groups) {
    const group = element("th", "group", name);
    group.colSpan = columns.length;
    first.append(group);
    columns.forEach((column, at) => second.append(element(column ? "th" : "td", at ? "" : "begins", column)));
  }
  const begins = new Set(groups.map((_, g) => groups.slice(0, g).reduce((sum, { columns }) => sum + columns.length, 0)));
  const body = rows.map(({ name, cells }, r) => {
    const row = element("tr", "", element("th", "", name));
    cells.forEach(({ text, used }, c) => {
      const cell = element("td", `${used ? "used" : ""}${begins.has(c) ? " begins" : ""}`.trim(), text);
      cell.dataset.mark = `given.${r}.${c}`;
      row.append(cell);
    });
    return row;
  });
  given.replaceChildren(element("table", "", element("thead", "", first, second), element("tbody", "", ...body)));
}

export default function draw(component) {
  const state = mount(component, "score-table", buildTable);
  const { data, root } = state;
  root.classList.toggle("bare", Boolean(data.bare));
  drawLines(state);
  drawGiven(state);
  layTable(state);
  if (data.arrived) root.querySelector("input.field")?.focus({ preventScroll: true });
  return () => {
    state.watch.disconnect();
    clearTimeout(state.timer);
    unmount(component.parentElement)();
  };
}
