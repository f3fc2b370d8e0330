/* A member's page of a room: the story's player, which stands where the lecture does; votes, questions, what a member tried,
   and "I am lost".

   A stream brings what all see: the room's state, and the beat's document. One's own vote comes with the state that is
   fetched on joining and after a break. data: { code, labels, base, story: the address of the player's code }. */

import { fetchBeat, fetchStory } from "../views/shared/documents.js";
import { button, element } from "../views/shared/element.js";
import { filled } from "../views/shared/labels.js";
import { openShadow } from "../views/shared/shadow.js";
import { showCounts } from "../views/story/counts.js";
import { guessKeyOf } from "../views/story/places.js";

const PATIENCE = 4000; // milliseconds until the stream is opened again
const ALIVE = 20_000; // milliseconds after which the room is asked for its state in any case

async function getJson(address, options = {}) {
  const answer = await fetch(address, options);
  const found = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(found.error), { status: answer.status });
  return found;
}

function post(state, what, body = {}) {
  const headers = { "content-type": "application/json" };
  return getJson(`${state.room}/${what}`, { method: "POST", headers, body: JSON.stringify(body) });
}

function build(main, data) {
  const { labels } = data;
  const state = { ...data, room: `${data.base}/room/${data.code}`, stories: new Map(), told: /** @type {any} */ (null), shown: "", document: /** @type {any} */ (null), mine: { key: "", changes: {} }, list: /** @type {any} */ (null), stream: /** @type {any} */ (null), heard: 0, host: element("div", "player"), says: element("p", "says", labels.connecting) };
  state.says.setAttribute("role", "status");
  const lost = button("lost", labels.lost, async () => {
    lost.disabled = true;
    setTimeout(() => (lost.disabled = false), 5000);
    say(state, await post(state, "lost").then(() => labels["lost.noted"], (error) => sentenceOf(state, error)));
  });
  state.lab = element("a", "open-lab", labels.open_lab);
  state.lab.target = "_blank";
  state.send = button("send", labels.send, () => send(state));
  state.asks = button("asks", labels.ask, () => toggleQuestions(state));
  state.asks.setAttribute("aria-expanded", "false");
  state.panel = element("section", "questions");
  state.panel.hidden = true;
  const foot = element("footer", "foot", state.says, state.send, state.lab, state.asks, lost);
  main.append(state.host, state.panel, foot);
  return state;
}

/** What the server said against it, or that it said nothing. */
function sentenceOf({ labels }, error) {
  return error.status ? error.message : labels.gone;
}

function say(state, words) {
  state.says.textContent = words;
}

/** What is said under the picture: what stands in the way, or where the vote is. */
function saying({ labels, told }) {
  if (told.ended) return labels.ended;
  if (!told.host) return labels.away;
  if (told.phase === "vote") return told.vote ? labels["vote.mine"] : labels[told.round === 2 ? "vote.again" : "vote.open"];
  if (told.phase === "counted") return labels["vote.closed"];
  if (told.phase === "turn") return labels[told.sent ? "send.sent" : "send.open"];
  return "";
}

/** Send what the member set the beat's control to: the sentence, or the number. */
async function send(state) {
  const { told, labels, mine, document } = state;
  const control = document.controls.find((each) => each.name === told.takes);
  const set = mine.changes[told.takes] ?? control.value;
  const value = control.kind === "slider" ? Number(set) : String(set);
  try {
    await take(state, await post(state, "value", { value }));
    say(state, labels["send.sent"]);
  } catch (error) {
    say(state, sentenceOf(state, error));
  }
}

function toggleQuestions(state) {
  state.panel.hidden = !state.panel.hidden;
  state.asks.setAttribute("aria-expanded", String(!state.panel.hidden));
  if (state.panel.hidden) return;
  const { labels } = state;
  const input = element("input");
  Object.assign(input, { id: "question", maxLength: 280, autocomplete: "off" });
  const label = element("label", "", labels["ask.label"]);
  label.htmlFor = "question";
  const form = element("form", "", label, input, element("button", "", labels["ask.send"]));
  form.onsubmit = async (event) => {
    event.preventDefault();
    try {
      await take(state, await post(state, "question", { text: input.value }));
      input.value = "";
      say(state, labels["ask.sent"]);
      toggleQuestions(state);
    } catch (error) {
      say(state, sentenceOf(state, error));
    }
  };
  state.list = element("ol");
  state.panel.replaceChildren(form, state.list);
  listQuestions(state);
  input.focus();
}

/** The questions that the lecturer let pass, each with a button that seconds it. */
function listQuestions(state) {
  const { labels, told, list } = state;
  const asked = told?.questions ?? [];
  state.asks.textContent = asked.length ? `${labels.ask} (${asked.length})` : labels.ask;
  list?.replaceChildren(...asked.map(({ id, text, count, mine }) => {
    const also = button("also", filled(labels["ask.also"], { count }), async () => {
      await post(state, "second", { id }).then((found) => take(state, found), (error) => say(state, sentenceOf(state, error)));
    });
    also.setAttribute("aria-pressed", String(mine));
    return element("li", "", element("p", "", text), also);
  }));
}

/** Fetch the room's state with one's own vote, and show it. */
async function refresh(state) {
  await take(state, await getJson(`${state.room}/state`));
}

/** Show a state of the room; what all see has no vote, but each page knows its own. */
async function take(state, told, document = null) {
  const before = state.told;
  const same = before && ["lesson", "number", "round"].every((name) => before[name] === told[name]);
  if (told.revision < (before?.revision ?? 0)) return; // it was overtaken
  const own = "vote" in told; // else what all see
  if (!own && !same && told.phase !== "look" && told.phase !== "vote") { // back at a question, or at a turn
    const mine = await getJson(`${state.room}/state`);
    return take(state, mine, mine.revision === told.revision ? document : null);
  }
  state.told = own ? told : { ...told, vote: same ? before.vote : null, sent: same && before.sent, questions: keepMine(told, before) };
  state.failed = false;
  say(state, saying(state));
  listQuestions(state);
  await showPlace(state, document);
}

/** The questions as all see them, with those that this member seconded. */
function keepMine(told, before) {
  const mine = new Set((before?.questions ?? []).filter((each) => each.mine).map((each) => each.id));
  return told.questions.map((each) => ({ ...each, mine: mine.has(each.id) }));
}

async function showPlace(state, sent) {
  const { told, base } = state;
  const key = `${told.lesson}.${told.number}.${told.revealed}.${told.phase}.${told.round}`;
  const whole = `${key}.${told.link}.${JSON.stringify(told.changes)}`;
  state.send.hidden = told.phase !== "turn";
  state.lab.classList.toggle("here", !told.number);
  if (!told.number) { // the lecturer shows a lab, which is a page of its own
    const { title } = await fetchStory(state, told.lesson);
    state.lab.href = `${base}/${told.link}`;
    state.host.dataset.lab = filled(state.labels.in_lab, { title });
    state.shown = whole;
    return;
  }
  delete state.host.dataset.lab;
  const tried = state.mine.key === key && Object.keys(state.mine.changes).length; // what a member tries stays
  if (whole === state.shown || (tried && state.shown.startsWith(key))) return markVote(state);
  const story = await fetchStory(state, told.lesson);
  const document = sent ?? (await fetchBeat(base, told.lesson, told, told.changes));
  if (state.told !== told) return; // it went on meanwhile
  if (told.phase !== "vote" && document.ask && !told.revealed) document.ask.closed = true;
  const at = { number: told.number, revealed: told.revealed };
  sessionStorage.setItem(guessKeyOf(told.lesson, told.number), told.vote ?? "");
  const data = { ...story, at, document, base, playlist: null, follows: true };
  state.draw({ data, parentElement: state.parent, setTriggerValue: (event, value) => (event === "voted" ? vote(state, value) : (state.mine.changes = value)) });
  state.lab.href = `${base}/${document.lab ?? told.lesson}`;
  Object.assign(state, { shown: whole, document, mine: { key, changes: {} } });
  markVote(state);
}

async function vote(state, choice) {
  try {
    await take(state, await post(state, "vote", { choice }));
  } catch (error) {
    say(state, sentenceOf(state, error));
  }
  markVote(state);
}

/** The chosen answer is marked; after the answer, each has its count. */
function markVote({ parent, told, labels }) {
  showCounts(parent, told.counts, labels.votes);
  for (const choice of parent.querySelectorAll(".choice")) choice.setAttribute("aria-pressed", String(choice.dataset.id === told.vote));
}

function hear(state) {
  const stream = (state.stream = new globalThis.EventSource(`${state.room}/events`));
  stream.onmessage = ({ data }) => {
    const { told, document } = JSON.parse(data);
    state.heard = told.revision;
    if (state.failed) follow(state);
    else if (told.revision !== state.told?.revision) take(state, told, document).catch(() => follow(state));
  };
  stream.onerror = () => {
    state.failed = true;
    say(state, state.labels.gone);
    stream.close();
    setTimeout(() => follow(state).then((on) => on && hear(state)), PATIENCE);
  };
}

/** Fetch the state; return whether the room goes on. */
async function follow(state) {
  try {
    await refresh(state);
  } catch (error) {
    const ended = /** @type {any} */ (error).status === 404;
    say(state, ended ? state.labels.ended : sentenceOf(state, error));
    return !ended;
  }
  return true;
}

/** Start a member's page in an element. */
export default async function draw(main, data) {
  const state = build(main, data);
  const { default: player, styles: rules } = await import(new URL(data.story, location.origin).href);
  const parent = element("div", "");
  openShadow(state.host, rules, parent);
  Object.assign(state, { draw: player, parent });
  if (await follow(state)) hear(state);
  setInterval(async () => {
    if (!state.told || state.told.ended) return;
    await follow(state);
    if (state.heard >= state.told.revision) return;
    state.stream?.close(); // it told nothing of the newest: the connection is dead
    hear(state);
  }, ALIVE);
}
