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
 * The ink for a cell that `faded` or `diverging` filled to a share: what has a contrast of 4.5:1 in light and in dark.
 * @param {number} share
 * @param {boolean} [vermillion] or blue
 * @returns {string}
 */
export function ink(share, vermillion = false) {
  if (share <= (vermillion ? 0.9 : 0.92)) return "light-dark(#000000, #ffffff)";
  return vermillion ? "#000000" : "#ffffff";
}
