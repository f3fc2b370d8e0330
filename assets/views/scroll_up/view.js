/* Turns the page back to its picture each time the learner arrives by a prompt.

   data: { arrivals }, how often that has happened. */

const seen = new WeakMap(); // root -> arrivals at the last drawing

export default function draw({ data, parentElement }) {
  const root = parentElement;
  if (seen.has(root) && seen.get(root) !== data.arrivals) {
    document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0, behavior: "smooth" });
  }
  seen.set(root, data.arrivals);
}
