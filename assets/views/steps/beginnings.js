/* The beginnings that a beam kept, as a tree: steps downwards, the likeliest on the left; what has died out is grey. */

import { drawn, element } from "../shared/element.js";

const [BESIDE, OVER] = [46, 30]; // pixels: left of the first column, above the first step
const [ONE_LINE, CLOSEST, TWO_LINES] = [36, 20, 50]; // pixels of a step
const ABOVE_TREE = 380; // pixels of the window that are taken by what stands above the tree
const [OF_LETTER, IN_ONE] = [8.6, 150]; // pixels of a letter; of a column that holds a word and its number in one line
const KINDS = { winner: "on the way to the likeliest", kept: "on the way to another that is kept", lost: "given up" };

/**
 * The rank at each of the first steps on the way to the likeliest.
 * @param {any[][]} steps
 * @param {number} at the last step, from 0
 * @returns {number[]}
 */
export function wayTo(steps, at) {
  const ranks = [];
  for (let step = at, rank = 0; step >= 0; step -= 1) {
    ranks.unshift(rank);
    [rank] = steps[step][rank];
  }
  return ranks;
}

/**
 * @param {any} picture { at }: the step that was taken last, from 0
 * @param {number} width pixels that there are
 * @param {(words: string) => void} tell says what the pointer is on
 * @param {any} shared { steps: [[[rank of the parent, word, ln p, last step at which something kept comes from it,
 *   1 where it was finished before]]] }
 * @returns {any}
 */
export function beginnings({ at }, width, tell, { steps }) {
  const widest = Math.max(...steps.map((kept) => kept.length));
  const column = Math.max(72, (width - BESIDE) / widest);
  const inOneLine = column >= IN_ONE;
  const fitting = Math.max(CLOSEST, Math.min(ONE_LINE, (window.innerHeight - ABOVE_TREE) / steps.length));
  const row = inOneLine ? fitting : TWO_LINES;
  const [wide, high] = [BESIDE + column * widest, OVER + row * steps.length + 6];
  const svg = drawn("svg", "", { width: wide, height: high, viewBox: `0 0 ${wide} ${high}` });
  svg.setAttribute("aria-hidden", "true");
  const x = (rank) => BESIDE + column * rank;
  const y = (step) => OVER + row * step + row / 2;
  svg.append(drawn("rect", "now", { x: 0, y: OVER + row * at, width: wide, height: row }));
  for (let rank = 0; rank < widest; rank += 1) svg.append(drawn("text", "", { x: x(rank) - 6, y: 18 }, rank ? `${rank + 1}.` : "likeliest"));
  steps.forEach((_, step) => svg.append(drawn("text", "", { x: 24, y: y(step) + 6, "text-anchor": "end" }, step + 1)));
  const way = wayTo(steps, at);
  const done = steps.slice(0, at + 1);
  const group = (step, rank) => (way[step] === rank ? "winner" : done[step][rank][3] >= at ? "kept" : "lost");
  const each = (draw) => done.forEach((kept, step) => kept.forEach((node, rank) => draw(node, step, rank)));
  each(([parent], step, rank) => {
    if (step) svg.append(drawn("line", group(step, rank), { x1: x(parent), y1: y(step - 1), x2: x(rank), y2: y(step) }));
  });
  const letters = Math.max(3, Math.floor((column - (inOneLine ? 70 : 14)) / OF_LETTER));
  each(([, word, total], step, rank) => {
    const node = drawn("circle", group(step, rank), { cx: x(rank), cy: y(step), r: 5.5 });
    const brief = word.length > letters ? `${word.slice(0, letters - 1)}…` : word;
    const words = inOneLine ? [[`${brief} ${total}`, -5]] : [[brief, -6], [total, 17]];
    svg.append(node, ...words.map(([text, down]) => drawn("text", "", { x: x(rank) + 10, y: y(step) + down }, text)));
    node.onpointerenter = () => tell(`${spoken(done, step, rank)}: ln p = ${total}`);
    node.onpointerleave = () => tell("");
  });
  const used = Object.keys(KINDS).filter((name) => done.some((kept, step) => kept.some((_, rank) => group(step, rank) === name)));
  const legend = element("div", "legend", ...used.map((name) => element("span", name, KINDS[name])));
  return element("div", "beginnings", legend, element("div", "scrolls", svg));
}

/* The words of a beginning; a finished one is kept as it is, and its word is not said twice. */
function spoken(done, step, rank) {
  const words = [];
  for (let [t, k] = [step, rank]; t >= 0; t -= 1) {
    const [parent, word, , , again] = done[t][k];
    if (!again) words.unshift(word);
    k = parent;
  }
  return words.join(" ");
}
