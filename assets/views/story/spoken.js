/* A paragraph as a text that can be said: its words, and its formulas on one line, of which textContent would lose what stands above. */

const ONE_TERM = /^[^\s+−=<>≤≥·×/,|^-]*$/; // needs no brackets
const SPACED = /^[=<>≤≥≈+−×·/∑∏]$/; // signs between terms

const inBrackets = (text) => (ONE_TERM.test(text) ? text : `(${text})`);
const raised = (text) => (text === "′" ? text : `^${inBrackets(text)}`);

const BY_FORMULA = {
  math: (parts) => parts.join("").replace(/\s+/g, " ").trim(),
  mo: ([sign = ""]) => (SPACED.test(sign) ? ` ${sign} ` : sign),
  msub: ([base, below]) => `${base.trim()} ${below}${base.endsWith(" ") ? " " : ""}`,
  msup: ([base, above]) => base + raised(above),
  msubsup: ([base, below, above]) => `${base.trim()} ${below}${raised(above)}`,
  mfrac: ([over, under]) => `${inBrackets(over.trim())} / ${inBrackets(under.trim())}`,
  msqrt: (parts) => `√(${parts.join("")})`,
};

/** @param {Node} node @returns {string} */
export function spokenText(node) {
  if (!(node instanceof Element)) return node.textContent ?? "";
  const parts = [...node.childNodes].map(spokenText);
  const inLine = BY_FORMULA[node.localName];
  return inLine ? inLine(parts) : parts.join("");
}
