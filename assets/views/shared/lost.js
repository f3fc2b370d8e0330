/* A page whose session is lost is loaded again from its address.

Streamlit connects again by itself, but asks for no run: behind a proxy the page would go on showing what another process,
which is gone, had in its memory. The server names its process. If the name is another one, or the session was away for longer
than the server keeps it, the page shows what no session holds any more. */

const APP_ROOT = "[data-testid=stApp]";
const CONNECTION_STATE = "data-test-connection-state";
const CONNECTED = "CONNECTED";
const RESUMABLE = 110_000; // milliseconds; the server keeps a session for 120 seconds

/**
 * Return a function to call with each state of the connection. `ask` promises the name of the server's process, `now` is a
 * clock in milliseconds, `reload` reloads the page.
 */
export function watchConnection(ask, reload, now) {
  const first = ask();
  let lost = null;
  return async (state) => {
    if (state !== CONNECTED) {
      lost ??= now();
      return;
    }
    if (lost === null) return;
    const away = now() - lost;
    lost = null;
    const [before, present] = await Promise.all([first, ask()]);
    if (away > RESUMABLE || (before && present && before !== present)) reload();
  };
}

/** Reload the page when its session is lost. It begins once Streamlit has connected for the first time. */
export function reloadWhenLost() {
  const address = new URL("../process", import.meta.url);
  const ask = () =>
    fetch(address, { cache: "no-store" })
      .then((answer) => answer.json())
      .then((answer) => answer.process)
      .catch(() => "");
  let tell = null;
  let last = "";
  new MutationObserver(() => {
    const state = document.querySelector(APP_ROOT)?.getAttribute(CONNECTION_STATE) ?? "";
    if (state === last) return;
    last = state;
    if (!tell && state === CONNECTED) tell = watchConnection(ask, () => location.reload(), Date.now);
    tell?.(state);
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: [CONNECTION_STATE] });
}
