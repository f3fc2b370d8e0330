/* What the views of a page share with one another: each is a module of its own, hence one global. */

/**
 * `bars`: the play bars that stand on the page; `tour`: what moves the tour or lecture that is open; `actions`: what keys do
 * where a story or a lab stands; `host`: the room that this window steers; `keys`: what hears them, `drain`: what does those that
 * waited; `waiting`: whether a story is on its way, and `pending` what was
 * pressed meanwhile; `tabbed`: whether what has the focus got it by Tab.
 * @returns {{ bars: Set<any>, tour: null | { move: (by: number) => void, fold: () => void, goToBeat: (at: number) => void, speaker: () => void }, actions: any, keys: any, drain: null | (() => void),
 *   host?: any, waiting: boolean, since: number, pending: [string, boolean][], tabbed: boolean }}
 */
export function course() {
  const page = /** @type {any} */ (globalThis);
  return (page.attendCourse ??= { bars: new Set(), tour: null, actions: null, keys: null, drain: null, waiting: false, since: 0, pending: [], tabbed: false });
}
