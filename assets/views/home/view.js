/* The front door: a search over all lessons, paths through them, and every lesson as a card, by subject.

   data: { labels, paths: [{ name, title, about, length, parts: [{ title, number, lessons: [name] }] }],
   subjects: [{ title, lessons: [{ name, title, question, names, icon, picture, minutes, after }] }] }; a picture is core's own
   SVG, `minutes` how long the lesson takes, `after` the names of the lessons it builds on, `names` what else it is found by.
   The open path is in the address. It reports nothing. */

import { letGo, onReturn, recalled, remember } from "../shared/address.js";
import { button, element } from "../shared/element.js";
import { drawIcon } from "../shared/icons.js";
import { filled } from "../shared/labels.js";
import { renderedParts } from "../shared/markup.js";
import { mount, unmount } from "../shared/mount.js";
import { sourceOf } from "../shared/source.js";
import { visited } from "../shared/visited.js";
import { findLessons } from "./compute.js";

const SHOWN = 10; // results
const PATH = "path"; // in the address
const MOVES = { ArrowDown: 1, ArrowUp: -1 };

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
  same.click(); // the menu may hide it
}

function link(className, lesson, ...content) {
  const made = element("a", className, ...content);
  made.href = sourceOf().page(lesson.name);
  made.onclick = open;
  return made;
}

function iconOf(lesson) {
  const made = element("span", "icon");
  made.append(...renderedParts(lesson.icon)); // one of the project's own pictures
  made.setAttribute("aria-hidden", "true");
  return made;
}

// ---- search

function buildSearch(state) {
  const field = element("input", "field");
  Object.assign(field, { type: "search", autocomplete: "off", spellcheck: false, enterKeyHint: "go" });
  field.oninput = () => showFound(state);
  field.onkeydown = (event) => {
    const links = [...state.found.querySelectorAll("a")];
    if (event.key === "ArrowDown" && links.length) links[0].focus();
    else if (event.key === "Enter" && links.length) links[0].click();
    else if (event.key === "Escape" && field.value) clear(state);
    else return;
    event.preventDefault();
  };
  const away = button("clear", "", () => clear(state));
  away.append(drawIcon("x"));
  const box = element("div", "search", drawIcon("search"), field, away);
  box.setAttribute("role", "search");
  state.found = element("div", "found");
  state.found.onkeydown = (event) => moveAmong(state, event);
  state.status = element("p", "status");
  state.status.setAttribute("role", "status");
  Object.assign(state, { field, away });
  return [box, state.status, state.found];
}

function clear(state) {
  state.field.value = "";
  showFound(state);
  state.field.focus();
}

/** The arrows go from one result to the next, and from the first back into the field. */
function moveAmong(state, event) {
  const links = [...state.found.querySelectorAll("a")];
  const at = links.indexOf(event.target);
  if (event.key === "Escape") clear(state);
  else if (at < 0 || !(event.key in MOVES)) return;
  else (links[at + MOVES[event.key]] ?? (event.key === "ArrowUp" ? state.field : links[at])).focus();
  event.preventDefault();
}

function showFound(state) {
  const { labels } = state.data;
  const query = state.field.value.trim();
  state.root.classList.toggle("searching", Boolean(query));
  state.away.hidden = !query;
  if (!query) {
    state.status.textContent = "";
    return state.found.replaceChildren();
  }
  const found = findLessons(state.lessons, query);
  const count = found.length;
  state.status.textContent = count === 1 ? labels["search.one"] : count ? filled(labels["search.many"], { count }) : filled(labels["search.none"], { query });
  if (!count) {
    const examples = labels["search.examples"].split(", ").map((example) => button("example", example, () => {
      state.field.value = example;
      showFound(state);
      state.field.focus();
    }));
    return state.found.replaceChildren(element("p", "try", labels["search.try"]), element("div", "examples-row", ...examples));
  }
  const list = element("ol", "results", ...found.slice(0, SHOWN).map((each) => element("li", "", result(each))));
  return state.found.replaceChildren(list);
}

function result({ lesson, name }) {
  const title = element("strong", "", lesson.title);
  if (name) title.append(element("span", "name", name));
  return link("result", lesson, iconOf(lesson), element("span", "words", title, element("span", "question", lesson.question)));
}

// ---- paths

function buildPaths(state) {
  state.heading = element("h2", "paths-heading");
  state.tabs = element("div", "tabs");
  state.tabs.setAttribute("role", "tablist");
  state.tabs.onkeydown = (event) => {
    const all = [...state.tabs.children];
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const to = event.key === "Home" ? 0 : event.key === "End" ? all.length - 1 : by && (all.indexOf(event.target) + by + all.length) % all.length;
    if (to === undefined) return;
    event.preventDefault();
    choosePath(state, state.data.paths[to].name);
    all[to].focus();
  };
  state.panel = element("div", "panel");
  state.panel.setAttribute("role", "tabpanel");
  state.panel.id = "home-path";
  return element("section", "paths", state.heading, state.tabs, state.panel);
}

function choosePath(state, name) {
  remember(PATH, name === state.data.paths[0].name ? null : name);
  showPath(state);
}

function showPath(state) {
  const { paths, labels } = state.data;
  const kept = recalled(PATH);
  const chosen = paths.find(({ name }) => name === kept) ?? paths[0];
  [...state.tabs.children].forEach((tab, i) => {
    tab.setAttribute("aria-selected", String(paths[i] === chosen));
    tab.tabIndex = paths[i] === chosen ? 0 : -1;
  });
  state.panel.setAttribute("aria-labelledby", `home-path-${chosen.name}`);
  const names = chosen.parts.flatMap(({ lessons }) => lessons);
  const nextName = names.find((name) => !state.seen.has(name));
  const next = state.lessons.find(({ name }) => name === nextName);
  const about = element("p", "about", chosen.about, " ", element("span", "length", chosen.length));
  const label = labels[nextName === names[0] ? "path.begin" : "path.go_on"];
  const on = next ? link("go-on", next, filled(label, { title: next.title }), drawIcon("arrow-right")) : element("p", "all-seen", labels["path.done"]);
  const byName = (name) => state.lessons.find((each) => each.name === name);
  const parts = chosen.parts.length > 1
    ? element("ol", "weeks", ...chosen.parts.map((part) => week(state, part, byName, nextName)))
    : element("ol", "steps", ...names.map((name, i) => step(state, byName(name), i + 1, name === nextName)));
  state.panel.replaceChildren(element("div", "head", about, on), parts);
}

/** The number of a step, or a tick once it was visited. */
function badge(state, lesson, number) {
  if (!state.seen.has(lesson.name)) return element("span", "badge", String(number));
  const made = element("span", "badge seen", drawIcon("check"), element("span", "unseen-words", state.data.labels["step.visited"]));
  return made;
}

function step(state, lesson, number, next) {
  const { labels } = state.data;
  const titles = lesson.after.map((name) => state.lessons.find((each) => each.name === name)?.title);
  const foot = element("span", "foot", filled(labels["step.minutes"], lesson));
  if (titles.length) foot.append(` · ${labels["step.builds_on"]} ${listed(titles, labels.and)}`);
  const made = link("step", lesson, badge(state, lesson, number), element("strong", "title", lesson.title), iconOf(lesson), foot);
  made.title = lesson.question;
  made.classList.toggle("next", next);
  return element("li", "", made);
}

function week(state, part, byName, nextName) {
  const { labels } = state.data;
  const lines = part.lessons.map((name) => {
    const lesson = byName(name);
    const tick = element("span", "dot");
    if (state.seen.has(name)) tick.append(drawIcon("check"), element("span", "unseen-words", labels["step.visited"]));
    const made = link("line", lesson, iconOf(lesson), element("span", "title", lesson.title), tick, element("span", "foot", filled(labels["step.minutes"], lesson)));
    made.title = lesson.question;
    made.classList.toggle("next", name === nextName);
    return element("li", "", made);
  });
  return element("li", "week", element("h3", "", element("span", "number", part.number), part.title), element("ol", "lines", ...lines));
}

function listed(items, and) {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${and} ${items[items.length - 1]}`;
}

// ---- all lessons

/* How long the lesson takes, and what it builds on. */
function cardFoot(state, { minutes, after }) {
  const { labels } = state.data;
  const titles = after.map((name) => state.lessons.find((each) => each.name === name)?.title);
  const words = [minutes ? filled(labels["card.minutes"], { minutes }) : ""];
  if (titles.length) words.push(filled(labels["card.builds_on"], { lessons: listed(titles, labels.and) }));
  return words.filter(Boolean).join(", ");
}

function card(state, lesson) {
  const picture = element("div", "picture");
  picture.append(...renderedParts(lesson.picture));
  picture.setAttribute("aria-hidden", "true");
  const title = element("strong", "title", iconOf(lesson), lesson.title);
  if (state.seen.has(lesson.name)) title.append(element("span", "tick", drawIcon("check"), state.data.labels["step.visited"]));
  return element("li", "", link("card", lesson, title, element("span", "question", lesson.question), picture, element("span", "foot", cardFoot(state, lesson))));
}

function subject(state, { title, lessons }, isOpen) {
  const { labels } = state.data;
  const count = lessons.length;
  const seen = lessons.filter(({ name }) => state.seen.has(name)).length;
  const facts = [count === 1 ? labels["subject.one"] : filled(labels["subject.many"], { count })];
  if (seen) facts.push(filled(labels["subject.visited"], { count: seen }));
  const summary = element("summary", "", drawIcon("chevron-down"), element("strong", "", title), element("span", "facts", facts.join(", ")));
  const made = element("details", "subject", summary);
  made.name = "home-subject"; // the browser keeps one of them open
  const fill = () => made.open && !made.querySelector(".cards") && made.append(element("ul", "cards", ...lessons.map((each) => card(state, each))));
  made.addEventListener("toggle", fill);
  made.open = isOpen;
  fill();
  return made;
}

function build(root) {
  const state = { root, data: null, lessons: [], seen: new Set(), slash: (event) => void event };
  const search = buildSearch(state);
  state.subjects = element("section", "subjects");
  root.append(...search, element("div", "browse", buildPaths(state), state.subjects));
  state.slash = (event) => {
    const where = event.composedPath()[0];
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || (where instanceof Element && where.matches("input, textarea"))) return;
    event.preventDefault();
    state.field.focus();
  };
  window.addEventListener("keydown", state.slash);
  onReturn(root, () => state.data && showPath(state));
  return state;
}

export default function draw(component) {
  const state = mount(component, "home", build);
  const { labels, paths, subjects } = state.data;
  state.seen = visited();
  state.lessons = subjects.flatMap(({ lessons }) => lessons);
  state.field.placeholder = labels["search.placeholder"];
  state.field.setAttribute("aria-label", labels.search);
  state.away.setAttribute("aria-label", (state.away.title = labels["search.clear"]));
  state.heading.textContent = labels.paths;
  state.tabs.setAttribute("aria-label", labels.paths);
  state.tabs.replaceChildren(...paths.map(({ name, title }) => {
    const tab = button("tab", title, () => choosePath(state, name));
    tab.id = `home-path-${name}`;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", state.panel.id);
    return tab;
  }));
  showPath(state);
  showFound(state);
  const all = subjects.map((each, i) => subject(state, each, i === 0));
  state.subjects.replaceChildren(element("h2", "", labels.subjects), ...all);
  return () => {
    window.removeEventListener("keydown", state.slash);
    letGo(); // the path is left with the page
    unmount(component.parentElement)();
  };
}
