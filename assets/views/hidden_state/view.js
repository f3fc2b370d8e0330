/* A recurrent network reads: the text coloured by one unit, all chosen units as a heatmap, the next characters.

   data: { name, characters: [T], rows: [{ unit, label }], values: base64 of float32 (rows x T), reach, signed,
           next: [[[token, p]]] a list for each step, empty while they are hidden, unit, step, colours: [+, -] }
   The numbers are core's (core/figures/recurrent_models/recurrent.py). It reports `cell`, { unit, step }, once the
   learner has come to rest on one. */

import { element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { decoded, probability, written } from "../shared/numbers.js";

const ROW = 17; // pixels a unit
const TOP = 24; // room for the characters
const WAIT = 250; // milliseconds of rest before a choice is sent
const valueAt = (state, row, t) => state.values[row * state.T + t];

function colourOf(state, value) {
  const share = Math.min(1, Math.abs(value) / state.data.reach);
  const hex = state.data.colours[value < 0 ? 1 : 0];
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
  return `rgba(${r}, ${g}, ${b}, ${share.toFixed(3)})`;
}

/* ------------------------------------------------------------------------------------------------ the text strip */

function strip(state) {
  const { characters } = state.data;
  if (state.strip.childElementCount !== state.T || state.written !== characters.join("")) {
    state.written = characters.join("");
    state.strip.replaceChildren();
    characters.forEach((character, t) => {
      const span = element("span", "", character);
      span.onclick = () => go(state, state.row, t);
      state.strip.append(span);
    });
  }
  state.strip.tabIndex = state.strip.scrollHeight > state.strip.clientHeight ? 0 : -1; // a key can scroll it
  [...state.strip.children].forEach((span, t) => {
    span.style.backgroundColor = colourOf(state, valueAt(state, state.row, t));
    span.classList.toggle("chosen", t === state.step);
    span.title = `${translated("{name} of unit {unit}", { name: state.data.name, unit: state.data.rows[state.row].unit })}: ${written(valueAt(state, state.row, t))}`;
  });
}

/* --------------------------------------------------------------------------------------------------- the heatmap */

function measured(state) {
  const width = state.scroller.clientWidth || 600;
  state.left = width < 420 ? 44 : Math.min(250, width / 3);
  state.cell = Math.max(5, Math.min(26, (width - state.left - 2) / state.T));
}

function fitted(draw, words, room) {
  let text = words;
  while (text.length > 1 && draw.measureText(text).width > room) text = `${text.slice(0, -2)}…`;
  return text;
}

function heat(state) {
  measured(state);
  const { rows, characters } = state.data;
  const [width, height] = [state.left + state.cell * state.T + 2, TOP + ROW * rows.length + 2];
  const ratio = window.devicePixelRatio || 1;
  Object.assign(state.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  Object.assign(state.canvas.style, { width: `${width}px`, height: `${height}px` });
  const style = getComputedStyle(state.root);
  const ink = style.getPropertyValue("--st-text-color").trim() || style.color;
  const draw = state.canvas.getContext("2d");
  draw.setTransform(ratio, 0, 0, ratio, 0, 0);
  draw.clearRect(0, 0, width, height);
  draw.textBaseline = "middle";
  rows.forEach((row, i) => {
    for (let t = 0; t < state.T; t += 1) {
      draw.fillStyle = colourOf(state, valueAt(state, i, t));
      draw.fillRect(state.left + t * state.cell, TOP + i * ROW, state.cell - 0.5, ROW - 0.5);
    }
    draw.fillStyle = ink;
    draw.font = `${i === state.row ? "700 " : ""}16px ${style.fontFamily}`;
    draw.textAlign = "right";
    const label = state.left < 100 ? String(row.unit) : fitted(draw, row.label, state.left - 8);
    draw.fillText(label, state.left - 6, TOP + (i + 0.5) * ROW);
  });
  draw.textAlign = "center";
  characters.forEach((character, t) => {
    if (state.cell < 9 && t !== state.step) return;
    draw.font = `${t === state.step ? "700 " : ""}${state.cell < 9 ? 16 : Math.min(16, 1.5 * state.cell)}px ${style.getPropertyValue("--st-code-font") || "monospace"}`;
    draw.fillText(character, state.left + (t + 0.5) * state.cell, TOP / 2);
  });
  draw.strokeStyle = ink;
  draw.lineWidth = 2;
  draw.strokeRect(state.left + state.step * state.cell, TOP - 1, state.cell, ROW * rows.length + 2);
  draw.strokeRect(state.left, TOP + state.row * ROW, state.cell * state.T, ROW);
  keepInSight(state);
}

function keepInSight(state) {
  const x = state.left + state.step * state.cell;
  const { scrollLeft, clientWidth } = state.scroller;
  if (x < scrollLeft + state.left || x + state.cell > scrollLeft + clientWidth) {
    state.scroller.scrollLeft = Math.max(0, x - clientWidth / 2);
  }
}

function cellAt(state, event) {
  const box = state.canvas.getBoundingClientRect();
  const t = Math.floor((event.clientX - box.left - state.left) / state.cell);
  const row = Math.floor((event.clientY - box.top - TOP) / ROW);
  const within = (i, n) => Math.max(0, Math.min(n - 1, i));
  if (row >= state.data.rows.length) return null;
  return { row: row < 0 ? state.row : row, t: t < 0 ? state.step : within(t, state.T) };
}

/* ------------------------------------------------------------------------------------------------ next characters */

function next(state) {
  const found = state.data.next[state.step];
  state.next.replaceChildren();
  if (!found) return;
  state.next.append(element("p", "heading", translated("The next character, by this h:")));
  for (const [token, p] of found) {
    const fill = element("span", "fill");
    fill.style.width = `${(100 * p) / found[0][1]}%`;
    state.next.append(
      element("div", "line", element("span", "token", token), element("span", "bar", fill), element("span", "p", probability(p))),
    );
  }
}

/* -------------------------------------------------------------------------------------------------------- choosing */

function readout(state, row, t) {
  const { unit, label } = state.data.rows[row];
  const named = { name: state.data.name, unit: label === String(unit) ? unit : label, text: state.data.characters[t], step: t + 1 };
  return `${translated("{name} of unit {unit} after “{text}” (step {step})", named)}: ${written(valueAt(state, row, t))}`;
}

function go(state, row, t) {
  state.row = Math.max(0, Math.min(state.data.rows.length - 1, row));
  state.step = Math.max(0, Math.min(state.T - 1, t));
  redraw(state);
  clearTimeout(state.timer);
  state.timer = setTimeout(() => {
    const cell = { unit: state.data.rows[state.row].unit, step: state.step };
    if (cell.unit !== state.data.unit || cell.step !== state.data.step) state.report("cell", cell);
  }, WAIT);
}

function onKey(state, event) {
  const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const ends = { Home: 0, End: state.T - 1 };
  if (event.altKey || !(event.key in moves || event.key in ends)) return;
  event.preventDefault();
  const [down, right] = moves[event.key] || [0, ends[event.key] - state.step];
  go(state, state.row + down, state.step + right);
}

function redraw(state) {
  strip(state);
  heat(state);
  next(state);
  state.status.textContent = readout(state, state.row, state.step);
}

/* -------------------------------------------------------------------------------------------------------- mounting */

function build(root) {
  const state = { root, strip: element("div", "strip"), canvas: element("canvas", "heat"), next: element("div", "next") };
  state.strip.setAttribute("role", "group");
  state.strip.setAttribute("aria-label", translated("The text, coloured by one unit"));
  state.scroller = element("div", "scroller", state.canvas);
  state.status = element("p", "status");
  state.status.setAttribute("role", "status");
  root.append(state.strip, element("div", "panels", state.scroller, state.next), state.status);
  state.canvas.tabIndex = 0;
  state.canvas.setAttribute("role", "application");
  state.canvas.onkeydown = (event) => onKey(state, event);
  state.canvas.onclick = (event) => {
    const cell = cellAt(state, event);
    if (cell) go(state, cell.row, cell.t);
  };
  state.canvas.onpointermove = (event) => {
    const cell = cellAt(state, event);
    if (cell) state.status.textContent = readout(state, cell.row, cell.t);
  };
  state.canvas.onpointerleave = () => { state.status.textContent = readout(state, state.row, state.step); };
  state.resized = new ResizeObserver(() => state.data && heat(state));
  state.resized.observe(state.scroller);
  return state;
}

export default function draw(component) {
  const state = mount(component, "hidden-state", build);
  const { data } = component;
  Object.assign(state, { T: data.characters.length, values: decoded(data.values), step: data.step });
  state.row = Math.max(0, data.rows.findIndex((row) => row.unit === data.unit));
  clearTimeout(state.timer);
  state.canvas.setAttribute("aria-label", translated("{name} of {units} units after each of {n} characters. Arrow keys move to another unit or character.", { name: data.name, units: data.rows.length, n: state.T }));
  redraw(state);
  return () => {
    clearTimeout(state.timer);
    state.resized.disconnect();
    unmount(component.parentElement)();
  };
}
