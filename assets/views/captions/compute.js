/* What the view computes itself: one word's row of numbers, and the largest of them, which has the largest square. */

/**
 * @param {{ title: string, press: boolean }} column
 * @param {ArrayLike<number>} values words x patches
 * @param {number} at the word, from 0
 * @param {number} N patches
 * @returns {{ title: string, press: boolean, values: number[], most: number }} a panel of shared/patch_board.js
 */
export function panelAt({ title, press }, values, at, N) {
  const row = Array.from(values).slice(at * N, (at + 1) * N);
  return { title, press, values: row, most: Math.max(...row.map(Math.abs)) };
}
