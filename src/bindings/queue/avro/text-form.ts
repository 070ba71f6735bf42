import type { JsonObject } from "../../../core/json.js";
import {
  base64,
  base64Tails,
  bytesForm,
  clockPattern as clock,
  dayPattern as day,
  exactText as text,
  fractionPattern,
  offsetPattern,
} from "../json-forms.js";
import type { AvroType, LogicalType, TimeUnit } from "./type-tree.js";

/**
 * Returns the JSON form of types that JSON writes as text. The patterns are exact: every text that
 * fits can be encoded without loss. Undefined for other types.
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
  const says = `${size} bytes in base64, which are ${length} characters`;
  const sizes = { minLength: length, maxLength: length };
  const pattern = base64([base64Tails[size % 3] ?? ""]);
  return text(pattern, { says }, { contentEncoding: "base64", ...sizes });
}

function logicalForm(logical: LogicalType): JsonObject {
  switch (logical.kind) {
    case "decimal":
      return decimalForm(logical.precision - logical.scale, logical.scale);
    case "uuid":
      return text(uuid, { says: "a UUID, with hyphens" }, { format: "uuid" });
    case "duration":
      return text(duration, {
        says: "an ISO 8601 duration, such as `P1DT2H3.5S`",
        format: "duration",
      });
    case "date":
      return text(day, { says: "a date, such as `2026-01-02`" }, { format: "date" });
    default:
      return timeForm(logical);
  }
}

const uuid = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

function decimalForm(whole: number, scale: number): JsonObject {
  const digits = whole === 0 ? "0" : `(?:0|[1-9]\\d{0,${whole - 1}})`;
  const pattern = `-?${digits}${scale === 0 ? "" : `(?:\\.\\d{1,${scale}})?`}`;
  const says = `a decimal as text, with at most ${whole} digits before the point and ${scale} behind it`;
  return text(pattern, { says, pattern: `^${pattern.replaceAll("?:", "")}$` });
}

/**
 * Months, days and milliseconds have 32 bits each. The digit limits ensure that every part fits.
 */
const duration =
  "P(?!$)(?:\\d{1,8}Y)?(?:\\d{1,9}M)?(?:\\d{1,8}W)?(?:\\d{1,9}D)?" +
  "(?:T(?=\\d)(?:\\d{1,3}H)?(?:\\d{1,4}M)?(?:\\d{1,4}(?:\\.\\d{1,3})?S)?)?";

const digitsOf: { readonly [unit in TimeUnit]: number } = { millis: 3, micros: 6, nanos: 9 };

function timeForm({ kind, unit }: LogicalType & { readonly unit: TimeUnit }): JsonObject {
  const digits = digitsOf[unit];
  const time = `${clock}${fractionPattern(digits)}`;
  const exactly = `at most ${digits} digits of fraction`;
  if (kind === "time") {
    const pattern = `^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,${digits}})?$`;
    return text(time, { says: `a time of day with ${exactly}, such as \`03:04:05\``, pattern });
  }
  const instant = `${unit === "nanos" ? `${yearsOfNanos}-\\d{2}-\\d{2}` : day}T${time}`;
  const years = unit === "nanos" ? ", of the years 1678 to 2261" : "";
  if (kind === "local-timestamp") {
    const says = `a date-time without an offset and with ${exactly}, such as \`2026-01-02T03:04:05\`${years}`;
    return text(instant, { says }, { format: "iso-date-time" });
  }
  const says = `a date-time with its offset and ${exactly}, such as \`2026-01-02T03:04:05Z\`${years}`;
  return text(`${instant}(?:Z|${offsetPattern})`, { says }, { format: "date-time" });
}

/** 64 bits of nanoseconds reach from 1677 to 2262; only complete years are accepted. */
const yearsOfNanos = "(?:167[89]|16[89]\\d|1[7-9]\\d{2}|2[01]\\d{2}|22[0-5]\\d|226[01])";
