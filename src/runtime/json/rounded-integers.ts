/** Finds integers in JSON text whose digits a JavaScript number can't hold. */

/**
 * Returns the JSON with each such integer as a string of its digits, in linear time.
 *
 * @param json valid JSON
 */
export function withDigitsQuoted(json: string): string {
  let quoted = "";
  let from = 0;
  for (let at = 0; at < json.length;) {
    const unit = json.charCodeAt(at);
    if (unit === quote) at = endOfString(json, at) + 1;
    else if (unit !== minus && !isDigit(unit)) at += 1;
    else {
      const end = endOfNumber(json, at);
      const digits = digitsIfRounded(json.slice(at, end));
      if (digits !== undefined) {
        quoted += `${json.slice(from, at)}"${digits}"`;
        from = end;
      }
      at = end;
    }
  }
  return quoted + json.slice(from);
}

/**
 * Returns the digits of a number in JSON; undefined if JavaScript's number has the same digits, for
 * a fraction, and for a number that is too large. An integer may also be written as
 * `9.007199254740993e15`.
 */
export function digitsIfRounded(written: string): string | undefined {
  const value = Number(written);
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER || !Number.isFinite(value)) return undefined;
  const digits = integerDigits(written);
  return digits === integerDigits(String(value)) ? undefined : digits;
}

/** @param written a finite number other than 0 */
function integerDigits(written: string): string | undefined {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(written) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const zeros = Number(power) - fraction.length;
  if (zeros >= 0) return `${sign}${digits}${"0".repeat(zeros)}`;
  const isWhole = /^0*$/.test(digits.slice(zeros));
  return isWhole ? `${sign}${digits.slice(0, zeros)}` : undefined;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

const numberText = /[-+.\deE]+/y;

function endOfNumber(json: string, start: number): number {
  numberText.lastIndex = start;
  return start + (numberText.exec(json)?.[0].length ?? 1);
}

export const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;

/** @param start offset of the opening quote */
export function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === quote) return at;
    if (unit === backslash) at += 1;
  }
  return json.length;
}
