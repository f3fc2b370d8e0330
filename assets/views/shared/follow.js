/* Following a link of the course: the browser goes to its address as its Back button would, and Streamlit sets every
   control by it. No visit to another page is needed, and Back leads to where one was. */

import { letGo } from "./address.js";
import { course } from "./course.js";

/* The learner's choice of a text stays, and so do the learner's own words, unless the link brings its own. */
const TEXT = "text_source_sample";

/**
 * @param {string} link the lesson and its settings, without a host
 * @param {{ pathname: string, search: string }} here where the browser is
 * @param {string[]} carried the fields that hold the learner's words
 * @param {string} [left] the link that is left: what it had brought does not stay
 * @returns {{ path: string, parameters: URLSearchParams }}
 */
export function addressOf(link, here, carried, left = "") {
  const [lesson, query = ""] = link.split("?");
  const parameters = new URLSearchParams(query);
  const before = new URLSearchParams(here.search);
  const brought = new URLSearchParams(left.split("?")[1] ?? "");
  for (const name of [TEXT, ...carried]) {
    if (parameters.has(name) || brought.has(name)) continue;
    for (const value of before.getAll(name)) parameters.append(name, value);
  }
  return { path: here.pathname.replace(/[^/]*$/, "") + lesson, parameters };
}

/**
 * @param {string} address
 * @param {boolean} [instead] whether it takes the place of where one is, so that Back does not come here again
 */
export function follow(address, instead = false) {
  Object.assign(course(), { waiting: true, since: performance.now() }); // keys wait for what comes
  letGo(); // what the views kept belongs to the state that is left
  history[instead ? "replaceState" : "pushState"]({}, "", address);
  window.dispatchEvent(new PopStateEvent("popstate", { state: {} }));
}
