/* The address of a beat. */

/* The learner's choice of a text stays, and so do the learner's own words, unless the beat brings its own, or the beat
   that is left had brought them. */
const TEXT = "text_source_sample";

/**
 * @param {{ beats: { link: string }[], programme: string, at: number, carried: string[] }} play where the play stands
 * @param {number} to the place of the beat to go to, from 0
 * @param {{ pathname: string, search: string }} here where the browser is
 * @returns {string}
 */
export function addressOf({ beats, programme, at, carried }, to, here) {
  const [lesson, query = ""] = beats[to].link.split("?");
  const parameters = new URLSearchParams(query);
  const before = new URLSearchParams(here.search);
  const brought = new URLSearchParams(beats[at].link.split("?")[1] ?? "");
  for (const name of [TEXT, ...carried]) {
    if (parameters.has(name) || brought.has(name)) continue;
    for (const value of before.getAll(name)) parameters.append(name, value);
  }
  parameters.set("beat", `${programme}.${to + 1}`);
  return `${here.pathname.replace(/[^/]*$/, "")}${lesson}?${parameters}`;
}
