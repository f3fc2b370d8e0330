/* The labels of a map: which there are, where each may stand at a zoom, and the elements that show them. */

import { contextOf, element } from "../shared/element.js";
import { inside, leaving, placed, Taken, uncovered } from "./compute.js";

const SIZE = 16; // pixels of type
const FEW = 150; // words of a map on which a label covers no mark, unless it is of what is looked at; those of texts never do
const COVERED = 3; // marks that any other label may cover
const LINE = 21; // pixels of a label's height, one of them to round by

/**
 * All labels, the most important first: the points that are no words, the word looked up, its neighbours, the arrows'
 * names, the axes', then the words in the order in which they were given. `of` is what a label belongs to.
 */
export function labelsOf(data) {
  const first = [data.chosen, ...data.neighbours].filter((row) => row !== null);
  const later = data.words.map((_, row) => row).filter((row) => !first.includes(row));
  const ofWord = (row) => ({ text: data.words[row], of: { point: row }, strong: row === data.chosen, first: first.includes(row) });
  return [
    ...data.points.map(({ name }, i) => ({ text: name, of: { point: data.words.length + i }, strong: true, first: true })),
    ...first.map(ofWord),
    ...data.arrows.map((arrow) => ({ text: arrow.name, of: { arrow }, strong: true })),
    ...data.axes.map(({ name }, axis) => ({ text: name, of: { axis }, strong: false, quiet: true })),
    ...later.map(ofWord),
  ].filter(({ text }) => text);
}

/** Measure the labels' widths in the type that they are shown in. */
export function measure(labels, family) {
  const context = contextOf();
  for (const label of labels) {
    context.font = `${label.strong ? "600 " : ""}${SIZE}px ${family}`;
    label.w = Math.ceil(context.measureText(label.text).width) + 2;
  }
}

/** Where what a label belongs to stands in the whole picture at zoom 1. */
function anchor(state, positions, { point, arrow, axis }) {
  const of = (i) => [positions[2 * i], positions[2 * i + 1]];
  if (point !== undefined) return of(point);
  if (axis !== undefined) return axisEnds(state, axis)[1];
  const [[x1, y1], [x2, y2]] = [of(arrow.from), of(arrow.to)];
  return [(x1 + x2) / 2, (y1 + y2) / 2];
}

/** Both ends of an axis in the whole picture at zoom 1: core's axes, turned as the words are. */
export function axisEnds(state, axis) {
  const { left, top } = state.fit;
  const { width, height } = state;
  const [dx, dy] = state.data.turn[axis];
  return [leaving([left, top], [-dx, dy], width, height), leaving([left, top], [dx, -dy], width, height)];
}

/** @param {any} state @param {any} label @param {number[]} place @param {number} zoom */
function sized(state, label, [x, y], zoom) {
  const point = label.of.point;
  const ring = label.first && point < state.data.words.length ? 5 : 0;
  return { x: x * zoom, y: y * zoom, w: label.w, h: LINE, r: point === undefined ? 1 : state.marks[point].r + ring };
}

/** Where every label stands at a zoom, from its anchor; the same wherever the picture is moved to. */
function offsets(state, zoom) {
  if (state.kept?.zoom === zoom && state.kept.home === state.home && state.kept.labels === state.labels) return state.kept.offsets;
  const many = state.data.words.length > FEW;
  const spared = !many || state.data.noun !== "word"; // whether all marks are seen
  const asked = state.labels.map((label) => {
    const most = !spared || (label.first && !many) ? COVERED : label.first ? Infinity : 0; // in a crowd it covers the fewest
    return { ...sized(state, label, anchor(state, state.home, label.of), zoom), most };
  });
  const dots = new Taken(); // of what is marked, or of all
  asked.forEach(({ x, y, r }, i) => {
    const { first, of } = state.labels[i];
    if (first || (spared && of.point !== undefined)) dots.add({ x: x - r, y: y - r, w: 2 * r, h: 2 * r });
  });
  const found = placed(asked, state.width * zoom, state.height * zoom, new Taken(), dots);
  const made = found.map((box, i) => box && { ...box, x: box.x - asked[i].x, y: box.y - asked[i].y });
  state.kept = { zoom, home: state.home, labels: state.labels, offsets: made };
  return made;
}

/**
 * The box of each label that is seen now, null for the others. Words that are pointed at, and their neighbours, come
 * before all others; while words move, those that would cover another give way.
 */
export function seen(state) {
  const { zoom } = state.view;
  const { width, height } = state;
  const [dx, dy] = [width / 2 - state.view.x * width * zoom, height / 2 - state.view.y * height * zoom];
  const offset = offsets(state, zoom);
  const here = (i, box) => {
    const [x, y] = anchor(state, state.shown, state.labels[i].of);
    return { ...box, x: box.x + x * zoom + dx, y: box.y + y * zoom + dy };
  };
  let boxes = offset.map((box, i) => {
    if (!box) return null;
    const now = here(i, box);
    return inside(now, width, height) ? now : null;
  });
  if (state.moving) boxes = uncovered(boxes);
  if (!state.attention.size) return boxes;
  const rank = [...state.attention];
  const wanted = state.labels.flatMap(({ of }, i) => (state.attention.has(of.point) ? [i] : []));
  wanted.sort((i, j) => rank.indexOf(state.labels[i].of.point) - rank.indexOf(state.labels[j].of.point));
  const taken = new Taken();
  for (const i of wanted) if (boxes[i]) taken.add(boxes[i]);
  const lacking = wanted.filter((i) => !boxes[i]);
  const asked = lacking.map((i) => here(i, sized(state, state.labels[i], [0, 0], zoom)));
  const made = placed(asked, width, height, taken);
  boxes = boxes.map((box, i) => (box && !wanted.includes(i) && taken.covered(box) ? null : box));
  lacking.forEach((i, place) => { boxes[i] = made[place]; });
  return boxes;
}

/**
 * Show the labels that are seen, in the order of their importance. Their places are those of the whole map at this zoom,
 * and what holds them is moved: while a hand drags the map, no label is touched.
 */
export function showLabels(state, boxes) {
  const { zoom, x, y } = state.view;
  const [dx, dy] = [state.width / 2 - x * state.width * zoom, state.height / 2 - y * state.height * zoom];
  state.labelBox.style.transform = `translate(${Math.round(dx)}px, ${Math.round(dy)}px)`; // sharp on whole pixels only
  let next = state.labelBox.firstChild;
  state.labels.forEach((label, i) => {
    const box = boxes[i];
    if (!box) {
      if (label.span && label.span === next) next = next.nextSibling;
      label.span?.remove();
      return;
    }
    label.span ??= element("span", `label${label.strong ? " strong" : ""}${label.quiet ? " quiet" : ""}`, label.text);
    const where = `translate(${Math.round(box.x - dx)}px, ${Math.round(box.y - dy)}px)`;
    if (label.where !== where) label.span.style.transform = label.where = where;
    const noted = state.attention.has(label.of.point);
    if (label.noted !== noted) label.span.classList.toggle("noted", (label.noted = noted));
    if (label.span === next) next = next.nextSibling;
    else state.labelBox.insertBefore(label.span, next);
  });
  while (next) { // labels of words that are no more
    const gone = next;
    next = next.nextSibling;
    gone.remove();
  }
  state.boxes = boxes;
}
