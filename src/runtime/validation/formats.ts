import { fullFormats } from "ajv-formats/dist/formats.js";

/** A format of JSON Schema. */
export interface Format {
  /** Name of the format: `date-time`. */
  readonly name: string;
  /** Type of the values that the format restricts; `string` by default. */
  readonly type?: "string" | "number";
  /** Pattern or function that accepts the values of the format. */
  readonly validate: RegExp | ((value: never) => boolean);
}

/** A time, or a date and a time, up to the seconds and their fraction. */
const secondsWithFraction = /^((?:\d{4}-\d\d-\d\d[Tt\s])?\d\d:\d\d:\d\d)\.\d+/;

/**
 * Makes a check of ajv-formats that ignores the fraction of seconds. ajv-formats parses it as a
 * double, so that 59.999999999999999 becomes 60.
 */
function bySeconds(
  name: "date-time" | "iso-date-time" | "iso-time" | "time",
): (text: string) => boolean {
  // In full mode these formats are functions.
  const { validate } = fullFormats[name] as { readonly validate: (text: string) => boolean };
  return (text) => validate(text.replace(secondsWithFraction, "$1"));
}

const isDateTime = bySeconds("date-time");

/**
 * The usual form of a date and time: days up to the 28th, no leap second. It accepts most texts
 * quickly; other texts need the full check.
 */
const usualDateTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Formats that ajv-formats checks wrongly, and `url`, which it checks in quadratic time. */
const ownFormats = {
  url: isUrl,
  time: bySeconds("time"),
  // RFC 3339 lets applications write a space, but the format `date-time` requires `T`.
  "date-time": (text: string) => usualDateTime.test(text) || (!/\s/.test(text) && isDateTime(text)),
  "iso-time": bySeconds("iso-time"),
  "iso-date-time": bySeconds("iso-date-time"),
};

/** The formats of ajv-formats in full mode that check something. */
export const formats: { readonly [name: string]: Format } = Object.fromEntries(
  Object.entries({ ...fullFormats, ...ownFormats }).flatMap(
    ([name, format]): [string, Format][] => {
      if (typeof format === "boolean") return [];
      if (format instanceof RegExp || typeof format === "function")
        return [[name, { name, validate: format }]];
      // The definitions are synchronous, and none is a pattern in text; the package's type allows
      // both.
      return [[name, { ...(format as Format), name }]];
    },
  ),
);

/** Schemes `http:`, `https:` and `ftp:`. */
const scheme = /^(?:https?|ftp):\/\//iu;

/**
 * A public host, its port, and the end or the slash of the path. It contains no `@` and no blank.
 */
const host =
  /(?:(?!(?:10|127)(?:\.\d{1,3}){3})(?!(?:169\.254|192\.168)(?:\.\d{1,3}){2})(?!172\.(?:1[6-9]|2\d|3[0-1])(?:\.\d{1,3}){2})(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}(?:\.(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4]))|(?:(?:[a-z0-9\u{00a1}-\u{ffff}]+-)*[a-z0-9\u{00a1}-\u{ffff}]+)(?:\.(?:[a-z0-9\u{00a1}-\u{ffff}]+-)*[a-z0-9\u{00a1}-\u{ffff}]+)*(?:\.(?:[a-z\u{00a1}-\u{ffff}]{2,})))(?::\d{2,5})?(?:\/|$)/iuy;

const blank = /\s/u;

/**
 * Checks the format `url` as ajv-formats does, in linear time. The original expression scans the
 * rest of the text again for each `@`. The host follows the scheme, or an `@` with something and no
 * blank before it; the path has no blank.
 */
export function isUrl(text: string): boolean {
  const start = scheme.exec(text)?.[0].length;
  if (start === undefined) return false;
  const [firstBlank, lastBlank] = blanksIn(text, start);
  let at = start;
  while (at <= firstBlank) {
    host.lastIndex = at;
    if (host.test(text) && host.lastIndex > lastBlank) return true;
    const sign = text.indexOf("@", Math.max(at, start + 1));
    if (sign < 0) return false;
    at = sign + 1;
  }
  return false;
}

/** Returns the offsets of the first and the last blank; the length and -1 if there is none. */
function blanksIn(text: string, start: number): readonly [first: number, last: number] {
  let first = text.length;
  let last = -1;
  for (let at = start; at < text.length; at += 1) {
    if (!blank.test(text.charAt(at))) continue;
    first = Math.min(first, at);
    last = at;
  }
  return [first, last];
}
