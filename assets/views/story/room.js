/* The room of a lecture, in the window that presents: its code, and votes as three steps, how many answered, what they
   answered, the answer. Which window steers, and how, is in shared/host.js. */

import { button, element } from "../shared/element.js";
import { save } from "../shared/files.js";
import { askRoom, hostAt, keptRoom, moveRoom, openRoom, openSpeaker, readRecord, resumeRoom, steerHere } from "../shared/host.js";
import { filled } from "../shared/labels.js";
import { drawDots, showCounts } from "./counts.js";

const placeOf = ({ data, place, changes }) => ({
  lesson: data.lesson, number: place.number, revealed: place.revealed, changes, playlist: data.playlist?.name ?? "", at: place.at ?? 0,
});

/** Take up the room that this window steers. */
export function joinRoom(state) {
  if (!state.data.rooms || state.classHost) return;
  state.classHost = hostAt(state.data.base);
  state.hears = () => drawRoom(state);
  state.classHost.heard.add(state.hears);
  resumeRoom(state.classHost);
}

export function leaveRoom(state) {
  state.classHost?.heard.delete(state.hears);
  state.classHost = null;
}

/** Bring the room to where the story stands. */
export function tellRoom(state) {
  if (state.data.follows || !state.classHost) return;
  moveRoom(state.classHost, placeOf(state));
  drawRoom(state);
}

/** Close an open vote that somebody took part in, in place of showing the answer; return whether there was one. */
export async function closesVote({ classHost: host }) {
  if (!host?.room || host.told?.phase !== "vote") return false;
  await askRoom(host, { do: "look" }); // somebody may have voted just now
  if (host.told?.phase !== "vote" || !host.told.answered) return false;
  await askRoom(host, { do: "close" });
  return host.told?.phase !== "vote"; // without an answer the lecture goes on
}

/** Show a sentence that somebody sent, in the picture: as the beat's words, or among them where it takes several. */
export function showSent(state, text) {
  const name = state.classHost?.told?.takes;
  const control = (state.document?.controls ?? []).find((each) => each.name === name);
  if (control) state.actions.change(name, control.several && state.changes[name] ? `${state.changes[name]} ${text}` : text);
}

export function speakerWindow(state) {
  if (state.classHost) openSpeaker(state.classHost).then((fault) => fault && toggleRoom(state, fault));
}

export function closeRoom(state) {
  const open = state.root.querySelector(".room-dialog");
  open?.remove();
  return Boolean(open);
}

/** Show or hide the room's code, and what can be done with the room. */
export function toggleRoom(state, said = "") {
  if (closeRoom(state)) return;
  const { labels, base } = state.data;
  const host = state.classHost;
  const dialog = element("div", "room-dialog");
  dialog.setAttribute("role", "dialog");
  dialog.setAttribute("aria-label", labels.room);
  const again = () => {
    dialog.remove();
    toggleRoom(state);
  };
  const hide = button("", labels["room.hide"], () => closeRoom(state));
  const speaker = button("", labels["room.speaker"], () => speakerWindow(state));
  if (!host.room) {
    const fault = element("p", "", said);
    fault.setAttribute("role", "alert");
    const open = button("", labels["room.open"], async () => {
      fault.textContent = await openRoom(host);
      if (host.room) again();
    });
    const kept = keptRoom();
    const records = host.last ? [button("", filled(labels["room.record_of"], host.last), async () => save(await readRecord(host), `room-${host.last.code}.csv`))] : [];
    const take = button("", filled(labels["room.take"], { code: kept?.code }), () => steerHere(host, kept).then(again));
    const ways = [...(kept ? [take] : []), open, speaker, ...records, hide];
    dialog.append(element("h2", "", labels.room), element("p", "", labels["room.about"]), fault, element("div", "row", ...ways));
  } else {
    const { code, address } = host.room;
    const shown = address.replace(/^https?:\/\//, "");
    const picture = element("img");
    Object.assign(picture, { src: `${base}/room/${code}/code.svg`, alt: address.replace(/join$/, `room/${code}`) });
    const end = button("", labels["room.end"], () => {
      end.textContent = labels["room.end.sure"]; // a second press ends it
      end.onclick = () => askRoom(host, { do: "end" }).then(again);
    });
    const locked = host.told?.locked;
    const lock = button("", labels[locked ? "room.unlock" : "room.lock"], () => askRoom(host, { do: "lock", on: !locked }).then(again));
    const record = button("", labels["room.record"], async () => save(await readRecord(host), `room-${code}.csv`));
    dialog.append(
      element("p", "", filled(labels["room.join"], { address: shown })),
      element("p", "code", code), picture, listQuestions(host.told, labels), element("div", "row", speaker, lock, record, end, hide),
    );
  }
  state.root.append(dialog);
  dialog.querySelector("button")?.focus();
}

/** The questions that the lecturer let pass, for the whole class. */
function listQuestions(told, labels) {
  const asked = (told?.questions ?? []).map(({ text, count }) => element("li", "", `${text} (${count})`));
  return asked.length ? element("div", "asked-list", element("p", "", labels["room.questions"]), element("ol", "", ...asked)) : "";
}

/** What the bar and the question say of the room. */
function drawRoom(state) {
  const { labels } = state.data;
  const { room, told, over } = state.classHost ?? {};
  const bar = state.root.querySelector(".class");
  if (!bar) return;
  bar.classList.toggle("open", Boolean(room));
  state.root.dataset.code = room?.code ?? "";
  const said = told ? [room.code, filled(labels["room.there"], { count: told.active }), ...(told.lost ? [filled(labels["room.lost"], { count: told.lost })] : [])] : [];
  bar.textContent = said.join(" · ") || labels[over ? "room.over" : "room"];
  drawVotes(state, told);
  drawSent(state, told);
}

const isHere = ({ place, data }, told) => told && place && told.number === place.number && told.lesson === data.lesson;

/** Votes come many a second: what is pressed stays the same element, and only words change. */
function drawVotes(state, told) {
  const { labels } = state.data;
  const question = state.root.querySelector(".ask");
  const old = question?.querySelector(".room-votes");
  if (!question) return;
  const here = isHere(state, told);
  const total = showCounts(question, here ? told.counts : undefined, labels.votes);
  if (!here || told.phase === "look") return old?.remove();
  const drawn = JSON.stringify([told.phase, told.round, told.again]);
  const box = old?.dataset.drawn === drawn ? old : element("div", "room-votes", element("p", "answered"), element("p", "few"), element("p", "swings"), votesRow(state, told));
  const [answered, few, swung] = box.children;
  answered.textContent = filled(labels["room.answered"], told);
  few.textContent = !total && told.counts && told.answered ? filled(labels["room.few"], told) : "";
  const swings = told.swings ?? {};
  const named = { rr: swings["right to right"], wr: swings["wrong to right"], rw: swings["right to wrong"], ww: swings["wrong to wrong"] };
  swung.textContent = Object.keys(swings).length ? filled(labels["room.changes"], named) : "";
  if (box === old) return;
  box.dataset.drawn = drawn;
  box.setAttribute("role", "status");
  old?.remove();
  question.append(box);
}

function votesRow({ data: { labels }, classHost, actions }, told) {
  const row = element("div", "row");
  if (told.phase === "vote") row.append(button("", labels["room.close"], () => askRoom(classHost, { do: "close" })));
  if (told.again) row.append(button("", labels["room.second"], () => askRoom(classHost, { do: "again" })));
  if (told.phase === "counted") row.append(button("", labels["room.answer"], actions.reveal));
  return row;
}

/** How many sent what they tried in the beat; numbers as dots. */
function drawSent(state, told) {
  state.words.querySelector(".room-sent")?.remove();
  if (!isHere(state, told) || told.phase !== "turn" || !told.senders) return;
  const { labels } = state.data;
  const box = element("div", "room-sent", element("p", "", filled(labels["room.sent"], { count: told.senders, active: told.active })));
  box.setAttribute("role", "status");
  if (told.numbers?.dots) box.append(drawDots(told.numbers, labels["room.dots"]));
  state.words.append(box);
}
