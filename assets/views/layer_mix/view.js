/* A sentence as every layer and direction has it, and as their mix does: a row each, a word a column. A slider a layer
   sets its weight s_j; the others make room, and the mix's row is computed again here. A word is chosen by a click or the
   arrow keys, and its formula stands below with its numbers.

   data: { words, classes, hues: [of each class], asked: [whether the task classifies the word],
           rows: [{ name, layer: its number, null of a row that has no weight, cells: [[shown, strength, hue]] }],
           parts: [of each word [of each layer [a number a class]]], b, gamma, names: [of the layers],
           learned: [s], s: [s as set], first: the word chosen at first, label,
           labels: the view's own words }
   It reports `mix`, the weights, when a slider is let go. */

import { element } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";
import { written } from "../shared/numbers.js";
import { withWeight } from "../weight_row/compute.js";
import { likeliest } from "./compute.js";

const NOTHING = ["", 0, "grey"]; // of a word that the task does not classify

function cellOf([shown, strength, hue], t, state) {
  const cell = element("td", "cell", element("span", "shown", shown));
  const reach = element("span", "reach");
  reach.style.inlineSize = `${Math.round(100 * strength)}%`;
  reach.style.background = `var(--${hue})`;
  reach.style.visibility = shown ? "visible" : "hidden"; // it keeps the height of its row
  cell.append(reach);
  cell.classList.toggle("chosen", t === state.chosen);
  cell.onclick = () => choose(state, t, 0);
  return cell;
}

/* The mix's own cells. */
function mixOf({ data, s }) {
  return data.parts.map((parts, t) => {
    if (!data.asked[t]) return NOTHING;
    const { k, p } = likeliest(parts, s, data.gamma, data.b);
    return [data.classes[k], p, data.hues[k]];
  });
}

/* The chosen word's score, each letter with its number. */
function formulaOf({ data, s, chosen }) {
  if (!data.asked[chosen]) return "";
  const parts = data.parts[chosen];
  const inBrackets = (value) => (value < 0 ? `(${written(value, 2)})` : written(value, 2));
  const terms = (a, j) => `${written(s[j])} · ${inBrackets(a)}`;
  const word = data.words[chosen];
  const { k, z, p } = likeliest(parts, s, data.gamma, data.b);
  return `“${word}”, ${data.classes[k]}: z = γ Σ sⱼ aⱼ + b = ${written(data.gamma)} · (${parts.map((a, j) => terms(a[k], j)).join(" + ")}) + ${inBrackets(data.b[k])} = ${written(z, 2)}, p = ${written(p, 2)}`;
}

/* Choose word t or, by `step`, the next one that the task classifies. */
function choose(state, t, step) {
  const { asked } = state.data;
  while (step && t in asked && !asked[t]) t += step;
  if (!asked[t]) return;
  state.chosen = t;
  show(state);
}

/* What changes while a slider moves, but the slider that moves. */
function show(state, moving = -1) {
  state.mixRow.replaceChildren(
    element("th", "name", element("b", "", state.data.labels.name)),
    ...mixOf(state).map((cell, t) => cellOf(cell, t, state)),
    element("td", "said"),
  );
  state.table.querySelectorAll(".cell").forEach((cell) => {
    cell.classList.toggle("chosen", [...cell.parentElement.children].indexOf(cell) === state.chosen + 1);
  });
  state.sliders.forEach((slider, j) => {
    if (j !== moving) slider.value = state.s[j];
    slider.setAttribute("aria-valuetext", written(state.s[j], 2));
    state.values[j].textContent = `s${state.data.names[j]} ${written(state.s[j], 2)}`;
  });
  state.formula.textContent = formulaOf(state);
}

function sliderOf(state, j) {
  const { data } = state;
  const slider = element("input");
  Object.assign(slider, { type: "range", min: 0, max: 1, step: 0.01 });
  slider.setAttribute("aria-label", `${data.labels.slider} ${data.names[j]}`);
  slider.oninput = () => {
    const none = state.s.every((weight, i) => i === j || weight === 0); // the others go back as they were learned
    state.s = withWeight(none ? data.learned : state.s, j, Number(slider.value));
    show(state, j);
  };
  slider.onchange = () => state.report("mix", state.s.map((each) => Number(each.toFixed(3))));
  const own = element("span", "own");
  own.style.insetInlineStart = `${100 * data.learned[j]}%`;
  state.sliders[j] = slider;
  state.values[j] = element("span", "value");
  return element("td", "said", element("label", "weight", element("span", "track", own, slider), state.values[j]));
}

function rowOf(row, state) {
  const weight = state.data.names.indexOf(row.layer);
  return element(
    "tr",
    weight < 0 ? "" : "layer",
    element("th", "name", row.name),
    ...row.cells.map((cell, t) => cellOf(cell, t, state)),
    weight < 0 ? element("td", "said") : sliderOf(state, weight),
  );
}

function tableOf(state) {
  const { data } = state;
  const heads = data.words.map((word, t) => {
    const head = element("th", "word", word);
    head.onclick = () => choose(state, t, 0);
    return head;
  });
  state.sliders = [];
  state.values = [];
  state.mixRow = element("tr", "mix");
  const rows = data.rows.map((row) => rowOf(row, state));
  const top = element("tr", "", element("td", "name"), ...heads, element("th", "said", data.labels.weight));
  state.table.replaceChildren(element("thead", "", top), element("tbody", "", state.mixRow, ...rows));
}

function onKey(state, event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step || event.altKey || event.target.tagName === "INPUT") return;
  event.preventDefault();
  choose(state, state.chosen + step, step);
}

function build(root) {
  const state = { table: element("table"), formula: element("p", "formula"), chosen: 0, shape: "" };
  const around = element("div", "around", state.table);
  around.tabIndex = 0;
  around.setAttribute("role", "group");
  around.onkeydown = (event) => onKey(state, event);
  state.formula.setAttribute("aria-live", "polite");
  root.append(around, state.formula);
  return Object.assign(state, { around });
}

export default function draw(component) {
  const state = mount(component, "layer-mix", build);
  const { data } = state;
  state.around.setAttribute("aria-label", `${data.label}. ${data.labels.keys}`);
  const shape = JSON.stringify([data.words, data.classes, data.rows.length]);
  if (state.shape !== shape) state.chosen = data.first;
  state.shape = shape;
  state.s = data.s;
  tableOf(state);
  show(state);
  return unmount(component.parentElement);
}
