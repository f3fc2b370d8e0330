/* What the view computes itself, in the order of core/models/self_attention/attention.py. */

import { translated } from "../shared/labels.js";

const SAFE = 60; // as in core/models/self_attention/attention.py: beyond it a row is shifted by its greatest score

/* core.models.self_attention.attention: attend, attend_masked_with_zero ("zero"), attend_masked_after_softmax ("late"). */
export function attend(scores, { d_k, hidden, way }) {
  const scaled = scores.map((row) => row.map((score) => score / Math.sqrt(d_k)));
  const behind = { zero: () => 0, late: (x) => x }[way] ?? (() => -Infinity); // what stands in a hidden cell
  const masked = scaled.map((row, t) => row.map((x, s) => (hidden[t][s] ? behind(x) : x)));
  const shift = masked.map((row) => {
    const greatest = Math.max(...row);
    return Math.abs(greatest) > SAFE && greatest > -Infinity ? greatest : 0;
  });
  const exponentials = masked.map((row, t) => row.map((x) => Math.exp(x - shift[t])));
  const sums = exponentials.map((row) => row.reduce((total, x) => total + x, 0));
  const softmax = exponentials.map((row, t) => row.map((x) => (sums[t] > 0 ? x / sums[t] : 0)));
  const weights = softmax.map((row, t) => row.map((w, s) => (way === "late" && hidden[t][s] ? 0 : w)));
  return { scores, scaled, masked, shift, exponentials, sums, softmax, weights };
}

export const total = (row) => row.reduce((sum, x) => sum + x, 0);

/* The stages in the order in which they are computed; `values` names the matrix, `sum` whether its rows are summed. */
export function stagesOf({ way, d_k }) {
  const scores = { name: "scores", title: translated("scores  q · k"), values: "scores" };
  const scaled = { name: "scaled", title: `÷ √dₖ = √${d_k}`, values: "scaled" };
  const masked = { name: "masked", title: way === "zero" ? translated("0 where hidden") : translated("+ mask"), values: "masked" };
  const exponentials = { name: "exponentials", title: "eˣ", values: "exponentials" };
  const sums = { name: "sums", title: translated("row sums Σ"), values: "exponentials", sum: true };
  const softmax = { name: "softmax", title: "softmax  eˣ / Σ", values: "softmax", sum: true };
  const cut = { name: "cut", title: translated("cut after the softmax"), values: "weights", sum: true };
  return way === "late"
    ? [scores, scaled, exponentials, sums, softmax, cut]
    : [scores, scaled, masked, exponentials, sums, softmax];
}
