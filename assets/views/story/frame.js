/* The frame around a beat's picture: the bar, the words, the controls, the question, and the ways on and back. */

import { button, element } from "../shared/element.js";
import { drawIcon } from "../shared/icons.js";
import { renderedParts } from "../shared/markup.js";
import { sourceOf } from "../shared/source.js";
import { drawControl, focusOn } from "./controls.js";
import { tieWords } from "./ties.js";

const DOTS = 14; // beats, at most, that are drawn as dots

export function buildFrame(state) {
  const { root, actions } = state;
  const part = (tag, name) => (state[name] = element(tag, name));
  const bar = part("header", "bar");
  const main = part("div", "screen"); // Streamlit's page is the main landmark
  const words = part("section", "words");
  const picture = part("section", "picture");
  const host = part("div", "host");
  const caption = part("p", "caption");
  picture.append(host, caption);
  const moves = part("nav", "moves");
  state.backButton = button("back", "", actions.back);
  state.nextButton = button("next", "", actions.next);
  state.trail = element("span", "trail");
  moves.append(state.backButton, state.trail, state.nextButton);
  main.append(words, picture, moves);
  root.append(bar, main, state.voice.region);
}

/** The bar with the lesson's name. It stays from beat to beat: a reader that has the focus in it would read it again. */
function drawBar(state) {
  const { data, actions } = state;
  const { labels, playlist } = data;
  const icon = element("span", "icon");
  icon.append(...renderedParts(data.icon)); // one of the project's own pictures, never a learner's words
  icon.setAttribute("aria-hidden", "true");
  const home = element("a", "home", labels.home);
  home.href = location.pathname.replace(/[^/]*$/, "") + sourceOf().page("");
  home.onclick = (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    event.preventDefault();
    actions.home();
  };
  const title = element("h1", "title", data.title);
  const question = element("span", "question", playlist ? playlist.title : data.question);
  const lab = button("lab", labels.lab, actions.lab);
  const file = button("save", "", actions.save);
  file.append(drawIcon("file-down"));
  Object.assign(file, { title: labels.save, ariaLabel: labels.save, hidden: !sourceOf().file });
  const describe = button("describe", labels.describe, actions.describe);
  describe.setAttribute("aria-expanded", String(Boolean(state.root.querySelector(".description"))));
  describe.hidden = !sourceOf().description;
  const room = button("class", labels.room, actions.room);
  room.hidden = !data.rooms;
  const languages = Object.entries(data.languages ?? {}).map(([code, of]) => {
    const [name, page] = [of].flat(); // a site of files has a page for each language
    const link = element("a", "language", code.toUpperCase());
    if (page) link.onclick = () => void (link.href = page + location.search); // at the beat that is shown then
    const href = page ?? `?lang=${code}`;
    return Object.assign(link, { href, hreflang: code, lang: code, title: name, ariaLabel: name });
  });
  state.bar.replaceChildren(home, icon, title, question, ...languages, describe, room, file, lab);
}

/** Where the story stands. */
export function drawTrail(state) {
  const { data, place, actions } = state;
  const { labels, playlist } = data;
  if (state.barOf !== data) drawBar(state);
  state.barOf = data;
  state.root.classList.toggle("follows", Boolean(data.follows));
  const [at, count] = playlist ? [place.at, playlist.beats.length] : [place.number - 1, data.beats.length];
  state.backButton.textContent = labels.back;
  state.nextButton.textContent = labels.next;
  state.backButton.disabled = at === 0 && !place.revealed;
  const asking = data.beats[place.number - 1].kind === "ask" && !place.revealed;
  state.root.classList.toggle("alone", count === 1); // one beat, taken away as a file
  state.nextButton.disabled = at === count - 1 && !asking;
  if (asking) state.nextButton.textContent = labels.reveal;
  const jump = button("jump", labels.number.replace("{number}", String(at + 1)).replace("{count}", String(count)), actions.jump);
  jump.title = labels.beats;
  const dots = element("span", "dots");
  dots.setAttribute("aria-hidden", "true");
  if (count <= DOTS) for (let i = 0; i < count; i++) dots.append(element("i", i === at ? "dot here" : i < at ? "dot seen" : "dot"));
  const held = state.trail.querySelector(":focus");
  state.trail.replaceChildren(jump, dots);
  if (held) jump.focus({ preventScroll: true });
}

/** What a beat says, with its controls. */
export function drawDocument(state, found, guess, arrived) {
  const { words, data, actions } = state;
  const { labels } = data;
  const heading = element("h2", "", found.heading);
  const said = element("div", "said");
  said.append(...renderedParts(found.words)); // rendered by core/words/markdown.py, in which a learner's words are escaped
  for (const formula of said.querySelectorAll(".math.block")) formula.tabIndex = 0; // a long one scrolls
  const controls = (found.controls ?? []).map((each) => drawControl(each, actions.change));
  const parts = [heading, said];
  if (found.kind === "do") parts.splice(0, 0, element("p", "kind", labels.your_turn));
  if (found.ask) parts.push(drawQuestion(found.ask, guess, labels, actions));
  const held = words.querySelector(":focus");
  if (controls.length) parts.push(element("div", "controls", ...controls));
  if (found.done) {
    const done = element("div", "done");
    done.append(...renderedParts(found.done));
    parts.push(done);
  }
  if (found.measured) {
    const fold = element("details", "measured", element("summary", "", labels.measured));
    const body = element("div");
    body.append(...renderedParts(found.measured));
    fold.append(body);
    parts.push(fold);
  }
  words.replaceChildren(...parts);
  if (arrived) words.scrollTop = 0;
  state.root.classList.toggle("is-done", Boolean(found.done));
  state.caption.textContent = found.picture?.caption ?? "";
  state.host.setAttribute("aria-label", found.picture?.alt ?? "");
  state.host.setAttribute("role", "group");
  tieWords(state);
  if (arrived && found.kind === "do") focusOn(controls[0]);
  else if (arrived && held) focusOnHeading(heading);
  else if (held?.id) focusOn(words.querySelector(`#${CSS.escape(held.id)}`));
}

/** Where what had the focus is gone, as a choice is that was made, reading goes on at the heading. */
function focusOnHeading(heading) {
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

function drawQuestion({ question, choices, answer, closed }, guess, labels, actions) {
  const box = element("div", "ask");
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", question);
  box.append(element("p", "asked", question));
  const listed = element("div", "choices");
  for (const { id, label } of choices) {
    const made = button("choice", label, () => actions.choose(id));
    made.dataset.id = id;
    made.disabled = Boolean(closed);
    if (answer !== undefined) {
      made.disabled = true;
      if (id === answer) made.classList.add("right");
      else if (id === guess) made.classList.add("wrong");
    }
    listed.append(made);
  }
  box.append(listed);
  const named = (id) => choices.find((each) => each.id === id)?.label ?? id;
  if (answer !== undefined && guess) {
    const verdict = guess === answer ? labels.right : labels.wrong.replace("{guess}", named(guess)).replace("{answer}", named(answer));
    box.append(element("p", "verdict", verdict));
  }
  return box;
}

/** Show that a beat is on its way, or that the server did not answer. */
export function drawWaiting(state, waiting, error) {
  state.root.classList.toggle("waiting", waiting);
  state.root.querySelector(".lost")?.remove();
  if (!error) return;
  const { labels } = state.data;
  const lab = error.needsCourse; // a static site has no server that could compute this
  const lost = element("p", "lost", lab ? labels.needs_course : labels.lost);
  lost.setAttribute("role", "alert");
  lost.append(lab ? button("", labels.open_lab, state.actions.lab) : button("", labels.try_again, () => location.reload()));
  state.root.append(lost);
}
