/** Durations and sizes with units, because people misread long numbers. */
import { quote } from "./names.js";

/** Larger numbers are not exact, so they can't be limits. */
export const maxNumber = Number.MAX_SAFE_INTEGER;

/** A span of time or a size, as an author writes it: a whole number, or a text with its unit. */
export interface Quantity {
  /** Name with its article. */
  readonly name: string;
  /** Factor of each unit. */
  readonly units: ReadonlyMap<string, number>;
  /** How to write the quantity. */
  readonly help: string;
  /** The most that may be written, in the largest unit. */
  readonly most: string;
}

/** Durations, in milliseconds. */
export const duration: Quantity = {
  name: "a duration",
  units: new Map([
    ["ms", 1],
    ["s", 1000],
    ["m", 60_000],
    ["h", 3_600_000],
    ["d", 86_400_000],
  ]),
  help: "write a whole number with its unit, `15m`, `30s`, `1h` or `7d`, or a number of milliseconds",
  most: "104249991d",
};

/** Sizes, in bytes. Decimal units are SI's, binary ones IEC's: `kB` is 1000 bytes, `KiB` 1024. */
export const byteSize: Quantity = {
  name: "a size",
  units: new Map([
    ["B", 1],
    ["kB", 1000],
    ["MB", 1000 ** 2],
    ["GB", 1000 ** 3],
    ["KiB", 1024],
    ["MiB", 1024 ** 2],
    ["GiB", 1024 ** 3],
  ]),
  help: "write a whole number with its unit, `64KiB`, `1MiB` or `64kB`, or a number of bytes",
  most: "8388607GiB",
};

/** The `pattern` of JSON Schema for texts of the quantity. */
export function patternOf({ units }: Quantity): string {
  return `^[0-9]{1,16}(${[...units.keys()].join("|")})$`;
}

/**
 * The quantity in milliseconds or bytes: an integer counts as that number, a text is converted by
 * its unit. Undefined for any other value, including zero, negative and too large ones.
 */
export function amountOf(quantity: Quantity, written: unknown): number | undefined {
  const value = countedBy(quantity, written);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** Describes an invalid quantity: words to follow its name, and the help. */
export function faultOf(
  quantity: Quantity,
  written: unknown,
): { readonly problem: string; readonly help: string } {
  const { help, most, name } = quantity;
  return countedBy(quantity, written) > maxNumber
    ? { problem: `is larger than ${name} can be`, help: `write ${quote(most)} at most` }
    : { problem: `must be ${name} greater than 0`, help };
}

/** The amount without a limit; NaN if it is not a number. */
function countedBy({ units }: Quantity, written: unknown): number {
  if (typeof written === "number") return written;
  const [, amount, unit = ""] = /^(\d+)([A-Za-z]{1,3})$/.exec(String(written)) ?? [];
  return Number(amount) * (units.get(unit) ?? NaN);
}
