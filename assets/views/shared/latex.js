/* Formulas that core wrote as LaTeX, as the browser's own mathematics (MathML).

   It reads what core's worked formulas are made of, no more: fractions, roots, indices, sums, matrices, lines that are
   aligned. A command that it does not know is written out, so that nothing is lost without being seen. */

const SYMBOLS = {
  mid: "∣", lambda: "λ", alpha: "α", cdot: "·", sum: "∑", dots: "…", partial: "∂", top: "⊤", to: "→", times: "×", lVert: "‖", rVert: "‖",
  infty: "∞", eta: "η", odot: "⊙", le: "≤", in: "∈", "{": "{", "}": "}", "%": "%", "#": "#", "&": "&", $: "$", _: "_",
};
const SPACES = { quad: "1em", qquad: "2em", ";": "0.28em", ",": "0.17em", " ": "0.25em", "!": "0em" };
const FUNCTIONS = ["tanh", "max", "min", "ln", "log", "exp", "softmax", "diag"];
const SIZES = ["big", "Big", "bigl", "bigr", "Bigl", "Bigr", "left", "right", "displaystyle"];
const ACCENTS = { bar: "¯", tilde: "~", hat: "^" };
const TOKEN = /\\[a-zA-Z]+|\\\\(?:\[[^\]]*\])?|\\[^a-zA-Z]|\d+(?:\.\d+)?|\s+|[^]/gu;

/**
 * A formula as a tree: [tag, ...parts], a part being a text or a tree.
 * @param {string} latex
 * @returns {any[]}
 */
export function parsed(latex) {
  const tokens = latex.match(TOKEN) ?? [];
  let at = 0;
  const peek = () => tokens[at];
  const skip = () => {
    while (at < tokens.length && !tokens[at].trim()) at += 1;
  };

  /* Everything up to one of the closing tokens, which stays where it is. */
  function row(...closing) {
    const parts = [];
    for (skip(); at < tokens.length && !closing.some((end) => peek().startsWith(end)); skip()) {
      const part = scripted();
      if (part) parts.push(part);
    }
    return parts.length === 1 ? parts[0] : ["mrow", ...parts];
  }

  function argument() {
    skip();
    if (peek() !== "{") return atom();
    at += 1;
    const inner = row("}");
    at += 1;
    return inner;
  }

  /* What stands in braces, letter by letter: the words of a \text. */
  function words() {
    skip();
    let [text, depth] = ["", 0];
    do {
      const token = tokens[at];
      at += 1;
      if (token === "{") depth += 1;
      else if (token === "}") depth -= 1;
      else text += /^\\[^a-zA-Z]$/.test(token) ? token.slice(1) : token;
    } while (depth > 0 && at < tokens.length);
    return text.replaceAll(" ", "\u00a0"); // spaces at an end of a mtext would be dropped
  }

  function scripted() {
    const base = atom();
    const scripts = {};
    for (skip(); peek() === "^" || peek() === "_"; skip()) {
      const which = peek();
      at += 1;
      scripts[which] = argument();
    }
    const { _: below, "^": above } = scripts;
    if (below && above) return ["msubsup", base, below, above];
    if (below) return ["msub", base, below];
    return above ? ["msup", base, above] : base;
  }

  function environment() {
    const name = words();
    /** @type {any[][]} */
    const rows = [[]];
    while (at < tokens.length) {
      rows[rows.length - 1].push(row("&", "\\\\", "\\end"));
      const end = peek();
      at += 1;
      if (end === "\\end") {
        words();
        break;
      }
      if (end?.startsWith("\\\\")) rows.push([]);
    }
    const table = ["mtable", ...rows.map((cells) => ["mtr", ...cells.map((cell) => ["mtd", cell])])];
    return [name, table]; // which environment it is, is for the style sheet
  }

  function command(name) {
    if (name in SPACES) return ["mspace", SPACES[name]];
    if (name in SYMBOLS) return ["mo", SYMBOLS[name]];
    if (FUNCTIONS.includes(name)) return ["mi", name];
    if (SIZES.includes(name)) return null;
    if (["text", "operatorname"].includes(name)) return [name === "text" ? "mtext" : "mi", words()];
    if (name === "texttt") return ["code", words()];
    if (name === "frac" || name === "tfrac") return ["mfrac", argument(), argument()];
    if (name === "sqrt") return ["msqrt", argument()];
    if (name in ACCENTS) return ["mover", argument(), ["mo", ACCENTS[name]]];
    if (name === "underset") {
      const below = argument();
      return ["munder", argument(), below];
    }
    if (name === "begin") return environment();
    return ["mtext", `\\${name}`];
  }

  function atom() {
    skip();
    const token = peek();
    if (token === "{") return argument();
    at += 1;
    if (token === undefined) return ["mrow"];
    if (token.startsWith("\\")) return command(token.slice(1));
    if (/^\d/.test(token)) return ["mn", token];
    if (token === "-") return ["mo", "−"];
    return /\p{L}/u.test(token) ? ["mi", token] : ["mo", token];
  }

  return row();
}

const MATHML = "http://www.w3.org/1998/Math/MathML";

/** @param {any} tree */
function made(tree) {
  const [tag, ...parts] = tree;
  const environment = ["aligned", "gathered", "pmatrix"].includes(tag);
  const node = document.createElementNS(MATHML, environment ? "mrow" : tag === "code" ? "mtext" : tag);
  if (environment || tag === "code") node.setAttribute("class", tag === "code" ? "named" : tag);
  if (tag === "mspace") node.setAttribute("width", parts[0]);
  else if (tag === "pmatrix") node.append(bracket("("), made(parts[0]), bracket(")"));
  else node.append(...parts.map((part) => (typeof part === "string" ? part : made(part))));
  if (tag === "mover") node.setAttribute("accent", "true");
  if (tag === "mtable") node.setAttribute("displaystyle", "true"); // fractions as large as on a line of their own
  if (tag === "mo" && "()[]".includes(parts[0])) node.setAttribute("stretchy", "false");
  return node;
}

/* A bracket as high as the matrix that it holds. */
function bracket(sign) {
  const node = document.createElementNS(MATHML, "mo");
  node.append(sign);
  return node;
}

/**
 * The lines of a formula, each in the pieces between which it may break: after an equality sign, a sum's sign, a space.
 * @param {any} tree
 * @returns {any[][]}
 */
export function lines(tree) {
  const rows = tree[0] === "aligned" ? tree[1].slice(1).map((row) => row.slice(1).map((cell) => cell[1])) : [];
  const apart = rows.length && rows.every(([first, ...others]) => first.length === 1 && others.length === 1);
  if (apart) return rows.flatMap(([, line]) => lines(line)); // nothing stands below anything else
  if (tree[0] !== "mrow") return [[tree]];
  /** @type {any[][]} */
  const pieces = [[]];
  for (const part of tree.slice(1)) {
    pieces[pieces.length - 1].push(part);
    if (part[0] === "mspace" || (part[0] === "mo" && "=+".includes(part[1]))) pieces.push([]);
  }
  return [pieces.filter((piece) => piece.length).map((piece) => ["mrow", ...piece])];
}

/**
 * @param {string} latex
 * @returns {any} the formula on lines of its own, which break where there is no room
 */
export function formula(latex) {
  const box = document.createElement("div");
  for (const line of lines(parsed(latex))) {
    const row = document.createElement("div");
    for (const piece of line) {
      const math = document.createElementNS(MATHML, "math");
      math.setAttribute("displaystyle", "true");
      math.append(made(piece));
      const last = math.firstElementChild?.lastElementChild;
      if (last?.localName === "mo") last.setAttribute("form", "infix"); // the space around it stays
      row.append(math, " ");
    }
    box.append(row);
  }
  return box;
}
