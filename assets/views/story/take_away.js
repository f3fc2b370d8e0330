/* The present beat as one HTML file: the server writes it; a picture that plotly draws is put into it here. */

import { save } from "../shared/files.js";
import { sourceOf } from "../shared/source.js";

const STILL = 'src="data:,"'; // the room for a picture in the file
const [WIDTH, HEIGHT] = [1000, 620];

/** @param {any} state of the player */
export async function takeAway({ data, place, changes, document: { picture } }) {
  let text = await sourceOf(data.base).file?.(data.lesson, place, changes);
  if (!text) return;
  if (picture.view === "figure") text = text.replace(STILL, `src="${await drawStill(picture.data.figure)}"`);
  save(new Blob([text], { type: "text/html" }), `${data.lesson}-${place.number}.html`);
}

/** A figure as an SVG in dark ink on white. */
async function drawStill({ data, layout }) {
  const light = { ...layout, paper_bgcolor: "#ffffff", plot_bgcolor: "#ffffff", font: { size: 17, ...layout.font, color: "#0b1118" } };
  return globalThis.Plotly.toImage({ data, layout: light }, { format: "svg", width: WIDTH, height: HEIGHT });
}
