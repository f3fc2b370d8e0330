/* Which lessons were visited: kept in this browser only, and never sent. */

const KEPT = "attend_visited";

/** @returns {Set<string>} the names of lessons that were opened in this browser */
export function visited() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return new Set(Array.isArray(kept) ? kept : []);
  } catch {
    return new Set(); // a browser that keeps nothing
  }
}

/** Note the lesson that the address names. */
export function noteVisit() {
  const name = location.pathname.replace(/.*\//, "").replace(/\.html$/, "");
  try {
    localStorage.setItem(KEPT, JSON.stringify([...visited().add(name)]));
  } catch {
    // A browser that keeps nothing shows no ticks.
  }
}
