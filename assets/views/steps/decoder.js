/* One step of a decoder: scores and weights of the inputs, the likeliest outputs, and the weighted states that add up. */

import { element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { decodedShares, written } from "../shared/numbers.js";
import { bars } from "./bars.js";
import { summed, weighted } from "./compute.js";
import { matrices } from "./matrices.js";

const LONGEST = 14; // letters of a name beside a row
const brief = (name) => (name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name);

/**
 * @param {any} picture { scores: [S], weights: [S], chosen, outputs: of bars.js, last: base64 of h and h̃ }
 * @param {number} width pixels that there are
 * @param {(words: string) => void} tell says what the pointer is on
 * @param {any} shared { inputs: [S], states: base64 (S x H) }
 * @returns {any}
 */
export function decoder({ scores, weights, chosen, outputs, last }, width, tell, { inputs, states }) {
  const columns = [
    { title: translated("score e"), values: scores, texts: scores.map((score) => written(score, 2)) },
    { title: translated("weight a = softmax(e)"), values: weights, texts: weights.map((weight) => written(weight)) },
  ];
  const beside = element("div", "beside", bars({ rows: inputs, marked: chosen, columns }), bars(outputs));
  const parts = weighted(weights, decodedShares(states)); // (S, H)
  const H = parts.length / inputs.length;
  const panel = {
    title: translated("Each input's state times its weight; added up, column by column, they are the context c"),
    values: new Float32Array([...parts, ...summed(parts, H), ...decodedShares(last)]),
    width: H,
    signed: true,
    reach: 1,
    digits: 3,
    rule: inputs.length,
  };
  const rows = inputs.map((name, s) => `${weights[s].toFixed(2)} × ${brief(name)}`);
  rows.push(translated("context c"), translated("state h"), translated("attentional h̃"));
  return element("div", "decoder", beside, matrices({ rows, columns: null, panels: [panel], write: false }, width, tell));
}
