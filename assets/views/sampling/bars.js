/* The likeliest next tokens as bars; behind them, in grey, the model's own probabilities where the settings changed them. */

import { drawn } from "../shared/element.js";
import { plainNumber } from "../shared/numbers.js";
import { softmax } from "./compute.js";

const [MOST, ROOM, TALL, HEAD, FOOT] = [16, 46, 168, 24, 26]; // bars; pixels: a bar's place, the bars, above, below

/* Two digits, as they stand above a bar. */
export const brief = (p) => (p === 0 || p === 1 ? String(p) : p < 1e-4 ? plainNumber(p, 1) : p.toPrecision(2));

/**
 * @param {any} state the view's, with what it has computed
 * @param {number} width pixels that there are
 * @returns {any}
 */
export function likeliestBars({ order, found, logits, data }, width) {
  const own = softmax(logits);
  const first = order.slice(0, Math.min(MOST, Math.max(4, Math.floor(width / ROOM))));
  const most = Math.max(...first.map((i) => Math.max(found.probabilities[i], own[i])));
  const changed = own.some((p, i) => Math.abs(p - found.probabilities[i]) > 1e-8);
  const [each, high] = [width / first.length, HEAD + TALL + FOOT];
  const svg = drawn("svg", "", { width, height: high, viewBox: `0 0 ${width} ${high}` });
  svg.setAttribute("aria-hidden", "true");
  const bar = (name, i, at, share) => {
    const tall = (TALL * i) / most;
    return drawn("rect", name, { x: each * (at + (1 - share) / 2), y: HEAD + TALL - tall, width: each * share, height: tall });
  };
  first.forEach((i, at) => {
    const [p, x] = [found.probabilities[i], each * (at + 0.5)];
    if (changed) svg.append(bar("own", own[i], at, 0.95));
    const top = HEAD + TALL * (1 - Math.max(p, changed ? own[i] : 0) / most);
    svg.append(
      bar("p", p, at, 0.6),
      drawn("text", "", { x, y: top - 6, "text-anchor": "middle" }, brief(p)),
      drawn("text", "token", { x, y: high - 7, "text-anchor": "middle" }, data.tokens[i]),
    );
  });
  svg.append(drawn("line", "floor", { x1: 0, x2: width, y1: HEAD + TALL, y2: HEAD + TALL }));
  return svg;
}
