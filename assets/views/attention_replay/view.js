/* One sentence's attention as a heat map, replayed over a training, beside the loss.

   data: { inputs: [S words], unit, shots: [{ step, share, loss (null before the first), outputs, weights }] }
         weights: base64 of float32, outputs x inputs
   Nothing is computed here but the places of the loss curve's points, and nothing is returned. */

import { drawn, element } from "../shared/element.js";
import { drawIcon } from "../shared/icons.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { counted, decoded, written } from "../shared/numbers.js";

const WIDE = 260, TALL = 150, EDGE = 22; // of the loss curve
const PACE = 220; // milliseconds a snapshot

const shown = (word) => (word === " " ? "␣" : word);

function build(root) {
  const state = { at: null, timer: undefined };
  state.play = element("button", "play");
  state.slider = element("input", "shot");
  Object.assign(state.slider, { type: "range", min: 0, step: 1 });
  state.slider.setAttribute("aria-label", translated("Snapshot of the training"));
  state.slider.oninput = () => {
    pause(state);
    show(state, Number(state.slider.value));
  };
  state.play.onclick = () => (state.timer ? pause(state) : play(state));
  state.label = element("div", "label");
  state.bar = element("div", "bar");
  state.bar.append(state.play, state.slider);
  state.output = element("div", "output");
  state.readout = element("div", "readout");
  state.readout.setAttribute("role", "status");
  state.heat = element("div", "heat");
  state.heat.tabIndex = 0;
  state.heat.setAttribute("role", "group");
  state.heat.setAttribute("aria-label", translated("Attention weights: a row for each output, a column for each input"));
  state.heat.onpointerover = (event) => {
    const cell = event.target.closest("td");
    if (cell?.dataset.s) read(state, Number(cell.dataset.t), Number(cell.dataset.s));
  };
  state.heat.onkeydown = (event) => onKey(state, event);
  state.loss = drawn("svg", "", { viewBox: `0 0 ${WIDE} ${TALL}`, role: "img" });
  const board = element("div", "board");
  board.append(state.heat, state.loss);
  root.append(state.bar, state.label, state.output, board, state.readout);
  return state;
}

/* ------------------------------------------------------------------------------------------------------ the replay */

function play(state) {
  const last = state.data.shots.length - 1;
  let at = state.at >= last ? 0 : state.at;
  show(state, at);
  state.timer = setInterval(() => {
    at += 1;
    show(state, at);
    if (at >= last) pause(state);
  }, PACE);
  names(state);
}

function pause(state) {
  clearInterval(state.timer);
  state.timer = undefined;
  names(state);
}

function names(state) {
  state.play.replaceChildren(...(state.timer ? [drawIcon("pause"), ` ${translated("Pause")}`] : [drawIcon("play"), ` ${translated("Play")}`]));
}

function onKey(state, event) {
  const [down, right] = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key] ?? [];
  if (down === undefined) return;
  event.preventDefault();
  const { outputs } = state.data.shots[state.at];
  const [t, s] = state.cell ?? [-down, -right];
  const within = (place, most) => Math.max(0, Math.min(most - 1, place));
  read(state, within(t + down, outputs.length), within(s + right, state.data.inputs.length));
}

/* ------------------------------------------------------------------------------------------------- what is drawn */

function show(state, at) {
  const { shots, inputs } = state.data;
  const shot = shots[Math.min(at, shots.length - 1)]; // a shorter training may have come while it played
  Object.assign(state, { at, weights: decoded(shot.weights) });
  state.slider.value = at;
  state.bar.hidden = shots.length < 2;
  const loss = shot.loss === null ? translated("no loss yet") : translated("loss {loss}", { loss: written(shot.loss) });
  state.label.textContent = shot.step
    ? translated("after {steps} steps, {share}% of the training: {loss}", { steps: counted(shot.step), share: Math.round(100 * shot.share), loss })
    : translated("before the first step: nothing is learned yet");
  state.slider.setAttribute("aria-valuetext", state.label.textContent);
  const apart = state.data.unit === "word" ? " " : "";
  state.output.textContent = `→ ${shot.outputs.filter((word) => word !== "<end>").join(apart)}`;
  const head = element("tr");
  head.append(element("td", "corner"), ...inputs.map((word) => headed("col", shown(word))));
  const rows = shot.outputs.map((word, t) => {
    const row = element("tr");
    row.append(headed("row", shown(word)), ...inputs.map((_, s) => cellOf(state, t, s)));
    return row;
  });
  const table = element("table", state.data.unit);
  table.append(head, ...rows);
  state.heat.replaceChildren(table);
  state.cell = null;
  state.readout.textContent = translated("Point at a cell, or move over the cells with the arrow keys.");
  curve(state);
}

function headed(scope, word) {
  const made = element("th", scope);
  made.scope = scope;
  made.append(element("span", "", word));
  made.title = word;
  return made;
}

function cellOf(state, t, s) {
  const cell = element("td", "cell");
  cell.dataset.t = t;
  cell.dataset.s = s;
  cell.style.setProperty("--weight", state.weights[t * state.data.inputs.length + s].toFixed(4));
  return cell;
}

function read(state, t, s) {
  const { inputs, shots, unit } = state.data;
  state.cell = [t, s];
  for (const cell of state.heat.querySelectorAll(".at")) cell.classList.remove("at");
  state.heat.querySelector(`[data-t="${t}"][data-s="${s}"]`)?.classList.add("at");
  const weight = state.weights[t * inputs.length + s].toFixed(4);
  state.readout.textContent = translated(unit === "word" ? "output word {t} “{output}” → input word {s} “{input}”: {weight}" : "output character {t} “{output}” → input character {s} “{input}”: {weight}", { t: t + 1, output: shots[state.at].outputs[t], s: s + 1, input: inputs[s], weight });
}

function curve(state) {
  const { shots } = state.data;
  const known = shots.filter((shot) => shot.loss !== null);
  state.loss.style.display = known.length ? "" : "none";
  if (!known.length) return;
  const most = Math.max(...known.map((shot) => shot.loss)), furthest = Math.max(...shots.map((shot) => shot.step));
  const x = (shot) => EDGE + ((WIDE - EDGE - 8) * shot.step) / furthest;
  const y = (shot) => 18 + (TALL - 18 - EDGE) * (1 - shot.loss / most);
  const line = known.map((shot) => `${x(shot).toFixed(1)},${y(shot).toFixed(1)}`).join(" ");
  const now = shots[state.at];
  const floor = TALL - EDGE;
  state.loss.setAttribute("aria-label", translated("The loss falls from {first} to {last}", { first: written(known[0].loss), last: written(known.at(-1).loss) }));
  state.loss.replaceChildren(
    drawn("line", "axis", { x1: EDGE, x2: WIDE, y1: floor, y2: floor }),
    drawn("text", "", { x: EDGE, y: 14 }, translated("loss, at most {loss}", { loss: written(most, 2) })),
    drawn("text", "", { x: WIDE, y: TALL - 6, "text-anchor": "end" }, translated("{n} steps", { n: counted(furthest) })),
    drawn("text", "", { x: EDGE - 12, y: floor + 4 }, "0"),
    drawn("polyline", "", { points: line }),
    ...(now.loss === null ? [] : [drawn("circle", "", { cx: x(now), cy: y(now), r: 6 })]),
  );
}

export default function draw(component) {
  const state = mount(component, "replay", build);
  const last = component.data.shots.length - 1;
  const atEnd = state.at === null || state.at === state.last;
  state.last = last;
  state.slider.max = last;
  if (!state.timer) show(state, atEnd ? last : Math.min(state.at, last));
  names(state);
  return unmount(component.parentElement);
}
