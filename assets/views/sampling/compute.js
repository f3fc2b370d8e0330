/* What the view computes itself, as core/models/generation/sampling.py does. */

const ROUNDING = 1e-9; // as in core/models/generation/sampling.py

export const sum = (values) => values.reduce((total, value) => total + value, 0);

export function softmax(scaled) {
  const largest = scaled.reduce((a, b) => Math.max(a, b), -Infinity);
  const exponentials = scaled.map((value) => Math.exp(value - largest));
  const total = sum(exponentials);
  return exponentials.map((value) => value / total);
}

/* core.models.generation.sampling.distribution: temperature, then top-k, then top-p on the mass that top-k has left. */
export function distribution(logits, order, { temperature, top_k: k, top_p: p }, renormalise = true) {
  const V = logits.length;
  const largest = logits[order[0]];
  const scaled = logits.map((z, i) => {
    if (temperature === 0) return i === order[0] ? 0 : -Infinity;
    return Number.isFinite(largest / temperature) ? z / temperature : (z - largest) / temperature;
  });
  const least = k === 0 || k >= V ? -Infinity : logits[order[k - 1]];
  const byK = logits.map((z) => z >= least);
  const left = softmax(scaled.map((value, i) => (byK[i] ? value : -Infinity)));
  const cut = byK.map((kept) => (kept ? "" : "top-k"));
  let before = 0;
  order.forEach((i, rank) => {
    if (p < 1 && rank > 0 && byK[i] && before >= p - ROUNDING) cut[i] = "top-p";
    before += left[i];
  });
  const full = softmax(scaled);
  const probabilities = renormalise
    ? softmax(scaled.map((value, i) => (cut[i] ? -Infinity : value)))
    : full.map((value, i) => (cut[i] ? 0 : value));
  const cumulative = new Array(V);
  let total = 0;
  order.forEach((i) => (cumulative[i] = total += probabilities[i]));
  return { scaled, full, cut, probabilities, cumulative };
}

/* core.models.generation.sampling.misses: what is not renormalised ends before one, and some u fall past the end. */
export const misses = (order, { cumulative }, u) => u >= cumulative[order[order.length - 1]] + ROUNDING;

/* core.models.generation.sampling.count_sampled_tokens: each u falls on the first token, by rank, whose cumulative
   probability passes it. */
export function landed(order, { cut, cumulative }, u) {
  const last = order.reduce((found, i, rank) => (cut[i] ? found : rank), 0);
  const rank = order.findIndex((i) => cumulative[i] > u);
  return rank < 0 ? last : Math.min(rank, last);
}

export function counts(order, found, uniforms) {
  const counted = new Array(order.length).fill(0);
  const sorted = [...uniforms].sort((a, b) => a - b);
  const last = landed(order, found, 1);
  let rank = 0;
  for (const u of sorted) {
    if (misses(order, found, u)) break;
    while (rank < last && found.cumulative[order[rank]] <= u) rank += 1;
    counted[order[rank]] += 1;
  }
  return counted;
}
