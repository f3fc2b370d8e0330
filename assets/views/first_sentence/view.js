/* The visitor's own sentence, coloured by how surprised a small model was at each character, as it is typed.

   data: { label, sentence, characters: [character], bits: [bits], full, says }: the bits are core's, `full` those of the
   strongest colour. It reports `sentence`. */

import { faded } from "../shared/colours.js";
import { element } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";

const STRONGEST = 0.62; // opacity: text in the page's own colour stays legible on it
const PAUSE = 180; // milliseconds without a key, then the sentence is read

function build(root) {
  const field = element("input", "field");
  const words = element("span");
  const label = element("label", "label", words, field);
  const read = element("div", "read");
  read.setAttribute("aria-hidden", "true"); // the same words as the field, in colours
  const says = element("p", "says");
  says.setAttribute("role", "status");
  const state = { field, words, read, says, timer: 0, report: (event, value) => void [event, value] };
  field.maxLength = 120;
  field.oninput = () => {
    clearTimeout(state.timer);
    state.timer = window.setTimeout(() => state.report("sentence", field.value), PAUSE);
  };
  root.append(label, read, says);
  return state;
}

export default function draw(component) {
  const { data, field, words, read, says, root } = mount(component, "first", build);
  if (root.getRootNode().activeElement !== field) field.value = data.sentence; // never under the visitor's hands
  words.textContent = data.label;
  read.replaceChildren(
    ...data.characters.map((character, i) => {
      const cell = element("span", "character", character);
      cell.style.backgroundColor = faded("vermillion", STRONGEST * Math.min(1, data.bits[i] / data.full));
      return cell;
    }),
  );
  says.textContent = data.says;
  return unmount(component.parentElement);
}
