/* Where things stand on a map: the plane that holds all points, the part of it that is seen, and labels that never
   collide. Positions are pixels; a box is { x, y, w, h } from its upper left corner. */

const AROUND = { x: 56, y: 26 }; // pixels between the outermost points and the frame, where their labels stand
const CELL = 96; // pixels of a square in which boxes are looked for
const CLOSEST = 60; // the largest zoom

/** Sides of a dot on which its label can stand, as directions; the first that is free is taken. */
export const SIDES = [[1, 0], [0, -1], [1, -1], [1, 1], [-1, 0], [0, 1], [-1, -1], [-1, 1]];

/**
 * Points as core computed them, turned as core says: q = p R, for each of the points in a row.
 * @param {Float32Array} places x and y of one point after the other
 * @param {number[][]} turn R
 */
export function turned(places, turn) {
  const [[a, b], [c, d]] = turn;
  return places.map((_, i) => {
    const [x, y] = i % 2 ? [places[i - 1], places[i]] : [places[i], places[i + 1]];
    return i % 2 ? x * b + y * d : x * a + y * c;
  });
}

/**
 * How points fit into a picture with one scale across and up: x = left + scale q_x, y = top - scale q_y.
 * @param {ArrayLike<number>} points q_x and q_y of one point after the other
 */
export function fitted(points, width, height) {
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    low[i % 2] = Math.min(low[i % 2], points[i]);
    high[i % 2] = Math.max(high[i % 2], points[i]);
  }
  const room = [Math.max(40, width - 2 * AROUND.x), Math.max(40, height - 2 * AROUND.y)];
  const scale = Math.min(...room.map((pixels, axis) => pixels / Math.max(1e-9, high[axis] - low[axis])));
  return {
    scale,
    left: width / 2 - (scale * (low[0] + high[0])) / 2,
    top: height / 2 + (scale * (low[1] + high[1])) / 2,
  };
}

/** Where points stand in the whole picture, from their q. */
export function standing(points, { scale, left, top }) {
  return Float64Array.from(points, (q, i) => (i % 2 ? top - scale * q : left + scale * q));
}

/**
 * Where a line from a point in a direction leaves the picture, a little inside it.
 * @param {number[]} point
 * @param {number[]} direction
 * @param {number} width
 * @param {number} height
 */
export function leaving([x, y], [dx, dy], width, height, inside = 14) {
  const reach = (from, step, end) => {
    if (Math.abs(step) < 1e-9) return Infinity;
    return ((step > 0 ? end - inside : inside) - from) / step;
  };
  const t = Math.max(0, Math.min(reach(x, dx, width), reach(y, dy, height)));
  return [x + t * dx, y + t * dy];
}

/** What is seen: a zoom of 1 or more, and the middle as shares of the picture's width and height; rounded to be kept. */
export function sound({ zoom, x, y }) {
  const within = (value, low, high) => Math.min(high, Math.max(low, Number.isFinite(value) ? value : low));
  return {
    zoom: Number(within(zoom, 1, CLOSEST).toPrecision(3)),
    x: Number(within(x, 0, 1).toFixed(4)),
    y: Number(within(y, 0, 1).toFixed(4)),
  };
}

/**
 * What is seen after zooming by a factor about a place of the picture, which stays where it is.
 * @param {{ zoom: number, x: number, y: number }} seen
 * @param {number} factor
 * @param {number[]} place
 * @param {number} width
 * @param {number} height
 */
export function zoomed({ zoom, x, y }, factor, [px, py], width, height) {
  const next = Math.min(CLOSEST, Math.max(1, zoom * factor));
  const [dx, dy] = [px - width / 2, py - height / 2];
  return {
    zoom: next,
    x: Math.min(1, Math.max(0, x + (dx / zoom - dx / next) / width)),
    y: Math.min(1, Math.max(0, y + (dy / zoom - dy / next) / height)),
  };
}

/** What is seen after moving by some pixels. */
export function moved({ zoom, x, y }, dx, dy, width, height) {
  const within = (value) => Math.min(1, Math.max(0, value));
  return { zoom, x: within(x - dx / zoom / width), y: within(y - dy / zoom / height) };
}

/** Boxes that are taken, found by the squares that they reach into. */
export class Taken {
  constructor() {
    this.squares = new Map();
  }

  /** @returns {number[]} the squares that a box reaches into */
  under({ x, y, w, h }) {
    const squares = [];
    for (let i = Math.floor(x / CELL); i <= Math.floor((x + w) / CELL); i++) {
      for (let j = Math.floor(y / CELL); j <= Math.floor((y + h) / CELL); j++) squares.push(i * 100003 + j);
    }
    return squares;
  }

  add(box) {
    for (const square of this.under(box)) {
      const here = this.squares.get(square);
      if (here) here.push(box);
      else this.squares.set(square, [box]);
    }
  }

  /** Count boxes that a box covers, up to `most`; one in two squares may count twice. */
  covered(box, most = 1) {
    let count = 0;
    for (const square of this.under(box)) {
      for (const other of this.squares.get(square) ?? []) {
        if (overlap(box, other) && ++count >= most) return count;
      }
    }
    return count;
  }
}

export function overlap(one, other) {
  return one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
}

export function inside({ x, y, w, h }, width, height) {
  return x >= 0 && y >= 0 && x + w <= width && y + h <= height;
}

/** @param {any} label @param {number[]} side */
function beside({ x, y, w, h, r }, [sx, sy]) {
  const gap = (r + 3) * (sx && sy ? 0.75 : 1);
  return {
    x: x + (sx > 0 ? gap : sx < 0 ? -gap - w : -w / 2),
    y: y + (sy > 0 ? gap : sy < 0 ? -gap - h : -h / 2),
    w,
    h,
  };
}

/**
 * A box for each label that has room, null for the others: one after the other, the most important first, each takes
 * the side of its dot where it covers no label and the fewest dots of those before it, `most` of them. So no two labels overlap, none
 * leaves the plane, and what comes later in the list never moves what came before.
 * @param {{ x: number, y: number, w: number, h: number, r: number, most?: number }[]} labels the dot's middle and radius, the label's size
 * @param {number} width
 * @param {number} height
 * @param {Taken} [words] what is taken already
 * @param {Taken} [dots] what is covered last
 * @returns {({ x: number, y: number, w: number, h: number } | null)[]}
 */
export function placed(labels, width, height, words = new Taken(), dots = new Taken()) {
  return labels.map((label) => {
    let best = null;
    let fewest = (label.most ?? 3) + 1;
    for (const side of SIDES) {
      const box = beside(label, side);
      if (!inside(box, width, height) || words.covered(box)) continue;
      const covers = dots.covered(box, fewest);
      if (covers < fewest) [best, fewest] = [box, covers];
      if (!fewest) break;
    }
    const { x, y, r } = label;
    dots.add({ x: x - r, y: y - r, w: 2 * r, h: 2 * r });
    if (best) words.add(best);
    return best;
  });
}

/** The boxes of a list, the most important first, that cover none before them; null for the others. */
export function uncovered(boxes) {
  const taken = new Taken();
  return boxes.map((box) => {
    if (!box || taken.covered(box)) return null;
    taken.add(box);
    return box;
  });
}

/**
 * The point to which an arrow key leads: near, and ahead rather than aside.
 * @param {ArrayLike<number>} points x and y of one point after the other, y downwards
 * @param {number} count of the points that can be reached
 * @param {number} from
 * @param {number[]} direction
 * @returns {number} its number, or `from` where nothing lies ahead
 */
export function ahead(points, count, from, [dx, dy]) {
  let [best, least] = [from, Infinity];
  for (let i = 0; i < count; i++) {
    const [x, y] = [points[2 * i] - points[2 * from], points[2 * i + 1] - points[2 * from + 1]];
    const [along, aside] = [x * dx + y * dy, Math.abs(x * dy - y * dx)];
    const far = aside <= along ? along + aside : 1e6 + aside; // every point lies ahead of one of the four keys
    if (i !== from && along > 1e-6 && far < least) [best, least] = [i, far];
  }
  return best;
}

/**
 * The point nearest to a place, with its distance in pixels.
 * @param {ArrayLike<number>} points
 * @param {number} count
 * @param {number[]} place
 */
export function nearestTo(points, count, [x, y]) {
  let [best, least] = [-1, Infinity];
  for (let i = 0; i < count; i++) {
    const far = Math.hypot(points[2 * i] - x, points[2 * i + 1] - y);
    if (far < least) [best, least] = [i, far];
  }
  return { point: best, distance: least };
}

/** The word that is meant: as typed, else in whatever case, else the first that begins so; -1 for none. */
export function meant(words, typed) {
  const asked = typed.trim().toLowerCase();
  if (!asked) return -1;
  const lower = words.map((word) => word.toLowerCase());
  const found = [words.indexOf(typed.trim()), lower.indexOf(asked), lower.findIndex((word) => word.startsWith(asked))];
  return found.find((row) => row >= 0) ?? -1;
}
