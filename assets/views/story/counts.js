/* How many voted for each answer, beside it: in the lecture's window and on a member's page. */

import { element } from "../shared/element.js";

/**
 * Show the counts, in place of earlier ones; return how many voted, 0 where none are shown.
 * @param {ParentNode} root
 * @param {Record<string, number> | undefined} counts by the ids of the answers
 * @param {string} label with {count} and {total}
 */
export function showCounts(root, counts = {}, label) {
  const total = Object.values(counts).reduce((sum, each) => sum + each, 0);
  for (const choice of root.querySelectorAll(".choice")) {
    choice.querySelector(".count")?.remove();
    const count = counts[/** @type {HTMLElement} */ (choice).dataset.id ?? ""] ?? 0;
    if (total) choice.append(element("span", "count", ` ${label.replace("{count}", String(count)).replace("{total}", String(total))}`));
  }
  return total;
}
