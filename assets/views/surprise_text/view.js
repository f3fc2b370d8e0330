/* A text coloured by how surprised a model was at each character; point at one to ask every model.

   data: { characters: [name], breaks: [whether a line ends there], models: [{ name, bits: [bits], mean }], full }
   The bits are core's; p is 2 to the minus bits, and `full` the bits of the strongest colour. It returns nothing, and
   keeps in the address which model colours the text. */

import { recalled, remember } from "../shared/address.js";
import { element } from "../shared/element.js";
import { faded } from "../shared/colours.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { probability, written } from "../shared/numbers.js";

const STRONGEST = 0.62; // opacity: text in the page's own colour stays legible on it

function choices(data, view, redraw) {
  const box = element("div", "models");
  box.setAttribute("role", "radiogroup");
  box.setAttribute("aria-label", translated("Coloured by the surprise of"));
  data.models.forEach((model, i) => {
    const label = element("label", "model");
    const radio = element("input");
    Object.assign(radio, { type: "radio", name: view.group, checked: i === view.model });
    radio.onchange = () => {
      remember(`${data.address}_model`, i ? i + 1 : null);
      redraw({ model: i });
    };
    label.append(radio, element("span", "name", model.name), element("span", "mean", `${written(model.mean, 2)} bits`));
    box.append(label);
  });
  return box;
}

function coloured(data) {
  const box = element("div", "text");
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", translated("The text; left and right arrow go from character to character"));
  data.characters.forEach((character, i) => {
    const cell = element("span", "character", character);
    cell.dataset.place = i;
    box.append(cell);
    if (data.breaks[i]) box.append(element("br"));
  });
  return box;
}

function paint(root, data, view) {
  const { bits } = data.models[view.model];
  root.querySelectorAll(".character").forEach((cell, i) => {
    const opacity = STRONGEST * Math.min(1, bits[i] / data.full);
    cell.style.backgroundColor = faded("vermillion", opacity);
    cell.classList.toggle("pointed", i === view.place);
  });
}

function ask(root, data, view) {
  const before = data.characters.slice(Math.max(0, view.place - 16), view.place).join("");
  const box = root.querySelector(".answer");
  box.replaceChildren(
    element("div", "asked", translated("“{character}” after “{before}”", { character: data.characters[view.place], before: before || translated("nothing") })),
    ...data.models.map((model, i) => {
      const row = element("div", i === view.model ? "row chosen" : "row");
      const bits = model.bits[view.place];
      const track = element("span", "track");
      const fill = element("span", "fill");
      fill.style.inlineSize = `${100 * Math.min(1, bits / data.full)}%`;
      track.append(fill);
      row.append(
        element("span", "name", model.name),
        element("span", "p", probability(2 ** -bits)),
        track,
        element("span", "bits", `${written(bits, 2)} bits`),
      );
      return row;
    }),
  );
}

function point(root, data, view, place) {
  const cells = root.querySelectorAll(".character");
  cells[view.place]?.classList.remove("pointed");
  view.place = Math.max(0, Math.min(place, cells.length - 1));
  cells[view.place].classList.add("pointed");
  ask(root, data, view);
}

const build = () => ({ model: null, place: 0, group: `model-${Math.random().toString(36).slice(2)}` });

export default function draw(component) {
  const view = mount(component, "surprise", build);
  const { data, root } = view;
  view.model ??= Math.max(0, Number(recalled(`${data.address}_model`)) - 1 || 0);
  view.model = Math.min(view.model, data.models.length - 1);
  view.place = Math.min(view.place, data.characters.length - 1);
  const redraw = (change) => {
    Object.assign(view, change);
    paint(root, data, view);
    ask(root, data, view);
  };
  const text = coloured(data);
  const answer = element("div", "answer");
  answer.setAttribute("aria-live", "polite");
  root.replaceChildren(choices(data, view, redraw), text, answer);
  text.onpointerover = (event) => {
    if (event.target.dataset.place) point(root, data, view, Number(event.target.dataset.place));
  };
  text.onkeydown = (event) => {
    const last = data.characters.length - 1;
    const to = { ArrowRight: view.place + 1, ArrowLeft: view.place - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    point(root, data, view, to);
    root.querySelector(".pointed").scrollIntoView({ block: "nearest" });
  };
  redraw({});
  return unmount(component.parentElement);
}
