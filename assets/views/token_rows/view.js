/* The same passage cut several ways: a row of boxes for each. In a lab what is pointed at, by mouse or arrow key, is
   explained; in a story the rows fill their room.

   data: { rows: [{ name, said, total, tokens: [[shown, id, bytes in hex, 1 where it is unknown, 2 where it is new]] }], ids, sum }
   Ids and bytes are core's. With `ids` a token has its id below it; `total` stands large at a row's end. Marks: row.r,
   token.r.i. It returns nothing. */

import { element } from "../shared/element.js";
import { comeFrom } from "../shared/kept.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";

const TELL = translated("Point at a token, or go along a row by arrow key: its id and its bytes.");
const [SMALLEST, LARGEST, LARGEST_NARROW, NARROW] = [14, 34, 22, 560]; // pixels

function explained([shown, id, bytes, unknown]) {
  return translated(
    unknown === 1 ? "“{shown}” is not in the vocabulary: <unk>, id {id}; in UTF-8 {bytes}" : "“{shown}” has id {id}; in UTF-8 {bytes}",
    { shown, id, bytes },
  );
}

const KINDS = ["token", "token unknown", "token fresh"];

function makeBoxes(tokens, r, ids) {
  return tokens.map(([shown, id, , kind], i) => {
    const box = element("span", KINDS[kind], element("span", "", shown));
    if (ids) box.append(element("small", "id", id.toLocaleString("en")));
    box.dataset.mark = `token.${r}.${i}`;
    return box;
  });
}

/** Let a row be gone along by mouse and arrow keys. */
function explain(line, boxes, name, tokens, tell) {
  let place = -1;
  const point = (to) => {
    boxes[place]?.classList.remove("pointed-at");
    place = Math.max(0, Math.min(to, boxes.length - 1));
    boxes[place]?.classList.add("pointed-at");
    if (tokens[place]) tell(explained(tokens[place]));
  };
  line.tabIndex = 0;
  line.setAttribute("role", "group");
  line.setAttribute("aria-label", translated("In {name}; left and right arrow go from token to token", { name }));
  boxes.forEach((box, i) => (box.onpointerenter = () => point(i)));
  line.onkeydown = (event) => {
    const to = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: tokens.length - 1 }[event.key];
    if (to === undefined || event.altKey) return;
    event.preventDefault();
    point(to);
  };
}

function makeRow({ name, said, total, tokens }, r, ids, tell) {
  const boxes = makeBoxes(tokens, r, ids);
  const line = element("div", "boxes", ...boxes);
  if (tell) explain(line, boxes, name, tokens, tell);
  const head = element("p", "name", element("b", "", name), said ? ` ${said}` : "");
  const row = element("div", "way", head, line, ...(total ? [element("b", "total", total)] : []));
  row.dataset.mark = `row.${r}`;
  return row;
}

function buildRows(root) {
  /** @type {any} */
  const state = { root };
  state.watch = new ResizeObserver(() => fit(state));
  state.watch.observe(root);
  return state;
}

/** The largest letters with which all rows have room. */
function fit({ root, data }) {
  if (!data?.bare) return;
  const narrow = root.clientWidth < NARROW;
  root.classList.toggle("narrow", narrow);
  for (let size = narrow ? LARGEST_NARROW : LARGEST; size >= SMALLEST; size--) {
    root.style.setProperty("--size", `${size}px`);
    if (root.scrollHeight <= root.clientHeight + 1 && root.scrollWidth <= root.clientWidth + 1) return;
  }
}

/** Where each token of a story's rows stands, by its row's name, its text and which one of its kind it is. */
function standing(root, rows) {
  const found = new Map();
  [...root.querySelectorAll(".boxes")].forEach((line, r) =>
    [...line.children].forEach((box) => {
      const kind = `${rows[r].name} ${box.firstChild.textContent}`;
      let n = 0;
      while (found.has(`${kind} ${n}`)) n++;
      found.set(`${kind} ${n}`, { box, at: box.getBoundingClientRect() });
    }),
  );
  return found;
}

/** Let each token that was there before come from its old place, and a new one appear. */
function move(state, before) {
  if (!before.size) return;
  for (const [key, { box }] of standing(state.root, state.rows)) comeFrom(box, before.get(key)?.at);
}

export default function draw(component) {
  const state = mount(component, "token-rows", buildRows);
  const { data, root } = state;
  const before = data.bare && state.rows ? standing(root, state.rows) : new Map();
  state.rows = data.rows;
  root.classList.toggle("fills", Boolean(data.bare));
  const pointed = element("p", "pointed", TELL);
  pointed.setAttribute("aria-live", "polite");
  const tell = data.bare ? null : (words) => (pointed.textContent = words);
  const rows = data.rows.map((each, r) => makeRow(each, r, data.ids, tell));
  root.replaceChildren(...rows, ...(data.sum ? [element("p", "sum", data.sum)] : []), ...(data.bare ? [] : [pointed]));
  fit(state);
  move(state, before);
  document.fonts?.ready.then(() => fit(state));
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
