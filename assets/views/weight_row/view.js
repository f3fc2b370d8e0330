/* One query's attention weights, each on a slider: move one and the others make room. Python sends the row
   (core/figures/self_attention/heads.py); while a slider moves, the rest is scaled here as core.models.self_attention.gpt.with_weight does it.

   data: { names, own, weights, last: { key, row } or null, place: { layer, head, query }, label }
   own: the model's row; weights: as edited; last: the key edited last, and the row as it was before.
   The only value returned is `edit`, { layer, head, query, key, weight, count }, when a slider is let go. */

const states = new WeakMap();

function element(tag, className, parent, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  parent.appendChild(made);
  return made;
}

/* The row with one weight set and the others scaled so that all add up to one. */
function withWeight(row, key, weight) {
  const rest = row.reduce((sum, each, s) => (s === key ? sum : sum + each), 0);
  if (!(rest > 0)) return row.map((_, s) => Number(s === key));
  return row.map((each, s) => (s === key ? weight : (each * (1 - weight)) / rest));
}

/* Editing the key that was edited last takes that edit's place; any other is made in the row as it now is. */
function before(data, key) {
  return data.last && data.last.key === key ? data.last.row : data.weights;
}

function show(state, row, moving = -1) {
  state.sliders.forEach((slider, s) => {
    if (s !== moving) slider.value = row[s];
    slider.style.setProperty("--weight", row[s]);
    slider.setAttribute("aria-valuetext", row[s].toFixed(3));
    state.values[s].textContent = row[s].toFixed(3);
  });
}

function letGo(state, key) {
  state.count += 1;
  const weight = Number(Number(state.sliders[key].value).toFixed(3));
  state.setStateValue("edit", { ...state.data.place, key, weight, count: state.count });
}

function build(state) {
  state.body.replaceChildren();
  state.sliders = [];
  state.values = [];
  state.data.names.forEach((name, s) => {
    const line = element("label", "line", state.body);
    element("span", "name", line, name);
    const track = element("span", "track", line);
    const own = element("span", "own", track);
    own.style.insetInlineStart = `${100 * state.data.own[s]}%`;
    const slider = element("input", "", track);
    Object.assign(slider, { type: "range", min: 0, max: 1, step: 0.001 });
    slider.setAttribute("aria-label", `Weight of ${name}, token ${s + 1}`);
    slider.oninput = () => show(state, withWeight(before(state.data, s), s, Number(slider.value)), s);
    slider.onchange = () => letGo(state, s);
    state.sliders.push(slider);
    state.values.push(element("span", "value", line));
  });
}

export default function ({ data, parentElement, setStateValue }) {
  let state = states.get(parentElement);
  if (!state) {
    state = { count: Date.now(), root: element("div", "weight-row", parentElement) };
    state.title = element("p", "title", state.root);
    state.body = element("div", "body", state.root);
    element("p", "note", state.root, "The upright mark is the model's own weight.");
    states.set(parentElement, state);
  }
  const shape = JSON.stringify([data.names, data.own]);
  Object.assign(state, { data, setStateValue });
  state.title.textContent = data.label;
  if (state.shape !== shape) build(state);
  state.shape = shape;
  show(state, data.weights);
  return () => {
    state.root.remove();
    states.delete(parentElement);
  };
}
