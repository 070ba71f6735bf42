import { describe, expect, it } from "vitest";
import { httpModule } from "../../support/http-module.js";
import { httpTool } from "../../support/http-tool.js";

const parameters =
  "parameters: { type: object, additionalProperties: false, required: [a], properties: { a: { type: string }, b: { type: object } } }";
const tool = (...lines: readonly string[]) =>
  [
    parameters,
    "unused: [a, b]",
    "binding:",
    "  method: POST",
    "  url: https://a.example/",
    ...lines,
  ].join("\n");
const faults = (...lines: readonly string[]) =>
  httpTool(tool(...lines)).lines.filter((line) => !line.includes("http/not-unused"));

describe("body", () => {
  it.each([
    ['json: { x: "{a}" }', "body: { x: p.a }"],
    ['form: { x: "{a}", y: { z: "{b}" } }', "body: form({ x: p.a, y: { z: p.b } })"],
    ['form: { x: "{b}" }, style: repeat', 'body: form({ x: p.b }, "repeat")'],
    ['form: "{b}", style: repeat', 'body: form(p.b, "repeat")'],
    [
      'multipart: { "x[]": { text: "{a}" } }, fields: "{b}"',
      'body: multipart([textPart("x[]", p.a), fieldParts(p.b, ["x[]"])])',
    ],
    ['multipart: {}, fields: "{b}"', "body: multipart([fieldParts(p.b, [])])"],
    ['raw: "{a}", type: text/csv', 'body: raw(p.a, "text/csv")'],
    ['raw: "x{a}", type: "text/{a}"', 'body: raw(text("x", p.a), text("text/", p.a))'],
    ["raw: x", 'body: raw("x", "text/plain; charset=utf-8")'],
  ])("emits code for { %s }", async (body, code) => {
    const unused = ["a", "b"].filter((name) => !body.includes(`{${name}}`));
    const yaml = tool(`  body: { ${body} }`).replace(
      "unused: [a, b]",
      `unused: [${unused.join(", ")}]`,
    );
    expect((await httpModule(yaml)).binding.replace(/\s+/g, " ")).toContain(code);
  });

  it("sends nothing with `body: none`, and reports a parameter without a use", async () => {
    const none = tool("  body: none");
    expect((await httpModule(none)).binding).not.toContain("body");
    const lines = httpTool(none.replace("unused: [a, b]", "unused: [b]")).lines.join("\n");
    expect(lines).toContain("`a` has no effect: the binding never uses it");
    expect(faults("  body: nothing").join("\n")).toContain("http/bad-body");
  });

  it.each<[body: string, line: string]>([
    [
      '{ x: "{a}" }',
      "6:11 http/bad-body [x] `body` has none of the keys `json`, `form`, `multipart` and `raw` (write `body: { json: … }`, or use `form`, `multipart` or `raw` instead of `json`)",
    ],
    [
      "{ json: 1, form: {} }",
      "6:20 http/bad-body [form] the body is already sent as `json` (keep one of the two)",
    ],
    [
      "{ json: 1, type: text/plain }",
      "6:20 http/bad-body [type] `type` is not a key beside `json` (remove it)",
    ],
    [
      '{ form: "{a}" }',
      "6:18 http/bad-body [{a}] `a` may be text, but the fields of a form are an object (declare `type: object`, or write the fields by name)",
    ],
    ...["x", "x{a}", "{a}{a}"].map((text): [string, string] => [
      `{ form: "${text}" }`,
      `6:17 http/bad-body ["${text}"] the form has neither fields by name nor one parameter that holds them (write \`form: { name: "{name}" }\`, or \`form: "{fields}"\` for a parameter that is an object)`,
    ]),
    [
      '{ multipart: {}, fields: "{a}" }',
      "6:35 http/bad-body [{a}] `a` may be text, but the fields of a form are an object (declare `type: object`, or write the fields by name)",
    ],
    ...["x", "x{a}", "{a}{a}"].map((text): [string, string] => [
      `{ multipart: {}, fields: "${text}" }`,
      `6:34 http/bad-body ["${text}"] \`fields\` is not one parameter (write \`fields: "{fields}"\` for a parameter that is an object)`,
    ]),
    [
      '{ form: {}, fields: "{b}" }',
      "6:21 http/bad-body [fields] `fields` is not a key beside `form` (remove it)",
    ],
    ['{ raw: "{b}" }', expect.stringMatching(/^6:1[0-9] http\/not-a-scalar/) as string],
    [
      '{ raw: x, type: "a\\nb" }',
      expect.stringMatching(/^6:2[0-9] http\/bad-header-value/) as string,
    ],
  ])("reports %s", (body, line) => {
    expect(faults(`  body: ${body}`)).toEqual([line]);
  });

  it.each([
    ["pdf", "application/pdf"],
    [".jpg", "image/jpeg"],
    ["text", "text/plain"],
    ["CSV", "text/csv"],
    ["a b/c", "application/pdf"],
  ])("reports the media type %s and suggests %s", (type, meant) => {
    const message = `http/bad-media-type [${type}] \`${type}\` is not a media type (write a type and a subtype: \`${meant}\`)`;
    expect(faults(`  body: { raw: x, type: ${type} }`)).toEqual([`6:25 ${message}`]);
    expect(faults(`  body: { multipart: { f: { text: x, type: ${type} } } }`)).toEqual([
      `6:44 ${message}`,
    ]);
  });

  it.each(["application/vnd.a+json; v=1", "'{a}'", "'{a}/plain'", "'${TYPE}'"])(
    "accepts the media type %s of a raw body",
    (type) => {
      expect(faults(`  body: { raw: x, type: ${type} }`)).toEqual([]);
    },
  );

  it("rejects a second form of the body: `body_template`, or a content type of another form", () => {
    expect(faults("  body: { json: 1 }", "  body_template: 1")).toEqual([
      "7:3 http/bad-body [body_template] the body is given twice: `body_template` means `body: { json: … }` (keep one of the two)",
    ]);
    expect(faults("  body: { form: {} }", "  headers: { Content-Type: text/plain }")).toEqual([
      "7:28 http/content-type [text/plain] the body is sent as `form`, which sets the content type itself (remove the header)",
    ]);
  });
});
