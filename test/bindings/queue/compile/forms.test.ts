/** Diagnostics of parameters for fields that have no JSON type of their own. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textForm } from "../../../../src/bindings/queue/avro/text-form.js";
import { keywordsAsWritten } from "../../../../src/bindings/queue/check/report-mismatches.js";
import {
  keyForm,
  scalarForm,
  wellKnownForm,
} from "../../../../src/bindings/queue/protobuf/json-schema.js";
import type { JsonValue } from "../../../../src/core/json.js";
import { formWords } from "../../../../src/schema/form-words.js";
import { field, ofAvro, withSchema } from "./support.js";

const millis = { type: "long", logicalType: "timestamp-millis" };
const decimal = { type: "bytes", logicalType: "decimal", precision: 10, scale: 2 };
const five = { type: "fixed", name: "Five", size: 5 };

const toAvro = (schema: string, type: JsonValue) =>
  ofAvro(
    { parameters: `{ p: ${schema} }`, required: "p", message: '{ v: "{p}" }' },
    field("v", type),
  );

function toProtobuf(schema: string, type: string): readonly string[] {
  const imports = ["duration", "timestamp", "field_mask"].map(
    (name) => `import "google/protobuf/${name}.proto";`,
  );
  const proto = `syntax = "proto3"; ${imports.join(" ")} message Order { ${type} v = 1; }`;
  const parts = { parameters: `{ p: ${schema} }`, required: "p", message: '{ v: "{p}" }' };
  return withSchema("protobuf", proto, parts).lines.map((line) =>
    line.replace(/^\d+:\d+ queue\//, ""),
  );
}

describe("parameter of a type that its field does not take", () => {
  it.each<[schema: string, type: JsonValue, end: string]>([
    [
      "{ type: integer }",
      millis,
      "`p` may be an integer, but the field `v` (`timestamp-millis`) takes a date-time with its offset and at most 3 digits of fraction, such as `2026-01-02T03:04:05Z` (write `type: string, format: date-time`)",
    ],
    [
      "{ type: integer }",
      ["null", millis],
      "`p` may be an integer, but the field `v` (`null or timestamp-millis`) takes null or a date-time with its offset and at most 3 digits of fraction, such as `2026-01-02T03:04:05Z` (write `type: string, format: date-time`)",
    ],
    [
      "{ type: number }",
      decimal,
      "`p` may be a number, but the field `v` (`decimal(10, 2)`) takes a decimal as text, with at most 8 digits before the point and 2 behind it (write `type: string, pattern: '^-?(0|[1-9]\\d{0,7})(\\.\\d{1,2})?$'`)",
    ],
    [
      "{ type: integer }",
      five,
      "`p` may be an integer, but the field `v` (`Five`) takes 5 bytes in base64, which are 8 characters (write `type: string, contentEncoding: base64, minLength: 8, maxLength: 8`)",
    ],
    [
      "{ type: integer }",
      { type: "enum", name: "E", symbols: ["A", "no"] },
      "`p` may be an integer, but the field `v` (`E`) takes a string (write `enum: [A, 'no']`)",
    ],
    [
      "{ type: integer }",
      "boolean",
      "`p` may be an integer, but the field `v` (`boolean`) takes a boolean",
    ],
  ])("suggests a type to declare instead of %s for %j", (schema, type, words) => {
    expect(toAvro(schema, type)).toEqual([`field-type [{p}] ${words}`]);
  });

  it("suggests a type, also if some of its values fit", () => {
    expect(toAvro("{ type: number }", "long")).toEqual([
      "field-may-not-fit [{p}] `p` may be a number, but the field `v` (`long`) takes an integer of 64 bits, or its digits (write `type: integer`)",
    ]);
  });

  it("writes the suggestion in the format of the file that declares the parameter", () => {
    const keywords = { type: "string", pattern: "^\\d$" };
    expect(keywordsAsWritten(keywords, "shop/SKILL.md")).toBe("`type: string, pattern: ^\\d$`");
    expect(keywordsAsWritten(keywords, "shop/metadata.json")).toBe(
      '`"type": "string", "pattern": "^\\\\d$"`',
    );
  });
});

describe("text parameter", () => {
  it.each<[schema: string, type: string, words: string]>([
    [
      "{ type: string }",
      "google.protobuf.Duration",
      "field-may-not-fit [{p}] `p` may be any text, but the field `v` (`google.protobuf.Duration`) takes a number of seconds, such as `3.5s` (write `pattern: '^(0|[1-9][0-9]{0,10})(\\.[0-9]{1,9})?s$'`)",
    ],
    [
      "{ type: string, format: duration }",
      "google.protobuf.Duration",
      "field-type [{p}] `p` has the format `duration`, but the field `v` (`google.protobuf.Duration`) takes a number of seconds, such as `3.5s` (write `pattern: '^(0|[1-9][0-9]{0,10})(\\.[0-9]{1,9})?s$'`)",
    ],
    [
      "{ type: integer }",
      "google.protobuf.Duration",
      "field-type [{p}] `p` may be an integer, but the field `v` (`google.protobuf.Duration`) takes a number of seconds, such as `3.5s` (write `type: string, pattern: '^(0|[1-9][0-9]{0,10})(\\.[0-9]{1,9})?s$'`)",
    ],
    [
      "{ type: integer }",
      "google.protobuf.Timestamp",
      "field-type [{p}] `p` may be an integer, but the field `v` (`google.protobuf.Timestamp`) takes a date-time with its offset and at most 9 digits of fraction, such as `2026-01-02T03:04:05Z` (write `type: string, format: date-time`)",
    ],
    [
      "{ type: object, additionalProperties: { type: string } }",
      "map<int32, string>",
      "field-may-not-fit [{p}] `p` may have properties with other names, but the field `v` (`map<int32, string>`) allows only certain names (write `propertyNames: {pattern: '^(0|-?[1-9][0-9]{0,8})$'}`)",
    ],
  ])("suggests the form of %s as Protobuf's %s", (schema, type, words) => {
    expect(toProtobuf(schema, type)).toEqual([words]);
  });

  it("suggests everything that a fixed size demands at once", () => {
    const takes = "takes 5 bytes in base64, which are 8 characters";
    expect(toAvro("{ type: string }", five)).toEqual([
      `field-may-not-fit [{p}] \`p\` may be any text, but the field \`v\` (\`Five\`) ${takes} (write \`contentEncoding: base64, minLength: 8, maxLength: 8\`)`,
    ]);
    expect(toAvro("{ type: string, contentEncoding: base64 }", five)).toEqual([
      `field-may-not-fit [{p}] \`p\` may be longer or shorter, but the field \`v\` (\`Five\`) ${takes} (write \`maxLength: 8, minLength: 8\`)`,
    ]);
    expect(toAvro("{ type: string, contentEncoding: base64, maxLength: 9 }", five)).toEqual([
      `field-may-not-fit [{p}] \`p\` may have 9 characters, but the field \`v\` (\`Five\`) ${takes} (write \`maxLength: 8, minLength: 8\`)`,
    ]);
    expect(toAvro("{ type: string, contentEncoding: base64, minLength: 9 }", five)).toEqual([
      `field-type [{p}] \`p\` has at least 9 characters, but the field \`v\` (\`Five\`) ${takes} (write \`maxLength: 8\`)`,
    ]);
    const whole = "{ type: string, contentEncoding: base64, minLength: 8, maxLength: 8 }";
    expect(toAvro(whole, five)).toEqual([]);
  });
});

describe("parameter declared as suggested", () => {
  it.each<[schema: string, type: JsonValue]>([
    ["{ type: string, format: date-time }", millis],
    ["{ type: string, pattern: '^-?(0|[1-9]\\d{0,7})(\\.\\d{1,2})?$' }", decimal],
    [
      "{ type: string, format: duration }",
      { type: "fixed", name: "D", size: 12, logicalType: "duration" },
    ],
  ])("accepts %s as %j", (schema, type) => {
    expect(toAvro(schema, type)).toEqual([]);
  });

  it.each([
    [
      "{ type: string, pattern: '^(0|[1-9][0-9]{0,10})(\\.[0-9]{1,9})?s$' }",
      "google.protobuf.Duration",
    ],
    ["{ type: string, format: date-time }", "google.protobuf.Timestamp"],
    [
      "{ type: object, additionalProperties: { type: string }, propertyNames: { pattern: '^(0|-?[1-9][0-9]{0,8})$' } }",
      "map<int32, string>",
    ],
  ])("accepts %s as Protobuf's %s", (schema, type) => {
    expect(toProtobuf(schema, type)).toEqual([]);
  });
});

/** Authors copy the suggested pattern, so it must be as exact as the form. */
describe("suggested pattern", () => {
  const forms = [
    ...[1, 5, 38].flatMap((precision) =>
      [0, 1, precision].map((scale) =>
        textForm({ kind: "plain", name: "bytes", logical: { kind: "decimal", precision, scale } }),
      ),
    ),
    textForm({ kind: "plain", name: "int", logical: { kind: "time", unit: "millis" } }),
    wellKnownForm("Duration"),
    wellKnownForm("FieldMask"),
    ...(["int64", "uint64"] as const).map(scalarForm),
    ...(["int32", "uint32", "fixed32", "sfixed64", "uint64"] as const).map(keyForm),
  ];

  it.each(forms.map((form) => [String(form?.["pattern"]).slice(0, 80), form] as const))(
    "matches no text that its field rejects: %s",
    (_, form = {}) => {
      const { pattern = "" } = formWords(form) ?? {};
      const exact = new RegExp(String(form["pattern"]), "u");
      fc.assert(
        fc.property(fc.stringMatching(new RegExp(pattern)), (text) => {
          expect(text).toMatch(exact);
        }),
      );
    },
  );
});
