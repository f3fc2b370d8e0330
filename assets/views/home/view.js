/* The front door: every lesson as a card that is a link, by subject in the course's order, ticked once visited.

   data: { subjects: [{ title, lessons: [{ name, title, question, icon, picture, minutes, after }] }] }; a picture is
   core's own SVG, `minutes` those of the lesson's tour, `after` the names of the lessons it builds on.
   It reports nothing. */

import { element } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";
import { visited } from "../shared/visited.js";

/* Open a lesson as the navigation does, so that the session and the learner's text stay; without it, as any link. */
function open(event) {
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const { pathname } = new URL(event.currentTarget.href);
  const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (
    document.querySelectorAll('[data-testid="stSidebarNavLink"]')
  );
  const same = [...links].find((link) => new URL(link.href).pathname === pathname);
  if (!same) return;
  event.preventDefault();
  same.click();
}

function link(className, lesson, ...content) {
  const made = element("a", className, ...content);
  made.href = lesson.name;
  made.onclick = open;
  return made;
}

/* How long the lesson's tour takes, and what it builds on, by number, as the cards have them. */
function path({ minutes, after }, lessons) {
  const numbers = after.map((name) => lessons.findIndex((each) => each.name === name) + 1);
  return [minutes ? `${minutes} minutes` : "", numbers.length ? `after ${numbers.join(" and ")}` : ""].filter(Boolean).join(", ");
}

function card(lesson, number, seen, lessons) {
  const picture = element("div", "picture");
  picture.append(new DOMParser().parseFromString(lesson.picture, "image/svg+xml").documentElement);
  picture.setAttribute("aria-hidden", "true");
  const title = element("strong", "title", `${number}. ${lesson.icon} ${lesson.title}`);
  if (seen) title.append(" ", element("span", "tick", "✓ visited"));
  return element("li", "", link("card", lesson, title, element("span", "question", lesson.question), picture, element("span", "path", path(lesson, lessons))));
}

function start(lessons, seen) {
  const next = lessons.findIndex(({ name }) => !seen.has(name));
  const line = element("p", "start");
  const count = lessons.length - lessons.filter(({ name }) => !seen.has(name)).length;
  if (next < 0) line.append("You have visited every lesson.");
  else {
    const words = count ? `${count} of ${lessons.length} lessons visited. Go on with ` : "Begin with ";
    line.append(words, link("", lessons[next], `${next + 1}. ${lessons[next].title}`));
    line.append(", or with the question that you would ask. The numbers are the course's order.");
  }
  return line;
}

export default function draw(component) {
  const { root, data } = mount(component, "home", () => ({}));
  const seen = visited();
  const lessons = data.subjects.flatMap((subject) => subject.lessons);
  const sections = data.subjects.map((subject) => {
    const cards = element("ul", "cards");
    cards.append(...subject.lessons.map((lesson) => card(lesson, lessons.indexOf(lesson) + 1, seen.has(lesson.name), lessons)));
    return element("section", "", element("h2", "", subject.title), cards);
  });
  root.replaceChildren(start(lessons, seen), ...sections);
  return unmount(component.parentElement);
}
