/** Decodes messages with the library, but reads 64-bit longs itself. */
import avro from "avsc";
import type { JsonValue } from "../../../../src/core/json.js";
import { branchName } from "./arbitrary-schemas.js";

/**
 * Makes a type that decodes unions as `{ branch: value }`, longs as bigints and bytes as buffers.
 */
export function typeOfSchema(schema: JsonValue): avro.Type {
  const options = {
    registry: Object.create(null) as object,
    typeHook: (inner: unknown) =>
      inner === "long" || (isObject(inner) && inner["type"] === "long") ? longType : undefined,
    wrapUnions: "always",
  };
  return avro.Type.forSchema(schema as unknown as avro.Type, options as object);
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// oxlint-disable-next-line no-underscore-dangle -- the library's public name for it
const longType = avro.types.LongType.__with(
  {
    isValid: (value: unknown) => typeof value === "bigint",
    toBuffer: writeLong,
    fromBuffer: readLong,
    fromJSON: (value: number) => BigInt(value),
    toJSON: Number,
    compare: (a: bigint, b: bigint) => Number(a - b),
  },
  true,
);

/** Reads a zigzag number with seven bits in each byte, the lowest first. */
function readLong(bytes: Buffer): bigint {
  let zigzag = 0n;
  bytes.forEach((byte, index) => (zigzag |= BigInt(byte & 0x7f) << BigInt(7 * index)));
  return zigzag & 1n ? -((zigzag + 1n) / 2n) : zigzag / 2n;
}

function writeLong(value: bigint): Buffer {
  const bytes: number[] = [];
  let zigzag = value < 0n ? -value * 2n - 1n : value * 2n;
  for (; zigzag > 127n; zigzag >>= 7n) bytes.push(Number(zigzag & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(zigzag)]);
}

interface Written {
  readonly fields?: readonly { readonly type: unknown }[];
  readonly items?: unknown;
  readonly values?: unknown;
  readonly logicalType?: unknown;
  readonly scale?: unknown;
}

/** Names and unions of a whole schema. */
interface Known {
  /** Definition of each named type. */
  readonly named: Map<avro.Type, unknown>;
  /** Unions whose values name their branch. */
  readonly unions: ReadonlySet<unknown>;
}

/** True if the decoded value equals the JSON value. */
export function isSame(
  schema: unknown,
  type: avro.Type,
  unions: ReadonlySet<unknown>,
  [json, decoded]: readonly [json: unknown, decoded: unknown],
): boolean {
  const named = new Map<avro.Type, unknown>();
  noteNames(schema, type, named);
  return compare(schema, type, json, decoded, { named, unions });
}

function noteNames(written: unknown, type: avro.Type, named: Map<avro.Type, unknown>): void {
  if (named.has(type) || typeof written === "string") return;
  if (type.name !== undefined) named.set(type, written);
  for (const [inner, innerType] of partsOf(written, type)) noteNames(inner, innerType, named);
}

function partsOf(written: unknown, type: avro.Type): readonly (readonly [unknown, avro.Type])[] {
  const schema = written as Written & readonly unknown[];
  if (type instanceof avro.types.WrappedUnionType)
    return type.types.map((branch, index) => [schema[index], branch]);
  if (type instanceof avro.types.RecordType)
    return type.fields.map((field, index) => [schema.fields?.[index]?.type, field.type]);
  if (type instanceof avro.types.ArrayType) return [[schema.items, type.itemsType]];
  if (type instanceof avro.types.MapType) return [[schema.values, type.valuesType as avro.Type]];
  return [];
}

type Values = { readonly [key: string]: unknown };

function compare(
  written: unknown,
  type: avro.Type,
  json: unknown,
  decoded: unknown,
  known: Known,
): boolean {
  const schema = known.named.get(type) ?? written;
  const parts = partsOf(schema, type);
  const isPart = (index: number, given: unknown, value: unknown) => {
    const [inner, innerType] = parts[index] ?? [];
    return innerType !== undefined && compare(inner, innerType, given, value, known);
  };
  if (type instanceof avro.types.WrappedUnionType) {
    if (decoded === null) return json === null;
    const [[name, value] = ["", undefined]] = Object.entries(decoded as Values);
    const index = type.types.findIndex((branch) => branch.branchName === name);
    if (!known.unions.has(schema)) return isPart(index, json, value);
    const [[given, inner] = ["", undefined], ...others] = Object.entries(json as Values);
    const expected = branchName((schema as readonly JsonValue[])[index] ?? "null");
    return given === expected && others.length === 0 && isPart(index, inner, value);
  }
  if (type instanceof avro.types.RecordType) {
    const given = json as Values;
    return type.fields.every((field, index) => {
      const value = (decoded as Values)[field.name];
      if (Object.hasOwn(given, field.name)) return isPart(index, given[field.name], value);
      const initial: unknown = field.defaultValue();
      return field.type.toBuffer(initial).equals(field.type.toBuffer(value));
    });
  }
  if (type instanceof avro.types.ArrayType) {
    const [given, items] = [json as readonly unknown[], decoded as readonly unknown[]];
    return (
      given.length === items.length && given.every((each, index) => isPart(0, each, items[index]))
    );
  }
  if (type instanceof avro.types.MapType) {
    const [given, values] = [Object.entries(json as Values), decoded as Values];
    return (
      given.length === Object.keys(values).length &&
      given.every(([key, each]) => isPart(0, each, values[key]))
    );
  }
  return isSameScalar(isObject(schema) ? schema : {}, type, json, decoded);
}

function isSameScalar(
  schema: { readonly [key: string]: unknown },
  type: avro.Type,
  json: unknown,
  decoded: unknown,
): boolean {
  const logical = isIgnored(schema) ? "" : String(schema["logicalType"] ?? "");
  if (logical === "decimal")
    return unitsOf(String(json), Number(schema["scale"] ?? 0)) === signed(decoded as Buffer);
  if (logical === "uuid")
    return Buffer.isBuffer(decoded)
      ? decoded.toString("hex") === String(json).replaceAll("-", "").toLowerCase()
      : json === decoded;
  if (logical === "duration") return durationOf(String(json)) === triple(decoded as Buffer);
  if (logical !== "") return timeOf(String(json), logical) === BigInt(decoded as number);
  if (Buffer.isBuffer(decoded)) return decoded.toString("base64") === json;
  if (type.typeName === "float") return Math.fround(Number(json)) === decoded;
  if (typeof decoded === "bigint") return BigInt(json as string) === decoded;
  return json === decoded;
}

/** True for the logical types of random schemas that Avro ignores. */
function isIgnored(schema: { readonly [key: string]: unknown }): boolean {
  if (schema["logicalType"] === "decimal")
    return Number(schema["scale"] ?? 0) > Number(schema["precision"]);
  return schema["type"] === "string" && schema["logicalType"] !== "uuid";
}

function unitsOf(text: string, scale: number): bigint {
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  const units = BigInt(whole + fraction.padEnd(scale, "0"));
  return text.startsWith("-") ? -units : units;
}

function signed(bytes: Buffer): bigint {
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString("hex") || "0"}`));
}

function triple(bytes: Buffer): string {
  return [0, 4, 8].map((at) => bytes.readUInt32LE(at)).join();
}

function durationOf(text: string): string {
  const [date = "", time = ""] = text.slice(1).split("T");
  const of = (part: string, unit: string) =>
    Number(new RegExp(`([\\d.]+)${unit}`).exec(part)?.[1] ?? 0);
  const ms = of(time, "H") * 3_600_000 + of(time, "M") * 60_000 + of(time, "S") * 1000;
  return [
    of(date, "Y") * 12 + of(date, "M"),
    of(date, "W") * 7 + of(date, "D"),
    Math.round(ms),
  ].join();
}

/**
 * Converts a time with JavaScript's dates, which are exact to the millisecond, and the other digits
 * by hand.
 */
function timeOf(text: string, logical: string): bigint {
  if (logical === "date") return BigInt(Date.parse(`${text}T00:00:00Z`)) / 86_400_000n;
  const [, whole = "", fraction = "", zone = ""] =
    /^(.*?\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  const digits = logical.endsWith("millis") ? 3 : logical.endsWith("micros") ? 6 : 9;
  const start = logical.startsWith("time-") ? `1970-01-01T${whole}` : whole;
  const seconds = BigInt(Date.parse(`${start}${zone || "Z"}`)) / 1000n;
  return seconds * 10n ** BigInt(digits) + BigInt(fraction.padEnd(digits, "0"));
}
