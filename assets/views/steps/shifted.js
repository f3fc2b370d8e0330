/* A window of characters above its target, the same one to the right, and below them the surprise of each target. */

import { drawn, element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { written } from "../shared/numbers.js";
import { roundPlaces } from "./compute.js";

const [OF_AXIS, CELL, OF_ROW] = [64, 23, 56]; // pixels: left of the first character; a character at least, so that 12 are seen on a phone; a row
const [OF_LOSSES, AROUND] = [150, 12]; // pixels: the highest bar; above and below the bars
const MANY = 24; // characters; of more each is small

/**
 * @param {any} picture { at }: the position, from 0
 * @param {number} width pixels that there are
 * @param {(words: string) => void} tell says what the pointer is on
 * @param {any} shared { x, y: [[character, its number]], losses, mean: null before all is guessed, T, forgetful }
 * @returns {any}
 */
export function shifted({ at }, width, tell, { x, y, losses, mean, T, forgetful }) {
  const cell = Math.max(CELL, (width - OF_AXIS - 8) / T);
  const [wide, floor] = [Math.max(width, OF_AXIS + cell * T + 8), 2 * OF_ROW + AROUND + OF_LOSSES];
  const height = floor + AROUND;
  const svg = drawn("svg", T > MANY ? "many" : "", { width: wide, height, viewBox: `0 0 ${wide} ${height}` });
  svg.setAttribute("aria-hidden", "true");
  const left = (t) => OF_AXIS + cell * t;
  const first = forgetful ? at : 0;
  const write = (words, across, down, name, anchor = "middle") => svg.append(drawn("text", name, { x: across, y: down, "text-anchor": anchor }, words));
  const frame = (from, to, row, name) => svg.append(drawn("rect", name, { x: left(from) + 1, y: row * OF_ROW + 3, width: cell * (to - from) - 2, height: OF_ROW - 6, rx: 4 }));
  frame(first, at + 1, 0, "seen");
  frame(at, at + 1, 1, "target");
  [["x", x, (t) => t >= first && t <= at], ["y", y, (t) => t === at]].forEach(([name, row, framed], i) => {
    write(name, OF_AXIS - 14, i * OF_ROW + 30, "name");
    row.forEach(([character, id], t) => {
      write(character, left(t) + cell / 2, i * OF_ROW + 28, framed(t) ? "character" : "character other");
      write(id, left(t) + cell / 2, i * OF_ROW + 47, framed(t) ? "id" : "id other");
    });
  });
  const top = Math.max(1, 1.15 * Math.max(...losses));
  const high = (loss) => (OF_LOSSES * loss) / top;
  for (const tick of roundPlaces(0, top, 3)) {
    svg.append(drawn("line", "grid", { x1: OF_AXIS, x2: wide, y1: floor - high(tick), y2: floor - high(tick) }));
    write(tick, OF_AXIS - 8, floor - high(tick) + 6, "", "end");
  }
  svg.append(drawn("text", "", { transform: `translate(18 ${floor - OF_LOSSES / 2}) rotate(-90)`, "text-anchor": "middle" }, "−ln p (nats)"));
  losses.forEach((loss, t) => {
    const bar = drawn("rect", t === at ? "loss now" : "loss", { x: left(t) + 0.1 * cell, y: floor - high(loss), width: 0.8 * cell, height: Math.max(1, high(loss)) });
    bar.onpointerenter = () => tell(`“${y[t][0]}”: p = ${written(Math.exp(-loss), 4)}, −ln p = ${written(loss)}`);
    bar.onpointerleave = () => tell("");
    svg.append(bar);
  });
  if (mean !== null) {
    svg.append(drawn("line", "mean", { x1: OF_AXIS, x2: wide, y1: floor - high(mean), y2: floor - high(mean) }));
    write(translated("mean {value}", { value: written(mean) }), wide - 4, floor - high(mean) - 6, "halo", "end");
  }
  const box = element("div", "scrolls shifted", svg);
  requestAnimationFrame(() => (box.scrollLeft = left(at) - width / 2));
  return box;
}
