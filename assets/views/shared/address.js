/* What a view keeps in the page's address, so that the link opens it as it stands: its step, a chosen cell.

   No visit to the server is needed. But Streamlit does not hear of it: when it writes the address itself, it writes it
   as it was before. So what the views of a page keep is held beside the address, and written again by the view "page". */

/**
 * What is kept under a name; what a view put there comes before the address, which the server may just have written.
 * @param {string} name the view's own address, as Python sends it, with the name of the value
 * @returns {string | null}
 */
export function recalled(name) {
  if (held().has(name)) return held().get(name) ?? null;
  return new URLSearchParams(location.search).get(name);
}

const REMEMBERED = "attend-remembered";

/**
 * Hear of what another view of the page keeps under a name: two views may show one step.
 * @param {string} name
 * @param {(value: any) => void} take
 * @returns {() => void} stops hearing
 */
export function hear(name, take) {
  const heard = (/** @type {any} */ event) => event.detail.name === name && take(event.detail.value);
  globalThis.addEventListener(REMEMBERED, heard);
  return () => globalThis.removeEventListener(REMEMBERED, heard);
}

/** @returns {Map<string, string | null>} what the page's views keep; each view is a module of its own, hence global */
function held() {
  const page = /** @type {any} */ (globalThis);
  return (page.attendAddress ??= new Map());
}

/**
 * @param {string} name
 * @param {string | number | null} value null takes it out of the address
 */
export function remember(name, value) {
  globalThis.dispatchEvent(new CustomEvent(REMEMBERED, { detail: { name, value } }));
  if (!location.protocol.startsWith("http")) return; // a view by itself, without a page
  held().set(name, value === null ? null : String(value));
  hold();
}

/** Write what the views keep into the address, where something else has taken it out. */
export function hold() {
  const parameters = new URLSearchParams(location.search);
  const lost = [...held()].filter(([name, value]) => parameters.get(name) !== value);
  if (!lost.length) return;
  for (const [name, value] of lost) {
    if (value === null) parameters.delete(name);
    else parameters.set(name, value);
  }
  const query = parameters.toString();
  history.replaceState(history.state, "", location.pathname + (query ? `?${query}` : "") + location.hash);
}

/**
 * Do something when the browser has gone to another address of the same page: Back, or a beat of a tour.
 * @param {HTMLElement} root the view's; when it is taken down, nothing is done any more
 * @param {() => void} restore
 */
export function onReturn(root, restore) {
  const heard = () => {
    if (root.isConnected) restore();
    else window.removeEventListener("popstate", heard);
  };
  window.addEventListener("popstate", heard);
}

/** Forget what the views of a page kept: the page is left. */
export function letGo() {
  held().clear();
}
