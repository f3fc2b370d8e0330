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

/**
 * A row of heights, straight between its places, cut where it crosses one of the rising levels.
 * @param {ArrayLike<number>} heights
 * @param {number[]} levels
 * @returns {{ from: number, to: number, band: number }[]} runs in places; a run's band counts the levels not above it
 */
export function bandsOf(heights, levels) {
  const band = (height) => levels.filter((level) => level <= height).length;
  const runs = [];
  const add = (from, to, inside) => {
    const last = runs.at(-1);
    if (last && last.band === inside) last.to = to;
    else if (to > from) runs.push({ from, to, band: inside });
  };
  for (let i = 0; i + 1 < heights.length; i += 1) {
    const [left, right] = [heights[i], heights[i + 1]];
    const crossed = levels.filter((level) => (level - left) * (level - right) < 0);
    const places = crossed.map((level) => (level - left) / (right - left)).sort((a, b) => a - b);
    const ends = [0, ...places, 1];
    for (let k = 0; k + 1 < ends.length; k += 1) {
      const middle = (ends[k] + ends[k + 1]) / 2;
      add(i + ends[k], i + ends[k + 1], band(left + middle * (right - left)));
    }
  }
  return runs;
}

/**
 * Round numbers between two ends, about so many.
 * @param {number} from
 * @param {number} to
 * @param {number} about
 * @returns {number[]}
 */
export function roundPlaces(from, to, about) {
  const rough = (to - from) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/**
 * Where words begin that would begin at a place: right of an upright line that would run through them.
 * @param {number} place pixels
 * @param {number} wide pixels that the words take
 * @param {number} line pixels, NaN where there is none
 * @returns {number}
 */
export const clearOf = (place, wide, line) => (place < line + 4 && place + wide > line - 4 ? line + 8 : place);
