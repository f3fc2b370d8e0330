/* Attention as a linked heatmap and lines. Python sends every weight once (core/figures/alignment.py); this draws.

   data: { outputs, inputs, from, to, file, gold: [[t, s]], marked: [[t, s]], pinned: [t, s] or null,
           heads: [{ name, colour, weights }] }     weights: base64 of float32, outputs x inputs; NaN is masked
   `follows` is the name of the step in the address that says which row is looked at, at the input `chosen`, or else at
   the heaviest. Rows are outputs, columns are inputs. It reports `cell`, { output, input } when one is pinned, null when it
   is let go. */

import { hear, recalled, remember } from "../shared/address.js";
import { button, contextOf, element } from "../shared/element.js";
import { csv, save, saveButtons } from "../shared/files.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { decoded, written } from "../shared/numbers.js";
import { canvasSurface, rounded, svgSurface, themeOf } from "../shared/surfaces.js";
import { meanWeights } from "./compute.js";
import { TYPE, clipped, drawHeatmap, heatCell, heatImage, heatLayout } from "./heatmap.js";
import { drawLines, linesLayout, lineToken, weightAt } from "./lines.js";

const MOST_LINES = 40; // tokens a side; beyond that only the heatmap is drawn

function readout(state) {
  const { t, s } = state.focus;
  const from = t === null ? "" : `${state.from} “${state.outputs[t]}”`;
  const to = s === null ? "" : `${state.to} “${state.inputs[s]}”`;
  if (t !== null && s !== null) {
    const weight = weightAt(state, t, s);
    const of = state.heads.length - state.off.size;
    const mean = of > 1 ? ` (${translated("mean of {n} heads", { n: of })})` : "";
    return `${from} → ${to}: ${Number.isNaN(weight) ? translated("masked") : written(weight, 4) + mean}`;
  }
  return from || to || translated("Point at a word or a cell.");
}

/* Draw a panel on its canvas at the screen's own resolution. */
function paint(state, panel, theme) {
  const width = Math.max(220, panel.box.clientWidth);
  const context = panel.canvas.getContext("2d");
  context.font = `${TYPE}px ${theme.family}`;
  panel.layout = panel.arrange(state, width, (word) => context.measureText(clipped(word)).width);
  const { height } = panel.layout;
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (panel.canvas.width !== w || panel.canvas.height !== h) {
    Object.assign(panel.canvas, { width: w, height: h });
    Object.assign(panel.canvas.style, { width: `${width}px`, height: `${height}px` });
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  panel.draw(canvasSurface(context), state, panel.layout, theme);
}

function drawnPanels(state) {
  const few = Math.max(state.outputs.length, state.inputs.length) <= MOST_LINES;
  state.linesBox.hidden = !few;
  state.tooMany.hidden = few;
  return few ? [state.heat, state.lines] : [state.heat];
}

function redraw(state) {
  if (state.waiting) return;
  state.waiting = requestAnimationFrame(() => {
    state.waiting = 0;
    const theme = themeOf(state.root);
    for (const panel of drawnPanels(state)) paint(state, panel, theme);
    const said = readout(state);
    if (state.status.textContent !== said) state.status.textContent = said;
  });
}

function point(state, t, s, pointing = true) {
  const before = state.focus;
  const shown = pointing && (t !== null || s !== null);
  if (before.t === t && before.s === s && state.pointing === shown) return;
  state.focus = { t, s };
  state.pointing = shown;
  redraw(state);
}

/* Nothing is pointed at: show the pinned cell, and all else faintly. */
function rest(state) {
  const [t, s] = state.pinned || [null, null];
  point(state, t, s, false);
}

/* Where the page does not say which cell is pinned, the view keeps it in the address. */
function keepPin(state) {
  if (state.data.pinned) return;
  remember(`${state.address}_pin`, state.pinned && state.pinned.map((place) => place + 1).join("."));
}

function pin(state) {
  const { t, s } = state.focus;
  if (t === null || s === null) return;
  const same = state.pinned && state.pinned[0] === t && state.pinned[1] === s;
  state.pinned = same ? null : [t, s];
  keepPin(state);
  state.report("cell", same ? null : { output: t, input: s });
  if (!state.follows || same) return redraw(state);
  state.chosen = s;
  remember(state.follows, t + 1);
  redraw(state);
}

function unpin(state) {
  if (state.pinned) state.report("cell", null);
  state.pinned = null;
  keepPin(state);
  rest(state);
}

/* Look at the row of a step, from 0: at the input that was chosen, or else at the heaviest. */
function lookAt(state, t) {
  if (t >= state.outputs.length) return;
  const row = state.outputs.length ? state.inputs.map((_, s) => weightAt(state, t, s)) : [];
  state.pinned = [t, state.chosen ?? row.indexOf(Math.max(...row))];
  rest(state);
  redraw(state);
}

function follow(state, { follows, chosen, outputs, predicting }) {
  state.deaf?.();
  Object.assign(state, { follows, chosen });
  const kept = Number(recalled(follows)) || (predicting ? outputs.length : 1);
  lookAt(state, Math.min(kept, outputs.length) - 1);
  state.deaf = hear(follows, (value) => lookAt(state, (value ?? 1) - 1));
}

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function pressed(state, event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return; // those are the page's own shortcuts
  if (event.key === "Enter" || event.key === " ") pin(state);
  else if (event.key === "Escape") unpin(state);
  else if (STEPS[event.key]) {
    const [dt, ds] = STEPS[event.key];
    const { t, s } = state.focus;
    const within = (i, n) => Math.max(0, Math.min(n - 1, i));
    const start = t === null && s === null;
    point(state, start ? 0 : within((t ?? 0) + dt, state.outputs.length),
      start ? 0 : within((s ?? 0) + ds, state.inputs.length));
  } else return;
  event.preventDefault();
}

function makePanel(state, box, name, arrange, draw, find) {
  const canvas = element("canvas", name);
  box.append(canvas);
  const panel = { box, canvas, arrange, draw };
  const at = (event) => {
    const bounds = canvas.getBoundingClientRect();
    return find(state, panel.layout, event.clientX - bounds.left, event.clientY - bounds.top);
  };
  canvas.onpointermove = (event) => { const { t, s } = at(event); point(state, t, s); };
  canvas.onpointerdown = canvas.onpointermove;
  canvas.onpointerleave = (event) => { if (event.pointerType === "mouse") rest(state); };
  return panel;
}

/* Draw the panels one below the other; `begin(width, height)` returns the surface for each and where it stands. */
function compose(state, theme, surfaceAt) {
  let y = 0;
  for (const panel of drawnPanels(state)) {
    panel.draw(surfaceAt(y), state, panel.layout, theme);
    y += panel.layout.height + 16;
  }
}

function wholeSize(state) {
  const layouts = drawnPanels(state).map((panel) => panel.layout);
  return {
    width: Math.max(...layouts.map((layout) => layout.width)),
    height: layouts.reduce((sum, layout) => sum + layout.height + 16, 0),
  };
}

function savePng(state) {
  const theme = themeOf(state.root);
  const { width, height } = wholeSize(state);
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: 2 * width, height: 2 * height });
  const context = contextOf(canvas);
  context.fillStyle = theme.background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  compose(state, theme, (y) => { context.setTransform(2, 0, 0, 2, 0, 2 * y); return canvasSurface(context); });
  canvas.toBlob((blob) => blob && save(blob, `${state.file}.png`));
}

function saveSvg(state) {
  const theme = themeOf(state.root);
  const { width, height } = wholeSize(state);
  const parts = [`<svg xmlns="http://www.w3.org/2000/svg" width="${rounded(width)}" height="${rounded(height)}">`];
  parts.push(`<rect width="100%" height="100%" fill="${theme.background}"/>`);
  compose(state, theme, (y) => {
    parts.push(`${y ? "</g>" : ""}<g transform="translate(0 ${rounded(y)})">`);
    return svgSurface(parts);
  });
  parts.push("</g></svg>");
  save(new Blob([parts.join("\n")], { type: "image/svg+xml" }), `${state.file}.svg`);
}

function saveCsv(state) {
  const gold = new Set(state.gold.map(([t, s]) => `${t},${s}`));
  const rows = [["head", "output_position", "output", "input_position", "input", "weight", "gold"]];
  for (const head of state.heads) {
    head.weights.forEach((weight, i) => {
      const [t, s] = [Math.floor(i / state.inputs.length), i % state.inputs.length];
      const value = Number.isNaN(weight) ? "" : weight;
      const right = state.gold.length ? Number(gold.has(`${t},${s}`)) : "";
      rows.push([head.name, t, state.outputs[t], s, state.inputs[s], value, right]);
    });
  }
  save(csv(rows), `${state.file}.csv`);
}

function checkbox(name, tick) {
  const box = element("input");
  box.type = "checkbox";
  box.onchange = tick;
  return [element("label", "choice", box, element("span", "", name)), box];
}

function build(root) {
  const state = { off: new Set(), focus: { t: null, s: null }, pinned: null, pointing: false, showGold: false,
    byRow: false, waiting: 0, root };
  state.headButtons = element("div", "heads");
  [state.goldLabel, state.goldBox] = checkbox(translated("gold alignment"), () => {
    state.showGold = state.goldBox.checked;
    remember(`${state.address}_gold`, state.showGold ? "true" : null);
    redraw(state);
  });
  const shading = checkbox(translated("shade each row by its largest weight"), () => {
    state.byRow = state.rowBox.checked;
    remember(`${state.address}_rows`, String(state.byRow));
    refresh(state);
  });
  state.rowBox = shading[1];
  const exports = saveButtons({ PNG: () => savePng(state), SVG: () => saveSvg(state), CSV: () => saveCsv(state) });
  state.status = element("p", "status");
  state.status.setAttribute("role", "status");
  state.linesBox = element("div", "panel");
  const heatBox = element("div", "panel wide");
  const below = element("div", "bar", state.goldLabel, shading[0], exports);
  const panels = element("div", "panels", heatBox, state.linesBox);
  state.tooMany = element("p", "status", translated("Lines are drawn for at most {n} tokens a side.", { n: MOST_LINES }));
  state.heat = makePanel(state, heatBox, "heatmap", heatLayout, drawHeatmap, heatCell);
  state.lines = makePanel(state, state.linesBox, "lines", linesLayout, drawLines, lineToken);
  state.heat.canvas.tabIndex = 0;
  state.heat.canvas.setAttribute("role", "application");
  state.lines.canvas.setAttribute("role", "img");
  state.heat.canvas.onkeydown = (event) => pressed(state, event);
  state.heat.canvas.onblur = () => rest(state);
  state.heat.canvas.onclick = () => pin(state);
  heatBox.append(state.status, below); // below the picture, which so stands as high as it can
  root.append(state.headButtons, panels, state.tooMany);
  state.resized = new ResizeObserver(() => state.heads && redraw(state));
  state.resized.observe(panels);
  root.ontransitionend = (event) => { if (event.target === root) refresh(state); }; // the theme changed
  return state;
}

function headButton(state, head) {
  const tell = () => made.setAttribute("aria-pressed", String(!state.off.has(head.name)));
  const made = button("head", head.name, () => {
    const alone = state.heads.length - state.off.size === 1;
    if (state.off.has(head.name)) state.off.delete(head.name);
    else if (!alone) state.off.add(head.name);
    tell();
    keepHeads(state);
    refresh(state);
  });
  made.style.setProperty("--head", head.colour);
  tell();
  return made;
}

function refresh(state) {
  state.mean = meanWeights(state);
  state.image = heatImage(state);
  redraw(state);
}

function keepHeads(state) {
  const off = state.heads.flatMap((head, i) => (state.off.has(head.name) ? [i + 1] : []));
  remember(`${state.address}_off`, off.length ? off.join(".") : null);
}

/** Set the switches, the heads and the pinned cell as the address says. */
function recall(state, address) {
  state.address = address;
  const rows = recalled(`${address}_rows`);
  if (rows !== null) state.byRow = state.rowBox.checked = rows === "true";
  state.showGold = state.goldBox.checked = recalled(`${address}_gold`) === "true";
  const off = (recalled(`${address}_off`) ?? "").split(".").map((i) => state.heads[Number(i) - 1]).filter(Boolean);
  if (off.length < state.heads.length) state.off = new Set(off.map((head) => head.name));
  const [t, s] = (recalled(`${address}_pin`) ?? "").split(".").map((i) => Number(i) - 1);
  if (!state.pinned && state.outputs[t] !== undefined && state.inputs[s] !== undefined) state.pinned = [t, s];
}

function update(state, data) {
  const changed = data.file !== state.file || data.outputs.length !== state.outputs?.length ||
    data.inputs.length !== state.inputs?.length;
  state.heads = data.heads.map((head) => ({ ...head, weights: decoded(head.weights) }));
  for (const key of ["outputs", "inputs", "from", "to", "file", "gold"]) state[key] = data[key];
  state.marked = data.marked || [];
  const moved = changed || (data.pinned && String(data.pinned) !== String(state.pinned));
  if (moved) state.pinned = data.pinned;
  if (changed) state.byRow = state.rowBox.checked = state.inputs.length > 64; // long rows have small weights
  if (state.address !== data.address) recall(state, data.address);
  else if (changed) for (const name of ["rows", "pin"]) remember(`${state.address}_${name}`, null);
  if (moved) Object.assign(state, { focus: { t: state.pinned?.[0] ?? null, s: state.pinned?.[1] ?? null }, pointing: false });
  const gone = [...state.off].filter((name) => !state.heads.some((head) => head.name === name));
  gone.forEach((name) => state.off.delete(name));
  if (gone.length) keepHeads(state);
  state.headButtons.replaceChildren();
  if (state.heads.length > 1) state.headButtons.append(...state.heads.map((head) => headButton(state, head)));
  state.goldLabel.hidden = !state.gold.length;
  if (!state.gold.length && state.showGold) {
    state.showGold = state.goldBox.checked = false;
    remember(`${state.address}_gold`, null);
  }
  const size = { rows: state.outputs.length, from: state.from, columns: state.inputs.length, to: state.to };
  state.heat.canvas.setAttribute("aria-label", translated("Heatmap of attention weights, {rows} rows (from: {from}) by {columns} columns (to: {to}). Arrow keys move from cell to cell, Enter pins one, Escape lets go.", size));
  state.lines.canvas.setAttribute("aria-label", translated("The same weights as lines between the two sequences."));
  refresh(state);
}

export default function draw(component) {
  const state = mount(component, "attention", build);
  update(state, component.data);
  if (component.data.follows) follow(state, component.data);
  return () => {
    state.deaf?.();
    cancelAnimationFrame(state.waiting);
    state.resized.disconnect();
    unmount(component.parentElement)();
  };
}
