/** References of OpenAPI 3.1 documents to schemas with an `$id` or an `$anchor`. */
import { describe, expect, test } from "vitest";
import { compileFiles, linesOf } from "../../support/compile.js";
import { importText, openApi } from "./support.js";

const text = { type: "string" };

async function imported(schema: object, schemas: Readonly<Record<string, object>>) {
  const responses = { 200: { description: "ok", content: { "application/json": { schema } } } };
  const document = openApi(
    { "/a": { get: { responses } } },
    { openapi: "3.1.0", components: { schemas } },
  );
  const { files, told } = await importText(document);
  expect(linesOf(await compileFiles(files), files)).toEqual([]);
  return { told: told.map(({ message }) => message), files };
}

describe("a reference", () => {
  test("leads to the schema with its anchor", async () => {
    const W = {
      type: "object",
      properties: { one: { $ref: "#in" }, two: { $ref: "#dynamic" } },
      $defs: {
        inner: { $anchor: "in", type: "object", properties: { x: text } },
        other: { $dynamicAnchor: "dynamic", type: "integer" },
      },
    };
    const { files, told } = await imported({ $ref: "#/components/schemas/W" }, { W });
    expect(told).toEqual([]);
    const written = Object.entries(files).filter(([path]) => path.endsWith(".json"));
    expect(JSON.stringify(written)).toContain("W--defs-inner.json");
    expect(JSON.stringify(written)).toContain("W--defs-other.json");
  });

  test("leads to the schema with its address as `$id`, and no page is read", async () => {
    const Page = {
      $id: "https://example.com/page",
      type: "object",
      properties: { next: { $ref: "item" }, own: { $ref: "#/$defs/own" }, also: { $ref: "#also" } },
      $defs: { own: text, also: { $anchor: "also", type: "boolean" } },
    };
    const Item = { $id: "https://example.com/item", type: "integer" };
    const { files, told } = await imported({ $ref: "https://example.com/page" }, { Page, Item });
    expect(told).toEqual([]);
    const written = JSON.stringify(files);
    for (const name of ["Page", "Item", "Page--defs-own", "Page--defs-also"])
      expect(written).toContain(`${name}.json`);
  });

  test("leads to a part of the document, although an `$id` is around it", async () => {
    const A = { $id: "a", type: "object", properties: { b: { $ref: "#/components/schemas/B" } } };
    const { files, told } = await imported({ $ref: "#/components/schemas/A" }, { A, B: text });
    expect(told).toEqual([]);
    expect(JSON.stringify(files)).toContain("B.json");
  });

  test("ignores names in data and names of properties", async () => {
    const A = {
      type: "object",
      properties: { $id: text, $anchor: text, a: { $ref: "#in" } },
      example: { $anchor: "in" },
    };
    const { told } = await imported({ $ref: "#/components/schemas/A" }, { A });
    expect(told).toContain("the reference `#in` leads to nothing");
  });
});

test("a `$dynamicRef` causes a note, and any value fits", async () => {
  const Page = {
    type: "object",
    properties: { items: { type: "array", items: { $dynamicRef: "#item" } } },
    $defs: { item: { $dynamicAnchor: "item" } },
  };
  const { told } = await imported({ $ref: "#/components/schemas/Page" }, { Page });
  expect(told).toEqual(["the import does not follow `$dynamicRef`, so any value fits here"]);
});
