import { describe, expect, it, test } from "vitest";
import { avroDiagnosticEntries } from "../../../../src/bindings/queue/diagnostics/avro.js";
import type { JsonValue } from "../../../../src/core/json.js";
import type { ProjectFiles } from "../../../../src/core/diagnostic-entry.js";
import { countReads } from "../../../support/count-reads.js";
import { read, readText, recordOf, validatorOf } from "./support.js";

function field(type: JsonValue, more: object = {}): JsonValue {
  return { name: "value", type, ...more };
}

/** The JSON Schema of a field of that type. */
function formOf(type: JsonValue): unknown {
  const { schema, lines } = read(recordOf(field(type)));
  expect(lines).toEqual([]);
  const root = schema?.json.schema as { readonly properties: { readonly value: unknown } };
  return root.properties.value;
}

function linesOf(type: JsonValue, more: object = {}): readonly string[] {
  return read(recordOf(field(type, more))).lines;
}

describe("JSON form of an Avro schema", () => {
  const order: JsonValue = {
    type: "record",
    name: "Order",
    namespace: "acme",
    doc: "An order.",
    fields: [
      { name: "order_id", type: "string", doc: "Ours." },
      { name: "count", type: "int", default: 1 },
      { name: "total", type: { type: "bytes", logicalType: "decimal", precision: 10, scale: 2 } },
      { name: "status", type: { type: "enum", name: "Status", symbols: ["OPEN", "SHIPPED"] } },
      { name: "before", type: ["null", "acme.Status"], default: null },
      { name: "parent", type: ["Order", "null"] },
      { name: "labels", type: { type: "map", values: "long" } },
    ],
  };

  it("names fields as the file does, requires those without a default, and refers to named types", () => {
    const { schema, lines } = read(order);
    expect(lines).toEqual([]);
    expect(schema?.json.schema).toMatchObject({
      type: "object",
      description: "An order.",
      properties: {
        order_id: { type: "string", description: "Ours." },
        count: { type: "integer", minimum: -2147483648, maximum: 2147483647 },
        status: { $ref: "#/$defs/Status" },
        before: { anyOf: [{ type: "null" }, { $ref: "#/$defs/Status" }] },
        parent: { anyOf: [{ $ref: "#" }, { type: "null" }] },
        labels: { type: "object", additionalProperties: { type: ["integer", "string"] } },
      },
      required: ["order_id", "total", "status", "parent", "labels"],
      $defs: { Status: { type: "string", enum: ["OPEN", "SHIPPED"] } },
    });
    expect(schema?.encoding).toEqual({ kind: "avro", schema: order, named: [] });
  });

  it("records Avro's name for each type, and the position of each type", () => {
    const { schema } = read(order);
    expect(schema?.types).toMatchObject({
      "": "acme.Order",
      "/properties/total": "decimal(10, 2)",
      "/properties/before": "null or acme.Status",
      "/properties/before/anyOf/1": "acme.Status",
      "/properties/labels": "map of long",
      "/properties/labels/additionalProperties": "long",
      "/$defs/Status": "acme.Status",
    });
    const at = (pointer: string) => {
      const span = schema?.json.places[pointer];
      return JSON.stringify(order).slice(span?.start, span?.end);
    };
    expect(at("")).toBe('"Order"');
    expect(at("/properties/count")).toBe('"int"');
    expect(at("/properties/before/anyOf/1")).toBe('"acme.Status"');
    expect(at("/$defs/Status")).toBe('"Status"');
  });

  it.each<[type: JsonValue, good: readonly unknown[], bad: readonly unknown[]]>([
    ["boolean", [true], ["true", 0, null]],
    ["int", [0, -2147483648, 1.0], [2147483648, 1.5, "1", null]],
    [
      "long",
      [0, 9007199254740991, "9223372036854775807", "-9223372036854775808", "5"],
      [
        9007199254740992,
        1.5,
        "9223372036854775808",
        "-9223372036854775809",
        "007",
        "-0",
        "",
        "1e3",
      ],
    ],
    ["float", [0.1, 3.4028234663852886e38], [3.5e38, "1", Number.NaN]],
    ["double", [1e308, -0.5], [Number.POSITIVE_INFINITY, "1"]],
    ["bytes", ["", "aGk=", "AAAA"], ["aGl=", "aGk", "a-_=", "aGk=\n"]],
    [{ type: "fixed", name: "F", size: 2 }, ["aGk="], ["", "aGk=aGk=", "AAAA"]],
    [{ type: "enum", name: "E", symbols: ["A", "B"] }, ["A"], ["a", "C", 0]],
    [
      { type: "bytes", logicalType: "decimal", precision: 4, scale: 2 },
      ["0", "99.99", "-1.5", "12"],
      ["100", "1.234", "01", ".5", "1.", "+1", "1e1", 12],
    ],
    [
      { type: "int", logicalType: "date" },
      ["2024-02-29", "0000-01-01"],
      ["2023-02-29", "2024-2-29", "2024-02-29T00:00:00Z", 19000],
    ],
    [
      { type: "int", logicalType: "time-millis" },
      ["00:00:00", "23:59:59.999"],
      ["24:00:00", "12:00", "12:00:00.0001", "12:00:00Z"],
    ],
    [
      { type: "long", logicalType: "timestamp-millis" },
      ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678+01:30", "2026-01-02T03:04:05.1230000Z"],
      [
        "2026-01-02T03:04:05",
        "2026-02-30T03:04:05Z",
        "2026-01-02T03:04:05.6789Z",
        "2026-01-02 03:04:05Z",
        0,
      ],
    ],
    [
      { type: "long", logicalType: "timestamp-nanos" },
      ["1678-01-01T00:00:00Z", "2261-12-31T23:59:59.999999999Z"],
      ["1677-12-31T00:00:00Z", "2262-01-01T00:00:00Z"],
    ],
    [
      { type: "long", logicalType: "local-timestamp-micros" },
      ["2026-01-02T03:04:05.123456"],
      ["2026-01-02T03:04:05.123456Z", "2026-02-30T03:04:05"],
    ],
    [
      { type: "string", logicalType: "uuid" },
      ["6BA7b810-9dad-11d1-80b4-00c04fd430c8"],
      ["urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6ba7b8109dad11d180b400c04fd430c8"],
    ],
    [
      { type: "fixed", name: "D", size: 12, logicalType: "duration" },
      ["P1Y2M3W4DT5H6M7.089S", "PT0S", "P2D"],
      ["P", "PT", "P1.5D", "PT1000H", "-P1D"],
    ],
    [
      ["string", "long"],
      [1, "1", "9223372036854775808"],
      [2 ** 53, true, null],
    ],
    [{ type: "array", items: ["null", "int"] }, [[], [1, null]], [["1"], null]],
    [{ type: "map", values: "int" }, [{}, { constructor: 1 }], [[], { a: "1" }]],
  ])("accepts exactly the values of %j that it can encode", (type, good, bad) => {
    const { schema, lines } = read(recordOf(field(type)));
    expect(lines).toEqual([]);
    if (schema === undefined) return;
    const accepts = validatorOf(schema);
    expect(good.filter((value) => !accepts({ value }))).toEqual([]);
    expect(bad.filter((value) => accepts({ value }))).toEqual([]);
  });

  it("distinguishes records by their fields", () => {
    const branch = (name: string, ...fields: readonly JsonValue[]): JsonValue => ({
      type: "record",
      name,
      fields: fields.map((each, index) => ({ name: `${name}_${index}`.toLowerCase(), type: each })),
    });
    expect(formOf([branch("A", "int"), branch("B", "int", "string")])).toEqual({
      anyOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }],
    });
  });

  it("checks deep messages once if a value decides between their records", () => {
    const operator = (name: string): JsonValue => ({
      type: "record",
      name,
      fields: [
        { name: "left", type: "acme.Order" },
        { name: "right", type: ["null", "acme.Order"] },
        { name: "operator", type: { type: "enum", name: `${name}Operator`, symbols: [name] } },
      ],
    });
    const { schema, lines } = read(recordOf(field(["null", operator("And"), operator("Or")])));
    expect(lines).toEqual([]);
    if (schema === undefined) return;
    const accepts = validatorOf(schema);
    const readsAt = (most: number, operator: string) => {
      let message = { value: null as JsonValue };
      for (let depth = 0; depth < most; depth += 1)
        message = { value: { left: message, right: null, operator: depth % 2 ? "Or" : "And" } };
      const top = { value: { left: message, right: null, operator } };
      const { data, reads } = countReads(top);
      expect(accepts(data)).toBe(operator !== "Not");
      return reads();
    };
    for (const operator of ["And", "Not"]) {
      expect(readsAt(20, operator)).toBeLessThan(2.2 * readsAt(10, operator));
      expect(readsAt(200, operator)).toBeLessThan(22 * readsAt(10, operator));
    }
  });

  it("gives types of one name in two namespaces names of their own", () => {
    const status = (namespace: string): JsonValue => ({
      type: "enum",
      name: "Status",
      namespace,
      symbols: [namespace],
    });
    const { schema } = read(
      recordOf({ name: "a", type: status("one") }, { name: "b", type: status("two") }),
    );
    expect(schema?.json.schema).toMatchObject({
      $defs: { Status: { enum: ["one"] }, two_Status: { enum: ["two"] } },
    });
  });
});

describe("Avro schema", () => {
  it.each<[type: JsonValue, more: object, line: string]>([
    [
      "strin",
      {},
      'queue/bad-avro-schema ["strin"] no type `strin` is defined here (did you mean `string`?)',
    ],
    [
      null,
      {},
      'queue/bad-avro-schema [null] a schema must be the name of a type, an object, or a list of branches (write `"null"`)',
    ],
    [[], {}, "queue/bad-avro-schema [[]] a union needs at least one branch"],
    [
      ["int", "int"],
      {},
      'queue/bad-avro-schema [["int","int"]] two branches of the union are `int` (a union has at most one array, one map and one of each unnamed type, whatever their logical types)',
    ],
    [
      ["int", ["string"]],
      {},
      'queue/bad-avro-schema [["int",["string"]]] a branch of a union can\'t be a union',
    ],
    [
      { type: "sting" },
      {},
      'queue/bad-avro-schema ["sting"] `sting` is not an Avro type (did you mean `string`?)',
    ],
    [
      { type: { type: "string" } },
      {},
      'queue/bad-avro-schema [{"type":"string"}] the `type` of a schema must be a name (write this value instead of the object around it)',
    ],
    [
      { type: "constructor" },
      {},
      'queue/bad-avro-schema ["constructor"] `constructor` is not an Avro type (write the name of a type that is defined above without an object around it)',
    ],
    [{ type: "array" }, {}, 'queue/bad-avro-schema [{"type":"array"}] the array has no `items`'],
    [
      { type: "fixed", name: "F", size: 1.5 },
      {},
      "queue/bad-avro-schema [1.5] a `fixed` needs a `size`, a whole number of bytes",
    ],
    [
      { type: "fixed", name: "a-b", size: 1 },
      {},
      "queue/bad-avro-schema [\"a-b\"] `a-b` can't be a `name` (use letters, digits and `_`, and don't start with a digit)",
    ],
    [
      { type: "fixed", name: "Order", size: 1 },
      {},
      'queue/bad-avro-schema ["Order"] the type `acme.Order` is defined twice (define a type at its first use, and write its name after that)',
    ],
    [
      { type: "fixed", name: "int", size: 1 },
      {},
      'queue/bad-avro-schema ["int"] `int` is a name of Avro itself',
    ],
    [
      { type: "enum", name: "E", symbols: ["A", "A"] },
      {},
      'queue/bad-avro-schema ["A"] the symbol `A` is listed twice',
    ],
    [
      { type: "enum", name: "E", symbols: ["toString"] },
      {},
      "queue/bad-avro-schema [\"toString\"] `toString` can't be a symbol (avsc can't use this name)",
    ],
    [
      { type: "enum", name: "E", symbols: ["OPEN"], default: "open" },
      {},
      'queue/bad-avro-schema ["open"] the enum\'s `default` is not one of its symbols (did you mean `OPEN`?)',
    ],
    [
      "int",
      { default: "x" },
      "queue/bad-avro-schema [\"x\"] the default doesn't fit the type of the field (write a default in Avro's JSON encoding: `bytes` as text with one character for each byte, dates and decimals as their underlying numbers and bytes)",
    ],
    [
      ["int", "null"],
      { default: null },
      "queue/bad-avro-schema [null] the default doesn't fit the type of the field (the default of a union must fit its first branch)",
    ],
    [
      "int",
      { order: "up" },
      'queue/bad-avro-schema ["up"] the `order` of a field must be `ascending`, `descending` or `ignore`',
    ],
    [
      "int",
      { name: "__proto__" },
      "queue/bad-avro-schema [\"__proto__\"] `__proto__` can't be a field's name (avsc can't use this name)",
    ],
    [
      "acme.Order",
      {},
      'queue/endless-record ["value"] every `acme.Order` would need another one in its field `value`, without end (make it optional, `["null", …]`, or an array)',
    ],
    [
      { type: "string", logicalType: "date" },
      {},
      'queue/ignored-logical-type ["date"] `date` is ignored: the value is a plain `string` (a `date` is `{ "type": "int", … }`)',
    ],
    [
      { type: "bytes", logicalType: "decimal" },
      {},
      'queue/ignored-logical-type ["decimal"] `decimal` is ignored: the value is a plain `bytes` (a `decimal` needs a `precision` of at least 1)',
    ],
    [
      { type: "bytes", logicalType: "decimal", precision: 1001, scale: 1001 },
      {},
      "schema/too-large [1001] a `decimal` has at most 1000 digits, but this one has 1001",
    ],
    [
      { type: "long", logicalType: "timestamp-milis" },
      {},
      'queue/ignored-logical-type ["timestamp-milis"] `timestamp-milis` is ignored: the value is a plain `long` (did you mean `timestamp-millis`?)',
    ],
  ])("reports a mistake at its position: %j %j", (type, more, line) => {
    expect(linesOf(type, more)).toEqual([line]);
  });

  it("accepts decimals of a thousand digits", () => {
    expect(
      linesOf({ type: "bytes", logicalType: "decimal", precision: 1000, scale: 1000 }),
    ).toEqual([]);
  });

  it("accepts logical types that Avro does not know", () => {
    expect(linesOf({ type: "string", logicalType: "acme-money" })).toEqual([]);
    expect(linesOf("string", { logicalType: "acme-money" })).toEqual([]);
  });

  it.each<[type: JsonValue, more: object, help: string]>([
    [
      "long",
      { logicalType: "timestamp-millis" },
      '{ "type": "long", "logicalType": "timestamp-millis" }',
    ],
    [
      ["null", "bytes"],
      { logicalType: "decimal", precision: 10, scale: 2 },
      '["null", { "type": "bytes", "logicalType": "decimal", "precision": 10, "scale": 2 }]',
    ],
    [
      { type: "array", items: "long" },
      { logicalType: "date" },
      '{ "type": …, "logicalType": "date" }',
    ],
  ])("warns of a logical type beside a type instead of inside it: %j %j", (type, more, help) => {
    const { logicalType } = more as { readonly logicalType: string };
    expect(linesOf(type, more)).toEqual([
      `queue/ignored-logical-type ["${logicalType}"] \`${logicalType}\` is ignored: it is on the field, but belongs in the type of the field (write \`"type": ${help}\`)`,
    ]);
  });

  it("accepts a logical type that the field and its type repeat", () => {
    const type = { type: "long", logicalType: "timestamp-millis" };
    expect(linesOf(type, { logicalType: "timestamp-millis" })).toEqual([]);
  });

  it.each<[JsonValue]>([["string"], [["null", "string"]], [{ type: "map", values: "string" }]])(
    "reports a schema that is not a record: %j",
    (schema) => {
      expect(read(schema).lines.map((line) => line.split(" ")[0])).toEqual(["queue/not-a-record"]);
    },
  );

  it("rejects a name before its definition", () => {
    const status: JsonValue = { type: "enum", name: "Status", symbols: ["A"] };
    const lines = read(recordOf({ name: "a", type: "Status" }, { name: "b", type: status })).lines;
    expect(lines).toEqual([
      'queue/bad-avro-schema ["Status"] no type `Status` is defined above (define a type at its first use, and write its name after that)',
    ]);
  });

  const record = (name: string, ...fields: readonly JsonValue[]): JsonValue => ({
    type: "record",
    name,
    fields,
  });
  const of = (name: string, type: JsonValue, more: object = {}): JsonValue => ({
    name,
    type,
    ...more,
  });
  const inner = record("Inner", of("y", "int"));
  const kind = (name: string, ...symbols: readonly string[]): JsonValue =>
    of("kind", { type: "enum", name, symbols });

  it.each<[branches: readonly JsonValue[], isAmbiguous: boolean]>([
    [[record("A", of("x", "int")), record("B", of("y", "int"))], false],
    [[record("A", of("x", "int")), record("B", of("x", "int"))], true],
    [[record("A", of("x", "int")), record("B", of("x", "string"))], false],
    [[record("A", kind("K", "A")), record("B", kind("L", "B"))], false],
    [[record("A", kind("K", "A", "C")), record("B", kind("L", "B", "C"))], true],
    [
      [record("A", of("x", "int", { default: 1 })), record("B", of("y", "int", { default: 1 }))],
      true,
    ],
    [
      [record("A", of("x", "int")), record("B", of("x", "int"), of("y", "int", { default: 1 }))],
      true,
    ],
    [[record("A", of("x", "int")), { type: "map", values: "int" }], true],
    [[record("A", of("x", "int")), { type: "map", values: "string" }], false],
    [["int", "long", "double"], false],
    [["double", "long"], false],
    [["float", "int"], true],
    [["long", "float"], false],
    [["long", "string"], false],
    [["string", "bytes"], false],
    [["bytes", "string"], true],
    [[{ type: "enum", name: "E", symbols: ["NEW"] }, "string"], false],
    [[{ type: "enum", name: "E", symbols: ["NEW"] }, "bytes"], false],
    [[{ type: "enum", name: "E", symbols: ["NEWS"] }, "bytes"], true],
    [
      [
        { type: "enum", name: "E", symbols: ["A"] },
        { type: "enum", name: "F", symbols: ["A"] },
      ],
      true,
    ],
    [[{ type: "long", logicalType: "timestamp-millis" }, "string"], true],
    [
      [
        { type: "long", logicalType: "timestamp-millis" },
        { type: "int", logicalType: "date" },
      ],
      false,
    ],
    [
      [
        { type: "fixed", name: "F", size: 1 },
        { type: "fixed", name: "G", size: 2 },
      ],
      false,
    ],
    [
      [
        { type: "fixed", name: "F", size: 2 },
        { type: "fixed", name: "G", size: 2 },
      ],
      true,
    ],
    [
      [{ type: "array", items: "int" }, { type: "map", values: "int" }, "int", "string", "null"],
      false,
    ],
    // What tells two records apart may be that a union in one of them names its branch.
    [[record("A", of("x", ["bytes", "string"])), record("B", of("x", "string"))], false],
    [[record("A", of("x", ["float", "int"])), record("B", of("x", inner))], true],
    [[record("A", of("x", ["long", "int"])), record("B", of("x", inner))], false],
  ])("decides if a value of %j may be of two branches: %s", (branches, isAmbiguous) => {
    const { lines, schema } = read(recordOf(field(branches)));
    expect(lines).toEqual([]);
    const names = schema?.branches?.["/properties/value"];
    expect(names !== undefined).toBe(isAmbiguous);
    const pointers = schema?.encoding.kind === "avro" ? schema.encoding.named : [];
    expect(pointers.includes("/fields/0/type")).toBe(isAmbiguous);
  });

  it.each<[type: JsonValue, good: readonly JsonValue[], bad: readonly JsonValue[]]>([
    [
      ["bytes", "string"],
      [{ bytes: "aGk=" }, { string: "aGk=" }],
      ["aGk=", { bytes: "a" }, { string: 1 }, {}, { bytes: "aGk=", string: "" }, null, { long: 1 }],
    ],
    [
      ["null", "float", "double"],
      [null, { float: 1 }, { double: 0.1 }],
      [0.1, { null: null }],
    ],
    [
      ["null", record("A", of("id", "string")), record("B", of("id", "string"))],
      [null, { "acme.A": { id: "" } }, { "acme.B": { id: "" } }],
      [{ id: "" }, { A: { id: "" } }, { "acme.A": {} }, { "acme.A": { id: 1 } }],
    ],
    [
      [record("A", of("x", "int")), { type: "map", values: "int" }],
      [{ "acme.A": { x: 1 } }, { map: { x: 1 } }],
      [{ x: 1 }],
    ],
    [
      [{ type: "int", logicalType: "date" }, "string"],
      [{ int: "2026-01-02" }, { string: "x" }],
      [{ date: "2026-01-02" }, "x"],
    ],
  ])(
    "accepts only values that name their branch if the branch is ambiguous: %j",
    (type, good, bad) => {
      const { lines, schema } = read(recordOf(field(type)));
      if (schema === undefined) throw new Error(lines.join("\n"));
      const accepts = validatorOf(schema);
      expect(good.filter((value) => !accepts({ value }))).toEqual([]);
      expect(bad.filter((value) => accepts({ value }))).toEqual([]);
    },
  );
});

function avscOf(files: ProjectFiles): string {
  return Object.entries(files).find(([path]) => path.endsWith(".avsc"))?.[1] ?? "";
}

test.each(Object.entries(avroDiagnosticEntries))(
  "the example of %s causes the diagnostic, and the fixed example does not",
  (code, entry) => {
    const { diagnostics } = readText(avscOf(entry.example));
    expect(diagnostics.map((each) => each.code)).toEqual([code]);
    expect(readText(avscOf(entry.fixed)).lines).toEqual([]);
  },
);
