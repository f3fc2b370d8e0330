/* For each pair of descriptions on the standard input, the sentence that the player says of the change. */

import { readFileSync } from "node:fs";
import process from "node:process";
import { tellChange } from "../../assets/views/story/changed.js";

const { pairs, labels } = JSON.parse(readFileSync(0, "utf-8"));
process.stdout.write(JSON.stringify(pairs.map(([before, after]) => tellChange(before, after, labels))));
