/* The views' compute.js against the numbers that core computed for tests/views/test_compute.py. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import * as map from "../../assets/views/map/compute.js";
import { treeAt } from "../../assets/views/generation_tree/beam.js";
import { attend } from "../../assets/views/causal_mask/compute.js";
import { short } from "../../assets/views/causal_mask/formula.js";
import { panelAt } from "../../assets/views/captions/compute.js";
import { distribution, landed } from "../../assets/views/sampling/compute.js";
import { lines, parsed } from "../../assets/views/shared/latex.js";
import * as mix from "../../assets/views/layer_mix/compute.js";
import { target } from "../../assets/views/shared/play_bar.js";
import { brief } from "../../assets/views/sampling/bars.js";
import { decodedShares, percent, plainNumber, probability, written } from "../../assets/views/shared/numbers.js";
import { lookUp } from "../../assets/views/soft_lookup/compute.js";
import { short as inMatrix } from "../../assets/views/steps/matrices.js";
import { bandsOf, clearOf, roundPlaces, summed, weighted } from "../../assets/views/steps/compute.js";
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

test("a number beside a bar stands clear of the line of u", () => {
  assert.equal(clearOf(100, 40, 120), 128);
  assert.equal(clearOf(100, 40, 180), 100);
  assert.equal(clearOf(130, 40, 120), 130);
  assert.equal(clearOf(100, 40, NaN), 100);
});

test("a small probability is written as core writes it", () => {
  for (const [value, digits, text] of core.small) assert.equal(plainNumber(value, digits), text);
  for (const [p, text] of core.probabilities) assert.equal(probability(p), text);
});

test("numbers above the bars have two digits each, a nought at the end too", () => {
  assert.deepEqual([0.163, 0.0704, 0.02, 0.00004, 1, 0].map(brief), ["0.16", "0.070", "0.020", "4·10⁻⁵", "1", "0"]);
});

test("numbers have a true minus sign, and a share that is not quite 0 says so", () => {
  assert.equal(written(-1.5, 2), "−1.50");
  assert.equal(percent(0.0004), "< 0.1 %");
});

test("the numbers in cells have two decimals each, whole ones none, and nought has no sign", () => {
  const cells = [0.9, -0.6, 0.79, -0.001, 0.001, 0, 1, -1];
  assert.deepEqual(cells.map(inMatrix), ["0.90", "−0.60", "0.79", "0.00", "0.00", "0", "1", "−1"]);
  const weights = [0.1, 0.04, 1e-12, 0, 1, 0.1 + 0.2 + 0.7 - 1e-16, 0.999];
  assert.deepEqual(weights.map((weight) => short(weight, true)), ["0.10", "0.04", "0.00", "0", "1", "1", "1.00"]);
  assert.deepEqual([5.4, -2, 213.2, 2e-5].map((score) => short(score)), ["5.40", "−2", "213", "2e−5"]);
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
  assert.deepEqual(parsed("a \\mid \\lambda"), ["mrow", ["mi", "a"], ["mo", "∣"], ["mo", "λ"]]);
  assert.deepEqual(parsed("\\unknown"), ["mtext", "\\unknown"]);
});

/* Random numbers that are the same in every run. */
function drawnFrom(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

/* Labels about dots in clusters, as words on a map lie. */
function randomLabels(random, count, width, height) {
  const middles = [...Array(5)].map(() => [random() * width, random() * height]);
  return [...Array(count)].map(() => {
    const [x, y] = middles[Math.floor(random() * 5)];
    const within = (at, reach, end) => Math.min(end, Math.max(0, at + (random() - 0.5) * reach));
    return { x: within(x, width / 3, width), y: within(y, height / 3, height), w: 10 + 90 * random(), h: 20, r: 5 };
  });
}

test("a map is turned as core turns it", () => {
  for (const { places, turn, turned } of core.maps) near([...map.turned(Float64Array.from(places), turn)], turned);
});

test("a fitted map lies within its picture, with one scale across and up", () => {
  for (const { turned } of core.maps) {
    const found = map.standing(turned, map.fitted(turned, 700, 400));
    found.forEach((at, i) => assert.ok(at > 20 && at < (i % 2 ? 380 : 680)));
    const apart = (points, i, j) => Math.hypot(points[2 * i] - points[2 * j], points[2 * i + 1] - points[2 * j + 1]);
    assert.ok(Math.abs(apart(found, 0, 1) / apart(turned, 0, 1) - apart(found, 0, 2) / apart(turned, 0, 2)) < 1e-6);
  }
});

test("no two labels overlap, none leaves the picture, each stands beside its dot, and the same come again", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = drawnFrom(seed);
    const [width, height] = [200 + 1000 * random(), 150 + 500 * random()];
    const labels = randomLabels(random, 2 + Math.floor(150 * random()), width, height);
    const boxes = map.placed(labels, width, height);
    assert.deepEqual(map.placed(labels, width, height), boxes);
    assert.ok(boxes.some(Boolean));
    boxes.forEach((box, i) => {
      if (!box) return;
      assert.ok(map.inside(box, width, height));
      const { x, y, r } = labels[i];
      const away = [Math.max(box.x - x, x - box.x - box.w, 0), Math.max(box.y - y, y - box.y - box.h, 0)];
      assert.ok(Math.hypot(...away) <= 2 * r && Math.hypot(...away) > 0);
      boxes.slice(0, i).forEach((other) => assert.ok(!other || !map.overlap(box, other)));
    });
  }
});

test("a label that may cover no dot covers none that stands there, before it in the list or after", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = drawnFrom(seed);
    const labels = randomLabels(random, 60, 700, 400).map((label) => ({ ...label, most: 0 }));
    const dots = new map.Taken();
    const marks = labels.map(({ x, y, r }) => ({ x: x - r, y: y - r, w: 2 * r, h: 2 * r }));
    marks.forEach((mark) => dots.add(mark));
    const boxes = map.placed(labels, 700, 400, new map.Taken(), dots);
    assert.ok(boxes.some(Boolean));
    boxes.forEach((box) => assert.ok(!box || !marks.some((mark) => map.overlap(box, mark))));
  }
});

test("what is added to a map moves no label of a more important word", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = drawnFrom(seed);
    const labels = randomLabels(random, 120, 700, 400);
    const some = 1 + Math.floor(100 * random());
    assert.deepEqual(map.placed(labels, 700, 400).slice(0, some), map.placed(labels.slice(0, some), 700, 400));
  }
});

test("more labels have room as one zooms in", () => {
  const labels = randomLabels(drawnFrom(7), 300, 700, 400);
  const count = (zoom) =>
    map.placed(labels.map((label) => ({ ...label, x: label.x * zoom, y: label.y * zoom })), 700 * zoom, 400 * zoom).filter(Boolean).length;
  assert.ok(count(1) < count(3) && count(3) < count(12));
});

test("boxes that move give way to more important ones", () => {
  const random = drawnFrom(3);
  const boxes = [...Array(200)].map(() => ({ x: 500 * random(), y: 300 * random(), w: 60, h: 20 }));
  const left = map.uncovered(boxes);
  assert.deepEqual(left[0], boxes[0]);
  boxes.forEach((box, i) => {
    const before = left.slice(0, i).filter((other) => other && map.overlap(box, other));
    assert.equal(left[i], before.length ? null : box);
  });
});

test("each step of a beam that was sent whole is the tree and the list that core makes of it", () => {
  for (const { beam, steps } of core.beams) {
    steps.forEach((theirs, i) => assert.deepEqual(treeAt(beam, i + 1), theirs));
  }
});

test("zooming leaves the place under the hand where it is, and moving follows the hand", () => {
  const seen = { zoom: 2, x: 0.5, y: 0.5 };
  const world = ({ zoom, x, y }, [px, py]) => [x * 800 + (px - 400) / zoom, y * 400 + (py - 200) / zoom];
  const hand = [300, 250];
  near(world(map.zoomed(seen, 1.7, hand, 800, 400), hand), world(seen, hand));
  near(world(map.moved(seen, 30, -20, 800, 400), [330, 230]), world(seen, hand));
  assert.equal(map.zoomed(seen, 0.01, hand, 800, 400).zoom, 1);
  assert.deepEqual(map.sound({ zoom: NaN, x: 7, y: -1 }), { zoom: 1, x: 1, y: 0 });
});

test("an arrow key leads to the point ahead", () => {
  const points = [0, 0, 10, 1, 4, 30, -5, 0, 12, 0];
  assert.equal(map.ahead(points, 5, 0, [1, 0]), 1);
  assert.equal(map.ahead(points, 5, 0, [-1, 0]), 3);
  assert.equal(map.ahead(points, 5, 0, [0, 1]), 1 + 1);
  assert.equal(map.ahead(points, 5, 0, [0, -1]), 0);
  assert.deepEqual(map.nearestTo(points, 5, [11, 0.4]), { point: 4, distance: Math.hypot(1, 0.4) });
});

test("a word is found as typed, in any case, or by its beginning", () => {
  const words = ["Paris", "paris", "queen"];
  assert.equal(map.meant(words, "paris"), 1);
  assert.equal(map.meant(words, "PARIS "), 0);
  assert.equal(map.meant(words, "que"), 2);
  assert.equal(map.meant(words, "kingg"), -1);
  assert.equal(map.meant(words, " "), -1);
});

test("a row of heights is cut where it crosses a level, and its runs join end to end", () => {
  const runs = bandsOf([0, 4, 1], [1, 2]);
  assert.deepEqual(runs.map(({ band }) => band), [0, 1, 2, 1]);
  near(runs.map(({ to }) => to), [0.25, 0.5, 1 + 2 / 3, 2]);
  near(runs.slice(1).map(({ from }) => from), runs.slice(0, -1).map(({ to }) => to));
  assert.deepEqual(bandsOf([3, 3], [1, 2]), [{ from: 0, to: 1, band: 2 }]);
});

test("an axis is labelled at round numbers between its ends", () => {
  assert.deepEqual(roundPlaces(-1.4, 3.1, 5), [-1, 0, 1, 2, 3]);
  assert.deepEqual(roundPlaces(-0.31, 0.1, 5), [-0.3, -0.2, -0.1, 0, 0.1]);
});

test("a word's panel is its row of the numbers, and the largest of them in size has the largest square", () => {
  const values = Float32Array.from([0.25, 0.5, 0.125, 0.125, -0.75, 0.5, 0, 0]);
  const panel = panelAt({ title: "attention", press: true }, values, 1, 4);
  assert.deepEqual(panel, { title: "attention", press: true, values: [-0.75, 0.5, 0, 0], most: 0.75 });
});

test("layers mixed by the learned weights give core's tags", () => {
  for (const { parts, s, u, gamma, b, likeliest } of core.mixes) {
    near(mix.softmax(u), s);
    parts.forEach((word, t) => {
      const { k, z, p } = mix.likeliest(word, s, gamma, b);
      near([k, z, p], likeliest[t]);
    });
  }
});
