/* A word cut into its n-grams, a row of chips for each length, and next to them the words nearest to the word's vector. It
   fills its room; in a lab it has a height of its own. A chip that stays from picture to picture keeps its element.

   data: { letters: [{ text, edge }], note, hue, rows: [{ name, total, more, chips: [{ text, mark, value, share, hue, kind }] }],
   empty, sides: [{ title, empty, rows: [{ name, mark, value, share, hue, kind }] }], key: [{ text, hue, kind }], sum }.
   Kinds of chip: plain, new (in no known word: dashed). Kinds of a side's row: plain, best. Every text was formatted by core. */

import { element } from "../shared/element.js";
import { dropUnused, fadeIn, keep } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";

const [SMALLEST, LARGEST, LARGEST_NARROW] = [14, 32, 20]; // pixels of a letter
const WRAPPED = 15;
const FADE = 300; // milliseconds

function buildPieces(root) {
  root.classList.add("fills");
  const parts = Object.fromEntries(["cut", "word", "grams", "key", "sum", "sides"].map((name) => [name, element("div", name)]));
  parts.cut.append(parts.word, parts.grams, parts.key, parts.sum);
  root.append(parts.cut, parts.sides);
  for (const part of Object.values(parts)) part.setAttribute("aria-hidden", "true"); // the alternative text says it
  /** @type {any} */
  const state = { root, parts, kept: new Map(), used: new Set(), layers: { spare: document.createDocumentFragment() } };
  state.watch = new ResizeObserver(() => state.data && fit(state));
  state.watch.observe(root);
  return state;
}

function painted(made, hue) {
  made.style.setProperty("--hue", `var(--${hue})`);
  made.style.setProperty("--ink", `var(--ink-${hue})`);
  return made;
}

const kept = (state, key, make) => keep(state, "spare", key, () => fadeIn(make(), FADE));

function makeWord({ letters, note, hue }) {
  const boxes = letters.map(({ text, edge }) => element("span", edge ? "letter edge" : "letter", text));
  return [painted(element("span", "letters", ...boxes), hue), element("span", "note", note)];
}

function fillChip(state, { text, mark, value, share, hue, kind }) {
  const chip = kept(state, `chip.${mark}`, () => element("span", "", element("b", "text"), element("span", "value")));
  chip.className = `chip ${kind}`;
  chip.dataset.mark = mark;
  painted(chip, hue).style.setProperty("--share", `${(10 + 50 * share).toFixed(1)}%`);
  chip.firstChild.textContent = text;
  chip.lastChild.textContent = value;
  return chip;
}

function makeRow(state, { name, total, more, chips }) {
  const made = chips.map((chip) => fillChip(state, chip));
  const rest = more ? [element("span", "more", more)] : [];
  return element("div", "row", element("span", "name", name), element("span", "chips", ...made, ...rest), element("span", "total", total));
}

function makeSide({ title, empty, rows }) {
  const made = rows.map(({ name, mark, value, share, hue, kind }) => {
    const bar = painted(element("i", "bar"), hue);
    bar.style.inlineSize = `${Math.max(1, 100 * share)}%`;
    const row = element("div", `near ${kind}`, element("span", "name", name), element("span", "track", bar), element("span", "value", value));
    row.dataset.mark = mark;
    return row;
  });
  return element("section", "side", element("p", "title", title), ...(rows.length ? made : [element("p", "empty", empty)]));
}

function fill(state) {
  const { data, parts, root } = state;
  state.used = new Set();
  parts.word.replaceChildren(...makeWord(data));
  parts.grams.replaceChildren(...(data.rows.length ? data.rows.map((row) => makeRow(state, row)) : [element("p", "empty", data.empty)]));
  parts.key.replaceChildren(...data.key.map(({ text, hue, kind }) => painted(element("span", "entry", element("i", `swatch ${kind}`), text), hue)));
  parts.sum.textContent = data.sum;
  parts.sides.replaceChildren(...data.sides.map(makeSide));
  root.classList.toggle("totals", data.rows.some(({ total }) => total));
  root.classList.toggle("bench", !data.bare);
  dropUnused(state);
}

/** The largest letters with which everything has room; down to WRAPPED no row of chips is wrapped. */
function fit({ root, parts }) {
  const narrow = root.clientWidth < 560;
  const tight = () => [root, ...Object.values(parts)].some((each) => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1);
  const wrapped = () => [...root.querySelectorAll(".chips")].some((each) => each.lastChild.offsetTop > each.firstChild.offsetTop + 4);
  root.classList.toggle("narrow", narrow);
  for (let size = narrow ? LARGEST_NARROW : LARGEST; size >= SMALLEST; size--) {
    root.style.setProperty("--size", `${size}px`);
    if (!tight() && (size <= WRAPPED || !wrapped())) return;
  }
}

export default function draw(component) {
  const state = mount(component, "word-pieces", buildPieces);
  fill(state);
  fit(state);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
