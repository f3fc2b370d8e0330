/* An icon of the project's own set, in the colour and about the size of the text beside it. */

import { drawn } from "./element.js";
import { SHAPES } from "./icon_shapes.js";

/**
 * @param {string} name a literal, by which `make icons` finds it
 * @returns {SVGElement}
 */
export function drawIcon(name) {
  const made = drawn("svg", "glyph", {
    viewBox: "0 0 24 24", width: "1em", height: "1em", fill: "none", stroke: "currentColor", "stroke-width": 2.25,
    "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true",
  });
  for (const [, tag, attributes] of (SHAPES[name] ?? "").matchAll(/<(\w+)([^>]*?)\/?>/g)) {
    const named = [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value]);
    made.append(drawn(tag, "", Object.fromEntries(named)));
  }
  return made;
}
