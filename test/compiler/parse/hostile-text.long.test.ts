import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDiagnosticEntries } from "../../../src/compiler/parse/diagnostics.js";
import { parseSkill } from "../../../src/compiler/parse/parse-skill.js";
import { createReport, type ReportLog } from "../../../src/core/report.js";
import type { Span } from "../../../src/core/span.js";
import type { SyntaxNode } from "../../../src/core/syntax-node.js";
import { jsonNode, yamlNode } from "../../support/parse.js";
import { runs } from "../../support/runs.js";
import { unicodeText } from "../../support/unicode-text.js";

const realSkills = [
  `---
name: create-order
description: Create order in upstream order service
metadata:
  tools_schema:
    create-order:
      parameters:
        type: object
        required:
          - order_id
      binding: {type: http, method: POST, url: "https://api.example.com/orders/{order_id}"}
      headers: &headers
        X-API-Key: \${XAPI_API_KEY}
      more: *headers
---

# Instructions

1. Only create an order after the user confirms.
---
`,
  "---\r\ndescription: >-\r\n  Read 'orders'\r\n  by \"id\" 😀\r\ntext: |+2\r\n    indented\r\n  less\r\n\r\n# note\r\n? [a, b]\r\n: c\r\n---\r\nBody\r\n",
];

const pieces = fc.constantFrom(
  "",
  "---",
  "...",
  "\n",
  "\r\n",
  "\r",
  "\t",
  "  ",
  "- ",
  "? ",
  ": ",
  ":",
  "{",
  "}",
  "[",
  "]",
  ",",
  "'",
  '"',
  "|",
  ">",
  "|2-",
  "&a ",
  "*a",
  "!t ",
  "!!str ",
  "# ",
  "<<: ",
  "%YAML 1.1\n",
  "\\",
  "\\u12",
  "\u0000",
  "\ufeff",
  "\u2028",
  "\ud800",
  "😀",
  ".inf",
  "99999999999999999999",
  "__proto__: ",
);

/** Some of the text's characters replaced by other things. */
function mutated(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const edit = fc.record({
    at: fc.nat(),
    cut: fc.nat({ max: 8 }),
    put: fc.oneof(pieces, unicodeText({ maxLength: 3 })),
  });
  return fc.tuple(texts, fc.array(edit, { maxLength: 5 })).map(([text, edits]) =>
    edits.reduce((now, { at, cut, put }) => {
      const place = at % (now.length + 1);
      return now.slice(0, place) + put + now.slice(place + cut);
    }, text),
  );
}

function expectInside(span: Span, text: string): void {
  expect(0 <= span.start && span.start <= span.end && span.end <= text.length).toBe(true);
}

/** Every span lies in the text, every entry in its map, and text has an origin that ascends. */
function expectSound(node: SyntaxNode, text: string): void {
  expectInside(node.span, text);
  if (node.kind === "list") for (const item of node.items) expectSound(item, text);
  if (node.kind === "map") {
    for (const { key, value } of node.entries) {
      expectSound(key, text);
      expectSound(value, text);
    }
  }
  if (node.kind !== "scalar" || typeof node.value !== "string") return;
  for (const [at, [value, file]] of (node.origin ?? []).entries()) {
    const before = node.origin?.[at - 1] ?? [0, node.span.start];
    expect(value >= before[0] && file >= before[1] && file <= node.span.end).toBe(true);
  }
}

function expectSoundReport(report: ReportLog, text: string): void {
  for (const found of report.diagnostics()) {
    expectInside(found.span, text);
    for (const { span } of found.related ?? []) expectInside(span, text);
    expect(found.message).toMatch(/^[^\n\r]+[^.\n\r]$/);
  }
}

describe("any text at all", () => {
  it("becomes a skill or causes a diagnostic, with places inside the text", () => {
    const texts = fc.oneof(
      mutated(fc.constantFrom(...realSkills)),
      fc.array(pieces).map((each) => `---\n${each.join("")}\n---\n`),
      unicodeText(),
    );
    const property = fc.property(texts, (text) => {
      const report = createReport(parseDiagnosticEntries);
      const syntax = parseSkill("skills/a", { path: "skills/a/SKILL.md", text }, undefined, report);
      expect(syntax !== undefined || report.errorCount() > 0).toBe(true);
      expectSoundReport(report, text);
      if (syntax?.frontMatter) expectSound(syntax.frontMatter, text);
      const body = syntax?.body ?? { text, span: { start: 0, end: text.length } };
      expect(text.slice(body.span.start, body.span.end)).toBe(body.text);
    });
    fc.assert(property, { numRuns: runs(1500) });
  });

  it("becomes YAML or JSON, or causes an error", () => {
    const texts = fc.oneof(
      fc.array(pieces, { maxLength: 25 }).map((each) => each.join("")),
      mutated(fc.json()),
    );
    const property = fc.property(texts, (text) => {
      for (const { node, report } of [yamlNode(text), jsonNode(text)]) {
        expect(node !== undefined || report.errorCount() > 0).toBe(true);
        expectSoundReport(report, text);
        if (node) expectSound(node, text);
      }
    });
    fc.assert(property, { numRuns: runs(1500) });
  });
});

const size = 2 * 1024 * 1024;
const filled = (text: string) => text.repeat(Math.floor(size / text.length));

describe("text that tries to break the reader", () => {
  it.each([
    ["open brackets", filled("["), "parse/too-deep"],
    ["open maps", filled("a: {"), "parse/too-deep"],
    ["open maps on lines", filled("a: {\n"), "parse/too-large"],
    ["nested lists on a line", filled("- "), "parse/too-deep"],
    ["nested keys on a line", filled("a: "), "parse/too-deep"],
    ["nested explicit keys", filled("? "), "parse/too-deep"],
    ["nested empty keys", filled(": "), "parse/too-deep"],
    [
      "ever deeper lines",
      Array.from({ length: 2000 }, (_, line) => `${" ".repeat(line)}a:`).join("\n"),
      "parse/too-deep",
    ],
    ["pairs in lists", `${"[a: ".repeat(99)}${"]".repeat(99)}`, "parse/too-deep"],
    ["many documents", filled("---\n"), "parse/multiple-documents"],
    ["many small values", filled("- a\n"), "parse/too-large"],
    ["commas", `[${filled(",")}`, "parse/too-large"],
    ["closing brackets", filled("]"), "parse/too-large"],
    ["a fault after each comma of a line", `[${",".repeat(290_000)}]`, "parse/invalid-yaml"],
    [
      "brackets open at many values",
      `${"[".repeat(90)}${"a, ".repeat(70_000)}`,
      "parse/invalid-yaml",
    ],
    ["anchors", filled("&a "), "parse/too-large"],
    [
      "comments below blank lines",
      `a: |\n    x\n${"\n".repeat(125_000)}${"  #\n".repeat(42_000)}`,
      "parse/too-large",
    ],
    ["open quotes", filled("- 'a\n"), "parse/too-large"],
    ["an open quote before much text", `a: "${filled("b\n  ")}`, "parse/invalid-yaml"],
  ])("causes few errors quickly: %s", (_, text, code) => {
    const { node, report } = yamlNode(text);
    expect(node).toBeUndefined();
    expect(report.diagnostics().map((each) => each.code)).toContain(code);
    expect(report.diagnostics().length).toBeLessThanOrEqual(10);
    expectSoundReport(report, text);
  });

  it.each([
    ["ten to the 30th values by aliases", laughs(30), "parse/too-large"],
    ["aliases that nest", chain(150), "parse/too-deep"],
  ])("causes one error quickly: %s", (_, text, code) => {
    const { node, report } = yamlNode(text);
    expect([node, report.diagnostics().map((each) => each.code)]).toEqual([undefined, [code]]);
  });

  it("reads a document as large as one may be", () => {
    const keys = Array.from({ length: 40_000 }, (_, line) => `key_${line}: v`).join("\n");
    const { node, report } = yamlNode(`a: |\n${"  text of a line\n".repeat(80_000)}${keys}\n`);
    expect(report.diagnostics()).toEqual([]);
    expect(node?.kind === "map" && node.entries.length).toBe(40_001);
  });

  it.each([
    ["deep JSON", filled("["), "parse/invalid-json"],
    ["deep JSON that is closed", "[".repeat(100_000) + "]".repeat(100_000), "parse/too-deep"],
    ["many JSON values", `[${filled("1,")}1]`, "parse/too-large"],
    ["one long JSON string", `"${filled("\\")}`, "parse/invalid-json"],
  ])("causes one error in JSON quickly: %s", (_, text, code) => {
    const { node, report } = jsonNode(text);
    expect([node, report.diagnostics().map((each) => each.code)]).toEqual([undefined, [code]]);
  });
});

function laughs(lines: number): string {
  const all = ["l0: &l0 ha"];
  for (let line = 1; line <= lines; line += 1) {
    all.push(
      `l${line}: &l${line} [${Array.from({ length: 10 }, () => `*l${line - 1}`).join(", ")}]`,
    );
  }
  return all.join("\n");
}

function chain(lines: number): string {
  return Array.from(
    { length: lines },
    (_, line) => `l${line}: &l${line} [${line > 0 ? `*l${line - 1}` : ""}]`,
  ).join("\n");
}
