import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { expect, test } from "vitest";
import { renderTypesPage } from "../../src/bindings/sql/types/types-page.js";

test("docs/sql/types.md is what `npm run docs` writes", async () => {
  const path = fileURLToPath(new URL("../../docs/sql/types.md", import.meta.url));
  const style = await resolveConfig(path);
  const page = await format(renderTypesPage(), { ...style, filepath: path });
  expect(readFileSync(path, "utf8")).toBe(page);
});
