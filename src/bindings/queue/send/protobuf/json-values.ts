import { RefusedValue } from "../../../../runtime/executor.js";

/**
 * Readers for well-known messages that have their own form in JSON. Generated encoders call them.
 */

/** Reads a message that wraps one value. */
function wrapper<Value>(
  read: (value: Value | undefined) => unknown,
): (value: Value | undefined) => { readonly value: unknown } | undefined {
  return (value) => (value === undefined ? undefined : { value: read(value) });
}

const plain = wrapper((value) => value);

export const doubleValue = plain;
export const floatValue = plain;
export const int32Value = plain;
export const uInt32Value = plain;
export const boolValue = plain;
export const int64Value = wrapper(long);
export const uInt64Value = wrapper(long);
export const stringValue = wrapper(text);
export const bytesValue = wrapper(bytes);

interface Moment {
  readonly seconds: number;
  readonly nanos: number;
}

/** Length of `2026-01-02T03:04:05`. */
const clockEnd = 19;

/** @param value `2026-01-02T03:04:05.678Z` */
export function timestamp(value: string | undefined): Moment | undefined {
  if (value === undefined) return undefined;
  const [, digits = ""] = /^\.(\d+)/.exec(value.slice(clockEnd)) ?? [];
  const zone = value.slice(clockEnd + (digits === "" ? 0 : digits.length + 1));
  return { seconds: Date.parse(value.slice(0, clockEnd) + zone) / 1000, nanos: nanosOf(digits) };
}

/** @param value `-1.5s` */
export function duration(value: string | undefined): Moment | undefined {
  if (value === undefined) return undefined;
  const sign = value.startsWith("-") ? -1 : 1;
  const [whole = "", digits = ""] = value.slice(sign < 0 ? 1 : 0, -1).split(".");
  // `+ 0` turns -0 into 0.
  return { seconds: sign * Number(whole) + 0, nanos: sign * nanosOf(digits) + 0 };
}

/** Digits after the ninth are zeros. */
function nanosOf(digits: string): number {
  return Number(digits.slice(0, 9).padEnd(9, "0"));
}

/** @param value `lines,customer.firstName`, which stands for `customer.first_name` */
export function fieldMask(
  value: string | undefined,
): { readonly paths: readonly string[] } | undefined {
  if (value === undefined) return undefined;
  const names = value.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return { paths: names === "" ? [] : names.split(",") };
}

export function empty(value: unknown): object | undefined {
  return value === undefined ? undefined : {};
}

export function nullValue(value: null | undefined): number | undefined {
  return value === undefined ? undefined : 0;
}

/** Reads a JSON value as a `Value` message, which states the value's kind. */
export function value(given: unknown): object | undefined {
  return given === undefined ? undefined : kindOf(given);
}

/** Returns whether a value is not JSON, without looking inside it. */
export function isNoJson(given: unknown): boolean {
  if (typeof given === "number") return !Number.isFinite(given);
  return !["string", "boolean", "object"].includes(typeof given);
}

/** @throws RefusedValue */
function kindOf(given: unknown): object {
  if (isNoJson(given)) throw new RefusedValue("", "json", "is not JSON");
  if (given === null) return { nullValue: 0 };
  if (typeof given === "string") return { stringValue: text(given) };
  if (typeof given === "boolean") return { boolValue: given };
  if (typeof given === "number") return { numberValue: given };
  return Array.isArray(given)
    ? { listValue: { values: given.map(kindOf) } }
    : { structValue: { fields: fieldsOf(given as object) } };
}

function fieldsOf(object: object): { readonly [key: string]: unknown } {
  // Without a prototype, `__proto__` is a key like any other.
  const fields = Object.create(null) as { [key: string]: unknown };
  for (const [key, each] of Object.entries(object))
    if (each !== undefined) fields[text(key) ?? ""] = kindOf(each);
  return fields;
}

export function struct(object: object | undefined): object | undefined {
  return object && { fields: fieldsOf(object) };
}

export function listValue(items: readonly unknown[] | undefined): object | undefined {
  return items && { values: items.map(kindOf) };
}

/**
 * Functions with which generated encoders convert JSON to the values that protobufjs takes. An
 * absent value stays `undefined`.
 */

/** Converts a value for protobufjs. */
type Reader = (value: unknown) => unknown;

/** Returns an own property, never an inherited one. */
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

/** The halves of a 64-bit integer, in the form of `long`. */
export interface Halves {
  readonly low: number;
  readonly high: number;
}

/** Number of digits that a JavaScript number holds exactly. */
const exactDigits = 15;

/** @param value a number, or its digits */
export function long(value: number | string | undefined): number | Halves | undefined {
  if (typeof value !== "string") return value;
  if (value.length <= exactDigits) return Number(value);
  const bits = BigInt(value);
  return { low: Number(BigInt.asIntN(32, bits)), high: Number(BigInt.asIntN(32, bits >> 32n)) };
}

/** Makes a reader for the names of an enum's values. */
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

/** @param readKey checks the keys, if not every text is valid */
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
