/* Lines in the lattice, the paths of the searches, and the sentence that says what this step does. */

import { drawn } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { format, update } from "./format.js";
import { turnText } from "./panel.js";

/** The words that the trace back has reached. */
export function traced(view) {
  const reached = new Set();
  if (view.traceStart >= 0) {
    for (let i = view.traceStart; i <= view.step; i++) reached.add(view.data.steps[i][1]);
  }
  return reached;
}

export function line(view, group, t, i, j, className) {
  const half = view.box / 2;
  const line = drawn("line", className, { x1: view.x(t - 1) + half, y1: view.y(i), x2: view.x(t) - half, y2: view.y(j) });
  group.append(line);
  return line;
}

export function drawEdges(view, kind, traced) {
  view.above.replaceChildren();
  const { words, states } = view.data;
  const back = view.numbers.backpointers;
  view.backLines.forEach(([line, u, k]) => {
    const drawn = view.filled(u, k) && !view.open(u) && view.possible(u, k);
    update(line, drawn ? "back" : "hidden");
  });
  const [t, j] = view.cell();
  if ((["compare", "keep"].includes(kind) || view.chosen) && t > 0 && view.known(t, j)) {
    const winner = view.filled(t, j) ? back[t][j] : -1;
    states.forEach((_, i) => line(view, view.above, t, i, j, i === winner ? "winner" : "candidate"));
  }
  const whole = view.columnEnd.every((end) => end <= view.step);
  if (whole && [...view.shown].some((id) => id !== "viterbi")) return drawPaths(view);
  for (let u = 1; u < words.length; u++) {
    const path = view.numbers.path;
    if (traced.has(u) && traced.has(u - 1)) line(view, view.above, u, path[u - 1], path[u], "traced");
  }
  return undefined;
}

/** The paths of the searches that are switched on, beside one another where they share an edge. */
export function drawPaths(view) {
  const shown = view.data.paths.filter((path) => view.shown.has(path.id));
  const dashes = { viterbi: "", greedy: "2 7" };
  shown.forEach((path, i) => {
    const lift = shown.length > 1 ? 7 * (i - (shown.length - 1) / 2) : 0;
    const half = view.box / 2;
    const ends = path.path.flatMap((j, t) => [-half, half].map((side) => [view.x(t) + side, view.y(j) + lift]));
    const points = ends.map((end) => end.join(",")).join(" ");
    const dash = dashes[path.id] ?? "10 6";
    const line = drawn("polyline", "path", { points, stroke: path.colour, "stroke-dasharray": dash });
    line.dataset.name = path.id;
    view.above.append(line);
  });
}

export function drawStatus(view, kind, t, j) {
  const { words, states, steps } = view.data;
  const word = `“${words[t]}”`;
  const value = () => format(view.score(t, j), view.log);
  const from = t > 0 ? states[view.numbers.backpointers[t][j]] : "";
  const place = { state: states[j], word };
  const whole = view.data.first + words.length === view.data.total;
  const probability = format(view.numbers.probability, view.log);
  const texts = {
    initialise: () => translated(view.log ? "Initialise {state} at {word}: initial plus emission gives {value}." : "Initialise {state} at {word}: initial times emission gives {value}.", { ...place, value: value() }),
    compare: () =>
      translated("Compare: {n} ways to reach {state} at {word}, one from each state before it.", { ...place, n: states.length }),
    keep: () => `${translated("Keep the best, {value}, and point back to {from}", { value: value(), from })}${tieNote(view, t, j)}.`,
    terminate: () =>
      translated(view.log ? "Terminate: the best path ends in {state}. Its log-probability is {probability}; it has {share}% of the probability of all paths." : "Terminate: the best path ends in {state}. Its probability is {probability}; it has {share}% of the probability of all paths.",
        { state: states[view.numbers.path[t]], probability, share: format(100 * view.data.posterior, false) }),
    "trace back": () =>
      t === words.length - 1
        ? translated(whole ? "Trace back from {state} at {word}." : "Trace back from {state} at {word}, found from the sentence's end.", { word, state: states[view.numbers.path[t]] })
        : translated("Trace back: the pointer leads to {state} at {word}.", { word, state: states[view.numbers.path[t]] }),
  };
  let text = `${translated("Step {n} of {total}.", { n: view.step + 1, total: steps.length })} ${texts[kind]()}`;
  const dead = view.numbers.underflow;
  if (!view.log && dead !== null && (t >= dead || !["compare", "keep", "initialise"].includes(kind))) {
    text += ` ${translated("Underflow: from “{word}” on every product is 0 in {precision}; the path is lost.", { word: words[dead], precision: view.data.precision })}`;
  }
  if (view.turn !== null) text = turnText(view);
  view.status.textContent = text;
}

export function tieNote(view, t, j) {
  return view.numbers.ties[t][j] ? ` (${translated("a tie: the state listed first wins")})` : "";
}
