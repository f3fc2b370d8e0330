/* A view's own words, which come with its data. */

/**
 * A label with what {name} stands for in it.
 * @param {string} label
 * @param {Record<string, any>} values
 */
export function filled(label, values) {
  return label.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}
