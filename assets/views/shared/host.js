/* The room that this window steers: it is opened here, follows each move, and does what the speaker's window presses.

   Code and token are kept by this browser, so F5 loses nothing. One window steers: another one of the same browser takes the
   room over only when asked to. What is kept lies in course(), for each view is a module of its own and pages change. */

import { course } from "./course.js";
import { readEvents } from "./events.js";

const ROOM_KEPT = "attend-room"; // in this browser: { code, token, address, tab }
const TAB = "attend-room-tab"; // in this window: the name by which it steers
const OVER = "attend-room-over"; // in this window: that its room ended, which a reload shall not hide
const OWN_LECTURE = "attend-lecture"; // in this browser: the lecturer's own one, as Markdown
const SPEAKER = "attend-speaker"; // the name of the speaker's window
const REOPENS_AFTER = 2000; // milliseconds until the stream is opened again
const PATIENT_FOR = 4000; // milliseconds for an answer: the lecture goes on without it
const KEYS = { next: "PageDown", back: "PageUp", black: "b", present: "p" };

/** The window's one host. `heard` are called whenever its room told something. */
export function hostAt(base) {
  const page = /** @type {any} */ (course());
  if (!page.host) {
    page.host = { base, room: null, told: null, over: Boolean(sessionStorage.getItem(OVER)), heard: new Set(), asking: Promise.resolve(), pressed: -1, ended: null, place: null, sentText: null, last: null, tab: sessionStorage.getItem(TAB) ?? "" };
    sessionStorage.removeItem(TAB); // a copy of this window shall not steer too
    window.addEventListener("pagehide", () => sessionStorage.setItem(TAB, page.host.tab));
    window.addEventListener("pageshow", () => sessionStorage.removeItem(TAB));
  }
  return page.host;
}

export function keptRoom() {
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

const headersOf = ({ room }) => ({ "content-type": "application/json", "x-room-token": room.token });
const addressIn = ({ base, room }, path) => `${base}/room/${room.code}/${path}`;

function tellHeard(host) {
  for (const each of host.heard) each(host);
}

/** Take up the room that this window steered before it was loaded again. */
export function resumeRoom(host) {
  const room = keptRoom();
  if (!host.room && room?.tab && room.tab === host.tab) beginRoom(host, room);
}

function beginRoom(host, room) {
  Object.assign(host, { room, over: false, told: null, pressed: -1, sentText: null });
  sessionStorage.removeItem(OVER);
  host.ended?.abort();
  host.ended = new globalThis.AbortController();
  window.addEventListener("storage", () => host.room && keptRoom()?.tab !== host.tab && leaveHost(host), { signal: host.ended.signal });
  hearHost(host, host.ended.signal);
}

async function hearHost(host, signal) {
  while (!signal.aborted) {
    try {
      await readEvents(addressIn(host, "host/events"), { headers: { ...headersOf(host), "x-room-window": "presents" }, signal }, (told) => takeTold(host, told));
    } catch (error) {
      const { status } = /** @type {any} */ (error);
      if (!signal.aborted && (status === 404 || status === 403)) return endHere(host);
    }
    await new Promise((go) => setTimeout(go, REOPENS_AFTER));
    if (!signal.aborted && host.place) askRoom(host, host.place); // where the lecture went meanwhile
  }
}

function takeTold(host, told) {
  if (!host.room) return;
  host.told = told;
  if (told.ended) return endHere(host);
  obeyPresses(host, told.presses);
  tellHeard(host);
}

/** Do what the speaker's window pressed since the last time; what was pressed before this window came is over. */
function obeyPresses(host, presses) {
  const known = host.pressed;
  host.pressed = Math.max(known, presses.at(-1)?.[0] ?? 0); // an answer may come after a newer event
  if (known >= 0) for (const [number, key] of presses) if (number > known) pressHere(key);
}

function pressHere(key) {
  const { actions, tour } = course();
  if (typeof key === "number") (actions?.goToBeat ?? tour?.goToBeat)?.(key);
  else if (typeof key === "object") actions?.show?.(key.set);
  else window.dispatchEvent(new window.KeyboardEvent("keydown", { key: KEYS[key], cancelable: true }));
}

function endHere(host) {
  keepRoom(null);
  if (host.told?.ended) host.last = host.room; // its counts can still be saved
  host.over = true;
  sessionStorage.setItem(OVER, "yes");
  leaveHost(host);
}

/** Steer no longer: the room ended, or another window took it over. */
function leaveHost(host) {
  host.ended?.abort();
  Object.assign(host, { room: null, told: null });
  tellHeard(host);
}

/** Ask for what a host may ask, one after the other, so that no move overtakes another. */
export function askRoom(host, asked) {
  host.asking = host.asking.then(() => askNow(host, asked)).catch(() => undefined); // the stream says when all is well again
  return host.asking;
}

async function askNow(host, asked) {
  if (!host.room) return;
  const answer = await fetch(addressIn(host, "host"), { method: "POST", headers: headersOf(host), body: JSON.stringify(asked), signal: globalThis.AbortSignal.timeout(PATIENT_FOR) });
  if (answer.status === 404 || answer.status === 403) return endHere(host);
  if (answer.ok && "text" in asked) host.sentText = asked.text;
  if (answer.ok) takeTold(host, await answer.json()); // what was refused left all as it was
}

/** The lecturer's own lecture, where the place is in it: the server does not know it. */
const ownText = (place) => (place?.playlist === "mine" ? localStorage.getItem(OWN_LECTURE) : null);

/** Bring the room to a place: { lesson, number, revealed, changes, link, playlist, at }. */
export function moveRoom(host, place) {
  host.place = { do: "move", ...place };
  if (!host.room) return;
  const text = ownText(host.place);
  askRoom(host, text !== null && text !== host.sentText ? { ...host.place, text } : host.place);
}

/** Open a room where the window stands; return the server's sentence where it opens none. */
export async function openRoom(host) {
  const headers = { "content-type": "application/json" };
  const asked = { ...host.place, text: ownText(host.place) };
  const answer = await fetch(`${host.base}/rooms`, { method: "POST", headers, body: JSON.stringify(asked) });
  const found = await answer.json();
  if (!answer.ok) return found.error;
  await steerHere(host, found);
  return "";
}

/** Steer a room from this window. */
export async function steerHere(host, room) {
  host.tab = globalThis.crypto.getRandomValues(new Uint32Array(2)).join("-");
  const named = { ...room, tab: host.tab };
  keepRoom(named);
  beginRoom(host, named);
  await askRoom(host, host.place ?? { do: "look" });
}

/** Open the speaker's window, and a room for it where there is none. */
export async function openSpeaker(host) {
  const shown = window.open("", SPEAKER); // at once, while the key still allows it
  const kept = keptRoom();
  if (!host.room && kept) await steerHere(host, kept);
  const fault = host.room ? "" : await openRoom(host);
  if (!shown || !host.room) return shown?.close(), fault;
  shown.location.href = new URL(`${addressIn(host, "speaker")}#${host.room.token}`, location.origin).href;
  shown.focus();
  return "";
}

/** The counts by beat, as a file; of the room that has just ended, where none is open. */
export async function readRecord({ base, room, last }) {
  const of = { base, room: room ?? last };
  return (await fetch(addressIn(of, "record.csv"), { headers: headersOf(of) })).blob();
}
