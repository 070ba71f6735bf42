import { expect, test } from "vitest";
import { filesIn, skillc } from "../../cli/support/command-line.js";
import { importIn, importText, ok, openApi } from "./support.js";

const api = openApi({
  "/pets/{id}": {
    get: {
      operationId: "getPet",
      tags: ["pets"],
      parameters: [
        { name: "id", in: "path", required: true, schema: { type: "integer", format: "int64" } },
        { name: "seen", in: "query", schema: { type: "integer", format: "uint64" } },
      ],
      ...ok,
    },
  },
});

test("--int64 string makes text of integers of 64 bits, until it is taken back", async () => {
  const metadata = "skills/pets/metadata.yaml";
  const first = await importText(api, ["api.json", "--int64", "string"]);
  expect(first.files[metadata]).toMatch(/^int64: string$/m);
  expect(first.files[metadata]).toContain("format: uint64");
  expect((await skillc(first.root, ["generate"])).code).toBe(0);
  const tool = filesIn(first.root)["generated/pets/get-pet.ts"];
  expect(tool).toContain("  id: string;\n  seen?: string;\n");
  const again = await importIn(first.root, ["api.json"]);
  expect(again.files[metadata]).toMatch(/^int64: string$/m);
  const back = await importIn(first.root, ["api.json", "--int64", "number"]);
  expect(back.files[metadata]).not.toContain("int64: string");
});

test("--int64 is number or string", async () => {
  const { code, stderr } = await importText(api, ["api.json", "--int64", "bigint"]);
  expect(code).toBe(2);
  expect(stderr).toContain("number, string");
});
