/** Of days in 400 years, after which the calendar repeats itself. */
const daysOfCycle = 146_097;
const msPerDay = 86_400_000;

/** Fraction digits of a unit. */
export type FractionDigits = 3 | 6 | 9;

/** Days since 1970 of `2026-01-02`; undefined for a day that the calendar does not have. */
export function readDay(text: string): number | undefined {
  return text.length === dayLength ? dayAt(text) : undefined;
}

/** Units since midnight of `03:04:05.678`; undefined for one that is more exact than the unit. */
export function readClock(text: string, digits: FractionDigits): number | undefined {
  return clockAt(text, 0, text.length, digits);
}

/** Units since 1970 of `2026-01-02T03:04:05.678+01:00`. */
export function readInstant(text: string, digits: FractionDigits): number | bigint | undefined {
  const { length } = text;
  if (text.endsWith("Z")) return localAt(text, length - 1, digits, 0);
  const sign = text[length - 6];
  const [hours, minutes] = [twoAt(text, length - 5, 23), twoAt(text, length - 2, 59)];
  if ((sign !== "+" && sign !== "-") || text[length - 3] !== ":") return undefined;
  if (hours === undefined || minutes === undefined) return undefined;
  const offset = (hours * 60 + minutes) * (sign === "-" ? -60 : 60);
  return localAt(text, length - 6, digits, offset);
}

/** Units since 1970 of `2026-01-02T03:04:05.678`, as if it were in UTC. */
export function readLocal(text: string, digits: FractionDigits): number | bigint | undefined {
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

/** Nanoseconds in 64 bits reach from 1677 to 2262; these years are whole. */
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
  // `Date.UTC` takes years below 100 for years of the last century.
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

/** What stands between a clock and `end`: nothing, or a point and up to so many digits, and zeros. */
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

/** Undefined unless all is digits. */
function numberAt(text: string, start: number, end: number): number | undefined {
  let number = 0;
  for (let at = start; at < end; at += 1) {
    const digit = text.charCodeAt(at) - 0x30;
    if (!(digit >= 0 && digit <= 9)) return undefined;
    number = number * 10 + digit;
  }
  return number;
}
