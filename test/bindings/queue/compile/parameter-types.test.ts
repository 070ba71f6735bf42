/** Whole parameters as fields: if the schemas fit, `tsc` accepts the generated module. */
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../../src/core/json.js";
import { exampleProject } from "../../../../src/bindings/queue/diagnostics/example.js";
import { compileFiles, linesOf, typeCheck } from "../../../support/compile.js";
import { field, record } from "./support.js";

const proto = `syntax = "proto3";
import "google/protobuf/struct.proto";
message Order {
  map<string, string> texts = 1;
  google.protobuf.Struct any = 2;
  repeated int32 numbers = 3;
}
`;

const avro = JSON.stringify(
  record(
    "Order",
    field("texts", { type: "map", values: "string" }, {}),
    field("numbers", { type: "array", items: "int" }, []),
  ),
);

const noUnused = {
  ...typeCheck,
  compilerOptions: { ...typeCheck.compilerOptions, noUnusedParameters: true },
};

/**
 * What becomes of a project with one tool whose parameters are given as YAML: its errors, and the
 * generated module.
 */
async function compiled(
  format: readonly string[],
  parameters: string,
  message?: string,
  tool: readonly string[] = [],
): Promise<{ readonly errors: readonly string[]; readonly module: string }> {
  const files = exampleProject({
    parameters: [`parameters: ${parameters}`],
    tool,
    binding: [
      "topic: orders",
      ...format,
      ...(message === undefined ? [] : [`message: ${message}`]),
    ],
    files: { "order.proto": proto, "order.avsc": avro },
  });
  const compilation = await compileFiles(files, { typeCheck: noUnused });
  const errors = linesOf(compilation, files).filter((line) => line.includes(" error "));
  const module = compilation.files.find(({ path }) => path.endsWith("/announce-order.ts"));
  return { errors, module: module?.text ?? "" };
}

async function errorsOf(...project: Parameters<typeof compiled>): Promise<readonly string[]> {
  return (await compiled(...project)).errors;
}

const protobufOrder = ["format: protobuf", "schema: ./order.proto#Order"];
const avroOrder = ["format: avro", "schema: ./order.avsc"];

const of = (schema: string, defs?: JsonValue) =>
  `{ type: object, additionalProperties: false, required: [v], properties: { v: ${schema} }${defs === undefined ? "" : `, $defs: ${JSON.stringify(defs)}`} }`;

const object = (properties: JsonValue, more: JsonValue = {}): JsonValue => ({
  type: "object",
  additionalProperties: false,
  properties,
  ...(more as object),
});

const o = { o: object({ a: { type: "string" }, b: { type: "string" } }, { required: ["a"] }) };
const tree = {
  o: object({
    a: { type: "string" },
    next: { $ref: "#/$defs/o" },
    all: { type: "array", items: { $ref: "#/$defs/o" } },
  }),
};
const openText =
  "{ type: object, required: [a], properties: { a: { type: string } }, additionalProperties: { type: string } }";
const short =
  "{ type: array, prefixItems: [{ type: integer, minimum: 0, maximum: 9 }], items: false }";

describe("parameter of a declared type", () => {
  it.each([
    ["an object as a map", protobufOrder, of('{ $ref: "#/$defs/o" }', o), "texts"],
    ["an object as an Avro map", avroOrder, of('{ $ref: "#/$defs/o" }', o), "texts"],
    ["an object as a Struct", protobufOrder, of('{ $ref: "#/$defs/o" }', o), "any"],
    ["a recursive object as a Struct", protobufOrder, of('{ $ref: "#/$defs/o" }', tree), "any"],
    ["an open object as a map", protobufOrder, of(openText), "texts"],
    ["an open object as an Avro map", avroOrder, of(openText), "texts"],
    ["a tuple that may be shorter as a list", protobufOrder, of(short), "numbers"],
    ["a tuple that may be shorter as an Avro array", avroOrder, of(short), "numbers"],
    [
      "an object that anything may name as a map",
      avroOrder,
      of(
        "{ type: object, additionalProperties: false, properties: { constructor: { type: string } } }",
      ),
      "texts",
    ],
  ])("type-checks as its field: %s", async (_, format, parameters, name) => {
    expect(await errorsOf(format, parameters, `{ ${name}: "{v}" }`)).toEqual([]);
  });

  it("type-checks under a name that every object inherits", async () => {
    const parameters =
      "{ type: object, additionalProperties: false, properties: { constructor: { type: object, additionalProperties: false, properties: { a: { type: string } } } } }";
    expect(await errorsOf(avroOrder, parameters, '{ texts: "{constructor}" }')).toEqual([]);
  });

  it("keeps its exact type if TypeScript can see that it fits", async () => {
    const closed = await compiled(avroOrder, of('{ $ref: "#/$defs/o" }', o), '{ texts: "{v}" }');
    expect(closed.module).toContain("texts: p.v ");
    const open = await compiled(avroOrder, of(openText), '{ texts: "{v}" }');
    expect(open.module).toContain("texts: fitted(p.v) ");
  });

  it("type-checks if the message reads fields of a parameter with several forms", async () => {
    const forms = ["b", "c"].map((name) =>
      object({ a: { type: "string" }, [name]: { type: "string" } }, { required: ["a"] }),
    );
    const parameters = of(JSON.stringify({ anyOf: forms }));
    const message = '{ texts: { a: "{v.a}", b: "{v.b}" } }';
    const { errors, module } = await compiled(avroOrder, parameters, message);
    expect(errors).toEqual([]);
    expect(module).toContain('pick(p, "v", "b")');
  });

  it("type-checks as the whole message", async () => {
    const message = object({ texts: { $ref: "#/$defs/o" } });
    const parameters = of('{ $ref: "#/$defs/m" }', { ...o, m: message });
    expect(await errorsOf(avroOrder, parameters, '"{v}"')).toEqual([]);
  });
});

describe("message without parameters", () => {
  it.each([
    ["none are declared", "{ type: object, additionalProperties: false, properties: {} }", []],
    [
      "all are unused",
      "{ type: object, additionalProperties: false, properties: { v: { type: string } } }",
      ["unused: [v]"],
    ],
  ])("its function takes no parameters if %s", async (_, parameters, tool) => {
    expect(await errorsOf([], parameters, undefined, tool)).toEqual([]);
  });
});
