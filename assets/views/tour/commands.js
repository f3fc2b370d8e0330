/* Commands from the speaker's window of the same browser: each is a key of the course, pressed here. */

const KEYS = ["PageUp", "PageDown", "b", "p"];

/** Listen on the desk's channel, once; "" where the lecturer has no desk. */
export function obey(state, name) {
  if ((state.commands?.name ?? "") === name) return;
  state.commands?.close();
  state.commands = name ? new BroadcastChannel(name) : null;
  if (!state.commands) return;
  state.commands.onmessage = ({ data }) => {
    if (!KEYS.includes(data.key)) return;
    window.dispatchEvent(new window.KeyboardEvent("keydown", { key: data.key, cancelable: true }));
    state.commands.postMessage({ done: data.key });
  };
}

/** Fetch and compile, while the browser is idle, the code that the next beat's lesson draws with. */
export function prepare(addresses) {
  const idle = globalThis.requestIdleCallback ?? ((act) => setTimeout(act, 500));
  idle(() => {
    for (const address of addresses) {
      if (document.querySelector(`link[rel="modulepreload"][href="${CSS.escape(address)}"]`)) continue;
      const link = document.createElement("link");
      Object.assign(link, { rel: "modulepreload", href: address });
      document.head.append(link);
    }
  });
}
