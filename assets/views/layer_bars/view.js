/* Bars, a row for each layer, in one panel or in two side by side. They fill their room, and grow from one picture to the
   next. A bar leads from one number to another, so that parts can be stacked into a sum.

   data: { panels: [{ title, least, most, rows: [{ name, mark, from, to, text, note, kind, hue }] }], sum: text }.
   Kinds of row: plain, best, faint, open (still to come), total. Every text was formatted by core. */

import { element } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";

const ROOM = 15; // per cent of the scale, enough for a number

function buildBars(root) {
  root.classList.add("fills");
  const panels = element("div", "panels");
  const sum = element("p", "sum");
  root.append(panels, sum);
  return { panels, sum, made: [] };
}

/** Where a number is on a panel's scale, in per cent. */
function place({ least, most }, value) {
  return (100 * (value - least)) / (most - least);
}

function layRow(made, row, panel) {
  const { name, mark, from, to, text, note, kind, hue } = row;
  made.className = `row ${kind}`;
  made.dataset.mark = mark;
  made.style.setProperty("--hue", `var(--${hue})`);
  made.style.setProperty("--ink", `var(--ink-${hue})`);
  const [label, track] = made.children;
  const [title, small] = label.children;
  title.textContent = name;
  small.textContent = note;
  const [bar, zero, value] = track.firstChild.children;
  const [start, end] = [place(panel, Math.min(from, to)), place(panel, Math.max(from, to))];
  bar.style.insetInlineStart = `${start}%`;
  bar.style.inlineSize = `${end - start}%`;
  zero.style.insetInlineStart = `${place(panel, 0)}%`;
  const below = from === 0 && to < 0 && start > ROOM; // a negative number is on its bar's own side where there is room
  value.style.insetInlineStart = below ? "auto" : `calc(${end}% + 8px)`;
  value.style.insetInlineEnd = below ? `calc(${100 - start}% + 8px)` : "auto";
  value.textContent = text;
}

function makeRow() {
  const label = element("div", "label", element("span", "name"), element("span", "note"));
  const scale = element("div", "scale", element("i", "bar"), element("i", "zero"), element("b", "value"));
  return element("div", "row", label, element("div", "track", scale));
}

function layPanel(made, panel) {
  const [title, rows] = made.children;
  title.textContent = panel.title;
  while (rows.children.length > panel.rows.length) rows.lastChild.remove();
  while (rows.children.length < panel.rows.length) rows.append(makeRow());
  panel.rows.forEach((row, i) => layRow(rows.children[i], row, panel));
}

export default function draw(component) {
  const state = mount(component, "layer-bars", buildBars);
  const { data, panels } = state;
  while (panels.children.length > data.panels.length) panels.lastChild.remove();
  while (panels.children.length < data.panels.length) panels.append(element("section", "panel", element("p", "title"), element("div", "rows")));
  data.panels.forEach((panel, i) => layPanel(panels.children[i], panel));
  state.root.classList.toggle("two", data.panels.length > 1);
  state.root.classList.toggle("with-notes", data.panels.some(({ rows }) => rows.some(({ note }) => note)));
  state.sum.textContent = data.sum;
  return unmount(component.parentElement);
}
