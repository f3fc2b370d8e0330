/* One window of tokens as its training examples: a row for each prefix, its target one further, p and -ln p.

   What a row may not see is not there, unless the rows peek. */

import { element } from "../shared/element.js";

/* What position s is to example t: seen (x), asked for (y), seen although it comes later (peek), or not there. */
function part(t, s, T, peek) {
  if (s === t + 1) return "y";
  if (s <= t) return "x";
  return peek && s < T ? "x later" : "";
}

const cell = (name, text) => element("span", `each ${name}`, text);

/**
 * @param {any} picture { at }: the example that is lit
 * @param {number} _width
 * @param {(words: string) => void} _tell
 * @param {any} shared { tokens: [T + 1], probabilities: [T], losses: [T], peek }
 * @returns {any}
 */
export function examples({ at }, _width, _tell, { tokens, probabilities, losses, peek }) {
  const head = element("div", "example head", cell("name", "t"), ...tokens.map((_, s) => cell("", String(s + 1))), cell("value", "p(y)"), cell("value", "−ln p"));
  const rows = losses.map((loss, t) => {
    const row = element("div", t === at ? "example lit" : "example", cell("name", `t = ${t + 1}`));
    row.dataset.t = t;
    tokens.forEach((token, s) => {
      const what = part(t, s, tokens.length - 1, peek);
      row.append(cell(what, what ? token : ""));
    });
    row.append(cell("value", probabilities[t]), cell("value", loss));
    return row;
  });
  const box = element("div", "examples", head, ...rows);
  box.style.setProperty("--tokens", tokens.length);
  return box;
}
