/* The words of the page's pictures that are in sight: each with its box in the window, its ink and how opaque it is.

   Looked at are the texts of plotly's figures and of the views, SVG and HTML alike. What cannot be pressed now may be pale,
   as WCAG has it; words that are hidden are none. */
() => {
  const found = [];
  const parentOf = (node) => node.parentElement ?? node.getRootNode().host;
  const opacityOf = (node) => {
    let opacity = 1;
    for (let each = node; each instanceof Element; each = parentOf(each)) {
      const style = getComputedStyle(each);
      if (style.display === "none" || style.visibility === "hidden") return 0;
      if (each.matches(":disabled, .hoverlayer, .modebar, .attend-black")) return 0;
      opacity *= Number(style.opacity);
    }
    return opacity;
  };
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const inks = new Map();
  const inkOf = (colour) => {
    if (!inks.has(colour)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      inks.set(colour, [...pen.getImageData(0, 0, 1, 1).data]);
    }
    return inks.get(colour);
  };
  const add = (root, picture) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      const text = walker.currentNode.textContent.trim();
      if (!text || !parent?.checkVisibility() || parent.closest("style, script, option, title, desc")) continue; // a closed fold has a box, too
      const svg = parent instanceof SVGElement;
      const style = getComputedStyle(parent);
      const opacity = opacityOf(parent) * (svg ? Number(style.fillOpacity) : 1);
      if (opacity < 0.05) continue;
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      const { left, top, width, height } = range.getBoundingClientRect();
      const [r, g, b, a] = inkOf(svg ? style.fill : style.color);
      const emoji = /^[\p{Extended_Pictographic}\uFE0F\s]+$/u.test(text);
      if (!emoji && a > 0 && width * height > 0) found.push({ text: text.slice(0, 40), picture, box: [left, top, width, height], ink: [r, g, b], bold: Number(style.fontWeight) >= 700, opacity: opacity * a / 255 });
    }
  };
  const rootsIn = (tree) => [...tree.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ? [shadowRoot, ...rootsIn(shadowRoot)] : []);
  document.querySelectorAll(".js-plotly-plot").forEach((plot, i) => add(plot, `figure ${i + 1}`));
  rootsIn(document).forEach((root, i) => add(root, `view ${i + 1}`));
  return found;
}
