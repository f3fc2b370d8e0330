/* Making elements: a tag, its classes, and its words, which are never read as markup. */

/**
 * @param {string} tag
 * @param {string} [className]
 * @param {...(string | Node)} content words and parts, in order
 * @returns {any} the element; `any`, because the tag decides which kind it is
 */
export function element(tag, className = "", ...content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content.filter((part) => part !== "")); // no empty text before the first part
  return made;
}

/**
 * The same for a picture's parts.
 * @param {string} tag
 * @param {string} className
 * @param {Record<string, string | number>} [attributes]
 * @param {string | number} [text]
 * @returns {any}
 */
export function drawn(tag, className, attributes = {}, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  if (className) made.setAttribute("class", className);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.textContent = String(text);
  return made;
}

/**
 * What draws on a canvas, or, without one, measures words; never null, for no canvas is asked for another kind.
 * @param {HTMLCanvasElement} [canvas]
 * @returns {CanvasRenderingContext2D}
 */
export function contextOf(canvas = document.createElement("canvas")) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
}

/**
 * @param {string} className
 * @param {string} words what the button says
 * @param {() => void} press
 * @returns {HTMLButtonElement}
 */
export function button(className, words, press) {
  const made = element("button", className, words);
  made.type = "button";
  made.onclick = press;
  return made;
}
