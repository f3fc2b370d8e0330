/* The speaker's window: this beat and the next one, the notes, a clock against the plan, what the class says; and keys and
   buttons that press in the window that presents. It may stand on another device: the token in the address opens it.

   data: { code, labels, base, story: the address of the player's code }. */

import { fetchBeat, fetchStory } from "../views/shared/documents.js";
import { button, element } from "../views/shared/element.js";
import { readEvents } from "../views/shared/events.js";
import { save } from "../views/shared/files.js";
import { filled } from "../views/shared/labels.js";
import { takesText } from "../views/shared/keys.js";
import { renderedParts } from "../views/shared/markup.js";
import { openShadow } from "../views/shared/shadow.js";
import { drawDots, showCounts } from "../views/story/counts.js";

const REOPENS_AFTER = 2000; // milliseconds until the stream is opened again
const PRESSED = { PageUp: "back", PageDown: "next", ArrowLeft: "back", ArrowRight: "next", " ": "next", b: "black", p: "present" };
const [NEXT_WIDTH, NEXT_HEIGHT] = [1280, 720]; // of the next beat, which is drawn small

function ask(state, path, options = {}) {
  return fetch(`${state.room}/${path}`, { ...options, headers: { "content-type": "application/json", "x-room-token": state.token } });
}

async function getJson(state, path) {
  const answer = await ask(state, path);
  if (!answer.ok) throw Object.assign(new Error(`The server answered ${answer.status}.`), { status: answer.status });
  return answer.json();
}

async function steer(state, asked) {
  const answer = await ask(state, "host", { method: "POST", body: JSON.stringify(asked) }).catch(() => null);
  if (answer?.ok) show(state, await answer.json());
  else if (!answer) state.says.textContent = state.labels.gone;
}

function build(main, data) {
  const { labels } = data;
  const state = {
    ...data, room: `${data.base}/room/${data.code}`, token: location.hash.slice(1), documents: new Map(), stories: new Map(),
    told: /** @type {any} */ (null), programme: /** @type {any} */ ({ beats: [] }), shown: "", begins: 0, asked: /** @type {any} */ (null),
  };
  const part = (name, tag = "div", ...content) => (state[name] = element(tag, name, ...content));
  const pressing = ["back", "next", "black", "present"].map((key) => button(key, labels[`speaker.${key}`], () => steer(state, { do: "press", key })));
  part("jump", "select").setAttribute("aria-label", labels["speaker.jump"]);
  state.jump.onchange = () => steer(state, { do: "press", key: Number(state.jump.value) });
  part("says", "p").setAttribute("role", "status");
  const device = button("device", labels["speaker.device"], () => toggleDevice(state));
  const bar = element("header", "bar", part("clock"), ...pressing, state.jump, device);
  part("here", "section").setAttribute("aria-label", labels["speaker.notes"]);
  part("now");
  part("notes");
  part("after", "section", element("h2", "", labels["speaker.after"]), part("small"), part("ends", "p"));
  part("others", "section", element("h2", "", labels["speaker.class"]), part("there", "p"), part("answered", "p"), part("votes"), part("senders", "p"), part("sent"), part("questions"), part("ways"), part("curve", "details", element("summary", "", labels["speaker.curve"]), part("bars")));
  state.here.append(state.now, element("h2", "", labels["speaker.notes"]), state.notes);
  main.append(bar, state.says, state.here, element("div", "side", state.after, state.others));
  document.addEventListener("keydown", (event) => {
    const key = PRESSED[event.key];
    const where = event.composedPath()[0];
    if (!key || event.ctrlKey || event.altKey || event.metaKey || takesText(where)) return;
    if (where instanceof HTMLElement && where.closest("select, summary, button") && event.key === " ") return; // it presses that
    event.preventDefault();
    steer(state, { do: "press", key });
  }, { capture: true });
  setInterval(() => drawClock(state), 1000);
  return state;
}

/** A player in a box of its own. */
function buildPlayer(box, rules) {
  const host = element("div", "player");
  const parent = element("div", "");
  openShadow(host, rules, parent);
  box.append(host);
  return parent;
}

/** A beat's document with its notes; with what the lecturer changed, as it is shown. */
async function documentOf(state, { lesson, number, revealed }, changes = {}) {
  const name = `${lesson}/${number}${revealed ? ".answer" : ""}`;
  if (!state.documents.has(name)) state.documents.set(name, await getJson(state, `beats/${name}`));
  const found = state.documents.get(name);
  if (!Object.keys(changes).length) return found;
  return { ...(await fetchBeat(state.base, lesson, { number, revealed }, changes)), notes: found.notes };
}

async function drawBeat(state, parent, place, found) {
  const { lesson } = place;
  const story = await fetchStory(state, lesson);
  const shown = { ...found };
  delete shown.notes;
  if (shown.ask && !place.revealed) shown.ask = { ...shown.ask, closed: true };
  const data = { ...story, at: { number: place.number, revealed: place.revealed }, document: shown, base: state.base, playlist: null, follows: true };
  state.draw({ data, parentElement: parent, setTriggerValue: () => undefined });
}

/** What comes after a place: an ask's answer, the lecture's next beat, or nothing. */
function placeAfter({ told, programme }) {
  if (told.choices && !told.revealed) return { lesson: told.lesson, number: told.number, revealed: true };
  const next = programme.beats[told.at + 1];
  return next ? { ...next, revealed: false } : null;
}

/** Show a state of the room; states that come while one is drawn are drawn after it, the newest only. */
async function show(state, told) {
  state.told = told;
  if (state.drawing) return;
  state.drawing = true;
  try {
    let drawn = null;
    while (drawn !== state.told) {
      drawn = state.told;
      await drawTold(state, drawn);
    }
  } catch {
    state.says.textContent = state.labels.gone; // the stream says when all is well again
  } finally {
    state.drawing = false;
  }
}

async function drawTold(state, told) {
  const { labels } = state;
  state.says.textContent = told.ended ? labels.ended : told.presenting ? "" : labels["speaker.nobody"];
  state.begins = Date.now() - 1000 * told.began;
  const played = `${told.programme}`;
  if (played !== state.played) {
    state.programme = await getJson(state, "programme");
    state.played = played;
    state.jump.replaceChildren(...state.programme.beats.map(({ title }, i) => new globalThis.Option(`${i + 1}. ${title}`, String(i))));
  }
  state.jump.value = String(told.at);
  drawClock(state);
  drawClass(state, told);
  const place = { lesson: told.lesson, number: told.number, revealed: told.revealed };
  const key = JSON.stringify([place, told.changes, told.at, played]);
  if (key !== state.shown) {
    await drawPlaces(state, told, place);
    state.shown = key;
  }
  showCounts(state.nowParent, told.counts, labels.votes);
}

async function drawPlaces(state, told, place) {
  const { labels } = state;
  const own = state.programme.beats[told.at]?.notes ?? "";
  const found = place.number ? await documentOf(state, place, told.changes) : null;
  const host = state.nowParent.getRootNode().host;
  state.asked = found?.ask ?? null;
  if (found) {
    delete host.dataset.lab;
    await drawBeat(state, state.nowParent, place, found);
  } else host.dataset.lab = filled(labels["speaker.in_lab"], await fetchStory(state, told.lesson));
  const rendered = renderedParts(found?.notes ?? ""); // from words.md, in which a learner's words are escaped
  const noted = own ? own.split("\n").map((line) => element("p", "", line)) : rendered;
  state.notes.replaceChildren(...(noted.length ? noted : [element("p", "", labels["speaker.no_notes"])]));
  const next = placeAfter(state);
  state.ends.textContent = next ? (next.number ? "" : next.title) : labels["speaker.last"];
  state.small.hidden = !next?.number;
  if (next?.number) await drawBeat(state, state.smallParent, next, await documentOf(state, next));
  fitSmall(state);
}

function fitSmall({ small, smallParent }) {
  const host = smallParent.getRootNode().host;
  const scale = small.clientWidth / NEXT_WIDTH;
  Object.assign(host.style, { width: `${NEXT_WIDTH}px`, height: `${NEXT_HEIGHT}px`, transform: `scale(${scale})`, transformOrigin: "0 0" });
  small.style.height = `${NEXT_HEIGHT * scale}px`;
}

const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, "0")}`;

function drawClock({ clock, told, labels, programme, begins }) {
  if (!told) return;
  const shown = [[minutes(Math.max(0, Date.now() - begins) / 1000), labels["speaker.since"]]];
  if (programme.minutes) shown.push([minutes((60 * programme.minutes * told.at) / programme.beats.length), labels["speaker.plan"]]);
  shown.push([new Date().toTimeString().slice(0, 5), labels["speaker.now"]]);
  const number = `${told.at + 1} / ${programme.beats.length}`;
  clock.replaceChildren(element("strong", "", number), ...shown.map(([time, what]) => element("span", "", element("b", "", time), ` ${what}`)));
}

/** What the class says: votes, what they tried, questions, how many are lost. */
function drawClass(state, told) {
  const { labels } = state;
  state.there.textContent = filled(labels["speaker.there"], told);
  state.answered.textContent = told.choices ? filled(labels["speaker.answered"], told) : "";
  replaceIfChanged(state.votes, [told.phase, told.again, told.counts], () => {
    const votes = Object.entries(told.counts ?? {}).map(([id, count]) => element("p", "", `${labelOf(state, id)}: ${filled(labels.votes, { count, total: told.answered })}`));
    if (told.counts && told.answered && !votes.length) votes.push(element("p", "", filled(labels["speaker.few"], told)));
    if (told.phase === "vote") votes.push(button("", labels["speaker.close"], () => steer(state, { do: "close" })));
    if (told.again) votes.push(button("", labels["speaker.again"], () => steer(state, { do: "again" })));
    return votes;
  });
  state.senders.textContent = told.senders ? filled(labels["speaker.sent"], told) : "";
  replaceIfChanged(state.sent, [told.numbers, told.waiting], () => drawSent(state, told));
  replaceIfChanged(state.questions, [told.asked, told.questions], () => drawQuestions(state, told));
  replaceIfChanged(state.bars, told.curve, () => drawCurve(state, told));
  replaceIfChanged(state.ways, told.locked, () => [
    button("", labels[told.locked ? "speaker.unlock" : "speaker.lock"], () => steer(state, { do: "lock", on: !told.locked })),
    button("", labels["speaker.record"], async () => save(await (await ask(state, "record.csv")).blob(), `room-${state.code}.csv`)),
    endButton(state),
  ]);
}

/** Draw a box again only where its data changed, so that a press meets the button that it aimed at. */
function replaceIfChanged(box, data, draw) {
  const drawn = JSON.stringify(data ?? null);
  if (box.dataset.drawn === drawn) return;
  box.dataset.drawn = drawn;
  box.replaceChildren(...draw());
}

function labelOf({ asked }, id) {
  return asked?.choices.find((each) => each.id === id)?.label ?? id;
}

/** The first press asks, the second ends the room. */
function endButton(state) {
  const end = button("", state.labels["speaker.end"], () => {
    end.textContent = state.labels["speaker.end.sure"];
    end.onclick = () => steer(state, { do: "end" });
  });
  return end;
}

function drawSent(state, told) {
  const { labels } = state;
  const sent = [];
  if (told.numbers?.dots) sent.push(drawDots(told.numbers, labels["speaker.dots"]));
  if (told.waiting.length) sent.push(element("ul", "", ...told.waiting.map((text) => judged(text, [
    [labels["speaker.show"], () => steer(state, { do: "press", key: { set: text } })],
    [labels["speaker.aside"], () => steer(state, { do: "aside", text })],
  ]))));
  if (told.waiting.length > 1) sent.push(button("", labels["speaker.aside_all"], () => steer(state, { do: "aside", text: null })));
  return sent;
}

function drawQuestions(state, told) {
  const { labels } = state;
  const judge = (id, verdict) => () => steer(state, { do: "judge", id, state: verdict });
  const asked = [
    ...told.asked.map(({ id, text }) => judged(text, [[labels["speaker.pass"], judge(id, "passed")], [labels["speaker.aside"], judge(id, "done")]])),
    ...told.questions.map(({ id, text, count }) => judged(`${text} (${count})`, [[labels["speaker.done"], judge(id, "done")]])),
  ];
  const clear = told.asked.length > 1 ? [button("", labels["speaker.aside_all"], () => steer(state, { do: "clear" }))] : [];
  return asked.length ? [element("h3", "", labels["speaker.questions"]), element("ul", "", ...asked), ...clear] : [];
}

function judged(text, ways) {
  return element("li", "", element("p", "", text), ...ways.map(([label, act]) => button("", label, act)));
}

/** The share of those who were lost, a bar for each beat that was left. */
function drawCurve({ curve, labels, programme }, told) {
  curve.hidden = !told.curve.length;
  return told.curve.map(([lesson, number, there, lost]) => {
    const title = programme.beats.find((each) => each.lesson === lesson && each.number === number)?.title ?? `${lesson} ${number}`;
    const made = element("div", "lost-bar");
    made.style.setProperty("--share", String(there ? lost / there : 0));
    made.append(element("span", "", filled(labels["speaker.curve.beat"], { title, lost, there })));
    return made;
  });
}

async function toggleDevice(state) {
  const open = document.querySelector(".device-dialog");
  if (open) return open.remove();
  const picture = element("img");
  picture.alt = state.labels["speaker.device"];
  picture.src = URL.createObjectURL(await (await ask(state, "speaker.svg")).blob());
  const dialog = element("div", "device-dialog", element("p", "", state.labels["speaker.device.about"]), picture);
  dialog.setAttribute("role", "dialog");
  dialog.setAttribute("aria-label", state.labels["speaker.device"]);
  document.querySelector(".device")?.after(dialog);
}

async function hear(state) {
  for (;;) {
    try {
      const headers = { "x-room-token": state.token };
      await readEvents(`${state.room}/host/events`, { headers, signal: new globalThis.AbortController().signal }, (told) => show(state, told));
    } catch (error) {
      const { status } = /** @type {any} */ (error);
      if (status === 404 || status === 403) {
        state.says.textContent = state.labels[status === 404 ? "ended" : "speaker.no_token"];
        return;
      }
      state.says.textContent = state.labels.gone;
    }
    await new Promise((go) => setTimeout(go, REOPENS_AFTER));
  }
}

/** Start the speaker's window in an element. */
export default async function draw(main, data) {
  const state = build(main, data);
  const { default: player, styles: rules } = await import(new URL(data.story, location.origin).href);
  state.draw = player;
  state.nowParent = buildPlayer(state.now, rules);
  state.smallParent = buildPlayer(state.small, rules);
  window.addEventListener("resize", () => fitSmall(state));
  hear(state);
}
