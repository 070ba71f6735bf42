import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../../../../src/core/json.js";
import { avroDiagnosticEntries } from "../../../../src/bindings/queue/diagnostics/avro.js";
import { avro } from "../../../../src/bindings/queue/send/avro/avro.js";
import { RefusedValue } from "../../../../src/runtime/call/refused-value.js";
import { recordSchema } from "./arbitrary-schemas.js";
import { odd, withOdd } from "./odd-values.js";
import { read, readText, recordOf } from "./support.js";
import { runs } from "../../../support/runs.js";

const codes = [...Object.keys(avroDiagnosticEntries), "schema/too-large"];
const many = (count: number, of: (index: number) => JsonValue) =>
  Array.from({ length: count }, (_, index) => of(index));

/** Records of which each has two of the one before, by default. */
function doubling(levels: number): JsonValue {
  const pair = (type: JsonValue): JsonValue[] =>
    ["a", "b"].map((name) => ({ name, type, default: {} }));
  return recordOf(
    {
      name: "first",
      type: { type: "record", name: "R0", fields: [{ name: "a", type: "int", default: 0 }] },
      default: {},
    },
    ...many(levels, (index) => ({
      name: `f${index}`,
      type: { type: "record", name: `R${index + 1}`, fields: pair(`R${index}`) },
      default: {},
    })),
  );
}

test.each<[what: string, schema: JsonValue, code: string | undefined]>([
  ["defaults that double", doubling(40), "queue/bad-avro-schema"],
  ["a few defaults that double", doubling(5), undefined],
  [
    "a chain of records",
    recordOf(
      ...many(1500, (index) => ({
        name: `f${index}`,
        type: {
          type: "record",
          name: `R${index}`,
          fields: index === 0 ? [] : [{ name: "x", type: `R${index - 1}` }],
        },
      })),
    ),
    "schema/too-large",
  ],
  [
    "a union of a thousand records",
    recordOf({
      name: "u",
      type: many(1000, (index) => ({
        type: "record",
        name: `R${index}`,
        fields: [{ name: "x", type: "int" }],
      })),
    }),
    "queue/bad-avro-schema",
  ],
  [
    "five thousand fields",
    recordOf(...many(5000, (index) => ({ name: `f${index}`, type: "int" }))),
    undefined,
  ],
  [
    "too many fields",
    recordOf(...many(20_000, (index) => ({ name: `f${index}`, type: "int" }))),
    "schema/too-large",
  ],
  [
    "a huge fixed",
    recordOf({ name: "x", type: { type: "fixed", name: "F", size: 2 ** 31 - 1 } }),
    undefined,
  ],
  [
    "a huge precision",
    recordOf({
      name: "x",
      type: { type: "bytes", logicalType: "decimal", precision: 2 ** 53 - 1, scale: 2 ** 52 },
    }),
    "schema/too-large",
  ],
  ["a long name", recordOf({ name: "x".repeat(1_000_000), type: "int" }), undefined],
  ["a long text", recordOf({ name: "x", type: "y".repeat(1_000_000) }), "queue/bad-avro-schema"],
  [
    "an enum named as a property of objects",
    recordOf({
      name: "x",
      type: { type: "enum", name: "constructor", namespace: "", symbols: ["A"] },
    }),
    undefined,
  ],
])("reads %s without a crash, or reports it", (_, schema, code) => {
  const { diagnostics } = read(schema);
  expect(diagnostics.map((each) => each.code)).toEqual(code === undefined ? [] : [code]);
});

test("rejects `__proto__` as a namespace and as a field's name, and ignores it as an attribute", () => {
  const lines = readText(
    '{ "type": "record", "name": "A", "namespace": "__proto__", "__proto__": { "type": "x" }, "fields": [] }',
  ).lines;
  expect(lines).toEqual([
    "queue/bad-avro-schema [\"__proto__\"] `__proto__` can't be a `namespace` (avsc can't use this name)",
  ]);
  const field = '{"name":"__proto__","type":"int"}';
  expect(readText(`{"type":"record","name":"A","fields":[${field}]}`).lines).toEqual([
    "queue/bad-avro-schema [\"__proto__\"] `__proto__` can't be a field's name (avsc can't use this name)",
  ]);
});

test("rejects a default with the key `__proto__`", () => {
  const schema = '{"name":"x","type":{"type":"map","values":"int"},"default":{"__proto__":1}}';
  const { lines } = readText(`{"type":"record","name":"A","fields":[${schema}]}`);
  expect(lines).toEqual([
    'queue/bad-avro-schema [{"__proto__":1}] `__proto__` can\'t be a key of a default',
  ]);
});

const broken = fc.tuple(recordSchema, fc.array(fc.tuple(fc.nat(), oddSchema()), { maxLength: 3 }));

function oddSchema(): fc.Arbitrary<JsonValue | undefined> {
  return fc.oneof(
    fc.constant(undefined),
    odd,
    fc.constantFrom<JsonValue>(
      "record",
      "acme.n1.Type1",
      "__proto__",
      "constructor",
      "toString",
      "",
      ".",
      "a.",
      "int",
      ["null"],
      ["string", "string"],
      { type: "record" },
      { type: ["string"] },
      { type: "array", items: [[]] },
    ),
  );
}

/** @throws whatever is no refusal */
function encodes(schema: JsonValue, message: unknown): boolean {
  try {
    avro(schema).encode(message);
    return true;
  } catch (error) {
    if (error instanceof RefusedValue) return false;
    throw error;
  }
}

test("crashes on no schema, and can encode by each schema that it accepts", () => {
  fc.assert(
    fc.property(broken, ([schema, changes]) => {
      const changed = changes.reduce((each, [at, value]) => withOdd(each, at, value), schema);
      const { schema: found, diagnostics } = read(changed);
      for (const { code } of diagnostics) expect(codes).toContain(code);
      expect(found === undefined).toBe(diagnostics.some((each) => each.severity === "error"));
      if (found?.encoding.kind !== "avro") return;
      expect(encodes(found.encoding.schema, {})).toBeTypeOf("boolean");
    }),
    { numRuns: runs(300) },
  );
});
