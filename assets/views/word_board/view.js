/* Lists of words side by side: a row for each list, a card for each of its words. The card is the fuller the more lists
   hold the word; some letters of a word may stand out.

   data: { asked, rows: [{ key, name, note, words: [{ text, lit: [start, end], level, note }] }], key: [{ level, text }] }.
   A level is 0, 1 or 2. On a bench a card can be chosen: the event "chosen" has its place, counted over all rows. Every
   text was formatted by core. */

import { element } from "../shared/element.js";
import { keyed } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";

function buildBoard(root) {
  root.classList.add("fills");
  const asked = element("p", "asked");
  const rows = element("div", "rows");
  const key = element("p", "key");
  root.append(asked, rows, key);
  return { asked, rows, key, kept: new Map() };
}

function makeRow() {
  const label = element("div", "label", element("b", "name"), element("span", "note"));
  return element("div", "row", label, element("div", "words"));
}

function makeCard(state, { text, lit: [start, end], level, note }, place) {
  const parts = [text.slice(0, start), end > start ? element("b", "letters", text.slice(start, end)) : "", text.slice(end), note ? element("small", "", note) : ""];
  const card = element(state.data.bare ? "span" : "button", `card level-${level}`, ...parts);
  if (!state.data.bare) card.onclick = () => state.report("chosen", place);
  return card;
}

function layRow(state, made, { key, name, note, words, first }) {
  const [label, cards] = made.children;
  made.dataset.mark = `row.${key}`;
  label.children[0].textContent = name;
  label.children[1].textContent = note;
  const drawn = words.map((word, i) => {
    const card = makeCard(state, word, first + i);
    card.dataset.mark = `word.${key}.${i}`;
    return card;
  });
  cards.replaceChildren(...drawn);
}

function drawKey({ level, text }) {
  return element("span", "entry", element("i", `card level-${level}`), text);
}

export default function draw(component) {
  const state = mount(component, "word-board", buildBoard);
  const { data, asked, rows, key, kept } = state;
  state.root.classList.toggle("bench", !data.bare);
  asked.textContent = data.asked;
  let first = 0;
  const placed = data.rows.map((row) => ({ ...row, first: (first += row.words.length) - row.words.length }));
  keyed(kept, placed, makeRow, rows, (made, row) => layRow(state, made, row));
  key.replaceChildren(...data.key.map(drawKey));
  return unmount(component.parentElement);
}
