/* A view's own words: those that come with its data, and the few that stand in its code, in English. */

/** @type {Record<string, string>} */
const SAID = {}; // what the code says, in the reader's language; core/lesson/browser_view.py fills it from said.<language>.json

/**
 * A text of the code in the reader's language, with what {name} stands for in it.
 * @param {string} english
 * @param {Record<string, any>} [values]
 */
export const translated = (english, values = {}) => filled(SAID[english] ?? english, values);

/**
 * A label with what {name} stands for in it.
 * @param {string} label
 * @param {Record<string, any>} values
 */
export function filled(label, values) {
  return label.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}
