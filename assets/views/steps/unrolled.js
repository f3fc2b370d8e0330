/* A recurrent network unrolled over a word: characters in, states along, the loss, and the gradient's way back so far. */

import { drawn, element } from "../shared/element.js";

const [ROOM, EDGE, RADIUS] = [66, 40, 23]; // pixels: a state, at both ends, its circle
const [NORM, RATIO, BACK, STATE, INPUT] = [22, 56, 76, 126, 204]; // heights

/**
 * @param {any} picture { reached }: so many of the last states the gradient has come to
 * @param {number} width pixels that there are
 * @param {(words: string) => void} _tell
 * @param {any} shared { characters, target, kept, cut: its word, norms, ratios: as they are written, of the last states only }
 * @returns {any}
 */
export function unrolled({ reached }, width, _tell, { characters, target, norms, ratios, kept, cut }) {
  const T = characters.length;
  const room = Math.max(ROOM, (width - 2 * EDGE) / (T + 0.6));
  const x = (t) => EDGE + room * t;
  const wide = Math.max(width, x(T) + EDGE + 20);
  const svg = drawn("svg", "unrolled", { width: wide, height: INPUT + 18, viewBox: `0 0 ${wide} ${INPUT + 18}` });
  svg.setAttribute("aria-hidden", "true");
  const write = (at, y, words, name = "") => svg.append(drawn("text", name, { x: at, y, "text-anchor": "middle" }, words));
  characters.forEach((character, t) => {
    const known = t >= T - reached;
    svg.append(arrow(x(t), INPUT - 22, x(t), STATE + RADIUS + 2, "forwards"));
    svg.append(arrow(x(t) + RADIUS, STATE, x(t + 1) - (t + 1 < T ? RADIUS : 14) - 2, STATE, "forwards"));
    svg.append(drawn("circle", known ? "known" : "", { cx: x(t), cy: STATE, r: RADIUS }));
    write(x(t), STATE + 6, `h${[...String(t + 1)].map((digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]).join("")}`);
    write(x(t), INPUT, character, "character");
    if (!known) return;
    svg.append(arrow(x(t + 1) - RADIUS, BACK + 6, x(t) + RADIUS, BACK + 6, "backwards"));
    const place = t - (T - norms.length); // what was sent are the last states' only
    write(x(t), NORM, norms[place]);
    write(x(t) + room / 2, RATIO, ratios[place], "back");
  });
  write(x(T), STATE + 6, "L", "character");
  write(x(T), INPUT, `“${target}”?`);
  if (kept < T) write(x(T - kept) - room / 2, BACK + 11, cut);
  const box = element("div", "scrolls", svg);
  requestAnimationFrame(() => (box.scrollLeft = x(T - reached) - width / 2));
  return box;
}

function arrow(x1, y1, x2, y2, name) {
  const [dx, dy] = [Math.sign(x2 - x1), Math.sign(y2 - y1)];
  const head = dx ? `${-7 * dx} -5 l ${7 * dx} 5 l ${-7 * dx} 5` : `-5 ${-7 * dy} l 5 ${7 * dy} l 5 ${-7 * dy}`;
  return drawn("path", name, { d: `M ${x1} ${y1} L ${x2} ${y2} m ${head}` });
}
