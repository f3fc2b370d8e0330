/* Positions as the hands of clocks: a column for each position or pair of positions, a row for each hand. It fills its room,
   and a hand turns from one picture to the next.

   data: { columns: [{ name, note, hue }], rows: [{ name, note }], dials: [[{ hands: [{ turn, length, hue }], arc: [from, to] or
   null, legs, texts: [{ text, hue }] }]] by row and column, bars: { title, least, most, values: [{ value, text, hue }] } or null,
   key: [{ text, hue }], sum }. `turn` is in radians, clockwise from straight up; `arc` is an arrow from one turn to another;
   `legs` draws the sine (across) and the cosine (up) of a dial's first hand. Dials in one row stand two by two where the room
   is narrow. Every text was formatted by core. */

import { drawn, element } from "../shared/element.js";
import { dropUnused, fadeIn, keep } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";

const [RIM, ARC, HEAD] = [100, 58, 16]; // of a dial, which is 224 units wide
const NARROW = 560; // pixels
const LETTER = 0.58; // the width of a letter, in sizes of type
const [SMALLEST, LARGEST] = [14, 300]; // pixels of type, and of a dial
const point = (turn, r) => [r * Math.sin(turn), -r * Math.cos(turn)];

function buildClocks(root) {
  root.classList.add("fills");
  root.setAttribute("aria-hidden", "true");
  const [key, grid, sum] = [element("p", "key"), element("div", "grid"), element("p", "sum")];
  root.append(key, grid, sum);
  const state = { root, key, grid, sum, kept: new Map(), layers: { grid } };
  state.watch = new ResizeObserver(() => state.data && layClocks(state));
  state.watch.observe(root);
  return state;
}

/** Return the element of a mark, which stays from picture to picture; a new one fades in. */
function keepMark(state, mark, make) {
  return keep(state, "grid", mark, () => {
    const made = fadeIn(make(), 400);
    made.dataset.mark = mark;
    return made;
  });
}

function drawClocks(state) {
  const { data } = state;
  state.used = new Set();
  data.columns.forEach((column, c) => {
    const made = keepMark(state, `column.${c}`, () => element("div", "head", element("b"), element("span")));
    paint(made, column.hue);
    made.classList.toggle("plain", !column.hue);
    write(made, column.name, column.note);
  });
  data.rows.forEach((row, r) => {
    if (row.name) write(keepMark(state, `row.${r}`, () => element("div", "name", element("b"), element("span"))), row.name, row.note);
  });
  data.dials.forEach((line, r) => line.forEach((dial, c) => drawDial(keepMark(state, `dial.${r}.${c}`, makeDial), dial)));
  if (data.bars?.title) keepMark(state, "bars", () => element("div", "bars-title")).textContent = data.bars.title;
  data.bars?.values.forEach((bar, c) => drawBar(keepMark(state, `bar.${c}`, makeBar), bar, data.bars));
  dropUnused(state);
  state.key.replaceChildren(...data.key.map(({ text, hue }, i) => {
    const made = element("span", "entry", element("i", "swatch"), text);
    made.dataset.mark = `key.${i}`;
    paint(made, hue);
    return made;
  }));
  state.sum.textContent = data.sum;
}

function paint(made, hue) {
  made.style.setProperty("--hue", `var(--${hue ?? "grey"})`);
  made.style.setProperty("--ink", hue ? `var(--ink-${hue})` : "var(--st-text-color)");
}

function write(made, name, note) {
  made.firstChild.textContent = name;
  made.lastChild.textContent = note ?? "";
}

function makeDial() {
  const svg = drawn("svg", "face", { viewBox: "-112 -112 224 224" });
  svg.append(drawn("circle", "rim", { r: RIM }), drawn("path", "noon", { d: `M 0 ${-RIM} v -12` }), drawn("g", "legs"), drawn("path", "arc"), drawn("path", "arc-head"), drawn("g", "hands"), drawn("circle", "pin", { r: 6 }));
  return element("div", "dial", svg, element("div", "texts"));
}

function drawDial(made, { hands, arc, legs, texts }) {
  const [, , legBox, bow, head, handBox] = made.firstChild.children;
  while (handBox.children.length > hands.length) handBox.lastChild.remove();
  hands.forEach((hand, i) => drawHand(handBox.children[i] ?? handBox.appendChild(makeHand()), hand));
  const [x, y] = legs && hands.length ? point(hands[0].turn, RIM * hands[0].length) : [0, 0];
  legBox.replaceChildren(...(legs ? [drawn("path", "leg up", { d: `M 0 0 V ${y}` }), drawn("path", "leg across", { d: `M 0 ${y} H ${x}` })] : []));
  bow.setAttribute("d", arc ? drawArc(arc) : "");
  head.setAttribute("d", arc && Math.abs(arc[1] - arc[0]) * ARC > HEAD ? drawHead(arc) : "");
  made.lastChild.replaceChildren(...texts.map(({ text, hue }) => {
    const line = element("span", "", text);
    paint(line, hue);
    return line;
  }));
}

function makeHand() {
  const made = drawn("g", "hand");
  made.append(drawn("path", "shaft"), drawn("path", "tip"));
  return made;
}

/** Turn a hand the short way round to where it points now. */
function drawHand(made, { turn, length, hue }) {
  const before = made.turn ?? turn;
  made.turn = before + Math.atan2(Math.sin(turn - before), Math.cos(turn - before));
  made.style.transform = `rotate(${made.turn}rad)`;
  paint(made, hue);
  const tip = RIM * length;
  made.firstChild.setAttribute("d", `M 0 0 V ${-Math.max(0, tip - 14)}`);
  made.lastChild.setAttribute("d", `M 0 ${-tip} l -13 26 h 26 z`);
}

function drawArc([from, to]) {
  const [large, sweep] = [Math.abs(to - from) > Math.PI ? 1 : 0, to > from ? 1 : 0];
  return `M ${point(from, ARC)} A ${ARC} ${ARC} 0 ${large} ${sweep} ${point(to, ARC)}`;
}

/** The arrowhead at an arc's end. */
function drawHead([from, to]) {
  const back = to - (Math.sign(to - from) * HEAD) / ARC;
  return `M ${point(to, ARC)} L ${point(back, ARC + 11)} L ${point(back, ARC - 11)} z`;
}

function makeBar() {
  return element("div", "bar", element("i", "fill"), element("span", "value"));
}

function drawBar(made, { value, text, hue }, { least, most }) {
  const share = (number) => (100 * (number - least)) / (most - least || 1);
  const [low, high] = [share(Math.min(0, value)), share(Math.max(0, value))];
  paint(made, hue);
  made.style.setProperty("--zero", `${share(0)}%`);
  made.style.setProperty("--low", `${low}%`);
  made.style.setProperty("--tall", `${high - low}%`);
  made.style.setProperty("--top", `${high}%`);
  made.lastChild.textContent = text;
}

/** Give every dial the room that there is, and type the size at which names fit. */
function layClocks(state) {
  const { data, root, grid, kept } = state;
  const [width, height] = [root.clientWidth || 600, root.clientHeight || 400];
  const [n, m, narrow] = [data.columns.length, data.rows.length, width < NARROW];
  const named = data.rows.some(({ name }) => name);
  const flipped = named && narrow && m < 3 && n > 3 && !data.bars; // positions side by side, hands below one another
  const line = flipped ? m : !named && narrow && n > 3 ? 2 : n; // columns side by side
  const label = narrow ? 15 : Math.min(24, 13 + width / 80);
  const beside = flipped ? data.columns : data.rows;
  const longer = Math.max(...beside.flatMap(({ name, note }) => [name.length * label, note.length * (narrow ? SMALLEST : 16)]));
  const names = named ? Math.min(width * 0.32, longer * LETTER + 14) : 0;
  const column = (width - names) / line;
  const longest = Math.max(1, ...data.columns.map(({ name }) => [...name].length));
  root.style.setProperty("--label", `${Math.max(SMALLEST, Math.min(label, (column - 4) / (longest * LETTER)))}px`);
  root.style.setProperty("--text", `${narrow ? 15 : Math.max(SMALLEST, Math.min(20, column / 6))}px`);
  root.style.setProperty("--note", `${narrow ? SMALLEST : 16}px`);
  root.classList.toggle("small", column < 70);
  const bars = data.bars ? Math.max(64, Math.min(150, height * 0.22)) : 0;
  const place = (mark, row, at) => {
    const made = kept.get(mark);
    if (made) made.style.gridArea = `${row} / ${at}`;
  };
  const first = named ? 2 : 1;
  const lines = flipped ? 1 : Math.ceil(n / line);
  root.classList.toggle("flipped", flipped);
  data.columns.forEach((_, c) => {
    const [top, at] = [Math.floor(c / line) * (m + 2), (c % line) + first];
    if (flipped) {
      place(`column.${c}`, c + 2, 1);
      data.rows.forEach((__, r) => place(`dial.${r}.${c}`, c + 2, r + 2));
      return;
    }
    place(`column.${c}`, top + 1, at);
    data.rows.forEach((__, r) => place(`dial.${r}.${c}`, top + r + 2, at));
    place(`bar.${c}`, top + m + 2, at);
  });
  data.rows.forEach((_, r) => place(`row.${r}`, flipped ? 1 : r + 2, flipped ? r + 2 : 1));
  place("bars", m + 2, 1);
  const texts = Math.max(...data.dials.flat().map((dial) => dial.texts.length)) * (narrow ? 18 : 26);
  const rows = `auto repeat(${flipped ? n : m}, minmax(0, ${Math.min(column, LARGEST) + texts + 4}px)) ${data.bars ? `${lines > 1 ? Math.max(56, bars / lines) : bars}px` : "0px"}`;
  grid.style.gridTemplate = `${Array(lines).fill(rows).join(" ")} / ${named ? `${names}px ` : ""}repeat(${line}, minmax(0, 1fr))`;
  const dials = [...kept].filter(([mark]) => mark.startsWith("dial.")).map(([, made]) => made);
  const sizes = dials.map((made) => Math.min(made.clientWidth - 4, made.clientHeight - made.lastChild.offsetHeight - 4));
  root.style.setProperty("--dial", `${Math.max(16, Math.min(...sizes))}px`);
}

export default function draw(component) {
  const state = mount(component, "clock-hands", buildClocks);
  drawClocks(state);
  layClocks(state);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
