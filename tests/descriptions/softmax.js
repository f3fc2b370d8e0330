/* For each matrix of scores on the standard input, each stage of its softmax as the view causal_mask writes its cells. */

import { readFileSync } from "node:fs";
import process from "node:process";
import { attend, stagesOf } from "../../assets/views/causal_mask/compute.js";
import { short } from "../../assets/views/causal_mask/formula.js";

const written = ({ scores, ...data }) => {
  const found = { ...attend(scores, data) };
  return stagesOf(data).map(({ name, values }) => {
    const share = ["softmax", "cut"].includes(name);
    return found[values].flatMap((row, t) => row.map((value) => short(name === "sums" ? found.sums[t] : value, share)));
  });
};
process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf-8")).map(written)));
