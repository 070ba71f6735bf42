/** The type of parameters with their defaults filled in. */
import { expect, test } from "vitest";
import { compileFiles } from "../../support/compile.js";

/** What is declared as the arguments of a tool that takes these. */
async function declared(properties: string, more = ""): Promise<string | undefined> {
  const { diagnostics, files } = await compileFiles({
    "skills/desk/SKILL.md": `---
name: desk
description: Orders.
tools:
  get:
    description: Gets.
    parameters: { type: object, required: [id], properties: { id: { type: string }, ${properties} }${more} }
    unused: [${/^\w+/.exec(properties)?.[0]}]
    binding: { type: http, method: GET, url: "https://a.example/{id}" }
---
`,
  });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const text = files.find(({ path }) => path === "desk/get.ts")?.text ?? "";
  return /export (?:type|interface) GetArguments[^]*?\n(?=\n)/.exec(text)?.[0].trim();
}

test("GetArguments extends the parameter type with required defaults if only they differ", async () => {
  expect(await declared("limit: { type: integer, default: 3 }")).toBe(
    'export type GetArguments = GetParams & Required<Pick<GetParams, "limit">>;',
  );
});

test("GetArguments does not exist if no default fills anything in", async () => {
  expect(await declared("limit: { type: integer }")).toBeUndefined();
  const either = ", anyOf: [{ required: [id] }, { required: [limit] }]";
  expect(await declared("limit: { type: integer }", either)).toBeUndefined();
});

test.each([
  [
    "a default within a parameter",
    "page: { type: object, properties: { size: { type: integer, default: 3 } } }",
    "",
  ],
  [
    "a default of items",
    "pages: { type: array, items: { type: object, properties: { size: { type: integer, default: 3 } } } }",
    "",
  ],
  ["a default of a name that every object has", "constructor: { type: string, default: a }", ""],
  [
    "a schema that says more of the whole",
    "limit: { type: integer, default: 3 }",
    ", anyOf: [{ required: [id] }, { required: [limit] }]",
  ],
])("GetArguments is a separate type for %s", async (_, properties, more) => {
  expect(await declared(properties, more)).toMatch(
    /^export (interface GetArguments \{|type GetArguments = [^&]*$)/,
  );
});
