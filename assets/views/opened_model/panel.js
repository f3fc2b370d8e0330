/* What stands beside the table: the chosen number's formula with its operands, its shape, the line of code; chances. */

import { drawn, element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { formula } from "../shared/latex.js";
import { counted, decoded } from "../shared/numbers.js";
import { readout } from "./table.js";

const BARS = { width: 640, height: 96 };

/* The products of two vectors as bars, in their order; what is above the line less what is below it is the number. */
function products(panel) {
  const [one, other] = [decoded(panel.one), decoded(panel.other)];
  const terms = Array.from(one, (a, j) => a * other[j]);
  const most = Math.max(...terms.map(Math.abs)) || 1;
  const { width, height } = BARS;
  const svg = drawn("svg", "products", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img" });
  svg.setAttribute("aria-label", translated("The {n} products whose sum is the number", { n: terms.length }));
  const step = width / terms.length;
  terms.forEach((term, j) => {
    const tall = (Math.abs(term) / most) * (height / 2 - 2);
    const y = term > 0 ? height / 2 - tall : height / 2;
    const rect = drawn("rect", term > 0 ? "above" : "below", { x: j * step, y, width: Math.max(0.4, step * 0.8), height: tall });
    rect.append(drawn("title", "", {}, `${translated("term {n}", { n: j + 1 })}: ${one[j].toPrecision(4)} · ${other[j].toPrecision(4)} = ${term.toPrecision(4)}`));
    svg.append(rect);
  });
  svg.append(drawn("line", "zero", { x1: 0, x2: width, y1: height / 2, y2: height / 2 }));
  const above = terms.filter((term) => term > 0).reduce((sum, term) => sum + term, 0);
  const below = terms.filter((term) => term < 0).reduce((sum, term) => sum + term, 0);
  const sums = { n: counted(terms.length), above: above.toPrecision(4), below: below.toPrecision(4).replace("-", "−") };
  return [element("p", "note", translated(terms.length === 1 ? "{n} product: {above} above 0, {below} below." : "{n} products: {above} above 0, {below} below.", sums)), svg];
}

function chances(found) {
  const most = Math.max(...found.top.map((each) => Math.max(each.p, each.before)), 1e-9);
  const lines = found.top.map((each) => {
    const fill = element("span", "fill");
    fill.style.width = `${(100 * each.p) / most}%`;
    const bar = element("span", "bar", fill);
    if (found.broken) {
      const before = element("span", "before");
      before.style.insetInlineStart = `${(100 * each.before) / most}%`;
      bar.append(before);
    }
    return element("div", "line", element("span", "token", each.name), bar, element("span", "p", each.said));
  });
  const note = found.broken ? ` ${translated("The upright marks: the whole model.")}` : "";
  return [element("p", "title", found.heading), ...lines, element("p", "note", `${found.rest}.${note}`)];
}

export function drawPanel(state) {
  const { panel, closed } = state.data;
  state.below.replaceChildren(...(panel.one ? products(panel) : []));
  if (closed) return state.panel.replaceChildren();
  const parts = panel.chances ? chances(panel.chances) : [];
  parts.push(element("p", "title", panel.title));
  if (panel.worked) {
    parts.push(element("p", "says", `${panel.says}:`));
    const own = formula(panel.formula);
    own.className = "letters";
    const filled = formula(`= ${panel.worked}`);
    filled.className = "worked";
    parts.push(own, filled);
  } else if (panel.says) {
    parts.push(element("p", "says", `${panel.says} ${readout(state).split(": ").at(-1)}.`));
  }
  parts.push(element("p", "shape", panel.shape), element("code", "code", panel.code), element("p", "note", panel.file));
  state.panel.replaceChildren(...parts);
}
