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
