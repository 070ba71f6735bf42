/**
 * How authors write spans of time and sizes, where a bare number would leave its reader counting
 * zeros.
 */

/** `15m`, as JSON Schema's `pattern`. */
export const durationPattern = "^[0-9]{1,9}(ms|s|m|h|d)$";

/** `64KiB`, as JSON Schema's `pattern`. */
export const byteSizePattern = "^[0-9]{1,9}(B|kB|MB|GB|KiB|MiB|GiB)$";

const durationUnits: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

/** Those of ten are SI's, those of two are IEC's: `kB` is 1000 bytes, `KiB` is 1024. */
const byteUnits: ReadonlyMap<string, number> = new Map([
  ["B", 1],
  ["kB", 1000],
  ["MB", 1000 ** 2],
  ["GB", 1000 ** 3],
  ["KiB", 1024],
  ["MiB", 1024 ** 2],
  ["GiB", 1024 ** 3],
]);

/** What to write for a text or number that is no duration. */
export const durationHelp =
  "write a whole number with its unit, `15m`, `30s`, `1h` or `7d`, or a number of milliseconds";

/** What to write for a text or number that is no size. */
export const byteSizeHelp =
  "write a whole number with its unit, `64KiB`, `1MiB` or `64kB`, or a number of bytes";

/**
 * Milliseconds: of a whole number they are it, of a text what its unit makes of it. Undefined for
 * anything else, nothing and less included.
 */
export function durationMs(written: unknown): number | undefined {
  return quantity(written, durationUnits);
}

/** Bytes, of a whole number or of a text with its unit; undefined for anything else. */
export function byteSize(written: unknown): number | undefined {
  return quantity(written, byteUnits);
}

function quantity(written: unknown, units: ReadonlyMap<string, number>): number | undefined {
  const value = typeof written === "string" ? withUnit(written, units) : written;
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function withUnit(text: string, units: ReadonlyMap<string, number>): number | undefined {
  const [, amount, unit = ""] = /^(\d{1,9})([A-Za-z]{1,3})$/.exec(text) ?? [];
  const factor = units.get(unit);
  return amount === undefined || factor === undefined ? undefined : Number(amount) * factor;
}
