/* What a move changed, in words: between two descriptions of the same beat (core/descriptions), and between two texts. */

import { filled } from "../shared/labels.js";

const LARGEST_AT_MOST = 3; // measures whose largest number is told

/**
 * The settings that moved, the largest numbers that changed, and how many cells of the table did.
 * @param {any} before a description @param {any} after the next one @param {Record<string, string>} labels
 * @returns {string} sentences; that nothing changed is one too
 */
export function tellChange(before, after, labels) {
  const said = [];
  const were = new Map(before.settings.map(([name, value]) => [name, value]));
  for (const [name, value] of after.settings) {
    if (were.has(name) && were.get(name) !== value) said.push(filled(labels["changed.setting"], { name, before: were.get(name), after: value }));
  }
  const most = new Map(before.largest.map((each) => [each.measure, each]));
  const moved = after.largest.filter(({ measure, text, row }) => most.has(measure) && (most.get(measure).text !== text || most.get(measure).row !== row));
  for (const { measure, text, row } of moved.slice(0, LARGEST_AT_MOST)) {
    const { text: was, row: there } = most.get(measure);
    said.push(filled(labels["changed.largest"], { measure, before: was, before_row: there, after: text, row }));
  }
  const cells = (rows) => rows.flat();
  const [old, now] = [cells(before.rows), cells(after.rows)];
  if (before.rows.length !== after.rows.length || before.columns.length !== after.columns.length) {
    said.push(filled(labels["changed.table"], { rows: after.rows.length, columns: after.columns.length }));
  } else {
    const count = now.filter((text, i) => text !== old[i]).length;
    if (count) said.push(filled(labels["changed.cells"], { count, total: now.length }));
  }
  if (!said.length) said.push(...newTexts([before.alt, before.sentence], [after.alt, after.sentence])); // what is selected, say
  return said.length ? said.join(" ") : labels["changed.nothing"];
}

/**
 * The texts that are new.
 * @param {string[]} before @param {string[]} after
 */
export function newTexts(before, after) {
  const known = new Set(before);
  return after.filter((text) => text && !known.has(text));
}
