/* The same passage cut several ways: a row of boxes for each; what is pointed at, by mouse or arrow key, is explained.

   data: { rows: [{ name, said, tokens: [[shown, id, bytes in hex, 1 where it is unknown]] }] }
   Ids and bytes are core's. It returns nothing. */

import { element } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";

const TELL = "Point at a token, or go along a row by arrow key: its id and its bytes.";

function explained([shown, id, bytes, unknown]) {
  const known = unknown ? `“${shown}” is not in the vocabulary: <unk>, id ${id}` : `“${shown}” has id ${id}`;
  return `${known}; in UTF-8 ${bytes}`;
}

function row({ name, said, tokens }, tell) {
  let place = -1;
  const boxes = tokens.map((token) => element("span", token[3] ? "token unknown" : "token", token[0]));
  const point = (to) => {
    boxes[place]?.classList.remove("pointed-at");
    place = Math.max(0, Math.min(to, boxes.length - 1));
    boxes[place]?.classList.add("pointed-at");
    if (tokens[place]) tell(explained(tokens[place]));
  };
  const line = element("div", "boxes", ...boxes);
  line.tabIndex = 0;
  line.setAttribute("role", "group");
  line.setAttribute("aria-label", `In ${name}; left and right arrow go from token to token`);
  boxes.forEach((box, i) => (box.onpointerenter = () => point(i)));
  line.onkeydown = (event) => {
    const to = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: tokens.length - 1 }[event.key];
    if (to === undefined || event.altKey) return;
    event.preventDefault();
    point(to);
  };
  return element("div", "way", element("p", "name", element("b", "", name), ` ${said}`), line);
}

const build = () => ({});

export default function draw(component) {
  const { data, root } = mount(component, "token-rows", build);
  const pointed = element("p", "pointed", TELL);
  pointed.setAttribute("aria-live", "polite");
  const tell = (words) => (pointed.textContent = words);
  root.replaceChildren(...data.rows.map((each) => row(each, tell)), pointed);
  return unmount(component.parentElement);
}
