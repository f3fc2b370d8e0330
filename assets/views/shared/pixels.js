/* A small picture, one pixel a pixel; the browser enlarges it without smoothing. */

import { contextOf } from "./element.js";

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Uint8Array} pixels red, green and blue of each, row after row
 * @param {number} side
 */
export function paint(canvas, pixels, side) {
  Object.assign(canvas, { width: side, height: side });
  const context = contextOf(canvas);
  const image = context.createImageData(side, side);
  for (let i = 0; i < side * side; i += 1) image.data.set([...pixels.subarray(3 * i, 3 * i + 3), 255], 4 * i);
  context.putImageData(image, 0, 0);
}
