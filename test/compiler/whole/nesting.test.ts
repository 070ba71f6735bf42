/** Everything that is read by functions that call themselves: deep input is refused at its place, or read. */
import { expect, test } from "vitest";
import { compileFiles } from "../../support/compile.js";

const head = "---\nname: s\ndescription: One.\n---\n";
const http = "{ type: http, method: POST, url: 'https://a.example.com/x' }";

function metadata(parameter: string, binding = http): Readonly<Record<string, string>> {
  const tool = `{ description: T., ${parameter}, binding: ${binding} }`;
  return { "skills/s/SKILL.md": head, "skills/s/metadata.yaml": `tools: { t: ${tool} }\n` };
}

function pattern(open: string, close: string, depth: number) {
  return metadata(`x: { type: string, pattern: "${open.repeat(depth)}a${close.repeat(depth)}" }`);
}

function json(text: string) {
  return { "skills/s/SKILL.md": head, "skills/s/metadata.json": text };
}

function schema(open: string, close: string, depth: number) {
  const nested = `${open.repeat(depth)}{"type":"string"}${close.repeat(depth)}`;
  const parameters = `{"type":"object","properties":{"x":${nested}}}`;
  const binding = '{"type":"http","method":"POST","url":"https://a.example.com/x"}';
  return json(
    `{"tools":{"t":{"description":"T.","parameters":${parameters},"binding":${binding}}}}`,
  );
}

function references(depth: number) {
  const names = Array.from({ length: depth }, (_, at) => `"d${at}":{"$ref":"#/$defs/d${at + 1}"}`);
  const definitions = `{${names.join(",")},"d${depth}":{"type":"string"}}`;
  const parameters = `{"type":"object","properties":{"x":{"$ref":"#/$defs/d0"}},"$defs":${definitions}}`;
  return json(`{"tools":{"t":{"description":"T.","parameters":${parameters}}}}`);
}

function jsonPath(path: string) {
  const binding = `{ type: http, method: GET, url: 'https://a.example.com/{x}', response_mapping: { path: "${path}" } }`;
  return metadata("x: string", binding);
}

function message(format: string, file: string, text: string) {
  const binding = `{ type: queue, provider: kafka, connection: "\${K}", topic: t, format: ${format}, schema: ./${file} }`;
  return { ...metadata("x: string", binding), [`skills/s/${file.replace(/#.*/, "")}`]: text };
}

function avro(depth: number) {
  const nested = `${'{"type":"array","items":'.repeat(depth)}"string"${"}".repeat(depth)}`;
  const record = `{"type":"record","name":"R","fields":[{"name":"x","type":${nested}}]}`;
  return message("avro", "a.avsc", record);
}

function protobuf(depth: number) {
  const open = Array.from({ length: depth }, (_, at) => `message M${at} { `).join("");
  const text = `syntax = "proto3";\n${open} string x = 1; ${"}".repeat(depth)}`;
  return message("protobuf", "a.proto#M0", text);
}

function policy(condition: string) {
  const text = `forbid(principal, action, resource) when { ${condition} };\n`;
  return { ...metadata("x: string"), "policies/a.cedar": text };
}

function statement(query: string) {
  const binding = `{ type: sql, connection: "\${DB}", query: "${query}" }`;
  return {
    ...metadata("x?: integer", binding),
    "skillc.yaml": "databases: { DB: { schema: [db.sql] } }\n",
    "db.sql": "create table a (x int);\n",
  };
}

/** Reader → a project that has it read something so deep, and what is reported then. */
const readers: Readonly<
  Record<string, [(depth: number) => Readonly<Record<string, string>>, code: string]>
> = {
  "groups of a pattern": [(depth) => pattern("(", ")", depth), "schema/invalid-pattern"],
  "lookaheads of a pattern": [(depth) => pattern("(?=", ")", depth), "schema/invalid-pattern"],
  "alternatives of a pattern": [(depth) => pattern("(?:a|", ")", depth), "schema/invalid-pattern"],
  "a pattern of properties": [
    (depth) =>
      metadata(
        `parameters: { type: object, patternProperties: { "${"(".repeat(depth)}a${")".repeat(depth)}": { type: string } } }`,
      ),
    "schema/invalid-pattern",
  ],
  "lists in YAML": [
    (depth) => metadata(`examples: ${"[".repeat(depth)}${"]".repeat(depth)}, x: string`),
    "parse/too-deep",
  ],
  "mappings in YAML": [
    (depth) => metadata("x: string", `${"{ a: ".repeat(depth)}1${" }".repeat(depth)}`),
    "parse/too-deep",
  ],
  "lists in JSON": [
    (depth) => json(`{"x":${"[".repeat(depth)}${"]".repeat(depth)}}`),
    "parse/too-deep",
  ],
  "items of a schema": [
    (depth) => schema('{"type":"array","items":', "}", depth),
    "parse/too-deep",
  ],
  "branches of a schema": [(depth) => schema('{"allOf":[', "]}", depth), "parse/too-deep"],
  "references of a schema": [references, "schema/too-large"],
  "a JSONPath": [
    (depth) => jsonPath(`$[?${"(".repeat(depth)}@.a${")".repeat(depth)}]`),
    "http/bad-json-path",
  ],
  "an Avro schema": [avro, "parse/too-deep"],
  "a Protobuf schema": [protobuf, "queue/bad-protobuf-schema"],
  "a policy": [
    (depth) => policy(`${"(".repeat(depth)}true${")".repeat(depth)}`),
    "policy/too-large",
  ],
  "a statement": [
    (depth) => statement(`select x from a where ${"not ".repeat(depth)} x = :x`),
    "sql/too-large",
  ],
};

test.each(Object.entries(readers))(
  "%s nested 1,400 and 5,000 levels deep is a diagnostic",
  async (_, [project, code]) => {
    for (const depth of [1400, 5000]) {
      const { diagnostics } = await compileFiles(project(depth));
      const errors = diagnostics.filter(({ severity }) => severity === "error");
      expect(errors.map((each) => each.code)).toContain(code);
      for (const { span } of errors) expect(span.file).not.toBe("");
    }
  },
  60_000,
);

test("a pattern of 100 levels is read, brackets in classes and escapes count for none", async () => {
  const project = pattern("(", ")", 100);
  expect((await compileFiles(project)).diagnostics.map(({ code }) => code)).not.toContain(
    "schema/invalid-pattern",
  );
  const classes = metadata(`x: { type: string, pattern: '${"[(]\\(".repeat(200)}' }`);
  expect((await compileFiles(classes)).diagnostics.map(({ code }) => code)).not.toContain(
    "schema/invalid-pattern",
  );
});
