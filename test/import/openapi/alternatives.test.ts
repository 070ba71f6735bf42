/** The import of `oneOf`: overlapping alternatives, and discriminators that tell them apart. */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { compileFiles, linesOf } from "../../support/compile.js";
import { importText, openApi } from "./support.js";

interface Tool {
  readonly binding: { readonly response_schema?: object };
}

/** The schema that a tool returns, and the notes of the import. */
async function imported(schema: object, schemas: Readonly<Record<string, object>> = {}) {
  const responses = { 200: { description: "ok", content: { "application/json": { schema } } } };
  const document = openApi({ "/a": { get: { responses } } }, { components: { schemas } });
  const { files, told } = await importText(document);
  expect(linesOf(await compileFiles(files), files)).toEqual([]);
  const { tools_schema } = parse(files["skills/a/metadata.yaml"] ?? "");
  const [tool] = Object.values<Tool>(tools_schema);
  return {
    returns: tool?.binding.response_schema,
    told: told.map(({ message }) => message),
    files,
  };
}

const both = (one: string, other: string) =>
  `one value may fit both ${one} and ${other}, so the tool accepts a value that fits several alternatives of \`oneOf\``;
const object = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});
const only = (value: string) => ({ type: "string", enum: [value] });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe("alternatives of `oneOf` that one value may fit", () => {
  test.each([
    ["numbers", [{ type: "number" }, { type: "integer" }]],
    ["texts", [{ type: "string" }, { type: "string", format: "date-time" }]],
    ["objects", [object({ a: { type: "string" } }), object({ b: { type: "string" } })]],
    [
      "lists",
      [
        { type: "array", items: object({}) },
        { type: "array", items: only("a") },
      ],
    ],
  ])("become `anyOf`: %s", async (_, oneOf) => {
    const { returns, told } = await imported(object({ v: { oneOf } }));
    expect(returns).toMatchObject({ properties: { v: { anyOf: [{}, {}] } } });
    expect(JSON.stringify(returns)).not.toContain("oneOf");
    expect(told).toEqual([both("alternative 1", "alternative 2")]);
  });

  test("become `anyOf` in a component, also beside another `anyOf`", async () => {
    const schemas = {
      A: object({ a: { type: "string" } }),
      B: object({ next: ref("V") }),
      V: { oneOf: [ref("A"), ref("B")], anyOf: [ref("A"), ref("B")] },
    };
    const { files, told } = await imported(ref("V"), schemas);
    expect(JSON.parse(files["skills/schemas/shop/V.json"] ?? "null")).toEqual({
      anyOf: [{ $ref: "./A.json" }, { $ref: "./B.json" }],
      allOf: [{ anyOf: [{ $ref: "./A.json" }, { $ref: "./B.json" }] }],
    });
    expect(told).toEqual([both("`A`", "`B`")]);
  });

  test("cause one note if they are parameters, and in a component too", async () => {
    const schemas = { V: object({ v: { oneOf: [{ type: "number" }, { type: "integer" }] } }) };
    const content = { "application/json": { schema: ref("V") } };
    const requestBody = { required: true, content };
    const post = { requestBody, responses: { 200: { description: "ok", content } } };
    const document = openApi({ "/a": { post } }, { components: { schemas } });
    const { files, report, told } = await importText(document);
    const message = both("alternative 1", "alternative 2");
    expect(told.map((each) => each.message)).toEqual([message]);
    expect(report.operations[0]?.notes.map((each) => each.message)).toEqual([message]);
    expect(files["skills/a/metadata.yaml"]).toContain("anyOf");
  });

  test("stay `oneOf` data in an example", async () => {
    const example = { oneOf: [{ type: "number" }, { type: "integer" }] };
    const { returns, told } = await imported({ type: "object", example });
    expect([returns, told]).toEqual([{ type: "object", examples: [example] }, []]);
  });
});

describe("alternatives of `oneOf` that no value fits both", () => {
  test.each([
    ["types", [{ type: "string" }, { type: "integer" }, { type: "array", items: {} }]],
    ["listed values", [only("a"), only("b")]],
    ["a required property", [object({ t: only("a") }, ["t"]), object({ t: only("b") }, ["t"])]],
  ])("stay `oneOf`: %s", async (_, oneOf) => {
    const { returns, told } = await imported(object({ v: { oneOf } }));
    expect(returns).toMatchObject({ properties: { v: { oneOf: oneOf.map(() => ({})) } } });
    expect(told).toEqual([]);
  });
});

describe("a discriminator of the schema that all alternatives extend", () => {
  const base = (discriminator: object, kind: object = { type: "string" }) => ({
    ...object({ kind }, ["kind"]),
    discriminator: { propertyName: "kind", ...discriminator },
  });
  const child = (properties: object, parent = "Base") => ({
    allOf: [ref(parent), object(properties)],
  });
  const schemas = {
    Firm: child({ firm: { type: "string" } }),
    Human: child({ first: { type: "string" } }),
  };
  const oneOf = [ref("Firm"), ref("Human")];
  const extended =
    "the discriminator names schemas that extend this one, but the tool checks values only against this one";

  test.each([
    ["their names", {}, "Firm", "Human"],
    [
      "its mapping",
      { mapping: { f: "#/components/schemas/Firm", h: "#/components/schemas/Human" } },
      "f",
      "h",
    ],
  ])("tells them apart by %s", async (_, discriminator, firm, human) => {
    const { returns, told } = await imported({ oneOf }, { ...schemas, Base: base(discriminator) });
    expect(returns).toEqual({
      oneOf: [
        { $ref: "../schemas/shop/Firm.json", properties: { kind: { const: firm } } },
        { $ref: "../schemas/shop/Human.json", properties: { kind: { const: human } } },
      ],
    });
    expect(told).toEqual([extended]);
  });

  test("tells nothing of a schema that others extend, or whose values differ", async () => {
    const Base = base({}, { type: "string", enum: ["Firm", "human", "Young"] });
    const more = { ...schemas, Base, Young: child({ age: { type: "integer" } }, "Firm") };
    const { returns, told } = await imported({ oneOf }, more);
    expect(returns).toEqual({
      anyOf: [{ $ref: "../schemas/shop/Firm.json" }, { $ref: "../schemas/shop/Human.json" }],
    });
    expect(told).toContain(both("`Firm`", "`Human`"));
  });

  test("tells nothing if the alternatives extend different schemas", async () => {
    const Other = base({});
    const more = { ...schemas, Base: base({}), Other, Human: child({}, "Other") };
    const { returns } = await imported({ oneOf }, more);
    expect(JSON.stringify(returns)).not.toContain("const");
  });
});

describe("a discriminator of alternatives that have a discriminator of their own", () => {
  const schemas = {
    Bird: object({ kind: only("bird"), wings: { type: "integer" } }, ["kind"]),
    Cat: object({ kind: { type: "string" }, lives: { type: "integer" } }, ["kind"]),
    Dog: object({ kind: { type: "string" }, breed: { type: "string" } }, ["kind"]),
    Fish: object({ kind: only("fish") }, ["kind"]),
    Listed: { oneOf: [ref("Bird"), ref("Fish")] },
    Mammal: { oneOf: [ref("Cat"), ref("Dog")], discriminator: { propertyName: "kind" } },
    Stone: object({ kind: { type: "string" } }, ["kind"]),
  };
  const discriminated = (names: readonly string[], mapping?: object) => ({
    oneOf: names.map(ref),
    discriminator: { propertyName: "kind", ...(mapping && { mapping }) },
  });
  const contradiction = "the discriminator `kind` contradicts this branch";

  test.each(["Mammal", "Listed"])("never rejects all values of %s", async (name) => {
    const { returns, told } = await imported(discriminated([name, "Stone"]), schemas);
    expect(returns).toEqual({
      oneOf: [
        { $ref: `../schemas/shop/${name}.json` },
        { $ref: "../schemas/shop/Stone.json", properties: { kind: { const: "Stone" } } },
      ],
    });
    expect(told).toContain(contradiction);
  });

  test("keeps the values of a mapping that the inner alternatives accept", async () => {
    const mapping = { bird: "Listed", Dog: "Mammal", stone: "Stone" };
    const document = discriminated(["Listed", "Mammal", "Stone"], mapping);
    const { returns, told } = await imported(document, schemas);
    expect(returns).toEqual({
      oneOf: [
        { $ref: "../schemas/shop/Listed.json", properties: { kind: { const: "bird" } } },
        { $ref: "../schemas/shop/Mammal.json", properties: { kind: { const: "Dog" } } },
        { $ref: "../schemas/shop/Stone.json", properties: { kind: { const: "stone" } } },
      ],
    });
    expect(told).toEqual([]);
  });
});
