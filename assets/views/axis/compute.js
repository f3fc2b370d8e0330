/* Where words stand on an axis: each in the lowest lane that has room for its label, so that no two labels meet. */

const GAP = 10; // pixels between two labels of a lane
const DOT = 9; // pixels from a word's place to its label

/**
 * The lane of each item, from 0 next to the axis, and where its label begins. Items that had a lane before (`kept`) go
 * first and take it again while it has room; the others take the lowest that has, in their order.
 * @param {{ name: string, x: number, w: number }[]} items x is the place and w the label's width, in pixels
 * @param {number} width of the picture
 * @param {Map<string, number>} [kept] lanes that items had before, by name
 * @returns {{ lane: number, from: number }[]}
 */
export function inLanes(items, width, kept = new Map()) {
  const lanes = /** @type {number[][][]} */ ([]);
  const found = /** @type {any[]} */ (items.map(() => null));
  const settle = ({ name, x, w }) => {
    const turned = x + DOT + w > width && x - DOT - w >= 0; // at the right edge a label stands before its dot
    const from = turned ? x - DOT - w : Math.min(x + DOT, Math.max(DOT, width - w));
    const box = [Math.min(from, x - DOT) - GAP / 2, Math.max(from + w, x + DOT) + GAP / 2];
    const free = (lane) => (lanes[lane] ?? []).every(([start, end]) => box[1] <= start || box[0] >= end);
    let lane = kept.get(name) ?? -1;
    if (lane < 0 || !free(lane)) for (lane = 0; !free(lane); lane++);
    while (lanes.length <= lane) lanes.push([]);
    lanes[lane].push(box);
    return { lane, from };
  };
  for (const before of [true, false]) {
    items.forEach((item, i) => { if (kept.has(item.name) === before) found[i] = settle(item); });
  }
  return found;
}

/**
 * Whole numbers between -reach and reach, at most so many that their digits have room.
 * @param {number} reach
 * @param {number} width in pixels
 * @returns {number[]}
 */
export function ticks(reach, width) {
  const step = Math.max(1, Math.ceil((2 * reach * 40) / width));
  const most = Math.floor(reach / step);
  return Array.from({ length: 2 * most + 1 }, (_, i) => (i - most) * step);
}
