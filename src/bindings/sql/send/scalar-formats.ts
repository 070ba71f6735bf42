import { isTooDeep, deepestJson } from "../../../runtime/json-depth.js";
import type { JsonValue } from "../../../runtime/json.js";
import { NumberTooLarge, parseJson } from "../../../runtime/parse-json.js";
import { RefusedValue } from "../../../runtime/sink.js";
import type { ScalarFormat } from "../contract.js";
import { printDate, readDate, readZonedTime } from "./date-text.js";
import { UnreadableValue } from "./faults.js";

/** How one built-in type travels. */
export interface ScalarTraits {
  /** OIDs of the type and of its array type; undefined: any type. */
  readonly oids?: readonly [scalar: number, array: number];
  /** PostgreSQL's text → JSON. */
  readonly read: (text: string) => JsonValue;
  /** JSON, neither null nor a list → PostgreSQL's text. */
  readonly print: (value: unknown) => string;
  /** Between the elements of an array. */
  readonly delimiter: "," | ";";
}

const asPrinted = (text: string): string => text;

function traits(
  oids: readonly [number, number] | undefined,
  read: (text: string) => JsonValue = asPrinted,
  print: (value: unknown) => string = printText,
): ScalarTraits {
  return { ...(oids === undefined ? {} : { oids }), read, print, delimiter: "," };
}

/** Refuses values of other types, which PostgreSQL would read by their text. */
function only(
  types: readonly ("string" | "number" | "boolean")[],
  words: string,
  print: (value: unknown) => string = printScalar,
): (value: unknown) => string {
  return (value) => {
    if (types.some((type) => typeof value === type)) return print(value);
    throw new RefusedValue("", "type", `must be ${words}`, (each) => Object.is(each, value));
  };
}

const printNumber = only(["number"], "a number");
const printText = only(["string"], "text");

export const scalarTraits: Readonly<Record<ScalarFormat, ScalarTraits>> = {
  text: traits(undefined),
  bool: traits([16, 1000], (text) => text === "t", only(["boolean"], "a boolean")),
  int2: traits([21, 1005], readNumber, printNumber),
  int4: traits([23, 1007], readNumber, printNumber),
  int8: traits(
    [20, 1016],
    asPrinted,
    only(["number", "string"], "an integer, or its digits as text", printInteger),
  ),
  oid: traits([26, 1028], readNumber, printNumber),
  float4: traits([700, 1021], readNumber, printNumber),
  float8: traits([701, 1022], readNumber, printNumber),
  numeric: traits(
    [1700, 1231],
    asPrinted,
    only(["number", "string"], "a number, or its digits as text"),
  ),
  uuid: traits([2950, 2951], asPrinted, (value) => printText(value).replace(/^urn:uuid:/i, "")),
  bytea: traits([17, 1001], readBytes, printBytes),
  json: traits([114, 199], readJson, printJson),
  jsonb: traits([3802, 3807], readJson, printJsonb),
  date: traits([1082, 1182], readDate, (value) => printDate(printText(value))),
  time: traits([1083, 1183]),
  timetz: traits([1266, 1270], readZonedTime),
  timestamp: traits([1114, 1115], readDate, (value) => printDate(printText(value))),
  timestamptz: traits([1184, 1185], readDate, (value) => printDate(printText(value))),
  interval: traits([1186, 1187]),
  box: { ...traits([603, 1020]), delimiter: ";" },
};

function readNumber(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value)) return value;
  throw new UnreadableValue("holds NaN or an infinity, which JSON has no number for");
}

function readJson(text: string): JsonValue {
  if (isTooDeep(text)) throw new UnreadableValue(`holds JSON deeper than ${deepestJson} levels`);
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof NumberTooLarge)) throw error;
    throw new UnreadableValue("holds JSON with a number that is too large for JavaScript's");
  }
}

/** `bytea_output` is hex: `\x00ff`. */
function readBytes(text: string): string {
  return Buffer.from(text.slice(2), "hex").toString("base64");
}

function printBytes(value: unknown): string {
  const text = printScalar(value);
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") === text) return `\\x${bytes.toString("hex")}`;
  throw new RefusedValue("", "contentEncoding", "a value for a bytea must be base64");
}

function printJson(value: unknown): string {
  const text = stringify(value);
  if (text === undefined || isTooDeep(text))
    throw new RefusedValue("", "depth", `must not nest deeper than ${deepestJson} levels`);
  return text;
}

/** What JSON escapes and jsonb has no place for. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

function printJsonb(value: unknown): string {
  const text = printJson(value);
  if (unstorable.test(text)) throw refusedText();
  return text;
}

/** A number beyond these has been rounded before it came here. */
function printInteger(value: unknown): string {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return printScalar(value);
  throw new RefusedValue(
    "",
    "integer",
    "an integer beyond ±9007199254740991 is not exact as a JSON number: give it as digits in quotes",
    isInexact,
  );
}

function isInexact(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** Undefined for a value so deep that writing it runs out of stack. */
function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** PostgreSQL's text can hold every character but NUL. */
function printScalar(value: unknown): string {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  if (isUnstorable(text)) throw refusedText();
  return text;
}

function isUnstorable(value: unknown): boolean {
  return typeof value === "string" && (!value.isWellFormed() || value.includes("\0"));
}

function refusedText(): RefusedValue {
  const message = "text must be well-formed Unicode without NUL";
  return new RefusedValue("", "text", message, isUnstorable);
}
