/* The play bar of a view whose steps the page sends anew: it goes to a prompt's step, or to the one just guessed. */

import { playBar } from "./play_bar.js";

/**
 * Puts a new bar in the place of `state.bar`; what was last sent is noted in `state.arrival`.
 * @param {any} state the view's
 * @param {any} data { start, address, at, arrivals, predicting }: where to begin, from 0, and where the bar keeps its step;
 *   the step of a prompt, from 1, and how often one was followed; whether steps are guessed
 * @param {any} bar what else a play bar takes
 */
export function sentBar(state, data, bar) {
  const to = askedStep((state.arrival ??= {}), data, bar.steps);
  state.bar?.pause();
  state.bar = playBar({ ...bar, start: Math.min(data.start, bar.steps - 1), address: data.address });
  if (to !== null) state.bar.go(to);
}

/* The step to go to, from 0; null to stay where the learner is. */
function askedStep(last, { at, arrivals, predicting }, steps) {
  const arrived = last.arrivals !== undefined && last.arrivals !== arrivals;
  const guessed = predicting && steps > last.steps;
  Object.assign(last, { arrivals, steps });
  if (arrived && at) return Math.min(at, steps) - 1;
  return guessed ? steps - 1 : null;
}
