/* The course's one map of keys, for every page, without a click first.

   It hears keys before what has the focus does, so that a clicker works whatever was clicked last; only a field for text
   keeps its own. Who goes with Tab operates what it reached, until the next beat or click: it keeps Space, arrows, Home and End. What is pressed before a story stands on the page is kept, and done when it does. */

import { course } from "./course.js";
import { button, element } from "./element.js";
import { translated } from "./labels.js";

const SPEAKER_KEY = "S";
export const KEY_MAP = [
  [translated("Page Down, Space"), translated("the next beat")],
  [translated("Page Up, Shift + Space"), translated("the beat before")],
  ["← →", translated("the beat before, the next beat; in the lab, a step of the picture")],
  [translated("Home End"), translated("the first beat, the last; in the lab, the first step, the last")],
  ["J", translated("jump to a beat")],
  ["D", translated("describe the picture in words and numbers, and back")],
  ["L", translated("from the story to the lab, and back")],
  ["K", translated("in the lab, play or pause the steps")],
  [SPEAKER_KEY, translated("the speaker's window: notes, the next beat, a clock, what the class says")],
  ["P", translated("present: only the beat, larger")],
  ["B", translated("a black screen, and back")],
  ["?", translated("these keys")],
  ["Esc", translated("close what is open: list, keys, black screen, presenting")],
];
const BEATS = { PageDown: "next", PageUp: "back", " ": "next", ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last" };
const WAITING_AT_MOST = 20; // keys, at most, that wait for a story
const PATIENCE = 15_000; // milliseconds for which they do

/** @param {KeyboardEvent} event @returns {EventTarget | null} what has the focus, inside a view too */
function focused(event) {
  return event.composedPath()[0] ?? event.target;
}

const TYPED = 'input:not([type="range"], [type="checkbox"], [type="radio"], [type="button"]), textarea, [contenteditable="true"]';

/** @param {any} where @returns {boolean} whether it is a field for text, which keeps its keys */
export function takesText(where) {
  return where instanceof Element && Boolean(where.closest(TYPED));
}

/** @param {any} where @returns {boolean} whether the arrows, Home, End and Space belong to what has the focus, in the lab */
export function takesKeys(where) {
  if (!(where instanceof Element)) return false;
  const own = 'input, textarea, select, button, [contenteditable="true"], [tabindex="0"], [role="slider"], [role="listbox"], [role="tab"], [role="radio"], [role="combobox"]';
  return takesText(where) || Boolean(where.closest(own));
}

const BY_ARROWS = 'select, [type="range"], [type="radio"], [role="radio"], [role="slider"], [role="listbox"], [role="tab"], [role="combobox"]';

/** @param {string} key @param {any} where @returns {boolean} whether a key operates what Tab brought the focus to, in a story */
function operates(key, where) {
  if (!course().tabbed || !(where instanceof Element) || where.closest(".tie")) return false;
  if (key === " ") return takesKeys(where) || Boolean(where.closest("summary"));
  return Boolean(where.closest(BY_ARROWS) || (where.closest(".parent") && takesKeys(where)));
}

/** @param {string} key @param {any} where @returns {boolean} whether a key moves within a grid, which has the focus */
export function walksGrid(key, where) {
  return (key.startsWith("Arrow") || key === "Home" || key === "End") && where instanceof Element && Boolean(where.closest('[role="grid"]'));
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
  dialog.setAttribute("aria-label", translated("Keys"));
  Object.assign(dialog.style, {
    position: "fixed", right: "24px", bottom: "24px", zIndex: "1000000", maxWidth: "min(560px, 90vw)", padding: "16px 20px",
    boxSizing: "border-box", maxHeight: "calc(100dvh - 48px)", overflowY: "auto",
    background: "light-dark(#ffffff, #161d26)", color: "light-dark(#0b1118, #eef2f6)", borderRadius: "10px",
    border: "1px solid currentColor", fontSize: "16px",
  });
  const list = element("dl");
  Object.assign(list.style, { display: "grid", gridTemplateColumns: "minmax(auto, 40%) 1fr", gap: "6px 16px", margin: "0 0 12px" });
  const known = KEY_MAP.filter(([keys]) => keys !== SPEAKER_KEY || course().host); // a static site has no such window
  for (const [keys, what] of known) list.append(element("dt", "", element("strong", "", keys)), element("dd", "", what));
  const close = button("", translated("Close"), () => dialog.remove());
  dialog.append(list, close);
  document.body.append(dialog);
  close.focus();
}

const DO = {
  p: () => present(!document.documentElement.hasAttribute("data-present")),
  b: black,
  "?": listKeys,
  t: () => course().tour?.fold(),
  s: () => (course().actions?.speaker ?? course().tour?.speaker)?.(),
  j: () => course().actions?.jump?.(),
  d: () => course().actions?.describe?.(),
  l: () => course().actions?.lab?.(),
  k: () => bar()?.move("play"),
};

/** Close what lies on top: the list of beats, the black screen, the keys; else presenting ends. */
function escape() {
  const open = document.querySelectorAll(".attend-black, .attend-keys");
  open.forEach((each) => each.remove());
  if (open.length || course().actions?.close?.()) return;
  present(false);
}

/** Move among the beats; return whether there are any. */
function moveBeat(key, shift) {
  const what = key === " " && shift ? "back" : BEATS[key];
  const { actions, tour } = course();
  course().tabbed = false;
  if (actions?.[what]) return actions[what](), true;
  if (tour && (what === "next" || what === "back")) return tour.move(what === "next" ? 1 : -1), true;
  return false;
}

/**
 * Do what a key means; return whether it meant anything.
 * @param {string} key @param {boolean} shift @param {any} where what has the focus
 */
function meant(key, shift, where) {
  if (key === "Escape") return escape(), false; // what has the focus may close something too
  const { actions, tour } = course();
  if (key === "PageDown" || key === "PageUp") return moveBeat(key, shift);
  if (key in BEATS) {
    if (actions?.next) return operates(key, where) ? false : moveBeat(key, shift);
    if (key === " ") return tour && !takesText(where) ? moveBeat(key, shift) : false;
    if (takesKeys(where)) return false;
    return step(key) || (tour && key.startsWith("Arrow") ? moveBeat(key, shift) : false);
  }
  const act = DO[key.toLowerCase()];
  return act ? (act(), true) : false;
}

/** @param {KeyboardEvent} event */
export function onKey(event) {
  const where = focused(event);
  if (event.key === "Tab") course().tabbed = true;
  if (event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
    event.preventDefault(); // the browser's Back would leave the lesson
    return;
  }
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const paging = event.key === "PageDown" || event.key === "PageUp" || event.key === "Escape";
  if (takesText(where) && !(paging && !(where instanceof HTMLTextAreaElement))) return;
  if (walksGrid(event.key, where)) return;
  if (course().waiting && event.timeStamp - course().since < PATIENCE && event.key in BEATS) {
    course().pending.push([event.key, event.shiftKey]);
    course().pending.splice(WAITING_AT_MOST);
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  if (!meant(event.key, event.shiftKey, where)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Hear keys, once for all views of the page. */
export function installKeys() {
  if (course().keys) return;
  Object.assign(course(), { keys: onKey, drain: drainKeys });
  window.addEventListener("keydown", (event) => course().keys(event), { capture: true });
  window.addEventListener("pointerdown", () => (course().tabbed = false), { capture: true });
}

/** Do what was pressed before a story stood here. */
export function drainKeys() {
  const { pending } = course();
  Object.assign(course(), { waiting: false, pending: [] });
  for (const [key, shift] of pending) moveBeat(key, shift);
}

/** A page is on its way: what is pressed from now on waits for it. */
export function awaitPage() {
  Object.assign(course(), { waiting: true, since: performance.now() });
}
