/* A sentence read from both ends: the words, the states of both directions so far, and the tags that three models give. */

import { diverging, faded } from "../shared/colours.js";
import { drawn, element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { decodedShares, written } from "../shared/numbers.js";

const [WORD_LETTER, WORD_LEAST, WAYS_NAMES, WORDS_HIGH] = [9, 62, 92, 26]; // pixels: a letter, a column at least, the names, a line
const [STATE_HIGH, TAGS_AT, TAG_HIGH, CELLS_ACROSS] = [34, 116, 46, 8]; // a state's height and below it the tags; a tag's; cells in a line

/**
 * @param {any} picture { read }: so many words each direction has read
 * @param {number} width pixels that there are
 * @param {(words: string) => void} tell says what the pointer is on
 * @param {any} shared { words, ahead, back: packed shares, units, rows: [{ name, hue: [hue], tags, sure }], differ: [bool] }
 * @returns {any}
 */
export function twoWays({ read }, width, tell, { words, ahead, back, units, rows, differ }) {
  const n = words.length;
  const least = words.map((word) => Math.max(WORD_LEAST, WORD_LETTER * [...word].length + 12));
  const room = Math.max(0, (width - WAYS_NAMES - least.reduce((sum, each) => sum + each, 0)) / n);
  const columns = least.map((each) => each + Math.min(room, 40));
  const starts = columns.map((_, t) => WAYS_NAMES + columns.slice(0, t).reduce((sum, each) => sum + each, 0));
  const wide = starts[n - 1] + columns[n - 1] + 2;
  const high = TAGS_AT + TAG_HIGH * rows.length;
  const svg = drawn("svg", "two-ways", { width: wide, height: high, viewBox: `0 0 ${wide} ${high}` });
  svg.setAttribute("aria-hidden", "true");
  const write = (x, y, text, anchor = "middle") => svg.append(drawn("text", "", { x, y, "text-anchor": anchor }, text));
  [["→ h", ahead], ["← h", back]].forEach(([name, packed], way) => {
    const y = WORDS_HIGH + way * (STATE_HIGH + 10);
    write(0, y + STATE_HIGH / 2 + 6, name, "start");
    const values = decodedShares(packed);
    words.forEach((word, t) => {
      const known = way ? t >= n - read : t < read;
      const box = drawn("rect", "empty", { x: starts[t] + 3, y, width: columns[t] - 6, height: STATE_HIGH });
      svg.append(box);
      if (!known) return;
      const cell = (columns[t] - 6) / CELLS_ACROSS;
      const line = STATE_HIGH / Math.ceil(units / CELLS_ACROSS);
      for (let u = 0; u < units; u += 1) {
        const value = values[t * units + u];
        const [x, top] = [starts[t] + 3 + cell * (u % CELLS_ACROSS), y + line * Math.floor(u / CELLS_ACROSS)];
        const square = drawn("rect", "cell", { x, y: top, width: cell - 0.5, height: line - 0.5 });
        square.style.fill = diverging(value, 1);
        square.onpointerenter = () => tell(translated("{name} at “{word}”, number {n}: {value}", { name, word, n: u + 1, value: written(value, 3) }));
        svg.append(square);
      }
    });
  });
  words.forEach((word, t) => write(starts[t] + columns[t] / 2, 17, word));
  rows.forEach((row, r) => {
    const y = TAGS_AT + TAG_HIGH * r;
    write(0, y + 27, row.name, "start");
    words.forEach((word, t) => {
      if (row.needs === "ahead" ? t >= read : row.needs === "both" ? t >= read || t < n - read : read < n) return;
      const name = differ[t] ? "tag differs" : "tag";
      const box = drawn("rect", name, { x: starts[t] + 3, y: y + 2, width: columns[t] - 6, height: TAG_HIGH - 6, rx: 4 });
      box.style.fill = faded(row.hues[t], 0.25);
      box.onpointerenter = () => tell(translated("{name}: “{word}” is {tag} with probability {p}", { name: row.name, word, tag: row.tags[t], p: row.sure[t] }));
      svg.append(box);
      write(starts[t] + columns[t] / 2, y + 19, row.tags[t]);
      write(starts[t] + columns[t] / 2, y + 36, row.sure[t]);
    });
  });
  return element("div", "scrolls", svg);
}
