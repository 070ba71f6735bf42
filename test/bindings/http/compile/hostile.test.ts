import * as fc from "fast-check";
import { Project, SyntaxKind } from "ts-morph";
import { describe, expect, it } from "vitest";
import { bareReference } from "../../../../src/kit/bare-reference.js";
import { printCode } from "../../../../src/core/code.js";
import { escaped } from "../../support/escaped.js";
import { httpModule } from "../../support/http-module.js";
import { httpTool } from "../../support/http-tool.js";
import { runs } from "../../../support/runs.js";
import { unicodeText } from "../../../support/unicode-text.js";

const nasty = fc.constantFrom(
  "`",
  "${",
  "}",
  "{",
  "*/",
  "//",
  "\u2028",
  "\\",
  '"',
  "'",
  "\n",
  "\0",
  "__proto__",
  "constructor",
  "{{",
  "}}",
  "$$",
  "%",
  "..",
  "/",
  "?",
  "#",
  "@",
  ":",
  "&",
  "=",
  "é",
  "😀",
  "\ud800",
  "https://a.example/",
  "${A}",
  "{id}",
  "{a.b}",
);
const text = fc
  .array(fc.oneof(nasty, fc.string({ maxLength: 5 })), { maxLength: 8 })
  .map((parts) => parts.join(""));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(text, tie("value"), { maxKeys: 3 }),
  ),
})).value;

const parameters = {
  type: "object",
  properties: {
    id: { type: "string" },
    a: { type: "object", properties: { b: { type: "number" } } },
  },
};

describe("hostile text", () => {
  it("hostile text in any place gives a diagnostic or a literal, and never crashes the compiler", () => {
    const binding = fc.record(
      {
        method: fc.oneof(fc.constantFrom("GET", "POST", "DELETE"), text),
        url: fc.oneof(
          text,
          text.map((rest) => `https://a.example/${rest}`),
        ),
        query: fc.dictionary(text, fc.oneof(text, fc.integer(), fc.array(text, { maxLength: 3 })), {
          maxKeys: 3,
        }),
        headers: fc.dictionary(text, text, { maxKeys: 3 }),
        body_template: json,
        idempotency: fc.record({ header: text, key: text }, { requiredKeys: ["header"] }),
        response_mapping: fc.record(
          {
            path: fc.oneof(
              text,
              text.map((rest) => `$${rest}`),
            ),
            error_path: text,
            status_codes: fc.dictionary(text, text, { maxKeys: 3 }),
          },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: ["method", "url"] },
    );
    fc.assert(
      fc.property(binding, fc.array(text, { maxLength: 2 }), (each, unused) => {
        const { diagnostics } = httpTool(JSON.stringify({ parameters, unused, binding: each }));
        for (const { message, help } of diagnostics) {
          expect(`${message}${help}`).not.toMatch(/[\n\r\0]/);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it("the TypeScript compiler reads an accepted text back unchanged", async () => {
    const project = new Project({ useInMemoryFileSystem: true });
    await fc.assert(
      fc.asyncProperty(text, unicodeText(), async (value, other) => {
        // `$NAME` alone is refused: it was meant as a reference. So is what UTF-8 can't hold.
        fc.pre([value, other].every((each) => bareReference(each) === undefined));
        fc.pre([value, other].every((each) => each.isWellFormed()));
        const { bindingCode } = await httpModule(
          JSON.stringify({
            parameters: { type: "object" },
            binding: {
              method: "POST",
              url: "https://a.example",
              body_template: { key: escaped(value), list: [escaped(other)] },
            },
          }),
        );
        const source = project.createSourceFile("a.ts", printCode(bindingCode), {
          overwrite: true,
        });
        const strings = source
          .getDescendantsOfKind(SyntaxKind.StringLiteral)
          .map((each) => each.getLiteralValue());
        expect(strings).toEqual(expect.arrayContaining([value, other]));
        expect(source.getStatements()).toHaveLength(1);
      }),
      { numRuns: runs(60) },
    );
  });

  it("accepts hostile text as the name of a property", async () => {
    const name = '\u2028`${x}*/"\\';
    const { bindingCode, module } = await httpModule(
      JSON.stringify({
        parameters: {
          type: "object",
          required: ["__proto__", name],
          properties: { ["__proto__"]: { type: "string" }, [name]: { type: "string" } },
        },
        binding: {
          method: "POST",
          url: "https://a.example",
          query: { "*/": 1 },
          headers: { "X-`": "b" },
        },
      }),
    );
    expect(module).not.toContain("\u2028");
    const project = new Project({ useInMemoryFileSystem: true });
    const source = project.createSourceFile("a.ts", printCode(bindingCode));
    expect(source.getStatements()).toHaveLength(1);
    expect(
      source.getDescendantsOfKind(SyntaxKind.StringLiteral).map((each) => each.getLiteralValue()),
    ).toEqual(expect.arrayContaining([name, "__proto__", "*/", "X-`"]));
  });

  it("compiles text of any length or depth without running out of stack", () => {
    const long = "a/".repeat(100_000);
    const many = "{id}".repeat(5_000);
    const sources = [
      { method: "GET", url: `https://a.example/${long}${many}?${"a=1&".repeat(20_000)}b={id}` },
      { method: "GET", url: "https://a.example/{id}", headers: { "X-A": "{".repeat(100_001) } },
      {
        method: "GET",
        url: "https://a.example/{id}",
        response_mapping: { path: `$${"[?@".repeat(600)}` },
      },
      {
        method: "GET",
        url: "https://a.example/{id}",
        response_mapping: { path: `$${"['a']".repeat(300)}` },
      },
    ];
    const codes = sources.map((binding) =>
      httpTool(JSON.stringify({ parameters, unused: ["a"], binding })).diagnostics.map(
        ({ code }) => code,
      ),
    );
    expect(codes.map((each) => [...new Set(each)])).toEqual([
      ["http/optional-in-path"],
      expect.arrayContaining(["http/lone-brace"]),
      ["http/optional-in-path", "http/bad-json-path"],
      ["http/optional-in-path"],
    ]);
  });
});
