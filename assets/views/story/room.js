/* The room of a lecture, in the window that presents: it is opened here, follows each move, and shows votes as three steps,
   how many answered, what they answered, the answer. Code and token are kept by this browser, so F5 loses nothing. One window
   steers: another of the same browser takes the room over only when asked to. */

import { button, element } from "../shared/element.js";
import { save } from "../shared/files.js";
import { filled } from "../shared/labels.js";
import { showCounts } from "./counts.js";

const ROOM_KEPT = "attend-room"; // in this browser: { code, token, address }
const TAB = "attend-room-tab"; // in this window: the name by which it steers
const LOOK_EVERY = 2000; // milliseconds between two looks at the room

function keptRoom() {
  try {
    return JSON.parse(localStorage.getItem(ROOM_KEPT) ?? "null");
  } catch {
    return null; // a browser that keeps nothing
  }
}

function keepRoom(room) {
  try {
    if (room) localStorage.setItem(ROOM_KEPT, JSON.stringify(room));
    else localStorage.removeItem(ROOM_KEPT);
  } catch {
    // the room lasts as long as this page
  }
}

const tabOf = () => sessionStorage.getItem(TAB) ?? "";

/** Ask the server for what a host may ask; null where it has no such room any more. */
async function steer(state, asked) {
  const { base } = state.data;
  const headers = { "content-type": "application/json", "x-room-token": state.room.token };
  const answer = await fetch(`${base}/room/${state.room.code}/host`, { method: "POST", headers, body: JSON.stringify(asked) });
  if (answer.status === 404 || answer.status === 403) return null;
  if (answer.status === 409) return state.told; // it was refused; all is as it was
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  return answer.json();
}

/** One after the other, so that no move overtakes another. */
function askRoom(state, asked) {
  state.asking = (state.asking ?? Promise.resolve()).then(() => askNow(state, asked));
  return state.asking;
}

async function askNow(state, asked) {
  if (!state.room) return;
  if (keptRoom()?.tab !== tabOf()) return leaveHere(state); // another window steers now
  try {
    const told = await steer(state, asked);
    if (!told || told.ended) endHere(state);
    else {
      state.told = told;
      drawRoom(state);
    }
  } catch {
    state.roomButton?.classList.remove("open"); // the next look may be answered
  }
}

function endHere(state) {
  keepRoom(null);
  state.over = true;
  leaveHere(state);
}

function leaveHere(state) {
  Object.assign(state, { room: null, told: null });
  clearInterval(state.looking);
  state.looking = 0;
  drawRoom(state);
}

const placeOf = ({ data, place }) => ({ lesson: data.lesson, number: place.number, revealed: place.revealed });

/** Take up the room that this browser has open. */
export function joinRoom(state) {
  const room = state.data.rooms ? keptRoom() : null;
  if (room?.tab && room.tab === tabOf()) state.room ??= room;
  if (state.room && !state.looking) state.looking = window.setInterval(() => askRoom(state, { do: "look" }), LOOK_EVERY);
}

export function leaveRoom(state) {
  clearInterval(state.looking);
  state.looking = 0;
}

/** Bring the room to where the story stands. */
export function tellRoom(state) {
  if (state.data.follows) return;
  if (state.room) askRoom(state, { do: "move", ...placeOf(state) });
  else drawRoom(state);
}

/** Close an open vote that somebody took part in, in place of showing the answer; return whether there was one. */
export async function closesVote(state) {
  if (!state.room || state.told?.phase !== "vote") return false;
  await askRoom(state, { do: "look" }); // somebody may have voted just now
  if (state.told?.phase !== "vote" || !state.told.answered) return false;
  await askRoom(state, { do: "close" });
  return true;
}

async function openRoom(state) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${state.data.base}/rooms`, { method: "POST", headers, body: JSON.stringify(placeOf(state)) });
  const found = await answer.json();
  if (!answer.ok) return found.error;
  takeOver(state, found);
  await askRoom(state, { do: "look" });
  return "";
}

/** Steer a room from this window. */
function takeOver(state, room) {
  sessionStorage.setItem(TAB, globalThis.crypto.getRandomValues(new Uint32Array(2)).join("-"));
  state.over = false;
  state.room = { ...room, tab: tabOf() };
  keepRoom(state.room);
  joinRoom(state);
}

export function closeRoom(state) {
  const open = state.root.querySelector(".room-dialog");
  open?.remove();
  return Boolean(open);
}

/** Show or hide the room's code, and what can be done with the room. */
export function toggleRoom(state) {
  if (closeRoom(state)) return;
  const { labels, base } = state.data;
  const dialog = element("div", "room-dialog");
  dialog.setAttribute("role", "dialog");
  dialog.setAttribute("aria-label", labels.room);
  const again = () => {
    dialog.remove();
    toggleRoom(state);
  };
  const hide = button("", labels["room.hide"], () => closeRoom(state));
  if (!state.room) {
    const fault = element("p", "");
    fault.setAttribute("role", "alert");
    const open = button("", labels["room.open"], async () => {
      fault.textContent = await openRoom(state);
      if (state.room) again();
    });
    const kept = keptRoom();
    const take = button("", filled(labels["room.take"], { code: kept?.code }), async () => {
      takeOver(state, kept);
      await askRoom(state, { do: "move", ...placeOf(state) });
      again();
    });
    const ways = kept ? [take, open, hide] : [open, hide];
    dialog.append(element("h2", "", labels.room), element("p", "", labels["room.about"]), fault, element("div", "row", ...ways));
  } else {
    const { code, address } = state.room;
    const shown = address.replace(/^https?:\/\//, "");
    const picture = element("img");
    Object.assign(picture, { src: `${base}/room/${code}/code.svg`, alt: address.replace(/join$/, `room/${code}`) });
    const end = button("", labels["room.end"], async () => {
      await askRoom(state, { do: "end" });
      closeRoom(state);
    });
    const record = button("", labels["room.record"], () => saveRecord(state));
    dialog.append(
      element("p", "", filled(labels["room.join"], { address: shown })),
      element("p", "code", code), picture, element("div", "row", record, end, hide),
    );
  }
  state.root.append(dialog);
  dialog.querySelector("button")?.focus();
}

async function saveRecord({ data, room }) {
  const answer = await fetch(`${data.base}/room/${room.code}/record.csv`, { headers: { "x-room-token": room.token } });
  save(await answer.blob(), `room-${room.code}.csv`);
}

/** What the bar and the question say of the room. */
function drawRoom(state) {
  const { labels } = state.data;
  const { room, told } = state;
  const bar = (state.roomButton = state.root.querySelector(".class"));
  if (!bar) return;
  bar.classList.toggle("open", Boolean(room));
  const said = told ? [room.code, filled(labels["room.there"], { count: told.active }), ...(told.lost ? [filled(labels["room.lost"], { count: told.lost })] : [])] : [];
  bar.textContent = said.join(" · ") || labels[state.over ? "room.over" : "room"];
  drawVotes(state);
}

function drawVotes(state) {
  const { labels } = state.data;
  const { told, place } = state;
  const question = state.root.querySelector(".ask");
  question?.querySelector(".room-votes")?.remove();
  const here = told && place && told.number === place.number && told.lesson === state.data.lesson;
  if (!question) return;
  const total = showCounts(question, here ? told.counts : undefined, labels.votes);
  if (!here || told.phase === "look") return;
  const box = element("div", "room-votes");
  box.setAttribute("role", "status");
  box.append(filled(labels["room.answered"], told));
  if (!total && told.counts && told.answered) box.append(element("p", "", filled(labels["room.few"], told)));
  const { changes } = told;
  if (changes && Object.keys(changes).length) {
    const named = { rr: changes["right to right"], wr: changes["wrong to right"], rw: changes["right to wrong"], ww: changes["wrong to wrong"] };
    box.append(element("p", "", filled(labels["room.changes"], named)));
  }
  const row = element("div", "row");
  if (told.phase === "vote") row.append(button("", labels["room.close"], () => askRoom(state, { do: "close" })));
  if (told.again) row.append(button("", labels["room.second"], () => askRoom(state, { do: "again" })));
  if (told.phase === "counted") row.append(button("", labels["room.answer"], state.actions.reveal));
  box.append(row);
  question.append(box);
}
