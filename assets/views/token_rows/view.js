/* The same passage cut several ways: a row of boxes for each, and what is pointed at.

   data: { rows: [{ name, said, tokens: [[shown, id, bytes in hex, 1 where it is unknown]] }] }
   Ids and bytes are core's. It returns nothing. */

import { element } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";

const TELL = "Point at a token: its id and its bytes.";

function box([shown, id, bytes, unknown], tell) {
  const made = element("span", unknown ? "token unknown" : "token", shown);
  made.onpointerenter = () => {
    const known = unknown ? `“${shown}” is not in the vocabulary: <unk>, id ${id}` : `“${shown}” has id ${id}`;
    tell(`${known}; in UTF-8 ${bytes}`);
  };
  return made;
}

const build = () => ({});

export default function draw(component) {
  const { data, root } = mount(component, "token-rows", build);
  const pointed = element("p", "pointed", TELL);
  const tell = (words) => (pointed.textContent = words);
  root.replaceChildren(
    ...data.rows.map(({ name, said, tokens }) => {
      const boxes = element("div", "boxes", ...tokens.map((token) => box(token, tell)));
      boxes.setAttribute("role", "group");
      boxes.setAttribute("aria-label", `The passage in ${name}`);
      return element("div", "way", element("p", "name", element("b", "", name), ` ${said}`), boxes);
    }),
    pointed,
  );
  return unmount(component.parentElement);
}
