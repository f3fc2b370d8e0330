/* What the view computes itself: the mean of the heads that are switched on, and how dark its cells are. */

/* The mean of the heads that are switched on; NaN where all are masked. */
export function meanWeights(state) {
  const on = state.heads.filter((head) => !state.off.has(head.name));
  if (on.length === 1) return on[0].weights;
  const mean = new Float32Array(state.outputs.length * state.inputs.length);
  for (const head of on) head.weights.forEach((weight, i) => { mean[i] += weight / on.length; });
  return mean;
}

/* How dark each cell is, 0 to 1: its weight, or its share of the largest weight in its row. */
export function shades(state) {
  const S = state.inputs.length;
  const largest = state.outputs.map((_, t) => {
    if (!state.byRow) return 1;
    return state.mean.subarray(t * S, (t + 1) * S).reduce((most, weight) => (weight > most ? weight : most), 0) || 1;
  });
  return state.mean.map((weight, i) => weight / largest[Math.floor(i / S)]);
}
