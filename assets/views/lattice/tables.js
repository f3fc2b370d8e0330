/* Below the lattice: its scores and back pointers as tables, the searches side by side, the windows of a long sentence. */

import { element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { format, labelled, update } from "./format.js";
import { keepSearches } from "./kept.js";
import { tableRow } from "./panel.js";

export function buildTables(view) {
  const made = [
    ["scores", view.log ? translated("Scores (natural logarithms)") : translated("Scores (probabilities)")],
    ["back", translated("Backpointers")],
  ].map(([name, caption]) => {
    const whole = element("div");
    const frame = element("div", "scroll");
    frame.tabIndex = 0;
    frame.setAttribute("role", "region");
    frame.setAttribute("aria-label", caption);
    const table = element("table", name);
    table.style.width = `${view.tagWidth + 16 + 82 * view.data.words.length}px`;
    const header = tableRow(view, [translated("state"), ...view.data.words], true);
    table.append(header);
    view.data.states.forEach((state, j) => {
      const row = element("tr");
      row.append(element("th", "", state));
      view.data.words.forEach((_, t) => {
        const cell = element("td");
        cell.dataset.t = t;
        cell.dataset.j = j;
        cell.onclick = () => view.choose(t, j);
        row.append(cell);
      });
      table.append(row);
    });
    frame.append(table);
    whole.append(element("h2", "", caption), frame);
    return whole;
  });
  view.tables.replaceChildren(...made);
  view.tableCells = view.data.words.map((_, t) =>
    view.data.states.map((_, j) => view.tables.querySelectorAll(`td[data-t="${t}"][data-j="${j}"]`)),
  );
}

export function drawTableCells(view, t, j, filled, now, best, score) {
  const back = view.numbers.backpointers[t][j];
  const pointer = back < 0 ? translated("start") : view.data.states[back];
  const classes = [now && "now", best && "best", filled && !view.possible(t, j) && "impossible"];
  const [scores, pointers] = view.tableCells[t][j];
  update(scores, classes.filter(Boolean).join(" "), score);
  update(pointers, classes.filter(Boolean).join(" "), filled ? pointer : "");
}

export function drawDuel(view) {
  view.duel.replaceChildren(
    ...view.data.paths.map((path) => {
      const label = view.checkbox("", (on) => {
        if (on) view.shown.add(path.id);
        else view.shown.delete(path.id);
        keepSearches(view);
        view.draw();
      });
      label.classList.add("search");
      const box = label.firstChild;
      box.checked = view.shown.has(path.id);
      const swatch = element("span", "swatch");
      swatch.style.background = path.colour;
      const worth = `p = ${format(path.probability, false)}, ln p = ${format(path.log_probability, true)}`;
      const verdict = path.best ? ` · ${translated("finds a best path")}` : ` · ${translated("misses the best path")}`;
      const cost = translated("{nodes} nodes, {products} products", { nodes: path.nodes, products: path.products });
      label.append(swatch, element("b", "", path.name), element("span", "", ` ${worth} · ${cost}${path.id === "viterbi" ? "" : verdict}`));
      return label;
    }),
  );
}

export function drawWindows(view) {
  const { windows, first, words, total } = view.data;
  view.windows.hidden = windows.length < 2;
  const at = windows.indexOf(first);
  const move = (first) => view.report("first", first);
  const earlier = labelled(`‹ ${translated("earlier words")}`, translated("Show the words before these"), () => move(windows[at - 1]));
  const later = labelled(`${translated("later words")} ›`, translated("Show the words after these"), () => move(windows[at + 1]));
  earlier.disabled = at <= 0;
  later.disabled = at === windows.length - 1;
  const text = translated("words {first} to {last} of {total}", { first: first + 1, last: first + words.length, total });
  view.windows.replaceChildren(earlier, element("span", "", text), later);
}
