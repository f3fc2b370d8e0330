/* What the lattice keeps in the page's address beside its step: its switches, its speed, the searches, the chosen cell. */

import { recalled, remember } from "../shared/address.js";

const NORMAL = 1; // the speed at first, and the one search that is shown at first

/** @param {any} view @param {string} name @param {string | number | null} value */
export function keep(view, name, value) {
  remember(`${view.data.address}_${name}`, value);
}

export function setSpeed(view, speed) {
  view.speed = speed;
  keep(view, "speed", speed === NORMAL ? null : speed + 1);
}

export function keepSearches(view) {
  const shown = view.data.paths.flatMap((path, i) => (view.shown.has(path.id) ? [i + 1] : [])).join(".");
  keep(view, "searches", shown === "1" ? null : shown || "none");
}

export function keepPlace(view) {
  keep(view, "step", view.step ? view.step + 1 : null);
  keep(view, "cell", view.chosen && view.chosen.map((place) => place + 1).join("."));
}

/** Set the view as the address says, when it is drawn for the first time. */
export function recallAll(view) {
  const { address, paths, words, states } = view.data;
  const said = (name) => recalled(`${address}_${name}`);
  view.log = !(view.rawBox.firstChild.checked = said("raw") === "true");
  view.fit = view.fitBox.firstChild.checked = said("whole") === "true";
  view.byWord = view.byWordBox.firstChild.checked = said("words") === "true";
  const speed = Number(said("speed")) - 1;
  view.pace.value = view.speed = speed >= 0 && speed < view.pace.options.length ? speed : NORMAL;
  const searches = said("searches");
  if (searches !== null) {
    const numbers = searches.split(".").map(Number);
    view.shown = new Set(paths.filter((_, i) => numbers.includes(i + 1)).map((path) => path.id));
  }
  const [t, j] = (said("cell") ?? "").split(".").map((place) => Number(place) - 1);
  return words[t] !== undefined && states[j] !== undefined ? [t, j] : null;
}

/** Go where the address says: after Back, or with a beat of a tour. */
export function comeBack(view) {
  view.rest();
  view.chosen = recallAll(view);
  view.turn = null;
  view.step = Math.min(Math.max(0, Number(recalled(`${view.data.address}_step`)) - 1), view.data.steps.length - 1);
  view.shownData = null; // what the server sends next is drawn as the address says, too
  view.layOut();
}
