/* A window that slides over a sentence, and below it the matrix to whose outlined cells it has just added. */

import { element } from "../shared/element.js";
import { matrices } from "./matrices.js";

/**
 * @param {any} picture { centre, around: [place], matrix: of matrices.js, whose panel holds `marked` }
 * @param {number} width pixels that there are
 * @param {(words: string) => void} tell says what the pointer is on
 * @param {any} shared { tokens: [name] }
 * @returns {any}
 */
export function sliding({ centre, around, matrix }, width, tell, { tokens }) {
  const line = element("div", "window");
  tokens.forEach((token, i) => {
    const part = i === centre ? "next" : around.includes(i) ? "context" : "";
    line.append(element("span", `token ${part}`, token));
  });
  return element("div", "sliding", line, matrices(matrix, width, tell));
}
