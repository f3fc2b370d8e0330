/* One drawing for two surfaces: a canvas, and an SVG file to take away; and the theme it is drawn with. */

import { contextOf } from "./element.js";
import { escaped } from "./files.js";

const DASHES = [6, 5];
const STAMPS = new Map(); // what is drawn often, by its name: drawn once

/* Fill and edge the path that a canvas holds; "" leaves either out. */
function finish(context, fill, edge, width) {
  context.setLineDash([]);
  if (fill) {
    context.fillStyle = fill;
    context.fill();
  }
  if (edge) {
    context.strokeStyle = edge;
    context.lineWidth = width;
    context.stroke();
  }
}

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
    line(x1, y1, x2, y2, colour, width, opacity, dashed = false) {
      context.globalAlpha = opacity;
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.setLineDash(dashed ? DASHES : []);
      context.beginPath();
      context.moveTo(x1, y1);
      context.lineTo(x2, y2);
      context.stroke();
      context.globalAlpha = 1;
    },
    circle(x, y, r, fill, edge, width) {
      context.beginPath();
      context.arc(x, y, r, 0, 2 * Math.PI);
      finish(context, fill, edge, width);
    },
    polygon(corners, fill, edge, width) {
      context.beginPath();
      for (const [x, y] of corners) context.lineTo(x, y);
      context.closePath();
      finish(context, fill, edge, width);
    },
    /* What is drawn often: `make(surface)` draws it once, about 0, 0; what is returned draws a copy about a place. */
    stamp(name, reach, make) {
      const ratio = context.getTransform().a;
      let picture = STAMPS.get(`${name} ${ratio}`);
      if (!picture) {
        picture = document.createElement("canvas");
        picture.width = picture.height = Math.ceil(2 * reach * ratio);
        const own = picture.getContext("2d");
        own.setTransform(ratio, 0, 0, ratio, reach * ratio, reach * ratio);
        make(canvasSurface(own));
        STAMPS.set(`${name} ${ratio}`, picture);
      }
      const size = picture.width / ratio;
      return (x, y, opacity) => {
        if (opacity < 1) context.globalAlpha = opacity;
        context.drawImage(picture, Math.round((x - reach) * ratio) / ratio, Math.round((y - reach) * ratio) / ratio, size, size);
        if (opacity < 1) context.globalAlpha = 1;
      };
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
  const look = (fill, edge, width) => `fill="${fill || "none"}"${edge ? ` stroke="${edge}" stroke-width="${width}"` : ""}`;
  return {
    rect(x, y, w, h, fill, opacity = 1) {
      parts.push(`<rect x="${rounded(x)}" y="${rounded(y)}" width="${rounded(w)}" height="${rounded(h)}" fill="${fill}"` +
        `${opacity < 1 ? ` fill-opacity="${opacity.toFixed(4)}"` : ""}/>`);
    },
    outline(x, y, w, h, colour, width) {
      parts.push(`<rect x="${rounded(x)}" y="${rounded(y)}" width="${rounded(w)}" height="${rounded(h)}" fill="none" ` +
        `stroke="${colour}" stroke-width="${width}"/>`);
    },
    line(x1, y1, x2, y2, colour, width, opacity, dashed = false) {
      parts.push(`<line x1="${rounded(x1)}" y1="${rounded(y1)}" x2="${rounded(x2)}" y2="${rounded(y2)}" stroke="${colour}" ` +
        `stroke-width="${rounded(width)}" stroke-opacity="${opacity.toFixed(4)}"` +
        `${dashed ? ` stroke-dasharray="${DASHES.join(" ")}"` : ""}/>`);
    },
    circle(x, y, r, fill, edge, width) {
      parts.push(`<circle cx="${rounded(x)}" cy="${rounded(y)}" r="${rounded(r)}" ${look(fill, edge, width)}/>`);
    },
    polygon(corners, fill, edge, width) {
      const points = corners.map(([x, y]) => `${rounded(x)},${rounded(y)}`).join(" ");
      parts.push(`<polygon points="${points}" ${look(fill, edge, width)}/>`);
    },
    stamp(name, reach, make) {
      return (x, y, opacity) => {
        parts.push(`<g transform="translate(${rounded(x)} ${rounded(y)})" opacity="${rounded(opacity)}">`);
        make(this);
        parts.push("</g>");
      };
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
  const probe = contextOf();
  probe.fillStyle = colour;
  const hex = String(probe.fillStyle);
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}
