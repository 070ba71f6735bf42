import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ScalarNode,
  type SyntaxNode,
  spanWithin,
  toJson,
} from "../../../src/core/syntax-node.js";
import { jsonNode } from "../../support/parse.js";
import { unicodeText } from "../../support/unicode-text.js";

function accepts(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Codes other than of what JSON itself allows: repeated keys and large numbers. */
function refusals(text: string): string[] {
  return jsonNode(text)
    .report.diagnostics()
    .map((each) => each.code)
    .filter((code) => code === "parse/invalid-json" || code === "parse/invalid-yaml");
}

const fragments = fc.constantFrom(
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  '"a"',
  '"b"',
  "1",
  "-",
  "0",
  ".5",
  "1.",
  "e3",
  "true",
  "null",
  "tru",
  " ",
  "\n",
  "\t",
  "\r",
  "\u00a0",
  "'",
  "//",
  "#",
  "\\",
  '"\\u00e9"',
  '"\\x"',
  "\u0000",
  "&a",
  "*a",
  "!t",
  "- ",
  "? ",
  "|",
  "---",
  "<<",
  "\u2028",
  "\ud800",
);
const jsonTexts = fc
  .tuple(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 0, 2, "\t", "\r\n"))
  .map(([text, indent]) =>
    indent === "\r\n"
      ? JSON.stringify(JSON.parse(text), null, 1).replaceAll("\n", indent)
      : JSON.stringify(JSON.parse(text), null, indent),
  );

describe("parseJson", () => {
  it("reads what JSON.parse reads, to the same value", () => {
    const property = fc.property(jsonTexts, (text) => {
      const { node, report } = jsonNode(text);
      expect(report.errorCount()).toBe(0);
      expect(node && toJson(node)).toEqual(JSON.parse(text));
    });
    fc.assert(property, { numRuns: 500 });
  });

  it("accepts and refuses what JSON.parse does, whatever the text", () => {
    const texts = fc.oneof(
      fc.array(fragments, { maxLength: 12 }).map((each) => each.join("")),
      fc
        .tuple(jsonTexts, fc.nat(), fc.nat({ max: 3 }), fc.oneof(fragments, fc.constant("")))
        .map(([text, at, cut, put]) => {
          const place = at % (text.length + 1);
          return text.slice(0, place) + put + text.slice(place + cut);
        }),
    );
    const property = fc.property(texts, (text) => {
      expect(refusals(text).length === 0).toBe(accepts(text));
      for (const { span } of jsonNode(text).report.diagnostics()) {
        expect(0 <= span.start && span.start <= span.end && span.end <= text.length).toBe(true);
      }
    });
    fc.assert(property, { numRuns: 3000 });
  });

  it("knows where each character of a string stands", () => {
    const property = fc.property(unicodeText(), (value) => {
      const text = `[1,\n\t${JSON.stringify(value)}]`;
      const { node } = jsonNode(text);
      const scalar = (node?.kind === "list" ? node.items[1] : undefined) as ScalarNode;
      const written = [...value].map((char, at, all) => {
        const from = all.slice(0, at).join("").length;
        const { start, end } = spanWithin(scalar, from, from + char.length);
        return JSON.parse(`"${text.slice(start, end)}"`) as string;
      });
      expect(written.join("")).toBe(value);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it.each([
    ["a comment", '{"a": 1 // one\n}', "// one", "JSON has no comments"],
    ["a hash comment", "# x\n1", "# x", "JSON has no comments"],
    ["a comma too many", '{"a": [1, 2,]}', ",", "a comma with nothing after it"],
    ["a comma too many in an object", '{"a": 1,\n}', ",", "a comma with nothing after it"],
    ["a missing comma", '{"a": 1 "b": 2}', '"b"', "expected `,` or `}`"],
    ["single quotes", "{'a': 1}", "'", "JSON strings need double quotes"],
    ["a bare key", "{a: 1}", "a", "text needs double quotes"],
    ["a number as a key", "{1: 2}", "1", "expected a key in double quotes"],
    ["a missing colon", '{"a" 1}', "1", "expected `:` after the key"],
    ["a leading zero", "[01]", "01", "JSON writes numbers in another way"],
    ["NaN", "[NaN]", "NaN", "JSON has no such number"],
    ["a plus sign", "[+1]", "+1", "JSON writes numbers in another way"],
    ["a bad escape", '["a\\q"]', "\\q", "JSON has no such escape"],
    ["a tab in a string", '["a\tb"]', "\t", "a string has a control character in it"],
    ["an open string", '["a]', '"', "this string has no closing quote"],
    ["a string over lines", '["a\nb"]', '"a', "this string has no closing quote on its line"],
    ["text after the end", "{} {}", "{", "expected the end of the file"],
    ["nothing", " ", "", "expected a JSON value"],
    ["the wrong bracket", "[1}", "}", "expected `,` or `]`"],
  ])("points at %s", (_, text, place, message) => {
    const [found] = jsonNode(text).report.diagnostics();
    expect(found).toMatchObject({ code: "parse/invalid-json", message });
    expect(text.slice(found?.span.start, found?.span.end)).toBe(place);
  });

  it("names the bracket that is never closed", () => {
    const [found] = jsonNode('{"a": [1').report.diagnostics();
    expect(found).toMatchObject({
      span: { start: 8, end: 8 },
      related: [{ span: { start: 6, end: 7 } }],
    });
  });

  it("refuses a repeated key and keeps the first", () => {
    const { node, report } = jsonNode('{"a": 1, "a": 2}');
    expect(report.diagnostics()).toMatchObject([
      { code: "parse/duplicate-key", span: { start: 9, end: 12 } },
    ]);
    expect(toJson(node as SyntaxNode)).toEqual({ a: 1 });
  });

  it("keeps prototype names as keys", () => {
    const { node } = jsonNode('{"__proto__": {"x": 1}, "<<": 2, "toString": 3}');
    expect(Object.entries(toJson(node as SyntaxNode) as object)).toEqual([
      ["__proto__", { x: 1 }],
      ["<<", 2],
      ["toString", 3],
    ]);
  });

  it("reads a byte order mark, and warns about numbers that doubles can't distinguish", () => {
    const { node, report } = jsonNode("\ufeff[9007199254740993, 9.007199254740993e15]");
    expect(node).toMatchObject({ kind: "list", span: { start: 1 } });
    expect(report.diagnostics()).toMatchObject([
      { code: "parse/unsafe-integer", severity: "warning", span: { start: 2 } },
      { code: "parse/unsafe-integer", severity: "warning", span: { start: 20 } },
    ]);
  });
});
