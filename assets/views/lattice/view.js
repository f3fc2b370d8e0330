// The Viterbi lattice, stepped cell by cell. Every number comes from core/figures/hidden_markov_models/lattice.py: this file formats,
// places and reveals them, and compares a student's numbers with them.

const SVG = "http://www.w3.org/2000/svg";
const SPEEDS = [1600, 800, 350, 120]; // milliseconds a step
const views = new WeakMap();

export default function ({ data, parentElement, setStateValue }) {
  let view = views.get(parentElement);
  if (!view) {
    view = new LatticeView(parentElement);
    views.set(parentElement, view);
  }
  view.receive(data, setStateValue);
  return () => view.rest();
}

function element(tag, className = "", text = "") {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== "") node.textContent = text;
  return node;
}

function button(text, label, act) {
  const node = element("button", "", text);
  node.type = "button";
  node.title = label;
  if (text.length === 1) node.setAttribute("aria-label", label); // a sign, not a word
  node.onclick = act;
  return node;
}

/** A score as a cell shows it: logarithms with two decimals, probabilities with three figures. */
function format(value, log) {
  if (value === null) return "−∞";
  if (log) return value.toFixed(2).replace("-", "−");
  if (value === 0) return "0";
  if (value >= 0.001) return String(Number(value.toPrecision(3)));
  const [digits, exponent] = value.toExponential(1).split("e");
  return `${digits}e${exponent.replace("-", "−")}`;
}

/** What a student typed: 0.5, 0,5, -1.2, −1.2, 1.2e-5 or −∞; null when it is no number. */
function parse(text) {
  const plain = text.trim().replace(/−/g, "-").replace(",", ".");
  if (/^-(∞|inf)/i.test(plain)) return -Infinity;
  return plain === "" || Number.isNaN(Number(plain)) ? null : Number(plain);
}

/** Set what a node shows and how, and leave it alone when nothing changed. */
function update(node, className, text) {
  if (node.shownClass !== className) node.setAttribute("class", (node.shownClass = className));
  if (text !== undefined && node.shownText !== text) node.textContent = node.shownText = text;
}

class LatticeView {
  constructor(parent) {
    this.step = 0;
    this.log = true;
    this.speed = 1;
    this.byWord = false;
    this.fit = false;
    this.shown = new Set(["Viterbi"]);
    this.chosen = null; // the cell whose candidates are shown: [t, j], or null for the one of this step
    this.turn = null; // the column that the student fills, or null
    this.timer = null;
    this.build(parent);
    this.watch = new ResizeObserver(() => this.data && this.layOut());
    this.watch.observe(this.board);
  }

  rest() {
    clearTimeout(this.timer);
    this.timer = null;
    if (this.play) this.play.textContent = "▶ Play";
  }

  // ---- what is built once

  build(parent) {
    this.root = element("section", "lattice");
    this.root.tabIndex = 0;
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", "Viterbi lattice. Right and left arrow step, space plays.");
    this.root.onkeydown = (event) => this.key(event);
    this.board = element("div", "board");
    this.board.tabIndex = 0; // a region that scrolls can be scrolled by keyboard
    this.board.setAttribute("role", "region");
    this.board.setAttribute("aria-label", "Lattice");
    this.panel = element("div", "panel");
    this.status = element("p", "status");
    this.status.setAttribute("aria-live", "polite");
    this.tables = element("div", "tables");
    this.duel = element("div", "duel");
    this.windows = element("div", "windows");
    const stage = element("div", "stage");
    stage.append(this.board, this.panel);
    this.root.append(this.bar(), this.status, stage, this.windows, this.duel, this.tables);
    parent.append(this.root);
  }

  bar() {
    const bar = element("div", "bar");
    this.play = button("▶ Play", "Play or pause (space)", () => this.toggle());
    this.play.classList.add("primary");
    this.slider = element("input");
    this.slider.type = "range";
    this.slider.min = 0;
    this.slider.setAttribute("aria-label", "Step");
    this.slider.oninput = () => this.go(Number(this.slider.value));
    this.pace = element("select");
    this.pace.setAttribute("aria-label", "Speed");
    ["slow", "normal", "fast", "very fast"].forEach((name, i) => {
      const option = element("option", "", name);
      option.value = i;
      this.pace.append(option);
    });
    this.pace.value = this.speed;
    this.pace.onchange = () => (this.speed = Number(this.pace.value));
    this.byWordBox = this.checkbox("word by word", (on) => (this.byWord = on));
    this.rawBox = this.checkbox("raw probabilities", (on) => {
      this.log = !on;
      this.layOut();
    });
    this.fitBox = this.checkbox("whole sentence", (on) => {
      this.fit = on;
      this.layOut();
    });
    this.turnButton = button("Your turn", "Fill the next column yourself", () => this.yourTurn());
    bar.append(
      button("«", "First step (Home)", () => this.go(0)),
      button("‹", "Step back (left arrow)", () => this.go(this.step - 1)),
      this.play,
      button("›", "Next step (right arrow)", () => this.next()),
      button("»", "Last step (End)", () => this.go(this.data.steps.length - 1)),
      this.slider,
      this.pace,
      this.byWordBox,
      this.rawBox,
      this.fitBox,
      this.turnButton,
    );
    return bar;
  }

  checkbox(name, act) {
    const label = element("label", "switch");
    const box = element("input");
    box.type = "checkbox";
    box.onchange = () => act(box.checked);
    label.append(box, document.createTextNode(name));
    return label;
  }

  // ---- new data: a sentence, a model, a window

  receive(data, setStateValue) {
    const before = this.data;
    this.data = data;
    this.setStateValue = setStateValue;
    this.rest();
    const n = data.words.length;
    const same = before && before.id === data.id && before.first === data.first;
    if (!same) {
      this.step = 0;
      this.chosen = this.turn = null;
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
    this.drawWindows();
    this.drawDuel();
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
    this.endTurn();
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
    if (this.timer !== null) return this.rest();
    if (this.step === this.data.steps.length - 1) this.go(0);
    this.play.textContent = "⏸ Pause";
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
    this.buildBoard();
    this.buildTables();
    this.draw();
    this.follow();
  }

  x(t) {
    return this.tagWidth + (t + 0.5) * this.column;
  }

  y(j) {
    return this.head + (j + 0.5) * this.row;
  }

  buildBoard() {
    const { words, states, notes } = this.data;
    const canvas = element("div", this.small ? "canvas small" : "canvas");
    canvas.style.width = `${this.tagWidth + words.length * this.column}px`;
    canvas.style.height = `${this.head + states.length * this.row + 6}px`;
    this.edges = document.createElementNS(SVG, "svg");
    this.edges.setAttribute("aria-hidden", "true");
    this.edges.setAttribute("width", canvas.style.width);
    this.edges.setAttribute("height", canvas.style.height);
    canvas.append(this.edges);
    const below = document.createElementNS(SVG, "g");
    this.above = document.createElementNS(SVG, "g");
    this.edges.append(below, this.above);
    this.backLines = [];
    for (let t = 1; t < words.length; t++) {
      states.forEach((_, j) => {
        this.backLines.push([this.line(below, t, this.numbers.backpointers[t][j], j, "hidden"), t, j]);
      });
    }
    this.headers = words.map((word, t) => {
      const header = element("div", this.small ? "word upright" : "word", word);
      header.style.left = `${this.x(t) - this.column / 2}px`;
      header.style.width = `${this.column}px`;
      header.style.height = `${this.head}px`;
      header.title = `${this.data.first + t + 1}. ${word}${notes[t] ? ": " + notes[t] : ""}`;
      header.classList.toggle("unseen", notes[t].startsWith("never seen"));
      canvas.append(header);
      return header;
    });
    this.cells = words.map((_, t) => states.map((_, j) => this.buildCell(canvas, t, j)));
    const tags = element("div", "tags");
    const corner = element("div", "tag");
    corner.style.height = `${this.head}px`;
    tags.append(corner);
    states.forEach((state) => {
      const tag = element("div", "tag", state);
      tag.style.height = `${this.row}px`;
      tag.title = state;
      tags.append(tag);
    });
    const left = this.board.scrollLeft;
    this.board.replaceChildren(tags, canvas);
    this.board.scrollLeft = left;
  }

  buildCell(canvas, t, j) {
    const cell = element("div", "cell");
    cell.style.left = `${this.x(t) - this.box / 2}px`;
    cell.style.top = `${this.y(j) - this.boxHeight / 2}px`;
    cell.style.width = `${this.box}px`;
    cell.style.height = `${this.boxHeight}px`;
    cell.dataset.t = t;
    cell.dataset.j = j;
    cell.onclick = () => this.choose(t, j);
    canvas.append(cell);
    return cell;
  }

  /** Bring the cell of this step into sight, sideways only. */
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
    const traced = this.traced();
    const pruning = this.data.paths.filter((path) => path.name !== "Viterbi" && this.shown.has(path.name));
    this.data.words.forEach((_, u) => {
      this.headers[u].classList.toggle("now", u === t);
      const asked = this.open(u);
      this.data.states.forEach((_, k) => {
        const filled = this.filled(u, k) && !asked;
        const best = traced.has(u) && this.numbers.path[u] === k;
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
        this.drawTableCells(u, k, filled, now, best, score);
      });
    });
    this.drawEdges(kind, traced);
    this.drawStatus(kind, t, j);
    this.drawPanel(shownT, shownJ);
  }

  /** The words that the trace back has reached. */
  traced() {
    const reached = new Set();
    if (this.traceStart >= 0) {
      for (let i = this.traceStart; i <= this.step; i++) reached.add(this.data.steps[i][1]);
    }
    return reached;
  }

  line(group, t, i, j, className) {
    const half = this.box / 2;
    const line = document.createElementNS(SVG, "line");
    const ends = { x1: this.x(t - 1) + half, y1: this.y(i), x2: this.x(t) - half, y2: this.y(j) };
    for (const [name, value] of Object.entries(ends)) line.setAttribute(name, value);
    line.setAttribute("class", className);
    group.append(line);
    return line;
  }

  drawEdges(kind, traced) {
    this.above.replaceChildren();
    const { words, states } = this.data;
    const back = this.numbers.backpointers;
    this.backLines.forEach(([line, u, k]) => {
      const drawn = this.filled(u, k) && !this.open(u) && this.possible(u, k);
      update(line, drawn ? "back" : "hidden");
    });
    const [t, j] = this.cell();
    if ((["compare", "keep"].includes(kind) || this.chosen) && t > 0 && this.known(t, j)) {
      const winner = this.filled(t, j) ? back[t][j] : -1;
      states.forEach((_, i) => this.line(this.above, t, i, j, i === winner ? "winner" : "candidate"));
    }
    const whole = this.columnEnd.every((end) => end <= this.step);
    if (whole && [...this.shown].some((name) => name !== "Viterbi")) return this.drawPaths();
    for (let u = 1; u < words.length; u++) {
      const path = this.numbers.path;
      if (traced.has(u) && traced.has(u - 1)) this.line(this.above, u, path[u - 1], path[u], "traced");
    }
    return undefined;
  }

  /** The paths of the searches that are switched on, beside one another where they share an edge. */
  drawPaths() {
    const shown = this.data.paths.filter((path) => this.shown.has(path.name));
    const dashes = { Viterbi: "", greedy: "2 7" };
    shown.forEach((path, i) => {
      const lift = shown.length > 1 ? 7 * (i - (shown.length - 1) / 2) : 0;
      const half = this.box / 2;
      const ends = path.path.flatMap((j, t) => [-half, half].map((side) => [this.x(t) + side, this.y(j) + lift]));
      const points = ends.map((end) => end.join(",")).join(" ");
      const line = document.createElementNS(SVG, "polyline");
      line.setAttribute("points", points);
      line.setAttribute("class", "path");
      line.setAttribute("stroke", path.colour);
      line.setAttribute("stroke-dasharray", dashes[path.name] ?? "10 6");
      line.dataset.name = path.name;
      this.above.append(line);
    });
  }

  /** The candidates of this cell may be shown: everything before it is filled, or it is. */
  known(t, j) {
    if (this.open(t)) return false;
    const [kind, now, state] = this.data.steps[this.step];
    return this.filled(t, j) || (kind === "compare" && now === t && state === j);
  }

  drawStatus(kind, t, j) {
    const { words, states, steps } = this.data;
    const word = `“${words[t]}”`;
    const value = () => format(this.score(t, j), this.log);
    const from = t > 0 ? states[this.numbers.backpointers[t][j]] : "";
    const times = this.log ? "plus" : "times";
    const whole = this.data.first + words.length === this.data.total;
    const probability = format(this.numbers.probability, this.log);
    const name = this.log ? "log-probability" : "probability";
    const texts = {
      initialise: () => `Initialise ${states[j]} at ${word}: initial ${times} emission gives ${value()}.`,
      compare: () =>
        `Compare: ${states.length} ways to reach ${states[j]} at ${word}, one from each state before it.`,
      keep: () => `Keep the best, ${value()}, and point back to ${from}${this.tieNote(t, j)}.`,
      terminate: () =>
        `Terminate: the best path ends in ${states[this.numbers.path[t]]}. Its ${name} is ${probability}; it has ` +
        `${format(100 * this.data.posterior, false)}% of the probability of all paths.`,
      "trace back": () =>
        t === words.length - 1
          ? `Trace back from ${states[this.numbers.path[t]]} at ${word}${whole ? "" : ", found from the sentence's end"}.`
          : `Trace back: the pointer leads to ${states[this.numbers.path[t]]} at ${word}.`,
    };
    let text = `Step ${this.step + 1} of ${steps.length}. ${texts[kind]()}`;
    const dead = this.numbers.underflow;
    if (!this.log && dead !== null && (t >= dead || !["compare", "keep", "initialise"].includes(kind))) {
      text += ` Underflow: from “${words[dead]}” on every product is 0 in ${this.data.precision}; the path is lost.`;
    }
    if (this.turn !== null) text = this.turnText();
    this.status.textContent = text;
  }

  tieNote(t, j) {
    return this.numbers.ties[t][j] ? " (a tie: the state listed first wins)" : "";
  }

  /** The score is not nought. */
  possible(t, j) {
    return this.log ? this.score(t, j) !== null : this.score(t, j) !== 0;
  }

  /** Raw probabilities have underflowed at or before this word. */
  lost(t) {
    return !this.log && this.data.raw.underflow !== null && t >= this.data.raw.underflow;
  }

  // ---- the panel: every candidate of one cell

  drawPanel(t, j) {
    const { words, states, notes } = this.data;
    const title = element("h2", "", `${states[j]} at “${words[t]}”`);
    const note = element("p", "note", notes[t]);
    if (this.open(t)) return this.panel.replaceChildren(...this.turnPanel());
    if (!this.known(t, j)) {
      this.panel.replaceChildren(title, note, element("p", "", "Not computed yet: step on to fill this cell."));
      return undefined;
    }
    const first = t === 0 && this.data.first === 0;
    const given = t === 0 && this.data.first > 0;
    const body = given
      ? [element("p", "", `${format(this.score(t, j), this.log)}, from the words before this window.`)]
      : first
        ? [this.firstTable(j)]
        : [this.candidateTable(t, j), element("p", "rule", this.rule(t, j))];
    if (t === words.length - 1 && this.numbers.final) body.push(this.endLine(j));
    this.panel.replaceChildren(title, note, ...body);
    return undefined;
  }

  tableRow(texts, header = false, className = "") {
    const row = element("tr", className);
    texts.forEach((text) => row.append(element(header ? "th" : "td", "", text)));
    return row;
  }

  firstTable(j) {
    const sign = this.log ? "+" : "×";
    const { initial, emission } = this.numbers;
    const table = element("table", "candidates");
    table.append(
      this.tableRow(["initial", `${sign} emission`, "="], true),
      this.tableRow(
        [format(initial[j], this.log), format(emission[0][j], this.log), format(this.score(0, j), this.log)],
        false,
        "winner",
      ),
    );
    return table;
  }

  candidateTable(t, j, hidden = false) {
    const sign = this.log ? "+" : "×";
    const { transition, emission, candidates, scores, backpointers } = this.numbers;
    const table = element("table", "candidates");
    table.append(this.tableRow(["from", "score", `${sign} transition`, `${sign} emission`, "="], true));
    this.data.states.forEach((state, i) => {
      const wins = !hidden && this.filled(t, j) && backpointers[t][j] === i;
      const numbers = [scores[t - 1][i], transition[i][j], emission[t][j]].map((v) => format(v, this.log));
      const product = hidden ? "" : format(candidates[t][i][j], this.log) + (wins ? " ★" : "");
      const row = this.tableRow([state, ...numbers, product], false, wins ? "winner" : "");
      table.append(row);
    });
    return table;
  }

  rule(t, j) {
    if (!this.filled(t, j)) return "The largest will be kept.";
    const winner = this.data.states[this.numbers.backpointers[t][j]];
    return this.numbers.ties[t][j]
      ? `A tie: several are equal, and the state listed first, ${winner}, wins.`
      : `${winner} wins, the largest. Had there been a tie, the state listed first would win.`;
  }

  endLine(j) {
    const { end, final } = this.numbers;
    const sign = this.log ? "+" : "×";
    const score = format(this.score(this.data.words.length - 1, j), this.log);
    return element(
      "p",
      "rule",
      end
        ? `At the end: ${score} ${sign} ${format(end[j], this.log)} for ending here = ${format(final[j], this.log)}.`
        : "This model has no end probabilities: the largest score in the last column wins.",
    );
  }

  // ---- the two tables

  buildTables() {
    const made = [
      ["scores", this.log ? "Scores (natural logarithms)" : "Scores (probabilities)"],
      ["back", "Backpointers"],
    ].map(([name, caption]) => {
      const whole = element("div");
      const frame = element("div", "scroll");
      frame.tabIndex = 0;
      frame.setAttribute("role", "region");
      frame.setAttribute("aria-label", caption);
      const table = element("table", name);
      table.style.width = `${this.tagWidth + 16 + 82 * this.data.words.length}px`;
      const header = this.tableRow(["state", ...this.data.words], true);
      table.append(header);
      this.data.states.forEach((state, j) => {
        const row = element("tr");
        row.append(element("th", "", state));
        this.data.words.forEach((_, t) => {
          const cell = element("td");
          cell.dataset.t = t;
          cell.dataset.j = j;
          cell.onclick = () => this.choose(t, j);
          row.append(cell);
        });
        table.append(row);
      });
      frame.append(table);
      whole.append(element("h2", "", caption), frame);
      return whole;
    });
    this.tables.replaceChildren(...made);
    this.tableCells = this.data.words.map((_, t) =>
      this.data.states.map((_, j) => this.tables.querySelectorAll(`td[data-t="${t}"][data-j="${j}"]`)),
    );
  }

  drawTableCells(t, j, filled, now, best, score) {
    const back = this.numbers.backpointers[t][j];
    const pointer = back < 0 ? "start" : this.data.states[back];
    const classes = [now && "now", best && "best", filled && !this.possible(t, j) && "impossible"];
    const [scores, pointers] = this.tableCells[t][j];
    update(scores, classes.filter(Boolean).join(" "), score);
    update(pointers, classes.filter(Boolean).join(" "), filled ? pointer : "");
  }

  // ---- the duel

  drawDuel() {
    this.duel.replaceChildren(
      ...this.data.paths.map((path) => {
        const label = this.checkbox("", (on) => {
          if (on) this.shown.add(path.name);
          else this.shown.delete(path.name);
          this.draw();
        });
        label.classList.add("search");
        const box = label.firstChild;
        // a beam of another width keeps its switch
        if (path.name.startsWith("beam") && [...this.shown].some((name) => name.startsWith("beam"))) {
          this.shown.add(path.name);
        }
        box.checked = this.shown.has(path.name);
        const swatch = element("span", "swatch");
        swatch.style.background = path.colour;
        const worth = `p = ${format(path.probability, false)}, ln p = ${format(path.log_probability, true)}`;
        const verdict = path.best ? " · finds a best path" : " · misses the best path";
        const cost = `${path.nodes} nodes, ${path.products} products`;
        label.append(swatch, element("b", "", path.name), element("span", "", ` ${worth} · ${cost}${path.name === "Viterbi" ? "" : verdict}`));
        return label;
      }),
    );
  }

  // ---- windows of a long sentence

  drawWindows() {
    const { windows, first, words, total } = this.data;
    this.windows.hidden = windows.length < 2;
    const at = windows.indexOf(first);
    const move = (target) => this.setStateValue && this.setStateValue("first", target);
    const earlier = button("‹ earlier words", "Show the words before these", () => move(windows[at - 1]));
    const later = button("later words ›", "Show the words after these", () => move(windows[at + 1]));
    earlier.disabled = at <= 0;
    later.disabled = at === windows.length - 1;
    const text = `words ${first + 1} to ${first + words.length} of ${total}`;
    this.windows.replaceChildren(earlier, element("span", "", text), later);
  }

  // ---- the student's turn

  yourTurn() {
    if (this.turn !== null) {
      this.endTurn();
      this.draw();
      return;
    }
    this.rest();
    const empty = this.columnEnd.findIndex((end) => end > this.step);
    const chosen = this.chosen ? this.chosen[0] : empty;
    const t = Math.max(chosen < 0 ? 1 : chosen, this.data.first > 0 ? 1 : 0);
    if (t > 0) this.step = Math.max(this.step, this.columnEnd[t - 1]);
    this.turn = { t: Math.min(t, this.data.words.length - 1), hint: null, done: false, right: null };
    this.fit = false;
    this.fitBox.firstChild.checked = false;
    this.turnButton.textContent = "Stop";
    this.layOut();
    this.data.states.forEach((state, j) => {
      const input = element("input");
      input.inputMode = "text";
      input.autocomplete = "off";
      input.setAttribute("aria-label", `Score of ${state} at ${this.data.words[this.turn.t]}`);
      input.onfocus = () => {
        this.turn.hint = this.turn.hint === null ? null : j;
        this.drawPanel(this.turn.t, j);
      };
      input.onkeydown = (event) => {
        if (event.key === "Enter") this.check();
        event.stopPropagation();
      };
      input.onclick = (event) => event.stopPropagation();
      this.cells[this.turn.t][j].replaceChildren(input);
    });
    this.inputs()[0].focus();
    this.draw();
    this.follow();
  }

  inputs() {
    return this.turn === null ? [] : this.cells[this.turn.t].map((cell) => cell.querySelector("input"));
  }

  endTurn() {
    if (this.turn === null) return;
    this.turn = null;
    this.turnButton.textContent = "Your turn";
  }

  turnText() {
    const { t, right } = this.turn;
    const what = this.log ? "logarithms, two decimals" : "probabilities, three figures";
    const text = `Your turn: fill the column of “${this.data.words[t]}” with the best score of each state (${what}).`;
    return right === null ? text : `${right} of ${this.data.states.length} right. ${text}`;
  }

  turnPanel() {
    const { t, hint } = this.turn;
    const { states } = this.data;
    const acts = element("div", "acts");
    acts.append(
      button("Check", "Check the numbers (Enter)", () => this.check()),
      button("Hint", "Show what is multiplied", () => this.giveHint()),
      button("Reveal", "Show the answer", () => this.reveal()),
    );
    const parts = [element("h2", "", `Fill the column of “${this.data.words[t]}”`), acts];
    if (hint !== null) {
      parts.push(element("p", "note", t === 0 ? `${states[hint]}:` : `${states[hint]}: which is the largest?`));
      parts.push(t === 0 ? this.firstHint(hint) : this.candidateTable(t, hint, true));
    }
    return parts;
  }

  firstHint(j) {
    const { initial, emission } = this.numbers;
    const sign = this.log ? "+" : "×";
    return element("p", "rule", `${format(initial[j], this.log)} ${sign} ${format(emission[0][j], this.log)}`);
  }

  isRight(j, text) {
    const guess = parse(text);
    const truth = this.score(this.turn.t, j) ?? -Infinity;
    if (guess === null) return false;
    if (!Number.isFinite(truth) || !Number.isFinite(guess)) return guess === truth;
    const slack = this.log ? this.data.slack : 0;
    return Math.abs(guess - truth) <= slack + this.data.tolerance * Math.abs(truth);
  }

  check() {
    const inputs = this.inputs();
    const marks = inputs.map((input, j) => this.isRight(j, input.value));
    inputs.forEach((input, j) => {
      input.classList.toggle("right", marks[j]);
      input.classList.toggle("wrong", !marks[j]);
      input.setAttribute("aria-invalid", String(!marks[j]));
    });
    this.turn.right = marks.filter(Boolean).length;
    if (marks.every(Boolean)) this.reveal();
    else this.drawStatus(...this.data.steps[this.step]);
  }

  giveHint() {
    const wrong = this.inputs().findIndex((input, j) => !this.isRight(j, input.value));
    this.turn.hint = Math.max(0, wrong);
    this.inputs()[this.turn.hint].focus();
    this.drawPanel(this.turn.t, this.turn.hint);
  }

  /** Fill the column and step to where it is complete. */
  reveal() {
    const { t, right } = this.turn;
    const all = right === this.data.states.length;
    this.endTurn();
    this.step = Math.max(this.step, this.columnEnd[t]);
    this.draw();
    if (all) this.status.textContent = `All ${right} right. ${this.status.textContent}`;
    this.root.focus();
  }
}
