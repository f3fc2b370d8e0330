/* What the view computes itself, as core/models/translation/kernel_smoothing.py does. */

export const sum = (values) => values.reduce((total, value) => total + value, 0);
export const clamp = (value, [low, high]) => Math.min(high, Math.max(low, value));

/* The nearest multiple of a step, as the very double that its decimals name. */
export function onGrid(value, step) {
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return Number((Math.round(value / step) * step).toFixed(decimals));
}

/* core.models.translation.kernel_smoothing: kernel values, weights and the weighted mean at one query. */
export function lookUp({ keys, values, bandwidth: b, way }, query) {
  const u = keys.map((key) => query - key);
  const scores = u.map((each) => -(each * each) / (2 * b * b));
  const kernels = {
    exact: (i) => (u[i] === 0 ? 1 : 0),
    gaussian: (i) => Math.exp(scores[i]),
    boxcar: (i) => (Math.abs(u[i]) / b <= 1 ? 1 : 0),
    triangle: (i) => Math.max(0, 1 - Math.abs(u[i]) / b),
  };
  const K = u.map((_, i) => kernels[way](i));
  // The Gaussian in logarithms: less the largest score, so that a small bandwidth does not underflow.
  const largest = Math.max(...scores);
  const parts = way === "gaussian" ? scores.map((score) => Math.exp(score - largest)) : K;
  const total = sum(parts);
  const weights = parts.map((part) => (total > 0 ? part / total : 0));
  return { u, K, weights, result: total > 0 ? sum(weights.map((a, i) => a * values[i])) : NaN };
}

export function nearest({ keys, query }) {
  return keys.reduce((best, key, i) => (Math.abs(query - key) < Math.abs(query - keys[best]) ? i : best), 0);
}

export function bump({ bandwidth: b, way }, u) {
  if (way === "gaussian") return Math.exp(-((u / b) ** 2) / 2);
  if (way === "boxcar") return Math.abs(u) / b <= 1 ? 1 : 0;
  return way === "triangle" ? Math.max(0, 1 - Math.abs(u) / b) : 0;
}
