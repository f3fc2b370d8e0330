/* Tagged text: each word with its tag below it; unseen words are underlined. A click, or Enter, chooses a word.

   data: { sentences: [[{ word, tag, unseen, differs }]], chosen: place, -1 for none, colours: { tag: colour },
           label: what a reader of the screen hears of it }
   It reports `chosen`, a word's place. */

import { button, element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";

function wordButton(word, place, { data, report }) {
  const made = button(place === data.chosen ? "chosen" : "", "", () => report("chosen", place));
  made.tabIndex = -1;
  made.classList.toggle("unseen", Boolean(word.unseen));
  made.classList.toggle("differs", Boolean(word.differs));
  made.setAttribute("aria-pressed", String(place === data.chosen));
  made.title = [word.unseen && translated("never seen in training"), word.differs && translated("otherwise tagged {tag}", { tag: word.differs })]
    .filter(Boolean)
    .join("; ");
  const tag = element("span", "tag", word.tag);
  tag.style.setProperty("--tag", data.colours[word.tag] || "var(--grey)");
  made.append(element("span", "word", word.word), tag);
  return made;
}

function onKey(buttons, event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const at = buttons.indexOf(event.target);
  if (!step || at < 0 || !buttons[at + step]) return;
  event.preventDefault();
  buttons[at].tabIndex = -1;
  buttons[at + step].tabIndex = 0;
  buttons[at + step].focus();
}

function build(root) {
  root.setAttribute("role", "group");
  return {};
}

export default function draw(component) {
  const state = mount(component, "tagged-text", build);
  const { data, root } = state;
  let place = 0;
  root.setAttribute(
    "aria-label",
    `${data.label || translated("Tagged text.")} ${translated("Left and right arrow move, Enter chooses a word.")}`,
  );
  root.replaceChildren(
    ...data.sentences.map((sentence) => {
      const line = element("p");
      line.replaceChildren(...sentence.map((word) => wordButton(word, place++, state)));
      return line;
    }),
  );
  const buttons = [...root.querySelectorAll("button")];
  const reachable = buttons[Math.min(Math.max(data.chosen, 0), buttons.length - 1)];
  if (reachable) reachable.tabIndex = 0; // one stop for the Tab key; arrows go on from there
  root.onkeydown = (event) => onKey(buttons, event);
  root.setAttribute("data-words", String(place));
  return unmount(component.parentElement);
}
