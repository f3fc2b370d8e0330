/* A soft look-up on a line: keys and values as points, a query and a bandwidth to move; all else follows at once.

   data: { keys: [N], values: [N], query, bandwidth, way, ways: [names], hidden,
           reach: { key: [low, high], value: [low, high] }, steps: { key, value }, bandwidths: [least, most] }
   The sums are those of core/models/translation/kernel_smoothing.py; tests/browser/test_soft_lookup_view.py compares the two.
   The only value returned is `lookup`, once a point or a slider is let go. */

const SVG = "http://www.w3.org/2000/svg";
const TOP = 12, PLOT = 250, BUMP = 52, GAP = 34, BARS = 84, LEFT = 46, RIGHT = 14;
const HEIGHT = TOP + PLOT + GAP + BARS + 22;
const STOPS = 200; // of the bandwidth's slider, evenly apart in its logarithm
const MOST = 40; // points, as in core/text/reading/entries.py
const states = new WeakMap();

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function shape(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

const sum = (values) => values.reduce((total, value) => total + value, 0);
const clamp = (value, [low, high]) => Math.min(high, Math.max(low, value));

function number(value, digits = 4) {
  if (Number.isNaN(value)) return "none";
  if (value !== 0 && Math.abs(value) < 1e-4) return value.toExponential(2).replace("-", "−").replace("e-", "e−");
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

/* The nearest multiple of a step, as the very double that its decimals name. */
function onGrid(value, step) {
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return Number((Math.round(value / step) * step).toFixed(decimals));
}

/* core.models.translation.kernel_smoothing: kernel values, weights and the weighted mean at one query. */
function lookUp({ keys, values, bandwidth: b, way }, query) {
  const u = keys.map((key) => query - key);
  const scores = u.map((each) => -(each * each) / (2 * b * b));
  const kernels = {
    "exact key": (i) => (u[i] === 0 ? 1 : 0),
    gaussian: (i) => Math.exp(scores[i]),
    boxcar: (i) => (Math.abs(u[i]) / b <= 1 ? 1 : 0),
    triangle: (i) => Math.max(0, 1 - Math.abs(u[i]) / b),
  };
  const K = u.map((_, i) => kernels[way](i));
  // The Gaussian in logarithms: less the largest score, so that a small bandwidth does not underflow.
  const largest = Math.max(...scores);
  const parts = way === "gaussian" ? scores.map((score) => Math.exp(score - largest)) : K;
  const total = sum(parts);
  const weights = parts.map((part) => (total > 0 ? part / total : 0));
  return { u, K, weights, result: total > 0 ? sum(weights.map((a, i) => a * values[i])) : NaN };
}

function nearest({ keys, query }) {
  return keys.reduce((best, key, i) => (Math.abs(query - key) < Math.abs(query - keys[best]) ? i : best), 0);
}

function bump({ bandwidth: b, way }, u) {
  if (way === "gaussian") return Math.exp(-((u / b) ** 2) / 2);
  if (way === "boxcar") return Math.abs(u) / b <= 1 ? 1 : 0;
  return way === "triangle" ? Math.max(0, 1 - Math.abs(u) / b) : 0;
}

/* -------------------------------------------------------------------------------------------------- what is built */

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

function build(root, state) {
  root.replaceChildren();
  state.ways = element("div", "ways");
  state.ways.setAttribute("role", "radiogroup");
  state.ways.setAttribute("aria-label", "How to look up");
  state.q = slider("Query q", "query", 100);
  state.b = slider("Bandwidth b", "bandwidth", STOPS);
  state.q.input.oninput = () => moved(state, { query: onGrid(state.lows.q + state.q.input.value * state.data.steps.key, state.data.steps.key) });
  state.b.input.oninput = () => moved(state, { bandwidth: bandwidthAt(state, Number(state.b.input.value)) });
  for (const { input } of [state.q, state.b]) input.onchange = () => send(state);
  const sliders = element("div", "sliders");
  sliders.append(state.q.box, state.b.box);
  state.answer = element("div", "answer");
  state.answer.setAttribute("aria-live", "polite");
  state.svg = shape("svg", { height: HEIGHT, role: "group", "aria-label": "Keys, values, the query and the weights on a line" });
  state.svg.onpointerdown = (event) => pressed(state, event);
  state.svg.onpointermove = (event) => dragged(state, event);
  state.svg.onpointerup = state.svg.onpointercancel = () => released(state);
  const buttons = element("div", "buttons");
  state.add = element("button", "add", "Add a point at q");
  state.remove = element("button", "remove", "Remove the point chosen");
  state.add.onclick = () => added(state);
  state.remove.onclick = () => removed(state);
  buttons.append(state.add, state.remove);
  state.table = element("div", "numbers");
  state.formula = element("div", "formula");
  root.append(state.ways, sliders, state.answer, state.svg, buttons, state.table, state.formula);
  state.observer = new ResizeObserver(() => refresh(state));
  state.observer.observe(root);
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
  const made = state.data.ways.map((way) => {
    const button = element("button", "way", way);
    button.setAttribute("role", "radio");
    button.setAttribute("aria-checked", way === state.now.way);
    button.tabIndex = way === state.now.way ? 0 : -1;
    button.onclick = () => chooseWay(state, way);
    button.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const { ways: all } = state.data;
      chooseWay(state, all[(all.indexOf(way) + step + all.length) % all.length]);
      state.ways.querySelector("[aria-checked=true]").focus();
    };
    return button;
  });
  const held = state.ways.contains(state.ways.getRootNode().activeElement);
  state.ways.replaceChildren(...made);
  if (held) state.ways.querySelector("[aria-checked=true]").focus();
}

function chooseWay(state, way) {
  moved(state, { way });
  ways(state);
  send(state);
}

/* ------------------------------------------------------------------------------------------- what the learner does */

function moved(state, change) {
  state.now = { ...state.now, ...change };
  refresh(state);
}

function send(state) {
  state.sent = JSON.stringify(state.now);
  state.setStateValue("lookup", state.now);
}

function placeOf(state, event) {
  const box = state.svg.getBoundingClientRect();
  const { key, value } = state.data.reach;
  const across = (event.clientX - box.left - LEFT) / state.wide;
  const up = 1 - (event.clientY - box.top - TOP) / PLOT;
  return {
    key: clamp(key[0] + across * (key[1] - key[0]), key),
    value: clamp(value[0] + up * (value[1] - value[0]), value),
  };
}

function pressed(state, event) {
  const point = event.target.closest(".point");
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

/* ------------------------------------------------------------------------------------------------- what is drawn */

function refresh(state) {
  const { now, data } = state;
  state.found = lookUp(now, now.query);
  const { key } = data.steps;
  state.lows = { q: Math.ceil(data.reach.key[0] / key) * key };
  state.q.input.max = Math.floor((data.reach.key[1] - state.lows.q) / key);
  state.q.input.value = Math.round((now.query - state.lows.q) / key);
  state.b.input.value = stopOf(state, now.bandwidth);
  state.b.input.disabled = now.way === "exact key";
  state.q.value.textContent = number(now.query, 8);
  state.b.value.textContent = number(now.bandwidth);
  for (const { input, value } of [state.q, state.b]) input.setAttribute("aria-valuetext", value.textContent);
  state.add.disabled = now.keys.length >= MOST;
  state.remove.disabled = now.keys.length < 2;
  answer(state);
  picture(state);
  numbers(state);
}

function answer(state) {
  const { result } = state.found;
  const none = state.now.way === "exact key" ? "no key equals q: no answer" : "the kernel reaches no key: no answer";
  const shown = state.data.hidden ? "?" : Number.isNaN(result) ? none : number(result, 6);
  state.answer.replaceChildren(element("span", "", `f(${number(state.now.query, 8)}) = `), element("span", "result", shown));
}

function ticks([low, high], room) {
  const rough = (high - low) / Math.max(2, Math.floor(room / 70));
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((m) => m * power >= rough) * power;
  const made = [];
  for (let at = Math.ceil(low / step); at * step <= high; at += 1) made.push(Number((at * step).toPrecision(12)));
  return made;
}

function picture(state) {
  const { now, data, found, svg } = state;
  const wide = Math.max(120, (state.root.clientWidth || 600) - LEFT - RIGHT);
  state.wide = wide;
  const [low, high] = data.reach.key;
  const [bottom, top] = data.reach.value;
  const x = (key) => LEFT + ((key - low) / (high - low)) * wide;
  const y = (value) => TOP + (1 - (value - bottom) / (top - bottom)) * PLOT;
  const floor = TOP + PLOT, base = floor + GAP + BARS;
  const focused = svg.contains(svg.getRootNode().activeElement) ? svg.getRootNode().activeElement.dataset.row : undefined;
  const parts = [];
  for (const tick of ticks(data.reach.key, wide)) {
    parts.push(shape("line", { class: "grid", x1: x(tick), x2: x(tick), y1: TOP, y2: floor }));
    parts.push(shape("text", { class: "tick", x: x(tick), y: floor + 17, "text-anchor": "middle" }, number(tick)));
  }
  for (const tick of ticks(data.reach.value, PLOT)) {
    parts.push(shape("line", { class: "grid", x1: LEFT, x2: LEFT + wide, y1: y(tick), y2: y(tick) }));
    parts.push(shape("text", { class: "tick", x: LEFT - 7, y: y(tick) + 5, "text-anchor": "end" }, number(tick)));
  }
  const queries = Array.from({ length: Math.round(wide / 2) + 1 }, (_, i) => low + ((high - low) * i * 2) / wide);
  if (now.way !== "exact key") parts.push(shape("path", { class: "kernel", d: outline(now, queries, x, floor) }));
  if (!data.hidden) parts.push(shape("path", { class: "curve", d: curve(now, queries, x, y) }));
  parts.push(shape("line", { class: "asked", x1: x(now.query), x2: x(now.query), y1: TOP, y2: base }));
  parts.push(shape("text", { class: "name q", x: x(now.query) + 6, y: TOP + 12 }, "q"));
  if (!data.hidden) {
    parts.push(...bars(state, x, base));
    if (!Number.isNaN(found.result)) {
      parts.push(shape("line", { class: "level", x1: LEFT, x2: x(now.query), y1: y(found.result), y2: y(found.result) }));
      parts.push(shape("circle", { class: "found", cx: x(now.query), cy: y(found.result), r: 8 }));
    }
  }
  parts.push(shape("line", { class: "axis", x1: LEFT, x2: LEFT + wide, y1: base, y2: base }));
  parts.push(shape("text", { class: "name", x: LEFT + wide, y: floor - 6, "text-anchor": "end" }, "keys and queries →"));
  parts.push(shape("text", { class: "name", x: LEFT + 4, y: TOP + 10 }, "↑ values"));
  parts.push(shape("text", { class: "name", x: LEFT + wide, y: base - BARS + 12, "text-anchor": "end" }, "weights a"));
  now.keys.forEach((key, row) => parts.push(point(state, row, x(key), y(now.values[row]))));
  svg.setAttribute("width", LEFT + wide + RIGHT);
  svg.replaceChildren(...parts);
  if (focused !== undefined) svg.querySelector(`.point[data-row="${focused}"]`)?.focus();
}

function outline(now, queries, x, floor) {
  const points = queries.map((k) => `L${x(k).toFixed(1)} ${(floor - BUMP * bump(now, now.query - k)).toFixed(1)}`);
  return `M${x(queries[0])} ${floor} ${points.join(" ")} L${x(queries.at(-1))} ${floor} Z`;
}

function curve(now, queries, x, y) {
  if (now.way === "exact key") return "";
  let pen = "M";
  return queries
    .map((query) => {
      const { result } = lookUp(now, query);
      if (Number.isNaN(result)) return (pen = "M") && "";
      const part = `${pen}${x(query).toFixed(1)} ${y(result).toFixed(2)}`;
      pen = "L";
      return part;
    })
    .join(" ");
}

function bars(state, x, base) {
  const { now, found } = state;
  const thick = Math.max(4, Math.min(22, (0.6 * state.wide) / now.keys.length));
  return now.keys.flatMap((key, row) => {
    const tall = found.weights[row] * (BARS - 18);
    const bar = { class: "bar", "data-row": row, x: x(key) - thick / 2, y: base - tall, width: thick, height: tall };
    const name = { class: "tick", x: x(key), y: base - tall - 4, "text-anchor": "middle" };
    const text = found.weights[row] >= 0.005 ? [shape("text", name, found.weights[row].toFixed(2))] : [];
    return [shape("rect", bar), ...text];
  });
}

function point(state, row, cx, cy) {
  const { keys, values } = state.now;
  const label = `key ${number(keys[row], 8)}, value ${number(values[row], 8)}: arrow keys move it, Enter asks for it, Delete removes it`;
  const made = shape("g", { class: "point", "data-row": row, tabindex: 0, role: "button", "aria-label": label });
  made.classList.toggle("chosen", row === state.chosen);
  made.append(shape("circle", { class: "reach", cx, cy, r: 16 }), shape("circle", { class: "dot", cx, cy, r: 7 }));
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

function numbers(state) {
  const { now, found, data } = state;
  const cells = (tag, texts) => texts.map((text) => element(tag, "", text));
  const table = element("table", "");
  const head = element("tr", "");
  head.append(...cells("th", ["key k", "value v", "q − k", "K(q − k)", "weight a", "a · v"]));
  const rows = now.keys.map((key, row) => {
    const made = element("tr", row === state.chosen ? "chosen" : "");
    made.dataset.row = row;
    const computed = [found.K[row], found.weights[row], found.weights[row] * now.values[row]];
    const shown = data.hidden ? ["?", "?", "?"] : computed.map((each) => number(each));
    made.append(...cells("td", [number(key, 8), number(now.values[row], 8), number(found.u[row], 8), ...shown]));
    made.onpointerenter = () => choose(state, row);
    return made;
  });
  const foot = element("tr", "sum");
  const total = data.hidden ? ["?", "?", "?"] : [number(sum(found.K)), number(sum(found.weights)), number(found.result, 6)];
  foot.append(...cells("td", ["sum", "", "", ...total]));
  table.append(head, ...rows, foot);
  state.table.replaceChildren(table);
  formula(state);
}

/* The row pointed at, its numbers filled in, a line for each step. */
function formula(state) {
  const { now, found, data, chosen } = state;
  if (data.hidden) return state.formula.replaceChildren();
  const [u, K, b] = [number(found.u[chosen], 8), number(found.K[chosen]), number(now.bandwidth)];
  const filled = {
    "exact key": `1 if ${u} = 0, else 0`,
    gaussian: `exp(−(${u})² / (2 · ${b}²))`,
    boxcar: `1 if |${u}| ≤ ${b}, else 0`,
    triangle: `max(0, 1 − |${u}| / ${b})`,
  }[now.way];
  const total = sum(found.K);
  const quotient = total > 0 ? `${K} / ${number(total)} = ` : "";
  const lines = [
    `key ${number(now.keys[chosen], 8)}, value ${number(now.values[chosen], 8)}`,
    `K(q − k) = ${filled} = ${K}`,
    `a = K / ΣK = ${quotient}${number(found.weights[chosen])}`,
  ];
  state.formula.replaceChildren(...lines.map((line, at) => element("div", at ? "line" : "line of", line)));
}

export default function draw({ data, parentElement, setStateValue }) {
  let root = parentElement.querySelector(".lookup");
  if (!root) {
    root = element("div", "lookup");
    parentElement.append(root);
  }
  const fresh = !states.has(root);
  const state = states.get(root) ?? { root, sent: "", server: "", chosen: null };
  const { keys, values, query, bandwidth, way } = data;
  const server = JSON.stringify({ keys, values, query, bandwidth, way });
  states.set(root, Object.assign(state, { data, setStateValue }));
  // What comes back from the server is what was sent; meanwhile the learner may have moved on.
  if (fresh || (server !== state.server && server !== state.sent)) state.now = JSON.parse(server);
  state.server = server;
  if (state.chosen === null || state.chosen >= state.now.keys.length) state.chosen = nearest(state.now);
  if (fresh) build(root, state);
  ways(state);
  refresh(state);
  return () => {
    clearTimeout(state.waiting);
    state.observer.disconnect();
    states.delete(root);
    root.remove();
  };
}
