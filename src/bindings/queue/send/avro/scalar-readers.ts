import { type Fault, type Reader, refuse } from "./reader.js";

/** Values that the library takes as they are. */
export function plainReader(name: string): Reader | undefined {
  return readers[name];
}

const largestFloat = 3.4028234663852886e38;

const readers: { readonly [name: string]: Reader } = {
  null: {
    kinds: ["null"],
    read: (value, fault) => (value === null ? null : refuse(fault, "type", "must be null")),
  },
  boolean: {
    kinds: ["boolean"],
    read: (value, fault) =>
      typeof value === "boolean" ? value : refuse(fault, "type", "must be boolean"),
  },
  int: numberReader(
    (value) => (value | 0) === value,
    "must be a whole number from -2147483648 to 2147483647",
  ),
  float: numberReader(
    (value) => Math.abs(value) <= largestFloat,
    "must be a number that 32 bits can hold",
  ),
  double: numberReader(Number.isFinite, "must be a finite number"),
  long: { kinds: ["number", "string"], read: readLong },
  string: { kinds: ["string"], read: readText },
  bytes: textReader(readBase64, "must be base64"),
};

function numberReader(isFit: (value: number) => boolean, message: string): Reader {
  return {
    kinds: ["number"],
    read: (value, fault) =>
      typeof value === "number" && isFit(value) ? value : refuse(fault, "type", message),
  };
}

/**
 * A value that JSON writes as text.
 *
 * @param parse gives undefined for a text that is none
 */
export function textReader(parse: (text: string) => unknown, message: string): Reader {
  return {
    kinds: ["string"],
    read(value, fault) {
      const parsed = typeof value === "string" ? parse(value) : undefined;
      return parsed === undefined ? refuse(fault, "format", message) : parsed;
    },
  };
}

const smallestLong = -(2n ** 63n);
const largestLong = 2n ** 63n - 1n;
/** Longer ones are out of range, and take long to read. */
const longText = /^(?:0|-?[1-9]\d{0,18})$/;

function readLong(value: unknown, fault: Fault): number | bigint | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  const long = typeof value === "string" && longText.test(value) ? BigInt(value) : undefined;
  if (long !== undefined && long >= smallestLong && long <= largestLong) return long;
  return refuse(
    fault,
    "type",
    "must be a whole number that is exact in JSON, or the digits of one of 64 bits",
  );
}

function readText(value: unknown, fault: Fault): string | undefined {
  if (typeof value === "string" && value.isWellFormed()) return value;
  return refuse(fault, "text", "must be text of well-formed Unicode");
}

/** Undefined unless the text is the one way to write these bytes. */
export function readBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}
