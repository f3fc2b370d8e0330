/* A text coloured by surprisal, once for each model: in one panel, in panels side by side, or in rows below one another. The
   text is as large as its room allows. Above it is the scale of the colour. A frame holds some characters together, with
   what they cost beside them.

   data: { layout: one, columns or rows-below, key: { label, least, most }, rows: [{ name, mark, note, hue, best,
           cells: [{ text, share, ends }], frames: [{ from, to, text, mark }] }] }.
   A cell's share is that of the strongest colour; a line ends behind a cell that `ends`. Texts were formatted by core. */

import { faded } from "../shared/colours.js";
import { element } from "../shared/element.js";
import { fadeIn } from "../shared/kept.js";
import { mount, unmount } from "../shared/mount.js";

const STRONGEST = 0.62; // opacity: text in the page's own colour stays legible on it
const [LARGEST, SMALLEST] = [46, 14]; // pixels

function buildLines(root) {
  root.classList.add("fills");
  const key = element("p", "key", element("b", "label"), element("span", "least"), element("i", "scale"), element("span", "most"));
  const rows = element("div", "rows");
  root.append(key, rows);
  const state = { root, key, rows };
  state.watch = new ResizeObserver(() => state.data && fit(state));
  state.watch.observe(rows);
  state.refit = () => state.data && fit(state);
  document.fonts?.addEventListener("loadingdone", state.refit); // letters of another font have another width
  return state;
}

function makeCell({ text, share }, mark) {
  const cell = element("span", "cell", text);
  cell.dataset.mark = mark;
  cell.style.backgroundColor = faded("vermillion", STRONGEST * share);
  return cell;
}

/** A row's characters, those of a frame held together. */
function makeText({ cells, frames, mark }) {
  const text = element("p", "text");
  let box = text;
  cells.forEach((cell, i) => {
    const frame = frames.find(({ from }) => from === i);
    if (frame) {
      box = element("span", "frame");
      box.dataset.mark = frame.mark;
      text.append(box);
    }
    box.append(makeCell(cell, `${mark}.${i}`));
    const done = frames.find(({ to }) => to === i);
    if (done) {
      box = text;
      text.append(element("b", "cost", done.text));
    }
    if (cell.ends) box.append(element("br"));
  });
  return text;
}

function makeRow(row) {
  const head = element("p", "head", element("b", "name", row.name), element("span", "note", row.note));
  const made = element("section", row.best ? "row best" : "row", head, makeText(row));
  made.dataset.mark = row.mark;
  made.style.setProperty("--hue", `var(--${row.hue})`);
  return made;
}

/** Write as large as the room allows. Side by side and below one another a line is broken only where it fits in no size. */
function fit(state) {
  const { rows, root, data } = state;
  const write = (size) => root.style.setProperty("--size", `${size}px`);
  const fits = () => rows.scrollHeight <= rows.clientHeight + 1 && [...rows.querySelectorAll(".text")].every((text) => text.scrollWidth <= text.clientWidth + 1);
  for (const unbroken of data.layout === "one" ? [false] : [true, false]) {
    rows.classList.toggle("unbroken", unbroken);
    for (let size = LARGEST; size >= SMALLEST; size -= 1) {
      write(size);
      if (fits()) return;
    }
  }
}

export default function draw(component) {
  const state = mount(component, "surprisal-lines", buildLines);
  const { data, key, rows, root } = state;
  const [label, least, scale, most] = key.children;
  label.textContent = data.key.label;
  least.textContent = data.key.least;
  most.textContent = data.key.most;
  scale.style.background = `linear-gradient(to right, ${faded("vermillion", 0)}, ${faded("vermillion", STRONGEST)})`;
  rows.className = `rows ${data.layout}`;
  rows.replaceChildren(...data.rows.map(makeRow));
  if (root.dataset.drawn) fadeIn(rows, 300);
  root.dataset.drawn = "true";
  fit(state);
  return () => {
    state.watch.disconnect();
    document.fonts?.removeEventListener("loadingdone", state.refit);
    unmount(component.parentElement)();
  };
}
