import { fullFormats } from "ajv-formats/dist/formats.js";

export interface Format {
  readonly name: string;
  readonly type?: "string" | "number";
  readonly validate: RegExp | ((value: never) => boolean);
}

/** A time, or a date and a time, up to its seconds, and the digits behind them. */
const secondsWithFraction = /^((?:\d{4}-\d\d-\d\d[Tt\s])?\d\d:\d\d:\d\d)\.\d+/;

/**
 * A check of ajv-formats without the fraction of the seconds, which says nothing about a time.
 * ajv-formats reads it as a double, which makes 60 of 59.999999999999999.
 */
function bySeconds(
  name: "date-time" | "iso-date-time" | "iso-time" | "time",
): (text: string) => boolean {
  // In full mode these are functions of a text.
  const { validate } = fullFormats[name] as { readonly validate: (text: string) => boolean };
  return (text) => validate(text.replace(secondsWithFraction, "$1"));
}

const isDateTime = bySeconds("date-time");

/**
 * What most services write for a date and a time: days to the 28th, no leap second. It decides most
 * texts without taking them apart; a text that it doesn't match may still be one.
 */
const usualDateTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Formats that ajv-formats checks wrongly, and `url`, for which it takes quadratic time. */
const ownFormats = {
  url: isUrl,
  time: bySeconds("time"),
  // RFC 3339 lets applications write a space; the format `date-time` is its `T` alone.
  "date-time": (text: string) => usualDateTime.test(text) || (!/\s/.test(text) && isDateTime(text)),
  "iso-time": bySeconds("iso-time"),
  "iso-date-time": bySeconds("iso-date-time"),
};

/** The formats of ajv-formats in full mode, those that check something, in one shape. */
export const formats: { readonly [name: string]: Format } = Object.fromEntries(
  Object.entries({ ...fullFormats, ...ownFormats }).flatMap(
    ([name, format]): [string, Format][] => {
      if (typeof format === "boolean") return [];
      if (format instanceof RegExp || typeof format === "function")
        return [[name, { name, validate: format }]];
      // The definitions are synchronous and none has a textual pattern: the package's own type allows
      // both.
      return [[name, { ...(format as Format), name }]];
    },
  ),
);

/** `http:`, `https:` or `ftp:`. */
const scheme = /^(?:https?|ftp):\/\//iu;

/** A public host, its port, and the end or the slash of a path. No `@` and no blank is in it. */
const host =
  /(?:(?!(?:10|127)(?:\.\d{1,3}){3})(?!(?:169\.254|192\.168)(?:\.\d{1,3}){2})(?!172\.(?:1[6-9]|2\d|3[0-1])(?:\.\d{1,3}){2})(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}(?:\.(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4]))|(?:(?:[a-z0-9\u{00a1}-\u{ffff}]+-)*[a-z0-9\u{00a1}-\u{ffff}]+)(?:\.(?:[a-z0-9\u{00a1}-\u{ffff}]+-)*[a-z0-9\u{00a1}-\u{ffff}]+)*(?:\.(?:[a-z\u{00a1}-\u{ffff}]{2,})))(?::\d{2,5})?(?:\/|$)/iuy;

const blank = /\s/u;

/**
 * The format `url`, as ajv-formats has it: its expression, taken apart, since that one goes through
 * all that follows again for each `@`. The host follows the scheme, or an `@` that stands behind
 * something and behind no blank; the path has no blank.
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

/** Where the first and the last blank stand; the end, and -1, where there is none. */
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
