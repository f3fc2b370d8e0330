/* One step of a beam search that was sent whole, as core/figures/generation/beam_steps.py's beam_payload has it. */

import { translated } from "../shared/labels.js";

const TAIL = 24; // letters of a text so far in the list of candidates

/**
 * @param {any} beam { steps: [{ level: [[parent's row, token, chance, ln p, score, last step in the running, whole text]],
 *   best: [depth, row], candidates, kept }], rows: how many of a level are drawn, prompt: what is in the first box,
 *   head: what is above the candidates }; a search without a length penalty has empty scores
 * @param {number} step from 1
 * @returns {any} the tree as the view draws it
 */
export function treeAt({ steps, rows, prompt = translated("prompt"), head }, step) {
  /** @type {any[]} */
  const nodes = [{ parent: -1, x: 0, y: 0, token: prompt, p: null, chance: "", about: `ln p 0.00, ${translated("score {score}", { score: "0.000" })}, ${translated("kept")}`, kind: "prompt", end: null }];
  const numbers = [[0]]; // depth -> row -> place among the nodes
  steps.slice(0, step).forEach(({ level }, before) => {
    numbers.push(
      level.slice(0, rows).map(([parent, token, chance, total, score, until], y) => {
        const about = `ln p ${total}, ${score ? `${translated("score {score}", { score })}, ` : ""}${translated(until ? "kept" : "pruned")}`;
        const kind = until ? (until >= step ? "beam" : "dropped") : "pruned";
        return nodes.push({ parent: numbers[before][parent], x: before + 1, y, token, p: Number(chance), chance, about, kind, end: null }) - 1;
      }),
    );
  });
  const last = steps[step - 1];
  const path = [];
  for (let i = numbers[last.best[0]][last.best[1]]; i >= 0; i = nodes[i].parent) path.unshift(i);
  return { nodes, path, opened: path.at(-1), follow: numbers[step][0], choices: candidates(last, head), gap: 30 };
}

function candidates({ level, candidates: all, kept }, head = translated("the text so far, its ln p and its score")) {
  const more = all - level.length;
  return {
    title: `${translated(all === 1 ? "{n} candidate" : "{n} candidates", { n: all })}, ${translated(kept === 1 ? "1 kept" : "{n} kept", { n: kept })}`,
    head,
    rows: level.map(([, , , total, score, until, text]) => ({ id: null, token: [...text].slice(-TAIL).join(""), numbers: score ? [total, score] : [total], p: 0, taken: false, kept: until > 0 })),
    rest: more ? translated(more === 1 ? "1 more, pruned" : "{n} more, pruned", { n: more }) : "",
  };
}
