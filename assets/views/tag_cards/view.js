/* A sentence in cards, each word above its tag, and below it bars in up to three panels side by side. It fills its room,
   and what stays from one picture to the next moves there.

   data: { cards: [{ word, tag, hue, kind, unseen, struck: { tag, hue } or null }], key: [{ kind, text, hue, tag }],
   panels: [{ title, whole, rows: [{ name, tags: [{ tag, hue }], hue, mark, share, text, kind }] }], sum }.
   Kinds of card: plain, now (framed), open (its tag is asked for). Kinds of row: plain, best, faint. `struck` is a tag that
   is struck out below the card's own. A `whole` panel draws how far a bar of 100% would reach. Every text and every share was formatted by core. */

import { element } from "../shared/element.js";
import { comeFrom } from "../shared/kept.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";

const [LARGEST, SMALLEST, TAG] = [50, 15, 15]; // pixels: of a word, and the least of a tag
const [WORD_WIDE, TAG_WIDE] = [0.56, 0.68]; // of a letter: its width, as a part of its height
const NARROW = 620; // pixels
const SHARE = 0.44; // of the room that cards have above panels, at most

function buildCards(root) {
  root.classList.add("fills");
  const [cards, key, panels, sum] = [element("div", "cards"), element("div", "key"), element("div", "panels"), element("p", "sum")];
  root.append(cards, key, panels, sum);
  const state = { root, cards, key, panels, sum, kept: new Map() };
  state.watch = new ResizeObserver(() => state.data && sizeCards(state));
  state.watch.observe(root);
  return state;
}

/** The size of words and of tags at which all cards have room. */
function fittingSize({ cards, panels }, width, height) {
  const struck = cards.some((card) => card.struck);
  const room = panels.length ? height * SHARE : height * 0.8;
  for (let size = LARGEST; size > SMALLEST; size--) {
    const tag = Math.max(TAG, size * 0.56);
    const tall = size * 1.25 + tag * (struck ? 3.5 : 1.75) + 24;
    let [rows, at] = [1, 0];
    for (const card of cards) {
      const wide = Math.max(card.word.length * WORD_WIDE * size, Math.max(card.tag.length, card.struck?.tag.length ?? 0, 2) * TAG_WIDE * tag + 14) + 26;
      if (at && at + wide > width) [rows, at] = [rows + 1, 0];
      at += Math.min(wide, width);
    }
    if (rows * tall <= room) return size;
  }
  return SMALLEST;
}

/** @param {any} state */
function sizeCards(state) {
  const { root, data } = state;
  const [width, height] = [root.clientWidth || 600, root.clientHeight || 400];
  const size = fittingSize(data, width, height);
  root.style.setProperty("--size", `${size}px`);
  root.style.setProperty("--tag-size", `${Math.max(TAG, size * 0.56)}px`);
  root.classList.toggle("narrow", width < NARROW);
  balanceRows(state);
}

/** Make the rows of cards about equally long: the narrowest box in which there are no more rows. */
function balanceRows({ root, cards }) {
  cards.style.maxWidth = "";
  const rows = () => new Set([...cards.children].map((each) => each.offsetTop)).size;
  const wanted = rows();
  if (wanted < 2) return;
  let [low, high] = [root.clientWidth / 2, root.clientWidth];
  while (high - low > 4) {
    const middle = (low + high) / 2;
    cards.style.maxWidth = `${middle}px`;
    if (rows() > wanted) low = middle;
    else high = middle;
  }
  cards.style.maxWidth = `${high}px`;
}

function chip({ tag, hue }, className = "tag") {
  const made = element("span", className, tag);
  made.style.setProperty("--hue", `var(--${hue})`);
  return made;
}

function makeCard() {
  return element("div", "card", element("span", "word"), element("span", "tag"), element("span", "struck"));
}

function layCard(made, card, i) {
  const [word, tag, other] = made.children;
  made.className = `card ${card.kind}${card.unseen ? " unseen" : ""}${card.struck ? " changed" : ""}`;
  made.dataset.mark = `word.${i}`;
  word.textContent = card.word;
  other.textContent = card.struck?.tag ?? "";
  tag.textContent = card.tag;
  tag.style.setProperty("--hue", `var(--${card.hue})`);
}

/** Cards by word, so that a word that stays is the same card. */
function numbered(cards) {
  const seen = new Map();
  return cards.map((card) => {
    const number = seen.get(card.word) ?? 0;
    seen.set(card.word, number + 1);
    return [`${card.word} ${number}`, card];
  });
}

/** Put the cards in their order; return what moves them there from where they were. */
function layCards(state) {
  const { cards, kept, data } = state;
  const before = new Map([...kept].map(([key, made]) => [key, made.getBoundingClientRect()]));
  const wanted = numbered(data.cards);
  const keys = new Set(wanted.map(([key]) => key));
  for (const [key, made] of kept) {
    if (keys.has(key)) continue;
    made.remove();
    kept.delete(key);
  }
  wanted.forEach(([key, card], i) => {
    if (!kept.has(key)) kept.set(key, makeCard());
    const made = kept.get(key);
    layCard(made, card, i);
    if (cards.children[i] !== made) cards.insertBefore(made, cards.children[i] ?? null);
  });
  return () => {
    if (before.size) for (const [key, made] of kept) comeFrom(made, before.get(key));
  };
}

function layKey({ key, data }) {
  const entries = data.key.map(({ kind, text, tag, hue }) => {
    const sample = kind === "tag" ? chip({ tag, hue }) : element("span", `sample ${kind}`, kind === "struck" ? translated("TAG") : kind === "unseen" ? translated("word") : "");
    return element("span", "entry", sample, element("span", "", text));
  });
  key.replaceChildren(...entries);
}

function makeRow() {
  return element("div", "row", element("div", "name"), element("div", "track", element("i", "bar"), element("b", "value")));
}

function layRow(made, { name, tags, hue, mark, share, text, kind }) {
  made.className = `row ${kind}`;
  made.dataset.mark = mark;
  made.style.setProperty("--hue", `var(--${hue})`);
  const [label, track] = made.children;
  label.replaceChildren(...tags.map((tag) => chip(tag)), ...(name ? [element("span", "words", name)] : []));
  track.style.setProperty("--share", share);
  track.children[1].textContent = text;
}

function layPanel(made, { title, whole, rows }) {
  const [heading, list] = made.children;
  heading.textContent = title;
  while (list.children.length > rows.length) list.lastChild.remove();
  while (list.children.length < rows.length) list.append(makeRow());
  rows.forEach((row, i) => layRow(list.children[i], row));
  made.classList.toggle("whole", whole);
  made.classList.toggle("named", rows.some(({ name }) => name));
  made.style.setProperty("--letters", String(Math.max(...rows.map(({ text }) => text.length))));
  made.style.setProperty("--longest", `${Math.max(...rows.map(({ name, tags }) => name.length * 0.52 + tags.reduce((sum, { tag }) => sum + tag.length * 0.62 + 1.3, 0)))}em`);
}

function layPanels({ panels, data }) {
  while (panels.children.length > data.panels.length) panels.lastChild.remove();
  while (panels.children.length < data.panels.length) panels.append(element("section", "panel", element("h3", "title"), element("div", "rows")));
  data.panels.forEach((panel, i) => layPanel(panels.children[i], panel));
}

export default function draw(component) {
  const state = mount(component, "tag-cards", buildCards);
  const { data, root } = state;
  root.classList.toggle("with-panels", data.panels.length > 0);
  root.classList.toggle("with-cards", data.cards.length > 0);
  root.dataset.panels = String(data.panels.length);
  const move = layCards(state);
  layKey(state);
  layPanels(state);
  state.sum.textContent = data.sum;
  sizeCards(state);
  move();
  return () => {
    state.watch.disconnect();
    unmount(component.parentElement)();
  };
}
