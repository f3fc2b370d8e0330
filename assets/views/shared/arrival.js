/* Where the page itself sends a view that steps: to a prompt's step, or to the one that was just guessed. */

/**
 * @param {any} state the view's; what it was last sent is noted in it
 * @param {any} data { at, arrivals, predicting }: the step of a prompt, from 1, and how often one was followed
 * @param {number} steps how many there are now
 * @returns {number | null} the step, from 0; null to stay where the learner is
 */
export function askedStep(state, { at, arrivals, predicting }, steps) {
  const arrived = state.arrivals !== undefined && state.arrivals !== arrivals;
  const guessed = predicting && steps > state.steps;
  Object.assign(state, { arrivals, steps });
  if (arrived && at) return Math.min(at, steps) - 1;
  return guessed ? steps - 1 : null;
}
