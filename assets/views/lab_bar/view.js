/* The bar of a lab: the lesson's name and question, the way back to its story, and the pin.

   data: { lesson, title, question, icon, labels, pinned, go }. It reports `pin`: whether the present result is to be kept
   beside what comes of other settings; `go` is the address where the page must be first, so that it knows that result. */

import { course } from "../shared/course.js";
import { button, element } from "../shared/element.js";
import { renderedParts } from "../shared/markup.js";
import { follow } from "../shared/follow.js";
import { mount, unmount } from "../shared/mount.js";

function toStory({ data }) {
  const { lesson } = data;
  const from = sessionStorage.getItem(`attend-lab-from-${lesson}`);
  sessionStorage.setItem(`attend-lab-${lesson}`, JSON.stringify([from, location.pathname + location.search]));
  const first = `${location.pathname}?beat=${lesson}.1`;
  follow(sessionStorage.getItem(`attend-story-${lesson}`) ?? first);
}

/** Open or close the section that describes the picture, and go to it. */
function describePicture() {
  const head = document.querySelector('[data-testid="stMain"] [class*="st-key-"][class*="_describe"] summary');
  if (!(head instanceof HTMLElement)) return;
  head.click();
  head.focus();
}

export default function draw(component) {
  const state = mount(component, "lab-bar", () => ({ sentTo: "" }));
  const { root, data } = state;
  const { title, question, icon, labels, pinned, go } = data;
  if (go && go !== state.sentTo) follow((state.sentTo = go), true);
  if (!go) state.sentTo = "";
  const actions = { lab: () => toStory(state), describe: describePicture };
  course().actions = actions;
  const picture = element("span", "icon");
  picture.append(...renderedParts(icon)); // one of the project's own pictures
  picture.setAttribute("aria-hidden", "true");
  const pin = button("pin", pinned ? labels.unpin : labels.pin, () => state.report("pin", !pinned));
  pin.title = labels["pin.help"];
  pin.setAttribute("aria-pressed", String(Boolean(pinned)));
  const story = button("to-story", labels.story, actions.lab);
  root.replaceChildren(picture, element("h1", "", title), element("span", "question", question), pin, story);
  return () => {
    if (course().actions === actions) course().actions = null;
    unmount(component.parentElement)();
  };
}
