/* A passage in its pieces, each in its tokens; what the last merge made stands out; beside it the counts it was chosen by. */

import { element } from "../shared/element.js";
import { bars } from "./bars.js";

/**
 * @param {any} picture { words: [[name]], fresh: [place among all tokens], rivals: of bars.js | null }
 * @returns {any}
 */
export function merging({ words, fresh, rivals }) {
  const marked = new Set(fresh);
  let place = 0;
  const passage = element("div", "passage");
  for (const tokens of words) {
    const boxes = tokens.map((name) => {
      const box = element("span", marked.has(place) ? "token next" : "token", name);
      place += 1;
      return box;
    });
    passage.append(element("span", "piece", ...boxes));
  }
  return rivals ? element("div", "beside", passage, bars(rivals)) : passage;
}
