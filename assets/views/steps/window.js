/* A sentence in boxes, with a window on it: its context and the token that comes next. */

import { element } from "../shared/element.js";

/**
 * @param {any} picture { place }: the last token of the window
 * @param {number} _width
 * @param {(words: string) => void} _tell
 * @param {any} shared { tokens: [name], order }: the tokens of a window
 * @returns {any}
 */
export function tokenWindow({ place }, _width, _tell, { tokens, order }) {
  const box = element("div", "window");
  tokens.forEach((token, i) => {
    const part = i === place ? "next" : i < place && i > place - order ? "context" : "";
    box.append(element("span", `token ${part}`, token));
  });
  return box;
}
