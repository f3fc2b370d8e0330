/* What the view computes itself, as core/figures/translation/decoder_step.py does. */

/**
 * Each row of the states times its weight.
 * @param {number[]} weights
 * @param {Float32Array} states row after row
 * @returns {Float32Array}
 */
export function weighted(weights, states) {
  const width = states.length / weights.length;
  return states.map((value, i) => value * weights[Math.floor(i / width)]);
}

/**
 * The rows added up, column by column.
 * @param {Float32Array} rows row after row
 * @param {number} width
 * @returns {Float32Array}
 */
export function summed(rows, width) {
  const total = new Float64Array(width);
  rows.forEach((value, i) => (total[i % width] += value));
  return new Float32Array(total);
}
