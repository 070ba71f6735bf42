import { getOwn, type JsonValue } from "../core/json.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { formats } from "@skillc/runtime/v1/validation";

/** The formats that validators check, as ajv-formats defines them in full mode. */
export const formatNames: readonly string[] = Object.keys(fullFormats);

export function isKnownFormat(name: string): boolean {
  return Object.hasOwn(fullFormats, name);
}

/** The format of a parameter that is the path of a file or folder. */
export const pathFormat = "path";

/**
 * Checks for the formats that skillc uses: the checked ones, `uint64`, which `int64: string` reads,
 * and `path`, which bindings read.
 */
export function hasMeaning(name: string): boolean {
  return isKnownFormat(name) || name === "uint64" || name === pathFormat;
}

/**
 * Checks if validators reject any text for a format. `password`, for example, only affects the
 * display.
 */
export function isChecked(name: string): boolean {
  return isKnownFormat(name) && getOwn(fullFormats, name) !== true;
}

/**
 * Checks if a value has a format, like generated validators do. A format ignores values of other
 * types, and unknown formats accept everything.
 */
export function hasFormat(value: JsonValue, name: string): boolean {
  const format = getOwn(formats, name);
  if (format === undefined || typeof value !== (format.type ?? "string")) return true;
  const { validate } = format;
  // The value has the type that the format applies to.
  return validate instanceof RegExp ? validate.test(String(value)) : validate(value as never);
}

/**
 * Wider formats of a format: every text of the key also has the listed formats, by the expressions
 * of ajv-formats.
 */
const wider: { readonly [narrow: string]: readonly string[] } = {
  uri: ["uri-reference"],
  "json-pointer-uri-fragment": ["uri-reference"],
  "date-time": ["iso-date-time"],
  time: ["iso-time"],
  ipv4: ["hostname"],
};

/** Checks if every text of one format also has the other. */
export function isOfFormat(narrow: string, wide: string): boolean {
  return narrow === wide || (getOwn(wider, narrow) ?? []).includes(wide);
}

/** End of a time with an offset. */
const offset = String.raw`(?:\.\d+)?(?:[Zz]|[+-]\d\d(?::?\d\d)?)$`;

/** Pattern that every text of a format matches; other texts may match too. */
const looks: { readonly [format: string]: string } = {
  date: String.raw`^\d{4}-\d\d-\d\d$`,
  time: String.raw`^\d\d:\d\d:\d\d${offset}`,
  "iso-time": String.raw`^\d\d:\d\d:\d\d`,
  "date-time": String.raw`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d${offset}`,
  "iso-date-time": String.raw`^\d{4}-\d\d-\d\d[Tt\s]\d\d:\d\d:\d\d`,
  duration: "^P.",
  email: String.raw`^[^@\s]+@[^@\s]+$`,
  hostname: "^[A-Za-z0-9.-]+$",
  ipv4: String.raw`^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$`,
  ipv6: "^[0-9A-Fa-f:]*:[0-9A-Fa-f]*:[0-9A-Fa-f:.]*$",
  uri: "^[A-Za-z][A-Za-z0-9+.-]*:",
  url: "^(?:[hH][tT]{2}[pP][sS]?|[fF][tT][pP]):",
  uuid: "^(?:[uU][rR][nN]:[uU]{2}[iI][dD]:)?[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$",
  "json-pointer": "^(?:/|$)",
  "json-pointer-uri-fragment": "^#",
  "relative-json-pointer": String.raw`^\d+(?:[/#]|$)`,
};

/** A pattern that every text of a format matches; undefined if none is known. */
export function looksOf(format: string): string | undefined {
  return getOwn(looks, format);
}

/** Minimum length of a text of each format. */
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

/**
 * Minimum length of a text of the format, in characters; 0 if it is unknown, or if there is no
 * format.
 */
export function shortestOf(format: JsonValue | undefined): number {
  return typeof format === "string" ? (getOwn(shortest, format) ?? 0) : 0;
}
