/* A matrix of attention scores on its way through the softmax, edited cell by cell and stepped in the browser.

   data: { id, tokens: [T], scores: [T][T], edits: [[row, column, score]], d_k, hidden: [T][T], way, learned, file }
     hidden: true where the mask is minus infinity; way: null, or how the mask is spoiled: "zero" or "late"
     learned: the scores are a trained head's; otherwise they were typed
   Rows are queries, columns are keys. The steps are those of core/models/self_attention/attention.py; tests/browser/
   test_causal_mask_view.py compares the two. It reports `edits`, { id, cells: [[row, column,
   score]] }, when an edit is committed, and keeps the stage in the address. */

import { recalled, remember } from "../shared/address.js";
import { button, element } from "../shared/element.js";
import { saveButtons } from "../shared/files.js";
import { drawIcon } from "../shared/icons.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { attend, stagesOf } from "./compute.js";
import { choose, drawStages, light } from "./matrix.js";
import { saveCsv, savePng, saveSvg } from "./pictures.js";

const MOST = 1000; // the greatest score that can be typed
const SECONDS = 1.4; // a step when playing

function keptStage(data, last) {
  const kept = Number(recalled(`${data.address}_step`)) - 1;
  return kept >= 0 && kept <= last ? kept : last;
}

function parsed(text) {
  const plain = text.trim().replace("−", "-").replace(",", ".");
  return plain === "" ? NaN : Number(plain);
}

function say(state, sentence) {
  if (state.status.textContent !== sentence) state.status.textContent = sentence;
}

function edit(state, typed) {
  if (state.input) return;
  if (state.stage === 0 || state.layout.across >= 3) state.active = 0;
  else go(state, 0, true);
  const { t, s } = state.chosen;
  const cell = state.stages.querySelector(`.cell[data-stage="0"][data-t="${t}"][data-s="${s}"]`);
  const input = element("input", "typed");
  input.value = typed ?? String(Number(state.found.scores[t][s].toPrecision(6)));
  input.setAttribute("aria-label", translated("Score of row {row}, column {column}", { row: t + 1, column: s + 1 }));
  state.input = input;
  cell.replaceChildren(input);
  input.focus();
  if (typed === undefined) input.select();
  input.onkeydown = (event) => {
    event.stopPropagation();
    const move = { Enter: [0, 0], Tab: [0, event.shiftKey ? -1 : 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (event.key === "Escape") finish(state, false);
    else if (move) finish(state, true, move);
    else return;
    event.preventDefault();
  };
  input.onblur = () => finish(state, true, [0, 0], false);
}

/* End an edit: keep what was typed, if it is a number, and go on to the next cell. */
function finish(state, keep, [dt, ds] = [0, 0], focus = true) {
  const { input } = state;
  if (!input) return;
  state.input = null; // first: taking the field away blurs it
  const { t, s } = state.chosen;
  if (keep) take(state, t, s, input.value);
  state.chosen = { t: Math.max(0, Math.min(state.data.tokens.length - 1, t + dt)), s: Math.max(0, Math.min(state.data.tokens.length - 1, s + ds)) };
  refresh(state);
  if (focus) light(state, true);
}

function take(state, t, s, text) {
  const value = parsed(text);
  const [key, base] = [`${t},${s}`, state.data.scores[t][s]];
  if (text.trim() === "") state.edits.delete(key);
  else if (!Number.isFinite(value)) return say(state, translated("“{text}” is not a number: the score stays as it was.", { text: text.slice(0, 20) }));
  else if (Math.abs(value) > MOST) return say(state, translated("A score lies between −{most} and {most}: it stays as it was.", { most: MOST }));
  else if (Math.abs(value - base) <= 5e-7 * Math.abs(base)) state.edits.delete(key);
  else state.edits.set(key, value);
  say(state, "");
  send(state);
}

function cells(state) {
  return [...state.edits].map(([key, value]) => [...key.split(",").map(Number), value]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

function send(state) {
  state.sent = JSON.stringify(cells(state));
  state.report("edits", { id: state.data.id, cells: cells(state) });
}

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -99], End: [0, 99] };

function onKey(state, event) {
  if (state.input || event.ctrlKey || event.metaKey || event.altKey) return;
  const { t, s } = state.chosen;
  if (MOVES[event.key]) choose(state, t + MOVES[event.key][0], s + MOVES[event.key][1], undefined, true);
  else if (event.key === "Enter") edit(state);
  else if (/^[-−.,0-9]$/.test(event.key)) edit(state, event.key);
  else if (event.key === "Delete" || event.key === "Backspace") { take(state, t, s, ""); refresh(state); }
  else return;
  event.preventDefault();
}

/* ------------------------------------------------------------------------------------------------------- stepping */

function go(state, stage, focus = false) {
  state.stage = Math.max(0, Math.min(state.order.length - 1, stage));
  state.active = state.stage;
  remember(`${state.data.address}_step`, state.stage === state.order.length - 1 ? null : state.stage + 1);
  drawStages(state);
  controls(state);
  if (focus) light(state, true);
}

function pause(state) {
  clearInterval(state.playing);
  state.playing = null;
  controls(state);
}

function play(state) {
  if (state.playing) return pause(state);
  if (state.stage === state.order.length - 1) go(state, 0);
  state.playing = setInterval(() => {
    if (state.stage < state.order.length - 1) go(state, state.stage + 1);
    if (state.stage === state.order.length - 1) pause(state);
  }, 1000 * SECONDS);
  controls(state);
}

function controls(state) {
  const last = state.order.length - 1;
  state.buttons.first.disabled = state.buttons.back.disabled = state.stage === 0;
  state.buttons.last.disabled = state.buttons.next.disabled = state.stage === last;
  const [icon, words] = state.playing ? [drawIcon("pause"), ` ${translated("Pause")}`] : [drawIcon("play"), ` ${translated("Play")}`];
  state.buttons.play.replaceChildren(icon, words);
  state.buttons.undo.disabled = state.edits.size === 0;
  state.place.textContent = translated("{n} of {total}: {title}", { n: state.stage + 1, total: last + 1, title: state.order[state.stage].title });
}

function build(root) {
  const state = { edits: new Map(), chosen: null, stage: -1, active: 0, playing: null, input: null, sent: "", server: "", root };
  const stepping = {
    first: button("first", translated("First"), () => go(state, 0)),
    back: button("back", translated("Back"), () => go(state, state.stage - 1)),
    play: button("play", "", () => play(state)),
    next: button("next", translated("Next"), () => go(state, state.stage + 1)),
    last: button("last", translated("Last"), () => go(state, state.order.length - 1)),
  };
  const undo = button("undo", translated("Undo edits"), () => { state.edits.clear(); send(state); refresh(state); });
  state.buttons = { ...stepping, undo };
  state.place = element("span", "place");
  state.place.setAttribute("aria-live", "polite");
  const exports = saveButtons({ PNG: () => savePng(state), SVG: () => saveSvg(state), CSV: () => saveCsv(state) });
  state.stages = element("div", "stages");
  state.now = element("div", "now"); // the current stage's formula, above the matrix; below it the steps before
  state.now.setAttribute("aria-live", "polite");
  state.formula = element("div", "formula");
  state.status = element("p", "status");
  state.status.setAttribute("role", "status");
  const bar = element("div", "bar", ...Object.values(stepping), state.place, undo, exports);
  root.append(bar, state.now, state.stages, state.status, state.formula);
  listen(state);
  state.resized = new ResizeObserver(() => {
    if (state.data && state.width !== state.stages.clientWidth && !state.input) drawStages(state);
    state.width = state.stages.clientWidth;
  });
  state.resized.observe(state.stages);
  return state;
}

function listen(state) {
  const at = (event) => {
    const cell = event.target.closest?.(".cell[data-t]");
    return cell && [Number(cell.dataset.t), Number(cell.dataset.s), Number(cell.dataset.stage)];
  };
  state.stages.onpointermove = (event) => {
    const [found, here] = [at(event), `${event.clientX},${event.clientY}`];
    if (here === state.pointer) return; // a cell redrawn under a mouse at rest is not pointed at
    state.pointer = here;
    const same = found && found[0] === state.chosen.t && found[1] === state.chosen.s && found[2] === state.active;
    if (found && !same && !state.input && event.pointerType === "mouse") choose(state, ...found);
  };
  state.stages.onclick = (event) => {
    const found = at(event);
    state.pointer = `${event.clientX},${event.clientY}`;
    if (!found || state.input) return;
    choose(state, ...found, true);
    if (found[2] === 0) edit(state);
  };
  state.stages.onkeydown = (event) => onKey(state, event);
}

function refresh(state) {
  const scores = state.data.scores.map((row, t) => row.map((score, s) => state.edits.get(`${t},${s}`) ?? score));
  state.found = attend(scores, state.data);
  drawStages(state);
  controls(state);
}

function update(state, data) {
  const server = JSON.stringify(data.edits);
  const known = state.id === data.id;
  state.id = data.id;
  state.order = stagesOf(data);
  if (state.stage < 0) state.stage = keptStage(data, state.order.length - 1);
  if (!known) state.chosen = { t: data.tokens.length - 1, s: 0 };
  // What comes back from the server is what was sent; meanwhile the learner may have typed on.
  if (!known || (server !== state.server && server !== state.sent)) {
    state.edits = new Map(data.edits.map(([t, s, value]) => [`${t},${s}`, value]));
    state.input = null;
  }
  state.server = server;
  if (!state.input) refresh(state);
}

export default function draw(component) {
  const state = mount(component, "causal-mask", build);
  update(state, component.data);
  return () => {
    clearInterval(state.playing);
    state.resized.disconnect();
    unmount(component.parentElement)();
  };
}
