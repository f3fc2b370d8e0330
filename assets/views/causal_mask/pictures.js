/* The matrices to take away: as a table, as SVG, and as PNG made from the SVG. */

import { contextOf } from "../shared/element.js";
import { csv, escaped, save } from "../shared/files.js";

export function saveCsv(state) {
  const { tokens, hidden } = state.data;
  const names = ["scores", "scaled", "masked", "exponentials", "softmax", "weights"];
  const rows = [["row", "from", "column", "to", "hidden", ...names, "row_sum"]];
  tokens.forEach((from, t) => tokens.forEach((to, s) => {
    const values = names.map((name) => state.found[name][t][s]);
    rows.push([t + 1, from, s + 1, to, Number(hidden[t][s]), ...values, state.found.sums[t]]);
  }));
  save(csv(rows), `${state.data.file}.csv`);
}

const HATCH = '<pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">' +
  '<path d="M 0 0 V 8" stroke="#7A7A7A" stroke-width="3" stroke-opacity="0.45"/></pattern>';

/* The panels as they stand on the page, as SVG: a rectangle and a text for every cell; masked ones are hatched. */
function svg(state) {
  const style = getComputedStyle(state.root);
  const background = style.getPropertyValue("--st-background-color").trim() || "#ffffff";
  const origin = state.stages.getBoundingClientRect();
  const parts = [`<defs>${HATCH}</defs>`, `<rect width="100%" height="100%" fill="${background}"/>`];
  for (const each of state.stages.querySelectorAll(".title, .label, .cell")) {
    const box = each.getBoundingClientRect();
    const [x, y] = [box.left - origin.left, box.top - origin.top];
    const look = getComputedStyle(each);
    if (each.classList.contains("cell")) {
      const shade = parseFloat(each.style.getPropertyValue("--shade") || "0") / 100;
      const fill = each.classList.contains("leak") ? "#D55E00" : each.classList.contains("masked") ? "url(#hatch)" : "#0072B2";
      const opacity = each.classList.contains("leak") ? 0.3 : each.classList.contains("masked") ? 1 : shade;
      parts.push(`<rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" fill="${fill}" fill-opacity="${opacity}" stroke="${style.color}" stroke-opacity="0.25"/>`);
    }
    const [middle, anchor] = each.classList.contains("title") ? [x, "start"] : [x + box.width / 2, "middle"];
    parts.push(`<text x="${middle}" y="${y + box.height / 2}" text-anchor="${anchor}" dominant-baseline="central" fill="${style.color}" ` +
      `font-family="${escaped(look.fontFamily)}" font-size="${look.fontSize}" font-weight="${look.fontWeight}">${escaped(each.textContent)}</text>`);
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${origin.width}" height="${origin.height}">${parts.join("")}</svg>`;
}

export function saveSvg(state) {
  save(new Blob([svg(state)], { type: "image/svg+xml" }), `${state.data.file}.svg`);
}

export function savePng(state) {
  const { width, height } = state.stages.getBoundingClientRect();
  const picture = new Image();
  picture.onload = () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * height });
    contextOf(canvas).drawImage(picture, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => blob && save(blob, `${state.data.file}.png`));
  };
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg(state))}`;
}
