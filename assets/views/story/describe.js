/* "Describe": the text twin of a beat's picture (core/descriptions), opened over it, and what is said of a move. */

import { button, element } from "../shared/element.js";
import { sourceOf } from "../shared/source.js";
import { textTwin } from "../shared/text_twin.js";
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
    panel.replaceChildren(textTwin(told, labels["describe.table"]), close);
    if (held) panel.querySelector("[tabindex='0']")?.focus();
  } catch (error) {
    const lost = element("p", "", labels[/** @type {any} */ (error).needsCourse ? "needs_course" : "lost"]);
    lost.setAttribute("role", "alert");
    panel.replaceChildren(lost, close);
  }
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
