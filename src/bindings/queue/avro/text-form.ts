import type { JsonObject } from "../../../core/json.js";
import {
  base64,
  base64Tails,
  bytesForm,
  clockPattern as clock,
  dayPattern as day,
  exactText as text,
  offsetPattern,
} from "../exact-forms.js";
import type { AvroType } from "./avro-type.js";
import type { LogicalType, TimeUnit } from "./logical-type.js";

/**
 * How JSON writes the types that it has no form of its own for, as text. The patterns are exact: text that fits encodes, and to the value that it says. A type
 * that is no text of its own has none.
 */
export function textForm(type: AvroType): JsonObject | undefined {
  if (type.kind === "enum") return { type: "string", enum: type.symbols };
  if (type.kind !== "plain" && type.kind !== "fixed") return undefined;
  if (type.logical !== undefined) return logicalForm(type.logical);
  if (type.kind === "fixed") return fixedForm(type.size);
  if (type.name === "bytes") return bytesForm;
  return type.name === "string" ? { type: "string" } : undefined;
}

function fixedForm(size: number): JsonObject {
  const length = Math.ceil(size / 3) * 4;
  return {
    ...text(base64([base64Tails[size % 3] ?? ""]), { contentEncoding: "base64" }),
    minLength: length,
    maxLength: length,
  };
}

function logicalForm(logical: LogicalType): JsonObject {
  switch (logical.kind) {
    case "decimal":
      return text(decimal(logical.precision, logical.scale));
    case "uuid":
      return text("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", { format: "uuid" });
    case "duration":
      return text(duration);
    case "date":
      return text(day, { format: "date" });
    case "time":
      return text(`${clock}${fraction(logical.unit)}`);
    case "timestamp":
      return text(`${instant(logical.unit)}(?:Z|${offsetPattern})`, {
        format: "date-time",
      });
    case "local-timestamp":
      return text(instant(logical.unit), { format: "iso-date-time" });
  }
}

function decimal(precision: number, scale: number): string {
  const whole = precision - scale;
  const digits = whole === 0 ? "0" : `(?:0|[1-9]\\d{0,${whole - 1}})`;
  return `-?${digits}${scale === 0 ? "" : `(?:\\.\\d{1,${scale}})?`}`;
}

/** Months, days and milliseconds are 32 bits each: so many digits of every part always fit. */
const duration =
  "P(?!$)(?:\\d{1,8}Y)?(?:\\d{1,9}M)?(?:\\d{1,8}W)?(?:\\d{1,9}D)?" +
  "(?:T(?=\\d)(?:\\d{1,3}H)?(?:\\d{1,4}M)?(?:\\d{1,4}(?:\\.\\d{1,3})?S)?)?";

const digitsOf: { readonly [unit in TimeUnit]: number } = { millis: 3, micros: 6, nanos: 9 };

function fraction(unit: TimeUnit): string {
  return `(?:\\.\\d{1,${digitsOf[unit]}})?`;
}

/** Nanoseconds since 1970 in 64 bits reach from 1677 to 2262; these years are whole. */
const yearsOfNanos = "(?:167[89]|16[89]\\d|1[7-9]\\d{2}|2[01]\\d{2}|22[0-5]\\d|226[01])";

function instant(unit: TimeUnit): string {
  const date = unit === "nanos" ? `${yearsOfNanos}-\\d{2}-\\d{2}` : day;
  return `${date}T${clock}${fraction(unit)}`;
}
