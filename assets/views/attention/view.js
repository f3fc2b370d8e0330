/* Attention as a linked heatmap and lines. Python sends every weight once (core/figures/alignment.py); this draws.

   data: { outputs, inputs, from, to, file, gold: [[t, s]], marked: [[t, s]], pinned: [t, s] or null,
           heads: [{ name, colour, weights }] }     weights: base64 of float32, outputs x inputs; NaN is masked
   Rows are outputs, columns are inputs. The only value returned is `cell`, { output, input }, when one is pinned. */

const MARK = "#D55E00"; // the palette's vermillion
const UNLIT = 0.5; // how strongly lines show beside those of a pinned cell; while one points, only its own show
const ROOM_FOR_LABEL = 160; // pixels that the turned label of the rows needs
const MOST_LINES = 40; // tokens a side; beyond that only the heatmap is drawn
const states = new WeakMap();

/* ------------------------------------------------------------------------------------------------ what is shown */

function decoded(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

/* The mean of the heads that are switched on; NaN where all are masked. */
function meanWeights(state) {
  const on = state.heads.filter((head) => !state.off.has(head.name));
  if (on.length === 1) return on[0].weights;
  const mean = new Float32Array(state.outputs.length * state.inputs.length);
  for (const head of on) head.weights.forEach((weight, i) => { mean[i] += weight / on.length; });
  return mean;
}

/* How dark each cell is, 0 to 1: its weight, or its share of the largest weight in its row. */
function shades(state) {
  const S = state.inputs.length;
  const largest = state.outputs.map((_, t) => {
    if (!state.byRow) return 1;
    return state.mean.subarray(t * S, (t + 1) * S).reduce((most, weight) => (weight > most ? weight : most), 0) || 1;
  });
  return state.mean.map((weight, i) => weight / largest[Math.floor(i / S)]);
}

function weightAt(state, t, s) {
  return state.mean[t * state.inputs.length + s];
}

function readout(state) {
  const { t, s } = state.focus;
  const from = t === null ? "" : `${state.from} “${state.outputs[t]}”`;
  const to = s === null ? "" : `${state.to} “${state.inputs[s]}”`;
  if (t !== null && s !== null) {
    const weight = weightAt(state, t, s);
    return `${from} → ${to}: ${Number.isNaN(weight) ? "masked" : weight.toFixed(4)}`;
  }
  return from || to || "Point at a word or a cell.";
}

/* ---------------------------------------------------------------------------- one drawing, on canvas and as SVG */

function canvasSurface(context) {
  return {
    rect(x, y, w, h, fill, opacity = 1) {
      context.globalAlpha = opacity;
      context.fillStyle = fill;
      context.fillRect(x, y, w, h);
      context.globalAlpha = 1;
    },
    outline(x, y, w, h, colour, width) {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.strokeRect(x, y, w, h);
    },
    line(x1, y1, x2, y2, colour, width, opacity) {
      context.globalAlpha = opacity;
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.beginPath();
      context.moveTo(x1, y1);
      context.lineTo(x2, y2);
      context.stroke();
      context.globalAlpha = 1;
    },
    text(x, y, content, colour, size, { anchor = "start", turn = 0, bold = false, family }) {
      context.save();
      context.translate(x, y);
      context.rotate(turn);
      context.fillStyle = colour;
      context.font = `${bold ? "600 " : ""}${size}px ${family}`;
      context.textAlign = anchor === "middle" ? "center" : anchor;
      context.textBaseline = "middle";
      context.fillText(content, 0, 0);
      context.restore();
    },
    image(bitmap, x, y, w, h) {
      context.imageSmoothingEnabled = false;
      context.drawImage(bitmap, x, y, w, h);
    },
  };
}

const escaped = (text) => text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
const short = (number) => Number(number.toFixed(2));

function svgSurface(parts) {
  return {
    rect(x, y, w, h, fill, opacity = 1) {
      parts.push(`<rect x="${short(x)}" y="${short(y)}" width="${short(w)}" height="${short(h)}" fill="${fill}"` +
        `${opacity < 1 ? ` fill-opacity="${opacity.toFixed(4)}"` : ""}/>`);
    },
    outline(x, y, w, h, colour, width) {
      parts.push(`<rect x="${short(x)}" y="${short(y)}" width="${short(w)}" height="${short(h)}" fill="none" ` +
        `stroke="${colour}" stroke-width="${width}"/>`);
    },
    line(x1, y1, x2, y2, colour, width, opacity) {
      parts.push(`<line x1="${short(x1)}" y1="${short(y1)}" x2="${short(x2)}" y2="${short(y2)}" stroke="${colour}" ` +
        `stroke-width="${short(width)}" stroke-opacity="${opacity.toFixed(4)}"/>`);
    },
    text(x, y, content, colour, size, { anchor = "start", turn = 0, bold = false, family }) {
      parts.push(`<text transform="translate(${short(x)} ${short(y)}) rotate(${short((turn * 180) / Math.PI)})" ` +
        `fill="${colour}" font-size="${size}" font-family="${escaped(family)}" text-anchor="${anchor}" ` +
        `dominant-baseline="central"${bold ? ' font-weight="600"' : ""}>${escaped(content)}</text>`);
    },
    image(bitmap, x, y, w, h) {
      parts.push(`<image x="${short(x)}" y="${short(y)}" width="${short(w)}" height="${short(h)}" ` +
        `style="image-rendering:pixelated" preserveAspectRatio="none" href="${bitmap.toDataURL()}"/>`);
    },
  };
}

/* --------------------------------------------------------------------------------------------------- the theme */

function themeOf(element) {
  const style = getComputedStyle(element);
  const variable = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
  return {
    text: variable("--st-text-color", "#1b1f24"),
    background: variable("--st-background-color", "#ffffff"),
    tint: variable("--st-secondary-background-color", "#eef1f5"),
    primary: variable("--st-primary-color", "#0072b2"),
    family: style.fontFamily || "sans-serif",
  };
}

function rgb(colour) {
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = colour;
  const hex = probe.fillStyle;
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

/* The colour of the one head that is on; a mean of several has the theme's. */
function heatColour(state) {
  const on = state.heads.filter((head) => !state.off.has(head.name));
  return on.length === 1 ? on[0].colour : themeOf(state.root).primary;
}

/* --------------------------------------------------------------------------------------------------- heatmap */

/* Each cell is one pixel of this image, which is then drawn as large as the heatmap. Masked cells are grey. */
function heatImage(state) {
  const [T, S] = [state.outputs.length, state.inputs.length];
  const canvas = document.createElement("canvas");
  canvas.width = S;
  canvas.height = T;
  const context = canvas.getContext("2d");
  const image = context.createImageData(S, T);
  const colour = rgb(heatColour(state));
  shades(state).forEach((shade, i) => {
    image.data.set(Number.isNaN(shade) ? [127, 127, 127, 40] : [...colour, Math.round(255 * shade)], 4 * i);
  });
  context.putImageData(image, 0, 0);
  return canvas;
}

function longest(words, measure, most) {
  return Math.min(most, Math.max(...words.map((word) => measure(word))));
}

function heatLayout(state, width, measure) {
  const [T, S] = [state.outputs.length, state.inputs.length];
  const few = Math.max(T, S) <= 128;
  const left = (few ? longest(state.outputs, measure, 110) : 40) + 30;
  const top = (few ? longest(state.inputs, measure, 100) : 40) + 30;
  const cell = Math.min(34, (width - left - 6) / S, few ? 34 : 700 / T);
  return { left, top, cell, width, height: Math.max(ROOM_FOR_LABEL, top + cell * T + 6) };
}

function clipped(word, most = 16) {
  return word.length > most ? `${word.slice(0, most - 1)}…` : word;
}

function drawHeatmap(surface, state, layout, theme) {
  const [T, S] = [state.outputs.length, state.inputs.length];
  const { left, top, cell } = layout;
  const size = Math.min(13, Math.max(9, cell));
  const { t: row, s: column } = state.focus;
  surface.text(8, Math.max(ROOM_FOR_LABEL / 2, top + (cell * T) / 2), `from: ${state.from}`, theme.text, 12,
    { anchor: "middle", turn: -Math.PI / 2, bold: true, family: theme.family });
  surface.text(left + (cell * S) / 2, 9, `to: ${state.to}`, theme.text, 12,
    { anchor: "middle", bold: true, family: theme.family });
  if (row !== null) surface.rect(left - 4, top + row * cell, cell * S + 4, cell, theme.tint);
  if (column !== null) surface.rect(left + column * cell, top - 4, cell, cell * T + 4, theme.tint);
  surface.image(state.image, left, top, cell * S, cell * T);
  surface.outline(left, top, cell * S, cell * T, theme.text, 0.5);
  const shown = (i, focused) => cell >= 9 || i === focused;
  state.outputs.forEach((word, t) => {
    if (!shown(t, row)) return;
    surface.text(left - 6, top + (t + 0.5) * cell, clipped(word), theme.text, size,
      { anchor: "end", bold: t === row, family: theme.family });
  });
  state.inputs.forEach((word, s) => {
    if (!shown(s, column)) return;
    surface.text(left + (s + 0.5) * cell, top - 6, clipped(word), theme.text, size,
      { turn: -Math.PI / 2, bold: s === column, family: theme.family });
  });
  if (state.showGold) {
    for (const [t, s] of state.gold) {
      surface.outline(left + s * cell + 1.5, top + t * cell + 1.5, cell - 3, cell - 3, theme.text, 1.5);
    }
  }
  for (const [t, s] of state.marked) {
    surface.outline(left + s * cell + 1, top + t * cell + 1, cell - 2, cell - 2, MARK, 2.5);
  }
  for (const [t, s] of [[row, column], state.pinned || [null, null]]) {
    if (t !== null && s !== null) surface.outline(left + s * cell, top + t * cell, cell, cell, theme.primary, 2.5);
  }
}

function heatCell(state, layout, x, y) {
  const s = Math.floor((x - layout.left) / layout.cell);
  const t = Math.floor((y - layout.top) / layout.cell);
  const inside = (i, n) => (i >= 0 && i < n ? i : null);
  const [row, column] = [inside(t, state.outputs.length), inside(s, state.inputs.length)];
  if (y < layout.top) return { t: null, s: column }; // on an input's label
  if (x < layout.left) return { t: row, s: null }; // on an output's label
  return row === null || column === null ? { t: null, s: null } : { t: row, s: column };
}

/* ----------------------------------------------------------------------------------------------------- lines */

function linesLayout(state, width, measure) {
  const rows = Math.max(state.outputs.length, state.inputs.length);
  const step = rows > 24 ? 17 : 22;
  const left = longest(state.outputs, measure, width * 0.32) + 10;
  const right = width - longest(state.inputs, measure, width * 0.32) - 10;
  return { left, right, step, top: 30, width, height: 30 + step * rows + 6 };
}

function drawLines(surface, state, layout, theme) {
  const { left, right, step, top } = layout;
  const { t: row, s: column } = state.focus;
  const heads = state.heads.filter((head) => !state.off.has(head.name));
  const S = state.inputs.length;
  const middle = (i) => top + (i + 0.5) * step;
  const family = theme.family;
  surface.text(4, 9, `from: ${state.from}`, theme.text, 12, { bold: true, family });
  surface.text(layout.width - 4, 9, `to: ${state.to}`, theme.text, 12, { anchor: "end", bold: true, family });
  state.outputs.forEach((word, t) => {
    const own = column === null || row !== null ? Number(t === row) : weightAt(state, t, column);
    if (own > 0) surface.rect(4, top + t * step, left - 2, step, heatColour(state), 0.35 * own);
    surface.text(left - 4, middle(t), clipped(word), theme.text, 13, { anchor: "end", bold: t === row, family });
  });
  state.inputs.forEach((word, s) => {
    const own = row === null ? Number(s === column) : weightAt(state, row, s);
    if (own > 0) surface.rect(right - 2, top + s * step, layout.width - right - 2, step, heatColour(state), 0.35 * own);
    surface.text(right + 4, middle(s), clipped(word), theme.text, 13, { bold: s === column, family });
  });
  for (const head of heads) {
    for (let t = 0; t < state.outputs.length; t += 1) {
      for (let s = 0; s < S; s += 1) {
        const lit = row === null ? column === null || s === column : t === row;
        if (!lit && state.pointing) continue;
        const weight = head.weights[t * S + s];
        if (!(weight >= 0.01)) continue;
        const chosen = row !== null && s === column;
        const opacity = row === null && column === null ? weight / heads.length : weight;
        const shown = Math.min(1, opacity) * (lit ? 1 : UNLIT);
        surface.line(left, middle(t), right, middle(s), head.colour, chosen && lit ? 3.5 : 2, shown);
      }
    }
  }
  if (!state.showGold) return;
  for (const [t, s] of state.gold) {
    if ((row === null || t === row) && (column === null || row !== null || s === column)) {
      surface.line(left, middle(t), right, middle(s), theme.text, 0.7, 0.9);
    }
  }
}

function lineToken(state, layout, x, y) {
  const i = Math.floor((y - layout.top) / layout.step);
  if (x <= layout.left && i >= 0 && i < state.outputs.length) return { t: i, s: null };
  if (x >= layout.right && i >= 0 && i < state.inputs.length) return { t: null, s: i };
  return { t: null, s: null };
}

/* ------------------------------------------------------------------------------------------------------ panels */

function element(tag, className, parent, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  parent.appendChild(made);
  return made;
}

/* Draw a panel on its canvas at the screen's own resolution. */
function paint(state, panel, theme) {
  const width = Math.max(220, panel.box.clientWidth);
  const context = panel.canvas.getContext("2d");
  context.font = `13px ${theme.family}`;
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

function pin(state) {
  const { t, s } = state.focus;
  if (t === null || s === null) return;
  const same = state.pinned && state.pinned[0] === t && state.pinned[1] === s;
  state.pinned = same ? null : [t, s];
  state.setStateValue("cell", same ? null : { output: t, input: s });
  redraw(state);
}

function unpin(state) {
  if (state.pinned) state.setStateValue("cell", null);
  state.pinned = null;
  rest(state);
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
  const canvas = element("canvas", name, box);
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

/* ------------------------------------------------------------------------------------------------------ export */

function save(state, blob, suffix) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${state.file}.${suffix}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
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
  const context = canvas.getContext("2d");
  context.fillStyle = theme.background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  compose(state, theme, (y) => { context.setTransform(2, 0, 0, 2, 0, 2 * y); return canvasSurface(context); });
  canvas.toBlob((blob) => save(state, blob, "png"));
}

function saveSvg(state) {
  const theme = themeOf(state.root);
  const { width, height } = wholeSize(state);
  const parts = [`<svg xmlns="http://www.w3.org/2000/svg" width="${short(width)}" height="${short(height)}">`];
  parts.push(`<rect width="100%" height="100%" fill="${theme.background}"/>`);
  compose(state, theme, (y) => {
    parts.push(`${y ? "</g>" : ""}<g transform="translate(0 ${short(y)})">`);
    return svgSurface(parts);
  });
  parts.push("</g></svg>");
  save(state, new Blob([parts.join("\n")], { type: "image/svg+xml" }), "svg");
}

function saveCsv(state) {
  const quoted = (text) => `"${String(text).replaceAll('"', '""')}"`;
  const gold = new Set(state.gold.map(([t, s]) => `${t},${s}`));
  const rows = [["head", "output_position", "output", "input_position", "input", "weight", "gold"].join(",")];
  for (const head of state.heads) {
    head.weights.forEach((weight, i) => {
      const [t, s] = [Math.floor(i / state.inputs.length), i % state.inputs.length];
      const value = Number.isNaN(weight) ? "" : weight;
      rows.push([quoted(head.name), t, quoted(state.outputs[t]), s, quoted(state.inputs[s]), value,
        state.gold.length ? Number(gold.has(`${t},${s}`)) : ""].join(","));
    });
  }
  save(state, new Blob([rows.join("\n") + "\n"], { type: "text/csv" }), "csv");
}

/* ------------------------------------------------------------------------------------------------------ mounting */

function checkbox(bar, name) {
  const label = element("label", "choice", bar);
  const box = element("input", "", label);
  box.type = "checkbox";
  element("span", "", label, name);
  return [label, box];
}

function build(parent) {
  const state = { off: new Set(), focus: { t: null, s: null }, pinned: null, pointing: false, showGold: false,
    byRow: false, waiting: 0 };
  state.root = element("div", "attention", parent);
  const bar = element("div", "bar", state.root);
  state.headButtons = element("div", "heads", bar);
  [state.goldLabel, state.goldBox] = checkbox(bar, "gold alignment");
  state.goldBox.onchange = () => { state.showGold = state.goldBox.checked; redraw(state); };
  [, state.rowBox] = checkbox(bar, "shade each row by its largest weight");
  state.rowBox.onchange = () => { state.byRow = state.rowBox.checked; refresh(state); };
  const exports = element("div", "exports", bar);
  for (const [name, action] of [["PNG", savePng], ["SVG", saveSvg], ["CSV", saveCsv]]) {
    const button = element("button", "", exports, name);
    button.type = "button";
    button.setAttribute("aria-label", `Save as ${name}`);
    button.onclick = () => action(state);
  }
  state.status = element("p", "status", state.root);
  state.status.setAttribute("role", "status");
  const panels = element("div", "panels", state.root);
  const heatBox = element("div", "panel wide", panels);
  state.linesBox = element("div", "panel", panels);
  state.tooMany = element("p", "status", state.root, `Lines are drawn for at most ${MOST_LINES} tokens a side.`);
  state.heat = makePanel(state, heatBox, "heatmap", heatLayout, drawHeatmap, heatCell);
  state.lines = makePanel(state, state.linesBox, "lines", linesLayout, drawLines, lineToken);
  state.heat.canvas.tabIndex = 0;
  state.heat.canvas.setAttribute("role", "application");
  state.lines.canvas.setAttribute("role", "img");
  state.heat.canvas.onkeydown = (event) => pressed(state, event);
  state.heat.canvas.onblur = () => rest(state);
  state.heat.canvas.onclick = () => pin(state);
  state.resized = new ResizeObserver(() => redraw(state));
  state.resized.observe(panels);
  state.root.ontransitionend = (event) => { if (event.target === state.root) refresh(state); }; // the theme changed
  return state;
}

function headButton(state, head) {
  const button = element("button", "head", state.headButtons, head.name);
  button.type = "button";
  button.style.setProperty("--head", head.colour);
  const tell = () => button.setAttribute("aria-pressed", String(!state.off.has(head.name)));
  button.onclick = () => {
    const alone = state.heads.length - state.off.size === 1;
    if (state.off.has(head.name)) state.off.delete(head.name);
    else if (!alone) state.off.add(head.name);
    tell();
    refresh(state);
  };
  tell();
}

function refresh(state) {
  state.mean = meanWeights(state);
  state.image = heatImage(state);
  redraw(state);
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
  if (moved) Object.assign(state, { focus: { t: state.pinned?.[0] ?? null, s: state.pinned?.[1] ?? null }, pointing: false });
  for (const name of [...state.off]) if (!state.heads.some((head) => head.name === name)) state.off.delete(name);
  state.headButtons.replaceChildren();
  if (state.heads.length > 1) state.heads.forEach((head) => headButton(state, head));
  state.goldLabel.hidden = !state.gold.length;
  if (!state.gold.length) state.showGold = state.goldBox.checked = false;
  const size = `${state.outputs.length} rows (from: ${state.from}) by ${state.inputs.length} columns (to: ${state.to})`;
  state.heat.canvas.setAttribute("aria-label", `Heatmap of attention weights, ${size}. ` +
    "Arrow keys move from cell to cell, Enter pins one, Escape lets go.");
  state.lines.canvas.setAttribute("aria-label", "The same weights as lines between the two sequences.");
  refresh(state);
}

export default function ({ data, parentElement, setStateValue }) {
  let state = states.get(parentElement);
  if (!state) {
    state = build(parentElement);
    states.set(parentElement, state);
  }
  state.setStateValue = setStateValue;
  update(state, data);
  return () => {
    cancelAnimationFrame(state.waiting);
    state.resized.disconnect();
    state.root.remove();
    states.delete(parentElement);
  };
}
