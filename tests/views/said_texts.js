/* The texts in JavaScript, from its syntax tree: what `translated` is given, and what is English without it.

   node said_texts.js, with [{ file, code }] as JSON on its input; it answers as JSON
   { given: [{ where, text, values: [name] | null }], unread: [where], english: [{ where, text }] }.
   values: the names that a call gives, null where they are not written there; unread: a call whose text is no literal. */

import { readFileSync } from "node:fs";
import { parse } from "acorn";

/** Where callers give a text that is read; elsewhere they give tags, classes and keys. */
const READ_BY_CALLED = new Map(Object.entries({ element: [2], drawn: [3], button: [1, 1], labelled: [0, 1], checkbox: [0, 0], append: [0], prepend: [0], replaceChildren: [0], replaceWith: [0], createTextNode: [0], text: [2, 2], tell: [0], cells: [1], tableRow: [1, 1] }));
/** The last place at which a caller of these gives a key or a class. */
const UNREAD_BY_CALLED = new Map(Object.entries({ put: 4, lay: 2, beside: 2, place: 4, keep: 2 }));
const SELECTS = /^(querySelector(All)?|closest|matches|matchMedia|startsWith|endsWith|includes|getComputedStyle|addEventListener|setProperty)$/;
/** Properties and attributes that are read or heard. */
const READ = /^(textContent|innerText|title|alt|placeholder|label|aria-?label|aria-description|aria-roledescription|aria-valuetext)$/i;
/** Properties that hold what no one reads: classes, styles, addresses, ids. */
const UNREAD = /^(class|className|kind|mark|cssText|font|cookie|background\w*|gridTemplate\w*|transform|src|href|id|download)$/;
const MADE = new Set(["Error", "Blob", "RegExp", "URL"]); // errors are for the console: a view says its labels
/** Signs and units that are the same in Spanish. */
const ANYWHERE = /^(bits?|nats?|ln|log|exp|softmax|max|token|Top|CSV|PNG|SVG|Esc|Viterbi)$/;
const WORD = /(?<![\p{L}\d_])[A-Za-z][A-Za-z'’]+(?![\p{L}\d_])/gu;
const MARKUP = /[a-z]=["']|<\/?[a-z]|[a-z-]\([^ ]|\dpx|: ?[\d#$]|--|^[a-z]+\/|\[[a-z]|;\s*$|%-/;

const [CLASSES, FILES] = JSON.parse(readFileSync(0, "utf8"));
const classes = new Set(CLASSES);
const wordsOf = (text) => (text.replace(/\{\}/g, " ").match(WORD) ?? []).filter((word) => !ANYWHERE.test(word));

/** The text of a literal or of a template, whose values are {}; null where it is none. */
function textOf(node) {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : null;
  if (node.type !== "TemplateLiteral") return null;
  return node.quasis.map((part, i) => part.value.cooked + (i < node.expressions.length ? "{}" : "")).join("");
}

const nameOf = (node) => (node?.type === "Identifier" ? node.name : node?.type === "MemberExpression" && !node.computed ? node.property.name : String(node?.value ?? ""));

/** What an expression may be, one of several: of a choice both sides, of a sum all parts. */
function* parts(node) {
  if (node.type === "ConditionalExpression") yield* [...parts(node.consequent), ...parts(node.alternate)];
  else yield node;
}

/** The place at which a text is used: past choices, sums and templates, the node and the part of it. */
function placeOf(parents) {
  let at = parents.length - 1;
  const passes = ({ node, part }) =>
    (node.type === "ConditionalExpression" && part !== "test") || node.type === "LogicalExpression" || node.type === "TemplateLiteral" ||
    (node.type === "BinaryExpression" && node.operator === "+") || node.type === "SpreadElement" || node.type === "ArrayExpression";
  const inner = at;
  while (at >= 0 && passes(parents[at])) at -= 1;
  return { place: parents[at], child: at === inner ? null : parents[at + 1].node };
}

/** Whether the place says that a text is read (true), that it is not (false), or says nothing (null). */
function isRead(literal, parents) {
  const { place, child } = placeOf(parents);
  if (!place) return null;
  const { node, part } = place;
  if (/^(Import|Export)/.test(node.type) || node.type === "SwitchCase") return false;
  if (node.type === "MemberExpression") return part === "property" || SELECTS.test(nameOf(node)) ? false : null;
  if (node.type === "BinaryExpression" || (node.type === "Property" && part === "key")) return false;
  if (node.type === "ConditionalExpression") return false; // it is compared
  if (node.type === "VariableDeclarator" && UNREAD.test(nameOf(node.id))) return false;
  if (node.type === "AssignmentExpression") {
    const name = nameOf(node.left);
    if (READ.test(name)) return true;
    if (UNREAD.test(name)) return false;
    return nameOf(node.left.object) === "style" || nameOf(node.left.object) === "dataset" ? false : null;
  }
  if (node.type === "Property") return READ.test(nameOf(node.key)) ? true : UNREAD.test(nameOf(node.key)) ? false : null;
  if (node.type === "NewExpression") return MADE.has(nameOf(node.callee)) ? false : null;
  if (node.type !== "CallExpression") return null;
  const called = nameOf(node.callee);
  if (called === "translated") return false;
  const which = node.arguments.indexOf(child ?? literal);
  if (called === "setAttribute") return which === 1 && READ.test(String(node.arguments[0].value));
  const [from, to = 99] = READ_BY_CALLED.get(called) ?? [];
  if (SELECTS.test(called) || which <= (UNREAD_BY_CALLED.get(called) ?? -2)) return false;
  if (from === undefined) return null;
  return which >= from && which <= to;
}

/** Whether a text reads as English by its form: a sentence, words with a value between them, or a word with a capital. */
function isPhrase(text) {
  if (MARKUP.test(text)) return false;
  const names = text.replace(/\{\}/g, " ").trim().split(/\s+/);
  if (!/\{\}/.test(text) && names.every((name) => classes.has(name))) return false;
  const words = wordsOf(text);
  return (words.length > 1 && / /.test(text.trim())) || /^[“(;, ]*\p{Lu}\p{Ll}+\b(?!\p{Lu})/u.test(text) || (words.length === 1 && /\{\}.* |^\p{L}+ .*\{\}/u.test(text));
}

/** Whether a choice of words stands within a template, apart from its value or its words by a space. */
function isWithin(literal, parents) {
  const at = parents.findLastIndex(({ node }) => node.type !== "ConditionalExpression");
  const { node } = parents[at];
  if (node.type !== "TemplateLiteral" || literal.type !== "Literal") return false;
  const place = node.expressions.indexOf(parents[at + 1]?.node ?? literal);
  return node.quasis[place].value.cooked.endsWith(" ") || node.quasis[place + 1].value.cooked.startsWith(" ");
}

function read({ file, code }, found) {
  const tree = parse(code, { ecmaVersion: "latest", sourceType: "module", locations: true });
  const visit = (node, parents) => {
    const text = textOf(node);
    const where = `${file}:${node.loc?.start.line}`;
    if (node.type === "CallExpression" && nameOf(node.callee) === "translated") {
      const [first, second] = node.arguments;
      const given = second?.type === "ObjectExpression" && second.properties.every(({ type }) => type === "Property") ? second.properties.map(({ key }) => nameOf(key)) : second ? null : [];
      for (const part of parts(first)) {
        if (part.type === "Literal") found.given.push({ where, text: part.value, values: given });
        else found.unread.push(where);
      }
    }
    if (text !== null && wordsOf(text).length && !parents.some(({ quiet }) => quiet)) {
      const said = isRead(node, parents);
      if (said || (said === null && (isPhrase(text) || isWithin(node, parents)))) found.english.push({ where, text });
    }
    for (const [part, value] of Object.entries(node)) {
      for (const each of Array.isArray(value) ? value : [value]) {
        if (typeof each?.type === "string") visit(each, [...parents, { node, part }]);
      }
    }
  };
  visit(tree, []);
}

const found = { given: [], unread: [], english: [] };
for (const each of FILES) read(each, found);
process.stdout.write(JSON.stringify(found));
