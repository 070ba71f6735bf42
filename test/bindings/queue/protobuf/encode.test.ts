import protobuf from "protobufjs";
import { describe, expect, it, test } from "vitest";
import type { JsonValue } from "../../../../src/core/json.js";
import { protobuf as encoderOf } from "../../../../src/bindings/queue/send/protobuf/protobuf.js";
import { RefusedValue } from "../../../../src/runtime/call/refused-value.js";
import { validatorOf } from "../avro/support.js";
import { encodeOf, order, read, reflected, schemaOf } from "./support.js";

/** Encodes the message, and decodes the bytes with the library. */
function decoded(text: string, message: JsonValue): unknown {
  const schema = schemaOf(read(text));
  expect(validatorOf(schema)(message)).toBe(true);
  const type = reflected(text);
  const bytes = encodeOf(schema)(message);
  return type.toObject(type.decode(bytes), { longs: String, bytes: String, enums: String });
}

function hex(text: string, message: unknown): string {
  return Buffer.from(encodeOf(schemaOf(read(text)))(message)).toString("hex");
}

describe("encoded value", () => {
  it.each<[type: string, value: JsonValue, hex: string]>([
    ["int32", 150, "089601"],
    ["int32", -1, "08ffffffffffffffffff01"],
    ["int32", 0, ""],
    ["optional int32", 0, "0800"],
    ["sint32", -2147483648, "08ffffffff0f"],
    ["uint32", 4294967295, "08ffffffff0f"],
    ["fixed32", 4294967295, "0dffffffff"],
    ["sfixed32", -1, "0dffffffff"],
    ["int64", "9223372036854775807", "08ffffffffffffffff7f"],
    ["int64", "-9223372036854775808", "0880808080808080808001"],
    ["int64", "0", ""],
    ["int64", -9007199254740991, "0881808080808080f0ff01"],
    ["sint64", "-9223372036854775808", "08ffffffffffffffffff01"],
    ["uint64", "18446744073709551615", "08ffffffffffffffffff01"],
    ["fixed64", "18446744073709551615", "09ffffffffffffffff"],
    ["sfixed64", "-1", "09ffffffffffffffff"],
    ["bool", true, "0801"],
    ["float", 1.5, "0d0000c03f"],
    ["double", -0, "090000000000000080"],
    ["string", "größe", "0a076772c3b6c39f65"],
    ["bytes", "aGk=", "0a026869"],
    ["bytes", "", ""],
    ["repeated int32", [3, 270, 86942], "0a06038e029ea705"],
    ["repeated string", ["a", ""], "0a01610a00"],
    ["repeated uint64", ["18446744073709551615", 1], "0a0bffffffffffffffffff0101"],
    ["map<string, int32>", { a: 1 }, "0a050a01611001"],
    ["map<bool, bool>", { true: false }, "0a0408011000"],
    ["map<sint64, string>", { "-1": "a" }, "0a05080112 0161".replace(" ", "")],
    ["google.protobuf.Timestamp", "1970-01-01T00:00:01.5Z", "0a0808011080cab5ee01"],
    ["google.protobuf.Timestamp", "1970-01-01T00:00:01.50000000000Z", "0a0808011080cab5ee01"],
    ["google.protobuf.Timestamp", "1969-12-31T23:59:59Z", "0a0b08ffffffffffffffffff01"],
    ["google.protobuf.Timestamp", "1970-01-01T00:00:00Z", "0a00"],
    ["google.protobuf.Duration", "1.000000001s", "0a0408011001"],
    ["google.protobuf.Duration", "-0s", "0a00"],
    ["google.protobuf.Int64Value", "7", "0a020807"],
    ["google.protobuf.Int64Value", 0, "0a00"],
    ["google.protobuf.StringValue", "", "0a00"],
    ["google.protobuf.BytesValue", "aGk=", "0a040a026869"],
    ["google.protobuf.FieldMask", "a,b.cD", "0a0a0a01610a05622e635f64"],
    ["google.protobuf.Empty", {}, "0a00"],
    ["google.protobuf.Value", null, "0a020800"],
    ["google.protobuf.Value", [true, "x"], "0a0b32090a0220010a031a0178"],
    ["google.protobuf.Struct", { a: 1 }, "0a100a0e0a0161120911000000000000f03f"],
    ["google.protobuf.NullValue", null, ""],
  ])("encodes %s %j", (type, value, bytes) => {
    const text = order(`  ${type} value = 1;`);
    expect(validatorOf(schemaOf(read(text)))({ value })).toBe(true);
    expect(hex(text, { value })).toBe(bytes);
  });

  it("keeps `__proto__` as a key of a map and of a struct", () => {
    const message = JSON.parse('{"m":{"__proto__":1},"s":{"__proto__":null}}') as JsonValue;
    const text = order("map<string, int64> m = 1;", "google.protobuf.Struct s = 2;");
    expect(hex(text, message)).toBe(
      "0a0d0a095f5f70726f746f5f5f1001121130".slice(0, 30) +
        "12110a0f0a095f5f70726f746f5f5f12020800",
    );
  });

  it("reads fields by their own names, also names that every object inherits", () => {
    const text = order("string toString = 1;", "string constructor = 2;", "int32 class = 3;");
    expect(hex(text, {})).toBe("");
    expect(
      decoded(text, { toString: "a", constructor: "b", class: 3 } as unknown as JsonValue),
    ).toEqual({
      toString: "a",
      constructor: "b",
      class: 3,
    });
  });

  it("skips fields that the schema does not know, and undefined values", () => {
    const text = order(
      "string a = 1;",
      "repeated string b = 2;",
      "map<string, int32> c = 3;",
      "Order d = 4;",
    );
    const message = {
      $unknowns: [new Uint8Array([8, 1])],
      x: 1,
      a: undefined,
      b: undefined,
      c: { k: undefined },
      d: undefined,
    };
    expect(hex(text, message)).toBe("1a00".slice(4));
  });

  it("encodes a recursive message, enums and maps of messages", () => {
    const text = order(
      "enum Status { UNKNOWN = 0; OPEN = 1; }",
      "Status status = 1;",
      "repeated Status all = 2;",
      "map<int32, Status> by = 3;",
      "map<string, Order> parts = 4;",
      "Order next = 5;",
      "oneof pay { string card = 6; Status how = 7; }",
    );
    const message = {
      status: "OPEN",
      all: ["OPEN", "UNKNOWN"],
      by: { "-7": "OPEN" },
      parts: { a: { how: "UNKNOWN" } },
      next: { next: { status: "OPEN", card: "" } },
    };
    expect(decoded(text, message)).toEqual(message);
  });
});

describe("value that only the encoder can reject", () => {
  function refusal(text: string, message: unknown): string {
    const encoder = encoderOf("acme.Order", encodeOf(schemaOf(read(text))));
    try {
      encoder.encode(message);
    } catch (error) {
      if (error instanceof RefusedValue)
        return `${error.pointer} ${error.keyword}: ${error.message}`;
      throw error;
    }
    return "encoded";
  }
  const half = "\ud800";

  it.each<[line: string, value: unknown, refusal: string]>([
    ["string value = 1;", half, "text"],
    ["repeated string value = 1;", ["a", half], "text"],
    ["map<string, int32> value = 1;", { [half]: 1 }, "text"],
    ["google.protobuf.StringValue value = 1;", half, "text"],
    ["google.protobuf.Value value = 1;", { a: [half] }, "text"],
    ["google.protobuf.Struct value = 1;", { [half]: 1 }, "text"],
    ["google.protobuf.Value value = 1;", Number.NaN, "json"],
    ["google.protobuf.Value value = 1;", [undefined], "json"],
    ["google.protobuf.Value value = 1;", 1n, "json"],
    ["google.protobuf.Value value = 1;", () => 1, "json"],
  ])("rejects, for %s, the value %o", (line, value, keyword) => {
    expect(refusal(order(line), { value })).toMatch(new RegExp(` ${keyword}: `));
  });

  it("names the place of text that is not valid Unicode", () => {
    const text = order("repeated Order next = 1;", "map<string, string> names = 2;");
    expect(refusal(text, { next: [{}, { names: { "a/b": half } }] })).toBe(
      "/next/1/names/a~1b text: must be text of well-formed Unicode",
    );
  });

  it.each([100, 10_000, 100_000])("rejects %i nested messages", (levels) => {
    const text = order("Order next = 1;");
    let message = {};
    for (let level = 0; level < levels; level += 1) message = { next: message };
    const expected =
      levels === 100
        ? "encoded"
        : " depth: must not nest deeper than 100 levels of messages in acme.Order";
    expect(refusal(text, message)).toBe(expected);
  });

  it("rejects a value that nests too deep", () => {
    let value: unknown = 1;
    for (let level = 0; level < 60; level += 1) value = [value];
    expect(refusal(order("google.protobuf.Value value = 1;"), { value })).toMatch(/ depth: /);
  });
});

test("the library decodes a hundred encoded levels", () => {
  const text = order("Order next = 1;");
  let message = {};
  for (let level = 0; level < 100; level += 1) message = { next: message };
  const type = reflected(text);
  expect(() => type.decode(encodeOf(schemaOf(read(text)))(message))).not.toThrow();
});

test("an encoder gives its content type and its bytes", () => {
  const encoder = encoderOf<{ readonly id: string }>(
    "acme.Order",
    encodeOf(schemaOf(read(order("string id = 1;")))),
  );
  expect(encoder.contentType).toBe("application/x-protobuf");
  expect(encoder.schema).toBeUndefined();
  expect(encoder.encode({ id: "a" })).toBeInstanceOf(Uint8Array);
  expect(protobuf.build).toBe("full");
});
