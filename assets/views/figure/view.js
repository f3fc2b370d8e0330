/* A plotly figure in a story: plotly's own code is fetched where a beat has a figure, and not before.

   data: { figure: { data, layout }, plotly: the address of plotly's code }. It fills its room, in the page's colours. */

import { element } from "../shared/element.js";
import { mount, unmount } from "../shared/mount.js";
import { loadPlotly } from "../shared/plotly.js";

function buildFigure(root) {
  root.classList.add("fills");
  const plot = element("div", "plot");
  root.append(plot);
  const state = { root, plot, shown: null };
  state.watch = new ResizeObserver(() => fit(state));
  state.watch.observe(root);
  return state;
}

const kinds = (figure) => figure.data.map((trace) => trace.type).join();

const size = ({ plot }) => `${plot.clientWidth} ${plot.clientHeight}`;

/** The room in whole pixels. Plotly's own autosize lets a change of less than a pixel and a half be. */
const room = ({ plot }) => ({ width: plot.clientWidth, height: plot.clientHeight });

/** Lay the figure out again where its room has changed since it was drawn, and say that it is busy meanwhile. */
async function fit(state) {
  if (!state.shown || state.size === size(state)) return;
  state.size = size(state);
  state.root.dataset.busy = "true";
  await globalThis.Plotly.relayout(state.plot, room(state));
  delete state.root.dataset.busy;
}

/** The figure's layout in the page's own colours and type. */
function themed(layout, root) {
  const colours = getComputedStyle(root);
  const [ink, line] = [colours.getPropertyValue("--st-text-color"), "rgba(128, 132, 149, 0.35)"];
  const axis = { gridcolor: line, linecolor: line, zerolinecolor: line, automargin: true };
  // "keep" is for the lab: what a reader moved in one beat would else move the figure of the next
  const made = { ...structuredClone(layout), uirevision: false, autosize: false, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)" };
  made.font = { family: colours.fontFamily, size: 17, ...layout.font, color: ink };
  for (const name of Object.keys({ xaxis: 0, yaxis: 0, ...layout })) {
    if (/^[xy]axis\d*$/.test(name)) made[name] = { ...axis, ...made[name] };
  }
  return made;
}

export default function draw(component) {
  const state = mount(component, "figure", buildFigure);
  const { figure, plotly } = state.data;
  state.root.dataset.busy = "true"; // until plotly has drawn it
  loadPlotly(plotly).then(async (Plotly) => {
    // Plotly.react keeps axes' ranges where a scatter becomes a heat map: another kind of figure is drawn from nothing.
    const same = state.shown && kinds(state.shown) === kinds(figure);
    state.shown = figure;
    state.size = size(state);
    await Plotly[same ? "react" : "newPlot"](state.plot, figure.data, { ...themed(figure.layout, state.root), ...room(state) }, { displayModeBar: false, responsive: false });
    delete state.root.dataset.busy;
  });
  return () => {
    state.watch.disconnect();
    if (state.shown) globalThis.Plotly.purge(state.plot);
    unmount(component.parentElement)();
  };
}
