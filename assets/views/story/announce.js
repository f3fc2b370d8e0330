/* The one voice of the player: a polite live region that says what a move did. While moves come one after another, as in playing, it
   speaks every five seconds at most, and then of the newest. A beat that one arrives at is said at once, whole and in its order. */

import { element } from "../shared/element.js";

export const PAUSE = 5000; // milliseconds between two announcements
const ERASED_AFTER = 10_000; // milliseconds before a text is gone, which who reads on would find a second time below the beat
const YOUNG = 1000; // milliseconds before a screen reader knows of the region

/** @param {() => number} [clock] @returns {any} { region, say(text, atOnce), stop() } */
export function announcer(clock = () => performance.now()) {
  const region = element("p", "announced");
  region.setAttribute("aria-live", "polite");
  region.setAttribute("aria-atomic", "true");
  const born = clock();
  let [last, timer, erased, waiting] = [-PAUSE, 0, 0, ""];
  const speak = () => {
    [last, timer] = [clock(), 0];
    region.textContent = waiting;
    clearTimeout(erased);
    erased = window.setTimeout(() => (region.textContent = ""), ERASED_AFTER);
  };
  return {
    region,
    say(text, atOnce = false) {
      waiting = text;
      if (timer && !atOnce) return;
      clearTimeout(timer);
      const left = (atOnce ? born + YOUNG : last + PAUSE) - clock();
      if (left <= 0) speak();
      else timer = window.setTimeout(speak, left);
    },
    stop() {
      clearTimeout(timer);
      clearTimeout(erased);
      timer = 0;
    },
  };
}
