/* What a view keeps in the page's address, so that the link opens it as it stands: its step, a chosen cell.

   Streamlit leaves parameters alone that none of its own controls are bound to, so no visit to the server is needed. */

/**
 * @param {string} name the view's own address, as Python sends it, with the name of the value
 * @returns {string | null}
 */
export function recalled(name) {
  return new URLSearchParams(location.search).get(name);
}

/**
 * @param {string} name
 * @param {string | number | null} value null takes it out of the address
 */
export function remember(name, value) {
  if (!location.protocol.startsWith("http")) return; // a view by itself, without a page
  const parameters = new URLSearchParams(location.search);
  if (value === null) parameters.delete(name);
  else parameters.set(name, String(value));
  const query = parameters.toString();
  history.replaceState(history.state, "", location.pathname + (query ? `?${query}` : "") + location.hash);
}
