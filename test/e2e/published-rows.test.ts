/** Real rows of the warehouse, in the form for models, fit the schemas that MCP clients get. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { tools } from "../../generated/index.js";
import { dispatchTool } from "../../src/runtime/index.js";
import { valueForModel } from "../../src/runtime/model/model-result.js";
import { filesOf } from "../support/answers-fit.js";
import { compileFiles } from "../support/compile.js";
import { onEachEngine } from "./warehouse-database.js";

const own = ["skills/warehouse", "skillc.yaml", "examples/warehouse/schema.sql"];
const settings = "databases: { WAREHOUSE_URL: { schema: [examples/warehouse/schema.sql] } }\n";
const files = { ...filesOf(".", own), "skillc.yaml": settings };
const { published } = await compileFiles(files, { linked: new Map() });
const ajv = new Ajv2020({ strict: false, validateFormats: false });

const year = { from: "2026-01-01T00:00:00Z", to: "2026-12-31T00:00:00Z" };
const blue = { sku: "MUG-BLUE", location: "A-01" };

const calls: readonly (readonly [keyof typeof tools, unknown])[] = [
  ["warehouse__get-product", { sku: "MUG-BLUE" }],
  ["warehouse__get-product", { sku: "OLD-CUP" }],
  ["warehouse__get-product", { sku: "MUG" }],
  ["warehouse__search-products", { text: "mug" }],
  ["warehouse__stock-of", { sku: "MUG-BLUE" }],
  ["warehouse__low-stock", { below: 10 }],
  ["warehouse__best-sellers", year],
  ["warehouse__order-count", {}],
  ["warehouse__stock-history", { sku: "MUG-BLUE" }],
  ["warehouse__record-count", { ...blue, quantity: 5 }],
  ["warehouse__record-count", { ...blue, sku: "NO-SUCH", quantity: 5 }],
];

await onEachEngine((desk) => {
  test("rows of every kind fit the published schemas", async () => {
    const { runtime } = desk().as;
    const ends = [];
    for (const [name, args] of calls) {
      const { isError, value } = await valueForModel(dispatchTool(tools, name, args, { runtime }));
      const fits = ajv.compile(published?.data.tools[name.replace("__", "/")]?.output_schema ?? {});
      const shown: unknown = JSON.parse(JSON.stringify(value));
      expect([name, shown, isError || fits(shown) ? [] : fits.errors]).toEqual([name, shown, []]);
      ends.push(isError ? "error" : value.status);
    }
    expect(ends).toContain("not_found");
    expect(ends).toContain("invalid_reference");
    expect(ends.filter((end) => end === "success").length).toBeGreaterThan(6);
    expect(ends).not.toContain("error");
  });
});
