/* A matrix of attention scores on its way through the softmax, edited cell by cell and stepped in the browser.

   data: { id, tokens: [T], scores: [T][T], edits: [[row, column, score]], d_k, hidden: [T][T], way, learned, file }
     hidden: true where the mask is minus infinity; way: null, or how the mask is spoiled: "zero" or "late"
     learned: the scores are a trained head's; otherwise they were typed
   Rows are queries, columns are keys. The steps are those of core/models/self_attention/attention.py; tests/browser/
   test_causal_mask_view.py compares the two. The only value returned is `edits`, { id, cells: [[row, column,
   score]] }, when an edit is committed. */

const SAFE = 60; // as in core/models/self_attention/attention.py: beyond it a row is shifted by its greatest score
const MOST = 1000; // the greatest score that can be typed
const LEGIBLE = 44; // pixels a cell needs for numbers that the back row reads
const GAP = 20;
const MOST_TERMS = 4; // of a sum, written out
const SECONDS = 1.4; // a step when playing
const states = new WeakMap();

/* ------------------------------------------------------------------------------------------------- the numbers */

/* core.models.self_attention.attention: attend, attend_masked_with_zero ("zero"), attend_masked_after_softmax ("late"). */
function attend(scores, { d_k, hidden, way }) {
  const scaled = scores.map((row) => row.map((score) => score / Math.sqrt(d_k)));
  const behind = { zero: () => 0, late: (x) => x }[way] ?? (() => -Infinity); // what stands in a hidden cell
  const masked = scaled.map((row, t) => row.map((x, s) => (hidden[t][s] ? behind(x) : x)));
  const shift = masked.map((row) => {
    const greatest = Math.max(...row);
    return Math.abs(greatest) > SAFE && greatest > -Infinity ? greatest : 0;
  });
  const exponentials = masked.map((row, t) => row.map((x) => Math.exp(x - shift[t])));
  const sums = exponentials.map((row) => row.reduce((total, x) => total + x, 0));
  const softmax = exponentials.map((row, t) => row.map((x) => (sums[t] > 0 ? x / sums[t] : 0)));
  const weights = softmax.map((row, t) => row.map((w, s) => (way === "late" && hidden[t][s] ? 0 : w)));
  return { scores, scaled, masked, shift, exponentials, sums, softmax, weights };
}

const total = (row) => row.reduce((sum, x) => sum + x, 0);

/* The stages in the order in which they are computed; `values` names the matrix, `sum` whether its rows are summed. */
function stagesOf({ way, d_k }) {
  const scores = { name: "scores", title: "scores  q · k", values: "scores" };
  const scaled = { name: "scaled", title: `÷ √dₖ = √${d_k}`, values: "scaled" };
  const masked = { name: "masked", title: way === "zero" ? "0 where hidden" : "+ mask", values: "masked" };
  const exponentials = { name: "exponentials", title: "eˣ", values: "exponentials" };
  const sums = { name: "sums", title: "row sums Σ", values: "exponentials", sum: true };
  const softmax = { name: "softmax", title: "softmax  eˣ / Σ", values: "softmax", sum: true };
  const cut = { name: "cut", title: "cut after the softmax", values: "weights", sum: true };
  return way === "late"
    ? [scores, scaled, exponentials, sums, softmax, cut]
    : [scores, scaled, masked, exponentials, sums, softmax];
}

/* A masked cell is blank from the mask on; where the mask is spoiled, what shines through is marked instead. */
const blank = (state, stage, t, s) =>
  state.data.hidden[t][s] &&
  (stage.name === "cut" || (!state.data.way && !["scores", "scaled"].includes(stage.name)));
const leaks = (state, stage, t, s) =>
  state.data.hidden[t][s] && Boolean(state.data.way) && !["scores", "scaled", "cut"].includes(stage.name);

/* Two decimals; 0.00 is not quite nought. Exponentials may be far smaller, or larger, than that can show. */
function short(value, share = false) {
  if (value === -Infinity) return "−∞";
  const tiny = value !== 0 && Math.abs(value) < 0.005 && !share;
  if (Math.abs(value) >= 1e4 || tiny) return value.toExponential(0).replace("e+", "e").replaceAll("-", "−");
  const fixed = value.toFixed(Math.abs(value) >= 100 ? 0 : 2);
  return (Number(fixed) === 0 && value !== 0 ? "0.00" : Number(fixed).toString()).replace("-", "−");
}

function exact(value, digits = 4) {
  if (value === -Infinity) return "−∞";
  const plain = Math.abs(value) >= 1e-4 && Math.abs(value) < 1e6;
  const text = value === 0 || plain ? Number(value.toPrecision(digits)).toString() : value.toExponential(digits - 1);
  return text.replaceAll("-", "−");
}

/* ------------------------------------------------------------------------------------------------------ elements */

function element(tag, className, ...content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

function button(label, name, onClick) {
  const made = element("button", name, label);
  made.type = "button";
  made.onclick = onClick;
  return made;
}

const power = (exponent) => element("span", "power", "e", element("sup", "", exponent));

function fraction(top, bottom) {
  return element("span", "fraction", element("span", "top", ...top), element("span", "bottom", ...bottom));
}

/* ---------------------------------------------------------------------------------------------------- the matrix */

/* The size of type at which the longest number shown fits its cell. */
function typeSize(state) {
  const { cell, height } = state.layout;
  const texts = shownStages(state).flatMap((number) => {
    const { values, sum } = state.order[number];
    const rows = state.found[values];
    return [...rows.flat(), ...(sum ? rows.map(total) : [])].map((value) => short(value, values !== "exponentials"));
  });
  const longest = Math.max(3, ...texts.map((text) => text.length));
  return Math.max(12, Math.min(24, 0.64 * height, (cell - 6) / (0.52 * longest)));
}

/* The pixels of the widest token in a row's label, at the largest type a label has. */
function widest(state) {
  const ruler = document.createElement("canvas").getContext("2d");
  ruler.font = `600 19px ${getComputedStyle(state.root).fontFamily}`;
  return Math.ceil(Math.max(...state.data.tokens.map((token) => ruler.measureText(token).width)));
}

/* How many panels stand side by side, and how large a cell is: all six where their numbers stay legible. */
function layout(state) {
  const width = Math.max(240, state.stages.clientWidth);
  const n = state.data.tokens.length + 1; // and the column of row sums
  const labels = Math.min(108, 14 + widest(state)); // 14: the label's padding, and a pixel to either side
  const fit = Math.floor((width + GAP) / (labels + n * LEGIBLE + GAP));
  const across = fit >= 6 ? 6 : fit >= 3 ? 3 : Math.max(1, fit);
  const cell = Math.max(40, Math.min(84, ((width + GAP) / across - GAP - labels - 8) / n)); // 8: borders
  return { across, labels, cell, height: Math.max(30, Math.min(44, 0.6 * cell)) };
}

function shownStages(state) {
  const { across } = state.layout;
  if (across >= 3) return state.order.map((_, i) => i);
  return across === 2 ? [Math.max(0, state.stage - 1), Math.max(1, state.stage)] : [state.stage];
}

function panel(state, number) {
  const stage = state.order[number];
  const ahead = number > state.stage;
  const box = element("section", `panel ${stage.name}`);
  box.classList.toggle("ahead", ahead);
  box.classList.toggle("current", number === state.stage);
  box.append(element("div", "title", element("span", "number", String(number + 1)), ` ${stage.title}`));
  const grid = element("div", "grid");
  grid.setAttribute("role", "grid");
  grid.setAttribute("aria-label", `Stage ${number + 1}, ${stage.title}: rows are queries, columns are keys`);
  const { tokens } = state.data;
  const head = element("div", "row", element("span", "corner", ""));
  head.setAttribute("role", "row");
  head.firstChild.setAttribute("role", "gridcell"); // an empty corner heads nothing
  [...tokens, ...(stage.sum ? ["Σ"] : [])].forEach((token) => {
    const label = element("span", "label column", token);
    label.setAttribute("role", "columnheader");
    label.title = token;
    head.append(label);
  });
  grid.append(head, ...tokens.map((_, t) => matrixRow(state, stage, number, t, ahead)));
  box.append(grid);
  return box;
}

function matrixRow(state, stage, number, t, ahead) {
  const label = element("span", "label", state.data.tokens[t]);
  label.setAttribute("role", "rowheader");
  label.title = state.data.tokens[t];
  const row = element("div", "row", label);
  row.setAttribute("role", "row");
  row.dataset.t = t;
  const values = state.found[stage.values][t];
  values.forEach((value, s) => row.append(matrixCell(state, stage, number, t, s, value, ahead)));
  if (stage.sum) {
    const sum = element("span", "cell sum", ahead ? "" : short(total(values)));
    sum.setAttribute("role", "gridcell");
    row.append(sum);
  }
  return row;
}

function matrixCell(state, stage, number, t, s, value, ahead) {
  const empty = ahead || blank(state, stage, t, s);
  const share = ["softmax", "cut"].includes(stage.name);
  const cell = element("span", "cell", empty ? "" : short(value, share));
  cell.setAttribute("role", "gridcell");
  Object.assign(cell.dataset, { t, s, stage: number });
  cell.tabIndex = -1;
  cell.classList.toggle("masked", !ahead && blank(state, stage, t, s));
  cell.classList.toggle("leak", !ahead && leaks(state, stage, t, s));
  cell.classList.toggle("edited", stage.name === "scores" && state.edits.has(`${t},${s}`));
  if (!ahead && blank(state, stage, t, s)) cell.setAttribute("aria-label", "masked");
  if (stage.name === "scores" && !ahead) cell.title = "Click, or type a number, to change this score";
  const shade = share && !empty ? value : 0;
  cell.style.setProperty("--shade", `${Math.round(60 * shade)}%`);
  return cell;
}

function drawStages(state) {
  const focused = state.root.getRootNode().activeElement?.classList?.contains("cell");
  state.layout = layout(state);
  const { across, labels, cell, height } = state.layout;
  const size = typeSize(state);
  const style = { across, labels: `${labels}px`, cell: `${cell}px`, height: `${height}px`, size: `${size}px` };
  for (const [name, value] of Object.entries(style)) state.stages.style.setProperty(`--${name}`, value);
  state.stages.replaceChildren(...shownStages(state).map((number) => panel(state, number)));
  light(state, focused);
}

/* Light the chosen cell and its row in every panel; the one in the current stage takes part in the Tab order. */
function light(state, focus = false) {
  const { t, s } = state.chosen;
  const numbers = shownStages(state);
  const active = numbers.includes(state.active) && state.active <= state.stage ? state.active : state.stage;
  for (const row of state.stages.querySelectorAll(".row[data-t]")) row.classList.toggle("lit", Number(row.dataset.t) === t);
  for (const cell of state.stages.querySelectorAll(".cell[data-t]")) {
    const here = Number(cell.dataset.t) === t && Number(cell.dataset.s) === s;
    cell.classList.toggle("chosen", here);
    cell.tabIndex = here && Number(cell.dataset.stage) === active ? 0 : -1;
    if (focus && cell.tabIndex === 0) cell.focus({ preventScroll: true });
  }
  formula(state);
}

function choose(state, t, s, stage, focus = false) {
  const last = state.data.tokens.length - 1;
  state.chosen = { t: Math.max(0, Math.min(last, t)), s: Math.max(0, Math.min(last, s)) };
  if (stage !== undefined) state.active = stage;
  light(state, focus);
}

/* --------------------------------------------------------------------------------------------------- the formula */

function scoreLine(state, t, s) {
  const value = exact(state.found.scores[t][s]);
  if (state.edits.has(`${t},${s}`)) return [`score, typed = ${value}`];
  return [state.data.learned ? `score = q · k = ${value}` : `score = ${value}`];
}

function maskLine(state, t, s) {
  const { scaled } = state.found;
  const { hidden, way } = state.data;
  if (!hidden[t][s]) return [`${exact(scaled[t][s])} + 0 = ${exact(scaled[t][s])}`];
  if (way === "zero") return [`hidden, but 0 takes the place of ${exact(scaled[t][s])} instead of −∞`];
  return [`${exact(scaled[t][s])} + (−∞) = −∞: hidden, so the cell is blank`];
}

/* An exponent as it is taken, less the row's shift where there is one. */
function exponent(state, t, s, digits = 4) {
  const { masked, shift } = state.found;
  const x = exact(masked[t][s], digits);
  return shift[t] ? `${x} − ${exact(shift[t], digits)}` : x;
}

function sumTerms(state, t, term) {
  const seen = state.found.exponentials[t].map((_, s) => s).filter((s) => state.found.masked[t][s] > -Infinity);
  const shown = seen.length > MOST_TERMS ? seen.slice(0, MOST_TERMS - 1) : seen;
  const terms = shown.flatMap((s, i) => [i ? " + " : "", term(s)]);
  return seen.length > MOST_TERMS ? [...terms, ` + … (${seen.length} terms)`] : terms;
}

function softmaxLine(state, t, s) {
  const { exponentials, sums, softmax } = state.found;
  const bottom = sumTerms(state, t, (each) => power(exponent(state, t, each, 3)));
  const value = exact(softmax[t][s]);
  return [fraction([power(exponent(state, t, s, 3))], bottom), " = ",
    fraction([exact(exponentials[t][s])], [exact(sums[t])]), ` = ${value}`];
}

const LINES = {
  scores: scoreLine,
  scaled: (state, t, s) => [`${exact(state.found.scores[t][s])} / √${state.data.d_k} = ${exact(state.found.scaled[t][s])}`],
  masked: maskLine,
  exponentials: (state, t, s) => [power(exponent(state, t, s)), ` = ${exact(state.found.exponentials[t][s])}`],
  sums: (state, t) => ["Σ = ", ...sumTerms(state, t, (s) => exact(state.found.exponentials[t][s])), ` = ${exact(state.found.sums[t])}`],
  softmax: softmaxLine,
  cut: (state, t, s) => [state.data.hidden[t][s] ? "hidden: cut to 0, but Σ had it in" : `kept: ${exact(state.found.weights[t][s])}`,
    `; the row now sums to ${exact(total(state.found.weights[t]))}`],
};

function formula(state) {
  const { t, s } = state.chosen;
  const { tokens } = state.data;
  const name = (i) => `“${tokens[i]}” (${i + 1})`;
  const lines = [];
  for (const stage of state.order.slice(0, state.stage + 1)) {
    const line = element("div", `line of-${stage.name}`, element("span", "step", stage.title));
    line.append(element("span", "worked", ...LINES[stage.name](state, t, s)));
    lines.push(line);
    if (blank(state, stage, t, s) && stage.name !== "cut") break; // nothing is left to compute
  }
  const now = lines.pop();
  if (state.found.shift[t]) {
    lines.push(element("div", "line", "The row's greatest number is taken off every exponent first; the weights stay the same."));
  }
  now.firstChild.replaceWith(element("span", "of", `${name(t)} → ${name(s)}:`));
  state.now.replaceChildren(now);
  state.formula.replaceChildren(...lines);
}

/* -------------------------------------------------------------------------------------------------------- editing */

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
  input.setAttribute("aria-label", `Score of row ${t + 1}, column ${s + 1}`);
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
  else if (!Number.isFinite(value)) return say(state, `“${text.slice(0, 20)}” is not a number: the score stays as it was.`);
  else if (Math.abs(value) > MOST) return say(state, `A score lies between −${MOST} and ${MOST}: it stays as it was.`);
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
  state.setStateValue("edits", { id: state.data.id, cells: cells(state) });
}

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -99], End: [0, 99] };

function onKey(state, event) {
  if (state.input || event.ctrlKey || event.metaKey || event.altKey) return;
  const { t, s } = state.chosen;
  if (MOVES[event.key]) choose(state, t + MOVES[event.key][0], s + MOVES[event.key][1], undefined, true);
  else if (event.key === "PageDown") go(state, state.stage + 1, true);
  else if (event.key === "PageUp") go(state, state.stage - 1, true);
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
  state.buttons.play.textContent = state.playing ? "❚❚ Pause" : "▶ Play";
  state.buttons.undo.disabled = state.edits.size === 0;
  state.place.textContent = `${state.stage + 1} of ${last + 1}: ${state.order[state.stage].title}`;
}

/* --------------------------------------------------------------------------------------------------------- export */

function save(state, blob, suffix) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${state.data.file}.${suffix}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function saveCsv(state) {
  const quoted = (text) => `"${String(text).replaceAll('"', '""')}"`;
  const { tokens, hidden } = state.data;
  const names = ["scores", "scaled", "masked", "exponentials", "softmax", "weights"];
  const rows = [["row", "from", "column", "to", "hidden", ...names, "row_sum"].join(",")];
  tokens.forEach((from, t) => tokens.forEach((to, s) => {
    const values = names.map((name) => state.found[name][t][s]).map((x) => (x === -Infinity ? "-inf" : x));
    rows.push([t + 1, quoted(from), s + 1, quoted(to), Number(hidden[t][s]), ...values, state.found.sums[t]].join(","));
  }));
  save(state, new Blob([`${rows.join("\n")}\n`], { type: "text/csv" }), "csv");
}

const escaped = (text) => text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);

/* The panels as they stand on the page, as SVG: a rectangle and a text for every cell. */
function svg(state) {
  const style = getComputedStyle(state.root);
  const background = style.getPropertyValue("--st-background-color").trim() || "#ffffff";
  const origin = state.stages.getBoundingClientRect();
  const parts = [`<rect width="100%" height="100%" fill="${background}"/>`];
  for (const each of state.stages.querySelectorAll(".title, .label, .cell")) {
    const box = each.getBoundingClientRect();
    const [x, y] = [box.left - origin.left, box.top - origin.top];
    const look = getComputedStyle(each);
    if (each.classList.contains("cell")) {
      const shade = parseFloat(each.style.getPropertyValue("--shade") || "0") / 100;
      const fill = each.classList.contains("leak") ? "#D55E00" : each.classList.contains("masked") ? "#7A7A7A" : "#0072B2";
      const opacity = each.classList.contains("leak") ? 0.3 : each.classList.contains("masked") ? 0.12 : shade;
      parts.push(`<rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" fill="${fill}" fill-opacity="${opacity}" stroke="${style.color}" stroke-opacity="0.25"/>`);
    }
    const [middle, anchor] = each.classList.contains("title") ? [x, "start"] : [x + box.width / 2, "middle"];
    parts.push(`<text x="${middle}" y="${y + box.height / 2}" text-anchor="${anchor}" dominant-baseline="central" fill="${style.color}" ` +
      `font-family="${escaped(look.fontFamily)}" font-size="${look.fontSize}" font-weight="${look.fontWeight}">${escaped(each.textContent)}</text>`);
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${origin.width}" height="${origin.height}">${parts.join("")}</svg>`;
}

function saveSvg(state) {
  save(state, new Blob([svg(state)], { type: "image/svg+xml" }), "svg");
}

function savePng(state) {
  const { width, height } = state.stages.getBoundingClientRect();
  const picture = new Image();
  picture.onload = () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * height });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(state, blob, "png"));
  };
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg(state))}`;
}

/* ------------------------------------------------------------------------------------------------------- mounting */

function build(parent) {
  const state = { edits: new Map(), chosen: null, stage: null, active: 0, playing: null, input: null, sent: "", server: "" };
  state.root = element("div", "causal-mask");
  const stepping = {
    first: button("First", "first", () => go(state, 0)),
    back: button("Back", "back", () => go(state, state.stage - 1)),
    play: button("▶ Play", "play", () => play(state)),
    next: button("Next", "next", () => go(state, state.stage + 1)),
    last: button("Last", "last", () => go(state, state.order.length - 1)),
  };
  const undo = button("Undo edits", "undo", () => { state.edits.clear(); send(state); refresh(state); });
  state.buttons = { ...stepping, undo };
  state.place = element("span", "place");
  state.place.setAttribute("aria-live", "polite");
  const exports = element("span", "exports");
  for (const [name, action] of [["PNG", savePng], ["SVG", saveSvg], ["CSV", saveCsv]]) {
    const made = button(name, "export", () => action(state));
    made.setAttribute("aria-label", `Save as ${name}`);
    exports.append(made);
  }
  state.stages = element("div", "stages");
  state.now = element("div", "now"); // the current stage's formula, above the matrix; below it the steps before
  state.now.setAttribute("aria-live", "polite");
  state.formula = element("div", "formula");
  state.status = element("p", "status");
  state.status.setAttribute("role", "status");
  state.root.append(element("div", "bar", ...Object.values(stepping), state.place, undo, exports), state.now, state.stages, state.status, state.formula);
  listen(state);
  parent.append(state.root);
  state.resized = new ResizeObserver(() => {
    if (state.width !== state.stages.clientWidth && !state.input) drawStages(state);
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
  const [before, server] = [state.data, JSON.stringify(data.edits)];
  const known = before && before.id === data.id;
  state.data = data;
  state.order = stagesOf(data);
  if (state.stage === null) state.stage = state.order.length - 1;
  if (!known) state.chosen = { t: data.tokens.length - 1, s: 0 };
  // What comes back from the server is what was sent; meanwhile the learner may have typed on.
  if (!known || (server !== state.server && server !== state.sent)) {
    state.edits = new Map(data.edits.map(([t, s, value]) => [`${t},${s}`, value]));
    state.input = null;
  }
  state.server = server;
  if (!state.input) refresh(state);
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
    clearInterval(state.playing);
    state.resized.disconnect();
    state.root.remove();
    states.delete(parentElement);
  };
}
