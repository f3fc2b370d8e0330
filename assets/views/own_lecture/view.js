/* The visitor's own lecture, kept by this browser: what a new session does not have is given back to it. It shows nothing.

   data: { text }: the session's lecture as Markdown; null where the session does not know yet what the browser kept, and the
   view reports `found`. */

import { mount, unmount } from "../shared/mount.js";

const OWN_LECTURE = "attend-lecture"; // in this browser; shared/host.js reads it for the speaker's window

export default function draw(component) {
  const state = mount(component, "own-lecture", listenToOthers);
  const { text } = state.data;
  if (text === null) state.report("found", exchange(null) ?? "");
  else exchange(text);
  return () => {
    window.removeEventListener("storage", state.hear);
    unmount(component.parentElement)();
  };
}

/** What another window of this browser adds, this one has too. */
function listenToOthers() {
  const state = /** @type {any} */ ({});
  state.hear = ({ key, newValue }) => key === OWN_LECTURE && newValue !== state.data.text && state.report("found", newValue ?? "");
  window.addEventListener("storage", state.hear);
  return state;
}

/** Keep a text, or forget it where it is empty; return what was kept before. */
function exchange(text) {
  try {
    const kept = localStorage.getItem(OWN_LECTURE);
    if (text) localStorage.setItem(OWN_LECTURE, text);
    else if (text === "") localStorage.removeItem(OWN_LECTURE);
    return kept;
  } catch {
    return null; // a browser that keeps nothing: the lecture lasts as long as the session
  }
}
