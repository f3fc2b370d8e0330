/* The player of a story: one beat fills the window. It shows a beat's document (core/lesson/story.py) and fetches the next.

   data: { lesson, title, question, icon, labels, beats: [{ title, kind }], at: { number, revealed }, document, base,
   playlist: null or { name, title, at, beats: [{ title, link, lesson, number }] }, rooms, follows }. The address is where the
   player stands: beat=<lesson>.<number>, .answer behind it for what an ask reveals, and what the learner changed. */

import { course } from "../shared/course.js";
import { installKeys, drainKeys } from "../shared/keys.js";
import { mount, unmount } from "../shared/mount.js";
import { sourceOf } from "../shared/source.js";
import { noteVisit } from "../shared/visited.js";
import { buildFrame, drawDocument, drawTrail, drawWaiting } from "./frame.js";
import { announcer } from "./announce.js";
import { closeDescription, tellMove, toggleDescription, wordsOf } from "./describe.js";
import { closeJump, listed, toggleJump } from "./jump.js";
import { placePicture, removePicture } from "./picture.js";
import { closeRoom, closesVote, joinRoom, leaveRoom, showSent, speakerWindow, tellRoom, toggleRoom } from "./room.js";
import { takeAway } from "./take_away.js";
import { guessKeyOf, keyOf, linkOf, placeAfter, placeBefore, placeIn } from "./places.js";

function buildStory(root) {
  const state = { root, place: /** @type {any} */ (null), changes: {}, shown: "", queue: [], loading: false, documents: new Map(), picture: null, voice: announcer(), describes: false, described: null };
  const actions = {
    next: () => act(state, () => goOn(state, 1)),
    back: () => act(state, () => goOn(state, -1)),
    first: () => act(state, () => goToBeat(state, 0)),
    last: () => act(state, () => goToBeat(state, listed(state.data).length - 1)),
    jump: () => toggleJump(state, actions.goToBeat),
    close: () => closeJump(state) || closeRoom(state) || closeDescription(state),
    describe: () => act(state, () => toggleDescription(state)),
    lab: () => leaveForLab(state),
    reveal: () => act(state, () => goTo(state, { ...state.place, revealed: true })),
    choose: (id) => {
      if (state.data.follows) return state.report("voted", id);
      sessionStorage.setItem(guessKey(state), id);
      actions.reveal();
    },
    change: (name, value) => act(state, () => change(state, { [name]: value })),
    event: (event, value) => act(state, () => change(state, {}, { event, value })),
    goToBeat: (at) => act(state, () => goToBeat(state, at)),
    room: () => toggleRoom(state),
    speaker: () => speakerWindow(state),
    show: (text) => showSent(state, text),
    save: () => act(state, () => takeAway(state).catch((error) => drawWaiting(state, false, error))),
    home: () => sourceOf().open(folderOf() + sourceOf().page("")),
  };
  state.actions = actions;
  state.resized = () => root.classList.toggle("presented", document.documentElement.hasAttribute("data-present"));
  window.addEventListener("resize", state.resized);
  buildFrame(state);
  return state;
}

const guessKey = (state) => guessKeyOf(state.data.lesson, state.place.number);
/** The folder of the course's pages. */
const folderOf = () => location.pathname.replace(/[^/]*$/, "");

/** Do one thing after another: what is pressed while a beat loads is kept and done. */
async function act(state, step) {
  state.queue.push(step);
  if (state.loading) return;
  state.loading = true;
  try {
    while (state.queue.length) await state.queue.shift()();
  } finally {
    state.loading = false;
  }
}

/** A beat's document: fetched once as its author set it, each time where the learner changed something. */
function documentOf(state, place, changes, reported) {
  const { base, lesson } = state.data;
  const source = sourceOf(base);
  if (Object.keys(changes).length || reported) return source.document(lesson, place, { changes, ...reported }, state.document);
  const key = keyOf(place);
  const kept = state.documents.get(key);
  if (kept) return kept;
  const asked = source.document(lesson, place);
  state.documents.set(key, asked);
  asked.catch(() => state.documents.delete(key));
  return asked;
}

async function goTo(state, place, { push = true, changes = {} } = {}) {
  const count = state.data.beats.length;
  if (place.number < 1 || place.number > count) return;
  const kept = state.place && keyOf(state.place) === keyOf(place) && !Object.keys(changes).length && !Object.keys(state.changes).length;
  if (kept) return;
  try {
    drawWaiting(state, true);
    const found = await documentOf(state, place, changes);
    Object.assign(state, { place, changes: found.changes });
    if (push) history.pushState({}, "", linkOf(state, place, found.changes));
    await show(state, found);
  } catch (error) {
    state.queue = [];
    drawWaiting(state, false, error);
  }
}

/** A beat on or back; in a lecture, to its next beat, which may be another lesson's. */
async function goOn(state, by) {
  const { playlist, beats } = state.data;
  if (!state.place) return goTo(state, { number: 1, revealed: false }); // no beat came so far
  const asking = beats[state.place.number - 1].kind === "ask";
  if (by > 0 && asking && !state.place.revealed && (await closesVote(state))) return; // first what the class says
  if (by > 0 && asking && !state.place.revealed) return goTo(state, { ...state.place, revealed: true });
  if (!playlist) return goTo(state, by > 0 ? placeAfter(state.place) : placeBefore(state.place, beats));
  if (by < 0 && asking && state.place.revealed) return goTo(state, { ...state.place, revealed: false });
  return goToBeat(state, state.place.at + by);
}

/** The beat at an index, from 0: the story's, or in a lecture the lecture's, which may be another lesson's. */
function goToBeat(state, at) {
  const { playlist, lesson } = state.data;
  if (!playlist) return goTo(state, { number: at + 1, revealed: false });
  const there = playlist.beats[at];
  if (!there) return undefined;
  if (there.lesson !== lesson || !there.number) return sourceOf().open(withBeat(there.link, playlist.name, at));
  return goTo(state, { number: there.number, revealed: false, at });
}

function withBeat(link, name, at) {
  const [path, query = ""] = link.split("?");
  const parameters = new URLSearchParams(query);
  parameters.set("beat", `${name}.${at + 1}`);
  return `${folderOf()}${sourceOf().page(path)}?${parameters}`;
}

async function change(state, made, reported) {
  try {
    drawWaiting(state, true);
    const found = await documentOf(state, state.place, { ...state.changes, ...made }, reported);
    state.changes = found.changes;
    if (!state.data.follows) history.replaceState(history.state, "", linkOf(state, state.place, found.changes));
    await show(state, found);
    if (state.data.follows) state.report("changed", found.changes);
  } catch (error) {
    drawWaiting(state, false, error);
  }
}

function leaveForLab(state) {
  if (!state.document) return;
  const source = sourceOf();
  if (source.lab) return source.lab(state);
  sessionStorage.setItem(`attend-story-${state.data.lesson}`, location.pathname + location.search);
  const kept = sessionStorage.getItem(`attend-lab-${state.data.lesson}`);
  const [from, lab] = kept ? JSON.parse(kept) : ["", ""];
  sessionStorage.setItem(`attend-lab-from-${state.data.lesson}`, state.document.lab);
  source.open(from === state.document.lab ? lab : folderOf() + state.document.lab);
}

async function show(state, found) {
  const arrived = `${keyOf(state.place)}` !== state.shown;
  state.shown = keyOf(state.place);
  state.document = found;
  if (arrived) closeRoom(state);
  const guess = sessionStorage.getItem(guessKey(state)) ?? "";
  drawWaiting(state, false);
  drawTrail(state);
  const before = wordsOf(state.words);
  drawDocument(state, found, guess, arrived);
  await placePicture(state, found, arrived);
  tellRoom(state);
  tellMove(state, before, arrived);
  if (!state.data.follows) prefetch(state);
}

/** Have the document that comes next, and the code of its picture, before it is asked for. */
function prefetch(state) {
  const { beats } = state.data;
  const asking = beats[state.place.number - 1].kind === "ask" && !state.place.revealed;
  const after = asking ? { ...state.place, revealed: true } : placeAfter(state.place);
  if (after.number > beats.length) return;
  documentOf(state, after, {}).then(({ picture }) => picture && sourceOf().code(picture.code)).catch(() => undefined);
}

/** In a room a member's page stands where its lecture does: it has no keys and no ways on. */
function follows(state) {
  const { at, document: found } = state.data;
  act(state, () => {
    Object.assign(state, { place: at, changes: found.changes });
    return show(state, found);
  });
}

export default function draw(component) {
  const state = mount(component, "story", buildStory);
  const { data } = state;
  if (data.follows) return follows(state);
  course().actions = state.actions;
  course().tour = null;
  installKeys();
  noteVisit();
  state.resized();
  joinRoom(state);
  const named = placeIn(location, data) ?? data.at;
  const place = data.playlist ? { ...named, at: named.at ?? data.playlist.at } : named;
  const same = state.place && keyOf(state.place) === keyOf(place) && state.lesson === data.lesson;
  if (!same) {
    const sent = data.at.number === place.number && data.at.revealed === place.revealed;
    if (state.lesson !== data.lesson) state.documents.clear();
    state.lesson = data.lesson;
    act(state, async () => {
      if (!sent) return goTo(state, place, { push: false });
      Object.assign(state, { place, changes: data.document.changes });
      await show(state, data.document);
    });
  }
  act(state, async () => drainKeys());
  return () => {
    window.removeEventListener("resize", state.resized);
    leaveRoom(state);
    state.voice.stop();
    if (course().actions === state.actions) course().actions = null;
    removePicture(state);
    unmount(component.parentElement)();
  };
}
