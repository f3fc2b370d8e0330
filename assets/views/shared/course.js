/* What the views of a page share with one another: each is a module of its own, hence one global. */

/**
 * `bars`: the play bars that stand on the page; `tour`: what moves the tour or lecture that is open.
 * @returns {{ bars: Set<any>, tour: null | { move: (by: number) => void, fold: () => void } }}
 */
export function course() {
  const page = /** @type {any} */ (globalThis);
  return (page.attendCourse ??= { bars: new Set(), tour: null });
}
