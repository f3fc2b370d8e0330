/* How the chosen cell came about: each stage's formula with its numbers filled in; and how cells write numbers. */

import { element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { written } from "../shared/numbers.js";
import { total } from "./compute.js";

const MOST_TERMS = 4; // of a sum, written out

/* A masked cell is hatched from the mask on; where the mask is wrong, what leaks is marked instead. */
export const masked = (state, stage, t, s) =>
  state.data.hidden[t][s] &&
  (stage.name === "cut" || (!state.data.way && !["scores", "scaled"].includes(stage.name)));
export const leaks = (state, stage, t, s) =>
  state.data.hidden[t][s] && Boolean(state.data.way) && !["scores", "scaled", "cut"].includes(stage.name);

/* Two decimals, but whole numbers as they are: 0.00 is not quite nought. Exponentials may be far smaller, or larger. */
export function short(value, share = false) {
  if (value === -Infinity) return "−∞";
  const tiny = value !== 0 && Math.abs(value) < 0.005 && !share;
  if (Math.abs(value) >= 1e4 || tiny) return value.toExponential(0).replace("e+", "e").replaceAll("-", "−");
  const whole = value === 0 || (Math.abs(value) > 0.5 && Math.abs(value - Math.round(value)) < 1e-9); // a row's sum is 1
  return written(value, whole || Math.abs(value) >= 100 ? 0 : 2);
}

function exact(value, digits = 4) {
  if (value === -Infinity) return "−∞";
  const plain = Math.abs(value) >= 1e-4 && Math.abs(value) < 1e6;
  const text = value === 0 || plain ? Number(value.toPrecision(digits)).toString() : value.toExponential(digits - 1);
  return text.replaceAll("-", "−");
}

const power = (exponent) => element("span", "power", "e", element("sup", "", exponent));

function fraction(top, bottom) {
  return element("span", "fraction", element("span", "top", ...top), element("span", "bottom", ...bottom));
}

function scoreLine(state, t, s) {
  const value = exact(state.found.scores[t][s]);
  if (state.edits.has(`${t},${s}`)) return [`${translated("score, typed")} = ${value}`];
  return [`${translated("score")} = ${state.data.learned ? "q · k = " : ""}${value}`];
}

function maskLine(state, t, s) {
  const { scaled } = state.found;
  const { hidden, way } = state.data;
  if (!hidden[t][s]) return [`${exact(scaled[t][s])} + 0 = ${exact(scaled[t][s])}`];
  if (way === "zero") return [translated("masked with 0 instead of −∞, in place of {value}", { value: exact(scaled[t][s]) })];
  return [`${exact(scaled[t][s])} + (−∞) = −∞: ${translated("masked")}`];
}

/* An exponent as it is taken, less the row's shift where there is one. */
function exponent(state, t, s, digits = 4) {
  const { masked, shift } = state.found;
  const x = exact(masked[t][s], digits);
  return shift[t] ? `${x} − ${exact(shift[t], digits)}` : x;
}

function sumTerms(state, t, term) {
  const seen = state.found.exponentials[t].map((_, s) => s).filter((s) => state.found.masked[t][s] > -Infinity);
  const shown = seen.length > MOST_TERMS ? seen.slice(0, MOST_TERMS - 1) : seen;
  const terms = shown.flatMap((s, i) => [i ? " + " : "", term(s)]);
  return seen.length > MOST_TERMS ? [...terms, ` + … (${translated("{n} terms", { n: seen.length })})`] : terms;
}

function softmaxLine(state, t, s) {
  const { exponentials, sums, softmax } = state.found;
  const bottom = sumTerms(state, t, (each) => power(exponent(state, t, each, 3)));
  const value = exact(softmax[t][s]);
  return [fraction([power(exponent(state, t, s, 3))], bottom), " = ",
    fraction([exact(exponentials[t][s])], [exact(sums[t])]), ` = ${value}`];
}

const LINES = {
  scores: scoreLine,
  scaled: (state, t, s) => [`${exact(state.found.scores[t][s])} / √${state.data.d_k} = ${exact(state.found.scaled[t][s])}`],
  masked: maskLine,
  exponentials: (state, t, s) => [power(exponent(state, t, s)), ` = ${exact(state.found.exponentials[t][s])}`],
  sums: (state, t) => ["Σ = ", ...sumTerms(state, t, (s) => exact(state.found.exponentials[t][s])), ` = ${exact(state.found.sums[t])}`],
  softmax: softmaxLine,
  cut: (state, t, s) => [state.data.hidden[t][s] ? translated("masked: cut to 0, but Σ included it") : translated("kept: {weight}", { weight: exact(state.found.weights[t][s]) }),
    translated("; the row now sums to {sum}", { sum: exact(total(state.found.weights[t])) })],
};

export function formula(state) {
  const { t, s } = state.chosen;
  const { tokens } = state.data;
  const name = (i) => `“${tokens[i]}” (${i + 1})`;
  const lines = [];
  for (const stage of state.order.slice(0, state.stage + 1)) {
    const line = element("div", `line of-${stage.name}`, element("span", "step", stage.title));
    line.append(element("span", "worked", ...LINES[stage.name](state, t, s)));
    lines.push(line);
  }
  const now = lines.pop();
  if (state.found.shift[t]) {
    lines.push(element("div", "line", translated("The row's greatest number is taken off every exponent first; the weights stay the same.")));
  }
  now.firstChild.replaceWith(element("span", "of", `${name(t)} → ${name(s)}:`));
  state.now.replaceChildren(now);
  state.formula.replaceChildren(...lines);
}
