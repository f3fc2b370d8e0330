/* What stands at the end of every lesson: the prompts to try. And what every lesson does by itself: it keeps in the
   address what its views have put there, it notes in this browser that it was visited, and it hears the course's keys.

   data: { prompts: [{ label, link }], carried: [key] }. A prompt is a link; it is followed within the page, and the page
   turns back to its picture. */

import { hold, letGo } from "../shared/address.js";
import { element } from "../shared/element.js";
import { addressOf, follow } from "../shared/follow.js";
import { drawIcon } from "../shared/icons.js";
import { drainKeys, installKeys } from "../shared/keys.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { noteVisit } from "../shared/visited.js";

function go(event, link, carried) {
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const { path, parameters } = addressOf(link, location, carried);
  follow(`${path}?${parameters}`);
  document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0, behavior: "smooth" });
}

function prompt({ label, link }, carried) {
  const made = element("a", "", drawIcon("arrow-right"), label);
  made.href = link;
  made.onclick = (event) => go(event, link, carried);
  return element("li", "", made);
}

export default function draw(component) {
  const state = mount(component, "page", () => ({ clock: 0 }));
  const { prompts, carried } = component.data;
  const list = element("ul", "prompts", ...prompts.map((each) => prompt(each, carried)));
  state.root.replaceChildren(...(prompts.length ? [element("h2", "", translated("Try this")), list] : []));
  noteVisit();
  installKeys();
  drainKeys();
  clearInterval(state.clock);
  state.clock = window.setInterval(hold, 300);
  return () => {
    clearInterval(state.clock);
    letGo();
    unmount(component.parentElement)();
  };
}
