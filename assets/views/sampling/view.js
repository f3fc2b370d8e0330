/* The next-token distribution in columns, recomputed here from one set of logits as T, k and p are moved.

   data: { tokens: [V], logits: base64 (places x V), exact: whether as float64, said: [sentence], total, uniforms: [500],
           settings: { temperature, top_k, top_p }, temperatures: [where the slider stops],
           renormalise: false where what is cut is not renormalized, labels: { own, now } of the two kinds of bar, and what
           shared/sent_bar.js reads }
   A step is the distribution of one new token; its sentence was made for the settings that the server knows.
   The steps and their order are those of core/models/generation/sampling.py; tests/browser/test_sampling_view.py compares the
   two. It reports `settings`, once a slider is let go. */

import { element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { bytes, decoded } from "../shared/numbers.js";
import { sentBar } from "../shared/sent_bar.js";
import { likeliestBars } from "./bars.js";
import { counts, distribution, landed, misses, sum } from "./compute.js";

const ROW = 30; // pixels, as in view.css
const AROUND = 70; // rows drawn above and below those in sight
const COLUMNS = [translated("rank"), "token", "z", "z / T", "softmax", translated("cut by"), "p", translated("cumulative"), translated("drawn"), translated("p and share drawn")];

function number(value, digits = 4) {
  if (value === -Infinity) return "−∞";
  if (value !== 0 && Math.abs(value) < 1e-4) return value.toExponential(2).replace("-", "−").replace("e−", "e-");
  const shown = Math.abs(value) >= 1e5 ? value.toExponential(2) : Number(value.toPrecision(digits)).toString();
  return shown.replace(/^-/, "−");
}

function slider(label, name, most, onMove, onLeave) {
  const box = element("label", "slider");
  const head = element("span", "name", label);
  const value = element("output", "value");
  const input = element("input", name);
  input.type = "range";
  input.min = 0;
  input.max = most;
  input.step = 1;
  input.oninput = () => onMove(Number(input.value));
  input.onchange = onLeave;
  head.append(" ", value);
  box.append(head, input);
  return { box, input, value };
}

function kStops(V) {
  const stops = [];
  for (let k = 1; k < V; k += k < 40 ? 1 : k < 200 ? 10 : k < 1000 ? 50 : 500) stops.push(k);
  return [...stops, 0];
}

const nearest = (stops, value) =>
  stops.reduce((best, stop, i) => (Math.abs(stop - value) < Math.abs(stops[best] - value) ? i : best), 0);

function fill(root, state) {
  root.replaceChildren();
  const { temperatures, tokens } = state.data;
  state.stops = kStops(tokens.length);
  const moved = (change) => {
    state.settings = { ...state.settings, ...change };
    refresh(state);
  };
  const send = () => {
    state.sent = JSON.stringify(state.settings);
    state.report("settings", state.settings);
  };
  state.T = slider(translated("Temperature T"), "temperature", temperatures.length - 1, (i) => moved({ temperature: temperatures[i] }), send);
  state.k = slider("Top-k", "top-k", state.stops.length - 1, (i) => moved({ top_k: state.stops[i] }), send);
  state.p = slider("Top-p", "top-p", 100, (i) => moved({ top_p: i / 100 }), send);
  const sliders = element("div", "sliders");
  sliders.append(state.T.box, state.k.box, state.p.box);
  state.figures = element("div", "figures");
  state.table = element("div", "table");
  state.table.setAttribute("role", "table");
  state.table.setAttribute("aria-label", translated("The next-token distribution, the most probable first"));
  state.table.setAttribute("aria-rowcount", tokens.length + 1);
  state.table.tabIndex = 0;
  const head = element("div", "row head");
  head.setAttribute("role", "row");
  COLUMNS.forEach((name) => {
    const cell = element("span", "cell", name);
    cell.setAttribute("role", "columnheader");
    head.append(cell);
  });
  state.body = element("div", "body");
  state.body.setAttribute("role", "rowgroup");
  state.body.style.height = `${tokens.length * ROW}px`;
  state.table.append(head, state.body);
  state.table.onscroll = () => rows(state);
  state.table.onkeydown = (event) => onKey(state, event);
  state.body.onpointerover = (event) => {
    const row = event.target.closest(".row");
    if (row) point(state, Number(row.dataset.rank));
  };
  state.formula = element("div", "formula");
  state.formula.setAttribute("aria-live", "polite");
  state.steps = element("div");
  state.likeliest = element("div", "likeliest");
  state.likeliest.tabIndex = 0; // the course's keys step while it has the focus
  state.likeliest.setAttribute("role", "img");
  state.legend = element("p", "legend");
  state.said = element("p", "said");
  state.said.setAttribute("role", "status");
  root.append(state.steps, state.legend, state.said, sliders, state.figures, state.table, state.formula);
  state.resized?.disconnect();
  state.resized = new ResizeObserver(() => state.found && picture(state));
  state.resized.observe(state.likeliest);
}

/* The most probable tokens as bars, as the sliders have them now; the sentence is hidden while it is about other settings. */
function picture(state) {
  const width = state.likeliest.clientWidth;
  if (!width || width === state.drawn) return;
  state.drawn = width;
  state.likeliest.replaceChildren(likeliestBars(state, width));
  const { labels } = state.data;
  const kinds = state.likeliest.querySelector(".own") ? ["now", "own"] : ["now"];
  state.legend.replaceChildren(...kinds.map((kind) => element("span", "entry", element("i", `swatch ${kind}`), labels[kind])));
  state.said.textContent = state.data.said[state.place];
  state.said.style.visibility = JSON.stringify(state.settings) === state.server ? "visible" : "hidden";
  const first = state.order[0];
  const p = number(state.found.probabilities[first]);
  state.likeliest.setAttribute("aria-label", translated("The most probable tokens; the first, “{token}”, has p = {p}", { token: state.data.tokens[first], p }));
}

/* Show the distribution of the new token at a place, from 0. */
function step(state, place) {
  const V = state.data.tokens.length;
  state.place = place;
  state.logits = [...state.all.subarray(place * V, (place + 1) * V)];
  state.order = state.logits.map((_, i) => i).sort((a, b) => state.logits[b] - state.logits[a] || a - b);
  state.held = false;
  refresh(state);
}

function steps(state, data) {
  const total = data.total;
  sentBar(state, data, {
    steps: data.said.length,
    label: translated("New token"),
    pace: 900,
    show: (at) => step(state, at),
    say: (at) => translated("Step {n} of {total}: the distribution of new token {n}", { n: at + 1, total }),
  });
  const box = element("div", "", state.bar.root, state.likeliest);
  state.bar.keys(box);
  state.steps.replaceChildren(box);
}

function onKey(state, event) {
  const last = state.order.length - 1;
  const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8, Home: -last, End: last };
  if (!(event.key in moves)) return;
  event.preventDefault();
  point(state, Math.max(0, Math.min(last, state.pointed + moves[event.key])));
  const top = state.pointed * ROW;
  const room = state.table.clientHeight - 2 * ROW;
  if (top < state.table.scrollTop) state.table.scrollTop = top;
  else if (top > state.table.scrollTop + room) state.table.scrollTop = top - room;
}

function point(state, rank) {
  state.pointed = rank;
  state.held = true;
  for (const row of state.body.children) row.classList.toggle("pointed", Number(row.dataset.rank) === rank);
  formula(state);
}

function refresh(state) {
  const { settings, order } = state;
  state.found = distribution(state.logits, order, settings, state.data.renormalise !== false);
  state.counted = counts(order, state.found, state.data.uniforms);
  const u = state.data.uniforms[state.place];
  state.pick = misses(order, state.found, u) ? -1 : landed(order, state.found, u);
  if (!state.held) state.pointed = Math.max(0, state.pick);
  const { temperatures } = state.data;
  state.T.input.value = nearest(temperatures, settings.temperature);
  state.T.value.textContent = settings.temperature === 0 ? `0: ${translated("greedy")}` : number(settings.temperature);
  state.k.input.value = settings.top_k === 0 ? state.stops.length - 1 : nearest(state.stops.slice(0, -1), settings.top_k);
  state.k.value.textContent = settings.top_k === 0 ? translated("all") : String(settings.top_k);
  state.p.input.value = Math.round(100 * settings.top_p);
  state.p.value.textContent = settings.top_p === 1 ? `1: ${translated("all")}` : number(settings.top_p);
  for (const each of [state.T, state.k, state.p]) each.input.setAttribute("aria-valuetext", each.value.textContent);
  state.drawn = 0;
  picture(state);
  figures(state);
  rows(state);
  formula(state);
}

function figures(state) {
  const { found, order, data } = state;
  const total = sum(found.probabilities);
  const entropy = Math.max(0, -sum(found.probabilities.map((p) => (p > 0 ? p * Math.log2(p) : 0))));
  const kept = found.cut.filter((cut) => !cut).length;
  const tail = sum(found.full.filter((_, i) => found.cut[i]));
  const u = data.uniforms[state.place];
  const shown = [
    ...(data.renormalise === false
      ? [["total", total.toFixed(4), translated("Sum of all p")]]
      : [["entropy", `${entropy.toFixed(3)} bits`, translated("Entropy of p")], ["perplexity", (2 ** entropy).toFixed(2), translated("Perplexity")]]),
    ["kept", translated("{n} of {total}", { n: kept, total: order.length }), translated("Tokens kept")],
    ["tail", tail.toFixed(4), translated("Mass of the tail, cut")],
    ["pick", state.pick < 0 ? translated("no token") : data.tokens[order[state.pick]], translated("u = {u} draws", { u: u.toFixed(4) })],
  ];
  state.figures.replaceChildren(
    ...shown.map(([name, value, label]) => {
      const box = element("div", `figure ${name}`);
      box.append(element("span", "label", label), element("span", "value", value));
      return box;
    }),
  );
}

function bars(state, i) {
  const cell = element("span", "cell bars");
  const most = Math.max(state.found.probabilities[state.order[0]], ...state.counted.map((n) => n / state.data.uniforms.length));
  const theory = element("span", "theory");
  const draws = element("span", "draws");
  theory.style.width = `${(100 * state.found.probabilities[i]) / most}%`;
  draws.style.width = `${(100 * state.counted[i]) / state.data.uniforms.length / most}%`;
  cell.append(theory, draws);
  return cell;
}

function rows(state) {
  const { order, found, data, counted } = state;
  const first = Math.max(0, Math.floor(state.table.scrollTop / ROW) - AROUND);
  const last = Math.min(order.length, first + 2 * AROUND + 12);
  const made = [];
  for (let rank = first; rank < last; rank += 1) {
    const i = order[rank];
    const row = element("div", "row");
    row.setAttribute("role", "row");
    row.setAttribute("aria-rowindex", rank + 2);
    row.dataset.rank = rank;
    row.style.top = `${rank * ROW}px`;
    row.classList.toggle("cut", found.cut[i] !== "");
    row.classList.toggle("pointed", rank === state.pointed);
    row.classList.toggle("pick", rank === state.pick);
    const values = [rank + 1, data.tokens[i], number(state.logits[i]), number(found.scaled[i]), number(found.full[i])];
    values.push(found.cut[i], number(found.probabilities[i]), number(found.cumulative[i]), counted[i]);
    row.append(...values.map((value) => element("span", "cell", String(value))), bars(state, i));
    for (const cell of row.children) cell.setAttribute("role", "cell");
    made.push(row);
  }
  state.body.replaceChildren(...made);
}

/* The formula of the row pointed at, its numbers filled in, a line for each step. */
function formula(state) {
  const { order, found, settings, data } = state;
  const i = order[state.pointed];
  const lines = [`“${data.tokens[i]}”, ${translated("rank {n}", { n: state.pointed + 1 })}`];
  if (settings.temperature === 0) {
    lines.push(translated("T = 0: no quotient; the token with the largest z has all the probability."));
  } else {
    const largest = found.scaled[order[0]];
    const total = sum(found.scaled.map((value) => Math.exp(value - largest)));
    const m = largest < 0 ? `(${number(largest)})` : number(largest);
    lines.push(`z / T = ${number(state.logits[i])} / ${number(settings.temperature)} = ${number(found.scaled[i])}`);
    lines.push(
      `softmax = exp(z / T − m) / Σ exp(zⱼ / T − m) = exp(${number(found.scaled[i])} − ${m}) / ` +
        `${number(total)} = ${number(found.full[i])},   m = ${translated("the largest z / T")}`,
    );
  }
  const mass = sum(found.full.filter((_, j) => !found.cut[j]));
  if (found.cut[i] === "top-k") lines.push(translated("p = 0: not among the {k} most probable (top-k)", { k: settings.top_k }));
  else if (found.cut[i] === "top-p") lines.push(translated("p = 0: those before it already have the mass {mass} (top-p)", { mass: number(settings.top_p) }));
  else if (data.renormalise === false) lines.push(translated("p = softmax = {p}, not divided by the mass kept, {mass}", { p: number(found.probabilities[i]), mass: number(mass) }));
  else lines.push(`p = softmax / ${translated("mass kept")} = ${number(found.full[i])} / ${number(mass)} = ${number(found.probabilities[i])}`);
  const n = data.uniforms.length;
  lines.push(
    translated("of {n} draws: expected {n} · p = {expected}, drawn {drawn}", { n, expected: number(n * found.probabilities[i]), drawn: state.counted[i] }),
  );
  state.formula.replaceChildren(...lines.map((line, at) => element("div", at ? "line" : "line of", line)));
}

/* The logits of all places, in as many bytes as say them exactly. */
function read(data) {
  return data.exact ? new Float64Array(bytes(data.logits)) : decoded(data.logits);
}

export default function draw(component) {
  const state = mount(component, "sampling", () => ({ sent: "", server: "", tokens: null }));
  const { data } = component;
  const known = String(state.tokens) === String(data.tokens);
  Object.assign(state, { all: read(data), tokens: data.tokens });
  const server = JSON.stringify(data.settings);
  // What comes back from the server is what was sent; meanwhile the learner may have moved on.
  if (!known || (server !== state.server && server !== state.sent)) state.settings = { ...data.settings };
  state.server = server;
  if (!known) fill(state.root, state);
  steps(state, data);
  return () => {
    state.bar.pause();
    state.resized.disconnect();
    unmount(component.parentElement)();
  };
}
