/** Text around parameters, in fields that accept only some texts. */
import { describe, expect, it } from "vitest";
import { exampleProject } from "../../../../src/bindings/queue/diagnostics/example.js";
import { compileFiles, linesOf, typeCheck } from "../../../support/compile.js";
import { field, ofAvro, ofJson, record } from "./support.js";

const status = { type: "enum", name: "Status", symbols: ["S_OPEN", "S_PAID"] };

const avro = JSON.stringify(
  record(
    "Order",
    field("one", status, "S_OPEN"),
    field("maybe", ["null", "Status"], null),
    field("other", ["int", "Status"], 0),
    field("all", { type: "array", items: "Status" }, []),
    field("named", { type: "map", values: "Status" }, {}),
    field("text", "string", ""),
  ),
);

const proto = `syntax = "proto3";
enum Status { S_OPEN = 0; S_PAID = 1; }
message Order { Status one = 1; repeated Status all = 2; map<string, Status> named = 3; }
`;

const json = JSON.stringify({
  type: "object",
  additionalProperties: false,
  properties: { one: { enum: ["S_OPEN", "S_PAID"] }, only: { const: "S_PAID" } },
});

/** Errors of a whole project, type errors of the generated module included. */
async function errorsOf(format: readonly string[], parameter: string, message: string) {
  const files = exampleProject({
    parameters: [`p: ${parameter}`],
    binding: ["topic: orders", ...format, `message: ${message}`],
    files: { "order.avsc": avro, "order.proto": proto, "order.json": json },
  });
  const compilation = await compileFiles(files, { typeCheck });
  const lines = linesOf(compilation, files);
  const module = compilation.files.find(({ path }) => path.endsWith("/announce-order.ts"));
  return { errors: lines.filter((line) => line.includes(" error ")), module: module?.text ?? "" };
}

const avroOrder = ["format: avro", "schema: ./order.avsc"];
const protobufOrder = ["format: protobuf", "schema: ./order.proto#Order"];
const jsonOrder = ["schema: ./order.json"];

describe("text with a known part", () => {
  it.each([
    ["an Avro enum", avroOrder, '{ one: "S_{p}" }'],
    ["one that may be null", avroOrder, '{ maybe: "S_{p}" }'],
    ["one beside a number", avroOrder, '{ other: "S_{p}" }'],
    ["one in a list", avroOrder, '{ all: ["S_{p}", S_OPEN] }'],
    ["one in a map", avroOrder, '{ named: { a: "S_{p}" } }'],
    ["a Protobuf enum", protobufOrder, '{ one: "S_{p}" }'],
    ["repeated", protobufOrder, '{ all: ["S_{p}"] }'],
    ["in a map", protobufOrder, '{ named: { a: "S_{p}" } }'],
    ["a JSON enum", jsonOrder, '{ one: "S_{p}" }'],
    ["a constant", jsonOrder, '{ only: "S_{p}" }'],
  ])("compiles as %s", async (_, format, message) => {
    const { errors, module } = await errorsOf(format, "string", message);
    expect(errors).toEqual([]);
    expect(module).toContain('fitted(text("S_", p.p))');
  });

  it("compiles without `fitted` if the field is text", async () => {
    const { errors, module } = await errorsOf(avroOrder, "string", '{ text: "S_{p}" }');
    expect([errors, module]).toEqual([[], expect.not.stringContaining("fitted")]);
  });

  it("compiles to the whole text if its parameter lists values", async () => {
    const listed = "{ type: string, enum: [OPEN, PAID] }";
    const { errors, module } = await errorsOf(avroOrder, listed, '{ one: "S_{p}" }');
    expect([errors, module]).toEqual([[], expect.stringContaining('fitted(text("S_", p.p))')]);
  });
});

describe("text of parameters that list their values", () => {
  const of = (p: string, text: string, q = "{ enum: [a] }") =>
    ofJson(
      {
        message: `{ v: "${text}", q: "{q}" }`,
        parameters: `{ p: ${p}, q: ${q} }`,
        required: "p, q",
      },
      { type: "object", properties: { v: { enum: ["A_x", "A_1", "x-x", "y-y", "ax"] } } },
    );

  it.each([
    ["{ enum: [x, 1] }", "A_{p}"],
    ["{ const: x }", "A_{p}"],
    ["{ enum: [x, y] }", "{p}-{p}"],
    ["{ enum: [x] }", "{q}{p}"],
  ])("accepts %s in %s", (p, text) => {
    expect(of(p, text)).toEqual([]);
  });

  it.each([
    ["{ enum: [x, q] }", "A_{p}", "field-may-not-fit", "this value may be `A_q`"],
    ["{ enum: [r, q] }", "A_{p}", "field-type", "this value may be `A_r`"],
    ["{ const: q }", "A_{p}", "field-type", "this value is `A_q`"],
    ["{ enum: [y] }", "{q}{p}", "field-type", "this value is `ay`"],
  ])("reports %s in %s", (p, text, code, fact) => {
    expect(of(p, text)).toEqual([
      `${code} ["${text}"] ${fact}, but the field \`v\` takes \`A_x\`, \`A_1\`, \`x-x\`, \`y-y\`, \`ax\` (use one parameter for the whole value)`,
    ]);
  });

  it("checks patterns and lengths of every possible text", () => {
    const lines = (schema: object) =>
      ofJson(
        { message: '{ v: "A_{p}" }', parameters: "{ p: { enum: [x, yy] } }", required: "p" },
        { type: "object", properties: { v: { type: "string", ...schema } } },
      );
    expect(lines({ pattern: "^A_[xy]+$" })).toEqual([]);
    expect(lines({ pattern: "^A_x$" })).toEqual([
      'field-may-not-fit ["A_{p}"] this value may be `A_yy`, but the field `v` takes text that matches `^A_x$` (use one parameter for the whole value)',
    ]);
    expect(lines({ maxLength: 3 })[0]).toContain(
      "this value may be `A_yy`, but the field `v` holds 3",
    );
  });

  it("checks only a pattern if there are too many possible texts", () => {
    const names = Array.from({ length: 40 }, (_, index) => `v${index}`);
    for (const text of ["{p}-{q}", "A_{p}{q}"]) {
      const of40 = (...more: readonly string[]) => `{ enum: [${[...names, ...more].join(", ")}] }`;
      expect(of(of40(), text, of40())).toEqual([expect.stringMatching(/^field-type /)]);
      const others = of40("x", "''");
      expect(of(others, text, others)).toEqual([expect.stringMatching(/^field-may-not-fit /)]);
    }
  });
});

it("matching a text with listed values does not backtrack", () => {
  const parts = Array.from({ length: 12 }, () => "{p}").join("a");
  const lines = ofJson(
    { message: `{ v: "${parts}b" }`, parameters: "{ p: { type: string } }", required: "p" },
    { type: "object", properties: { v: { enum: ["a".repeat(200)] } } },
  );
  expect(lines[0]).toMatch(/^field-type /);
});

it.each([
  ["a{p}a", "a", false],
  ["a{p}a", "aa", true],
  ["{p}b{p}b{p}", "xbb", true],
  ["{p}b{p}b{p}", "xb", false],
  ["x{p}yz{p}z", "xyzz", true],
  ["x{p}yz{p}z", "xyz", false],
])("decides if %s may become %s: %s", (text, value, may) => {
  const lines = ofJson(
    { message: `{ v: "${text}" }`, parameters: "{ p: { type: string } }", required: "p" },
    { type: "object", properties: { v: { enum: [value] } } },
  );
  const fact = may
    ? "skillc knows only a part of this text"
    : "this text can't match, whatever its parameters are";
  expect(lines).toEqual([
    `field-${may ? "may-not-fit" : "type"} ["${text}"] ${fact}, but the field \`v\` takes \`${value}\` (use one parameter for the whole value)`,
  ]);
});

const number = "{ p: { type: integer } }";

it.each([
  ["{p} ct", "long", "{ p: { type: string } }", "field-type"],
  ["{p} ct", "int", "{ p: { type: string } }", "field-type"],
  ["{p}-", "long", "{ p: { type: string } }", "field-type"],
  ["{p}-{p}-{p}", "long", number, "field-type"],
  ["{p}0", "int", number, "field-type"],
  ["{p}0", "long", number, "field-may-not-fit"],
  ["{p}{p}", "long", "{ p: { type: boolean } }", "field-type"],
  ["on {p}", { type: "int", logicalType: "date" }, "{ p: { type: string } }", "field-type"],
  [
    "2026-{p}",
    { type: "int", logicalType: "date" },
    "{ p: { type: string } }",
    "field-may-not-fit",
  ],
])("reports %s as an Avro %j, of %s, as a %s", (text, type, parameters, code) => {
  const lines = ofAvro(
    { parameters, required: "p", message: `{ v: "${text}" }` },
    field("v", type),
  );
  expect(lines.map((line) => line.split(" ")[0])).toEqual([code]);
});

it.each([
  ["{p} ct", "queue/field-type"],
  ["{p}0", "queue/field-may-not-fit"],
])("reports %s as Protobuf's int64 as a %s", async (text, code) => {
  const files = exampleProject({
    parameters: ["p: string"],
    binding: [
      "topic: orders",
      "format: protobuf",
      "schema: ./sum.proto#Sum",
      `message: { v: "${text}" }`,
    ],
    files: { "sum.proto": 'syntax = "proto3";\nmessage Sum { int64 v = 1; }\n' },
  });
  const { diagnostics } = await compileFiles(files);
  expect(diagnostics.map((each) => each.code).filter((each) => each.startsWith("queue/"))).toEqual([
    code,
  ]);
});

it("text around a nullable parameter counts as absent", () => {
  const nullable = { parameters: "{ p: { type: [string, 'null'] } }", required: "p" };
  expect(ofAvro({ ...nullable, message: '{ v: "n{p}" }' }, field("v", "string"))).toEqual([
    "optional-field [{p}] `p` is nullable, and null in a text leaves out the field, but the field `v` (`string`) is required (remove null from its type, or make `v` optional in the schema)",
  ]);
  expect(ofJson({ ...nullable, message: '"n{p}"' }, { type: "string" })[0]).toBe(
    "optional-field [{p}] `p` is nullable, but the message needs it (remove null from its type)",
  );
});
