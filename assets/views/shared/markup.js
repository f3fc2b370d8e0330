/* HTML that the server rendered from words.md, in which a learner's words are escaped, and the project's own icons.

   It is parsed as a document of its own, in which nothing runs; its parts are then taken over. */

/**
 * @param {string} html
 * @returns {Node[]}
 */
export function renderedParts(html) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  return [...body.childNodes].map((node) => document.importNode(node, true));
}
