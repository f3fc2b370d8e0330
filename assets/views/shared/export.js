/* Saving a drawn picture as an SVG file, with the colours that it has on the page. */

import { button } from "./element.js";

const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family", "font-weight", "text-anchor"];

/**
 * @param {SVGElement} svg
 * @returns {string} the picture as a file of its own: what the page's stylesheet says stands at each part
 */
export function standalone(svg) {
  const copy = /** @type {SVGElement} */ (svg.cloneNode(true));
  const parts = [svg, ...svg.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((part, i) => {
    const style = getComputedStyle(parts[i]);
    STYLES.forEach((name) => part.setAttribute(name, style.getPropertyValue(name)));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

/**
 * @param {() => SVGElement} picture
 * @param {string} name of the file, without its ending
 * @returns {HTMLButtonElement}
 */
export function saveButton(picture, name) {
  return button("save", "SVG", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([standalone(picture())], { type: "image/svg+xml" }));
    link.download = `${name}.svg`;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}
