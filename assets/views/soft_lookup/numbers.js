/* Every point's numbers in a table, and the formula of the one chosen with its numbers filled in. */

import { element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { sum } from "./compute.js";

export function number(value, digits = 4) {
  if (Number.isNaN(value)) return translated("none");
  if (value !== 0 && Math.abs(value) < 1e-4) return value.toExponential(2).replace("-", "−").replace("e-", "e−");
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

export function numbers(state, choose) {
  const { now, found, data } = state;
  const cells = (tag, texts) => texts.map((text) => element(tag, "", text));
  const table = element("table");
  const head = element("tr");
  head.append(...cells("th", [translated("key k"), translated("value v"), "q − k", "K(q − k)", translated("weight a"), "a · v"]));
  const rows = now.keys.map((key, row) => {
    const made = element("tr", row === state.chosen ? "chosen" : "");
    made.dataset.row = row;
    const computed = [found.K[row], found.weights[row], found.weights[row] * now.values[row]];
    const shown = data.hidden ? ["?", "?", "?"] : computed.map((each) => number(each));
    made.append(...cells("td", [number(key, 8), number(now.values[row], 8), number(found.u[row], 8), ...shown]));
    made.onpointerenter = () => choose(row);
    return made;
  });
  const foot = element("tr", "sum");
  const total = data.hidden ? ["?", "?", "?"] : [number(sum(found.K)), number(sum(found.weights)), number(found.result, 6)];
  foot.append(...cells("td", [translated("sum"), "", "", ...total]));
  table.append(head, ...rows, foot);
  state.table.replaceChildren(table);
  formula(state);
}

/* The row pointed at, its numbers filled in, a line for each step. */
export function formula(state) {
  const { now, found, data, chosen } = state;
  if (data.hidden) return state.formula.replaceChildren();
  const [u, K, b] = [number(found.u[chosen], 8), number(found.K[chosen]), number(now.bandwidth)];
  const filled = {
    exact: translated("1 if {condition}, else 0", { condition: `${u} = 0` }),
    gaussian: `exp(−(${u})² / (2 · ${b}²))`,
    boxcar: translated("1 if {condition}, else 0", { condition: `|${u}| ≤ ${b}` }),
    triangle: `max(0, 1 − |${u}| / ${b})`,
  }[now.way];
  const total = sum(found.K);
  const quotient = total > 0 ? `${K} / ${number(total)} = ` : "";
  const lines = [
    translated("key {key}, value {value}", { key: number(now.keys[chosen], 8), value: number(now.values[chosen], 8) }),
    `K(q − k) = ${filled} = ${K}`,
    `a = K / ΣK = ${quotient}${number(found.weights[chosen])}`,
  ];
  state.formula.replaceChildren(...lines.map((line, at) => element("div", at ? "line" : "line of", line)));
}
