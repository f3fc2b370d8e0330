/* The views' compute.js against the numbers that core computed for tests/views/test_compute.py. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { attend } from "../../assets/views/causal_mask/compute.js";
import { distribution, landed } from "../../assets/views/sampling/compute.js";
import { lines, parsed } from "../../assets/views/shared/latex.js";
import { target } from "../../assets/views/shared/play_bar.js";
import { decodedShares, percent, plural, written } from "../../assets/views/shared/numbers.js";
import { lookUp } from "../../assets/views/soft_lookup/compute.js";
import { summed, weighted } from "../../assets/views/steps/compute.js";
import { withWeight } from "../../assets/views/weight_row/compute.js";

const core = JSON.parse(readFileSync(process.env.NUMBERS, "utf-8"));

function near(mine, theirs) {
  assert.equal(mine.length, theirs.length);
  mine.forEach((value, i) => {
    if (theirs[i] === null) assert.ok(!Number.isFinite(value));
    else assert.ok(Math.abs(value - theirs[i]) <= 1e-10 * Math.max(1, Math.abs(theirs[i])), `${value} is not ${theirs[i]}`);
  });
}

test("temperature, top-k and top-p give core's probabilities, and u falls on core's token", () => {
  for (const { logits, order, settings, probabilities, drawn } of core.samplings) {
    const found = distribution(logits.map((z) => z ?? -Infinity), order, settings);
    near(found.probabilities, probabilities);
    for (const [u, token] of drawn) assert.equal(order[landed(order, found, u)], token);
  }
});

test("the softmax behind a mask, whole and spoiled, gives core's weights and row sums", () => {
  for (const { scores, weights, sums, ...data } of core.softmaxes) {
    const found = attend(scores, data);
    near(found.weights.flat(), weights);
    near(found.sums, sums);
  }
});

test("a soft look-up gives core's weights and mean", () => {
  for (const { points, query, weights, result } of core.lookups) {
    const found = lookUp(points, query);
    near(found.weights, weights);
    near([found.result], [result]);
  }
});

test("a row makes room for a weight as core makes it", () => {
  for (const { row, key, weight, made } of core.rows) near(withWeight(row, key, weight), made);
});

test("a decoder's weighted states add up to core's context", () => {
  for (const { weights, states, context } of core.contexts) {
    const found = summed(weighted(weights, decodedShares(states)), context.length);
    context.forEach((value, i) => assert.ok(Math.abs(found[i] - value) < 5e-5, `${found[i]} is not ${value}`));
  }
});

test("numbers have a true minus sign, and one thing is no plural", () => {
  assert.equal(written(-1.5, 2), "−1.50");
  assert.equal(plural(1, "type"), "1 type");
  assert.equal(plural(1200, "type"), "1,200 types");
  assert.equal(percent(0.0004), "< 0.1 %");
});

test("steps stop at both ends", () => {
  assert.equal(target("back", 0, 5), 0);
  assert.equal(target("next", 5, 5), 5);
  assert.equal(target("last", 2, 5), 5);
});

test("core's LaTeX is read: fractions, indices, words, lines that are aligned, matrices", () => {
  assert.deepEqual(parsed("\\frac{1}{T} = -0.5"), [
    "mrow", ["mfrac", ["mn", "1"], ["mi", "T"]], ["mo", "="], ["mo", "−"], ["mn", "0.5"],
  ]);
  assert.deepEqual(parsed("h_t^2"), ["msubsup", ["mi", "h"], ["mi", "t"], ["mn", "2"]]);
  assert.deepEqual(parsed("\\text{a\\_b c}"), ["mtext", "a_b\u00a0c"]);
  assert.deepEqual(parsed("\\begin{aligned}&x\\\\[4pt]&y\\end{aligned}"), [
    "aligned",
    ["mtable", ["mtr", ["mtd", ["mrow"]], ["mtd", ["mi", "x"]]], ["mtr", ["mtd", ["mrow"]], ["mtd", ["mi", "y"]]]],
  ]);
  assert.deepEqual(parsed("\\begin{pmatrix}1\\\\2\\end{pmatrix}"), [
    "pmatrix", ["mtable", ["mtr", ["mtd", ["mn", "1"]]], ["mtr", ["mtd", ["mn", "2"]]]],
  ]);
  assert.deepEqual(lines(parsed("a = b + c")).map((line) => line.length), [3]);
  assert.equal(lines(parsed("\\begin{aligned}&x = 1\\\\&y\\end{aligned}")).length, 2);
  assert.equal(lines(parsed("\\begin{aligned}x &= 1\\\\ &= y\\end{aligned}")).length, 1);
  assert.deepEqual(parsed("\\unknown"), ["mtext", "\\unknown"]);
});
