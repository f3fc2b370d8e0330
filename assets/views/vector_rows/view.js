/* Vectors below one another, a row each: a strip with a cell for every number, blue above 0 and vermillion below. Right of a
   strip stands what becomes of it. Rows stay in their places from one picture to the next.

   data: { rows: [{ name, note, hue, kind, cells, most, text, mark, parts }], sum }. `cells` are numbers, `most` is the one with the
   deepest colour. Kinds of row: plain, faint, sum (below a line), total. `parts` is how many equal parts a strip has, with a gap between
   them. Every text was formatted by core. Marks: each row's own. */

import { element } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";

function buildRows(root) {
  root.classList.add("fills");
  const [rows, sum] = [element("div", "rows"), element("p", "sum")];
  root.append(rows, sum);
  return { rows, sum };
}

function makeRow() {
  const label = element("div", "label", element("span", "name"), element("span", "note"));
  return element("div", "row", label, element("div", "strip"), element("b", "value"));
}

function layRow(made, { name, note, hue, kind, cells, most, text, mark, parts }) {
  made.className = `row ${kind}`;
  made.dataset.mark = mark;
  made.style.setProperty("--hue", hue ? `var(--${hue})` : "var(--st-text-color)");
  made.style.setProperty("--ink", hue ? `var(--ink-${hue})` : "var(--st-text-color)");
  const [label, strip, value] = made.children;
  label.firstChild.textContent = name;
  label.lastChild.textContent = note;
  value.textContent = text;
  while (strip.children.length > cells.length) strip.lastChild.remove();
  while (strip.children.length < cells.length) strip.append(element("i", ""));
  const each = cells.length / (parts || 1);
  cells.forEach((number, i) => {
    const cell = strip.children[i];
    const share = most ? Math.min(1, Math.abs(number) / most) : 0;
    cell.dataset.value = String(number);
    cell.className = parts > 1 && i && i % each === 0 ? "first" : "";
    cell.style.backgroundColor = `color-mix(in srgb, var(--${number < 0 ? "vermillion" : "blue"}) ${(100 * share).toFixed(1)}%, var(--st-background-color))`;
  });
}

export default function draw(component) {
  const { data, rows, sum, root } = mount(component, "vector-rows", buildRows);
  while (rows.children.length > data.rows.length) rows.lastChild.remove();
  while (rows.children.length < data.rows.length) rows.append(makeRow());
  data.rows.forEach((row, i) => layRow(rows.children[i], row));
  root.classList.toggle("valued", data.rows.some(({ text }) => text));
  sum.textContent = data.sum ?? "";
  return unmount(component.parentElement);
}
