/* A beat's picture: a browser view in a shadow root of its own. Where the next beat has the same view it stays and moves on. */

import { openShadow } from "../shared/shadow.js";
import { sourceOf } from "../shared/source.js";
import { tieMarks } from "./ties.js";

const [SMALLEST, LARGEST] = [0.5, 2.4]; // times as large as a view draws itself
const GUESSES = 12; // at the size that fits

export function removePicture(state) {
  state.picture?.leave?.();
  state.picture?.watch?.disconnect();
  state.picture = null;
}

/** Show the document's picture. */
export async function placePicture(state, { picture }, arrived) {
  if (!picture) {
    removePicture(state);
    state.host.replaceChildren();
    return;
  }
  if (state.picture?.code !== picture.code) {
    const { default: draw, styles } = await sourceOf().code(picture.code);
    removePicture(state);
    const frame = document.createElement("div");
    frame.className = "frame";
    const parent = document.createElement("div");
    parent.className = "parent";
    const shadow = openShadow(frame, styles, parent);
    state.host.replaceChildren(frame);
    state.picture = { code: picture.code, draw, shadow, parent, frame };
    tieMarks(state, shadow);
    state.picture.watch = new ResizeObserver(() => fitPicture(state));
    state.picture.watch.observe(state.host);
  }
  const { draw, parent } = state.picture;
  const report = (event, value) => {
    if (state.document.events.includes(event)) state.actions.event(event, value);
  };
  state.picture.leave = draw({ data: { ...picture.data, bare: true, arrived }, parentElement: parent, setTriggerValue: report });
  fitPicture(state);
  state.root.dataset.shown = `${state.document.number}${state.document.revealed ? ".answer" : ""}`; // it stands there
}

/** Make a view that has a size of its own as large as its room; one that fills its room does so by itself. */
function fitPicture(state) {
  const { frame, parent } = state.picture ?? {};
  if (!frame) return;
  const fills = parent.firstElementChild?.classList.contains("fills");
  parent.style.cssText = fills ? "height: 100%" : "";
  frame.style.zoom = "1";
  if (fills) return;
  const [width, height] = [state.host.clientWidth, state.host.clientHeight];
  let [low, high] = [SMALLEST, LARGEST];
  for (let i = 0; i < GUESSES; i++) {
    const zoom = (low + high) / 2;
    parent.style.width = `${width / zoom}px`;
    if (parent.scrollHeight * zoom <= height && parent.scrollWidth * zoom <= width + 1) low = zoom;
    else high = zoom;
  }
  parent.style.width = `${width / low}px`;
  frame.style.zoom = String(low);
}
