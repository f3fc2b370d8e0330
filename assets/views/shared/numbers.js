/* Numbers as the course writes them: a true minus sign, thousands apart, as many digits as a hand calculation needs. */

/**
 * @param {number} value
 * @param {number} [digits] after the point
 * @returns {string}
 */
export function written(value, digits = 3) {
  if (value === Infinity) return "∞";
  if (value === -Infinity) return "−∞";
  return value.toFixed(digits).replace("-", "−");
}

/**
 * A number with so many figures, a small one as a power of ten: as core's plain_number writes it.
 * @param {number} value
 * @param {number} [digits]
 * @returns {string}
 */
export function plainNumber(value, digits = 3) {
  const [figures, power] = value.toExponential(digits - 1).split("e");
  if (value === 0 || Number(power) >= -4) return String(Number(value.toPrecision(digits))).replace("-", "−");
  const raised = [...String(Number(power))].map((each) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[each] ?? "⁻").join("");
  return `${Number(figures)}·10${raised}`.replace("-", "−");
}

/**
 * A probability in three decimals, a small one in two figures, one that is not quite 1 so: as core's gaps write it.
 * @param {number} p
 * @returns {string}
 */
export function probability(p) {
  if (p >= 0.9995 && p < 1) return "> 0.999";
  return p >= 0.0095 ? written(p) : plainNumber(p, 2);
}

/**
 * @param {number} count
 * @returns {string}
 */
export function counted(count) {
  return count.toLocaleString("en");
}

/**
 * @param {number} share from 0 to 1
 * @returns {string}
 */
export function percent(share) {
  if (share === 0) return "";
  if (share >= 0.1) return `${(100 * share).toFixed(0)} %`;
  return share >= 0.001 ? `${(100 * share).toFixed(1)} %` : "< 0.1 %";
}

/** The bytes that Python sent as base64. @param {string} text @returns {ArrayBuffer} */
export function bytes(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
}

/**
 * Numbers that Python sent as the base64 of their float32 bytes.
 * @param {string} text
 * @returns {Float32Array}
 */
export function decoded(text) {
  return new Float32Array(bytes(text));
}

/**
 * Numbers from -1 to 1 that Python sent as the base64 of 16-bit integers.
 * @param {string} text
 * @returns {Float32Array}
 */
export function decodedShares(text) {
  return Float32Array.from(new Int16Array(bytes(text)), (value) => value / 32767);
}
