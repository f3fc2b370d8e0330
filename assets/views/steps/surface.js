/* A loss over two weights, in bands of equal height like a map, with the way down so far and the lowest place. */

import { faded } from "../shared/colours.js";
import { drawn, element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { decoded, written } from "../shared/numbers.js";
import { bandsOf, roundPlaces } from "./compute.js";

const [PLOT, ASIDE, BELOW, ABOVE, TICKS] = [252, 64, 50, 10, 5]; // pixels: its height, what stands around it; labels
const THICK = 3; // pixels: a row of the bands
const GROUNDS = new WeakMap(); // the bands of what was sent, drawn once

/**
 * @param {any} picture { at }: how many steps have been taken
 * @param {number} width pixels that there are
 * @param {(words: string) => void} tell says what the pointer is on
 * @param {any} shared { values, side, levels, reach: [[from, to], [from, to]], names, path, least: [w, w] | null }
 * @returns {any}
 */
export function surface({ at }, width, tell, shared) {
  const { side, reach, names, least } = shared;
  const [wide, high] = [width - ASIDE - 10, PLOT];
  const svg = drawn("svg", "surface", { width, height: ABOVE + high + BELOW, viewBox: `0 0 ${width} ${ABOVE + high + BELOW}` });
  svg.setAttribute("aria-hidden", "true");
  const values = decoded(shared.values);
  const x = (w) => ASIDE + (wide * (w - reach[0][0])) / (reach[0][1] - reach[0][0]);
  const y = (w) => ABOVE + high - (high * (w - reach[1][0])) / (reach[1][1] - reach[1][0]);
  svg.append(ground(shared, values, wide, high));
  const [first, second] = reach.map(([from, to]) => roundPlaces(from, to, TICKS));
  for (const w of first) svg.append(drawn("text", "", { x: x(w), y: ABOVE + high + 20, "text-anchor": "middle" }, tick(w)));
  for (const w of second) svg.append(drawn("text", "", { x: ASIDE - 6, y: y(w) + 6, "text-anchor": "end" }, tick(w)));
  svg.append(drawn("text", "", { x: ASIDE + wide / 2, y: ABOVE + high + 43, "text-anchor": "middle" }, translated("weight of {name}", { name: names[0] })));
  const turned = { transform: `translate(15 ${ABOVE + high / 2}) rotate(-90)`, "text-anchor": "middle" };
  svg.append(drawn("text", "", turned, translated("weight of {name}", { name: names[1] })));
  const flat = decoded(shared.path);
  const places = Array.from({ length: at + 1 }, (_, i) => [x(flat[2 * i]), y(flat[2 * i + 1])]);
  const clip = drawn("svg", "", { x: ASIDE, y: ABOVE, width: wide, height: high, viewBox: `${ASIDE} ${ABOVE} ${wide} ${high}` });
  clip.append(drawn("polyline", "way", { points: places.map((place) => place.join(",")).join(" ") }));
  places.forEach(([cx, cy], i) => clip.append(drawn("circle", i === at ? "here" : "been", { cx, cy, r: i === at ? 8 : 4 })));
  if (least) clip.append(drawn("path", "least", { d: `M ${x(least[0]) - 8} ${y(least[1]) - 8} l 16 16 m 0 -16 l -16 16` }));
  svg.append(clip);
  svg.onpointermove = (event) => {
    const box = svg.getBoundingClientRect();
    const share = [(event.clientX - box.left - ASIDE) / wide, 1 - (event.clientY - box.top - ABOVE) / high];
    if (share.some((each) => each < 0 || each > 1)) return tell("");
    const [column, row] = share.map((each) => Math.round(each * (side - 1)));
    const here = reach.map(([from, to], i) => from + ((to - from) * [column, row][i]) / (side - 1));
    return tell(`${names[0]} ${written(here[0], 2)}, ${names[1]} ${written(here[1], 2)}: J = ${written(values[row * side + column], 2)}`);
  };
  return element("div", "", svg);
}

const tick = (w) => String(w).replace("-", "−");

/* The bands, as wide and high as asked. */
function ground(shared, values, wide, high) {
  const known = GROUNDS.get(shared);
  if (known?.wide === wide) return known.drawing;
  const { side, levels } = shared;
  const drawing = drawn("g", "ground");
  const lines = high / THICK;
  for (let line = 0; line < lines; line += 1) {
    const place = ((line + 0.5) * (side - 1)) / lines;
    const [low, part] = [Math.floor(place), place % 1];
    const heights = Array.from({ length: side }, (_, i) => values[low * side + i] * (1 - part) + values[(low + 1) * side + i] * part);
    for (const { from, to, band } of bandsOf(heights, levels)) {
      const at = { x: ASIDE + (wide * from) / (side - 1), width: (wide * (to - from)) / (side - 1) };
      const top = ABOVE + high - THICK * (line + 1);
      const run = drawn("rect", "", { ...at, y: top, height: THICK });
      run.style.fill = faded("blue", 0.85 * (1 - band / levels.length));
      drawing.append(run);
    }
  }
  GROUNDS.set(shared, { wide, drawing });
  return drawing;
}
