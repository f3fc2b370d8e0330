/* The play bar of a view whose steps the page sends anew, more of them after each guess: it goes to the one just guessed. */

import { playBar } from "./play_bar.js";

/**
 * Puts a new bar in the place of `state.bar`; how many steps there were is noted in `state.sentSteps`.
 * @param {any} state the view's
 * @param {any} data { start, address, predicting }: where to begin, from 0, where the bar keeps its step, whether steps
 *   are guessed
 * @param {any} bar what else a play bar takes
 */
export function sentBar(state, data, bar) {
  const guessed = data.predicting && bar.steps > state.sentSteps;
  state.sentSteps = bar.steps;
  state.bar?.pause();
  state.bar = playBar({ ...bar, start: Math.min(data.start, bar.steps - 1), address: data.address });
  if (guessed) state.bar.go(bar.steps - 1);
}
