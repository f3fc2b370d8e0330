/* Where a story's documents and the code of its pictures come from, and where its links lead: the server; or, on the static
   site, scripts that stand beside the page (assets/site/site.js). */

import { askServer, beatAddress } from "./documents.js";
import { follow } from "./follow.js";

/**
 * @typedef {{
 *   document: (lesson: string, place: { number: number, revealed: boolean }, asked?: any, shown?: any) => Promise<any>,
 *   description: null | ((lesson: string, place: { number: number, revealed: boolean }, changes: any, shown: any) => Promise<any>),
 *   code: (address: string) => Promise<any>,
 *   open: (address: string) => void,
 *   page: (name: string) => string,
 *   lab: null | ((state: any) => void),
 *   file: null | ((lesson: string, place: { number: number, revealed: boolean }, changes: any) => Promise<string>),
 * }} Source
 */

/** @param {string} base the path below which the server answers @returns {Source} */
const serverAt = (base) => ({
  /** A beat's document: as its author set it, or with what is `asked`, { changes, event, value }. */
  async document(lesson, place, asked) {
    return (await askServer(beatAddress(base, lesson, place, "json"), asked)).json();
  },
  /** The description of a beat's picture, as its author set it or with `changes`. */
  async description(lesson, place, changes) {
    const asked = Object.keys(changes ?? {}).length ? { changes } : undefined;
    return (await askServer(beatAddress(base, lesson, place, "description.json"), asked)).json();
  },
  /** The beat as one HTML file, as text. */
  async file(lesson, place, changes) {
    return (await askServer(beatAddress(base, lesson, place, "html"), { changes })).text();
  },
  /** The module at an address. */
  code: (address) => import(new URL(address, location.origin).href),
  open: follow,
  /** The address of a lesson's page, or of another page of the course, beside the present one. */
  page: (name) => name,
  lab: null,
});

/** @param {string} base @returns {Source} */
export const sourceOf = (base = "") => /** @type {any} */ (globalThis).attendSource ?? serverAt(base);
