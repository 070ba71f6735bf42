import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { compileFiles, linesOf } from "../../support/compile.js";
import { importText, ok, openApi } from "./support.js";

async function schemaOf(schema: object, schemas: object = {}) {
  const parameters = [{ name: "id", in: "path", required: true, schema }];
  const document = openApi(
    { "/a/{id}/b": { get: { ...ok, parameters } } },
    { components: { schemas } },
  );
  const { files } = await importText(document);
  expect(linesOf(await compileFiles(files), files).filter((line) => /error/.test(line))).toEqual(
    [],
  );
  const { tools_schema } = parse(files["skills/a/metadata.yaml"] ?? "");
  const [tool] = Object.values<{ parameters: { properties: { id: object } } }>(tools_schema);
  return tool?.parameters.properties.id;
}

describe("an identifier in a path", () => {
  test.each(["int64", "int32", "uint64", "integer", "UUID", "uuid4", "guid"])(
    "holds no slash if the document calls its text %s",
    async (format) => {
      expect(await schemaOf({ type: "string", format })).toMatchObject({ pattern: "^[^/]+$" });
    },
  );

  test("holds no slash if a component calls its text an integer", async () => {
    const schema = { $ref: "#/components/schemas/Id" };
    expect(await schemaOf(schema, { Id: { type: "string", format: "int64" } })).toMatchObject({
      pattern: "^[^/]+$",
    });
  });

  test.each([
    ["a number", { type: "integer", format: "int64" }],
    ["a UUID, which validators check", { type: "string", format: "uuid" }],
    ["any text", { type: "string" }],
    ["a text with a pattern of its own", { type: "string", format: "int64", pattern: "^[0-9]+$" }],
  ])("keeps the schema of %s", async (_, schema) => {
    expect(await schemaOf(schema)).toEqual(schema);
  });
});
