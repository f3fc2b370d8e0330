/* A text in a masked model's training: the tokens drawn, what is shown instead, what is guessed, and the losses that count. */

import { element } from "../shared/element.js";

/**
 * @param {any} picture { reached }: 1 drawn, 2 shown as what, 3 guessed, 4 counted
 * @param {number} _width
 * @param {(words: string) => void} _tell
 * @param {any} shared { tokens: [{ token, drawn, fate, shown, guess, p, loss }] }: fate, guess, p and loss are null where
 *   nothing is said of the token
 * @returns {any}
 */
export function masking({ reached }, _width, _tell, { tokens }) {
  const box = element("div", "masking");
  tokens.forEach(({ token, drawn, fate, shown, guess, p, loss }) => {
    const names = ["place", drawn ? "drawn" : "", reached > 1 && fate ? fate : "", reached > 3 && loss ? "counted" : ""];
    const column = element("div", names.filter(Boolean).join(" "), element("span", "each", reached > 1 ? shown : token));
    if (reached > 1 && drawn) column.append(element("span", "small", token));
    if (reached > 2 && guess) column.append(element("span", "small guessed", guess), element("span", "small", `p ${p}`));
    if (reached > 3 && loss) column.append(element("span", "small loss", loss));
    box.append(column);
  });
  return box;
}
