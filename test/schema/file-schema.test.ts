import { describe, expect, test } from "vitest";
import { collectDiagnostics } from "../../src/core/report.js";
import { contextMapping } from "../../src/policy/context-field.js";
import { publishedSchema } from "../../src/schema/as-published.js";
import { fileParameters, withFiles } from "../../src/schema/file-schema.js";
import { mustRead } from "./read.js";

const mark = { type: "object", "x-skillc-file": true } as const;

function parametersWith(properties: Record<string, object>) {
  const { diagnostics, report } = collectDiagnostics();
  const model = withFiles(mustRead({ type: "object", properties } as never), report);
  expect(diagnostics).toEqual([]);
  return model;
}

describe("a parameter that is a file", () => {
  const model = parametersWith({
    scan: { ...mark, description: "The scan.", "x-sensitive": true },
    pages: { type: "array", items: mark, maxItems: 3 },
    note: { type: "string" },
  });

  test("can be found by its name, as one file or a list of them", () => {
    expect([...fileParameters(model)]).toEqual([
      ["scan", "file"],
      ["pages", "list"],
    ]);
  });

  test("appears to models as a path or base64, and nothing else", () => {
    const published = publishedSchema(model, { id: "a" });
    const $ref = "#/$defs/tool.file";
    expect(published).toMatchObject({
      properties: {
        scan: { $ref, description: "The scan." },
        pages: { type: "array", items: { $ref }, maxItems: 3 },
      },
      $defs: {
        "tool.file": {
          properties: { path: {}, base64: {}, name: {}, type: {} },
          additionalProperties: false,
          oneOf: [{ required: ["path"] }, { required: ["base64"] }],
        },
      },
    });
    expect(JSON.stringify(published)).not.toContain("x-skillc-file");
  });

  test("appears to policies by its name and without its content, however it is given", () => {
    const { field, unsaid } = contextMapping(model);
    const file = field.fields.find(({ name }) => name === "scan")?.field;
    expect(file).toMatchObject({
      as: "record",
      fields: [{ name: "path" }, { name: "name" }, { name: "type" }],
    });
    expect(unsaid.map(({ path, what }) => `${path.join(".")} is ${what}`)).toContain(
      "scan.base64 is the content of a file",
    );
  });
});
