/* Where a story stands, and the address of that place. */

/** @param {{ number: number, revealed: boolean }} place */
export const keyOf = (place) => `${place.number}${place.revealed ? ".answer" : ""}`;

/** The place behind one: a beat's answer is a step of its own, which `goOn` takes before this. */
export const placeAfter = (place) => ({ number: place.number + 1, revealed: false });

/** The place before one: an ask's answer comes after its question, also on the way back. */
export function placeBefore(place, beats) {
  if (place.revealed) return { number: place.number, revealed: false };
  const number = place.number - 1;
  return { number, revealed: beats[number - 1]?.kind === "ask" };
}

/** What stands in this window of the learner's guess at a question. */
export const guessKeyOf = (lesson, number) => `attend-guess-${lesson}.${number}`;

/**
 * The beat that an address names: of a story or a lecture, its number from 1, and whether its answer is meant.
 * @param {{ search: string }} address
 * @returns {{ name: string, number: number, answered: boolean } | null}
 */
export function beatIn({ search }) {
  const found = /^(\w+)\.(\d+)(\.answer)?$/.exec(new URLSearchParams(search).get("beat") ?? "");
  return found && { name: found[1], number: Number(found[2]), answered: Boolean(found[3]) };
}

/** The address of a place, with what the learner changed there. */
export function linkOf({ data }, place, changes) {
  const { lesson, playlist } = data;
  const parameters = new URLSearchParams();
  const [name, number] = playlist ? [playlist.name, place.at + 1] : [lesson, place.number];
  parameters.set("beat", `${name}.${number}${place.revealed ? ".answer" : ""}`);
  for (const [key, value] of Object.entries(changes)) parameters.set(`${lesson}_${key}`, String(value));
  return `${location.pathname}?${parameters}`;
}

/**
 * The place that an address names; null where it names none that this page's data know.
 * @param {{ search: string }} address
 * @param {any} data
 */
export function placeIn(address, { lesson, playlist, beats }) {
  const found = beatIn(address);
  if (!found) return null;
  const { name, answered } = found;
  const at = found.number - 1;
  const listed = playlist && name === playlist.name ? playlist.beats[at] : null;
  const number = name === lesson ? at + 1 : listed?.lesson === lesson ? listed.number : 0;
  if (!number || number > beats.length) return null;
  return { number, revealed: answered && beats[number - 1].kind === "ask", ...(listed ? { at } : {}) };
}
