/* A map of words: points that core placed, with labels that never collide; dragged, zoomed, searched and pointed at.

   data: { words, label, height, dimension, metric, turn: [[a, b], [c, d]], axes: [{ name, share }],
           points: [{ name, mark, hue }] that are no words,   places: x and y of each word, then of each point,
           groups: [{ name, mark, hue }], group: [of each word],   chosen: row or null, neighbours: [row],
           k, near: the rows of each word's k nearest, nearness: how near,   arrows: [{ from, to, name, hue, head, dashed }],
           frames: [name], moment: what a frame is; where there are several, places, near and nearness hold one after the other,
           clickable, file, afresh: how many words can be projected afresh }     places, near and nearness are base64 of float32
   Every number is core's. It reports `word`, the word that was clicked, and `afresh`, the words that are seen. It keeps
   what is seen and the word that was searched for in the address. */

import { recalled, remember } from "../shared/address.js";
import { button, drawn, element } from "../shared/element.js";
import { saveButtons } from "../shared/files.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { decoded, written } from "../shared/numbers.js";
import { playBar } from "../shared/play_bar.js";
import { themeOf } from "../shared/surfaces.js";
import { bringIn, glide, HOME, look, redraw, settle } from "./camera.js";
import { fitted, meant, sound, standing, turned } from "./compute.js";
import { cornersOf } from "./drawing.js";
import { listen, zoomBy } from "./gestures.js";
import { labelsOf, measure } from "./labels.js";
import { frameOf, marksOf, nearOf, onScreen, savePng, saveSvg } from "./scene.js";

const FEWEST = 3; // words that can be projected afresh
/** What core calls by an id is said in the reader's language; other names are said as they come. */
const NAMES = {
  word: translated("word"), use: translated("use"), sentence: translated("sentence"),
  cosine: translated("cosine"), distance: translated("distance"), Layer: translated("Layer"), Step: translated("Step"),
};
const nameOf = (id) => NAMES[id] ?? id;

/* Pointing, searching, choosing. */

function attend(state) {
  state.focus = state.at >= 0 ? state.at : state.found;
  const near = state.focus >= 0 ? nearOf(state, state.focus).map(({ row }) => row) : [];
  state.attention = new Set(state.focus >= 0 ? [state.focus, ...near] : []);
}

function tell(state) {
  const { data, focus } = state;
  const said = [];
  if (focus >= 0) {
    const places = frameOf(state, state.places, 2 * (data.words.length + data.points.length));
    const [x, y] = [places[2 * focus], places[2 * focus + 1]];
    said.push("“", element("bdi", "", data.words[focus]), `” ${translated("at ({x}, {y}).", { x: written(x, 2), y: written(y, 2) })}`);
    const near = nearOf(state, focus);
    if (near.length) said.push(` ${translated("Nearest of these words by {metric}, in all {n} dimensions:", { metric: nameOf(data.metric), n: data.dimension })} `);
    near.forEach(({ row, value }, i) =>
      said.push(i ? ", " : "", element("bdi", "", data.words[row]), ` ${written(value, 2)}`));
  } else if (state.sought.trim()) {
    said.push("“", element("bdi", "", state.sought.trim()), `” ${translated("is not on this map.")}`);
  } else {
    said.push(`${translated(data.clickable ? "Click a {noun} to look it up." : "Point at a {noun}.", { noun: nameOf(data.noun) })} `,
      translated("Drag to move, + and − to zoom, 0 to see all."));
  }
  state.status.replaceChildren(...said.filter((part) => part !== ""));
}

function point(state, row) {
  if (row === state.at) return;
  state.at = row;
  state.canvas.style.cursor = row >= 0 ? "pointer" : "grab";
  attend(state);
  tell(state);
  redraw(state);
}

function seek(state, typed, centre = true) {
  state.sought = typed;
  state.found = meant(state.data.words, typed);
  if (state.address) remember(`${state.address}_find`, typed.trim() ? typed : null);
  attend(state);
  tell(state);
  if (centre && state.found >= 0) bringIn(state, state.found, state.data.words.length > 200 ? 4 : 2);
  redraw(state);
}

function choose(state, row) {
  if (row < 0) return;
  state.at = row;
  if (state.data.clickable) {
    state.report("word", state.data.words[row]);
  } else {
    state.search.value = state.data.words[row];
    seek(state, state.search.value, false);
  }
}

function release(state) {
  state.search.value = "";
  state.at = -1;
  seek(state, "");
}

function offerAfresh(state) {
  const screen = onScreen(state);
  const within = state.data.words.filter((_, i) => {
    const [x, y] = [screen[2 * i], screen[2 * i + 1]];
    return x >= 0 && y >= 0 && x <= state.width && y <= state.height;
  });
  const some = within.length >= FEWEST && within.length < state.data.words.length;
  state.again.hidden = !some || within.length > state.data.afresh;
  state.again.textContent = translated("Project these {n} words afresh", { n: within.length });
  state.again.onclick = () => {
    Object.assign(state, { motion: null, view: HOME });
    settle(state);
    state.report("afresh", within);
  };
}

/* The parts of the view. */

function build(root) {
  const state = { root, view: HOME, at: -1, found: -1, focus: -1, frame: 0, sought: "", attention: new Set(),
    fresh: new Set(), labels: [], boxes: [], moving: 0, width: 0, waiting: 0, motion: null, timer: 0 };
  const hues = {}; // the palette is one for light and dark
  state.hues = (name) => (hues[name] ??= getComputedStyle(root).getPropertyValue(`--${name}`).trim());
  state.onScreen = () => onScreen(state);
  state.settled = () => offerAfresh(state);
  state.canvas = element("canvas", "picture");
  state.canvas.tabIndex = 0;
  state.canvas.setAttribute("role", "application");
  state.labelBox = element("div", "labels");
  state.labelBox.setAttribute("aria-hidden", "true");
  state.search = element("input", "search");
  Object.assign(state.search, { type: "search", placeholder: translated("Find on the map"), maxLength: 60, spellcheck: false });
  state.search.setAttribute("aria-label", translated("Find a word on the map"));
  state.search.oninput = () => seek(state, state.search.value);
  const act = {
    look: (view) => look(state, view),
    point: (row) => point(state, row),
    choose: (row) => choose(state, row),
    glide: (what) => glide(state, what),
    bringIn: (row) => bringIn(state, row),
    all: () => glide(state, { view: HOME }),
    release: () => release(state),
  };
  const sign = (shown, words, press) => {
    const made = button("zoom", shown, press);
    made.setAttribute("aria-label", words);
    return made;
  };
  const signs = [sign("−", translated("Zoom out"), () => zoomBy(state, act, -1)), sign("+", translated("Zoom in"), () => zoomBy(state, act, 1)),
    sign(translated("All"), translated("Show the whole map"), act.all)];
  state.again = button("afresh", "", () => {});
  state.again.hidden = true;
  const exports = saveButtons({ PNG: () => savePng(state), SVG: () => saveSvg(state) });
  state.status = element("p", "status");
  state.status.setAttribute("role", "status");
  state.legend = element("div", "legend");
  state.player = element("div", "player");
  state.box = element("div", "box", state.canvas, state.labelBox);
  root.append(element("div", "bar", state.search, ...signs, state.again, exports), state.player, state.legend, state.box, state.status);
  listen(state, state.canvas, act);
  state.resized = new ResizeObserver(() => fit(state));
  state.resized.observe(state.box);
  document.fonts?.ready.then(() => relabel(state));
  root.ontransitionend = (event) => { if (event.target === root) redraw(state); }; // the theme changed
  return state;
}

function legendOf({ groups, axes, chosen, neighbours, words }) {
  const keys = groups.filter(({ name }) => name).map(({ name, mark, hue }) => {
    const picture = drawn("svg", "", { width: 18, height: 18, viewBox: "-9 -9 18 18", "aria-hidden": "true" });
    const corners = cornersOf(mark, [0, 0], 6);
    const shape = corners ? drawn("polygon", "", { points: corners.join(" ") }) : drawn("circle", "", { r: 6 });
    shape.style.fill = `var(--${hue})`;
    picture.append(shape);
    return element("span", "key", picture, name);
  });
  if (chosen !== null && neighbours.length) {
    keys.push(element("span", "key ringed", element("span", "", `${translated("nearest to")} “`, element("bdi", "", words[chosen]), "”")));
  }
  const shares = axes.map(({ name, share }) => translated("{name}: {share}% of the variance", { name, share: (100 * share).toFixed(0) }));
  return [...keys, element("span", "axes", shares.join(" · "))];
}

function relabel(state) {
  if (!state.data) return;
  state.labels = labelsOf(state.data);
  measure(state.labels, themeOf(state.root).family);
  redraw(state);
}

/** Place everything in the picture's size; words that were shown before start from where they were. */
function fit(state, were) {
  const width = state.box.clientWidth;
  if (!width || !state.data) return;
  Object.assign(state, { width, height: state.box.clientHeight }); // less than was sent on a low screen
  state.fit = fitted(turned(state.places, state.data.turn), state.width, state.height);
  const count = 2 * (state.data.words.length + state.data.points.length);
  state.home = standing(turned(frameOf(state, state.places, count), state.data.turn), state.fit);
  const names = [...state.data.words, ...state.data.points.map(({ name }, i) => `${i} ${name}`)];
  state.names = names;
  if (!were?.size) {
    state.shown = state.home;
    if (state.motion) state.motion.from = null;
    state.moving = 0;
  } else {
    state.fresh = new Set(names.keys());
    const from = state.home.map((place, i) => {
      const kept = were.get(names[i >> 1]);
      if (kept) state.fresh.delete(i >> 1);
      return kept ? kept[i % 2] : place;
    });
    state.shown = from;
    state.moving = 1e-6;
    glide(state, { from });
  }
  if (!state.motion) settle(state);
  redraw(state);
}

const whereabouts = (state) =>
  new Map((state.names ?? []).map((name, i) => [name, [state.shown[2 * i], state.shown[2 * i + 1]]]));

function showFrame(state, at) {
  if (state.frame === at) return;
  const were = whereabouts(state);
  state.frame = at;
  attend(state);
  tell(state);
  fit(state, were);
}

function update(state, data) {
  const were = state.width === state.box.clientWidth ? whereabouts(state) : null;
  for (const name of ["places", "near", "nearness"]) state[name] = decoded(data[name]);
  state.at = -1;
  state.frame = Math.max(0, data.frames.length - 1);
  state.marks = marksOf(data);
  state.box.style.height = `${data.height}px`;
  const keys = translated(data.clickable ? "Arrow keys go from word to word, + and − zoom, 0 shows all, Enter looks a word up." : "Arrow keys go from word to word, + and − zoom, 0 shows all.");
  state.canvas.setAttribute("aria-label", `${data.label}. ${keys}`);
  state.legend.replaceChildren(...legendOf(data));
  if (state.address !== data.address) {
    state.address = data.address;
    const [zoom, x, y] = (recalled(`${data.address}_view`) ?? "").split("_").map(Number);
    state.view = y === undefined ? HOME : sound({ zoom, x, y });
    state.search.value = recalled(`${data.address}_find`) ?? "";
  }
  state.player.replaceChildren();
  state.bar?.pause();
  state.bar = null;
  relabel(state);
  seek(state, state.search.value, false);
  fit(state, were);
  if (data.frames.length > 1) {
    state.bar = playBar({ steps: data.frames.length, start: state.frame, address: data.address, label: data.moment ? nameOf(data.moment) : translated("Moment of the training"),
      pace: 500, show: (at) => showFrame(state, at), say: (at) => data.frames[at] });
    state.bar.keys(state.bar.root);
    state.player.append(state.bar.root);
  }
}

export default function draw(component) {
  const state = mount(component, "map", build);
  const sent = JSON.stringify(component.data);
  if (sent !== state.sent) update(state, component.data); // a rerun that changes nothing moves nothing
  state.sent = sent;
  return () => {
    cancelAnimationFrame(state.waiting);
    clearTimeout(state.timer);
    state.resized.disconnect();
    state.bar?.pause();
    unmount(component.parentElement)();
  };
}
