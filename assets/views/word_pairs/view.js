/* Sentences with the window around a word in each, and rows of pairs with bars below. It fills its room.

   data: { sentences: [{ label, hue, tokens: [{ text, kind }], arcs }], title, rows: [{ name, note, mark, bars: [{ share, text, hue, kind }] }],
   ends: [text, text], key: [{ hue, kind, text }], links: [[i, j]] }. A link is a line from token i of the first sentence to token j
   of the second. Kinds of token: plain (outside the window), centre, near, focus (the pair that is
   looked at), other (near in this sentence only). With `arcs` a numbered arc leads from the centre to each near word, where the sentence is in one
   line. A row without bars is a pair alone. A bar's `share` is from 0 to 1, between the two `ends`; kinds of bar: plain, hollow.
   Every text was formatted by core. Marks: token.sentence.place, each row's own. */

import { drawn, element } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";

function buildPairs(root) {
  root.classList.add("fills");
  const parts = Object.fromEntries(["sentences", "title", "ends", "rows", "key"].map((name) => [name, element("div", name)]));
  root.append(...Object.values(parts));
  /** @type {any} */
  const state = { root, parts };
  state.watch = new ResizeObserver(() => {
    if (!state.data) return;
    layArcs(state);
    layLinks(state);
  });
  state.watch.observe(root);
  return state;
}

function laySentences({ data, parts }) {
  const { sentences } = parts;
  sentences.querySelector(".links")?.remove();
  while (sentences.children.length > data.sentences.length) sentences.lastChild.remove();
  while (sentences.children.length < data.sentences.length) {
    sentences.append(element("div", "sentence", element("span", "label"), element("div", "tokens")));
  }
  data.sentences.forEach(({ label, hue, tokens }, s) => {
    const [name, line] = [sentences.children[s].firstChild, sentences.children[s].lastChild]; // arcs may be between them
    name.textContent = label;
    sentences.children[s].style.setProperty("--hue", `var(--${hue})`);
    while (line.children.length > tokens.length) line.lastChild.remove();
    while (line.children.length < tokens.length) line.append(element("span", "token"));
    tokens.forEach(({ text, kind }, i) => {
      line.children[i].className = `token ${kind}`;
      line.children[i].textContent = text;
      line.children[i].dataset.mark = `token.${s}.${i}`;
    });
  });
}

/** Draw the arcs above a sentence that is in one line. */
function layArcs({ data, parts, root }) {
  data.sentences.forEach(({ tokens, arcs }, s) => {
    const box = parts.sentences.children[s];
    box.querySelector(".arcs")?.remove();
    const line = box.lastChild;
    box.classList.remove("arched");
    if (!arcs) return;
    const middle = (/** @type {any} */ made) => made.offsetLeft + made.offsetWidth / 2;
    if (new Set([...line.children].map((/** @type {any} */ made) => made.offsetTop)).size > 1) return;
    box.classList.add("arched");
    const high = Math.min(210, root.clientHeight * 0.36);
    const rise = (high - 24) / Math.max(1, ...tokens.map(({ kind }, i) => (kind === "near" || kind === "focus" ? Math.abs(i - tokens.findIndex((each) => each.kind === "centre")) : 0)));
    const svg = drawn("svg", "arcs", { width: line.offsetWidth, height: high, "aria-hidden": "true" });
    const centre = tokens.findIndex(({ kind }) => kind === "centre");
    const near = tokens.map(({ kind }, i) => ({ kind, i })).filter(({ kind }) => kind === "near" || kind === "focus");
    const start = middle(line.children[centre]) - line.offsetLeft;
    near.forEach(({ i, kind }, n) => {
      const end = middle(line.children[i]) - line.offsetLeft;
      const bend = high - rise * 1.25 * Math.abs(i - centre) - 8;
      svg.append(drawn("path", `arc ${kind}`, { d: `M${start} ${high}C${start} ${bend},${end} ${bend},${end} ${high - 9}` }));
      svg.append(drawn("path", `tip ${kind}`, { d: `M${end} ${high}l-7 -13h14z` }));
      svg.append(drawn("text", "number", { x: end, y: high - 20, "text-anchor": "middle" }, n + 1));
    });
    box.insertBefore(svg, line);
  });
}

/** Draw the lines between tokens of the first two sentences, below their boxes. */
function layLinks({ data, parts }) {
  const { sentences } = parts;
  sentences.querySelector(".links")?.remove();
  if (!data.links?.length) return;
  const origin = sentences.getBoundingClientRect();
  const svg = drawn("svg", "links", { width: origin.width, height: origin.height, "aria-hidden": "true" });
  const box = (s, i) => sentences.children[s].lastChild.children[i].getBoundingClientRect();
  data.links.forEach(([i, j]) => {
    const [from, to] = [box(0, i), box(1, j)];
    const x = (each) => each.left + each.width / 2 - origin.left;
    svg.append(drawn("path", "link", { d: `M ${x(from)} ${from.bottom - origin.top} L ${x(to)} ${to.top - origin.top}` }));
  });
  sentences.append(svg);
}

function makeRow() {
  return element("div", "row", element("span", "name"), element("span", "note"), element("div", "bars"));
}

function layRow(made, { name, note, mark, bars }) {
  const [label, more, lines] = made.children;
  made.dataset.mark = mark;
  made.classList.toggle("barred", bars.length > 0);
  label.textContent = name;
  more.textContent = note;
  while (lines.children.length > bars.length) lines.lastChild.remove();
  while (lines.children.length < bars.length) lines.append(element("div", "line", element("div", "track", element("i", "bar")), element("b", "value")));
  bars.forEach(({ share, text, hue, kind }, i) => {
    const line = lines.children[i];
    line.style.setProperty("--hue", `var(--${hue})`);
    line.firstChild.firstChild.className = `bar ${kind}${share ? "" : " none"}`;
    line.firstChild.firstChild.style.width = `${(100 * share).toFixed(2)}%`;
    line.lastChild.textContent = text;
  });
}

export default function draw(component) {
  const state = mount(component, "word-pairs", buildPairs);
  const { data, parts, root } = state;
  laySentences(state);
  parts.title.textContent = data.title;
  parts.ends.replaceChildren(...data.ends.map((text) => element("span", "", text)));
  while (parts.rows.children.length > data.rows.length) parts.rows.lastChild.remove();
  while (parts.rows.children.length < data.rows.length) parts.rows.append(makeRow());
  data.rows.forEach((row, i) => layRow(parts.rows.children[i], row));
  root.classList.toggle("linked", Boolean(data.links?.length));
  root.classList.toggle("listed", data.rows.every(({ bars }) => !bars.length));
  root.classList.toggle("many", data.sentences.length > 1);
  root.classList.toggle("few", data.sentences.length > 1 && data.rows.length <= 4);
  parts.key.replaceChildren(
    ...data.key.map(({ hue, kind, text }) => {
      const item = element("span", "item", element("i", `swatch ${kind}`), text);
      item.style.setProperty("--hue", `var(--${hue})`);
      return item;
    }),
  );
  layArcs(state);
  layLinks(state);
  return unmount(component.parentElement);
}
