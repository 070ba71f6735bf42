import avro from "avsc";
import { isPlainObject, type PlainObject, type Reader, textReader } from "./readers.js";

/**
 * Returns the reader for a logical type whose values are text. Undefined if the type has none, or
 * has one that doesn't fit, which Avro ignores.
 */
export function logicalReader(schema: unknown, type: avro.Type): Reader | undefined {
  if (!isPlainObject(schema) || typeof schema["logicalType"] !== "string") return undefined;
  const name = schema["logicalType"];
  const size = type instanceof avro.types.FixedType ? type.size : undefined;
  if (name === "decimal") return decimalReader(schema, type, size);
  if (name === "uuid" && (type.typeName === "string" || size === 16)) return uuidReader(size);
  if (name === "duration" && size === 12) return textReader(readDuration, "must be a duration");
  const base = isLong(type) ? "long" : type.typeName;
  const found = Object.hasOwn(times, name) ? times[name] : undefined;
  return found?.base === base ? found.reader : undefined;
}

function isLong(type: avro.Type): boolean {
  return type instanceof avro.types.LongType;
}

interface TimeReader {
  readonly base: "int" | "long";
  readonly reader: Reader;
}

const digitsOf = { millis: 3, micros: 6, nanos: 9 } as const;

const times: { readonly [name: string]: TimeReader } = {
  date: { base: "int", reader: textReader(readDay, "must be a date: `2026-01-02`") },
  "time-millis": { base: "int", reader: clockReader(3) },
  "time-micros": { base: "long", reader: clockReader(6) },
  ...Object.fromEntries(
    Object.entries(digitsOf).flatMap(([unit, digits]): [string, TimeReader][] => [
      [`timestamp-${unit}`, { base: "long", reader: instantReader(digits) }],
      [`local-timestamp-${unit}`, { base: "long", reader: localReader(digits) }],
    ]),
  ),
};

function clockReader(digits: FractionDigits): Reader {
  const message = `must be a time of day, with at most ${digits} digits of a second: \`03:04:05\``;
  return textReader((text) => readClock(text, digits), message);
}

function instantReader(digits: FractionDigits): Reader {
  const message = `must be a date and time with its offset, and at most ${digits} digits of a second: \`2026-01-02T03:04:05Z\``;
  return textReader((text) => readInstant(text, digits), message);
}

function localReader(digits: FractionDigits): Reader {
  const message = `must be a date and time without an offset, and at most ${digits} digits of a second: \`2026-01-02T03:04:05\``;
  return textReader((text) => readLocal(text, digits), message);
}

const uuidText = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

function uuidReader(size: number | undefined): Reader {
  const read = (text: string) => {
    if (!uuidText.test(text)) return undefined;
    return size === undefined ? text : Buffer.from(text.replaceAll("-", ""), "hex");
  };
  return textReader(read, "must be a UUID");
}

function decimalReader(
  schema: PlainObject,
  type: avro.Type,
  size: number | undefined,
): Reader | undefined {
  const { precision, scale = 0 } = schema;
  if (type.typeName !== "bytes" && size === undefined) return undefined;
  if (!isCount(precision) || !isCount(scale) || precision < 1 || scale > precision)
    return undefined;
  const form: DecimalForm = { precision, scale, ...(size !== undefined && { size }) };
  if (size !== undefined && precision > Math.floor(Math.log10(2) * (8 * size - 1)))
    return undefined;
  const message = `must be a decimal with ${precision - scale} digits before the point and ${scale} after it, at most`;
  return textReader((text) => readDecimal(text, form), message);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** Days in 400 years, after which the calendar repeats. */
const daysOfCycle = 146_097;
const msPerDay = 86_400_000;

/** Number of fraction digits of a unit. */
export type FractionDigits = 3 | 6 | 9;

/** Returns the days since 1970 for `2026-01-02`; undefined for a day that doesn't exist. */
function readDay(text: string): number | undefined {
  return text.length === dayLength ? dayAt(text) : undefined;
}

/**
 * Returns the units since midnight for `03:04:05.678`; undefined if the text is more precise than
 * the unit.
 */
function readClock(text: string, digits: FractionDigits): number | undefined {
  return clockAt(text, 0, text.length, digits);
}

/** Returns the units since 1970 for `2026-01-02T03:04:05.678+01:00`. */
function readInstant(text: string, digits: FractionDigits): number | bigint | undefined {
  const { length } = text;
  if (text.endsWith("Z")) return localAt(text, length - 1, digits, 0);
  const sign = text[length - 6];
  const [hours, minutes] = [twoAt(text, length - 5, 23), twoAt(text, length - 2, 59)];
  if ((sign !== "+" && sign !== "-") || text[length - 3] !== ":") return undefined;
  if (hours === undefined || minutes === undefined) return undefined;
  const offset = (hours * 60 + minutes) * (sign === "-" ? -60 : 60);
  return localAt(text, length - 6, digits, offset);
}

/** Returns the units since 1970 for `2026-01-02T03:04:05.678`, read as UTC. */
function readLocal(text: string, digits: FractionDigits): number | bigint | undefined {
  return localAt(text, text.length, digits, 0);
}

const dayLength = 10;

/** @param offset seconds by which the clock is ahead of UTC */
function localAt(
  text: string,
  end: number,
  digits: FractionDigits,
  offset: number,
): number | bigint | undefined {
  const day = text[dayLength] === "T" ? dayAt(text) : undefined;
  const clock = clockAt(text, dayLength + 1, end, digits);
  if (day === undefined || clock === undefined || !isInReach(text, digits)) return undefined;
  const seconds = day * 86_400 - offset;
  const units = seconds * 10 ** digits + clock;
  if (Number.isSafeInteger(units)) return units;
  return BigInt(seconds) * 10n ** BigInt(digits) + BigInt(clock);
}

/** 64 bits of nanoseconds reach from 1677 to 2262; only complete years are accepted. */
function isInReach(text: string, digits: FractionDigits): boolean {
  if (digits !== 9) return true;
  const year = numberAt(text, 0, 4) ?? 0;
  return year >= 1678 && year <= 2261;
}

function dayAt(text: string): number | undefined {
  const year = numberAt(text, 0, 4);
  const [month, day] = [twoAt(text, 5, 12), twoAt(text, 8, 31)];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (text[4] !== "-" || text[7] !== "-" || month === 0 || day === 0) return undefined;
  if (day > lengthOfMonth(year, month)) return undefined;
  // Add 400 years, because `Date.UTC` maps years below 100 to the last century.
  return Date.UTC(year + 400, month - 1, day) / msPerDay - daysOfCycle;
}

function lengthOfMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

const clockLength = 8;

function clockAt(
  text: string,
  start: number,
  end: number,
  digits: FractionDigits,
): number | undefined {
  const [hours, minutes] = [twoAt(text, start, 23), twoAt(text, start + 3, 59)];
  const seconds = twoAt(text, start + 6, 59);
  if (hours === undefined || minutes === undefined || seconds === undefined) return undefined;
  if (text[start + 2] !== ":" || text[start + 5] !== ":") return undefined;
  const fraction = fractionAt(text, start + clockLength, end, digits);
  if (fraction === undefined) return undefined;
  return ((hours * 60 + minutes) * 60 + seconds) * 10 ** digits + fraction;
}

/**
 * Reads the fraction between a clock time and `end`: nothing, or a point and at most `digits`
 * digits, followed only by zeros.
 */
function fractionAt(
  text: string,
  start: number,
  end: number,
  digits: FractionDigits,
): number | undefined {
  if (start === end) return 0;
  const count = Math.min(end - start - 1, digits);
  if (text[start] !== "." || count < 1) return undefined;
  const endOfUnit = start + 1 + count;
  const fraction = numberAt(text, start + 1, endOfUnit);
  if (fraction === undefined || numberAt(text, endOfUnit, end) !== 0) return undefined;
  return fraction * 10 ** (digits - count);
}

function twoAt(text: string, start: number, most: number): number | undefined {
  const number = numberAt(text, start, start + 2);
  return number !== undefined && number <= most ? number : undefined;
}

/** Returns undefined unless all characters are digits. */
function numberAt(text: string, start: number, end: number): number | undefined {
  let number = 0;
  for (let at = start; at < end; at += 1) {
    const digit = text.charCodeAt(at) - 0x30;
    if (!(digit >= 0 && digit <= 9)) return undefined;
    number = number * 10 + digit;
  }
  return number;
}

/**
 * Months, days and milliseconds have 32 bits each. The digit limits ensure that every part fits.
 */
const durationText =
  /^P(?!$)(?:(\d{1,8})Y)?(?:(\d{1,9})M)?(?:(\d{1,8})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,3})H)?(?:(\d{1,4})M)?(?:(\d{1,4})(?:\.(\d{1,3}))?S)?)?$/;

/**
 * Encodes `P1Y2M3DT4H5M6.7S` as months, days and milliseconds, each in four bytes, little-endian.
 */
function readDuration(text: string): Buffer | undefined {
  const parts = durationText.exec(text);
  if (parts === null) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1, 8)
    .map((part: string | undefined) => Number(part ?? 0));
  const fraction = Number((parts[8] ?? "").padEnd(3, "0"));
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32LE(years * 12 + months, 0);
  bytes.writeUInt32LE(weeks * 7 + days, 4);
  bytes.writeUInt32LE(((hours * 60 + minutes) * 60 + seconds) * 1000 + fraction, 8);
  return bytes;
}

/** How a decimal is encoded: as an integer in two's complement, big-endian. */
export interface DecimalForm {
  /** Total number of digits. */
  readonly precision: number;
  /** Number of digits after the point. */
  readonly scale: number;
  /** Size in bytes; if absent, as few as possible. */
  readonly size?: number;
}

const decimalText = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/;

/** Returns undefined for a text that is not a decimal, or has too many digits. */
function readDecimal(text: string, form: DecimalForm): Buffer | undefined {
  const [, sign, whole = "", fraction = ""] = decimalText.exec(text) ?? [];
  const digits = whole === "0" ? 0 : whole.length;
  if (sign === undefined || digits > form.precision - form.scale || fraction.length > form.scale)
    return undefined;
  const units = whole + fraction.padEnd(form.scale, "0");
  if (units.length <= exactDigits) return fromNumber(Number(`${sign}${units}`), form.size);
  return fromBigInt(BigInt(`${sign}${units}`), form.size);
}

/**
 * This many digits are exact in a double, and fit into the six bytes that a buffer's integers can
 * have.
 */
const exactDigits = 14;

function fromNumber(value: number, size: number | undefined): Buffer {
  const magnitude = value < 0 ? -value - 1 : value;
  let needed = 1;
  for (let limit = 128; magnitude >= limit; limit *= 256) needed += 1;
  const bytes = Buffer.alloc(size ?? needed, value < 0 ? 0xff : 0);
  bytes.writeIntBE(value === 0 ? 0 : value, bytes.length - needed, needed);
  return bytes;
}

function fromBigInt(value: bigint, size: number | undefined): Buffer {
  const bytes = size ?? bytesFor(value);
  const hex = BigInt.asUintN(bytes * 8, value).toString(16);
  return Buffer.from(hex.padStart(bytes * 2, "0"), "hex");
}

/** Counts one more bit, for the sign. */
function bytesFor(value: bigint): number {
  const magnitude = value < 0n ? -value - 1n : value;
  const hex = magnitude.toString(16);
  const bits = hex.length * 4 - (Math.clz32(Number.parseInt(hex.charAt(0), 16)) - 28);
  return Math.floor(bits / 8) + 1;
}
