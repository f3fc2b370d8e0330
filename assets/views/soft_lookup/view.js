/* A soft look-up on a line: keys and values as points, a query and a bandwidth to move; all else follows at once.
   In a story the picture is all there is: it fills its room, glides from one beat to the next, and its query can be
   moved only where the beat takes it (`moves`).

   data: { keys: [N], values: [N], query, bandwidth, way, ways: [{ id, name }], hidden, curve, moves, lines: [{ way,
           bandwidth, text, at, side }], labels: { key, value, weight, query, bandwidth, unit, none },
           reach: { key: [low, high], value: [low, high] }, steps: { key, value }, bandwidths: [least, most] }
   The sums are those of core/models/translation/kernel_smoothing.py; tests/browser/test_soft_lookup_view.py compares the two.
   It reports `lookup`, once a point or a slider is let go. */

import { button, drawn, element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { clamp, lookUp, nearest, onGrid } from "./compute.js";
import { formula, number, numbers } from "./numbers.js";
import { glide, LEFT, picture, placesIn, shape } from "./picture.js";

const STOPS = 200; // of the bandwidth's slider, evenly apart in its logarithm
const MOST = 40; // points, as in core/text/reading/entries.py

function slider(label, name, most) {
  const box = element("label", "slider");
  const head = element("span", "name", label);
  const value = element("output", "value");
  const input = element("input", name);
  Object.assign(input, { type: "range", min: 0, max: most, step: 1 });
  head.append(" ", value);
  box.append(head, input);
  return { box, input, value };
}

function build(root) {
  const state = { root, sent: "", server: "", chosen: null, now: null };
  state.ways = element("div", "ways");
  state.ways.setAttribute("role", "radiogroup");
  state.ways.setAttribute("aria-label", translated("How to look up"));
  state.q = slider(translated("Query q"), "query", 100);
  state.b = slider(translated("Bandwidth b"), "bandwidth", STOPS);
  state.q.input.oninput = () => moved(state, { query: onGrid(state.lows.q + state.q.input.value * state.data.steps.key, state.data.steps.key) });
  state.b.input.oninput = () => moved(state, { bandwidth: bandwidthAt(state, Number(state.b.input.value)) });
  for (const { input } of [state.q, state.b]) input.onchange = () => send(state);
  const sliders = element("div", "sliders");
  sliders.append(state.q.box, state.b.box);
  state.answer = element("div", "answer");
  state.answer.setAttribute("aria-live", "polite");
  state.svg = drawn("svg", "", { role: "group", "aria-label": translated("Keys, values, the query and the weights on a line") });
  state.svg.onpointerdown = (event) => pressed(state, event);
  state.svg.onpointermove = (event) => dragged(state, event);
  state.svg.onpointerup = state.svg.onpointercancel = () => released(state);
  const buttons = element("div", "buttons");
  state.add = button("add", translated("Add a point at q"), () => added(state));
  state.remove = button("remove", translated("Remove the point chosen"), () => removed(state));
  buttons.append(state.add, state.remove);
  state.table = element("div", "numbers");
  state.formula = element("div", "formula");
  root.append(state.ways, sliders, state.answer, state.svg, buttons, state.table, state.formula);
  state.observer = new ResizeObserver(() => state.now && refresh(state));
  state.observer.observe(root);
  return state;
}

function bandwidthAt(state, stop) {
  const [least, most] = state.data.bandwidths.map(Math.log);
  return Number(Math.exp(least + ((most - least) * stop) / STOPS).toPrecision(3));
}

function stopOf(state, bandwidth) {
  const [least, most] = state.data.bandwidths.map(Math.log);
  return Math.round(clamp(((Math.log(bandwidth) - least) / (most - least)) * STOPS, [0, STOPS]));
}

function ways(state) {
  const all = state.data.ways.map(({ id: way, name }) => {
    const made = button("way", name, () => chooseWay(state, way));
    made.setAttribute("role", "radio");
    made.setAttribute("aria-checked", String(way === state.now.way));
    made.tabIndex = way === state.now.way ? 0 : -1;
    made.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const ids = state.data.ways.map(({ id }) => id);
      chooseWay(state, ids[(ids.indexOf(way) + step + ids.length) % ids.length]);
      state.ways.querySelector("[aria-checked=true]").focus();
    };
    return made;
  });
  const held = state.ways.contains(state.ways.getRootNode().activeElement);
  state.ways.replaceChildren(...all);
  if (held) state.ways.querySelector("[aria-checked=true]").focus();
}

function chooseWay(state, way) {
  moved(state, { way });
  ways(state);
  send(state);
}

function moved(state, change) {
  state.now = { ...state.now, ...change };
  refresh(state);
}

function send(state) {
  state.sent = JSON.stringify(state.now);
  state.report("lookup", state.now);
}

function placeOf(state, event) {
  const box = state.svg.getBoundingClientRect();
  const { key, value } = state.data.reach;
  const across = (event.clientX - box.left - LEFT) / state.wide;
  const { top, plot } = shape(state);
  const up = 1 - (event.clientY - box.top - top) / plot;
  return {
    key: clamp(key[0] + across * (key[1] - key[0]), key),
    value: clamp(value[0] + up * (value[1] - value[0]), value),
  };
}

function pressed(state, event) {
  if (state.data.bare && !state.data.moves) return;
  const point = state.data.bare ? null : event.target.closest(".point");
  state.grip = point ? Number(point.dataset.row) : "query";
  if (point) state.chosen = state.grip;
  state.svg.setPointerCapture(event.pointerId);
  if (point) event.preventDefault();
  dragged(state, event, point !== null);
  if (point) state.svg.querySelector(`.point[data-row="${state.grip}"]`)?.focus();
}

function dragged(state, event, first = false) {
  if (state.grip === undefined) return;
  const { key, value } = placeOf(state, event);
  if (state.grip === "query") return moved(state, { query: snapped(state, key) });
  if (first) return refresh(state); // a press alone chooses the point and moves nothing
  movePoint(state, state.grip, onGrid(key, state.data.steps.key), onGrid(value, state.data.steps.value));
}

function released(state) {
  if (state.grip === undefined) return;
  state.grip = undefined;
  if (JSON.stringify(state.now) !== state.sent) send(state);
}

/* The query on the grid, or on a key that is nearer than a step: only there does a dictionary answer. */
function snapped(state, query) {
  const near = state.now.keys.find((key) => Math.abs(key - query) <= state.data.steps.key);
  return near ?? onGrid(query, state.data.steps.key);
}

function movePoint(state, row, key, value) {
  const change = (list, item) => list.map((each, i) => (i === row ? item : each));
  moved(state, { keys: change(state.now.keys, key), values: change(state.now.values, value) });
}

function added(state) {
  if (state.now.keys.length >= MOST) return;
  const { result } = lookUp(state.now, state.now.query);
  const [low, high] = state.data.reach.value;
  const value = onGrid(state.data.hidden || Number.isNaN(result) ? (low + high) / 2 : result, state.data.steps.value);
  state.chosen = state.now.keys.length;
  moved(state, { keys: [...state.now.keys, state.now.query], values: [...state.now.values, value] });
  send(state);
}

function removed(state) {
  if (state.now.keys.length < 2) return;
  const without = (list) => list.filter((_, i) => i !== state.chosen);
  const row = state.chosen;
  state.chosen = Math.min(row, state.now.keys.length - 2);
  moved(state, { keys: without(state.now.keys), values: without(state.now.values) });
  send(state);
}

function onPointKey(state, row, event) {
  const { key, value } = state.data.steps;
  const [right, up] = { ArrowRight: [key, 0], ArrowLeft: [-key, 0], ArrowUp: [0, value], ArrowDown: [0, -value] }[event.key] ?? [];
  if (event.key === "Delete" || event.key === "Backspace") {
    event.preventDefault();
    state.chosen = row;
    removed(state);
  } else if (event.key === "Enter") {
    moved(state, { query: state.now.keys[row] });
    send(state);
  } else if (right !== undefined) {
    event.preventDefault();
    state.chosen = row;
    movePoint(state, row, onGrid(state.now.keys[row] + right, key), onGrid(state.now.values[row] + up, value));
    clearTimeout(state.waiting);
    state.waiting = setTimeout(() => send(state), 400);
  }
  state.svg.querySelector(`.point[data-row="${Math.min(row, state.now.keys.length - 1)}"]`)?.focus();
}

function refresh(state) {
  const { now, data } = state;
  state.found = lookUp(now, now.query);
  const { key } = data.steps;
  state.lows = { q: Math.ceil(data.reach.key[0] / key) * key };
  state.q.input.max = Math.floor((data.reach.key[1] - state.lows.q) / key);
  state.q.input.value = Math.round((now.query - state.lows.q) / key);
  state.b.input.value = stopOf(state, now.bandwidth);
  state.b.input.disabled = now.way === "exact";
  state.q.value.textContent = number(now.query, 8);
  state.b.value.textContent = number(now.bandwidth);
  for (const { input, value } of [state.q, state.b]) input.setAttribute("aria-valuetext", value.textContent);
  state.add.disabled = now.keys.length >= MOST;
  state.remove.disabled = now.keys.length < 2;
  if (data.bare) return picture(state, (row, cx, cy) => drawn("circle", "dot", { cx, cy, r: 8, "data-mark": `key.${row}` }));
  answer(state);
  picture(state, (row, cx, cy) => point(state, row, cx, cy));
  numbers(state, (row) => choose(state, row));
}

function answer(state) {
  const { result } = state.found;
  const none = state.now.way === "exact" ? translated("no key equals q: no answer") : translated("the kernel reaches no key: no answer");
  const shown = state.data.hidden ? "?" : Number.isNaN(result) ? none : number(result, 6);
  state.answer.replaceChildren(element("span", "", `f(${number(state.now.query, 8)}) = `), element("span", "result", shown));
}

function point(state, row, cx, cy) {
  const { keys, values } = state.now;
  const label = translated("key {key}, value {value}: arrow keys move it, Enter asks for it, Delete removes it", { key: number(keys[row], 8), value: number(values[row], 8) });
  const made = drawn("g", "point", { "data-row": row, tabindex: 0, role: "button", "aria-label": label });
  made.classList.toggle("chosen", row === state.chosen);
  made.append(drawn("circle", "reach", { cx, cy, r: 16 }), drawn("circle", "dot", { cx, cy, r: 7 }));
  made.onkeydown = (event) => onPointKey(state, row, event);
  made.onfocus = () => choose(state, row);
  return made;
}

function choose(state, row) {
  state.chosen = row;
  state.remove.disabled = state.now.keys.length < 2;
  for (const each of state.root.querySelectorAll("[data-row]")) each.classList.toggle("chosen", Number(each.dataset.row) === row);
  formula(state);
}

export default function draw(component) {
  const state = mount(component, "lookup", build);
  const { keys, values, query, bandwidth, way, bare, moves } = component.data;
  const server = JSON.stringify({ keys, values, query, bandwidth, way });
  state.root.classList.toggle("fills", Boolean(bare));
  state.root.classList.toggle("moves", !bare || moves);
  // What comes back from the server is what was sent; meanwhile the learner may have moved on.
  if (!state.now || (server !== state.server && server !== state.sent)) state.now = JSON.parse(server);
  state.server = server;
  if (state.chosen === null || state.chosen >= state.now.keys.length) state.chosen = nearest(state.now);
  ways(state);
  const before = placesIn(state.svg);
  refresh(state);
  if (bare && component.data.arrived) glide(state.svg, before);
  return () => {
    clearTimeout(state.waiting);
    state.observer.disconnect();
    unmount(component.parentElement)();
  };
}
