import { expect, test } from "vitest";
import type { ProjectFiles } from "../../../src/core/diagnostic-entry.js";
import { desk, resolveProject } from "./skill-project.js";

async function codes(files: ProjectFiles): Promise<readonly string[]> {
  const { diagnostics } = await resolveProject(files);
  return diagnostics
    .filter(({ code }) => code.endsWith("-integer"))
    .map(({ code, severity }) => `${severity} ${code}`);
}

const put = (...lines: readonly string[]) =>
  desk("tools:", "  put:", "    description: Put it.", ...lines.map((line) => `    ${line}`));
const binding = (line: string) =>
  put(
    "id: string",
    "binding:",
    "  type: http",
    "  method: POST",
    "  url: 'https://a.example/{id}'",
    `  ${line}`,
  );

test.each([
  "query: { account: 9007199254740993 }",
  "query: { account: 9007199254740993.0 }",
  "body: { json: { account: 9.007199254740993e15 } }",
  "body: { json: { accounts: [{ id: 0x20000000000001 }] } }",
  "body: { json: { maximum: 9007199254740993 } }",
  "body_template: { account: -9007199254740993 }",
])("a rounded integer that a binding would send is an error: %s", async (line) => {
  expect(await codes(binding(line))).toEqual(["error binding/rounded-integer"]);
});

test.each([
  "default: 9007199254740993",
  "const: 9007199254740993.0",
  "enum: [1, 9.007199254740993e15]",
  "enum: [[9007199254740993]]",
])("a rounded integer in a parameter's schema is an error: %s", async (line) => {
  expect(await codes(put(`id: { type: number, ${line} }`))).toEqual([
    "error schema/rounded-integer",
  ]);
});

test.each(["minimum", "maximum", "multipleOf", "exclusiveMaximum", "x-note"])(
  "a rounded integer under %s is a warning: no call's integer is beyond it",
  async (keyword) => {
    const line = `id: { type: number, ${keyword}: 9223372036854775807 }`;
    expect(await codes(put(line))).toEqual(["warning parse/unsafe-integer"]);
  },
);

test("a schema in a binding may round its bounds, and not its values", async () => {
  const schema = (line: string) => `response_schema: { type: number, ${line} }`;
  expect(await codes(binding(schema("maximum: 9223372036854775807")))).toEqual([
    "warning parse/unsafe-integer",
  ]);
  expect(await codes(binding(schema("const: 9223372036854775807")))).toEqual([
    "error schema/rounded-integer",
  ]);
  const status = (line: string) =>
    `response_mapping: { status_codes: { "404": { as: gone, schema: { type: number, ${line} } } } }`;
  expect(await codes(binding(status("maximum: 9223372036854775807")))).toEqual([
    "warning parse/unsafe-integer",
  ]);
});

test("a rounded default in a file beside the skill is an error", async () => {
  const files = {
    ...put("parameters: { type: object, properties: { id: { $ref: ./id.json } } }"),
    "skills/desk/id.json": '{"type": "number", "default": 9007199254740993}',
  };
  expect(await codes(files)).toEqual(["error schema/rounded-integer"]);
});

test("a rounded integer in another program's metadata stays a warning", async () => {
  expect(await codes(desk("metadata: { account: 9007199254740993.0 }"))).toEqual([
    "warning parse/unsafe-integer",
  ]);
});

test.each([
  "query: { a: 9007199254740992 }",
  "query: { a: 0.1 }",
  'query: { a: "9007199254740993" }',
])("a literal that is sent unchanged causes no error: %s", async (line) => {
  expect(await codes(binding(line))).toEqual([]);
});
