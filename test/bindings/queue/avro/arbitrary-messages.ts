/** Random messages of an Avro schema. */
import fc from "fast-check";
import type { JsonValue } from "../../../../src/core/json.js";
import { branchName, fieldNames } from "./arbitrary-schemas.js";
import { unicodeText } from "../../../support/unicode-text.js";

interface Types {
  readonly byName: { readonly [name: string]: JsonValue };
  /** Unions whose values name their branch. */
  readonly named: ReadonlySet<unknown>;
}

/** Messages that mostly fit the schema. */
export function messageFor(
  schema: JsonValue,
  named: ReadonlySet<unknown>,
): fc.Arbitrary<JsonValue> {
  const byName: { [name: string]: JsonValue } = {};
  noteTypes(schema, byName);
  return valueFor(schema, { byName, named }, 0);
}

function noteTypes(schema: JsonValue, types: { [name: string]: JsonValue }): void {
  if (typeof schema === "string") return;
  if (Array.isArray(schema)) return schema.forEach((each: JsonValue) => noteTypes(each, types));
  const about = schema as { readonly [key: string]: JsonValue };
  if (typeof about["name"] === "string") types[about["name"]] = schema;
  for (const key of ["items", "values"]) if (about[key] !== undefined) noteTypes(about[key], types);
  if (Array.isArray(about["fields"]))
    about["fields"].forEach((field: { readonly type: JsonValue }) => noteTypes(field.type, types));
}

const deepest = 4;

const date = fc
  .date({
    min: new Date("0000-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59Z"),
    noInvalidDate: true,
  })
  .map((each) => each.toISOString().slice(0, 10));
const nearDate = fc
  .date({
    min: new Date("1678-01-01T00:00:00Z"),
    max: new Date("2261-12-31T00:00:00Z"),
    noInvalidDate: true,
  })
  .map((each) => each.toISOString().slice(0, 10));
const two = (most: number) => fc.nat(most).map((each) => String(each).padStart(2, "0"));
const clock = (digits: number) =>
  fc
    .tuple(
      two(23),
      two(59),
      two(59),
      fc.option(fc.stringMatching(new RegExp(`^\\d{1,${digits}}$`))),
    )
    .map(([h, m, s, fraction]) => `${h}:${m}:${s}${fraction === null ? "" : `.${fraction}`}`);
const zone = fc.oneof(
  fc.constant("Z"),
  fc.tuple(fc.constantFrom("+", "-"), two(23), two(59)).map(([sign, h, m]) => `${sign}${h}:${m}`),
);
const base64 = (constraints: fc.IntArrayConstraints) =>
  fc.uint8Array(constraints).map((each) => Buffer.from(each).toString("base64"));
const text = fc.string({ unit: "grapheme", maxLength: 80 });
const long = fc.oneof(
  fc.maxSafeInteger(),
  fc.nat(300),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  fc.constantFrom(String(2n ** 63n - 1n), String(-(2n ** 63n)), -(2 ** 53 - 1), 2 ** 53 - 1),
);

function timeFor(logical: string): fc.Arbitrary<string> {
  const digits = logical.endsWith("millis") ? 3 : logical.endsWith("micros") ? 6 : 9;
  if (logical.startsWith("time-")) return clock(digits);
  const local = fc
    .tuple(digits === 9 ? nearDate : date, clock(digits))
    .map((each) => each.join("T"));
  if (logical.startsWith("local-")) return local;
  return fc.tuple(local, zone).map((each) => each.join(""));
}

function decimalFor(precision: number, scale: number): fc.Arbitrary<string> {
  const whole =
    precision === scale
      ? fc.constant("0")
      : fc.oneof(
          fc.constant("0"),
          fc.stringMatching(new RegExp(`^[1-9]\\d{0,${precision - scale - 1}}$`)),
        );
  const fraction =
    scale === 0 ? fc.constant("") : fc.stringMatching(new RegExp(`^(\\.\\d{1,${scale}})?$`));
  return fc.tuple(fc.constantFrom("", "-"), whole, fraction).map((each) => each.join(""));
}

const duration = fc
  .tuple(fc.nat(99_999_999), fc.nat(999_999_999), fc.nat(9), fc.nat(999), fc.nat(9999), fc.nat(999))
  .map(([y, mo, d, h, s, ms]) => `P${y}Y${mo}M${d}DT${h}H${s}.${String(ms).padStart(3, "0")}S`);

const plain: { readonly [name: string]: fc.Arbitrary<JsonValue> } = {
  null: fc.constant(null),
  boolean: fc.boolean(),
  int: fc.oneof(fc.integer(), fc.constantFrom(2 ** 31 - 1, -(2 ** 31))),
  long,
  float: fc.oneof(
    fc.float({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ noNaN: true, min: -1e30, max: 1e30 }),
  ),
  double: fc.double({ noNaN: true, noDefaultInfinity: true }),
  bytes: base64({ maxLength: 20 }),
  string: fc.oneof(text, unicodeText({ minLength: 60, maxLength: 90 })),
};

function valueFor(schema: JsonValue, types: Types, depth: number): fc.Arbitrary<JsonValue> {
  if (typeof schema === "string") {
    const named = types.byName[schema];
    return (
      plain[schema] ?? (named === undefined ? fc.constant(null) : valueFor(named, types, depth))
    );
  }
  if (Array.isArray(schema)) {
    const simple = schema.filter((each) => typeof each === "string" && plain[each] !== undefined);
    const branches: readonly JsonValue[] = depth > deepest && simple.length > 0 ? simple : schema;
    return fc.nat(branches.length - 1).chain((index) => {
      const branch = branches[index] ?? "null";
      const value = valueFor(branch, types, depth + 1);
      const isNamed = types.named.has(schema) && branch !== "null";
      return isNamed ? value.map((each) => ({ [branchName(branch)]: each })) : value;
    });
  }
  const about = schema as { readonly [key: string]: JsonValue };
  const type = String(about["type"]);
  const logical = String(about["logicalType"] ?? "");
  const [precision, scale, size] = ["precision", "scale", "size"].map((key) =>
    Number(about[key] ?? 0),
  );
  const maxLength = depth > deepest ? 0 : 3;
  if (logical === "decimal" && (scale ?? 0) <= (precision ?? 0))
    return decimalFor(precision ?? 0, scale ?? 0);
  if (logical === "uuid")
    return fc.oneof(
      fc.uuid(),
      fc.uuid().map((each) => each.toUpperCase()),
    );
  if (logical === "duration") return duration;
  if (logical === "date" && type === "int") return date;
  if (logical !== "" && plain[type] !== undefined && type !== "bytes" && type !== "string")
    return timeFor(logical);
  if (type === "fixed") return base64({ minLength: size ?? 0, maxLength: size ?? 0 });
  if (type === "enum") return fc.constantFrom(...(about["symbols"] as readonly JsonValue[]));
  if (type === "array")
    return fc.array(
      fc.nat().chain(() => valueFor(about["items"] ?? null, types, depth + 1)),
      { maxLength },
    );
  if (type === "map")
    return fc.dictionary(
      fc.oneof(
        text.filter((key) => key !== "__proto__"),
        fc.constantFrom(...fieldNames),
      ),
      fc.nat().chain(() => valueFor(about["values"] ?? null, types, depth + 1)),
      { maxKeys: maxLength, noNullPrototype: true },
    );
  if (type !== "record") return plain[type] ?? fc.constant(null);
  const fields = about["fields"] as readonly {
    readonly name: string;
    readonly type: JsonValue;
    readonly default?: JsonValue;
  }[];
  return fc.nat().chain(() =>
    fc.record(
      Object.fromEntries(
        fields.map((field) => [
          field.name,
          fc.nat().chain(() => valueFor(field.type, types, depth + 1)),
        ]),
      ),
      {
        requiredKeys: fields
          .filter((field) => field.default === undefined)
          .map((field) => field.name),
        noNullPrototype: true,
      },
    ),
  );
}
