/* What is built for a sentence: the columns of cells, with room for lines below and above them. */

import { drawn, element } from "../shared/element.js";
import { line } from "./drawing.js";

export function buildBoard(view) {
  const { words, states, notes } = view.data;
  const canvas = element("div", view.small ? "canvas small" : "canvas");
  canvas.style.width = `${view.tagWidth + words.length * view.column}px`;
  canvas.style.height = `${view.head + states.length * view.row + 6}px`;
  view.edges = drawn("svg", "");
  view.edges.setAttribute("aria-hidden", "true");
  view.edges.setAttribute("width", canvas.style.width);
  view.edges.setAttribute("height", canvas.style.height);
  canvas.append(view.edges);
  const below = drawn("g", "");
  view.above = drawn("g", "");
  view.edges.append(below, view.above);
  view.backLines = [];
  for (let t = 1; t < words.length; t++) {
    states.forEach((_, j) => {
      view.backLines.push([line(view, below, t, view.numbers.backpointers[t][j], j, "hidden"), t, j]);
    });
  }
  view.headers = words.map((word, t) => {
    const header = element("div", view.small ? "word upright" : "word", word);
    header.style.left = `${view.x(t) - view.column / 2}px`;
    header.style.width = `${view.column}px`;
    header.style.height = `${view.head}px`;
    header.title = `${view.data.first + t + 1}. ${word}${notes[t] ? ": " + notes[t] : ""}`;
    header.classList.toggle("unseen", view.data.unseen[t]);
    canvas.append(header);
    return header;
  });
  view.cells = words.map((_, t) => states.map((_, j) => buildCell(view, canvas, t, j)));
  const tags = element("div", "tags");
  const corner = element("div", "tag");
  corner.style.height = `${view.head}px`;
  tags.append(corner);
  states.forEach((state) => {
    const tag = element("div", "tag", state);
    tag.style.height = `${view.row}px`;
    tag.title = state;
    tags.append(tag);
  });
  const left = view.board.scrollLeft;
  view.board.replaceChildren(tags, canvas);
  view.board.scrollLeft = left;
}

export function buildCell(view, canvas, t, j) {
  const cell = element("div", "cell");
  cell.style.left = `${view.x(t) - view.box / 2}px`;
  cell.style.top = `${view.y(j) - view.boxHeight / 2}px`;
  cell.style.width = `${view.box}px`;
  cell.style.height = `${view.boxHeight}px`;
  cell.dataset.t = t;
  cell.dataset.j = j;
  cell.onclick = () => view.choose(t, j);
  canvas.append(cell);
  return cell;
}
