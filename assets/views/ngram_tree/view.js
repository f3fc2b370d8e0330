/* The tree of n-gram counts, walked from left to right: a column for each context, a row for each next token.

   data: { columns: [{ context, total, types, children: [{ id, token, count, share }], rest: { types, count } }],
           path: [id] }
   Clicking a row, or Right on it, walks there. The only value returned is `walk`, { path, time }: the time makes the
   same step, taken twice, two values. */

const ROW = 32; // pixels, as in view.css
const GAP = 34;
const SVG = "http://www.w3.org/2000/svg";
const wanted = new WeakMap(); // root -> [column, row] that has the focus after the next drawing

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function percent(share) {
  if (share === 0) return "";
  if (share >= 0.1) return `${(100 * share).toFixed(0)} %`;
  return share >= 0.001 ? `${(100 * share).toFixed(1)} %` : "< 0.1 %";
}

function row(child, chosen, walk) {
  const button = element("button", "row");
  button.type = "button";
  button.style.setProperty("--share", `${100 * child.share}%`);
  button.setAttribute("aria-pressed", String(chosen));
  button.append(
    element("span", "token", child.token),
    element("span", "count", child.count.toLocaleString("en")),
    element("span", "share", percent(child.share)),
  );
  button.onclick = walk;
  return button;
}

function column(data, place, walk) {
  const { context, total, types, children, rest } = data.columns[place];
  const drawn = element("div", "column");
  drawn.setAttribute("role", "group");
  drawn.setAttribute("aria-label", `Next tokens after ${context}`);
  drawn.append(element("div", "context", place ? `after ${context}` : context));
  drawn.append(element("div", "about", `${total.toLocaleString("en")} times, ${types.toLocaleString("en")} types`));
  children.forEach((child) => {
    drawn.append(row(child, child.id === data.path[place], () => walk([...data.path.slice(0, place), child.id])));
  });
  if (rest.types) {
    const more = `${rest.types.toLocaleString("en")} more: ${rest.count.toLocaleString("en")} times`;
    drawn.append(element("div", "rest", more));
  }
  return drawn;
}

/* Lines from the row that was walked to all rows of the next column, as thick as their shares. */
function links(from, next) {
  const rows = Math.max(from + 1, next.children.length);
  const drawn = document.createElementNS(SVG, "svg");
  drawn.setAttribute("class", "links");
  drawn.setAttribute("width", GAP);
  drawn.setAttribute("height", rows * ROW);
  drawn.setAttribute("aria-hidden", "true");
  next.children.forEach((child, i) => {
    const path = document.createElementNS(SVG, "path");
    const [start, end] = [(from + 0.5) * ROW, (i + 0.5) * ROW];
    path.setAttribute("d", `M0 ${start} C${GAP / 2} ${start} ${GAP / 2} ${end} ${GAP} ${end}`);
    path.setAttribute("stroke-width", 1 + 12 * child.share);
    drawn.append(path);
  });
  return drawn;
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

export default function draw({ data, parentElement, setStateValue }) {
  let root = parentElement.querySelector(".tree");
  if (!root) {
    root = element("div", "tree");
    parentElement.append(root);
  }
  const held = root.contains(root.getRootNode().activeElement) ? placeOf(root, root.getRootNode().activeElement) : null;
  const focus = wanted.get(root) ?? held;
  wanted.delete(root);
  root.replaceChildren();
  data.columns.forEach((next, place) => {
    if (place) {
      const from = data.columns[place - 1].children.findIndex((child) => child.id === data.path[place - 1]);
      root.append(links(Math.max(0, from), next));
    }
    root.append(column(data, place, (path) => setStateValue("walk", { path, time: Date.now() })));
  });
  root.scrollLeft = root.scrollWidth; // where there is no room for all columns, the last one is seen
  root.onkeydown = (event) => onKey(root, data, event);
  if (focus) (focusable(root, ...focus) ?? focusable(root, focus[0] - 1, 0))?.focus();
}
