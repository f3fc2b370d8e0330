/* Which words of the page's pictures lie on each other: pairs of texts whose boxes share more than a tenth of the smaller.

   Words that are turned have boxes larger than themselves, and a number written over itself is one: neither is looked at.
   Looked at are the texts of plotly's figures and of the views, SVG and HTML alike; a word that is hidden, that is no
   colour, or that scrolls out of its box or behind a column that stays is none. */
() => {
  const boxes = [];
  const seen = (node) => {
    for (let each = node; each instanceof Element; each = each.parentElement ?? each.getRootNode().host) {
      const style = getComputedStyle(each);
      if (style.display === "none" || style.visibility === "hidden" || Number(style.opacity) < 0.05) return false;
      if (each.matches(".hoverlayer, .modebar, [aria-hidden='true'].pool")) return false;
    }
    return true;
  };
  const clipped = (node, box) => {
    let { left, top, right, bottom } = box;
    for (let each = node; each; each = each.parentElement ?? each.getRootNode().host) {
      const { overflowX, overflowY } = getComputedStyle(each);
      if (overflowX === "visible" && overflowY === "visible") continue;
      if (each instanceof SVGElement && each.tagName !== "svg") continue;
      const frame = each.getBoundingClientRect();
      left = Math.max(left, frame.left); right = Math.min(right, frame.right);
      top = Math.max(top, frame.top); bottom = Math.min(bottom, frame.bottom);
    }
    const cell = node.closest("td, th");
    for (const stays of cell?.parentElement.children ?? []) {
      if (stays === cell || getComputedStyle(stays).position !== "sticky" || getComputedStyle(cell).position === "sticky") continue;
      const frame = stays.getBoundingClientRect();
      if (frame.left > left) right = Math.min(right, frame.left);
      else left = Math.max(left, frame.right);
    }
    return right - left > 1 && bottom - top > 1 ? { left, top, right, bottom } : null;
  };
  const add = (root, picture) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const text = node.textContent.trim();
      const parent = node.parentElement;
      const turned = parent instanceof SVGGraphicsElement && Math.abs(parent.getScreenCTM()?.b ?? 0) > 0.01;
      if (turned || !text || !parent || parent.closest("style, script, option, title, desc") || !seen(parent)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        const whole = clipped(parent, box);
        if (whole) boxes.push({ text, picture, parent, ...whole });
      }
    }
  };
  document.querySelectorAll(".js-plotly-plot").forEach((plot, i) => add(plot, `figure ${i + 1}`));
  document.querySelectorAll('[data-testid="stBidiComponentRegular"], [data-testid="stBidiComponentIsolated"], [data-testid^="stBidi"]').forEach((view, i) => {
    const inner = [...view.querySelectorAll("*")].find((each) => each.shadowRoot);
    const root = inner?.shadowRoot ?? view.shadowRoot;
    if (root) add(root, `view ${i + 1}`);
  });
  const found = [];
  const middle = (box) => (box.bottom - box.top) * 0.15; // a line's box is taller than its letters
  boxes.forEach((a, i) => {
    for (const b of boxes.slice(i + 1)) {
      if (a.picture !== b.picture || a.parent === b.parent) continue;
      if (a.text === b.text && Math.abs(a.left - b.left) < 2 && Math.abs(a.top - b.top) < 2) continue;
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom - middle(a), b.bottom - middle(b)) - Math.max(a.top + middle(a), b.top + middle(b));
      if (wide <= 0 || high <= 0) continue;
      const area = (box) => (box.right - box.left) * (box.bottom - box.top - 2 * middle(box));
      if (wide * high > 0.1 * Math.min(area(a), area(b))) found.push(`${a.picture}: “${a.text}” on “${b.text}”`);
    }
  });
  return found;
}
