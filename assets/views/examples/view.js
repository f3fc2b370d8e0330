/* One window of tokens as its training examples: a row for each prefix, its target one further, p and -ln p.

   data: { tokens: [T + 1], probabilities: [T], losses: [T], chosen, peek }     every number is core's
   What a row may not see is not there, unless the rows peek. Arrow keys and the mouse light a row; nothing is
   returned. */

import { element } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";

function cell(role, className, text) {
  const made = element("span", `cell ${className}`, text);
  made.setAttribute("role", role);
  return made;
}

/* What position s is to example t: seen (x), asked for (y), seen although it comes later (peek), or not there. */
function kind(t, s, T, peek) {
  if (s === t + 1) return "y";
  if (s <= t) return "x";
  return peek && s < T ? "x later" : "";
}

function exampleRow({ tokens, probabilities, losses, peek }, t) {
  const row = element("div", "row");
  row.setAttribute("role", "row");
  row.dataset.t = t;
  row.append(cell("rowheader", "name", `t = ${t + 1}`));
  tokens.forEach((token, s) => {
    const what = kind(t, s, tokens.length - 1, peek);
    row.append(cell("gridcell", what, what ? token : ""));
  });
  row.append(cell("gridcell", "number", probabilities[t]), cell("gridcell", "number", losses[t]));
  return row;
}

function headRow({ tokens }) {
  const row = element("div", "row head");
  row.setAttribute("role", "row");
  row.append(cell("columnheader", "name", "t"));
  tokens.forEach((_, s) => row.append(cell("columnheader", "", String(s + 1))));
  row.append(cell("columnheader", "number", "p(y)"), cell("columnheader", "number", "−ln p"));
  return row;
}

function light(state, t) {
  state.lit = Math.max(0, Math.min(state.data.losses.length - 1, t));
  for (const row of state.grid.querySelectorAll(".row[data-t]")) {
    row.classList.toggle("lit", Number(row.dataset.t) === state.lit);
    row.setAttribute("aria-selected", String(Number(row.dataset.t) === state.lit));
  }
}

function build(root) {
  const state = { grid: root, lit: 0, data: null };
  root.setAttribute("role", "grid");
  root.setAttribute("aria-label", "Training examples, one a row: what is seen, what is to be predicted, its probability, the loss");
  root.tabIndex = 0;
  root.onkeydown = (event) => {
    const move = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!move) return;
    event.preventDefault();
    light(state, state.lit + move);
  };
  root.onpointermove = (event) => {
    const row = event.target.closest?.(".row[data-t]");
    if (row && event.pointerType === "mouse") light(state, Number(row.dataset.t));
  };
  root.onpointerleave = () => light(state, state.data.chosen);
  return state;
}

export default function draw(component) {
  const state = mount(component, "examples", build);
  const { data } = component;
  state.grid.style.setProperty("--tokens", data.tokens.length);
  state.grid.replaceChildren(headRow(data), ...data.losses.map((_, t) => exampleRow(data, t)));
  light(state, data.chosen);
  return unmount(component.parentElement);
}
