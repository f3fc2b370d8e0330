/* A concordance: lines of a text, one below another, with the same word in the middle and its neighbours on both sides. The
   word may be hidden. It fills its room.

   data: { lines: [{ key, before: [text], word, after: [text], note }], hidden, titles: { before, word, after } }. A hidden word is
   drawn as a gap. Every text was formatted by core. Marks: line.key, before.key, after.key, word.key. */

import { element } from "../shared/element.js";
import { fadeIn, keyed } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";

function buildLines(root) {
  root.classList.add("fills");
  const head = element("div", "line head", element("span", "before"), element("span", "word"), element("span", "after"));
  const lines = element("div", "lines");
  root.append(head, lines);
  return { head, lines, kept: new Map() };
}

function makeLine({ key }) {
  const line = element("div", "line", element("span", "before"), element("b", "word"), element("span", "after"), element("small", "note"));
  line.dataset.mark = `line.${key}`;
  ["before", "word", "after"].forEach((part, i) => (line.children[i].dataset.mark = `${part}.${key}`));
  return line;
}

function layLine(made, { before, word, after, note }, hidden) {
  const [left, middle, right, small] = made.children;
  left.textContent = before.join(" ");
  right.textContent = after.join(" ");
  small.textContent = note;
  const shown = hidden ? "?" : word;
  middle.classList.toggle("gap", hidden);
  if (middle.textContent !== shown) fadeIn(middle, 450).textContent = shown;
}

export default function draw(component) {
  const state = mount(component, "concordance", buildLines);
  const { lines, hidden, titles } = state.data;
  ["before", "word", "after"].forEach((part, i) => (state.head.children[i].textContent = titles[part]));
  keyed(state.kept, lines, makeLine, state.lines, (made, line) => layLine(made, line, hidden));
  return unmount(component.parentElement);
}
