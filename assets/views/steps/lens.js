/* What is read out after each layer: a grid of tokens by layers with the likeliest next token written in each cell, and one token's bars. */

import { element } from "../shared/element.js";
import { bars } from "./bars.js";
import { matrices } from "./matrices.js";

const [BETWEEN, BESIDE_FROM, ROW] = [28, 708, 30]; // pixels: between grid and bars, from where on they stand side by side, a row

/**
 * @param {any} picture { layer: the last one that is shown, chances: of bars.js }
 * @param {number} width pixels that there are
 * @param {(words: string) => void} tell says what the pointer is on
 * @param {any} shared { rows: [token], columns: [layer], title, words, values: row after row, chosen: row, settled: [[row, column]] }
 * @returns {any}
 */
export function lens({ layer, chances }, width, tell, { rows, columns, title, words, values, chosen, settled }) {
  const known = (_, i) => i % columns.length <= layer;
  const panel = {
    title,
    words: words.map((word, i) => (known(word, i) ? word : null)),
    values,
    width: columns.length,
    reach: 1,
    marked: [[chosen, layer]],
    bold: settled.filter(([, column]) => column <= layer),
  };
  const each = width >= BESIDE_FROM ? (width - BETWEEN) / 2 : width;
  const grid = matrices({ rows, columns, panels: [panel], write: true, most: ROW }, each, tell);
  return element("div", "beside lens", grid, bars(chances));
}
