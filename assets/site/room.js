/* A member's page of a room: the story's player, which stands where the lecture does; votes, and "I am lost".

   A stream brings what all see: the room's state, and the beat's document. One's own vote comes with the state that is
   fetched on joining and after a break. data: { code, labels, base, story: the address of the player's code }. */

import { button, element } from "../views/shared/element.js";
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
  const state = { ...data, room: `${data.base}/room/${data.code}`, stories: new Map(), told: /** @type {any} */ (null), shown: "", host: element("div", "player"), says: element("p", "says", labels.connecting) };
  state.says.setAttribute("role", "status");
  const lost = button("lost", labels.lost, async () => {
    lost.disabled = true;
    setTimeout(() => (lost.disabled = false), 5000);
    say(state, await post(state, "lost").then(() => labels["lost.noted"], (error) => sentenceOf(state, error)));
  });
  state.lab = element("a", "open-lab", labels.open_lab);
  state.lab.target = "_blank";
  const foot = element("footer", "foot", state.says, state.lab, lost);
  main.append(state.host, foot);
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
  return "";
}

/** Fetch the room's state with one's own vote, and show it. */
async function refresh(state) {
  await take(state, await getJson(`${state.room}/state`));
}

/** Show a state of the room; what all see has no vote, but each page knows its own. */
async function take(state, told, document = null) {
  const before = state.told;
  const same = before && ["lesson", "number", "round"].every((name) => before[name] === told[name]);
  if (!("vote" in told) && !same && (told.phase === "counted" || told.phase === "told")) return refresh(state); // back at a question
  state.told = "vote" in told ? told : { ...told, vote: same ? before.vote : null };
  state.failed = false;
  say(state, saying(state));
  await showPlace(state, document);
}

async function showPlace(state, sent) {
  const { told, base } = state;
  const key = `${told.lesson}.${told.number}.${told.revealed}.${told.phase}.${told.round}`;
  if (key === state.shown) return markVote(state);
  if (!state.stories.has(told.lesson)) state.stories.set(told.lesson, await getJson(`${base}/stories/${told.lesson}.json`));
  const document = sent ?? (await getJson(`${base}/beats/${told.lesson}/${told.number}${told.revealed ? ".answer" : ""}.json`));
  if (told.phase !== "vote" && document.ask && !told.revealed) document.ask.closed = true;
  const at = { number: told.number, revealed: told.revealed };
  sessionStorage.setItem(guessKeyOf(told.lesson, told.number), told.vote ?? "");
  const data = { ...state.stories.get(told.lesson), at, document, base, playlist: null, desk: "", follows: true };
  state.draw({ data, parentElement: state.parent, setTriggerValue: (event, value) => event === "voted" && vote(state, value) });
  state.lab.href = `${base}/${document.lab ?? told.lesson}`;
  state.shown = key;
  markVote(state);
}

async function vote(state, choice) {
  try {
    state.told = await post(state, "vote", { choice });
    say(state, saying(state));
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
  const stream = new globalThis.EventSource(`${state.room}/events`);
  stream.onmessage = ({ data }) => {
    const { told, document } = JSON.parse(data);
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
  setInterval(() => state.told && !state.told.ended && follow(state), ALIVE);
}
