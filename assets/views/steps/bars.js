/* Rows of bars: a name, then for each column a bar from nought with its number. */

import { element } from "../shared/element.js";

/**
 * @param {any} picture { rows: [name], marked: row | null, columns: [{ title, values, texts }] }
 * @returns {any}
 */
export function bars({ rows, marked, columns }) {
  const box = element("div", "bars");
  box.style.gridTemplateColumns = `max-content repeat(${columns.length}, minmax(90px, 1fr))`;
  box.append(element("div", "title"), ...columns.map((column) => element("div", "title", column.title)));
  const spans = columns.map(({ values }) => [Math.min(0, ...values), Math.max(0, ...values)]);
  rows.forEach((name, i) => {
    box.append(element("span", "row", name));
    columns.forEach(({ values, texts }, c) => {
      const [low, high] = spans[c];
      const all = high - low || 1;
      const bar = element("span", i === marked ? "bar marked" : "bar");
      bar.style.marginInlineStart = `${(65 * (Math.min(0, values[i]) - low)) / all}%`;
      bar.style.inlineSize = `${(65 * Math.abs(values[i])) / all}%`;
      box.append(element("span", "track", bar, element("span", "number", texts[i])));
    });
  });
  return box;
}
