/**
 * Returns whether a number is a multiple of a step, for `multipleOf`. Numbers count as the decimals
 * of their JSON: 0.3 is a multiple of 0.1, and 0.010000001 is not one of 0.01. Safe integers are
 * exact. A fraction may differ in its last place, as sums do: 0.1 + 0.2 is a multiple of 0.1.
 *
 * @param step more than 0
 */
export function isMultipleOf(value: number, step: number): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(step)) return false;
  // The remainder of floating-point numbers is exact.
  if (value % step === 0) return true;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return false;
  const [one, other] = [decimalOf(value), decimalOf(step)];
  const exponent = Math.min(one.exponent, other.exponent);
  const [dividend, divisor] = [scaled(one, exponent), scaled(other, exponent)];
  if (dividend % divisor === 0n) return true;
  const times = Math.round(value / step);
  if (Number.isSafeInteger(value) || !Number.isSafeInteger(times)) return false;
  const multiple = Number(`${BigInt(times) * divisor}e${exponent}`);
  return Math.abs(value - multiple) <= Math.abs(value) * Number.EPSILON;
}

/** The number `digits` × 10^`exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Returns the shortest decimal that reads as the number. */
function decimalOf(value: number): Decimal {
  const [mantissa = "0", power = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

/** Returns the digits for an exponent that is at most the number's own. */
function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
