/** Converts scalars, dates and arrays between JSON and PostgreSQL's text form. */
import {
  deepestJson,
  isTooDeep,
  type JsonValue,
  parseJson,
  UnheldNumber,
} from "../../../runtime/json/json.js";
import { RefusedValue } from "../../../runtime/executor.js";
import type { Format, ScalarFormat } from "../contract.js";
import { UnreadableValue } from "./failures.js";

/** Reads and prints the values of one format. */
export interface Codec {
  readonly read: (text: string) => JsonValue;
  /** Prints a JSON value as a parameter; null stays null. */
  readonly print: (value: unknown) => string | null;
  /** OID of the built-in type; undefined if the format fits any type. */
  readonly oid: number | undefined;
}

const domain = "domain ";

const known = new Map<Format, Codec>();

export function codecOf(format: Format): Codec {
  const found = known.get(format) ?? makeCodec(format);
  known.set(format, found);
  return found;
}

function makeCodec(format: Format): Codec {
  if (format.startsWith(domain)) {
    // The rest after `domain ` is a format.
    const { print, read } = makeCodec(format.slice(domain.length) as Format);
    return { print, read, oid: undefined };
  }
  const bracket = format.indexOf("[");
  // A format is the name of a scalar format and pairs of brackets.
  const name = (bracket < 0 ? format : format.slice(0, bracket)) as ScalarFormat;
  const traits = scalarTraits[name];
  return bracket < 0 ? scalar(traits) : array(traits, name, (format.length - bracket) / 2);
}

function scalar({ read, print, oids }: ScalarTraits): Codec {
  return { read, print: (value) => (isNothing(value) ? null : print(value)), oid: oids?.[0] };
}

function array(traits: ScalarTraits, name: ScalarFormat, dimensions: number): Codec {
  const { read, print, delimiter, oids } = traits;
  const isJson = name === "json" || name === "jsonb";
  return {
    read: (text) => parseArray(text, delimiter, dimensions, read),
    print(value) {
      if (isNothing(value)) return null;
      return Array.isArray(value) ? printArray(value, delimiter, isJson, print) : print(value);
    },
    oid: oids?.[1],
  };
}

/** An absent optional parameter is sent as NULL. */
function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** Conversion of one built-in type. */
interface ScalarTraits {
  /** OIDs of the type and of its array type; undefined if the format fits any type. */
  readonly oids?: readonly [scalar: number, array: number];
  /** Converts PostgreSQL's text to JSON. */
  readonly read: (text: string) => JsonValue;
  /** Converts JSON, except null and lists, to PostgreSQL's text. */
  readonly print: (value: unknown) => string;
  /** Separator of array elements. */
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

/** Rejects values of other JSON types, which PostgreSQL would otherwise parse as text. */
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
  throw new UnreadableValue("contains NaN or an infinity, which JSON can't represent");
}

function readJson(text: string): JsonValue {
  if (isTooDeep(text)) throw new UnreadableValue(`contains JSON deeper than ${deepestJson} levels`);
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof UnheldNumber)) throw error;
    throw new UnreadableValue(`contains JSON in which ${error.message}`);
  }
}

/** Reads bytes. `bytea_output` is hex: `\x00ff`. */
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

/** Escapes of JSON that jsonb can't store. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

function printJsonb(value: unknown): string {
  const text = printJson(value);
  if (unstorable.test(text)) throw refusedText();
  return text;
}

/** An integer outside the safe range may have been rounded before. */
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

/** Undefined for a value nested so deeply that `JSON.stringify` runs out of stack. */
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

/** PostgreSQL's own limit. */
const maxDimensions = 6;

/**
 * Reads the elements of an array as PostgreSQL prints it: `{1,NULL,"a b"}`, `{{1,2},{3,4}}`,
 * `[0:1]={1,2}`. Lower bounds are dropped, because JSON arrays have none.
 *
 * @param dimensions expected depth; an empty array fits any depth
 * @throws UnreadableValue for an array of another depth
 */
function parseArray(
  text: string,
  delimiter: string,
  dimensions: number,
  readItem: (text: string) => JsonValue,
): JsonValue[] {
  let at = text.startsWith("[") ? text.indexOf("=") + 1 : 0;
  const open: JsonValue[][] = [];
  let root: JsonValue[] = [];
  const add = (item: JsonValue) => {
    if (open.length !== dimensions) {
      throw new UnreadableValue(
        `contains an array of ${open.length} dimensions, but ${dimensions} are expected`,
      );
    }
    open.at(-1)?.push(item);
  };
  while (at < text.length) {
    const unit = text[at];
    if (unit === "{") {
      const list: JsonValue[] = [];
      open.at(-1)?.push(list);
      if (open.length === 0) root = list;
      open.push(list);
      at += 1;
    } else if (unit === "}") {
      open.pop();
      at += 1;
    } else if (unit === delimiter) {
      at += 1;
    } else if (unit === '"') {
      const end = endOfQuoted(text, at);
      add(readItem(text.slice(at + 1, end).replace(/\\(.)/gsu, "$1")));
      at = end + 1;
    } else {
      const end = endOfBare(text, at, delimiter);
      const bare = text.slice(at, end);
      add(bare === "NULL" ? null : readItem(bare));
      at = end;
    }
  }
  return root;
}

function endOfQuoted(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

function endOfBare(text: string, start: number, delimiter: string): number {
  let at = start;
  while (at < text.length && text[at] !== delimiter && text[at] !== "}") at += 1;
  return at;
}

/**
 * Prints a list as a PostgreSQL array. Every element is quoted, so that none is read as syntax or
 * NULL.
 *
 * @param isItem true if a nested list is a single element, as in arrays of JSON
 * @throws RefusedValue for a list nested deeper than PostgreSQL's arrays
 */
function printArray(
  list: readonly unknown[],
  delimiter: string,
  isItem: boolean,
  printItem: (item: unknown) => string,
  depth = 1,
): string {
  if (depth > maxDimensions) {
    throw new RefusedValue("", "depth", `arrays must not nest deeper than ${maxDimensions} levels`);
  }
  const items = list.map((item) => {
    if (item === null || item === undefined) return "NULL";
    if (!isItem && Array.isArray(item))
      return printArray(item, delimiter, isItem, printItem, depth + 1);
    return `"${printItem(item).replace(/["\\]/gu, "\\$&")}"`;
  });
  // PostgreSQL reads a list of empty lists as an empty array.
  return items.every((item) => item === "{}") ? "{}" : `{${items.join(delimiter)}}`;
}

/** DateStyle ISO: `2026-01-02 03:04:05.6+00`, with `BC` after years before our era. */
const printed =
  /^(\d{4,})(-\d\d-\d\d)(?: (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d(?::\d\d){0,2})?)?( BC)?$/;

/** Years of ISO 8601 beyond four digits (a sign and at least six digits), and the year 0000. */
const beyondFourDigits = /^(?:([+-])(\d{6,})|0000)(-.*)$/s;

/**
 * Converts a date or timestamp to ISO 8601 with microseconds: `2026-01-02T03:04:05.6Z`. Years
 * outside 0000 to 9999 get a sign and six digits, as in ECMAScript: `-000043-03-15` is 44 BC.
 * `infinity` and `-infinity` stay.
 */
function readDate(text: string): string {
  if (text === "infinity" || text === "-infinity") return text;
  const [, year, days, time, zone, before] = printed.exec(text) ?? [];
  if (year === undefined) throw new UnreadableValue("is not in DateStyle ISO");
  const date = `${isoYear(before === undefined ? Number(year) : 1 - Number(year))}${days}`;
  if (time === undefined) return date;
  return `${date}T${time}${zone === undefined ? "" : isoZone(zone)}`;
}

/** Completes a time zone: `03:04:05+02` becomes `03:04:05+02:00`. */
function readZonedTime(text: string): string {
  return text.replace(/[+-]\d\d$/, "$&:00");
}

/** Converts years of ISO 8601 that PostgreSQL writes differently. */
function printDate(text: string): string {
  const [, sign, digits, rest] = beyondFourDigits.exec(text) ?? [];
  if (rest === undefined) return text;
  if (sign === "+") return `${Number(digits)}${rest}`;
  return `${String(1 + Number(digits ?? 0)).padStart(4, "0")}${rest} BC`;
}

function isoYear(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, "0");
  return `${year < 0 ? "-" : "+"}${String(Math.abs(year)).padStart(6, "0")}`;
}

function isoZone(zone: string): string {
  if (zone === "+00") return "Z";
  return zone.length === 3 ? `${zone}:00` : zone;
}
