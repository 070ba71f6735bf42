import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../../src/core/json.js";
import { avro } from "../../../../src/bindings/queue/send/avro/avro.js";
import { RefusedValue } from "../../../../src/runtime/call/refused-value.js";
import { countReads } from "../../../support/count-reads.js";
import { typeOfSchema } from "./decode.js";
import { recordOf } from "./support.js";

function encoded(type: JsonValue, value: unknown): string {
  return Buffer.from(avro(recordOf({ name: "value", type })).encode({ value })).toString("hex");
}

function refusal(schema: JsonValue, message: unknown, named?: readonly string[]): string {
  try {
    avro(schema, named).encode(message);
  } catch (error) {
    if (error instanceof RefusedValue) return `${error.pointer} ${error.keyword}: ${error.message}`;
    throw error;
  }
  return "encoded";
}

const decimal = { type: "bytes", logicalType: "decimal", precision: 20, scale: 2 };
const logical = (type: string, logicalType: string): JsonValue => ({ type, logicalType });

describe("encoded value", () => {
  it.each<[type: JsonValue, value: unknown, hex: string]>([
    ["null", null, ""],
    ["boolean", true, "01"],
    ["int", -64, "7f"],
    ["int", 64, "8001"],
    ["int", 2147483647, "feffffff0f"],
    ["int", -2147483648, "ffffffff0f"],
    ["long", 9007199254740991, "feffffffffffff1f"],
    ["long", -9007199254740991, "fdffffffffffff1f"],
    ["long", "9223372036854775807", "feffffffffffffffff01"],
    ["long", "-9223372036854775808", "ffffffffffffffffff01"],
    ["float", 1.5, "0000c03f"],
    ["double", 1.5, "000000000000f83f"],
    ["string", "größe", "0e6772c3b6c39f65"],
    ["bytes", "aGk=", "046869"],
    [{ type: "fixed", name: "F", size: 2 }, "aGk=", "6869"],
    [{ type: "enum", name: "E", symbols: ["A", "B"] }, "B", "02"],
    [{ type: "array", items: "int" }, [1, 2], "04020400"],
    [{ type: "map", values: "int" }, { a: 1 }, "0202610200"],
    [["null", "string"], null, "00"],
    [["null", "string"], "a", "020261"],
    [["string", "null"], null, "02"],
    [["int", "double"], 1, "0002"],
    [["int", "double"], 1.5, "02000000000000f83f"],
    [["long", "string"], "5", "020235"],
    [decimal, "0", "0200"],
    [decimal, "1.27", "027f"],
    [decimal, "1.28", "040080"],
    [decimal, "-1.28", "0280"],
    [decimal, "-1.29", "04ff7f"],
    [decimal, "-0.01", "02ff"],
    [{ type: "fixed", name: "F", size: 3, logicalType: "decimal", precision: 6 }, "-2", "fffffe"],
    [logical("int", "date"), "1970-01-02", "02"],
    [logical("int", "date"), "0000-01-01", "cfea57"],
    [logical("int", "time-millis"), "00:00:01.5", "b817"],
    [logical("long", "timestamp-millis"), "1970-01-01T01:00:00.001+01:00", "02"],
    [logical("long", "timestamp-millis"), "1970-01-01T00:00:00.0010000Z", "02"],
    [logical("long", "timestamp-micros"), "1969-12-31T23:59:59.999999Z", "01"],
    [logical("long", "timestamp-nanos"), "1970-01-01T00:00:00.000000001Z", "02"],
    [logical("long", "local-timestamp-millis"), "1970-01-01T00:00:00.1", "c801"],
    [
      logical("string", "uuid"),
      "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
      `48${Buffer.from("6ba7b810-9dad-11d1-80b4-00c04fd430c8").toString("hex")}`,
    ],
    [
      { type: "fixed", name: "F", size: 16, logicalType: "uuid" },
      "6BA7b810-9dad-11d1-80b4-00c04fd430c8",
      "6ba7b8109dad11d180b400c04fd430c8",
    ],
    [
      { type: "fixed", name: "F", size: 12, logicalType: "duration" },
      "P1Y1M1W1DT1H1M1.001S",
      "0d00000008000000c9dc3700",
    ],
  ])("encodes %j %j", (type, value, hex) => {
    expect(encoded(type, value)).toBe(hex);
  });

  it.each<[type: JsonValue, value: unknown, hex: string]>([
    [["bytes", "string"], { string: "aGk=" }, "020861476b3d"],
    [["bytes", "string"], { bytes: "aGk=" }, "00046869"],
    [["null", "float", "double"], null, "00"],
    [["null", "float", "double"], { double: 1.5 }, "04000000000000f83f"],
    [["null", "long", { type: "int", logicalType: "date" }], { int: "1970-01-02" }, "0402"],
    [["null", "long", { type: "int", logicalType: "date" }], { long: "5" }, "020a"],
    [[{ type: "array", items: "int" }, "null"], { array: [1] }, "00020200"],
  ])("encodes the branch that a union's value names: %j %j", (type, value, hex) => {
    const encoder = avro(recordOf({ name: "value", type }), ["/fields/0/type"]);
    expect(Buffer.from(encoder.encode({ value })).toString("hex")).toBe(hex);
  });

  it("encodes the record that the value names, in its field and in references to its type", () => {
    const record = (name: string): JsonValue => ({
      type: "record",
      name,
      fields: [
        { name: "id", type: "int" },
        { name: "next", type: ["null", "A", ...(name === "B" ? ["B"] : [])], default: null },
      ],
    });
    const schema = recordOf(
      { name: "value", type: ["null", record("A"), record("B")] },
      { name: "other", type: ["null", "B"] },
    );
    const encoder = avro(schema, ["/fields/0/type", "/fields/0/type/2/fields/1/type"]);
    const next = { "acme.A": { id: 3 } };
    const message = { value: { "acme.B": { id: 1, next } }, other: { id: 2, next } };
    expect(Buffer.from(encoder.encode(message)).toString("hex")).toBe("04020206000204020600");
  });

  it("encodes defaults, also for names that every object inherits", () => {
    const schema = recordOf(
      { name: "toString", type: "string", default: "x" },
      { name: "constructor", type: ["null", "int"], default: null },
    );
    expect(Buffer.from(avro(schema).encode({})).toString("hex")).toBe("027800");
    expect(Buffer.from(avro(schema).encode({ toString: undefined })).toString("hex")).toBe(
      "027800",
    );
  });

  it("keeps `__proto__` as a key of a map", () => {
    const map = JSON.parse('{"__proto__": 1}') as JsonValue;
    expect(encoded({ type: "map", values: "int" }, map)).toBe("02125f5f70726f746f5f5f0200");
  });

  it("encodes messages longer than the library's buffer", () => {
    const schema = recordOf({ name: "value", type: { type: "array", items: "long" } });
    const value = Array.from({ length: 5000 }, (_, index) => `${2n ** 62n + BigInt(index)}`);
    const bytes = Buffer.from(avro(schema).encode({ value }));
    const decoded = typeOfSchema(schema).fromBuffer(bytes) as { readonly value: readonly bigint[] };
    expect(decoded.value.map(String)).toEqual(value);
  });

  it("encodes the record whose fields the value has", () => {
    const record = (name: string, field: string): JsonValue => ({
      type: "record",
      name,
      fields: [
        { name: field, type: ["null", "Created", ...(name === "Created" ? [] : ["Deleted"])] },
      ],
    });
    const union = ["null", record("Created", "created"), record("Deleted", "deleted")];
    expect(encoded(union, { created: null })).toBe("0200");
    expect(encoded(union, { deleted: { created: null } })).toBe("040200");
  });

  it("provides its schema for a registry, and its content type", () => {
    const schema = recordOf({ name: "value", type: "int" });
    const encoder = avro(schema);
    expect(encoder.contentType).toBe("avro/binary");
    expect(encoder.schema).toEqual({ type: "AVRO", text: JSON.stringify(schema) });
  });
});

describe("value that can't be encoded", () => {
  const nested = recordOf({
    name: "lines",
    type: {
      type: "array",
      items: {
        type: "map",
        values: { type: "record", name: "Line", fields: [{ name: "no", type: "int" }] },
      },
    },
  });
  const text = recordOf({ name: "value", type: "string" });

  it.each<[schema: JsonValue, message: unknown, line: string]>([
    [
      nested,
      { lines: [{}, { "a/b": { no: 1.5 } }] },
      "/lines/1/a~1b/no type: must be a whole number from -2147483648 to 2147483647",
    ],
    [nested, { lines: [{ a: {} }] }, "/lines/0/a required: must have required property 'no'"],
    [nested, {}, " required: must have required property 'lines'"],
    [nested, [], " type: must be object"],
    [text, { value: "\ud800" }, "/value text: must be text of well-formed Unicode"],
    [
      recordOf({ name: "value", type: { type: "map", values: "int" } }),
      { value: { "\ud800": 1 } },
      "/value text: must have keys of well-formed Unicode",
    ],
    [
      recordOf({ name: "value", type: ["null", "int"] }),
      { value: "1" },
      "/value type: must be null or number",
    ],
    [
      recordOf({ name: "value", type: { type: "enum", name: "E", symbols: ["A"] } }),
      { value: "toString" },
      "/value format: must be a symbol of the enum",
    ],
  ])("rejects a value of %j: %j", (schema, message, line) => {
    expect(refusal(schema, message)).toBe(line);
  });

  it.each<[value: unknown, line: string]>([
    ["x", "/value type: must be an object that names one of bytes, string"],
    [{ bytes: "", string: "" }, "/value anyOf: must be an object that names one of bytes, string"],
    [{ long: 1 }, "/value anyOf: must be an object that names one of bytes, string"],
    [{ string: 1 }, "/value/string text: must be text of well-formed Unicode"],
    [null, "/value type: must be an object that names one of bytes, string"],
  ])("rejects a value that names no branch: %j", (value, line) => {
    const schema = recordOf({ name: "value", type: ["bytes", "string"] });
    expect(refusal(schema, { value }, ["/fields/0/type"])).toBe(line);
  });

  it("rejects a value that nests endlessly", () => {
    const schema = recordOf({ name: "next", type: ["null", "acme.Order"] });
    let message: JsonValue = { next: null };
    for (let depth = 0; depth < 100_000; depth += 1) message = { next: message };
    expect(refusal(schema, message)).toBe(" depth: must not nest deeper than 1000 levels");
  });

  it("rejects nested branches in a linear number of steps", () => {
    const type = (name: string): JsonValue => ({
      type: "record",
      name,
      fields: [
        { name: "next", type: name === "A" ? ["null", "A"] : ["null", "A", "B"] },
        { name: "kind", type: { type: "enum", name: `Kind${name}`, symbols: [name] } },
      ],
    });
    const schema = recordOf({ name: "value", type: ["null", type("A"), type("B")] });
    const encoder = avro(schema);
    const readsAt = (most: number) => {
      let value: JsonValue = null;
      for (let depth = 0; depth < most; depth += 1)
        value = { next: value, kind: depth === 0 ? "A" : "B" };
      const { data, reads } = countReads({ value });
      expect(encoder.encode(data).length).toBe(2 * most + 1);
      return reads();
    };
    expect(readsAt(40)).toBeLessThan(2.2 * readsAt(20));
    expect(readsAt(500)).toBeLessThan(27 * readsAt(20));
  });
});
