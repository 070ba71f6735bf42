import { describe, expect, it } from "vitest";
import { httpTool } from "../../support/http-tool.js";

/** A POST with one parameter, whose schema starts at 1:39, and a binding that goes on with that line. */
function withSchema(schema: string, line: string) {
  const text = [
    `parameters: { type: object, properties: { v: ${schema} }, required: [v] }`,
    "binding:",
    "  method: POST",
    `  ${line}`,
    ...(line.startsWith("url") ? [] : ["  url: https://a.example/"]),
  ];
  return httpTool(text.join("\n"));
}

const inPath = (schema: string, url = "https://a.example/x/{v}/y") =>
  withSchema(schema, `url: "${url}"`).lines;
const inHeader = (schema: string) => withSchema(schema, 'headers: { X-V: "v={v}" }').lines;

const defaultHelp = "(choose another default, or make the parameter required)";
const listHelp = "(remove it from the list)";
const noneHelp = "(list values that the request can carry)";

describe("value that a schema names", () => {
  it.each<[schema: string, line: string]>([
    [
      '{ type: string, default: ".." }',
      `1:71 http/unusable-default [".."] the default of \`v\` leads to another path ${defaultHelp}`,
    ],
    [
      '{ type: string, default: "." }',
      `1:71 http/unusable-default ["."] the default of \`v\` leads to another path ${defaultHelp}`,
    ],
    [
      '{ type: string, default: "" }',
      `1:71 http/unusable-default [""] the default of \`v\` is empty, but a path segment can't be empty ${defaultHelp}`,
    ],
    [
      '{ enum: [a, ".", b] }',
      `1:58 http/unusable-value ["."] \`"."\` leads to another path, so \`v\` can't have this value ${listHelp}`,
    ],
    [
      '{ enum: [".", ".."] }',
      `1:54 http/no-usable-value [[".", ".."]] no value of \`v\` can be sent: \`"."\` leads to another path ${noneHelp}`,
    ],
    [
      '{ const: "" }',
      `1:55 http/no-usable-value [""] no value of \`v\` can be sent: \`""\` is empty, but a path segment can't be empty ${noneHelp}`,
    ],
    [
      '{ enum: ["\\ud800", a] }',
      `1:55 http/unusable-value ["\\ud800"] \`"\\ud800"\` is not well-formed Unicode, so a URL can't hold it, so \`v\` can't have this value ${listHelp}`,
    ],
  ])("rejects a value for a path: %s", (schema, line) => {
    expect(inPath(schema)).toEqual([line]);
  });

  it.each<[schema: string, url?: string]>([
    ["{ type: string, default: a }"],
    ["{ type: integer, default: 0 }"],
    ['{ enum: [a, "...", "%2ea", "..a", " ", "/"] }'],
    ['{ enum: ["", ".", ".."] }', "https://a.example/v{v}"],
    ['{ enum: ["", ".", ".."] }', "https://a.example/?v={v}"],
  ])("accepts a value for a path: %s %s", (schema, url) => {
    expect(inPath(schema, url)).toEqual([]);
  });

  it("checks a value together with the text around it in its segment", () => {
    expect(inPath('{ enum: [".", a] }', "https://a.example/.{v}").join()).toContain(
      'http/unusable-value ["."]',
    );
    expect(inPath('{ enum: [".", a] }', "https://a.example/%2e{v}").join()).toContain(
      'http/unusable-value ["."]',
    );
  });

  it.each<[schema: string, line: string]>([
    [
      '{ type: string, default: "a\\nb" }',
      `1:71 http/unusable-default ["a\\nb"] the default of \`v\` has more than one line, but a header value is one line ${defaultHelp}`,
    ],
    [
      '{ enum: [a, "b\\r"] }',
      `1:58 http/unusable-value ["b\\r"] \`"b\\r"\` has more than one line, but a header value is one line, so \`v\` can't have this value ${listHelp}`,
    ],
    [
      '{ const: "a\\0" }',
      `1:55 http/no-usable-value ["a\\0"] no value of \`v\` can be sent: \`"a\\u0000"\` holds the character U+0000, which a header can't ${noneHelp}`,
    ],
    [
      "{ enum: [a, 订] }",
      `1:58 http/unusable-value [订] \`"订"\` holds the character U+8BA2, which a header can't, so \`v\` can't have this value ${listHelp}`,
    ],
  ])("rejects a value for a header: %s", (schema, line) => {
    expect(inHeader(schema)).toEqual([line]);
  });

  it.each(['{ enum: ["", ".", "é"] }', '{ type: string, default: "a\\tb" }'])(
    "accepts a value for a header: %s",
    (schema) => {
      expect(inHeader(schema)).toEqual([]);
    },
  );

  it("rejects a value with a line break for an idempotency key", () => {
    const { lines } = withSchema(
      '{ enum: [a, "b\\n"] }',
      'idempotency: { header: X-Key, key: "{v}" }',
    );
    expect(lines.join()).toContain("http/unusable-value");
  });

  it("accepts any value for the body", () => {
    expect(withSchema('{ enum: ["", "a\\n"] }', 'body_template: { v: "{v}" }').lines).toEqual([]);
  });

  it("finds a value behind a reference and inside an object", () => {
    const text = (schema: string, more = "") =>
      httpTool(
        `parameters: { type: object, required: [v], properties: { v: ${schema} }${more} }\n` +
          'binding: { method: GET, url: "https://a.example/{v.w}" }',
      ).diagnostics.map(({ code }) => code);
    const field = '{ type: object, required: [w], properties: { w: { enum: ["", a] } } }';
    expect(text(field)).toEqual(["http/unusable-value"]);
    expect(text('{ $ref: "#/$defs/o" }', `, $defs: { o: ${field} }`)).toEqual([
      "http/unusable-value",
    ]);
    const filled = '{ type: object, properties: { w: { type: string, default: "" } } }';
    expect(text(filled)).toEqual(["http/unusable-default"]);
    const object =
      '{ type: object, required: [w], properties: { w: { type: string } }, default: { w: ".." } }';
    expect(text(object)).toEqual(["http/unusable-default"]);
  });
});
