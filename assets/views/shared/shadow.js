/* A shadow root of its own for a view, with the view's rules: what stands around it does not reach into it. */

/**
 * @param {HTMLElement} host
 * @param {string} styles
 * @param {HTMLElement} parent what the view draws in
 * @returns {ShadowRoot}
 */
export function openShadow(host, styles, parent) {
  const shadow = host.attachShadow({ mode: "open" });
  const style = document.createElement("style");
  style.textContent = styles;
  shadow.append(style, parent);
  return shadow;
}
