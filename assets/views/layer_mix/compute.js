/* What the view computes while a slider moves, as core.models.pretraining.layer_mix does it. */

/**
 * @param {number[]} z
 * @returns {number[]} e^z over its sum
 */
export function softmax(z) {
  const most = Math.max(...z);
  const e = z.map((each) => Math.exp(each - most));
  const sum = e.reduce((one, other) => one + other, 0);
  return e.map((each) => each / sum);
}

/**
 * @param {number[][]} parts a_j of a word: for each layer a number a class
 * @param {number[]} s the layers' weights
 * @param {number} gamma
 * @returns {number[]} gamma sum_j s_j a_j, a number a class
 */
export function mixed(parts, s, gamma) {
  return parts[0].map((_, k) => gamma * parts.reduce((sum, a, j) => sum + s[j] * a[k], 0));
}

/**
 * The likeliest class of a word.
 * @param {number[][]} parts
 * @param {number[]} s
 * @param {number} gamma
 * @param {number[]} b
 * @returns {{ k: number, z: number, p: number }} its place, its score, its probability
 */
export function likeliest(parts, s, gamma, b) {
  const z = mixed(parts, s, gamma).map((each, k) => each + b[k]);
  const k = z.indexOf(Math.max(...z));
  return { k, z: z[k], p: softmax(z)[k] };
}
