/* The static site: documents and code are scripts beside the page, each of one call of `attendSource.take`.

   The page says by its data attributes what it shows: <main data-view="story" data-of="viterbi" data-code="…">. A lecture is played on the
   pages of its lessons: ?beat=<lecture>.<number> in the address. */

import { element } from "../views/shared/element.js";
import { openShadow } from "../views/shared/shadow.js";
import { beatIn } from "../views/story/places.js";
import { loadPlotly } from "../views/shared/plotly.js";

const page = document.documentElement.dataset; // server: the address of a course that runs, or none; start: what starts one
const taken = new Map(); // "<kind>/<name>" -> what a script handed over
const waiting = new Map(); // the same -> { done, fail, asked }
const FONTS = "attend-fonts"; // in this session: the font has come once

/** What a script hands over: it runs once, now or before it is asked for. */
function take(name, made) {
  taken.set(name, made);
  waiting.get(name)?.done(made);
}

/** What a script of the site hands over, once it has come. */
function load(name, file) {
  if (taken.has(name)) return Promise.resolve(taken.get(name));
  if (waiting.has(name)) return waiting.get(name).asked;
  const entry = /** @type {any} */ ({});
  entry.asked = new Promise((done, fail) => Object.assign(entry, { done, fail }));
  waiting.set(name, entry);
  const script = document.createElement("script");
  script.src = file;
  script.onerror = () => {
    waiting.delete(name);
    script.remove(); // it can be asked for again
    entry.fail(new Error(`${file} did not come.`));
  };
  if (![...document.scripts].some((each) => each.src === script.src)) document.head.append(script);
  return entry.asked;
}

/** A value as the names of files hold it (core/site/documents.py). */
function written(value) {
  const number = typeof value === "boolean" ? NaN : Number(value);
  const plain = String(value).trim() !== "" && Number.isFinite(number) ? String(number) : String(value);
  return plain.replace(/[^A-Za-z0-9.-]/gu, (sign) => `~${/** @type {number} */ (sign.codePointAt(0)).toString(16)}`);
}

function needsCourse() {
  return Object.assign(new Error("Only the course itself computes this."), { needsCourse: true });
}

/** The name of the document that a change asks for. */
function nameOf(number, { changes = {}, event = "" }, shown) {
  const names = shown?.enumerated ?? [];
  const others = Object.keys(changes).filter((name) => !names.includes(name));
  if (event || others.length || !names.length) throw needsCourse();
  const now = Object.fromEntries(shown.controls.map((each) => [each.name, each.value]));
  return [number, ...names.map((name) => written(changes[name] ?? now[name]))].join("_");
}

async function documentAt(lesson, { number, revealed }, asked, shown) {
  const first = revealed ? `${number}.answer` : String(number);
  const name = asked ? nameOf(number, asked, shown) : first;
  const found = await load(`beats/${lesson}/${name}`, `beats/${lesson}/${name}.js`);
  if (found.picture?.data?.plotly) loadPlotly(found.picture.data.plotly).catch(() => undefined); // while the beat before is read
  return found;
}

/** The description of a document, which stands among the files by the same name. */
function descriptionAt(lesson, { number, revealed }, changes, shown) {
  const first = revealed ? `${number}.answer` : String(number);
  const name = Object.keys(changes ?? {}).length ? nameOf(number, { changes: {} }, shown) : first;
  return load(`descriptions/${lesson}/${name}`, `descriptions/${lesson}/${name}.js`);
}

/** The lab is the course's own: on a server that was named, or on the reader's machine. */
function openLab(state) {
  const { labels } = state.data;
  if (page.server) return location.assign(page.server + state.document.lab);
  document.querySelector(".how-to-start")?.remove();
  const dialog = element("dialog", "how-to-start", element("h2", "", labels.open_lab), element("p", "", labels.start_course));
  const close = element("button", "", labels.close);
  close.onclick = () => dialog.remove();
  dialog.append(element("pre", "", page.start ?? ""), close);
  document.body.append(dialog);
  dialog.showModal();
}

globalThis.attendSource = {
  take,
  document: documentAt,
  description: page.fonts ? descriptionAt : null, // one file has none
  code: (file) => load(`code/${/([\w-]+)\.[^/]*$/.exec(file)?.[1]}`, file),
  open: (address) => location.assign(address),
  page: (name) => `${name || "index"}.html`,
  lab: openLab,
  file: null,
};

/** What the address says was changed in a beat, as far as there is a document of it. */
async function documentInAddress(lesson, place, parameters) {
  const shown = await documentAt(lesson, place);
  const given = shown.enumerated.filter((name) => parameters.has(`${lesson}_${name}`));
  const changes = Object.fromEntries(given.map((name) => [name, parameters.get(`${lesson}_${name}`)]));
  return given.length ? documentAt(lesson, place, { changes }, shown).catch(() => shown) : shown;
}

/** The story's data, at the place and in the lecture that the address names. */
async function storyOf(lesson) {
  const data = await load(`story/${lesson}`, `stories/${lesson}.js`);
  const parameters = new URLSearchParams(location.search);
  const { name, answered, number: named } = beatIn(location) ?? { name: lesson, answered: false, number: 1 };
  let [number, playlist] = [named, /** @type {any} */ (null)];
  if (name !== lesson) {
    playlist = await load(`lecture/${name}`, `lectures/${name}.js`).catch(() => null);
    const beat = playlist?.beats[number - 1];
    playlist = beat?.lesson === lesson ? { ...playlist, at: number - 1 } : null;
    number = playlist ? beat.number : 1;
  }
  if (!(number >= 1 && number <= data.beats.length)) number = 1;
  const revealed = answered && data.beats[number - 1].kind === "ask";
  const place = { number, revealed };
  return { ...data, at: place, playlist, document: await documentInAddress(lesson, place, parameters), base: "" };
}

async function mountPage() {
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  const { view, code, of } = main.dataset;
  if (view) {
    const [{ default: draw, styles }, data] = await Promise.all([
      globalThis.attendSource.code(code),
      view === "story" ? storyOf(of) : load(`page/${of}`, `pages/${of}.js`),
    ]);
    const box = element("div", "mounted");
    const parent = element("div", "");
    openShadow(box, styles, parent);
    main.append(box);
    const component = { data, parentElement: parent, setTriggerValue: () => undefined };
    draw(component);
    window.addEventListener("popstate", async () => {
      if (view === "story") component.data = await storyOf(of); // the address is where a story stands, and how
      draw(component);
    });
  }
  addFonts();
}

/** The course's fonts come after the first picture; once they are here, the next page has them at once. */
function addFonts() {
  if (!page.fonts) return; // one file has none
  const sheet = document.createElement("link");
  Object.assign(sheet, { rel: "stylesheet", href: page.fonts });
  sheet.onload = () => sessionStorage.setItem(FONTS, "here");
  const idle = globalThis.requestIdleCallback ?? ((act) => setTimeout(act, 300));
  if (sessionStorage.getItem(FONTS)) document.head.append(sheet);
  else idle(() => document.head.append(sheet), { timeout: 3000 });
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", mountPage);
else mountPage();
