/* Moving: words to new places, and the picture to another part of the map; kept in the address once it rests. */

import { remember } from "../shared/address.js";
import { sound } from "./compute.js";
import { onScreen, paint } from "./scene.js";

const GLIDE = 450; // milliseconds
export const HOME = { zoom: 1, x: 0.5, y: 0.5 };

export function redraw(state) {
  if (state.waiting || !state.width || !state.data) return;
  state.waiting = requestAnimationFrame((now) => {
    state.waiting = 0;
    step(state, now);
    paint(state);
    if (state.motion) redraw(state);
  });
}

function step(state, now) {
  const { motion } = state;
  if (!motion) return;
  motion.start ??= now;
  const t = Math.min(1, (now - motion.start) / motion.lasts);
  const eased = t * t * (3 - 2 * t);
  const between = (a, b) => a + (b - a) * eased;
  if (motion.from) state.shown = state.home.map((place, i) => between(motion.from[i], place));
  if (motion.view) {
    const { from, to } = motion.view;
    state.view = { zoom: from.zoom * (to.zoom / from.zoom) ** eased, x: between(from.x, to.x), y: between(from.y, to.y) };
  }
  state.moving = motion.from && t < 1 ? eased || 1e-6 : 0;
  if (t < 1) return;
  if (motion.from) state.shown = state.home;
  state.motion = null;
  settle(state);
}

/**
 * Move on from what is shown now: words from their places `from`, the view to `view`.
 * @param {any} state
 * @param {{ from?: any, view?: any }} what
 */
export function glide(state, { from, view }, lasts = GLIDE) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const before = state.motion?.view?.to;
  const to = view ?? before;
  state.motion = {
    from: from ?? (state.motion?.from ? state.shown : null),
    view: to ? { from: state.view, to: sound(to) } : null,
    lasts: still ? 1 : lasts,
    start: null,
  };
  state.canvas.style.touchAction = (to ?? state.view).zoom > 1 ? "none" : "pan-y";
  redraw(state);
}

/** Keep what is seen: in the address, and rounded as it stands there, so that the link shows the same. */
export function settle(state) {
  state.view = sound(state.view);
  const { zoom, x, y } = state.view;
  const whole = zoom === 1 && x === HOME.x && y === HOME.y;
  if (state.address) remember(`${state.address}_view`, whole ? null : [zoom, x, y].join("_"));
  state.canvas.style.touchAction = zoom > 1 ? "none" : "pan-y";
  state.settled();
  redraw(state);
}

export function look(state, view) {
  if (state.motion?.view) state.motion.view = null;
  state.view = view;
  clearTimeout(state.timer);
  state.timer = setTimeout(() => settle(state), 200);
  redraw(state);
}

/** Bring a word into the picture, if it is not there, or into its middle at a zoom. */
export function bringIn(state, row, zoom = 0) {
  const screen = onScreen(state);
  const [x, y] = [screen[2 * row], screen[2 * row + 1]];
  if (!zoom && x > 20 && y > 20 && x < state.width - 20 && y < state.height - 20) return;
  const place = { x: state.home[2 * row] / state.width, y: state.home[2 * row + 1] / state.height };
  glide(state, { view: { zoom: Math.max(zoom, state.view.zoom), ...place } });
}
