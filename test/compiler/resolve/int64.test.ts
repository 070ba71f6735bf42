import { expect, test } from "vitest";
import { compileFiles, linesOf } from "../../support/compile.js";

const http = "{ type: http, method: GET, url: '${ITEMS_URL}/items', query: { id: '{id}' } }";
const kafka =
  "{ type: queue, provider: kafka, connection: '${BROKERS}', topic: items, message: { id: '{id}' } }";

async function lines(tool: readonly string[]): Promise<readonly string[]> {
  const files = {
    "skills/items/SKILL.md": "---\nname: items\ndescription: Does things.\n---\n",
    "skills/items/metadata.yaml": [
      "tools:",
      "  do-it:",
      "    description: Does it.",
      "    id: { type: integer, format: int64 }",
      ...tool.map((line) => `    ${line}`),
      "",
    ].join("\n"),
  };
  return linesOf(await compileFiles(files), files);
}

test("`int64` is `number` or `string`", async () => {
  expect(await lines(["int64: bigint", `binding: ${http}`])).toEqual([
    expect.stringContaining("5:12 error tool/wrong-value"),
  ]);
  expect(await lines(["int64: string", `binding: ${http}`])).toEqual([]);
  expect(await lines(["int64: string"])).toEqual([]);
});

test("`int64: string` is refused in a tool whose kind has no such integers as text", async () => {
  expect(await lines(["int64: string", `binding: ${kafka}`])).toEqual([
    expect.stringContaining("`int64: string` has no effect on a binding of type `queue`"),
  ]);
});

test.each([
  ["a list", "{ type: array, items: { type: integer, format: int64 }, default: [1, 2] }"],
  [
    "an object",
    "{ type: object, properties: { n: { type: integer, format: int64 } }, default: { n: 1 } }",
  ],
  ["allOf", "{ allOf: [{ type: integer, format: int64 }], enum: [1, 2], default: 1 }"],
  ["anyOf", "{ anyOf: [{ type: integer, format: int64 }, { type: boolean }], default: 1 }"],
])("numbers in a default of %s become digits under `int64: string`", async (_, schema) => {
  const files = {
    "skills/items/SKILL.md": "---\nname: items\ndescription: Does things.\n---\n",
    "skills/items/metadata.yaml": [
      "int64: string",
      "tools:",
      "  do-it:",
      "    description: Does it.",
      `    parameters: { type: object, properties: { id: ${schema} } }`,
      "    binding:",
      "      type: http",
      "      method: POST",
      "      url: ${ITEMS_URL}/items",
      '      body_template: { id: "{id}" }',
      "",
    ].join("\n"),
  };
  expect(linesOf(await compileFiles(files), files)).toEqual([]);
});
