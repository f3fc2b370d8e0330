/* What a class answered: votes beside each answer, and numbers as dots. For the lecture's window, the speaker's and phones. */

import { drawn, element } from "../shared/element.js";
import { filled } from "../shared/labels.js";

const [DOT, PLOT_WIDTH, LINE] = [10, 300, 26]; // pixels: a dot with its room, the axis, the room for its numbers
const HIGHEST = 16; // dots, at most, above one another; more lie closer

/**
 * Show the counts, in place of earlier ones; return how many voted, 0 where none are shown.
 * @param {ParentNode} root
 * @param {Record<string, number> | undefined} counts by the ids of the answers
 * @param {string} label with {count} and {total}
 */
export function showCounts(root, counts = {}, label) {
  const total = Object.values(counts).reduce((sum, each) => sum + each, 0);
  for (const choice of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".choice"))) {
    choice.querySelector(".count")?.remove();
    choice.classList.toggle("counted", total > 0);
    const count = counts[choice.dataset.id ?? ""] ?? 0;
    if (total) choice.style.setProperty("--votes", String(count / total));
    if (total) choice.append(element("span", "count", ` ${label.replace("{count}", String(count)).replace("{total}", String(total))}`));
  }
  return total;
}

/**
 * Numbers as a dot plot, a dot for each; numbers far from the rest are counted at the end of the line.
 * @param {{ dots: [number, number][], below: number, above: number, median: number }} numbers
 * @param {string} label with {least}, {most} and {median}
 */
export function drawDots({ dots, below, above, median }, label) {
  const [least, most] = [dots[0][0], dots[dots.length - 1][0]];
  const tallest = Math.max(...dots.map(([, count]) => count));
  const gap = DOT * Math.min(1, HIGHEST / tallest);
  const height = gap * (tallest - 1) + DOT + LINE;
  const across = (value) => 40 + (most > least ? (value - least) / (most - least) : 0.5) * (PLOT_WIDTH - 80);
  const said = filled(label, { least, most, median });
  const svg = drawn("svg", "dot-plot", { viewBox: `0 0 ${PLOT_WIDTH} ${height}`, role: "img", "aria-label": said });
  for (const [value, count] of dots)
    for (let i = 0; i < count; i++) svg.append(drawn("circle", "", { cx: across(value), cy: height - LINE - DOT / 2 - i * gap, r: DOT / 2 - 0.5 }));
  const base = height - LINE + 2;
  svg.append(drawn("line", "", { x1: 30, x2: PLOT_WIDTH - 30, y1: base, y2: base }), drawn("line", "median", { x1: across(median), x2: across(median), y1: 0, y2: base }));
  const write = (x, words, anchor) => svg.append(drawn("text", "", { x, y: height - 6, "text-anchor": anchor }, words));
  for (const value of new Set([least, most])) write(across(value), value, "middle");
  if (below) write(0, `‹ ${below}`, "start");
  if (above) write(PLOT_WIDTH, `${above} ›`, "end");
  return element("div", "dots-box", svg, element("p", "", said));
}
