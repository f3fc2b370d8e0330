/* One query's keys in rows: each key's score as a bar from 0, and beside it the weight that the softmax makes of it.
   Panels stand one below the other on the same two scales. Bars grow from one picture to the next.

   data: { least, most, panels: [{ title, score, weight, rows: [{ name, mark, hue, kind, score, scoreText,
   weight, weightText, before, scoreBefore }] }] }. Every text was formatted by core. */

import { element } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";

function buildPanels(root) {
  root.classList.add("fills");
  const panels = element("div", "panels");
  root.append(panels);
  return { panels };
}

function makeRow() {
  const score = element("div", "track", element("i", "bar"), element("i", "before"), element("i", "zero"));
  const weight = element("div", "track", element("i", "bar"), element("i", "before"), element("i", "zero"));
  return element("div", "row", element("span", "name"), score, element("b", "text"), weight, element("b", "text"));
}

/** Lay a bar from 0 to a value, and an outline where it was before, on a scale in per cent. */
function layBar(track, value, before, place) {
  const [bar, outline, zero] = track.children;
  const lay = (made, to) => {
    const [start, end] = [place(Math.min(0, to)), place(Math.max(0, to))];
    made.style.insetInlineStart = `${start}%`;
    made.style.inlineSize = `${end - start}%`;
  };
  lay(bar, value ?? 0);
  bar.hidden = value === null;
  outline.hidden = before === null;
  if (before !== null) lay(outline, before);
  zero.style.insetInlineStart = `${place(0)}%`;
}

function layRow(made, row, { least, most }) {
  const { name, mark, hue, kind, score, scoreText, weight, weightText, before, scoreBefore } = row;
  made.className = `row ${kind}`;
  made.dataset.mark = mark;
  made.style.setProperty("--hue", `var(--${hue})`);
  made.style.setProperty("--ink", `var(--ink-${hue})`);
  const [label, scores, scoreWords, weights, weightWords] = made.children;
  label.textContent = name;
  layBar(scores, score, scoreBefore, (x) => (100 * (x - least)) / (most - least));
  scoreWords.textContent = scoreText;
  layBar(weights, weight, before, (x) => 100 * x);
  weightWords.textContent = weightText;
}

function makePanel() {
  const columns = element("div", "row head", element("span"), element("span", "of"), element("span"), element("span", "of"), element("span"));
  return element("section", "panel", element("p", "title"), columns, element("div", "rows"));
}

function layPanel(made, panel, data) {
  const [title, head, rows] = made.children;
  title.textContent = panel.title;
  head.children[1].textContent = panel.score;
  head.children[3].textContent = panel.weight;
  while (rows.children.length > panel.rows.length) rows.lastChild.remove();
  while (rows.children.length < panel.rows.length) rows.append(makeRow());
  panel.rows.forEach((row, i) => layRow(rows.children[i], row, data));
}

export default function draw(component) {
  const state = mount(component, "score-weights", buildPanels);
  const { data, panels } = state;
  while (panels.children.length > data.panels.length) panels.lastChild.remove();
  while (panels.children.length < data.panels.length) panels.append(makePanel());
  data.panels.forEach((panel, i) => layPanel(panels.children[i], panel, data));
  state.root.classList.toggle("two", data.panels.length > 1);
  return unmount(component.parentElement);
}
