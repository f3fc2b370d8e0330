/* Lines of a text in panels: what models learn from and what they are measured on, or which lines were seen before. Above
   them, where there is one, a strip of the whole text. It fills its room.

   data: { strip: [{ mark, share, hue, unused }], panels: [{ title, note, hue, lines: [{ text, mark, kind, hue, tag }] }] }.
   Kinds of line: plain, seen (filled), new (an outline). A tag stands at the end of its line. */

import { element } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";

function buildParts(root) {
  root.classList.add("fills");
  const [strip, panels] = [element("div", "strip"), element("div", "panels")];
  root.append(strip, panels);
  return { strip, panels };
}

function hued(made, hue) {
  made.style.setProperty("--hue", `var(--${hue})`);
  made.style.setProperty("--ink", `var(--ink-${hue})`);
  return made;
}

function makePart({ mark, share, hue, unused }) {
  const made = hued(element("i", unused ? "part unused" : "part"), hue);
  made.dataset.mark = mark;
  made.style.flexGrow = String(share);
  return made;
}

function makeLine({ text, mark, kind, hue, tag }) {
  const made = hued(element("div", `line ${kind}`, element("span", "text", text), element("b", "tag", tag)), hue);
  made.dataset.mark = mark;
  return made;
}

function makePanel({ title, note, hue, lines }) {
  const head = element("p", "title", title);
  const small = element("p", "note", note);
  return hued(element("section", "panel", head, small, element("div", "lines", ...lines.map(makeLine))), hue);
}

export default function draw(component) {
  const { data, strip, panels, root } = mount(component, "text-parts", buildParts);
  strip.replaceChildren(...data.strip.map(makePart));
  panels.replaceChildren(...data.panels.map(makePanel));
  root.classList.toggle("tagged", data.panels.some(({ lines }) => lines.some(({ tag }) => tag)));
  return unmount(component.parentElement);
}
