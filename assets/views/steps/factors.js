/* The factors of a sentence: a bar for each token, as high as its surprise, -log2 p, with p above it; one of them is marked. */

import { drawn, element } from "../shared/element.js";
import { translated } from "../shared/labels.js";

const [FOR_AXIS, OVER_BARS, UNDER_BARS] = [58, 30, 34]; // pixels: the axis's numbers, p above a bar, the token below it
const [TALL, LEAST_WIDE] = [200, 64]; // pixels: the highest bar; a bar with its room
const OF_TOKEN = 9; // pixels of a letter
const IMPOSSIBLE = `0: ${translated("impossible")}`;

/**
 * @param {any} picture { at }: the marked token
 * @param {number} width pixels that there are
 * @param {(words: string) => void} tell says what the pointer is on
 * @param {any} shared { tokens: [name], bits: [surprise | null where p is 0], p: [as it is written], ticks: [bits] }
 * @returns {any}
 */
export function factors({ at }, width, tell, { tokens, bits, p, ticks }) {
  const widest = Math.max(...p.map((text) => text.length)) * OF_TOKEN;
  const room = Math.max(LEAST_WIDE, Math.min(widest, 8 * OF_TOKEN) + 10, (width - FOR_AXIS) / tokens.length);
  const wide = Math.max(width, FOR_AXIS + room * tokens.length);
  const height = OVER_BARS + TALL + UNDER_BARS;
  const top = Math.max(1, ...bits.map((each) => each ?? 0), ticks.at(-1));
  const y = (value) => OVER_BARS + TALL * (1 - value / top);
  const svg = drawn("svg", "", { width: wide, height, viewBox: `0 0 ${wide} ${height}` });
  svg.setAttribute("aria-hidden", "true");
  for (const tick of ticks) {
    svg.append(drawn("line", "grid", { x1: FOR_AXIS, x2: wide, y1: y(tick), y2: y(tick) }), drawn("text", "", { x: FOR_AXIS - 8, y: y(tick) + 6, "text-anchor": "end" }, tick));
  }
  const middle = OVER_BARS + TALL / 2;
  svg.append(drawn("text", "", { transform: `translate(16 ${middle}) rotate(-90)`, "text-anchor": "middle" }, translated("−log₂ p, in bits")));
  const letters = Math.max(3, Math.floor((room - 4) / OF_TOKEN));
  tokens.forEach((token, i) => {
    const [x, seen] = [FOR_AXIS + room * i, bits[i] !== null];
    const high = seen ? bits[i] : top;
    const kind = `${seen ? "" : "never"} ${i === at ? "marked" : ""}`;
    const brief = token.length > letters ? `${token.slice(0, letters - 1)}…` : token;
    const bar = drawn("rect", kind, { x: x + 0.12 * room, y: y(high), width: 0.76 * room, height: Math.max(1, OVER_BARS + TALL - y(high)) });
    bar.onpointerenter = () => tell(seen ? `${token}: p = ${p[i]}` : `${token}: p = ${IMPOSSIBLE}`);
    bar.onpointerleave = () => tell("");
    const above = seen || room > OF_TOKEN * IMPOSSIBLE.length ? p[i] : "0";
    svg.append(
      bar,
      drawn("text", i === at ? "marked" : "", { x: x + room / 2, y: y(high) - 6, "text-anchor": "middle" }, above),
      drawn("text", i === at ? "marked" : "", { x: x + room / 2, y: height - 12, "text-anchor": "middle" }, brief),
    );
  });
  const box = element("div", "scrolls factors", svg);
  requestAnimationFrame(() => (box.scrollLeft = FOR_AXIS + room * (at + 0.5) - width / 2));
  return box;
}
