/* Presenting: how much larger the lesson is shown, so that what the beat speaks of is whole between the bar and the words. */

const [LARGEST, SMALLEST, GAP] = [1.5, 1, 8]; // times as large; pixels above and below the part
const REFITS = 4; // as a part grows while it is drawn; then it is the learner who scrolls

export const presenting = () => document.documentElement.hasAttribute("data-present");

/** The height of a part of the page in pixels of the window, 0 where there is none. */
const heightOf = (selector) => document.querySelector(selector)?.getBoundingClientRect().height ?? 0;

/** How much larger a part is shown: as large as fits its room, and no smaller than without presenting. */
export function zoomFor(height, room) {
  return Math.max(SMALLEST, Math.min(LARGEST, Math.floor((20 * room) / height) / 20));
}

/** The first picture of the page, for a lesson whose tour is folded away. */
function firstPicture() {
  const parts = document.querySelectorAll('[class*="_stage_strip"] ~ *, [class*="_strip"] ~ *');
  return [...parts].find((part) => part.querySelector('.js-plotly-plot, [data-testid^="stBidi"]')) ?? null;
}

/** Make a part, or the first picture, as large as fits, and bring it to the top; again when it grows. */
export function present(state, part) {
  state.growth?.disconnect();
  const root = document.documentElement;
  root.style.removeProperty("--attend-zoom");
  part ??= firstPicture();
  if (!presenting() || !(part instanceof HTMLElement)) return;
  let [last, left] = [0, REFITS];
  const fit = () => {
    const now = Number(root.style.getPropertyValue("--attend-zoom")) || LARGEST;
    const height = part.getBoundingClientRect().height / now;
    if (Math.abs(height - last) < GAP || !left--) return;
    last = height;
    const bar = heightOf('[class*="_tour_box"]');
    const zoom = zoomFor(height, window.innerHeight - bar - heightOf('[class*="_tour_says"]') - 2 * GAP);
    root.style.setProperty("--attend-zoom", String(zoom));
    const main = document.querySelector('[data-testid="stMain"]');
    const top = part.getBoundingClientRect().top - heightOf('[class*="_tour_box"]') - GAP;
    main?.scrollBy({ top });
  };
  state.growth = new ResizeObserver(fit);
  state.growth.observe(part);
  fit();
}
