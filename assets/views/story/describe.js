/* "Describe": the text twin of a beat's picture (core/descriptions), as a grid that the arrow keys walk: first the overview, then
   the rows, each read whole at its name, then single cells, each read with its row and column. */

import { button, element } from "../shared/element.js";
import { sourceOf } from "../shared/source.js";
import { newTexts, tellChange } from "./changed.js";
import { keyOf } from "./places.js";
import { spokenText } from "./spoken.js";

export function closeDescription(state) {
  const open = state.root.querySelector(".description");
  if (!open) return false;
  const held = open.contains(open.getRootNode().activeElement);
  open.remove();
  const opener = state.root.querySelector(".describe");
  opener?.setAttribute("aria-expanded", "false");
  if (held) opener?.focus();
  return true;
}

/** Open the description over the picture, or close it. From then on changes are told in numbers too. */
export async function toggleDescription(state) {
  if (closeDescription(state) || !sourceOf().description || !state.document?.picture) return;
  const panel = element("section", "description");
  panel.setAttribute("aria-label", state.data.labels.describe);
  state.screen.append(panel);
  state.root.querySelector(".describe")?.setAttribute("aria-expanded", "true");
  state.describes = true;
  await drawDescription(state);
  panel.querySelector("[tabindex='0']")?.focus();
}

/** The description of what is shown; asked for once for each document. */
async function describedNow(state) {
  const { document: shown, data, place } = state;
  if (state.described?.of === shown) return state.described.told;
  const told = await sourceOf(data.base).description?.(data.lesson, place, shown.changes, shown);
  if (state.document === shown) state.described = { of: shown, key: keyOf(place), told };
  return told;
}

async function drawDescription(state) {
  const panel = state.root.querySelector(".description");
  if (!panel) return;
  const { labels } = state.data;
  const shown = state.document;
  const close = button("close", labels.close, () => closeDescription(state));
  try {
    const told = await describedNow(state);
    if (state.document !== shown) return; // it went on meanwhile
    const held = panel.contains(panel.getRootNode().activeElement);
    panel.replaceChildren(buildGrid(told, labels), close);
    if (held) panel.querySelector("[tabindex='0']")?.focus();
  } catch (error) {
    const lost = element("p", "", labels[/** @type {any} */ (error).needsCourse ? "needs_course" : "lost"]);
    lost.setAttribute("role", "alert");
    panel.replaceChildren(lost, close);
  }
}

function buildGrid({ alt, sentence, axes, place, settings, columns, rows }, labels) {
  const table = element("table", "twin");
  table.setAttribute("role", "grid");
  table.setAttribute("aria-label", labels["describe.table"]);
  const set = settings.map(([, , said]) => said);
  const overview = cell("td", "gridcell", "overview");
  for (const text of [alt, sentence, axes, [place, ...set].join(" ")]) if (text) overview.append(element("p", "", text));
  overview.colSpan = Math.max(1, columns.length);
  const heads = columns.map((text, j) => Object.assign(cell("th", "columnheader", "", text), { id: `twin-column-${j}`, scope: "col" }));
  const lines = rows.map((row, i) => row.map((text, j) => {
    const made = j ? cell("td", "gridcell", "", text) : cell("th", "rowheader", "", text);
    made.id = `twin-${i}-${j}`;
    if (j) made.setAttribute("aria-labelledby", `twin-${i}-0 twin-column-${j} ${made.id}`);
    else made.setAttribute("aria-label", rowInWords(columns, row));
    return made;
  }));
  const grid = [[overview], heads, ...lines].filter((line) => line.length);
  for (const line of grid) {
    const drawn = element("tr", "", ...line);
    drawn.setAttribute("role", "row");
    table.append(drawn);
  }
  walkable(table, grid);
  return table;
}

/** A row as it is read at its name: the name, then each column with its cell. */
function rowInWords(columns, row) {
  const told = row.slice(1).map((text, j) => text && `${columns[j + 1]} ${text}`).filter(Boolean);
  return [row[0], ...told].join(", ");
}

function cell(tag, role, className, text = "") {
  const made = element(tag, className, text);
  made.setAttribute("role", role);
  made.tabIndex = -1;
  return made;
}

/** One cell at a time can have the focus; arrows, Home and End move it, with Ctrl to the first and the last cell. */
function walkable(table, grid) {
  let [at, of] = [0, 0];
  const move = (i, j) => {
    grid[at][of].tabIndex = -1;
    at = Math.max(0, Math.min(grid.length - 1, i));
    of = Math.max(0, Math.min(grid[at].length - 1, j));
    grid[at][of].tabIndex = 0;
  };
  const go = (i, j) => {
    move(i, j);
    grid[at][of].focus();
  };
  const last = () => grid[at].length - 1;
  move(0, 0);
  table.onkeydown = (event) => {
    if (event.altKey || event.metaKey) return;
    const far = event.ctrlKey;
    const moves = {
      ArrowUp: () => go(at - 1, of), ArrowDown: () => go(at + 1, of), ArrowLeft: () => go(at, of - 1), ArrowRight: () => go(at, of + 1),
      Home: () => (far ? go(0, 0) : go(at, 0)), End: () => (far ? go(grid.length - 1, grid[grid.length - 1].length - 1) : go(at, last())),
    };
    if (!(event.key in moves) || (far && event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    event.stopPropagation();
    moves[event.key]();
  };
  table.onfocusin = ({ target }) => grid.forEach((line, i) => line.forEach((each, j) => each === target && move(i, j)));
}

/** The texts of a beat's words, a paragraph each. */
export const wordsOf = (words) => [...words.querySelectorAll("h2, .said p, .said li, .said .math.block, .done p")].map(spokenText);

/** The texts as one, each ended as a sentence, so that a voice pauses between them. */
const asSpeech = (texts) => texts.map((text) => (/[.!?:…]$/.test(text.trim()) ? text : `${text}.`)).join(" ");

const sentencesOf = (texts) => texts.flatMap((text) => text.split(/(?<=[.!?…])\s+(?=[\p{Lu}¿¡“])/u));

/** What is said of a beat that one arrives at: whether the guess was right first, and the question only while it is open. */
function arrivalOf({ words }) {
  const found = (which) => [...words.querySelectorAll(which)].map(spokenText);
  const question = words.querySelector(".choice.right") ? [] : found(".asked");
  return asSpeech([...found(".verdict"), ...found(".kind"), ...wordsOf(words), ...question]);
}

/** Say what a move changed: the words that are new and, where a description was asked for, what it changed in the picture. */
export async function tellMove(state, before, arrived) {
  const was = state.described;
  const fresh = newTexts(sentencesOf(before), sentencesOf(wordsOf(state.words)));
  if (arrived || !state.describes || !state.document.picture) {
    if (!arrived) return state.voice.say(fresh.join(" "));
    state.voice.say(arrivalOf(state), true);
    if (state.root.querySelector(".description")) await drawDescription(state);
    else if (state.describes && state.document.picture) await describedNow(state).catch(() => undefined); // to compare with
    return;
  }
  try {
    const told = await describedNow(state);
    await drawDescription(state);
    const known = was?.key === keyOf(state.place) ? tellChange(was.told, told, state.data.labels) : "";
    state.voice.say([known, ...fresh].filter(Boolean).join(" "));
  } catch {
    state.voice.say(fresh.join(" ")); // the picture has no description that could be had
  }
}
