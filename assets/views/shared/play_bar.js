/* Stepping: first, back, play, next, last, by button, slider or key, with the step in the page's address. */

import { hear, onReturn, recalled, remember } from "./address.js";
import { course } from "./course.js";
import { button, element } from "./element.js";
import { drawIcon } from "./icons.js";
import { translated } from "./labels.js";

/** The one key map of the course. */
export const KEYS = {
  Home: "first",
  ArrowLeft: "back",
  ArrowRight: "next",
  End: "last",
  " ": "play",
};

/**
 * Where a stepper goes from step `at` of `last`, both counted from 0.
 * @param {string} move
 * @param {number} at
 * @param {number} last
 * @returns {number}
 */
export function target(move, at, last) {
  const places = { first: 0, back: Math.max(0, at - 1), next: Math.min(last, at + 1), last };
  return places[move] ?? at;
}

/**
 * A bar over steps. `show(at)` draws a step; it is called at once, and whenever the step changes.
 * @param {{ steps: number, start?: number, address?: string, label: string, pace?: number,
 *   show: (at: number) => void, say: (at: number) => string }} options
 * @returns {any} { root, go(at), at, pause(), keys(target) }
 */
export function playBar({ steps, start = 0, address = "", label, pace = 700, show, say }) {
  const last = steps - 1;
  const name = `${address}_step`;
  const kept = () => (address ? Number(recalled(name)) - 1 : -1);
  const root = element("div", "play-bar");
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", label);
  const slider = element("input", "step");
  Object.assign(slider, { type: "range", min: 0, max: last, step: 1 });
  slider.setAttribute("aria-label", label);
  const readout = element("output", "readout");
  const bar = { root, at: 0, timer: 0, go, pause, keys, move };

  function go(at) {
    bar.at = Math.max(0, Math.min(last, at));
    slider.value = bar.at;
    slider.setAttribute("aria-valuetext", say(bar.at));
    readout.textContent = say(bar.at);
    if (address) remember(name, bar.at === start ? null : bar.at + 1);
    show(bar.at);
  }
  function pause() {
    clearInterval(bar.timer);
    bar.timer = 0;
    play.replaceChildren(drawIcon("play"), ` ${translated("Play")}`);
  }
  function move(what) {
    if (what !== "play") {
      pause();
      go(target(what, bar.at, last));
    } else if (bar.timer) {
      pause();
    } else {
      if (bar.at === last) go(0);
      play.replaceChildren(drawIcon("pause"), ` ${translated("Pause")}`);
      bar.timer = setInterval(() => {
        if (!root.isConnected || bar.at === last) pause();
        else go(bar.at + 1);
      }, pace);
    }
  }
  /** Let the course's keys move the steps while `where` has the focus. */
  function keys(where) {
    where.addEventListener("keydown", (event) => {
      const what = KEYS[event.key];
      if (!what || event.ctrlKey || event.metaKey || event.target.matches("input, textarea, select")) return;
      if (event.target.matches("button") && event.key === " ") return;
      event.preventDefault(); // Alt+Left is a step back too, never the browser's Back
      move(what);
    });
  }

  const play = button("play", "", () => move("play"));
  play.append(drawIcon("play"), ` ${translated("Play")}`);
  slider.oninput = () => {
    pause();
    go(Number(slider.value));
  };
  /** @type {[string, SVGElement, string][]} */
  const drawnMoves = [
    ["first", drawIcon("skip-back"), translated("First step")],
    ["back", drawIcon("step-back"), translated("Step back")],
    ["next", drawIcon("step-forward"), translated("Next step")],
    ["last", drawIcon("skip-forward"), translated("Last step")],
  ];
  const moves = drawnMoves.map(([what, sign, words]) => {
    const made = button(what, "", () => move(what));
    made.append(sign);
    made.setAttribute("aria-label", words);
    made.title = words;
    return made;
  });
  root.append(...moves.slice(0, 2), play, ...moves.slice(2), slider, readout);
  /** Go where the address says. */
  function recall() {
    const place = kept();
    go(place >= 0 && place <= last ? place : start);
  }
  recall();
  course().bars.add(bar);
  onReturn(root, () => {
    pause();
    recall();
  });
  if (address) {
    const deaf = hear(name, (value) => {
      const at = (value ?? start + 1) - 1;
      if (!root.isConnected) deaf();
      else if (at !== bar.at && at <= last) {
        pause();
        go(at);
      }
    });
  }
  return bar;
}
