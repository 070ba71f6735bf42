import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { httpSchema } from "../../../../src/bindings/http/schema.js";
import { diagnose } from "../../../compiler/whole/compile-untyped.js";
import { linesOf } from "../../../support/compile.js";

/** `line:column code` for each error of a skill whose one tool has these parameters (line 6) and this binding (from line 9 on). */
async function faults(parameters: string, ...binding: readonly string[]) {
  const files = {
    "skills/desk/SKILL.md": [
      "---",
      "name: desk",
      "description: Looks up orders.",
      "tools_schema:",
      "  get:",
      `    parameters: ${parameters}`,
      "    description: Get it.",
      "    binding:",
      "      type: http",
      ...binding.map((line) => `      ${line}`),
      "---",
      "",
    ].join("\n"),
  };
  const lines = linesOf(await diagnose(files), files).filter((line) => line.includes(" error "));
  return lines.map((line) =>
    line.replace("skills/desk/SKILL.md:", "").replace(/error |: .*$/g, ""),
  );
}

const one = "{ type: object, required: [id], properties: { id: { type: string } } }";

describe("diagnostics of one binding", () => {
  it.each([
    "api.example/a/../{idd}",
    "https://{id}.example/a/../{idd}",
    "ftp://api.example/a/../{idd}",
  ])("one run reports everything else that is wrong beside the origin of %s", async (url) => {
    const found = await faults(
      "{ type: object, properties: { id: { type: string } } }",
      "method: GET",
      `url: "${url}?q={opt}"`,
      'query: { q: 1, "{x}": 1 }',
      'headers: { Host: x, X-A: "{id}{nope}" }',
      "response_schema: { type: object, properties: { data: {} } }",
      "response_mapping: { path: $.dta }",
    );
    expect(found.map((line) => line.replace(/^\S+ /, ""))).toEqual([
      expect.stringMatching(/^http\/(bad|parameter-in)-origin$/),
      "http/bad-url-text",
      "http/unknown-parameter",
      "http/unknown-parameter",
      "http/query-key-twice",
      "http/placeholder-in-name",
      "http/forbidden-header",
      "http/unknown-parameter",
      "http/unknown-response-field",
    ]);
  });

  it("one run reports a wrong origin and the missing parameter of the path", async () => {
    expect(
      await faults(
        "{ type: object, properties: { id: { type: string } } }",
        "method: GET",
        "url: https://a b/{id}",
      ),
    ).toEqual(["11:20 http/bad-origin", "11:24 http/optional-in-path"]);
  });

  it("one run reports all mistakes beside a value of the wrong type in `status_codes`", async () => {
    expect(
      await faults(
        one,
        "method: GET",
        "url: https://a.example/{id}",
        "response_mapping:",
        "  path: data",
        "  status_codes: { 404: 5, 4xx: gone, 409: Bad-Name, 410: [x], 202: error }",
      ),
    ).toEqual([
      "13:15 http/bad-json-path",
      "14:30 binding/wrong-type",
      "14:33 http/bad-status-code",
      "14:49 http/bad-status-name",
      "14:64 binding/wrong-type",
      "14:74 http/misleading-status",
    ]);
  });

  it("one run reports wrong shapes beside unknown and missing keys, without follow-ups", async () => {
    expect(
      await faults(
        "{ type: object, required: [id, other], properties: { id: { type: string }, other: { type: string } } }",
        "metod: GET",
        "url: [https://a.example]",
        'query: { q: { x: "{id}" }, r: "{idd}" }',
        "headers: { Host: x }",
        "response_schema: text",
      ),
    ).toEqual([
      "10:7 binding/unknown-key",
      "11:12 binding/wrong-type",
      "12:16 binding/missing-key",
      "12:21 binding/unknown-key",
      "12:38 http/unknown-parameter",
      "13:18 http/forbidden-header",
      "14:24 binding/wrong-type",
    ]);
  });

  it("one mistake causes exactly one diagnostic", async () => {
    expect(await faults(one, "method: GET", "url: api.example/{id}")).toEqual([
      "11:12 http/bad-origin",
    ]);
    expect(await faults(one, "method: GET", "url: ''")).toEqual(["11:12 http/bad-origin"]);
    expect(await faults(one, "method: GET")).toEqual(["8:5 binding/missing-key"]);
  });

  it("every binding without a URL or a method has a diagnostic, whatever its other keys hold", async () => {
    const keys = Object.keys(httpSchema.properties);
    const binding = fc.dictionary(
      fc.constantFrom(...keys),
      fc.oneof(
        fc.jsonValue({ depthSize: "small" }),
        fc.dictionary(
          fc.constantFrom("header", "key", "path", "status_codes", "a"),
          fc.jsonValue(),
        ),
      ),
    );
    const property = fc.asyncProperty(binding, async (each) => {
      const lines = Object.entries(each).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
      const found = await faults(one, ...lines);
      const mayBeRight = typeof each["url"] === "string" && typeof each["method"] === "string";
      expect(mayBeRight || found.length > 0).toBe(true);
    });
    await fc.assert(property, { numRuns: 150, seed: 7 });
  });
});
