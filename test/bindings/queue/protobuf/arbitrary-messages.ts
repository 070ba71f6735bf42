/** Random messages of a Protobuf schema. */
import fc from "fast-check";
import protobuf from "protobufjs";
import type { JsonValue } from "../../../../src/core/json.js";

const text = fc.string({ unit: "grapheme", maxLength: 80 });
const base64 = fc.uint8Array({ maxLength: 20 }).map((each) => Buffer.from(each).toString("base64"));
const digits = (number: bigint) => String(number);
const signed = fc.oneof(
  fc.maxSafeInteger(),
  fc.nat(300),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(digits),
  fc.integer().map(String),
  fc.constantFrom(
    String(2n ** 63n - 1n),
    String(-(2n ** 63n)),
    2 ** 53 - 1,
    "0",
    "999999999999999",
    "9999999999999999",
  ),
);
const unsigned = fc.oneof(
  fc.maxSafeNat(),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(digits),
  fc.constantFrom(String(2n ** 64n - 1n), String(2n ** 63n), "0"),
);
const int32 = fc.oneof(fc.integer(), fc.constantFrom(0, -(2 ** 31), 2 ** 31 - 1));
const uint32 = fc.oneof(fc.nat(), fc.constantFrom(0, 2 ** 32 - 1));

const scalars: { readonly [name: string]: fc.Arbitrary<JsonValue> } = {
  double: fc.double({ noNaN: true, noDefaultInfinity: true }),
  float: fc.oneof(
    fc.float({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ noNaN: true, min: -1e30, max: 1e30 }),
  ),
  int32,
  sint32: int32,
  sfixed32: int32,
  uint32,
  fixed32: uint32,
  int64: signed,
  sint64: signed,
  sfixed64: signed,
  uint64: unsigned,
  fixed64: unsigned,
  bool: fc.boolean(),
  string: text,
  bytes: base64,
};

const two = (most: number) => fc.nat(most).map((each) => String(each).padStart(2, "0"));
const fraction = fc.oneof(
  fc.constant(""),
  fc.stringMatching(/^\d{1,9}$/).map((each) => `.${each}`),
);
const timestamp = fc
  .tuple(
    fc.date({
      min: new Date("0001-01-02T00:00:00Z"),
      max: new Date("9999-12-30T23:59:59Z"),
      noInvalidDate: true,
    }),
    fraction,
    fc.oneof(
      fc.constant("Z"),
      fc
        .tuple(fc.constantFrom("+", "-"), two(23), two(59))
        .map(([sign, h, m]) => `${sign}${h}:${m}`),
    ),
  )
  .map(([date, part, zone]) => `${date.toISOString().slice(0, 19)}${part}${zone}`);
const duration = fc
  .tuple(fc.constantFrom("", "-"), fc.bigInt({ min: 0n, max: 315_576_000_000n }), fraction)
  .map(([sign, seconds, part]) => `${sign}${seconds}${part}s`);
const path = fc
  .array(fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9]{0,8}$/), { minLength: 1, maxLength: 3 })
  .map((names) => names.join("."));
// The declared type has mutable lists.
const anyJson = fc
  .jsonValue({ maxDepth: 3 })
  .filter((value) => !hasProto(value)) as fc.Arbitrary<JsonValue>;
const anyObject = fc.dictionary(
  text.filter((key) => key !== "__proto__"),
  anyJson,
  { maxKeys: 3, noNullPrototype: true },
);

/** The library's JSON reader treats `__proto__` as a prototype. */
function hasProto(value: unknown): boolean {
  return JSON.stringify(value)?.includes("__proto__") ?? false;
}

const wellKnown: { readonly [name: string]: fc.Arbitrary<JsonValue> } = {
  Timestamp: timestamp,
  Duration: duration,
  FieldMask: fc.array(path, { maxLength: 3 }).map((paths) => paths.join(",")),
  Struct: anyObject,
  Value: anyJson,
  ListValue: fc.array(anyJson, { maxLength: 3 }),
  NullValue: fc.constant(null),
  Empty: fc.constant({}),
  DoubleValue: scalars["double"] ?? text,
  FloatValue: scalars["float"] ?? text,
  Int64Value: signed,
  UInt64Value: unsigned,
  Int32Value: int32,
  UInt32Value: uint32,
  BoolValue: fc.boolean(),
  StringValue: text,
  BytesValue: base64,
};

const deepest = 4;

/** Chooses the fields that a message may have together. */
type Choose = (type: protobuf.Type, names: readonly string[]) => readonly string[];

/** Messages that mostly fit the type. */
export function messageFor(
  type: protobuf.Type,
  depth = 0,
  choose: Choose = withOneEach,
): fc.Arbitrary<JsonValue> {
  const entries = type.fieldsArray.map(
    (field) => [field.name, fc.nat().chain(() => fieldValue(field, depth, choose))] as const,
  );
  const requiredKeys = type.fieldsArray.filter((field) => field.required).map(({ name }) => name);
  const optional = type.fieldsArray.filter((field) => !field.required).map(({ name }) => name);
  const chosen = depth > deepest ? fc.constant([]) : fc.subarray(optional);
  return chosen
    .map((names) => choose(type, [...requiredKeys, ...names]))
    .chain((names) =>
      fc.record(Object.fromEntries(entries.filter(([name]) => names.includes(name))), {
        noNullPrototype: true,
      }),
    );
}

/** Allows several fields of one `oneof`. */
export const everyName: Choose = (_, names) => names;

function withOneEach(type: protobuf.Type, names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.filter((name) => {
    const group = type.fields[name]?.partOf?.name;
    if (group === undefined) return true;
    const isFirst = !taken.has(group);
    taken.add(group);
    return isFirst;
  });
}

function fieldValue(field: protobuf.Field, depth: number, choose: Choose): fc.Arbitrary<JsonValue> {
  const one = () => valueFor(field, depth + 1, choose);
  const most = depth > deepest ? 0 : 3;
  if (field.repeated) return fc.array(fc.nat().chain(one), { maxLength: most });
  if (!(field instanceof protobuf.MapField)) return one();
  const key =
    field.keyType === "string"
      ? text.filter((each) => each !== "__proto__")
      : (scalars[field.keyType] ?? text).map(String);
  return fc.dictionary(key, fc.nat().chain(one), { maxKeys: most, noNullPrototype: true });
}

function valueFor(field: protobuf.Field, depth: number, choose: Choose): fc.Arbitrary<JsonValue> {
  const { resolvedType } = field;
  const own = /^\.google\.protobuf\.(\w+)$/.exec(resolvedType?.fullName ?? "")?.[1];
  if (own !== undefined) return wellKnown[own] ?? text;
  if (resolvedType instanceof protobuf.Enum)
    return fc.constantFrom(...Object.keys(resolvedType.values));
  if (resolvedType !== null) return messageFor(resolvedType, depth, choose);
  return scalars[field.type] ?? text;
}
