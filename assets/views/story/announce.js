/* The one voice of the player: a polite live region that says what a move did. While moves come one after another, as in playing, it
   speaks every five seconds at most, and then of the newest. */

import { element } from "../shared/element.js";

export const PAUSE = 5000; // milliseconds between two announcements

/** @param {() => number} [clock] @returns {any} { region, say(text), stop() } */
export function announcer(clock = () => performance.now()) {
  const region = element("p", "announced");
  region.setAttribute("aria-live", "polite");
  region.setAttribute("aria-atomic", "true");
  let [last, timer, waiting] = [-PAUSE, 0, ""];
  const speak = () => {
    [last, timer] = [clock(), 0];
    region.textContent = waiting;
  };
  return {
    region,
    say(text) {
      waiting = text;
      if (timer) return;
      const left = last + PAUSE - clock();
      if (left <= 0) speak();
      else timer = window.setTimeout(speak, left);
    },
    stop() {
      clearTimeout(timer);
      timer = 0;
    },
  };
}
