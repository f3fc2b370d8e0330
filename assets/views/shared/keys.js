/* The course's one map of keys, for every lesson, without a click first. */

import { course } from "./course.js";
import { button, element } from "./element.js";

export const KEY_MAP = [
  ["← →", "a step back, a step on"],
  ["Home End", "the first step, the last step"],
  ["Space", "play or pause the steps"],
  ["Page Up, Page Down", "the beat before, the next beat of the tour or lecture (Space too, where nothing plays)"],
  ["T", "open the tour, or fold it away"],
  ["P", "present: only the lesson, half as large again"],
  ["B", "a black screen, and back"],
  ["?", "these keys"],
  ["Esc", "close what is open: keys, black screen, presenting"],
];

/** @param {KeyboardEvent} event @returns {EventTarget | null} what has the focus, inside a view too */
function focused(event) {
  return event.composedPath()[0] ?? event.target;
}

/** @param {any} where @returns {boolean} whether keys belong to what has the focus: a field, a slider, a list */
export function takesKeys(where) {
  if (!(where instanceof Element)) return false;
  return Boolean(
    where.closest('input, textarea, select, [contenteditable="true"], [role="slider"], [role="listbox"], [role="tab"], [role="radio"], [role="combobox"]'),
  );
}

/** @returns {any} the first play bar that stands on the page */
function bar() {
  const { bars } = course();
  for (const each of bars) if (!each.root.isConnected) bars.delete(each);
  return [...bars].filter((each) => each.root.offsetParent)[0];
}

/** Press the step's button that Streamlit drew, where a lesson's steps are no view; return whether there was one. */
function press(what) {
  const found = document.querySelector(`[data-testid="stMain"] [class*="st-key-"][class$="_step_${what}"] button`);
  if (!(found instanceof HTMLButtonElement)) return false;
  found.click();
  return true;
}

export const STEPS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };

function step(key) {
  const steps = bar();
  if (key === " ") return steps ? (steps.move("play"), true) : false;
  if (steps) return steps.move(STEPS[key]), true;
  return press(STEPS[key]);
}

export function present(on) {
  document.documentElement.toggleAttribute("data-present", on);
  window.dispatchEvent(new Event("resize")); // plotly measures its room
}

function sheet(className) {
  const found = document.querySelector(`.${className}`);
  found?.remove();
  return !found;
}

/** The black screen hides everything; the next key or click takes it away. */
function black() {
  if (!sheet("attend-black")) return;
  const screen = element("div", "attend-black");
  Object.assign(screen.style, { position: "fixed", inset: "0", background: "#000", zIndex: "2000000" });
  screen.onclick = () => screen.remove();
  document.body.append(screen);
}

function listKeys() {
  if (!sheet("attend-keys")) return;
  const dialog = element("div", "attend-keys");
  dialog.setAttribute("role", "dialog");
  dialog.setAttribute("aria-label", "Keys");
  Object.assign(dialog.style, {
    position: "fixed", right: "24px", bottom: "24px", zIndex: "1000000", maxWidth: "min(560px, 90vw)", padding: "16px 20px",
    background: "light-dark(#ffffff, #161d26)", color: "light-dark(#0b1118, #eef2f6)", borderRadius: "10px",
    border: "1px solid currentColor", fontSize: "16px",
  });
  const list = element("dl");
  Object.assign(list.style, { display: "grid", gridTemplateColumns: "auto 1fr", gap: "6px 16px", margin: "0 0 12px" });
  for (const [keys, what] of KEY_MAP) list.append(element("dt", "", element("strong", "", keys)), element("dd", "", what));
  const close = button("", "Close", () => dialog.remove());
  dialog.append(list, close);
  document.body.append(dialog);
  close.focus();
}

const DO = {
  p: () => present(!document.documentElement.hasAttribute("data-present")),
  b: black,
  "?": listKeys,
  t: () => course().tour?.fold(),
};

/** @param {KeyboardEvent} event */
export function onKey(event) {
  const where = focused(event);
  if (event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
    event.preventDefault(); // the browser's Back would leave the lesson
    return;
  }
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || takesKeys(where)) return;
  if (event.key === "Escape") {
    if (!document.querySelector(".attend-black, .attend-keys")) present(false);
    document.querySelectorAll(".attend-black, .attend-keys").forEach((each) => each.remove());
    return;
  }
  if (event.key === "PageDown" || event.key === "PageUp") {
    if (!course().tour) return;
    event.preventDefault();
    course().tour?.move(event.key === "PageDown" ? 1 : -1);
    return;
  }
  if (event.key in STEPS || event.key === " ") {
    if (where instanceof HTMLButtonElement && event.key === " ") return; // it presses that button
    if (step(event.key)) event.preventDefault();
    else if (course().tour && (event.key === " " || event.key.startsWith("Arrow"))) {
      event.preventDefault();
      course().tour?.move(event.key === "ArrowLeft" ? -1 : 1);
    }
    return;
  }
  const act = DO[event.key.toLowerCase()];
  if (act) {
    event.preventDefault();
    act();
  }
}
