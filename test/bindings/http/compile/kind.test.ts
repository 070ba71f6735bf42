import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { httpBinding } from "../../../../src/bindings/http/index.js";
import * as runtime from "../../../../src/bindings/http/runtime.js";
import { editorMark, schemaMark } from "../../../../src/schema/editor-marks.js";

describe("the HTTP kind", () => {
  it("imports only values that its runtime exports", () => {
    expect(Object.keys(runtime)).toEqual(expect.arrayContaining([...httpBinding.runtime.values]));
  });

  it("brings the template of its bindings", () => {
    expect(httpBinding.template.name).toBe("templates/http.hbs");
    expect(httpBinding.template.text).toContain("{{http}}<{{argumentsType}}");
  });

  it("runs in active and shadow mode, and needs no handler", () => {
    expect(httpBinding.modes).toEqual(["active", "shadow"]);
    expect(httpBinding.needsHandler).toBe(false);
  });
});

describe("schema of a binding", () => {
  const fits = new Ajv2020({ allowUnionTypes: true })
    .addVocabulary([editorMark, schemaMark])
    .compile(httpBinding.schema);
  const base = { method: "GET", url: "https://a.example" };

  it.each<[what: string, keys: object]>([
    ["no further key", {}],
    ["no method", { method: undefined }],
    ["a query of scalars and lists", { query: { a: "x", b: 1, c: true, d: ["x", 2] } }],
    ["headers", { headers: { A: "x", B: 1 } }],
    ["any body", { body_template: [1, { a: null }] }],
    ["an idempotency header", { idempotency: { header: "X", key: "{id}" } }],
    ["a limit", { max_response_bytes: 1 }],
    ["a limit with a unit", { max_response_bytes: "1MiB" }],
    ["schemas", { response_schema: { type: "object" }, error_schema: true }],
    ["a mapping", { response_mapping: { path: "$", error_path: "$", status_codes: { 404: "x" } } }],
  ])("accepts a binding with %s", (_, keys) => {
    expect(fits({ ...base, ...keys })).toBe(true);
  });

  it.each<[what: string, keys: object]>([
    ["a number as URL", { url: 1 }],
    ["no URL", { url: undefined }],
    ["an object in the query", { query: { a: { b: 1 } } }],
    ["null in the query", { query: { a: null } }],
    ["a list as header", { headers: { a: ["x"] } }],
    ["idempotency without header", { idempotency: { key: "{id}" } }],
    ["a limit of 0 bytes", { max_response_bytes: 0 }],
    ["a limit beyond what buffers hold", { max_response_bytes: 1_073_741_825 }],
    ["a limit of half a byte", { max_response_bytes: 1.5 }],
    ["a limit that is no size", { max_response_bytes: true }],
    ["an unknown key of the mapping", { response_mapping: { paht: "$" } }],
    ["a status name that is a number", { response_mapping: { status_codes: { 404: 1 } } }],
  ])("rejects a binding with %s", (_, keys) => {
    expect(fits({ ...base, ...keys })).toBe(false);
  });
});
