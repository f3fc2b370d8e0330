/* Colours of numbers. The hues are core's palette, which reaches every view as CSS variables. */

/**
 * A hue as opaque as a share says: heat maps fade into whatever the page's background is.
 * @param {string} hue the palette's name of it: "blue", "vermillion"
 * @param {number} share from 0 to 1
 * @returns {string} a CSS colour
 */
export function faded(hue, share) {
  return `color-mix(in srgb, var(--${hue}) ${(100 * Math.max(0, Math.min(1, share))).toFixed(1)}%, transparent)`;
}

/**
 * Blue above 0, vermillion below, as opaque as the value is large beside `reach`.
 * @param {number} value
 * @param {number} reach
 * @returns {string}
 */
export function diverging(value, reach) {
  return faded(value < 0 ? "vermillion" : "blue", Math.abs(value) / reach);
}

/**
 * The ink for a cell that is filled to a share: white where the fill is dark.
 * @param {number} share
 * @returns {string}
 */
export function ink(share) {
  return share > 0.55 ? "#ffffff" : "var(--st-text-color)";
}
