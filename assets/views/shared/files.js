/* Files that a view gives away: pictures and tables, made in the browser. */

import { button, element } from "./element.js";
import { translated } from "./labels.js";

/**
 * @param {Blob} content
 * @param {string} name with its ending
 */
export function save(content, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * A table as a file. A spreadsheet takes what begins with = + - @ for a formula, so such words get a quote before them.
 * @param {(string | number)[][]} rows
 * @returns {Blob}
 */
export function csv(rows) {
  const quoted = (word) => `"${(/^[=+\-@\t]/.test(word) ? `'${word}` : word).replaceAll('"', '""')}"`;
  const plain = (number) => (number === -Infinity ? "-inf" : String(number));
  const lines = rows.map((row) => row.map((each) => (typeof each === "string" ? quoted(each) : plain(each))).join(","));
  return new Blob([`${lines.join("\n")}\n`], { type: "text/csv" });
}

/**
 * @param {string} text
 * @returns {string} the text as it may stand in an SVG file
 */
export function escaped(text) {
  return text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/**
 * The buttons that save a view, one for each kind of file.
 * @param {Record<string, () => void>} kinds { PNG: what saves it }
 * @returns {HTMLElement}
 */
export function saveButtons(kinds) {
  const box = element("span", "exports");
  for (const [kind, act] of Object.entries(kinds)) {
    const made = button("export", kind, act);
    made.setAttribute("aria-label", translated("Save as {kind}", { kind }));
    box.append(made);
  }
  return box;
}
