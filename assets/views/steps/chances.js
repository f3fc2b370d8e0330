/* What one token was drawn from: the text so far, and the likeliest tokens laid end to end from 0 to 1, with u among them. */

import { drawn, element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { counted, plainNumber } from "../shared/numbers.js";
import { clearOf } from "./compute.js";

const [NAMES, LETTERS_OF_NAME] = [128, 14]; // pixels of the names, letters that fit
const [BAR_ROW, ABOVE_BARS, AFTER] = [23, 26, 74]; // pixels: a row, above the first, for the last number
const OF_FIGURE = 8; // pixels
const ASIDE_FROM = 760; // pixels: from here on the text stands beside the bars

/**
 * @param {any} picture { ids, p: of the likeliest, drawn: which was, others, rest: how many more and their p, u, place }
 * @param {number} width pixels that there are
 * @param {(words: string) => void} tell says what the pointer is on
 * @param {any} shared { names, before: the prompt, pieces: [text that each token adds] }
 * @returns {any}
 */
export function chances(picture, width, tell, { names, before, pieces }) {
  const text = element("div", "written", before);
  pieces.forEach((piece, i) => text.append(element("span", i === picture.place ? "now" : i < picture.place ? "" : "later", piece)));
  const aside = width >= ASIDE_FROM;
  const box = element("div", aside ? "chances aside" : "chances", text, laidOut(picture, aside ? Math.round(0.68 * width) : width, tell, names));
  requestAnimationFrame(() => {
    const now = text.querySelector(".now");
    if (now) text.scrollTop = now.offsetTop - text.offsetTop - text.clientHeight / 2;
  });
  return box;
}

function laidOut({ ids, p, drawn: taken, others, rest, u }, width, tell, names) {
  const rows = ids.map((id, i) => [names[id], p[i]]);
  if (others) rows.push([translated(others === 1 ? "{n} other" : "{n} others", { n: counted(others) }), rest]);
  const height = ABOVE_BARS + BAR_ROW * rows.length + 4;
  const svg = drawn("svg", "", { width, height, viewBox: `0 0 ${width} ${height}` });
  svg.setAttribute("aria-hidden", "true");
  const wide = width - NAMES - AFTER;
  const x = u === undefined ? NaN : NAMES + wide * u;
  if (u !== undefined) {
    svg.append(drawn("line", "", { x1: x, x2: x, y1: ABOVE_BARS - 4, y2: height }), drawn("text", "u", { x, y: 16, "text-anchor": "middle" }, `u = ${u.toFixed(3)}`));
  }
  let from = 0;
  rows.forEach(([name, chance], i) => {
    const top = ABOVE_BARS + BAR_ROW * i;
    const brief = name.length > LETTERS_OF_NAME ? `${name.slice(0, LETTERS_OF_NAME - 1)}…` : name;
    const kind = i === taken ? "taken" : i < ids.length ? "" : "rest";
    const bar = drawn("rect", kind, { x: NAMES + wide * from, y: top + 3, width: Math.max(1.5, wide * chance), height: BAR_ROW - 6 });
    from += chance;
    const words = `${name}: p = ${plainNumber(chance)}`;
    bar.onpointerenter = () => tell(words);
    bar.onpointerleave = () => tell("");
    svg.append(
      drawn("text", kind, { x: NAMES - 8, y: top + 17, "text-anchor": "end" }, brief),
      bar,
      drawn("text", "", { x: clearOf(NAMES + wide * from + 6, OF_FIGURE * plainNumber(chance).length, x), y: top + 17 }, plainNumber(chance)),
    );
  });
  return svg;
}
