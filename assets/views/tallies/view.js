/* Counting: tagged sentences, what was counted as rows of blocks, and one sentence with every factor of its probability.
   It fills its room, and what stays from one picture to the next moves there.

   data: { sentences: [{ tokens: [{ word, tag, hue, kind }], note, noted }], panels: [{ title, hue, unit, rows: [{ name, hue,
   count, added, text, p, kind }] }], chain: null or { start, steps: [{ word, tag, hue, into, down, kind }], total } }.
   Kinds of token: "", from, to (of a step that is counted), both, faint. A row has a block for each of its `count`, and
   `added` of a hollow one; a panel that is no `unit` has one bar of length `added`. Every text was formatted by core. */

import { element } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";

const [SMALLEST, LARGEST, LARGEST_NARROW] = [14, 24, 17]; // pixels of a letter
const MOTION = { duration: 420, easing: "ease" };

function buildTallies(root) {
  root.classList.add("fills");
  const parts = Object.fromEntries(["text", "chain", "panels"].map((name) => [name, root.appendChild(element("div", name))]));
  for (const part of Object.values(parts)) part.setAttribute("aria-hidden", "true"); // the alternative text says it
  parts.text.after(parts.panels);
  root.prepend(parts.chain);
  /** @type {any} */
  const state = { root, parts, kept: new Map(), used: new Set() };
  state.watch = new ResizeObserver(() => state.data && fit(state));
  state.watch.observe(root);
  return state;
}

/** Return the element of a key, made where there is none yet; `used` notes that it is still wanted. */
function keep({ kept, used }, key, make) {
  used.add(key);
  if (!kept.has(key)) kept.set(key, make());
  return kept.get(key);
}

/** Let a parent have these children in this order, and touch none that is in its place. */
function arrange(parent, children) {
  children.forEach((child, i) => parent.children[i] !== child && parent.insertBefore(child, parent.children[i] ?? null));
  while (parent.children.length > children.length) parent.lastChild.remove();
}

const painted = (made, hue) => made.style.setProperty("--hue", `var(--${hue})`);

function fill(state) {
  const { data, parts, root } = state;
  state.used = new Set();
  root.classList.toggle("alone", !data.panels.length);
  root.classList.toggle("several", data.panels.length > 2);
  root.classList.toggle("untold", !data.sentences.length);
  arrange(parts.text, data.sentences.map((sentence, s) => fillSentence(state, sentence, s)));
  arrange(parts.chain, data.chain ? fillChain(state, data.chain) : []);
  const most = Math.max(1, ...data.panels.flatMap(({ rows, unit }) => rows.map(({ count, added }) => (unit ? count + added : added))));
  arrange(parts.panels, data.panels.map((panel, i) => fillPanel(state, panel, i, most)));
  for (const key of state.kept.keys()) if (!state.used.has(key)) state.kept.delete(key);
}

function fillSentence(state, { tokens, note, noted }, s) {
  const line = keep(state, `line.${s}`, () => element("p", "sentence"));
  line.dataset.mark = `sentence.${s}`;
  const made = tokens.map(({ word, tag, hue, kind }, i) => {
    const token = keep(state, `token.${s}.${i}`, () => element("span", "", element("b", "word"), element("i", "tag")));
    token.className = `token ${kind}`;
    token.dataset.mark = `token.${s}.${i}`;
    painted(token, hue);
    token.firstChild.textContent = word;
    token.lastChild.textContent = tag;
    return token;
  });
  const said = keep(state, `note.${s}`, () => element("span", "note"));
  said.className = `note ${noted}`;
  said.textContent = note;
  arrange(line, note ? [...made, said] : made);
  return line;
}

function fillPanel(state, { title, hue, unit, rows }, i, most) {
  const key = `panel.${title}`;
  const panel = keep(state, key, () => element("div", "panel", element("h3", "")));
  panel.dataset.mark = `panel.${i}`;
  painted(panel, hue);
  panel.firstChild.textContent = title;
  const made = rows.map((row, j) => {
    const { name, count, added, text, p, kind } = row;
    const line = keep(state, `${key}.${name}`, () => element("div", "", element("span", "name"), element("span", "track"), element("span", "value", element("span", "amount"), element("b", "p"))));
    line.className = `row ${kind}`;
    line.dataset.mark = `row.${i}.${j}`;
    painted(line, row.hue);
    const [label, track, value] = line.children;
    label.textContent = name;
    const blocks = Array.from({ length: count }, (_, b) => keep(state, `${key}.${name}.${b}`, () => element("i", "block")));
    blocks.forEach((block) => (block.style.width = `${100 / most}%`));
    const hollow = keep(state, `${key}.${name}.added`, () => element("i", ""));
    hollow.className = unit ? "hollow" : "bar";
    hollow.style.width = `${(100 * added) / most}%`;
    arrange(track, [...blocks, hollow]);
    value.firstChild.textContent = p && text ? `${text} =` : text;
    value.lastChild.textContent = p;
    return line;
  });
  arrange(panel, [panel.firstChild, ...made]);
  return panel;
}

function fillChain(state, { start, steps, total }) {
  const begin = keep(state, "chain.start", () => element("span", "begin"));
  begin.textContent = start;
  const made = steps.map(({ word, tag, hue, into, down, kind }, t) => {
    const step = keep(state, `chain.${t}`, () =>
      element("span", "", element("span", "into"), element("i", "tag"), element("span", "down"), element("b", "word")),
    );
    step.className = `step ${kind}${word ? "" : " last"}`;
    step.dataset.mark = `step.${t}`;
    painted(step, hue);
    [into, tag, down, word].forEach((text, i) => (step.children[i].textContent = text));
    return step;
  });
  const product = keep(state, "chain.total", () => element("span", "total"));
  product.dataset.mark = "total";
  product.textContent = total;
  const line = keep(state, "chain.line", () => element("div", "steps"));
  arrange(line, [begin, ...made]);
  return [line, product];
}

/** The largest letters with which everything has room. */
function fit({ root, data }) {
  const narrow = root.clientWidth < 560;
  const tight = () => [root, ...root.querySelectorAll(".text, .panels, .chain, .sentence, .panel, .steps")].some((each) => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1);
  root.classList.toggle("narrow", narrow);
  root.classList.toggle("bench", !data.bare);
  for (let size = narrow ? LARGEST_NARROW : LARGEST; size > SMALLEST; size--) {
    root.style.setProperty("--size", `${size}px`);
    if (!tight()) return;
  }
  root.style.setProperty("--size", `${SMALLEST}px`);
}

/** Move what stays from where it was to where it is. */
function ease({ kept }, before) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const [key, was] of before) {
    const made = kept.get(key);
    if (!made?.isConnected) continue;
    const is = made.getBoundingClientRect();
    const [dx, dy] = [was.x - is.x, was.y - is.y];
    if (Math.abs(dx) + Math.abs(dy) < 1 || !is.width) continue;
    made.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], MOTION);
  }
}

const moving = /^(token|chain|panel)\.[^.]+(\.\d+)?$/;

export default function draw(component) {
  const state = mount(component, "tallies", buildTallies);
  const before = [...state.kept].filter(([key]) => moving.test(key)).map(([key, made]) => [key, made.getBoundingClientRect()]);
  fill(state);
  fit(state);
  ease(state, before);
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
