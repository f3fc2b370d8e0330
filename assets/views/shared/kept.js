/* What stays from picture to picture: an element for each key, so that it can move to its next place. */

/**
 * The element of a key, made in its layer where there is none yet; `used` notes that it is still wanted.
 * @param {{ kept: Map<string, any>, used: Set<string>, layers: any }} state
 * @param {string | number} layer
 * @param {string} key
 * @param {() => any} make
 * @returns {any}
 */
export function keep({ kept, used, layers }, layer, key, make) {
  used.add(key);
  if (!kept.has(key)) kept.set(key, layers[layer].appendChild(make()));
  return kept.get(key);
}

/**
 * Take away what was not asked for again.
 * @param {{ kept: Map<string, any>, used: Set<string> }} state
 */
export function dropUnused({ kept, used }) {
  for (const [key, made] of kept) {
    if (used.has(key)) continue;
    made.remove();
    kept.delete(key);
  }
}

/**
 * Keep an element for each item's key: what is new is made, what is gone is taken away, all are laid.
 * @param {Map<string, any>} kept
 * @param {any[]} items each with a key
 * @param {(item: any) => any} make
 * @param {Element} layer
 * @param {(made: any, item: any) => void} lay
 */
export function keyed(kept, items, make, layer, lay) {
  dropUnused({ kept, used: new Set(items.map(({ key }) => key)) });
  for (const item of items) {
    if (!kept.has(item.key)) kept.set(item.key, layer.appendChild(make(item)));
    lay(kept.get(item.key), item);
  }
}

const MOVE = { duration: 450, easing: "ease-in-out" };

/**
 * Play an element's motion; nothing moves where less motion is wanted.
 * @param {any} made
 * @param {Keyframe[]} steps
 * @param {KeyframeAnimationOptions} timing
 * @returns {Animation | undefined}
 */
export function play(made, steps, timing = MOVE) {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? undefined : made.animate(steps, timing);
}

/**
 * Let an element appear in a moment, at once where less motion is wanted.
 * @param {any} made
 * @param {number} duration milliseconds
 * @returns {any} the element
 */
export function fadeIn(made, duration) {
  play(made, [{ opacity: 0 }, { opacity: 1 }], { duration, easing: "ease-out" });
  return made;
}

/**
 * Let an element go from the place where it was to the one that it has; what was nowhere appears.
 * @param {any} made
 * @param {DOMRect | undefined} was
 */
export function comeFrom(made, was) {
  if (!was) {
    fadeIn(made, MOVE.duration);
    return;
  }
  const now = made.getBoundingClientRect();
  const [right, down] = [was.x - now.x, was.y - now.y];
  if (right || down) play(made, [{ transform: `translate(${right}px, ${down}px)` }, { transform: "none" }]);
}
