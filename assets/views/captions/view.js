/* Captions of one picture, word by word, each column a captioner's: its words, the picture under squares that say how much
   of something lies on each patch at this word, and the likeliest words there. Python sends everything
   (core/figures/images/captions.py).

   data: { side, across, pixels, hidden, chosen, note, total, columns: [{ title, values, press, words, wrong, p, likeliest }],
           and what shared/sent_bar.js reads }
   pixels, hidden, chosen: as shared/patch_board.js says; total: the most words of a column; values: base64 of float32,
   words x patches; wrong: the step at which the words leave the right ones, or -1; likeliest: [[word, p]] a step.
   A column whose caption is over stays at its last word. It reports `hide`, the place whose patch is painted over or
   shown again. bare: a beat of a story shows one step, fills its room, and has the words of the first column only; squares
   that stay go to their new size. */

import { button, element } from "../shared/element.js";
import { play } from "../shared/kept.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { bytes, decoded, probability } from "../shared/numbers.js";
import { patchBoard } from "../shared/patch_board.js";
import { sentBar } from "../shared/sent_bar.js";
import { panelAt } from "./compute.js";

function wordsOf(state, column, at) {
  const list = element("div", "words");
  column.words.forEach((word, i) => {
    const made = button(i > at ? "word ahead" : "word", word, () => state.bar.go(i));
    made.classList.toggle("now", i === at);
    made.classList.toggle("wrong", i === column.wrong);
    made.setAttribute("aria-pressed", String(i === at));
    if (i === column.wrong) made.title = translated("here it leaves the right caption");
    list.append(made);
  });
  return list;
}

function likeliestOf(column, at) {
  const rows = column.likeliest[at].map(([word, p]) => {
    const bar = element("span", "bar");
    bar.style.width = `${100 * p}%`;
    const row = element("div", "row", element("span", "name", word), element("span", "room", bar));
    row.append(element("span", "p", probability(p)));
    row.classList.toggle("given", word === column.words[at]);
    return row;
  });
  const list = element("div", "likeliest", ...rows);
  list.setAttribute("role", "img");
  const said = column.likeliest[at].map(([word, p]) => `${word} ${probability(p)}`).join(", ");
  list.setAttribute("aria-label", translated("The likeliest words and their probabilities: {words}", { words: said }));
  return list;
}

function columnAt(state, column, step) {
  const at = Math.min(step, column.words.length - 1);
  const panel = panelAt(column, state.decodedValues.get(column), at, state.data.across ** 2);
  const both = element("div", "both", patchBoard(state, panel), likeliestOf(column, at));
  return element("section", "column", wordsOf(state, column, at), both);
}

/* One step that fills the room: the words, and below them the picture of each column. */
function showBare(state, at) {
  const { columns } = state.data;
  const boards = columns.map((column) => {
    const panel = panelAt(column, state.decodedValues.get(column), at, state.data.across ** 2);
    return element("section", "column", patchBoard(state, panel));
  });
  const said = columns[0].words.map((word, i) => {
    const made = element("span", "word", word);
    made.classList.toggle("now", i === at);
    made.classList.toggle("ahead", i > at);
    made.classList.toggle("wrong", i === columns[0].wrong);
    return made;
  });
  const words = element("p", "words", ...said);
  words.hidden = !said.length;
  state.body.style.setProperty("--columns", columns.length);
  const sizes = sizesOf(state.body);
  state.body.replaceChildren(words, ...boards);
  grow(state.body, sizes);
}

function sizesOf(body) {
  return [...body.querySelectorAll(".board")].map((board) =>
    [...board.querySelectorAll(".cell")].map((cell) => Number.parseFloat(cell.querySelector(".mark")?.style.getPropertyValue("--size") ?? "0")),
  );
}

/* Each square goes from the size that it had to the one that it has. */
function grow(body, before) {
  [...body.querySelectorAll(".board")].forEach((board, i) => {
    if (!before[i]) return;
    board.querySelectorAll(".cell").forEach((cell, place) => {
      const mark = cell.querySelector(".mark");
      if (!mark) return;
      const was = before[i][place] / Number.parseFloat(mark.style.getPropertyValue("--size"));
      play(mark, [{ scale: was }, { scale: 1 }]);
    });
  });
}

function show(state, at) {
  const held = state.body.contains(state.root.getRootNode().activeElement);
  state.body.replaceChildren(...state.data.columns.map((column) => columnAt(state, column, at)));
  if (held) state.body.querySelectorAll("button.cell")[state.focused]?.focus();
  else state.note.textContent = state.data.note;
}

function build(root) {
  const state = {
    body: element("div", "columns"), note: element("p", "note"), steps: element("div"), focused: 0, bar: null,
    sentSteps: 0,
  };
  state.note.setAttribute("aria-live", "polite");
  root.append(state.steps, state.body, state.note);
  return state;
}

export default function draw(component) {
  const state = mount(component, "captions", build);
  const { data } = component;
  state.pixels = new Uint8Array(bytes(data.pixels));
  state.decodedValues = new Map(data.columns.map((column) => [column, decoded(column.values)]));
  state.root.classList.toggle("fills", Boolean(data.bare));
  state.note.hidden = Boolean(data.bare);
  if (data.bare) {
    showBare(state, data.start);
    return unmount(component.parentElement);
  }
  sentBar(state, data, {
    steps: data.total,
    label: translated("Word"),
    pace: 1100,
    show: (at) => show(state, at),
    say: (at) => translated("Word {n} of {total}", { n: at + 1, total: data.total }),
  });
  state.bar.keys(state.steps);
  state.steps.replaceChildren(state.bar.root);
  return () => {
    state.bar.pause();
    unmount(component.parentElement)();
  };
}
