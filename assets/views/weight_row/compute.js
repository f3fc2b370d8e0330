/* What the view computes while a slider moves, as core.models.self_attention.attention_edits.with_weight does it. */

/**
 * The row with one weight set and the others scaled so that all add up to one.
 * @param {number[]} row
 * @param {number} key
 * @param {number} weight
 * @returns {number[]}
 */
export function withWeight(row, key, weight) {
  const rest = row.reduce((sum, each, s) => (s === key ? sum : sum + each), 0);
  if (!(rest > 0)) return row.map((_, s) => Number(s === key));
  return row.map((each, s) => (s === key ? weight : (each * (1 - weight)) / rest));
}
