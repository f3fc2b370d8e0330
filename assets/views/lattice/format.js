/* How the lattice writes numbers, reads a student's, and changes what a node shows. */

import { button } from "../shared/element.js";

/** A score as a cell shows it: logarithms with two decimals, probabilities with three figures. */
export function format(value, log) {
  if (value === null) return "−∞";
  if (log) return value.toFixed(2).replace("-", "−");
  if (value === 0) return "0";
  if (value >= 0.001) return String(Number(value.toPrecision(3)));
  const [digits, exponent] = value.toExponential(1).split("e");
  return `${digits}e${exponent.replace("-", "−")}`;
}

/** What a student typed: 0.5, 0,5, -1.2, −1.2, 1.2e-5 or −∞; null when it is no number. */
export function parse(text) {
  const plain = text.trim().replace(/−/g, "-").replace(",", ".");
  if (/^-(∞|inf)/i.test(plain)) return -Infinity;
  return plain === "" || Number.isNaN(Number(plain)) ? null : Number(plain);
}

/** Set what a node shows and how, and leave it alone when nothing changed. */
export function update(node, className, text) {
  if (node.shownClass !== className) node.setAttribute("class", (node.shownClass = className));
  if (text !== undefined && node.shownText !== text) node.textContent = node.shownText = text;
}

/** A button that says what it does: by its words, or where it has only a sign, to who cannot see it. */
export function labelled(text, label, act) {
  const made = button("", text, act);
  made.title = label;
  if (text.length === 1) made.setAttribute("aria-label", label);
  return made;
}
