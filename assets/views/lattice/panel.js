/* The panel beside the lattice: every candidate of one cell, or the column that the student fills. */

import { element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { format, labelled, parse } from "./format.js";
import { keep, keepPlace } from "./kept.js";

export function drawPanel(view, t, j) {
  const { words, states, notes } = view.data;
  const title = element("h2", "", translated("{state} at “{word}”", { state: states[j], word: words[t] }));
  const note = element("p", "note", notes[t]);
  if (view.open(t)) return view.panel.replaceChildren(...turnPanel(view));
  if (!view.known(t, j)) {
    view.panel.replaceChildren(title, note, element("p", "", translated("Not computed yet: step on to fill this cell.")));
    return undefined;
  }
  const first = t === 0 && view.data.first === 0;
  const given = t === 0 && view.data.first > 0;
  const body = given
    ? [element("p", "", translated("{value}, from the words before this window.", { value: format(view.score(t, j), view.log) }))]
    : first
      ? [firstTable(view, j)]
      : [candidateTable(view, t, j), element("p", "rule", rule(view, t, j))];
  if (t === words.length - 1 && view.numbers.final) body.push(endLine(view, j));
  view.panel.replaceChildren(title, note, ...body);
  return undefined;
}

export function tableRow(view, texts, header = false, className = "") {
  const row = element("tr", className);
  texts.forEach((text) => row.append(element(header ? "th" : "td", "", text)));
  return row;
}

export function firstTable(view, j) {
  const sign = view.log ? "+" : "×";
  const { initial, emission } = view.numbers;
  const table = element("table", "candidates");
  table.append(
    tableRow(view, [translated("initial"), `${sign} ${translated("emission")}`, "="], true),
    tableRow(view, 
      [format(initial[j], view.log), format(emission[0][j], view.log), format(view.score(0, j), view.log)],
      false,
      "winner",
    ),
  );
  return table;
}

export function candidateTable(view, t, j, hidden = false) {
  const sign = view.log ? "+" : "×";
  const { transition, emission, candidates, scores, backpointers } = view.numbers;
  const table = element("table", "candidates");
  table.append(tableRow(view, [translated("from"), translated("score"), `${sign} ${translated("transition")}`, `${sign} ${translated("emission")}`, "="], true));
  view.data.states.forEach((state, i) => {
    const wins = !hidden && view.filled(t, j) && backpointers[t][j] === i;
    const numbers = [scores[t - 1][i], transition[i][j], emission[t][j]].map((v) => format(v, view.log));
    const product = hidden ? "" : format(candidates[t][i][j], view.log) + (wins ? " ✓" : "");
    const row = tableRow(view, [state, ...numbers, product], false, wins ? "winner" : "");
    table.append(row);
  });
  return table;
}

export function rule(view, t, j) {
  if (!view.filled(t, j)) return translated("The largest will be kept.");
  const winner = view.data.states[view.numbers.backpointers[t][j]];
  return view.numbers.ties[t][j]
    ? translated("A tie: several are equal, and the state listed first, {winner}, wins.", { winner })
    : translated("{winner} wins, the largest. Had there been a tie, the state listed first would win.", { winner });
}

export function endLine(view, j) {
  const { end, final } = view.numbers;
  const sign = view.log ? "+" : "×";
  const score = format(view.score(view.data.words.length - 1, j), view.log);
  return element(
    "p",
    "rule",
    end
      ? translated("At the end: {score} {sign} {end} for ending here = {final}.", { score, sign, end: format(end[j], view.log), final: format(final[j], view.log) })
      : translated("This model has no end probabilities: the largest score in the last column wins."),
  );
}

export function yourTurn(view) {
  if (view.turn !== null) {
    endTurn(view);
    view.draw();
    return;
  }
  view.rest();
  const empty = view.columnEnd.findIndex((end) => end > view.step);
  const chosen = view.chosen ? view.chosen[0] : empty;
  const t = Math.max(chosen < 0 ? 1 : chosen, view.data.first > 0 ? 1 : 0);
  if (t > 0) view.step = Math.max(view.step, view.columnEnd[t - 1]);
  view.turn = { t: Math.min(t, view.data.words.length - 1), hint: null, done: false, right: null };
  view.fit = false;
  view.fitBox.firstChild.checked = false;
  keep(view, "whole", null);
  keepPlace(view);
  view.turnButton.textContent = translated("Stop");
  view.layOut();
  view.data.states.forEach((state, j) => {
    const input = element("input");
    input.inputMode = "text";
    input.autocomplete = "off";
    input.setAttribute("aria-label", translated("Score of {state} at {word}", { state, word: view.data.words[view.turn.t] }));
    input.onfocus = () => {
      view.turn.hint = view.turn.hint === null ? null : j;
      drawPanel(view, view.turn.t, j);
    };
    input.onkeydown = (event) => {
      if (event.key === "Enter") check(view);
      event.stopPropagation();
    };
    input.onclick = (event) => event.stopPropagation();
    view.cells[view.turn.t][j].replaceChildren(input);
  });
  inputs(view)[0].focus();
  view.draw();
  view.follow();
}

export function inputs(view) {
  return view.turn === null ? [] : view.cells[view.turn.t].map((cell) => cell.querySelector("input"));
}

export function endTurn(view) {
  if (view.turn === null) return;
  view.turn = null;
  view.turnButton.textContent = translated("Your turn");
}

export function turnText(view) {
  const { t, right } = view.turn;
  const what = view.log ? translated("logarithms, two decimals") : translated("probabilities, three figures");
  const text = translated("Your turn: fill the column of “{word}” with the best score of each state ({what}).", { word: view.data.words[t], what });
  return right === null ? text : `${translated("{n} of {total} right.", { n: right, total: view.data.states.length })} ${text}`;
}

export function turnPanel(view) {
  const { t, hint } = view.turn;
  const { states } = view.data;
  const acts = element("div", "acts");
  acts.append(
    labelled(translated("Check"), translated("Check the numbers (Enter)"), () => check(view)),
    labelled(translated("Hint"), translated("Show what is multiplied"), () => giveHint(view)),
    labelled(translated("Reveal"), translated("Show the answer"), () => reveal(view)),
  );
  const parts = [element("h2", "", translated("Fill the column of “{word}”", { word: view.data.words[t] })), acts];
  if (hint !== null) {
    parts.push(element("p", "note", t === 0 ? `${states[hint]}:` : translated("{state}: which is the largest?", { state: states[hint] })));
    parts.push(t === 0 ? firstHint(view, hint) : candidateTable(view, t, hint, true));
  }
  return parts;
}

export function firstHint(view, j) {
  const { initial, emission } = view.numbers;
  const sign = view.log ? "+" : "×";
  return element("p", "rule", `${format(initial[j], view.log)} ${sign} ${format(emission[0][j], view.log)}`);
}

export function isRight(view, j, text) {
  const guess = parse(text);
  const truth = view.score(view.turn.t, j) ?? -Infinity;
  if (guess === null) return false;
  if (!Number.isFinite(truth) || !Number.isFinite(guess)) return guess === truth;
  const slack = view.log ? view.data.slack : 0;
  return Math.abs(guess - truth) <= slack + view.data.tolerance * Math.abs(truth);
}

export function check(view) {
  const fields = inputs(view);
  const marks = fields.map((input, j) => isRight(view, j, input.value));
  fields.forEach((input, j) => {
    input.classList.toggle("right", marks[j]);
    input.classList.toggle("wrong", !marks[j]);
    input.setAttribute("aria-invalid", String(!marks[j]));
  });
  view.turn.right = marks.filter(Boolean).length;
  if (marks.every(Boolean)) reveal(view);
  else view.status.textContent = turnText(view);
}

export function giveHint(view) {
  const wrong = inputs(view).findIndex((input, j) => !isRight(view, j, input.value));
  view.turn.hint = Math.max(0, wrong);
  inputs(view)[view.turn.hint].focus();
  drawPanel(view, view.turn.t, view.turn.hint);
}

/** Fill the column and step to where it is complete. */
export function reveal(view) {
  const { t, right } = view.turn;
  const all = right === view.data.states.length;
  endTurn(view);
  view.step = Math.max(view.step, view.columnEnd[t]);
  keepPlace(view);
  view.draw();
  if (all) view.status.textContent = `${translated("All {n} right.", { n: right })} ${view.status.textContent}`;
  view.root.focus();
}
