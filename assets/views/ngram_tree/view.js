/* The tree of n-gram counts, walked from left to right: a column for each context, a row for each next token.

   data: { columns: [{ context, total, types, children: [{ id, token, count, share }], rest: { types, count } }],
           path: [id] }
   Clicking a row, or Right on it, walks there. It reports `walk`, the path. */

import { drawn, element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { counted, percent } from "../shared/numbers.js";

const ROW = 30; // pixels, as in view.css
const GAP = 34;
const wanted = new WeakMap(); // root -> [column, row] that has the focus after the next drawing

const times = (count) => translated(count === 1 ? "{n} time" : "{n} times", { n: counted(count) });

function row(child, chosen, walk) {
  const button = element("button", "row");
  button.type = "button";
  button.style.setProperty("--share", `${100 * child.share}%`);
  button.setAttribute("aria-pressed", String(chosen));
  button.append(
    element("span", "token", child.token),
    element("span", "count", counted(child.count)),
    element("span", "share", percent(child.share)),
  );
  button.onclick = walk;
  return button;
}

function column(data, place, walk) {
  const { context, total, types, children, rest } = data.columns[place];
  const made = element("div", "column");
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", translated("Next tokens after {context}", { context }));
  made.append(element("div", "context", place ? translated("after {context}", { context }) : context));
  made.append(element("div", "about", `${times(total)}, ${translated(types === 1 ? "{n} type" : "{n} types", { n: counted(types) })}`));
  children.forEach((child) => {
    made.append(row(child, child.id === data.path[place], () => walk([...data.path.slice(0, place), child.id])));
  });
  if (rest.types) {
    const more = `${translated("{n} more", { n: counted(rest.types) })}: ${times(rest.count)}`;
    made.append(element("div", "rest", more));
  }
  return made;
}

/* Lines from the row that was walked to all rows of the next column, as thick as their shares. */
function links(from, next) {
  const rows = Math.max(from + 1, next.children.length);
  const svg = drawn("svg", "links", { width: GAP, height: rows * ROW, "aria-hidden": "true" });
  next.children.forEach((child, i) => {
    const [start, end] = [(from + 0.5) * ROW, (i + 0.5) * ROW];
    const d = `M0 ${start} C${GAP / 2} ${start} ${GAP / 2} ${end} ${GAP} ${end}`;
    svg.append(drawn("path", "", { d, "stroke-width": 1 + 12 * child.share }));
  });
  return svg;
}

function focusable(root, place, at) {
  const rows = root.querySelectorAll(".column")[place]?.querySelectorAll(".row");
  return rows?.[Math.max(0, Math.min(at, rows.length - 1))];
}

function placeOf(root, button) {
  const columns = [...root.querySelectorAll(".column")];
  const place = columns.findIndex((each) => each.contains(button));
  return [place, place < 0 ? -1 : [...columns[place].querySelectorAll(".row")].indexOf(button)];
}

function onKey(root, data, event) {
  const [place, at] = placeOf(root, event.target);
  if (place < 0) return;
  const moves = { ArrowDown: [place, at + 1], ArrowUp: [place, at - 1], Home: [place, 0], End: [place, 99] };
  if (event.key in moves) focusable(root, ...moves[event.key])?.focus();
  else if (event.key === "ArrowRight" && event.target.getAttribute("aria-pressed") === "true") {
    focusable(root, place + 1, 0)?.focus();
  } else if (event.key === "ArrowRight") {
    wanted.set(root, [place + 1, 0]);
    event.target.click();
  } else if (event.key === "ArrowLeft" && place) {
    const chosen = data.columns[place - 1].children.findIndex((child) => child.id === data.path[place - 1]);
    focusable(root, place - 1, chosen)?.focus();
  } else return;
  event.preventDefault();
}

export default function draw(component) {
  const { root, report } = mount(component, "tree", () => ({}));
  const { data } = component;
  const held = root.contains(root.getRootNode().activeElement) ? placeOf(root, root.getRootNode().activeElement) : null;
  const focus = wanted.get(root) ?? held;
  wanted.delete(root);
  root.replaceChildren();
  data.columns.forEach((next, place) => {
    if (place) {
      const from = data.columns[place - 1].children.findIndex((child) => child.id === data.path[place - 1]);
      root.append(links(Math.max(0, from), next));
    }
    root.append(column(data, place, (path) => report("walk", path)));
  });
  root.scrollLeft = root.scrollWidth; // where there is no room for all columns, the last one is seen
  root.onkeydown = (event) => onKey(root, data, event);
  if (focus) (focusable(root, ...focus) ?? focusable(root, focus[0] - 1, 0))?.focus();
  return unmount(component.parentElement);
}
