/* Rows of bars: a name, then for each column a bar from nought with its number. */

import { element } from "../shared/element.js";

const [OF_NUMBER, SHORT_NUMBER] = [9, 8]; // pixels; letters that fit beside a bar of two thirds of its column

/**
 * @param {any} picture { rows: [name], marked: row | null, columns: [{ title, values, texts, reach }], together, faint }: so many of the
 *   first columns have one scale, so that their bars can be compared; from the row `faint` on bars are grey;
 *   a column with a `reach` has a scale up to that at least
 * @returns {any}
 */
export function bars({ rows, marked, columns, together = 0, faint = rows.length }) {
  const box = element("div", "bars");
  const longest = columns.map(({ texts }) => Math.max(...texts.map((text) => text.length)));
  const rooms = longest.map((letters) => (letters > SHORT_NUMBER ? `${OF_NUMBER * letters + 6}px` : "35%"));
  const least = longest.map((letters) => (letters > SHORT_NUMBER ? OF_NUMBER * letters + 70 : 90));
  box.style.gridTemplateColumns = `max-content ${least.map((width) => `minmax(${width}px, 1fr)`).join(" ")}`;
  box.append(element("div", "title"), ...columns.map((column) => element("div", "title", column.title)));
  const alike = columns.slice(0, together).flatMap(({ values }) => values);
  const spans = columns.map(({ values, reach = 0 }, c) => {
    const compared = c < together ? alike : values;
    return [Math.min(0, ...compared), Math.max(reach, ...compared)];
  });
  rows.forEach((name, i) => {
    box.append(element("span", "row", name));
    columns.forEach(({ values, texts }, c) => {
      const [low, high] = spans[c];
      const all = high - low || 1;
      const bar = element("span", i === marked ? "bar marked" : i < faint ? "bar" : "bar faint");
      const part = (share) => `calc((100% - ${rooms[c]}) * ${share / all})`;
      bar.style.marginInlineStart = part(Math.min(0, values[i]) - low);
      bar.style.inlineSize = part(Math.abs(values[i]));
      box.append(element("span", "track", bar, element("span", "number", texts[i])));
    });
  });
  return box;
}
