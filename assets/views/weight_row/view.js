/* One query's attention weights, each on a slider: move one and the others make room. Python sends the row
   (core/figures/self_attention/heads.py); while a slider moves, the rest is scaled here as core.models.self_attention.attention_edits.with_weight does it.

   data: { names, own, weights, last: { key, row } or null, place: { layer, head, query }, label }
   own: the model's row; weights: as edited; last: the key edited last, and the row as it was before.
   The only value returned is `edit`, { layer, head, query, key, weight }, when a slider is let go. */

import { element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { written } from "../shared/numbers.js";
import { withWeight } from "./compute.js";

/* Editing the key that was edited last takes that edit's place; any other is made in the row as it now is. */
function before(data, key) {
  return data.last && data.last.key === key ? data.last.row : data.weights;
}

function show(state, row, moving = -1) {
  state.sliders.forEach((slider, s) => {
    if (s !== moving) slider.value = row[s];
    slider.style.setProperty("--weight", row[s]);
    slider.setAttribute("aria-valuetext", written(row[s]));
    state.values[s].textContent = written(row[s]);
  });
}

function letGo(state, key) {
  const weight = Number(Number(state.sliders[key].value).toFixed(3));
  state.report("edit", { ...state.data.place, key, weight });
}

function slidersOf(state) {
  state.body.replaceChildren();
  state.sliders = [];
  state.values = [];
  state.data.names.forEach((name, s) => {
    const line = element("label", "line");
    const track = element("span", "track");
    const own = element("span", "own");
    own.style.insetInlineStart = `${100 * state.data.own[s]}%`;
    const slider = element("input");
    Object.assign(slider, { type: "range", min: 0, max: 1, step: 0.001 });
    slider.setAttribute("aria-label", translated("Weight of {name}, token {n}", { name, n: s + 1 }));
    slider.oninput = () => show(state, withWeight(before(state.data, s), s, Number(slider.value)), s);
    slider.onchange = () => letGo(state, s);
    track.append(own, slider);
    const value = element("span", "value");
    line.append(element("span", "name", name), track, value);
    state.body.append(line);
    state.sliders.push(slider);
    state.values.push(value);
  });
}

function build(root) {
  const state = { title: element("p", "title"), body: element("div", "body"), shape: "" };
  root.append(state.title, state.body, element("p", "note", translated("The upright mark is the model's own weight.")));
  return state;
}

export default function draw(component) {
  const state = mount(component, "weight-row", build);
  const { data } = component;
  const shape = JSON.stringify([data.names, data.own]);
  state.title.textContent = data.label;
  if (state.shape !== shape) slidersOf(state);
  state.shape = shape;
  show(state, data.weights);
  return unmount(component.parentElement);
}
