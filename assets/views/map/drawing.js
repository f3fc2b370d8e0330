/* A map on a surface: axes, lines, arrows and marks. Every mark has a shape and a hue of its own, never a hue alone. */

const around = (count, turn, inner = 1) =>
  [...Array(count).keys()].map((i) => {
    const [angle, reach] = [(2 * Math.PI * (i + turn)) / count - Math.PI / 2, i % 2 ? inner : 1];
    return [reach * Math.cos(angle), reach * Math.sin(angle)];
  });
const scaled = (corners, size) => corners.map(([x, y]) => [size * x, size * y]);

/** The corners of each mark beside a place, as large as a circle of radius 1 looks; a circle has none. */
const CORNERS = {
  square: scaled(around(4, 0.5), 1.2),
  triangle: scaled(around(3, 0), 1.35),
  diamond: scaled(around(4, 0), 1.3),
  star: scaled(around(10, 0, 0.45), 1.6),
  cross: [
    [-0.4, -1.2], [0.4, -1.2], [0.4, -0.4], [1.2, -0.4], [1.2, 0.4], [0.4, 0.4],
    [0.4, 1.2], [-0.4, 1.2], [-0.4, 0.4], [-1.2, 0.4], [-1.2, -0.4], [-0.4, -0.4],
  ],
};

/**
 * The corners of a mark about a place; undefined for a circle.
 * @param {string} kind
 * @param {number[]} place
 * @param {number} r
 * @returns {number[][] | undefined}
 */
export function cornersOf(kind, [x, y], r) {
  return CORNERS[kind]?.map(([dx, dy]) => [x + r * dx, y + r * dy]);
}

function drawMark(surface, kind, r, fill, edge) {
  const corners = cornersOf(kind, [0, 0], r);
  if (corners) surface.polygon(corners, fill, edge, 1.2);
  else surface.circle(0, 0, r, fill, edge, 1.2);
}

/** @param {any} surface @param {number[]} start @param {number[]} end @param {string} colour @param {any} look */
function drawArrow(surface, [x1, y1], [x2, y2], colour, { head, dashed }) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const width = head ? 2.5 : 1.5;
  if (!head || length < 24) {
    surface.line(x1, y1, x2, y2, colour, width, 1, dashed);
    return;
  }
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [tx, ty] = [x2 - 8 * ux, y2 - 8 * uy]; // the tip stops short of the mark that it points to
  const [bx, by] = [tx - 12 * ux, ty - 12 * uy];
  surface.line(x1, y1, bx, by, colour, width, 1, dashed);
  surface.polygon([[tx, ty], [bx - 5.5 * uy, by + 5.5 * ux], [bx + 5.5 * uy, by - 5.5 * ux]], colour, "", 0);
}

/**
 * Paint what was computed: `at(point)` is where a point stands.
 * @param {any} surface
 * @param {{ width: number, height: number, at: (point: number) => number[], marks: any[],
 *   opacity: (point: number) => number, axes: number[][][], arrows: any[], links: any[], rings: any[], theme: any,
 *   hue: (name: string) => string }} scene
 */
export function drawScene(surface, { width, height, at, marks, opacity, axes, arrows, links, rings, theme, hue }) {
  for (const [[x1, y1], [x2, y2]] of axes) surface.line(x1, y1, x2, y2, theme.text, 1, 0.3);
  for (const { from, to, colour, width } of links) {
    const [[x1, y1], [x2, y2]] = [at(from), at(to)];
    surface.line(x1, y1, x2, y2, hue(colour), width, 0.85);
  }
  const stamps = {};
  for (const { point, kind, colour, r, name } of marks) {
    const [x, y] = at(point);
    if (x < -r || y < -r || x > width + r || y > height + r) continue;
    stamps[name] ??= surface.stamp(`${name} ${theme.background}`, 2 * r + 2, (onto) =>
      drawMark(onto, kind, r, hue(colour), theme.background));
    stamps[name](x, y, opacity(point));
  }
  for (const arrow of arrows) drawArrow(surface, at(arrow.from), at(arrow.to), hue(arrow.hue), arrow);
  for (const { point, colour, r } of rings) {
    const [x, y] = at(point);
    surface.circle(x, y, r, "", hue(colour), 2);
  }
}
