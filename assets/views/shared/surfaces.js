/* One drawing for two surfaces: a canvas, and an SVG file to take away; and the theme it is drawn with. */

import { escaped } from "./files.js";

export function canvasSurface(context) {
  return {
    rect(x, y, w, h, fill, opacity = 1) {
      context.globalAlpha = opacity;
      context.fillStyle = fill;
      context.fillRect(x, y, w, h);
      context.globalAlpha = 1;
    },
    outline(x, y, w, h, colour, width) {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.strokeRect(x, y, w, h);
    },
    line(x1, y1, x2, y2, colour, width, opacity) {
      context.globalAlpha = opacity;
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.beginPath();
      context.moveTo(x1, y1);
      context.lineTo(x2, y2);
      context.stroke();
      context.globalAlpha = 1;
    },
    text(x, y, content, colour, size, { anchor = "start", turn = 0, bold = false, family }) {
      context.save();
      context.translate(x, y);
      context.rotate(turn);
      context.fillStyle = colour;
      context.font = `${bold ? "600 " : ""}${size}px ${family}`;
      context.textAlign = anchor === "middle" ? "center" : anchor;
      context.textBaseline = "middle";
      context.fillText(content, 0, 0);
      context.restore();
    },
    image(bitmap, x, y, w, h) {
      context.imageSmoothingEnabled = false;
      context.drawImage(bitmap, x, y, w, h);
    },
  };
}

export const rounded = (number) => Number(number.toFixed(2));

export function svgSurface(parts) {
  return {
    rect(x, y, w, h, fill, opacity = 1) {
      parts.push(`<rect x="${rounded(x)}" y="${rounded(y)}" width="${rounded(w)}" height="${rounded(h)}" fill="${fill}"` +
        `${opacity < 1 ? ` fill-opacity="${opacity.toFixed(4)}"` : ""}/>`);
    },
    outline(x, y, w, h, colour, width) {
      parts.push(`<rect x="${rounded(x)}" y="${rounded(y)}" width="${rounded(w)}" height="${rounded(h)}" fill="none" ` +
        `stroke="${colour}" stroke-width="${width}"/>`);
    },
    line(x1, y1, x2, y2, colour, width, opacity) {
      parts.push(`<line x1="${rounded(x1)}" y1="${rounded(y1)}" x2="${rounded(x2)}" y2="${rounded(y2)}" stroke="${colour}" ` +
        `stroke-width="${rounded(width)}" stroke-opacity="${opacity.toFixed(4)}"/>`);
    },
    text(x, y, content, colour, size, { anchor = "start", turn = 0, bold = false, family }) {
      parts.push(`<text transform="translate(${rounded(x)} ${rounded(y)}) rotate(${rounded((turn * 180) / Math.PI)})" ` +
        `fill="${colour}" font-size="${size}" font-family="${escaped(family)}" text-anchor="${anchor}" ` +
        `dominant-baseline="central"${bold ? ' font-weight="600"' : ""}>${escaped(content)}</text>`);
    },
    image(bitmap, x, y, w, h) {
      parts.push(`<image x="${rounded(x)}" y="${rounded(y)}" width="${rounded(w)}" height="${rounded(h)}" ` +
        `style="image-rendering:pixelated" preserveAspectRatio="none" href="${bitmap.toDataURL()}"/>`);
    },
  };
}

export function themeOf(root) {
  const style = getComputedStyle(root);
  const variable = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
  return {
    text: variable("--st-text-color", "#1b1f24"),
    background: variable("--st-background-color", "#ffffff"),
    tint: variable("--st-secondary-background-color", "#eef1f5"),
    primary: variable("--st-primary-color", "#0072b2"),
    family: style.fontFamily || "sans-serif",
  };
}

export function rgb(colour) {
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = colour;
  const hex = String(probe.fillStyle);
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}
