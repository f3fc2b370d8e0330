/* All heads of a model at once: a row a layer, a column a head. Python sends every weight (core/figures/self_attention/heads.py).

   data: { layers, heads, side, cell, chosen: [layer, head], weights }
   weights: base64 of float32, layers x heads x side x side; NaN is masked and stays blank. A text longer than the
   grid can show comes averaged, `cell` tokens a cell. The only value returned is `head`, { layer, head }. */

const states = new WeakMap();

function decoded(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

function element(tag, className, parent, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  parent.appendChild(made);
  return made;
}

function rgb(colour) {
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = colour;
  return [1, 3, 5].map((i) => parseInt(probe.fillStyle.slice(i, i + 2), 16));
}

/* One pixel a cell, as dark as the square root of its weight, so that small weights are seen; masked is clear. */
function paint(canvas, weights, side, colour) {
  Object.assign(canvas, { width: side, height: side });
  const context = canvas.getContext("2d");
  const image = context.createImageData(side, side);
  weights.forEach((weight, i) => {
    if (!Number.isNaN(weight)) image.data.set([...colour, Math.round(255 * Math.sqrt(weight))], 4 * i);
  });
  context.putImageData(image, 0, 0);
}

function repaint(state) {
  const { layers, heads, side } = state.data;
  const primary = getComputedStyle(state.root).getPropertyValue("--st-primary-color").trim() || "#0072b2";
  const [colour, size] = [rgb(primary), side * side];
  for (let i = 0; i < layers * heads; i += 1) {
    paint(state.buttons[i].firstChild, state.weights.subarray(i * size, (i + 1) * size), side, colour);
  }
}

function mark(state) {
  const [layer, head] = state.chosen;
  state.buttons.forEach((button, i) => {
    const open = i === layer * state.data.heads + head;
    button.setAttribute("aria-pressed", String(open));
    button.tabIndex = open ? 0 : -1;
  });
}

function choose(state, i) {
  const { heads } = state.data;
  state.chosen = [Math.floor(i / heads), i % heads];
  mark(state);
  state.setStateValue("head", { layer: state.chosen[0], head: state.chosen[1] });
}

/* Arrow keys move the focus; Enter or Space, as in any button, opens the head. */
function moved(state, i, key) {
  const { layers, heads } = state.data;
  const [layer, head] = [Math.floor(i / heads), i % heads];
  const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key];
  const within = (place, n) => Math.max(0, Math.min(n - 1, place));
  state.buttons[within(layer + down, layers) * heads + within(head + right, heads)].focus();
}

function build(state) {
  const { layers, heads } = state.data;
  state.grid.replaceChildren();
  state.grid.style.setProperty("--heads", heads);
  state.buttons = [];
  element("span", "corner", state.grid);
  for (let head = 0; head < heads; head += 1) element("span", "name", state.grid, `head ${head + 1}`);
  for (let layer = 0; layer < layers; layer += 1) {
    element("span", "name layer", state.grid, `layer ${layer + 1}`);
    for (let head = 0; head < heads; head += 1) {
      const i = layer * heads + head;
      const button = element("button", "head", state.grid);
      button.type = "button";
      button.setAttribute("aria-label", `Layer ${layer + 1}, head ${head + 1}`);
      button.onclick = () => choose(state, i);
      button.onkeydown = (event) => {
        if (!event.key.startsWith("Arrow")) return;
        moved(state, i, event.key);
        event.preventDefault();
      };
      element("canvas", "", button);
      state.buttons.push(button);
    }
  }
}

export default function ({ data, parentElement, setStateValue }) {
  let state = states.get(parentElement);
  if (!state) {
    state = { root: element("div", "head-grid", parentElement) };
    state.grid = element("div", "grid", state.root);
    state.note = element("p", "note", state.root);
    state.root.ontransitionend = (event) => { if (event.target === state.root) repaint(state); }; // a new theme
    states.set(parentElement, state);
  }
  const shape = `${data.layers} ${data.heads}`;
  Object.assign(state, { data, setStateValue, chosen: data.chosen });
  if (state.sent !== data.weights) state.weights = decoded(data.weights);
  if (state.shape !== shape) build(state);
  if (state.sent !== data.weights || state.shape !== shape) repaint(state);
  Object.assign(state, { sent: data.weights, shape });
  state.note.textContent = data.cell === 1
    ? "Rows: query (from). Columns: key (to). The darker, the heavier; shades go with the square root."
    : `Each cell is the mean of ${data.cell} × ${data.cell} weights; shades go with the square root.`;
  mark(state);
  return () => {
    state.root.remove();
    states.delete(parentElement);
  };
}
