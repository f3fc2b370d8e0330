/* A character model's training, replayed: one slider moves the mark on the loss curve, the sample and the bars.

   data: { training, steps: [step], total, loss: [nats], heldOut: [nats], baseline: { name, value } | null,
           samples: [text], known: [share of the samples' words], prompt, tokens: [name], expected: [[p of each token, at each snapshot]] }
   Every number was computed by core; this file places and formats them. It returns nothing. */

import { drawn, element } from "../shared/element.js";
import { translated } from "../shared/labels.js";
import { mount, unmount } from "../shared/mount.js";
import { counted, percent, written } from "../shared/numbers.js";
import { playBar } from "../shared/play_bar.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [520, 250, 44, 30];
const PACE = 450; // milliseconds a snapshot, while playing

function scales(data) {
  const top = Math.max(...data.loss, ...data.heldOut, data.baseline?.value ?? 0) * 1.04;
  return {
    top,
    x: (step) => LEFT + ((WIDTH - LEFT - 12) * step) / Math.max(1, data.total),
    y: (nats) => 8 + (HEIGHT - BOTTOM - 8) * (1 - nats / top),
  };
}

function line(className, xs, ys) {
  return drawn("polyline", className, { points: xs.map((x, i) => `${x},${ys[i]}`).join(" ") });
}

function curve(data) {
  const { x, y, top } = scales(data);
  const svg = drawn("svg", "curve", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  svg.setAttribute("aria-label", translated("Loss on the training text and on held-out text, by step"));
  const ticks = [...Array(Math.floor(top) + 1).keys()];
  ticks.forEach((nats) => {
    svg.append(drawn("line", "grid", { x1: LEFT, x2: WIDTH - 12, y1: y(nats), y2: y(nats) }));
    svg.append(drawn("text", "tick", { x: LEFT - 8, y: y(nats) + 6, "text-anchor": "end" }, nats));
  });
  [0, data.total / 2, data.total].forEach((step) => {
    svg.append(
      drawn("text", "tick", { x: x(step), y: HEIGHT - 8, "text-anchor": step ? "end" : "start" }, Math.round(step)),
    );
  });
  if (data.baseline) {
    const at = y(data.baseline.value);
    svg.append(drawn("line", "baseline", { x1: LEFT, x2: WIDTH - 12, y1: at, y2: at }));
  }
  const places = data.steps.map(x);
  svg.append(line("held-out", places, data.heldOut.map(y)), line("training", places, data.loss.map(y)));
  svg.append(drawn("line", "mark", { y1: 8, y2: HEIGHT - BOTTOM }));
  ["held-out", "training"].forEach((name) => svg.append(drawn("circle", `dot ${name}`, { r: 6 })));
  return svg;
}

function bars(data) {
  const box = element("div", "bars");
  box.append(element("div", "title", data.prompt ? translated("What comes after “{prompt}”", { prompt: data.prompt }) : translated("How a text begins")));
  data.tokens.forEach((token) => {
    const row = element("div", "bar");
    const track = element("span", "track");
    track.append(element("span", "fill"));
    row.append(element("span", "token", token), track, element("span", "share"));
    box.append(row);
  });
  return box;
}

function legend(data) {
  const box = element("div", "legend");
  box.append(element("span", "key training", translated("training text")), element("span", "key held-out", translated("held-out text")));
  if (data.baseline) box.append(element("span", "key baseline", data.baseline.name));
  box.append(element("span", "unit", translated("loss (nats per character) by step")));
  return box;
}

function pictures(data) {
  const left = element("div", "left");
  left.append(legend(data), curve(data));
  const box = element("div", "pictures");
  box.append(left, bars(data));
  return box;
}

function said(data, at) {
  const [loss, heldOut] = [data.loss[at], data.heldOut[at]];
  return translated("step {n} of {total}: training {loss} nats, held out {heldOut} nats = {bits} bits per character", {
    n: counted(data.steps[at]), total: counted(data.total), loss: written(loss), heldOut: written(heldOut), bits: written(heldOut / Math.LN2),
  });
}

function show(root, data, at) {
  const { x, y } = scales(data);
  const mark = root.querySelector(".mark");
  ["x1", "x2"].forEach((name) => mark.setAttribute(name, x(data.steps[at])));
  [
    ["held-out", data.heldOut[at]],
    ["training", data.loss[at]],
  ].forEach(([name, nats]) => {
    const dot = root.querySelector(`.dot.${name}`);
    dot.setAttribute("cx", x(data.steps[at]));
    dot.setAttribute("cy", y(nats));
  });
  root.querySelectorAll(".bar").forEach((row, i) => {
    const p = data.expected[at][i];
    row.querySelector(".fill").style.inlineSize = `${100 * p}%`;
    row.querySelector(".share").textContent = written(p);
  });
  root.querySelector(".sample").textContent = data.samples[at];
  root.querySelector(".writes").textContent =
    translated("What it writes: {share} of its words are words of the text", { share: percent(data.known[at]) || "0 %" });
}

function build(root) {
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", translated("The training, replayed"));
  return { bar: null, training: null };
}

export default function draw(component) {
  const state = mount(component, "training-replay", build);
  const { data } = component;
  if (state.training === data.training) return unmount(component.parentElement);
  state.training = data.training;
  state.bar?.pause();
  state.root.replaceChildren(pictures(data), element("div", "title writes"), element("pre", "sample"));
  state.bar = playBar({
    steps: data.steps.length,
    start: data.steps.length - 1,
    address: data.address,
    label: translated("Moment of the training"),
    pace: PACE,
    show: (at) => show(state.root, data, at),
    say: (at) => said(data, at),
  });
  state.bar.keys(state.root);
  state.root.prepend(state.bar.root);
  return unmount(component.parentElement);
}
