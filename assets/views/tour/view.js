/* The tour of a lesson or a lecture over lessons: where the play stands, back and next.

   data: { playlist, title, at, beats: [{ title, link, look }], carried: [key], there, open, pinned, go,
   lesson, base, ahead: addresses of the code that the next beat's lesson draws with }. A beat is a link: to go to it, the
   browser goes to the link as its Back button would, and Streamlit sets every control by it. `look` is the key of the
   part of the page that the beat speaks of; it is outlined and brought into sight. It reports `fold` and, of the result
   that is `pinned` to be compared, `pin`; `go` is the address where the page must be first, so that it knows that result. */

import { course } from "../shared/course.js";
import { button, element } from "../shared/element.js";
import { addressOf, follow } from "../shared/follow.js";
import { hostAt, moveRoom, openSpeaker, resumeRoom } from "../shared/host.js";
import { drawIcon } from "../shared/icons.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { prepare } from "./ahead.js";
import { present, presenting } from "./presenting.js";

const YEAR = 31_536_000; // seconds
const DOTS = 9; // beats, at most, that are drawn as dots; a lecture has no room for them

function build(root) {
  const state = { outlined: null, drawn: "", timer: 0, data: /** @type {any} */ (null), report: (event, value) => void [event, value] };
  course().tour = {
    move: (by) => go(state, state.data.there ? state.data.at + by : state.data.at),
    goToBeat: (at) => go(state, at),
    speaker: () => openSpeaker(hostAt(state.data.base)),
    fold: () => fold(state, state.data.open),
  };
  state.resized = () => {
    root.classList.toggle("presented", presenting());
    present(state, state.outlined);
  };
  window.addEventListener("resize", state.resized); // P presents, and ends it
  return Object.assign(state, { root });
}

function go(state, at) {
  if (at < 0 || at >= state.data.beats.length) return;
  const { beats, carried, playlist } = state.data;
  const { path, parameters } = addressOf(beats[at].link, location, carried, beats[state.data.at].link);
  parameters.set("beat", `${playlist}.${at + 1}`);
  follow(`${path}?${parameters}`);
}

function pinButton(state, pinned) {
  const made = button("pin", "", () => state.report("pin", !pinned));
  made.append(drawIcon("pin"), ` ${translated(pinned ? "Unpin" : "Pin")}`);
  made.title = translated(pinned ? "Let what is pinned go" : "Keep this result beside what comes of other settings");
  made.setAttribute("aria-pressed", String(pinned));
  return made;
}

function fold(state, away) {
  document.cookie = `attend_tours=${away ? "folded" : "open"}; path=/; max-age=${YEAR}; samesite=lax`;
  const parameters = new URLSearchParams(location.search);
  if (parameters.has("beat")) {
    parameters.delete("beat");
    const query = parameters.toString();
    history.replaceState(history.state, "", location.pathname + (query ? `?${query}` : ""));
  }
  state.report("fold", away);
}

/** Outline what the beat speaks of, as soon as it stands on the page, and bring it into sight. */
function outline(state, look, scroll) {
  clearInterval(state.timer);
  state.outlined?.classList.remove("attend-look");
  state.outlined = null;
  if (!look) return present(state, null);
  let tries = 0;
  const show = () => {
    const found = document.querySelector(`.st-key-${CSS.escape(look)}, [class*="st-key-${CSS.escape(look)}_"]`);
    if (++tries > 30 || found) clearInterval(state.timer);
    if (!(found instanceof HTMLElement)) return;
    state.outlined = found;
    found.classList.add("attend-look");
    if (presenting()) present(state, found);
    else if (scroll) bringIntoSight(found);
  };
  state.timer = window.setInterval(show, 100);
  show();
}

/** Scroll until a part stands below the bar; the title above it, where there is room for both. */
function bringIntoSight(part) {
  const main = document.querySelector('[data-testid="stMain"]');
  const bar = document.querySelector('[class*="_tour_box"]');
  if (!main || !bar) return;
  const box = part.getBoundingClientRect();
  if (box.top >= 0 && box.bottom <= main.clientHeight) return;
  const fromTop = main.scrollTop + box.top;
  const room = Math.max(bar.getBoundingClientRect().height + 8, (main.clientHeight - box.height) / 2);
  const wholePage = fromTop + box.height <= main.clientHeight;
  main.scrollTo({ top: wholePage ? 0 : fromTop - room, behavior: "smooth" });
}

/** Bring the room, if this window steers one, to the lab's view that the beat is. */
function followInRoom({ data }) {
  if (!location.search.includes("beat=")) return;
  const host = hostAt(data.base);
  resumeRoom(host);
  moveRoom(host, { lesson: data.lesson, number: 0, link: data.beats[data.at].link, playlist: data.playlist, at: data.at });
}

/** How the view is taken down. */
function leave(state, component) {
  return () => {
    window.removeEventListener("resize", state.resized);
    state.growth?.disconnect();
    unmount(component.parentElement)();
  };
}

export default function draw(component) {
  const state = mount(component, "tour", build);
  const { root, data } = state;
  const { at, beats, there, open, title, pinned } = data;
  followInRoom(state);
  if (data.go && data.go !== state.sentTo) follow((state.sentTo = data.go), true); // a link beside this page's
  if (!data.go) state.sentTo = "";
  root.classList.toggle("folded", !open);
  root.classList.toggle("presented", presenting());
  if (!open) {
    root.replaceChildren(button("unfold", `▸ ${translated("Tour, {n} steps", { n: beats.length })}`, () => fold(state, false)), pinButton(state, pinned));
    outline(state, "", false);
    return leave(state, component);
  }
  const label = translated("{n} of {total}", { n: at + 1, total: beats.length });
  const back = button("back", `◀ ${translated("Back")}`, () => go(state, at - 1));
  const next = button("next", there ? `${translated("Next")} ▶` : translated("Come back"), () => go(state, there ? at + 1 : at));
  back.disabled = at === 0;
  next.disabled = there && at === beats.length - 1;
  const places = element("span", "places");
  places.setAttribute("aria-hidden", "true");
  if (beats.length <= DOTS) beats.forEach((_, i) => places.append(element("i", i === at ? "place here" : i < at ? "place seen" : "place")));
  const away = button("away", "", () => fold(state, true));
  away.append(drawIcon("x"));
  away.setAttribute("aria-label", away.title = translated("Fold the tours away"));
  const name = element("strong", "name", beats[at].title);
  name.title = title;
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", `${title}, ${label}`);
  root.replaceChildren(element("span", "number", label), places, name, back, next, pinButton(state, pinned), away);
  prepare(data.ahead);
  const now = `${data.playlist} ${at} ${there}`;
  if (now !== state.drawn) outline(state, there ? beats[at].look : "", state.drawn !== "" || location.search.includes("beat="));
  state.drawn = now;
  course().drain?.(); // the beat that was on its way is here
  return leave(state, component);
}
