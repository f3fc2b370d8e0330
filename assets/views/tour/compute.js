/* The address of a beat. */

const CARRIED = ["text_source_sample"]; // the learner's choice of a text stays, unless the beat brings its own

/**
 * @param {string} link the beat's: lesson?settings
 * @param {string} programme the name of the tour or lecture
 * @param {number} at the beat's place, from 0
 * @param {{ pathname: string, search: string }} here where the browser is
 * @returns {string}
 */
export function addressOf(link, programme, at, here) {
  const [lesson, query = ""] = link.split("?");
  const parameters = new URLSearchParams(query);
  const before = new URLSearchParams(here.search);
  for (const name of CARRIED) {
    const value = before.get(name);
    if (value !== null && !parameters.has(name)) parameters.set(name, value);
  }
  parameters.set("beat", `${programme}.${at + 1}`);
  return `${here.pathname.replace(/[^/]*$/, "")}${lesson}?${parameters}`;
}
