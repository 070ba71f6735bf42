/** What generated encoders make of JSON what protobufjs takes. An absent value, `undefined`, stays absent. */
import { RefusedValue } from "../../../../runtime/sink.js";

/** A value as protobufjs takes it. */
type Reader = (value: unknown) => unknown;

/** A property of the object itself, whatever objects inherit. */
export function own(object: object, name: string): unknown {
  return Object.hasOwn(object, name)
    ? (object as { readonly [name: string]: unknown })[name]
    : undefined;
}

export function text(value: string | undefined): string | undefined {
  if (value === undefined || value.isWellFormed()) return value;
  throw new RefusedValue("", "text", "must be text of well-formed Unicode");
}

/** @param value base64 */
export function bytes(value: string | undefined): Uint8Array | undefined {
  return value === undefined ? undefined : Buffer.from(value, "base64");
}

/** The two halves of 64 bits, as `long` has them. */
export interface Halves {
  readonly low: number;
  readonly high: number;
}

/** Digits that a number holds exactly. */
const exactDigits = 15;

/** @param value a number, or its digits */
export function long(value: number | string | undefined): number | Halves | undefined {
  if (typeof value !== "string") return value;
  if (value.length <= exactDigits) return Number(value);
  const bits = BigInt(value);
  return { low: Number(BigInt.asIntN(32, bits)), high: Number(BigInt.asIntN(32, bits >> 32n)) };
}

/** Reads the names of an enum's values. */
export function symbols(values: readonly (readonly [name: string, number: number])[]): Reader {
  const numbers: ReadonlyMap<unknown, number> = new Map(values);
  return (name) => numbers.get(name);
}

export function list(
  value: readonly unknown[] | undefined,
  read: Reader,
): readonly unknown[] | undefined {
  return value?.map((item) => read(item));
}

/** @param readKey for keys that not every text may be */
export function map(
  value: { readonly [key: string]: unknown } | undefined,
  read: Reader = itself,
  readKey?: Reader,
): { readonly [key: string]: unknown } | undefined {
  if (value === undefined) return undefined;
  // Without a prototype, `__proto__` is a key like any other.
  const entries = Object.create(null) as { [key: string]: unknown };
  for (const key of Object.keys(value)) {
    if (value[key] === undefined) continue;
    readKey?.(key);
    entries[key] = read(value[key]);
  }
  return entries;
}

function itself(value: unknown): unknown {
  return value;
}
