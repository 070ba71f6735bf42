/** How a decimal is encoded: an integer of so many units, in two's complement, the first byte first. */
export interface DecimalForm {
  /** Digits in all. */
  readonly precision: number;
  /** Of them, behind the point. */
  readonly scale: number;
  /** Bytes; absent: as few as it takes. */
  readonly size?: number;
}

const decimalText = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/;

/** Undefined for a text that is no decimal, or one with more digits than the form has. */
export function readDecimal(text: string, form: DecimalForm): Buffer | undefined {
  const [, sign, whole = "", fraction = ""] = decimalText.exec(text) ?? [];
  const digits = whole === "0" ? 0 : whole.length;
  if (sign === undefined || digits > form.precision - form.scale || fraction.length > form.scale)
    return undefined;
  const units = whole + fraction.padEnd(form.scale, "0");
  if (units.length <= exactDigits) return fromNumber(Number(`${sign}${units}`), form.size);
  return fromBigInt(BigInt(`${sign}${units}`), form.size);
}

/** So many digits are exact in a double, and in the six bytes of a buffer's integers. */
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

/** A bit more than the number has is the sign. */
function bytesFor(value: bigint): number {
  const magnitude = value < 0n ? -value - 1n : value;
  const hex = magnitude.toString(16);
  const bits = hex.length * 4 - (Math.clz32(Number.parseInt(hex.charAt(0), 16)) - 28);
  return Math.floor(bits / 8) + 1;
}
