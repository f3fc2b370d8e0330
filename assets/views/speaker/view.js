/* The speaker's commands: they steer the lesson's window from the speaker's, where both are windows of one browser.

   data: { channel }: the name that both know, made of the desk's token. A command is a key of the course, which the view
   "tour" presses in its window. Keys pressed here go there too. */

import { button, element } from "../shared/element.js";
import { takesText } from "../shared/keys.js";
import { mount, unmount } from "../shared/mount.js";

const COMMANDS = [["◀ Back", "PageUp"], ["Next ▶", "PageDown"], ["Black screen", "b"], ["Present", "p"]];
const SAME = { PageUp: "PageUp", PageDown: "PageDown", ArrowLeft: "PageUp", ArrowRight: "PageDown", " ": "PageDown", b: "b", p: "p" };

function build(root) {
  const state = { channel: /** @type {BroadcastChannel | null} */ (null), answered: element("p", "answered") };
  state.answered.setAttribute("role", "status");
  const send = (key) => {
    state.answered.textContent = "No window of this browser answers: open the lecture in another window of it.";
    state.channel?.postMessage({ key });
  };
  state.hear = (event) => {
    const key = SAME[event.key];
    if (!key || event.ctrlKey || event.altKey || event.metaKey || takesText(event.composedPath()[0])) return;
    if (event.composedPath()[0] instanceof HTMLButtonElement && event.key === " ") return; // it presses that button
    event.preventDefault();
    send(key);
  };
  window.addEventListener("keydown", state.hear);
  const bar = element("div", "commands", ...COMMANDS.map(([words, key]) => button(key, words, () => send(key))));
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Commands to the lecture's window");
  root.append(bar, state.answered);
  return state;
}

export default function draw(component) {
  const state = mount(component, "speaker", build);
  const { channel } = component.data;
  if (state.channel?.name !== channel) {
    state.channel?.close();
    state.channel = new BroadcastChannel(channel);
    state.channel.onmessage = ({ data }) => { if (data.done) state.answered.textContent = ""; };
  }
  return () => {
    window.removeEventListener("keydown", state.hear);
    state.channel?.close();
    unmount(component.parentElement)();
  };
}
