/* What a map shows now: its numbers as marks, lines and labels, on the canvas or in a file to take away. */

import { contextOf } from "../shared/element.js";
import { save } from "../shared/files.js";
import { canvasSurface, svgSurface, themeOf } from "../shared/surfaces.js";
import { drawScene } from "./drawing.js";
import { axisEnds, seen, showLabels } from "./labels.js";

/* Numbers of the frame that is shown. */

export function frameOf(state, numbers, size) {
  return numbers.subarray(state.frame * size, (state.frame + 1) * size);
}

export function nearOf(state, row) {
  const { k, words } = state.data;
  const from = row * k;
  const rows = frameOf(state, state.near, words.length * k).subarray(from, from + k);
  const values = frameOf(state, state.nearness, words.length * k).subarray(from, from + k);
  return [...rows].map((other, i) => ({ row: other, value: values[i] }));
}

/** The mark of every word, and of every other point. */
export function marksOf({ words, groups, group, points, chosen }) {
  const size = words.length > 600 ? 3 : words.length > 150 ? 4 : 6;
  const kinds = [...group.map((number) => groups[number]), ...points];
  return kinds.map(({ mark, hue }, point) => {
    const r = point >= words.length ? 8 : point === chosen ? size + 2 : size;
    return { point, kind: mark, colour: hue, r, name: `${mark} ${hue} ${r}` };
  });
}

function sceneOf(state, theme) {
  const { data } = state;
  const screen = onScreen(state);
  const { zoom, x, y } = state.view;
  const onPicture = (/** @type {number[]} */ [px, py]) =>
    [(px - x * state.width) * zoom + state.width / 2, (py - y * state.height) * zoom + state.height / 2];
  const linked = data.chosen === null ? [] : data.neighbours;
  const [focus, ...near] = state.attention;
  return {
    width: state.width,
    height: state.height,
    at: (point) => [screen[2 * point], screen[2 * point + 1]],
    axes: data.axes.map((_, axis) => axisEnds(state, axis).map(onPicture)),
    marks: state.marks,
    opacity: (point) => (state.moving && state.fresh.has(point) ? state.moving : 1),
    links: [
      ...linked.map((to) => ({ from: data.chosen, to, colour: "vermillion", width: 1.5 })),
      ...near.map((to) => ({ from: focus, to, colour: "text", width: 1 })),
    ],
    arrows: data.arrows,
    rings: [
      ...data.neighbours.map((point) => ({ point, colour: "vermillion", r: state.marks[point].r + 4 })),
      ...(data.chosen === null ? [] : [{ point: data.chosen, colour: "green", r: state.marks[data.chosen].r + 5 }]),
      ...(focus === undefined ? [] : [{ point: focus, colour: "text", r: state.marks[focus].r + 7 }]),
    ],
    theme,
    hue: (name) => (name === "text" ? theme.text : state.hues(name)),
  };
}

/** Where every point stands in the picture, x and y of one after the other. */
export function onScreen(state) {
  const { zoom, x, y } = state.view;
  const [dx, dy] = [state.width / 2 - x * state.width * zoom, state.height / 2 - y * state.height * zoom];
  return state.shown.map((place, i) => place * zoom + (i % 2 ? dy : dx));
}

/** Paint what is seen. */
export function paint(state) {
  const ratio = window.devicePixelRatio || 1;
  const { canvas, width, height } = state;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  drawScene(canvasSurface(context), sceneOf(state, themeOf(state.root)));
  showLabels(state, seen(state));
}

/* Pictures to take away. */

function drawWhole(state, surface) {
  const theme = themeOf(state.root);
  surface.rect(0, 0, state.width, state.height, theme.background);
  drawScene(surface, sceneOf(state, theme));
  state.labels.forEach((label, i) => {
    const box = state.boxes[i];
    if (box) surface.text(box.x, box.y + box.h / 2, label.text, theme.text, 16, { bold: label.strong, family: theme.family });
  });
}

export function savePng(state) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: 2 * state.width, height: 2 * state.height });
  const context = contextOf(canvas);
  context.scale(2, 2);
  drawWhole(state, canvasSurface(context));
  canvas.toBlob((blob) => blob && save(blob, `${state.data.file}.png`));
}

export function saveSvg(state) {
  const parts = [`<svg xmlns="http://www.w3.org/2000/svg" width="${state.width}" height="${state.height}">`];
  drawWhole(state, svgSurface(parts));
  save(new Blob([[...parts, "</svg>"].join("\n")], { type: "image/svg+xml" }), `${state.data.file}.svg`);
}
