/* The Viterbi lattice, stepped cell by cell. Every number comes from pages/hidden_markov_models/viterbi/figures.py: this
   formats, places and reveals them, and compares a student's numbers with them. It reports `first`, the first word of the
   window that is asked for, and keeps in the address its step and how it is set. */

import { onReturn, recalled } from "../shared/address.js";
import { element } from "../shared/element.js";
import { drawIcon } from "../shared/icons.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { buildBoard } from "./board.js";
import { drawEdges, drawStatus, traced } from "./drawing.js";
import { labelled, format, update } from "./format.js";
import { comeBack, keep, keepPlace, recallAll, setSpeed } from "./kept.js";
import { drawPanel, endTurn, yourTurn } from "./panel.js";
import { buildTables, drawDuel, drawTableCells, drawWindows } from "./tables.js";

const SPEEDS = [1600, 800, 350, 120]; // milliseconds a step

class LatticeView {
  constructor(root) {
    this.step = 0;
    this.log = true;
    this.speed = 1;
    this.byWord = false;
    this.fit = false;
    this.shown = new Set(["viterbi"]);
    this.chosen = null; // the cell whose candidates are shown: [t, j], or null for the one of this step
    this.turn = null; // the column that the student fills, or null
    this.timer = 0;
    this.data = null; // what the page sent, see pages/hidden_markov_models/viterbi/figures.py
    this.shownData = null;
    this.report = null;
    /** @type {any[]} */
    this.tableCells = this.headers = this.cells = [];
    this.tagWidth = this.column = this.row = this.head = 0; // pixels, see layOut
    this.play = labelled("", translated("Play or pause (space)"), () => this.toggle());
    this.build(root);
    this.watch = new ResizeObserver(() => this.data && this.layOut());
    this.watch.observe(this.board);
    onReturn(this.root, () => this.data && comeBack(this));
  }

  rest() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.play.replaceChildren(drawIcon("play"), ` ${translated("Play")}`);
  }

  // ---- what is built once

  build(root) {
    this.root = root;
    this.root.tabIndex = 0;
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", translated("Viterbi lattice. Right and left arrow step, space plays."));
    this.root.onkeydown = (event) => this.key(event);
    this.board = element("div", "board");
    this.board.tabIndex = 0; // a region that scrolls can be scrolled by keyboard
    this.board.setAttribute("role", "region");
    this.board.setAttribute("aria-label", translated("Lattice"));
    this.panel = element("div", "panel");
    this.status = element("p", "status");
    this.status.setAttribute("aria-live", "polite");
    this.tables = element("div", "tables");
    this.duel = element("div", "duel");
    this.windows = element("div", "windows");
    const stage = element("div", "stage");
    stage.append(this.board, this.panel);
    this.root.append(this.bar(), this.status, stage, this.windows, this.duel, this.tables);
  }

  bar() {
    const bar = element("div", "bar");
    this.rest();
    this.play.classList.add("primary");
    this.slider = element("input");
    this.slider.type = "range";
    this.slider.min = 0;
    this.slider.setAttribute("aria-label", translated("Step"));
    this.slider.oninput = () => this.go(Number(this.slider.value));
    this.pace = element("select");
    this.pace.setAttribute("aria-label", translated("Speed"));
    [translated("slow"), translated("normal"), translated("fast"), translated("very fast")].forEach((name, i) => {
      const option = element("option", "", name);
      option.value = i;
      this.pace.append(option);
    });
    this.pace.value = this.speed;
    this.pace.onchange = () => setSpeed(this, Number(this.pace.value));
    this.byWordBox = this.checkbox(translated("word by word"), (on) => (this.byWord = on), "words");
    this.rawBox = this.checkbox(translated("raw probabilities"), (on) => {
      this.log = !on;
      this.layOut();
    }, "raw");
    this.fitBox = this.checkbox(translated("whole sentence"), (on) => {
      this.fit = on;
      this.layOut();
    }, "whole");
    this.turnButton = labelled(translated("Your turn"), translated("Fill the next column yourself"), () => yourTurn(this));
    bar.append(
      labelled("«", translated("First step (Home)"), () => this.go(0)),
      labelled("‹", translated("Step back (left arrow)"), () => this.go(this.step - 1)),
      this.play,
      labelled("›", translated("Next step (right arrow)"), () => this.next()),
      labelled("»", translated("Last step (End)"), () => this.go(this.data.steps.length - 1)),
      this.slider,
      this.pace,
      this.byWordBox,
      this.rawBox,
      this.fitBox,
      this.turnButton,
    );
    return bar;
  }

  checkbox(name, act, kept = "") {
    const label = element("label", "switch");
    const box = element("input");
    box.type = "checkbox";
    box.onchange = () => act(box.checked);
    if (kept) box.addEventListener("change", () => keep(this, kept, box.checked ? "true" : null));
    label.append(box, document.createTextNode(name));
    return label;
  }

  // ---- new data: a sentence, a model, a window

  receive(data) {
    const before = this.shownData;
    this.shownData = data;
    this.rest();
    const linked = before ? null : recallAll(this);
    const n = data.words.length;
    const same = before && before.id === data.id && before.first === data.first;
    if (!same) {
      this.step = before ? 0 : Math.max(0, Number(recalled(`${data.address}_step`)) - 1);
      this.chosen = linked;
      this.turn = null;
      if (before) keepPlace(this);
    }
    this.step = Math.min(this.step, data.steps.length - 1);
    if (!same && before && before.first !== data.first && before.id === data.id) this.board.scrollLeft = 0;
    this.filledAt = data.words.map(() => data.states.map(() => Infinity));
    if (data.first > 0) this.filledAt[0].fill(-1);
    data.steps.forEach(([kind, t, j], i) => {
      if (kind === "initialise" || kind === "keep") this.filledAt[t][j] = i;
    });
    this.traceStart = data.steps.findIndex(([kind]) => kind === "trace back");
    this.columnEnd = data.words.map((_, t) => Math.max(...this.filledAt[t]));
    this.slider.max = data.steps.length - 1;
    this.root.classList.toggle("long", n > 12);
    drawWindows(this);
    drawDuel(this);
    this.layOut();
  }

  get numbers() {
    return this.log ? this.data.log : this.data.raw;
  }

  score(t, j) {
    return this.numbers.scores[t][j];
  }

  // ---- moving

  go(step) {
    this.step = Math.max(0, Math.min(step, this.data.steps.length - 1));
    this.chosen = null;
    keepPlace(this);
    endTurn(this);
    this.draw();
    this.follow();
  }

  next() {
    if (!this.byWord) return this.go(this.step + 1);
    const later = this.columnEnd.filter((end) => end > this.step);
    const target = later.length ? Math.min(...later) : this.step + 1;
    return this.go(target);
  }

  toggle() {
    if (this.timer) return this.rest();
    if (this.step === this.data.steps.length - 1) this.go(0);
    this.play.replaceChildren(drawIcon("pause"), ` ${translated("Pause")}`);
    const tick = () => {
      this.next();
      if (this.step < this.data.steps.length - 1) this.timer = setTimeout(tick, SPEEDS[this.speed]);
      else this.rest();
    };
    this.timer = setTimeout(tick, SPEEDS[this.speed]);
    return undefined;
  }

  key(event) {
    const typing = ["INPUT", "SELECT"].includes(event.target.tagName);
    if (typing || event.altKey || event.ctrlKey || event.metaKey) return;
    const onButton = event.target.tagName === "BUTTON";
    const acts = {
      ArrowRight: () => (event.shiftKey ? this.move(1, 0) : this.next()),
      ArrowLeft: () => (event.shiftKey ? this.move(-1, 0) : this.go(this.step - 1)),
      ArrowDown: () => this.move(0, 1),
      ArrowUp: () => this.move(0, -1),
      Home: () => this.go(0),
      End: () => this.go(this.data.steps.length - 1),
      " ": onButton ? null : () => this.toggle(),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    if (event.key !== " ") this.rest();
    acts[event.key]();
  }

  /** Choose a neighbouring cell, among those that are filled. */
  move(right, down) {
    const [t, j] = this.cell();
    this.choose(
      Math.max(0, Math.min(t + right, this.data.words.length - 1)),
      Math.max(0, Math.min(j + down, this.data.states.length - 1)),
    );
  }

  choose(t, j) {
    this.rest();
    this.chosen = [t, j];
    keepPlace(this);
    this.draw();
  }

  /** The cell whose candidates are shown. */
  cell() {
    const [, t, j] = this.data.steps[this.step];
    return this.chosen ?? [t, j];
  }

  filled(t, j) {
    return this.filledAt[t][j] <= this.step;
  }

  /** The student is filling this column and has not finished it. */
  open(t) {
    return this.turn !== null && t === this.turn.t && !this.turn.done;
  }

  // ---- sizes

  layOut() {
    const { words, states } = this.data;
    const wide = this.board.clientWidth || 600;
    const narrow = wide < 520;
    const letters = Math.max(4, ...states.map((state) => state.length));
    this.tagWidth = Math.min(narrow ? 78 : 150, 16 + (narrow ? 10 : states.length <= 4 ? 15 : 12) * letters);
    const room = (wide - this.tagWidth - 8) / words.length;
    const least = narrow ? 86 : 106;
    this.column = this.fit ? Math.max(9, Math.min(room, 190)) : Math.max(least, Math.min(room, 190));
    this.small = this.column < 62; // no room for numbers in the cells
    this.row = states.length <= 4 ? 62 : states.length <= 8 ? 46 : 38;
    this.head = this.small ? 96 : 34;
    this.box = this.small ? Math.max(5, Math.min(14, this.column - 4)) : this.column - (narrow ? 20 : 32);
    this.boxHeight = this.small ? this.box : this.row - 12;
    const large = !narrow && states.length <= 4 && this.column >= 130;
    this.root.style.setProperty("--cell-size", large ? "20px" : narrow ? "13px" : "16px");
    this.root.style.setProperty("--tag-width", `${this.tagWidth}px`);
    buildBoard(this);
    buildTables(this);
    this.draw();
    this.follow();
  }

  x(t) {
    return this.tagWidth + (t + 0.5) * this.column;
  }

  y(j) {
    return this.head + (j + 0.5) * this.row;
  }

  follow() {
    const [, t] = this.data.steps[this.step];
    const room = this.board.clientWidth - this.tagWidth;
    const left = this.x(t) - this.tagWidth - this.column;
    if (left < this.board.scrollLeft || left + 2 * this.column > this.board.scrollLeft + room) {
      this.board.scrollLeft = Math.max(0, left - room / 3);
    }
    for (const cell of this.tableCells[t][0]) {
      const frame = cell.closest(".scroll");
      if (frame.scrollWidth > frame.clientWidth) frame.scrollLeft = cell.offsetLeft - frame.clientWidth / 2;
    }
  }

  // ---- drawing a step

  draw() {
    this.slider.value = this.step;
    const [kind, t, j] = this.data.steps[this.step];
    const [shownT, shownJ] = this.cell();
    const route = traced(this);
    const pruning = this.data.paths.filter((path) => path.id !== "viterbi" && this.shown.has(path.id));
    this.data.words.forEach((_, u) => {
      this.headers[u].classList.toggle("now", u === t);
      const asked = this.open(u);
      this.data.states.forEach((_, k) => {
        const filled = this.filled(u, k) && !asked;
        const best = route.has(u) && this.numbers.path[u] === k;
        const now = u === t && k === j && kind !== "trace back";
        const classes = [
          "cell",
          filled && "filled",
          now && "now",
          u === shownT && k === shownJ && "chosen",
          best && "best",
          filled && !this.possible(u, k) && "impossible",
          filled && this.lost(u) && "gone",
          filled && pruning.length > 0 && !pruning.some((path) => path.kept[u][k]) && "pruned",
          asked && "asked",
        ];
        const score = filled ? format(this.score(u, k), this.log) : "";
        const text = asked ? undefined : this.small ? "" : score;
        update(this.cells[u][k], classes.filter(Boolean).join(" "), text);
        drawTableCells(this, u, k, filled, now, best, score);
      });
    });
    drawEdges(this, kind, route);
    drawStatus(this, kind, t, j);
    drawPanel(this, shownT, shownJ);
  }

  /** The candidates of this cell may be shown: everything before it is filled, or it is. */
  known(t, j) {
    if (this.open(t)) return false;
    const [kind, now, state] = this.data.steps[this.step];
    return this.filled(t, j) || (kind === "compare" && now === t && state === j);
  }

  /** The score is not nought. */
  possible(t, j) {
    return this.log ? this.score(t, j) !== null : this.score(t, j) !== 0;
  }

  /** Raw probabilities have underflowed at or before this word. */
  lost(t) {
    return !this.log && this.data.raw.underflow !== null && t >= this.data.raw.underflow;
  }
}

export default function draw(component) {
  const view = mount(component, "lattice", (root) => new LatticeView(root));
  view.receive(component.data);
  return () => {
    view.rest();
    view.watch.disconnect();
    unmount(component.parentElement)();
  };
}
