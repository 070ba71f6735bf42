import type { DiagnosticEntries, ProjectFiles } from "../../core/diagnostic-entry.js";
import { bound, entry, inFrontMatter, skill, tool } from "./examples.js";

const tools = tool("customer_id: string");
const withSchema = tool("parameters: { type: object }");

/** A tool that sends a file as its body. */
function uploading(schema: string): readonly string[] {
  return tool(
    `scan: ${schema}`,
    "binding:",
    "  type: http",
    "  method: POST",
    "  url: https://api.example.com/scans",
    '  body: { raw: "{scan}" }',
  );
}

/** A tool whose message has the schema in this file. */
function announced(schema: string, file: string): ProjectFiles {
  const binding = [
    "type: queue",
    "provider: kafka",
    "connection: ${ORDER_EVENTS}",
    "topic: orders.created",
    "format: avro",
    `schema: ${schema}`,
  ];
  return {
    ...skill(...tool("customer_id: string", "binding:", ...binding.map((line) => `  ${line}`))),
    [file]:
      '{"type": "record", "name": "Order", "fields": [{"name": "customer_id", "type": "string"}]}\n',
  };
}

/** Entries of codes about a skill as a whole, and the files that it names. */
export const skillDiagnosticEntries: DiagnosticEntries = {
  "skill/not-portable": entry(
    "warning",
    "a skill that other loaders may reject",
    "The Agent Skills specification allows only these keys: `name` (lower-case letters, digits and single hyphens; the same as the folder), `description` (1 " +
      "to 1024 characters), `license`, `compatibility` (1 to 500 characters), `metadata` (text values only) and `allowed-tools` (text). skillc accepts more " +
      "keys, but a loader that follows the specification may reject the skill. To keep SKILL.md portable, put tools and settings into metadata.yaml " +
      "beside it. skillc reports this once for each skill, with every key. `--strict` makes this an error.",
    inFrontMatter(...tools),
    tools,
  ),
  "skill/tools-declared-twice": entry(
    "error",
    "tools in two places",
    "A skill declares its tools in one place. In the front matter, this is `metadata.tools_schema`, `tools_schema`, `metadata.tools` or `tools`. In " +
      "metadata.json or metadata.yaml, it is `tools_schema` or `tools`. If there are two, skillc cannot know which one you mean.",
    { ...skill(...tools), ...inFrontMatter(...tools) },
    tools,
  ),
  "skill/tools-not-a-mapping": entry(
    "error",
    "tools that are not a mapping",
    "`tools` and `tools_schema` map the name of each tool to its declaration. To list the tools that a skill may use, write `allowed-tools`.",
    inFrontMatter("tools: Read, Write"),
    inFrontMatter("allowed-tools: Read Write"),
  ),
  "skill/misplaced-tools": entry(
    "error",
    "tools under the wrong key",
    "skillc looks for tools under `tools_schema` or `tools`, at the top level of the front matter or in its `metadata`. It does not read tools under another " +
      "key, or beside these keys. The skill would have no tools.",
    withSchema.map((line) => line.replace(/^tools_schema:/, "tool_schema:")),
    withSchema,
  ),
  "skill/declared-twice": entry(
    "error",
    "a setting in two places",
    "`risk_level`, `prerequisites`, `requires_confirmation` and `accept` each stand in one place: at the top level of the front matter, in its `owlclaw:` " +
      "block, or at the top level of metadata.json or metadata.yaml. If there are two values, skillc cannot know which one you mean.",
    { ...skill("risk_level: high"), ...inFrontMatter("owlclaw:", "  risk_level: low") },
    ["risk_level: high"],
  ),
  "skill/unknown-key": entry(
    "error",
    "an unknown key under `prerequisites`",
    "`prerequisites` has the keys `env`, `bins`, `config` and `os`. A misspelt key would require nothing.",
    [...tool(), "prerequisites:", "  bin: [jq]"],
    [...tool(), "prerequisites:", "  bins: [jq]"],
  ),
  "skill/wrong-type": entry(
    "error",
    "a setting of the wrong type",
    'skillc never converts a value to another type. A list with one name is still a list, and `"true"` is text.',
    [...tool(), "prerequisites:", "  env: ORDERS_TOKEN"],
    [...tool(), "prerequisites:", "  env: [ORDERS_TOKEN]"],
  ),
  "skill/wrong-value": entry(
    "error",
    "a setting with a value that is not allowed",
    "`risk_level` is `low`, `medium`, `high` or `critical`. The words of tool hubs work too: `read`, `exec_low`, `exec_high` and `write`. `os` lists systems " +
      "by the names of Node's `process.platform`.",
    [...tool(), "risk_level: hihg"],
    [...tool(), "risk_level: high"],
  ),
  "skill/misspelt-setting": {
    ...entry(
      "error",
      "a key that is almost the name of a setting",
      "A misspelt setting has no effect: nobody confirms a call, the risk stays `medium`, or no credential is sent. Beside tools, skillc takes a key for a " +
        "setting if it differs only in case, hyphens, underscores or the plural, if one letter of a long name is wrong, or if it is another word for the setting " +
        "(`authentication`). If the key belongs to another program, accept the code and give a reason.",
      [...tool(), "requires_confirmaton: true"],
      [...tool(), "requires_confirmation: true"],
    ),
    acceptable: true,
  },
  "skill/misplaced-setting": {
    ...entry(
      "error",
      "a skill with a setting of a tool or of the project",
      "Authorization, approval, limits, shadow mode and `governance` are settings of one tool, under its `governance` or `binding`, or of skillc.yaml. skillc " +
        "does not read them on a skill, so calls would be made without them. It reports a key only if the setting would take its value. If the key belongs to " +
        "another program, accept the code and give a reason.",
      [...tool(), "scopes: [orders.write]"],
      tool("governance: { scopes: [orders.write] }"),
    ),
    acceptable: true,
  },
  "skill/doubtful-setting": entry(
    "warning",
    "a key that may be meant as a setting",
    "The key has no effect, and it may be meant as a setting. Beside tools, skillc reports four cases: the key is two letters away from a setting's name, is " +
      "a common word for a setting (`risk: high`), is a setting inside a mapping that skillc does not read (`metadata`), or is a setting of tools " +
      "(`timeout_ms`) on the skill. If the key belongs to another program, accept the code and give a reason.",
    [...tool(), "risk: high"],
    [...tool(), "risk_level: high"],
  ),
  "skill/foreign-key": entry(
    "info",
    "a key that belongs to another program",
    "skillc leaves the key alone. Unknown keys of the `owlclaw:` block are for another runtime, and metadata.json or metadata.yaml may hold data of other " +
      "publishers.",
    inFrontMatter("owlclaw:", "  focus: orders"),
    inFrontMatter("owlclaw:", "  risk_level: low"),
  ),
  "skill/ignored-key": entry(
    "info",
    "a key that has no effect",
    "`prerequisites.python_packages` lists the packages of a Python runtime. Generated tools run in Node, so the key has no effect.",
    ["prerequisites:", "  python_packages: [requests]"],
    ["prerequisites:", "  env: [ORDERS_TOKEN]"],
  ),
  "file/outside-skills": entry(
    "error",
    "a file outside the skills folder",
    "A skill names a file relative to its own folder, and the file must be below the skills folder. skillc never reads an absolute path, a URL, or a path " +
      "that leads out of the skills folder.",
    tool("parameters:", "  $ref: ../../order.json"),
    {
      ...skill(...tool("parameters:", "  $ref: ./order.json")),
      "skills/order-desk/order.json": '{"type": "object"}\n',
    },
  ),
  "file/not-in-skill": entry(
    "error",
    "a file outside the skill's own folder",
    "The schema of a message, and the imports of a Protobuf file, must be below the skill's own folder, and no link to a file elsewhere. Another skill may " +
      "change, move or lose its files. Only the `$ref` of a JSON Schema may refer to any file below the skills folder.",
    announced("../shared/order.avsc", "skills/shared/order.avsc"),
    announced("./order.avsc", "skills/order-desk/order.avsc"),
  ),
  "file/not-found": entry(
    "error",
    "a file that does not exist",
    "The skill names a file that does not exist. skillc compares names exactly, including letter case, so that the skill works on every system.",
    tool("parameters:", "  $ref: ./order.json"),
    {
      ...skill(...tool("parameters:", "  $ref: ./order.json")),
      "skills/order-desk/order.json": '{"type": "object"}\n',
    },
  ),
};

/** Entries of codes about a tool's own keys and its parameters. */
const toolDiagnosticEntries: DiagnosticEntries = {
  "tool/not-a-mapping": entry(
    "error",
    "a tool that is not a mapping",
    "The name of a tool is a key. Its value is a mapping with the description, the parameters and the binding.",
    [...tool(), "  cancel-order: Cancel an order."],
    [...tool(), "  cancel-order: { description: Cancel an order. }"],
  ),
  "tool/unknown-key": entry(
    "error",
    "a key that is neither a key of tools nor a parameter",
    "In the short form, each key that tools do not have declares a parameter. Its value is a type name, or a mapping with `type` or `enum`. This key has " +
      "another value, so it is probably misspelt. If a tool has `parameters`, no other key declares a parameter.",
    tool("parametrs:", "  properties: { customer_id: { type: string } }"),
    tool("parameters:", "  type: object", "  properties: { customer_id: { type: string } }"),
  ),
  "tool/unknown-type": entry(
    "error",
    "a parameter of an unknown type",
    "The types of the short form are those of JSON Schema: `string`, `number`, `integer`, `boolean`, `array` and `object`. For an optional parameter, put " +
      "`?` after its name: `note?: string`. A `sql` tool may omit the type; the parameter then has the type that the database takes.",
    tool("total: float"),
    tool("total: number"),
  ),
  "tool/required-flag": entry(
    "error",
    "`required` inside a parameter",
    "In the short form every parameter is required, unless its name ends in `?` or it has a default. In JSON Schema `required` is a list of names beside " +
      "`properties`. Inside one parameter it means nothing.",
    tool("note: { type: string, required: false }"),
    tool("note?: { type: string }"),
  ),
  "tool/bad-file": entry(
    "error",
    "a file that is declared incorrectly",
    "`x-skillc-file: true` makes a parameter a file, or each item of a parameter that is a list. Only `type: object` and a description may stand beside it. " +
      "skillc reads the mark nowhere else: not inside another value, not behind a `$ref`, and not in `returns`.",
    uploading("{ type: object, x-skillc-file: true, default: { path: scan.png } }"),
    uploading("{ type: object, x-skillc-file: true }"),
  ),
  "tool/parameter-twice": entry(
    "error",
    "a parameter declared twice",
    "`note` and `note?` are the same parameter. The first is required and the second is optional, so skillc cannot know which one you mean.",
    tool("note: string", "note?: string"),
    tool("note?: string"),
  ),
  "tool/parameters-twice": entry(
    "error",
    "`params` beside `parameters`",
    "`params` is another name for `parameters`. If a tool has both, skillc cannot know which one you mean.",
    tool("parameters: { type: object }", "params: { type: object }"),
    tool("parameters: { type: object }"),
  ),
  "tool/parameters-not-object": entry(
    "error",
    "parameters that are not an object",
    "Callers and models pass parameters by name. So the schema under `parameters` needs `type: object` at its top.",
    tool("parameters:", "  properties: { customer_id: { type: string } }"),
    tool("parameters:", "  type: object", "  properties: { customer_id: { type: string } }"),
  ),
  "tool/wrong-type": entry(
    "error",
    "a key of a tool with a value of the wrong type",
    'skillc never converts a value to another type. A version is text, tags are a list, and `"true"` is not `true`.',
    tool("version: 1.0"),
    tool('version: "1.0"'),
  ),
  "tool/wrong-value": entry(
    "error",
    "a key of a tool with a value that is not allowed",
    "`risk_level` is `low`, `medium`, `high` or `critical`. The words of tool hubs work too: `read`, `exec_low`, `exec_high` and `write`. Under " +
      "`governance`, a duration is a whole number with a unit (`15m`) or a number of milliseconds, and a size is a whole number with a unit (`64KiB`) or a " +
      "number of bytes. Neither may be 0.",
    tool("risk_level: hihg"),
    tool("risk_level: high"),
  ),
};

const url = "url: https://orders.example.com/orders/{order_id}";
const get = ["type: http", "method: GET", url];

const post = (...lines: readonly string[]) =>
  tool(
    "customer_id: string",
    "binding:",
    "  type: http",
    "  method: POST",
    "  url: https://orders.example.com/orders",
    ...lines.map((line) => `  ${line}`),
  );

/** Entries of codes about the common keys of bindings. */
const bindingDiagnosticEntries: DiagnosticEntries = {
  "binding/unknown-type": entry(
    "error",
    "a binding of an unknown type",
    "`type` names a binding kind: one that ships with skillc, or one that `bindings:` in skillc.yaml adds.",
    bound("type: htpp", "method: GET", url),
    bound(...get),
  ),
  "binding/reserved-type": entry(
    "error",
    "a binding of a reserved type",
    "skillc reserves this type for a binding kind that does not exist yet. Until then, remove the binding: the tool is then a handler, a function that your " +
      "application supplies.",
    bound("type: grpc", "method: GetOrder"),
    tool("order_id: string"),
  ),
  "binding/missing-key": entry(
    "error",
    "a binding without a required key",
    "A binding of this type needs the key. Without the key, no call can be made.",
    bound("type: http", "method: GET", 'query: { id: "{order_id}" }'),
    bound(...get),
  ),
  "binding/unknown-key": entry(
    "error",
    "an unknown key in a binding",
    "A misspelt key would have no effect, and nobody would notice. So skillc rejects every unknown key.",
    bound(...get, "timeout: 500"),
    bound(...get, "timeout_ms: 500"),
  ),
  "binding/rounded-integer": {
    ...entry(
      "error",
      "an integer in a binding that a number cannot hold",
      "JavaScript numbers are doubles. An integer above 9007199254740991 may be read as one of its neighbours, and the call would send the neighbour. Digits " +
        "in quotes are exact.",
      bound(...get, "query: { account: 9007199254740993 }"),
      bound(...get, 'query: { account: "9007199254740993" }'),
    ),
    replaces: "parse/unsafe-integer",
  },
  "binding/wrong-type": entry(
    "error",
    "a value of the wrong type in a binding",
    'skillc never converts a value to another type: `"500"` is text, not a number. In YAML, `{name}` without quotes is a mapping with the key `name`. A ' +
      "placeholder is text, so put it in quotes.",
    bound(...get, 'timeout_ms: "500"'),
    bound(...get, "timeout_ms: 500"),
  ),
  "binding/wrong-value": entry(
    "error",
    "a key of a binding with a value that is not allowed",
    "The key accepts certain values, or values in a certain range. `mode` is `active`, or `shadow` if the type supports it. `timeout_ms` is between 1 and " +
      "86400000 (a day), and `retry.max_attempts` is between 1 and 10.",
    bound(...get, "mode: shadwo"),
    bound(...get, "mode: shadow"),
  ),
  "retry/unsafe-write": entry(
    "error",
    "a retry that may repeat a write",
    "If no answer arrives, nobody knows whether the write happened. A second attempt may then do the same work twice. A repeat is harmless if the method " +
      "guarantees it (PUT, DELETE), if the call has an idempotency key, or if the author says so (`idempotency: natural`).",
    post("retry: { max_attempts: 3 }"),
    post("retry: { max_attempts: 3 }", "idempotency: natural"),
  ),
};

/** Entries of all codes of the `resolve` stage. */
export const resolveDiagnosticEntries: DiagnosticEntries = {
  ...skillDiagnosticEntries,
  ...toolDiagnosticEntries,
  ...bindingDiagnosticEntries,
};
