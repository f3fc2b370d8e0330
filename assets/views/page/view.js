/* What every lesson does by itself: it keeps in the address what its views have put there, it turns back to the
   picture each time the learner arrives by a prompt, it notes in this browser that it was visited, and it hears the
   course's keys.

   data: { arrivals }, how often that has happened. */

import { hold, letGo } from "../shared/address.js";
import { onKey } from "../shared/keys.js";
import { noteVisit } from "../shared/visited.js";

const seen = new WeakMap(); // root -> arrivals at the last drawing
const clocks = new WeakMap(); // root -> the clock that looks at the address

export default function draw({ data, parentElement }) {
  const root = parentElement;
  if (seen.has(root) && seen.get(root) !== data.arrivals) {
    document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0, behavior: "smooth" });
  }
  seen.set(root, data.arrivals);
  noteVisit();
  window.addEventListener("keydown", onKey);
  clearInterval(clocks.get(root));
  clocks.set(root, setInterval(hold, 300));
  return () => {
    clearInterval(clocks.get(root));
    letGo();
    window.removeEventListener("keydown", onKey);
  };
}
