import { expect, test } from "vitest";
import { compileUntyped } from "../../../compiler/whole/compile-untyped.js";
import { filesFor } from "./ask.js";

test("the columns of an answer distinguish an array of a domain from an array of its base type", async () => {
  const { files } = await compileUntyped(filesFor({ query: "SELECT codes, amounts FROM sums" }));
  const tool = files.find(({ path }) => path === "people/ask.ts");
  expect(tool?.text).toContain('columns: { codes: "domain text[]", amounts: "numeric[]" }');
  expect(tool?.text).not.toContain("searchPath");
});
