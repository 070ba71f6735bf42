import { UnreadableValue } from "./faults.js";

/** DateStyle ISO: `2026-01-02 03:04:05.6+00`, with `BC` at the end of years before our era. */
const printed =
  /^(\d{4,})(-\d\d-\d\d)(?: (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d(?::\d\d){0,2})?)?( BC)?$/;

/** ISO 8601's years: four digits, or a sign and at least six; and the year 0000. */
const beyondFourDigits = /^(?:([+-])(\d{6,})|0000)(-.*)$/s;

/**
 * A date or timestamp as ISO 8601, microseconds kept: `2026-01-02T03:04:05.6Z`. Years outside 0000 to 9999 get a sign and six digits, as
 * ECMAScript has them: `-000043-03-15` is 44 BC. `infinity` and `-infinity` stay.
 */
export function readDate(text: string): string {
  if (text === "infinity" || text === "-infinity") return text;
  const [, year, days, time, zone, before] = printed.exec(text) ?? [];
  if (year === undefined) throw new UnreadableValue("is not printed in DateStyle ISO");
  const date = `${isoYear(before === undefined ? Number(year) : 1 - Number(year))}${days}`;
  if (time === undefined) return date;
  return `${date}T${time}${zone === undefined ? "" : isoZone(zone)}`;
}

/** `03:04:05+02` → `03:04:05+02:00` */
export function readZonedTime(text: string): string {
  return text.replace(/[+-]\d\d$/, "$&:00");
}

/** ISO 8601 as PostgreSQL reads it: the years that it writes in another way. */
export function printDate(text: string): string {
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
