/* A batch's similarity matrix, with one row or column opened. Python sends everything (core/figures/images/one_space.py).

   data: { side, pictures, products, shares, rows, columns, partners, column, chosen, heading, terms, sum, note, bare }
   pictures: base64 of each row's side x side x 3 bytes; products: u_i . v_j; shares: each cell's probability, along the rows
   or, if `column`, along the columns; rows and columns: their losses; partners: for each row the column that belongs to it;
   chosen: the row or column that is opened; heading: which it is; terms: [{ words, similarity, share, right, number, isPicture }],
   one a cell of it; sum: its loss, worked out; note: what is said below.
   bare: a beat of a story, which fills its room; without terms there is the matrix alone.
   A press reports `open`, { column, chosen }: a row or column, by its head or its loss, or by a cell. */

import { faded, ink } from "../shared/colours.js";
import { button, element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { bytes, percent, written } from "../shared/numbers.js";
import { paint } from "../shared/pixels.js";

function pictureOf(state, number) {
  const canvas = element("canvas");
  paint(canvas, new Uint8Array(bytes(state.data.pictures[number])), state.data.side);
  return canvas;
}

function opener(state, className, words, name, column, chosen) {
  const made = button(className, words, () => state.report("open", { column, chosen }));
  made.setAttribute("aria-label", name);
  made.classList.toggle("opened", column === state.data.column && chosen === state.data.chosen);
  return made;
}

function cell(state, i, j) {
  const { data } = state;
  const share = data.shares[i][j];
  const name = translated("Picture {i}, sentence {j}: cosine {value}", { i: i + 1, j: j + 1, value: written(data.products[i][j], 2) });
  const made = opener(state, "cell", written(data.products[i][j], 2), name, data.column, data.column ? j : i);
  made.tabIndex = -1; // the heads and the losses lead there too, by keyboard
  made.classList.toggle("pair", data.partners[i] === j);
  made.style.background = faded("blue", share);
  made.style.color = ink(share);
  return made;
}

function matrix(state) {
  const { data } = state;
  const B = data.products.length;
  const head = [element("span", "corner", translated("image ↓ caption →"))];
  for (let j = 0; j < B; j += 1) head.push(opener(state, "head", String(j + 1), translated("Sentence {n}", { n: j + 1 }), true, j));
  head.push(element("span", "corner", "−ln p"));
  const parts = [...head];
  for (let i = 0; i < B; i += 1) {
    const row = opener(state, "head picture", "", translated("Picture {n}", { n: i + 1 }), false, i);
    row.append(pictureOf(state, i), element("span", "", String(i + 1)));
    parts.push(row);
    for (let j = 0; j < B; j += 1) parts.push(cell(state, i, j));
    parts.push(opener(state, "loss", written(data.rows[i], 2), translated("Loss of picture {n}", { n: i + 1 }), false, i));
  }
  parts.push(element("span", "corner", "−ln p"));
  for (let j = 0; j < B; j += 1) {
    parts.push(opener(state, "loss", written(data.columns[j], 2), translated("Loss of sentence {n}", { n: j + 1 }), true, j));
  }
  parts.push(element("span", "corner", ""));
  const grid = element("div", "matrix", ...parts);
  grid.style.setProperty("--size", String(B));
  return grid;
}

function term(state, each) {
  const bar = element("span", "bar");
  bar.style.width = `${(100 * each.share).toFixed(1)}%`;
  const name = element("span", "what", each.isPicture ? pictureOf(state, each.number) : "", each.words);
  return element(
    "li", each.right ? "right" : "",
    name,
    element("span", "number", `s = ${written(each.similarity, 2)}`),
    element("span", "share", bar, element("span", "percent", percent(each.share) || "0 %")),
  );
}

function build(root) {
  const state = { body: element("div", "batch-parts"), note: element("p", "note") };
  root.append(state.body, state.note);
  return state;
}

export default function draw(component) {
  const state = mount(component, "batch", build);
  const { data } = component;
  const held = state.root.getRootNode().activeElement?.getAttribute?.("aria-label");
  state.root.classList.toggle("fills", Boolean(data.bare));
  state.root.classList.toggle("alone", !data.terms.length);
  state.root.style.setProperty("--size", String(data.products.length));
  state.note.hidden = Boolean(data.bare);
  const opened = element(
    "div", "opened-line",
    element("h3", "", data.heading),
    element("ol", "", ...data.terms.map((each) => term(state, each))),
    element("p", "sum", data.sum),
  );
  state.body.replaceChildren(element("div", "scroll", matrix(state)), opened);
  state.note.textContent = data.note;
  if (held) [...state.body.querySelectorAll("button")].find((each) => each.getAttribute("aria-label") === held)?.focus();
  return unmount(component.parentElement);
}
