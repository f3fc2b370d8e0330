/* Plotly's own code, fetched once for a page, where it has a figure. */

/** @param {string} address @returns {Promise<any>} plotly */
export function loadPlotly(address) {
  const page = /** @type {any} */ (globalThis);
  page.attendPlotly ??= page.Plotly
    ? Promise.resolve(page.Plotly)
    : new Promise((done, fail) => {
        const script = document.createElement("script");
        script.src = address;
        script.onload = () => done(page.Plotly);
        script.onerror = () => fail(new Error("plotly's code did not come."));
        document.head.append(script);
      });
  return page.attendPlotly;
}
