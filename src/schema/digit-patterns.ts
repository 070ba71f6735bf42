/** Patterns for integers as text: digits without leading zeros. */

/** Whole numbers from 1 to the limit, without leading zeros. */
export function upTo(limit: string): string {
  const shorter = limit.length === 1 ? [] : [`[1-9]\\d{0,${limit.length - 2}}`];
  const sameLength = [...limit].flatMap((digit, index) => {
    const least = index === 0 ? 1 : 0;
    const most = Number(digit) - 1;
    if (most < least) return [];
    const rest = limit.length - index - 1;
    const range = most === least ? String(least) : `[${least}-${most}]`;
    return [`${limit.slice(0, index)}${range}${rest === 0 ? "" : `\\d{${rest}}`}`];
  });
  return [...shorter, ...sameLength, limit].join("|");
}

/** Digits of signed integers with this number of bits. */
export function signedDigits(bits: 32 | 64): string {
  const least = 2n ** BigInt(bits - 1);
  return `0|-?(?:${upTo(String(least - 1n))})|-${least}`;
}

/** Digits of unsigned integers with this number of bits. */
export function unsignedDigits(bits: 32 | 64): string {
  return `0|${upTo(String(2n ** BigInt(bits) - 1n))}`;
}

/** Digits of integers from one to another, both included. */
export function digitsBetween(least: bigint, most: bigint): string {
  const negative =
    least < 0n ? between(most < 0n ? -most : 1n, -least).map((each) => `-${each}`) : [];
  const positive = most >= 0n ? between(least > 0n ? least : 0n, most) : [];
  return [...negative, ...positive].join("|");
}

/** Alternatives that each have one range per digit. */
function between(least: bigint, most: bigint): readonly string[] {
  const patterns: string[] = [];
  for (let from = least; from <= most;) {
    const to = endOfRange(from, most);
    patterns.push(rangePattern(String(from), String(to)));
    from = to + 1n;
  }
  return patterns;
}

/**
 * Returns the last number of a range whose numbers differ from the first only in trailing digits of
 * any value, and perhaps in one digit before them.
 */
function endOfRange(from: bigint, most: bigint): bigint {
  let end = from;
  // All digits after some place are 0 in `from`, and 9 in the end of the range.
  if (from !== 0n)
    for (let unit = 10n; from % unit === 0n && from + unit - 1n <= most; unit *= 10n)
      end = from + unit - 1n;
  const unit = end - from + 1n;
  const digit = (from / unit) % 10n;
  for (let more = 9n - digit; more > 0n; more -= 1n)
    if (end + more * unit <= most) return end + more * unit;
  return end;
}

function rangePattern(from: string, to: string): string {
  let pattern = "";
  let any = 0;
  for (const [index, digit] of [...from].entries()) {
    const other = to[index] ?? digit;
    if (digit === "0" && other === "9") any += 1;
    else pattern += digit === other ? digit : `[${digit}-${other}]`;
  }
  return any === 0 ? pattern : `${pattern}\\d${any === 1 ? "" : `{${any}}`}`;
}
