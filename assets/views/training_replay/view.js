/* A character model's training, replayed: one slider moves the mark on the loss curve, the sample and the bars.

   data: { training, steps: [step], total, loss: [nats], heldOut: [nats], baseline: { name, value } | null,
           samples: [text], known: [share of the samples' words], prompt, tokens: [name], expected: [[p of each token, at each snapshot]] }
   Every number was computed by core; this file places and formats them. It returns nothing. */

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, LEFT, BOTTOM] = [520, 250, 44, 30];
const MILLISECONDS = 450; // a snapshot, while playing
const views = new WeakMap(); // root -> { at, timer, data }

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function drawn(tag, className, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  made.setAttribute("class", className);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  if (text !== undefined) made.textContent = text;
  return made;
}

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
  svg.setAttribute("aria-label", "Loss on the training text and on held-out text, by step");
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
  box.append(element("div", "title", data.prompt ? `What comes after “${data.prompt}”` : "How a text begins"));
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
  box.append(element("span", "key training", "training text"), element("span", "key held-out", "held-out text"));
  if (data.baseline) box.append(element("span", "key baseline", data.baseline.name));
  box.append(element("span", "unit", "loss in nats a character, by step"));
  return box;
}

function build(root, view) {
  const { data } = view;
  const controls = element("div", "controls");
  const play = element("button", "play");
  play.type = "button";
  play.onclick = () => (view.timer ? pause(root, view) : start(root, view));
  const slider = element("input", "moment");
  Object.assign(slider, { type: "range", min: 0, max: data.steps.length - 1, step: 1 });
  slider.setAttribute("aria-label", "Moment of the training");
  slider.oninput = () => {
    pause(root, view);
    show(root, view, Number(slider.value));
  };
  const readout = element("output", "readout");
  controls.append(play, slider, readout);
  const left = element("div", "left");
  left.append(legend(data), curve(data));
  const pictures = element("div", "pictures");
  pictures.append(left, bars(data));
  root.replaceChildren(controls, pictures, element("div", "title writes"), element("pre", "sample"));
}

function show(root, view, at) {
  const { data } = view;
  view.at = at;
  const [step, loss, heldOut] = [data.steps[at], data.loss[at], data.heldOut[at]];
  const { x, y } = scales(data);
  const slider = root.querySelector(".moment");
  slider.value = at;
  slider.setAttribute("aria-valuetext", `step ${step} of ${data.total}`);
  root.querySelector(".readout").textContent =
    `step ${step.toLocaleString("en")} of ${data.total.toLocaleString("en")}: training ${loss.toFixed(3)} nats, ` +
    `held out ${heldOut.toFixed(3)} nats = ${(heldOut / Math.LN2).toFixed(3)} bits a character`;
  const mark = root.querySelector(".mark");
  ["x1", "x2"].forEach((name) => mark.setAttribute(name, x(step)));
  [
    ["held-out", heldOut],
    ["training", loss],
  ].forEach(([name, nats]) => {
    const dot = root.querySelector(`.dot.${name}`);
    dot.setAttribute("cx", x(step));
    dot.setAttribute("cy", y(nats));
  });
  root.querySelectorAll(".bar").forEach((row, i) => {
    const p = data.expected[at][i];
    row.querySelector(".fill").style.inlineSize = `${100 * p}%`;
    row.querySelector(".share").textContent = p.toFixed(3);
  });
  root.querySelector(".sample").textContent = data.samples[at];
  root.querySelector(".writes").textContent =
    `What it writes: ${(100 * data.known[at]).toFixed(0)} % of its words are words of the text`;
}

function start(root, view) {
  const last = view.data.steps.length - 1;
  if (view.at === last) show(root, view, 0);
  view.timer = setInterval(() => {
    if (!root.isConnected || view.at === last) return pause(root, view);
    show(root, view, view.at + 1);
  }, MILLISECONDS);
  root.querySelector(".play").textContent = "❚❚ Pause";
}

function pause(root, view) {
  clearInterval(view.timer);
  view.timer = null;
  root.querySelector(".play").textContent = "▶ Play";
}

export default function ({ data, parentElement }) {
  let root = parentElement.querySelector(".training-replay");
  if (!root) {
    root = element("div", "training-replay");
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", "The training, replayed");
    parentElement.append(root);
  }
  const before = views.get(root);
  clearInterval(before?.timer);
  const last = data.steps.length - 1;
  const view = { data, timer: null, at: before?.data.training === data.training ? Math.min(before.at, last) : last };
  views.set(root, view);
  const focused = root.getRootNode().activeElement?.classList?.[0];
  build(root, view);
  pause(root, view);
  show(root, view, view.at);
  if (focused === "moment" || focused === "play") root.querySelector(`.${focused}`).focus();
  return () => clearInterval(view.timer);
}
