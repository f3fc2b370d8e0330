/* What a hand does to a map: drag, pinch, wheel, keys, pointing and clicking. It only calls what the view offers. */

import { ahead, moved, nearestTo, zoomed } from "./compute.js";

const STEP = 1.5; // what + and − zoom by
const REACH = 18; // pixels from a dot that still point at it
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The word at a place of the picture: its dot or its label; -1 for none. */
function wordAt(state, place) {
  const near = nearestTo(state.onScreen(), state.data.words.length, place);
  const covers = (box) => box && place[0] >= box.x && place[0] <= box.x + box.w && place[1] >= box.y && place[1] <= box.y + box.h;
  const label = state.labels.find(({ of }, i) => of.point < state.data.words.length && covers(state.boxes?.[i]));
  if (near.distance <= REACH / 2 || (!label && near.distance <= REACH)) return near.point;
  return label ? label.of.point : -1;
}

function placeOf(canvas, event) {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

/** Zoom by steps, about the middle of the picture. */
export function zoomBy(state, act, steps) {
  const middle = [state.width / 2, state.height / 2];
  act.glide({ view: zoomed(state.view, STEP ** steps, middle, state.width, state.height) });
}

/**
 * Let a hand move the map. `act` is what the view does: look(view), point(row), choose(row), glide({ view }), all().
 * @param {any} state
 * @param {any} canvas
 * @param {any} act
 */
export function listen(state, canvas, act) {
  const pointers = new Map();
  let dragged = false;

  canvas.onpointerdown = (event) => {
    if (event.button) return;
    canvas.setPointerCapture(event.pointerId);
    if (!pointers.size) dragged = false;
    pointers.set(event.pointerId, placeOf(canvas, event));
    if (event.pointerType !== "mouse") act.point(wordAt(state, placeOf(canvas, event)));
  };
  canvas.onpointermove = (event) => {
    const [was, now] = [pointers.get(event.pointerId), placeOf(canvas, event)];
    if (!was) {
      if (event.pointerType === "mouse") act.point(wordAt(state, now));
      return;
    }
    if (pointers.size === 1) {
      const [dx, dy] = [now[0] - was[0], now[1] - was[1]];
      if (!dragged && Math.hypot(dx, dy) < 5) return; // a click may tremble
      dragged = true;
      act.look(moved(state.view, dx, dy, state.width, state.height));
    } else {
      dragged = true;
      const other = pointers.get([...pointers.keys()].find((id) => id !== event.pointerId));
      const apart = (place) => Math.max(10, Math.hypot(place[0] - other[0], place[1] - other[1]));
      const middle = [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2];
      act.look(zoomed(state.view, apart(now) / apart(was), middle, state.width, state.height));
    }
    pointers.set(event.pointerId, now);
  };
  canvas.onpointerup = (event) => {
    const was = pointers.delete(event.pointerId);
    if (!was || pointers.size) return;
    if (!dragged) act.choose(wordAt(state, placeOf(canvas, event)));
  };
  canvas.onpointercancel = (event) => pointers.delete(event.pointerId);
  canvas.onpointerleave = (event) => { if (event.pointerType === "mouse" && !pointers.size) act.point(-1); };
  canvas.ondblclick = () => act.all();
  canvas.addEventListener("wheel", (event) => {
    // A page must be scrolled past its map: the wheel zooms once the map has the focus, or with Ctrl, as a pinch does.
    if (!event.ctrlKey && canvas.getRootNode().activeElement !== canvas) return;
    event.preventDefault();
    const factor = Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002));
    act.look(zoomed(state.view, factor, placeOf(canvas, event), state.width, state.height));
  }, { passive: false });
  canvas.onblur = () => act.point(-1);
  canvas.onkeydown = (event) => { if (pressed(state, act, event)) event.preventDefault(); };
}

/** Do what a key asks for; tell whether it was one of the map's. */
function pressed(state, act, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key in ARROWS) {
    const points = state.onScreen();
    const from = state.focus >= 0 ? state.focus
      : nearestTo(points, state.data.words.length, [state.width / 2, state.height / 2]).point;
    const to = state.focus >= 0 ? ahead(points, state.data.words.length, from, ARROWS[event.key]) : from;
    act.point(to);
    act.bringIn(to);
  } else if (event.key === "+" || event.key === "=") zoomBy(state, act, 1);
  else if (event.key === "-" || event.key === "−") zoomBy(state, act, -1);
  else if (event.key === "0") act.all();
  else if (event.key === "Enter" || event.key === " ") act.choose(state.focus);
  else if (event.key === "Escape") act.release();
  else return false;
  return true;
}
