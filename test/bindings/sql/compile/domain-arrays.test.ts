import { expect, test } from "vitest";
import { compileUntyped } from "../../../compiler/whole/compile-untyped.js";
import { filesFor } from "./ask.js";

test("an array of a domain is told from an array of what the domain is based on", async () => {
  const { files } = await compileUntyped(filesFor({ query: "SELECT codes, amounts FROM sums" }));
  const tool = files.find(({ path }) => path === "people/ask.ts");
  expect(tool?.text).toContain('columns: { codes: "domain text[]", amounts: "numeric[]" }');
  expect(tool?.text).not.toContain("searchPath");
});
