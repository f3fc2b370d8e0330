/* A recurrent network reads: the text coloured by one unit, all chosen units as a heatmap, the next characters.

   data: { name, characters: [T], rows: [{ unit, label }], values: base64 of float32 (rows x T), reach, signed,
           next: [[[token, p]]] a list for each step, empty while they are hidden, unit, step, colours: [+, -] }
   The numbers are core's (core/figures/recurrent_models/recurrent.py). The only value returned is `cell`, { unit, step }, once the
   learner has come to rest on one. */

const ROW = 17; // pixels a unit
const TOP = 24; // room for the characters
const WAIT = 250; // milliseconds of rest before a choice is sent
const states = new WeakMap();

function element(tag, className, parent, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  parent.append(made);
  return made;
}

function decoded(text) {
  return new Float32Array(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
}

const clipped = (label) => (label.length > 26 ? `${label.slice(0, 25)}…` : label);
const number = (value) => value.toFixed(3).replace("-", "−");
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
      const span = element("span", "", state.strip, character);
      span.onclick = () => go(state, state.row, t);
    });
  }
  state.strip.tabIndex = state.strip.scrollHeight > state.strip.clientHeight ? 0 : -1; // a key can scroll it
  [...state.strip.children].forEach((span, t) => {
    span.style.backgroundColor = colourOf(state, valueAt(state, state.row, t));
    span.classList.toggle("chosen", t === state.step);
    span.title = `${state.data.name} of unit ${state.data.rows[state.row].unit}: ${number(valueAt(state, state.row, t))}`;
  });
}

/* --------------------------------------------------------------------------------------------------- the heatmap */

function measured(state) {
  const width = state.scroller.clientWidth || 600;
  state.left = width < 420 ? 44 : 170;
  state.cell = Math.max(5, Math.min(26, (width - state.left - 2) / state.T));
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
    draw.font = `${i === state.row ? "700 " : ""}13px ${style.fontFamily}`;
    draw.textAlign = "right";
    const label = state.left < 100 ? String(row.unit) : clipped(row.label);
    draw.fillText(label, state.left - 6, TOP + (i + 0.5) * ROW, state.left - 8);
  });
  draw.textAlign = "center";
  characters.forEach((character, t) => {
    if (state.cell < 9 && t !== state.step) return;
    draw.font = `${t === state.step ? "700 " : ""}14px ui-monospace, monospace`;
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
  element("p", "heading", state.next, "The next character, by this step's h:");
  const most = found[0][1];
  for (const [token, p] of found) {
    const line = element("div", "line", state.next);
    element("span", "token", line, token);
    const bar = element("span", "bar", line);
    element("span", "fill", bar).style.width = `${(100 * p) / most}%`;
    element("span", "p", line, p < 0.0005 ? p.toExponential(0) : p.toFixed(3));
  }
}

/* -------------------------------------------------------------------------------------------------------- choosing */

function readout(state, row, t) {
  const { unit, label } = state.data.rows[row];
  const named = label === String(unit) ? `unit ${unit}` : `unit ${label}`;
  return `${state.data.name} of ${named} after “${state.data.characters[t]}” (step ${t + 1}): ${number(valueAt(state, row, t))}`;
}

function go(state, row, t) {
  state.row = Math.max(0, Math.min(state.data.rows.length - 1, row));
  state.step = Math.max(0, Math.min(state.T - 1, t));
  draw(state);
  clearTimeout(state.timer);
  state.timer = setTimeout(() => {
    const cell = { unit: state.data.rows[state.row].unit, step: state.step, at: Date.now() };
    if (cell.unit !== state.data.unit || cell.step !== state.data.step) state.setStateValue("cell", cell);
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

function draw(state) {
  strip(state);
  heat(state);
  next(state);
  state.status.textContent = readout(state, state.row, state.step);
}

/* -------------------------------------------------------------------------------------------------------- mounting */

function build(parent) {
  const state = {};
  state.root = element("div", "hidden-state", parent);
  state.strip = element("div", "strip", state.root);
  state.strip.setAttribute("role", "group");
  state.strip.setAttribute("aria-label", "The text, coloured by one unit");
  const row = element("div", "panels", state.root);
  state.scroller = element("div", "scroller", row);
  state.canvas = element("canvas", "heat", state.scroller);
  state.next = element("div", "next", row);
  state.status = element("p", "status", state.root);
  state.status.setAttribute("role", "status");
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

export default function ({ data, parentElement, setStateValue }) {
  let state = states.get(parentElement);
  if (!state) {
    state = build(parentElement);
    states.set(parentElement, state);
  }
  Object.assign(state, { data, setStateValue, T: data.characters.length, values: decoded(data.values), step: data.step });
  state.row = Math.max(0, data.rows.findIndex((row) => row.unit === data.unit));
  clearTimeout(state.timer);
  state.canvas.setAttribute("aria-label", `${data.name} of ${data.rows.length} units after each of ${state.T} characters. ` +
    "Arrow keys move to another unit or character.");
  draw(state);
  return () => {
    clearTimeout(state.timer);
    state.resized.disconnect();
    state.root.remove();
    states.delete(parentElement);
  };
}
