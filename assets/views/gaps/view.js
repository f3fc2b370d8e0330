/* A sentence whose words are hidden and shown again by a click, and what two models put into each gap, gap by gap.

   data: { words: [{ word, masks: how many <mask> stand for it, 0 where it is seen, guesses: [each model's] }],
           gaps: [{ word: its place, said, models: [{ name, hue, rows: [{ token, p, text, hidden, rank }] }] }],
           start, predicting: what shared/sent_bar.js reads }
   Every number is core's; before a guess no gap is sent. It reports `toggle`, a word's place. */

import { button, element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { sentBar } from "../shared/sent_bar.js";

function wordButton(state, { word, masks, guesses }, place) {
  const press = () => {
    state.wanted = masks ? null : place;
    state.report("toggle", place);
  };
  const made = button(masks ? "word hidden" : "word", "", press);
  made.tabIndex = -1;
  made.setAttribute("aria-pressed", String(masks > 0));
  made.append(element("span", "text", masks ? Array(masks).fill("<mask>").join(" ") : word));
  if (masks) guesses.forEach(([hue, guess]) => made.append(element("span", `guess ${hue}`, guess)));
  made.setAttribute("aria-label", masks ? translated("{word}, hidden", { word }) : word);
  return made;
}

/* One stop for the Tab key; the arrows go on from there, Enter and Space press as in any button. */
function onKey(buttons, event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const at = buttons.indexOf(event.target);
  if (!step || at < 0 || event.altKey) return;
  event.preventDefault();
  if (buttons[at + step]) focusOn(buttons, at + step);
}

function focusOn(buttons, at) {
  buttons.forEach((each, i) => (each.tabIndex = i === at ? 0 : -1));
  buttons[at].focus();
}

/* `most`: the largest p of the gap, in either list, so that both lists' bars are of one scale. */
function list({ name, hue, rows }, most) {
  const lines = rows.map(({ token, p, text, hidden, rank }) => {
    const fill = element("span", `fill ${hue}`);
    fill.style.inlineSize = `${(100 * p) / most}%`;
    return element(
      "div",
      hidden ? "line own" : "line",
      element("span", "rank", `${rank}`),
      element("span", "token", token),
      element("span", "track", fill),
      element("span", "p", text),
    );
  });
  return element("section", "model", element("p", "name", name), ...lines);
}

function show(state, at) {
  const gap = state.data.gaps[at];
  state.buttons.forEach((each, place) => each.classList.toggle("now", place === gap.word));
  const most = Math.max(...gap.models.flatMap(({ rows }) => rows.map(({ p }) => p)));
  state.lists.replaceChildren(...gap.models.map((model) => list(model, most)));
}

function build(root) {
  const state = { sentence: element("div", "sentence"), rest: element("div", "rest"), lists: element("div", "lists"), wanted: null, bar: null };
  state.sentence.setAttribute("role", "group");
  state.sentence.setAttribute("aria-label", translated("The text. Left and right arrow move, Enter hides a word or shows it again."));
  state.lists.tabIndex = 0; // the course's keys go from gap to gap while it has the focus
  state.lists.setAttribute("role", "group");
  state.lists.setAttribute("aria-label", translated("What both models put into the gap"));
  root.append(state.sentence, state.rest);
  return state;
}

export default function draw(component) {
  const state = mount(component, "gaps", build);
  const { data } = state;
  const leave = () => {
    state.bar?.pause();
    unmount(component.parentElement)();
  };
  const sent = JSON.stringify(data);
  if (state.sent === sent) return leave;
  state.sent = sent;
  const focused = state.buttons?.indexOf(/** @type {any} */ (state.root.getRootNode()).activeElement) ?? -1;
  state.buttons = data.words.map((word, place) => wordButton(state, word, place));
  state.sentence.replaceChildren(...state.buttons);
  state.sentence.onkeydown = (event) => onKey(state.buttons, event);
  if (state.buttons[Math.max(focused, 0)]) state.buttons[Math.max(focused, 0)].tabIndex = 0;
  if (focused >= 0 && state.buttons[focused]) focusOn(state.buttons, focused);
  state.rest.replaceChildren();
  if (!data.gaps.length) return leave;
  sentBar(state, data, {
    steps: data.gaps.length,
    label: translated("Gap"),
    show: (at) => show(state, at),
    say: (at) => data.gaps[at].said,
  });
  const wanted = data.gaps.findIndex(({ word }) => word === state.wanted);
  if (wanted >= 0) state.bar.go(wanted);
  state.wanted = null;
  state.bar.root.classList.toggle("only", data.gaps.length === 1);
  const box = element("div", "", state.bar.root, state.lists);
  state.bar.keys(state.lists);
  state.rest.append(box);
  return leave;
}
