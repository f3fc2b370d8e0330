/* A beat's controls. Each reports a new value by its name; what it is called and may be set to comes with the document. */

import { button, element } from "../shared/element.js";

const SOON = 250; // milliseconds after the last key, when a field's words are read
const SEGMENTS = 4; // options, at most, that stand side by side

export function focusOn(control) {
  const target = control?.matches?.("input, select, button") ? control : control?.querySelector("input, select, button");
  target?.focus({ preventScroll: true });
  if (target?.type === "text") target.select();
}

export function drawControl(control, change) {
  const { kind, name, label, help } = control;
  const box = element("div", `control ${kind}`);
  const id = `control-${name}`;
  const tag = element("label", "", label);
  if (help) tag.title = help;
  const made = MAKE[kind](control, (value) => change(name, value), id);
  if (made.getAttribute("role") !== "radiogroup") tag.htmlFor = id; // it would rename the first radio
  if (kind === "switch") box.append(made, tag);
  else box.append(tag, made);
  return box;
}

const MAKE = {
  slider({ least, most, step, value }, change, id) {
    const box = element("span", "slide");
    const input = element("input");
    Object.assign(input, { type: "range", min: least, max: most, step, value, id });
    const shown = element("output", "", String(value));
    shown.setAttribute("aria-hidden", "true"); // an output is a live region: the value would be said twice
    input.oninput = () => (shown.textContent = input.value);
    input.onchange = () => change(Number(input.value));
    box.append(input, shown);
    return box;
  },
  choice({ options, value, label }, change, id) {
    if (options.length > SEGMENTS) {
      const list = element("select");
      list.id = id;
      for (const each of options) {
        const option = element("option", "", each.label);
        option.value = each.id;
        list.append(option);
      }
      list.value = value;
      list.onchange = () => change(list.value);
      return list;
    }
    const row = element("span", "segments");
    row.setAttribute("role", "radiogroup");
    row.setAttribute("aria-label", label);
    const chosen = options.findIndex((each) => each.id === value);
    options.forEach((each, i) => {
      const made = button("segment", each.label, () => change(each.id));
      made.setAttribute("role", "radio");
      made.setAttribute("aria-checked", String(each.id === value));
      made.tabIndex = i === Math.max(0, chosen) ? 0 : -1;
      made.id = i ? `${id}-${each.id}` : id;
      row.append(made);
    });
    row.onkeydown = ({ key, target }) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
      const next = by && row.children[(options.length + [...row.children].indexOf(target) + by) % options.length];
      if (!next) return;
      next.focus();
      next.click();
    };
    return row;
  },
  switch({ value }, change, id) {
    const input = element("input");
    Object.assign(input, { type: "checkbox", checked: value, id });
    input.setAttribute("role", "switch");
    input.onchange = () => change(input.checked);
    return input;
  },
  text({ value, longest, placeholder }, change, id) {
    const input = element("input");
    Object.assign(input, { type: "text", value, maxLength: longest, placeholder, id, autocomplete: "off", spellcheck: false });
    let timer = 0;
    const send = () => {
      clearTimeout(timer);
      change(input.value);
    };
    input.oninput = () => {
      clearTimeout(timer);
      timer = window.setTimeout(send, SOON);
    };
    input.onkeydown = (event) => {
      if (event.key === "Enter") send(); // a handler that returns false would swallow the key
    };
    return input;
  },
};
