import avro from "avsc";
import { type FractionDigits, readClock, readDay, readInstant, readLocal } from "./date-values.js";
import { type DecimalForm, readDecimal } from "./decimal.js";
import { readDuration } from "./duration.js";
import { isPlainObject, type PlainObject, type Reader } from "./reader.js";
import { textReader } from "./scalar-readers.js";

/** Values of a logical type, as text; undefined for a type that has none, or one that does not fit, which Avro ignores. */
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
  const message = `must be a time of day, with ${digits} digits of a second at most: \`03:04:05\``;
  return textReader((text) => readClock(text, digits), message);
}

function instantReader(digits: FractionDigits): Reader {
  const message = `must be a date and time with its offset, and ${digits} digits of a second at most: \`2026-01-02T03:04:05Z\``;
  return textReader((text) => readInstant(text, digits), message);
}

function localReader(digits: FractionDigits): Reader {
  const message = `must be a date and time without an offset, and ${digits} digits of a second at most: \`2026-01-02T03:04:05\``;
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
  const message = `must be a decimal with ${precision - scale} digits before the point and ${scale} behind it at most`;
  return textReader((text) => readDecimal(text, form), message);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
