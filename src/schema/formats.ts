import { getOwn, type JsonValue } from "../core/json.js";
import { fullFormats } from "ajv-formats/dist/formats.js";

/** The formats that validators check, as ajv-formats defines them in full mode. */
export const formatNames: readonly string[] = Object.keys(fullFormats);

export function isKnownFormat(name: string): boolean {
  return Object.hasOwn(fullFormats, name);
}

/** Whether validators refuse any text for a format: `password` only says how it is shown. */
export function isChecked(name: string): boolean {
  return isKnownFormat(name) && getOwn(fullFormats, name) !== true;
}

/** Formats, and those of which every text is one of theirs, by the expressions of ajv-formats. */
const wider: { readonly [narrow: string]: readonly string[] } = {
  uri: ["uri-reference"],
  "json-pointer-uri-fragment": ["uri-reference"],
  "date-time": ["iso-date-time"],
  time: ["iso-time"],
  ipv4: ["hostname"],
};

/** Whether every text of one format is one of another. */
export function isOfFormat(narrow: string, wide: string): boolean {
  return narrow === wide || (getOwn(wider, narrow) ?? []).includes(wide);
}

/** How many characters the shortest text of a format has. */
const shortest: { readonly [format: string]: number } = {
  date: 10,
  time: 9,
  "date-time": 20,
  "iso-time": 8,
  "iso-date-time": 19,
  duration: 3,
  uri: 3,
  url: 10,
  email: 5,
  hostname: 1,
  ipv4: 7,
  ipv6: 2,
  uuid: 36,
  "json-pointer-uri-fragment": 1,
  "relative-json-pointer": 1,
};

/** How many characters texts of a format have at least; 0 where that isn't known, or there is no format. */
export function shortestOf(format: JsonValue | undefined): number {
  return typeof format === "string" ? (getOwn(shortest, format) ?? 0) : 0;
}
