import type { DiagnosticEntries, ProjectFiles } from "../../core/diagnostic-entry.js";
import { bound, entry, skill, tool } from "./examples.js";

const tools = tool("customer_id: string");
const toolsJson = (key: string) =>
  `{"${key}": {"create-order": {"description": "Create an order.", "customer_id": "string"}}}\n`;

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

/** A tool whose message has that schema, in that file. */
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
    "skills/order-desk/SKILL.md": skill(
      ...tool("customer_id: string", "binding:", ...binding.map((line) => `  ${line}`)),
    ),
    [file]:
      '{"type": "record", "name": "Order", "fields": [{"name": "customer_id", "type": "string"}]}\n',
  };
}

/** Codes about a skill as a whole, and the files that it names. */
export const skillDiagnosticEntries: DiagnosticEntries = {
  "skill/not-portable": entry(
    "warning",
    "a skill that other loaders may refuse",
    "The Agent Skills specification allows the keys `name` (lower-case letters, digits and single hyphens, the folder's name), " +
      "`description` (1 to 1024 characters), `license`, `compatibility` (1 to 500), `metadata` (texts only) and `allowed-tools` (a text). " +
      "skillc reads more than that, and takes the skill as it is; another loader that keeps to the specification may not. It is told once a skill, with every key. `--strict` makes this an error. Tools and settings " +
      "that stand in metadata.json or metadata.yaml leave SKILL.md portable.",
    tools,
    {
      "skills/order-desk/SKILL.md": skill(),
      "skills/order-desk/metadata.json": toolsJson("tools_schema"),
    },
  ),
  "skill/tools-declared-twice": entry(
    "error",
    "tools in two places",
    "A skill's tools stand in one place: `metadata.tools_schema`, `tools_schema`, `metadata.tools` or `tools` of the front matter, or " +
      "`tools_schema` or `tools` of metadata.json or metadata.yaml. With two, nothing says which one holds.",
    {
      "skills/order-desk/SKILL.md": skill(...tools),
      "skills/order-desk/metadata.json": toolsJson("tools"),
    },
    tools,
  ),
  "skill/tools-not-a-mapping": entry(
    "error",
    "tools that are no mapping",
    "`tools` and `tools_schema` map the name of each tool to its declaration. What a skill may use is listed in `allowed-tools`.",
    ["tools: Read, Write"],
    ["allowed-tools: Read Write"],
  ),
  "skill/misplaced-tools": entry(
    "error",
    "tools under a key that is not theirs",
    "Tools stand under `tools_schema` or `tools`, at the top level of the front matter or in its `metadata`. Under another key, or beside " +
      "those, nobody looks for them, and the skill would have none.",
    tools.map((line) => line.replace(/^tools:/, "tool:")),
    tools,
  ),
  "skill/declared-twice": entry(
    "error",
    "a setting in two places",
    "`risk_level`, `prerequisites`, `requires_confirmation` and `accept` each stand in one place: at the top level of the front matter, in its " +
      "`owlclaw:` block, or at the top level of metadata.json or metadata.yaml.",
    ["risk_level: high", "owlclaw:", "  risk_level: low"],
    ["risk_level: high"],
  ),
  "skill/unknown-key": entry(
    "error",
    "an unknown key among the prerequisites",
    "`prerequisites` has the keys `env`, `bins`, `config` and `os`. A misspelt one would ask for nothing.",
    ["prerequisites:", "  bin: [jq]"],
    ["prerequisites:", "  bins: [jq]"],
  ),
  "skill/wrong-type": entry(
    "error",
    "a setting of the wrong type",
    'Values are never converted: a list of one name is still a list, and `"true"` is text.',
    ["prerequisites:", "  env: ORDERS_TOKEN"],
    ["prerequisites:", "  env: [ORDERS_TOKEN]"],
  ),
  "skill/wrong-value": entry(
    "error",
    "a setting with a value that it can't have",
    "`risk_level` is `low`, `medium`, `high` or `critical`, or `read`, `exec_low`, `exec_high` or `write`, as tool hubs say; `os` lists systems as Node's `process.platform` names them.",
    ["risk_level: hihg"],
    ["risk_level: high"],
  ),
  "skill/misspelt-setting": {
    ...entry(
      "error",
      "a key that is nearly a setting's name",
      "A misspelt setting has no effect: nobody is asked before a call, the risk stays `medium`, or no credential is sent. Beside tools, a key is taken for a setting if it differs only in case, hyphens, underscores or the plural, " +
        "if one letter of a long name is wrong, or if it is another word for the setting (`authentication`). Keys of other programs may stay: accept the code with a reason.",
      [...tool(), "requires_confirmaton: true"],
      [...tool(), "requires_confirmation: true"],
    ),
    acceptable: true,
  },
  "skill/misplaced-setting": {
    ...entry(
      "error",
      "a setting of a tool or of the project at a skill",
      "Authorization, approval, limits, shadow mode and `governance` are settings of one tool, of its `governance` or `binding`, or of skillc.yaml. On a skill, beside its tools, nothing reads them: calls would be made without them. " +
        "A key counts only if its value is one that the setting takes. Keys of other programs may stay: accept the code with a reason.",
      [...tool(), "scopes: [orders.write]"],
      tool("governance: { scopes: [orders.write] }"),
    ),
    acceptable: true,
  },
  "skill/doubtful-setting": entry(
    "warning",
    "a key that may be meant for a setting",
    "Beside tools, the key is two letters away from a setting's name, is an ordinary word for one (`risk: high`), is a setting inside a mapping that skillc does not read (`metadata`), or is a setting of tools (`timeout_ms`) that stands on the skill. The setting has no effect. " +
      "If the key belongs to another program, accept the code with a reason.",
    [...tool(), "risk: high"],
    [...tool(), "risk_level: high"],
  ),
  "skill/foreign-key": entry(
    "info",
    "a key that belongs to someone else",
    "Keys of the `owlclaw:` block that skillc doesn't know mean something to another runtime, as does what other publishers keep in " +
      "metadata.json or metadata.yaml. They are left alone.",
    ["owlclaw:", "  focus: orders"],
    ["owlclaw:", "  risk_level: low"],
  ),
  "skill/ignored-key": entry(
    "info",
    "a key without effect",
    "`prerequisites.python_packages` says what a Python runtime needs. Generated tools run in Node.",
    ["prerequisites:", "  python_packages: [requests]"],
    ["prerequisites:", "  env: [ORDERS_TOKEN]"],
  ),
  "file/outside-skills": entry(
    "error",
    "a file outside of the skills folder",
    "A skill names files relative to its own folder, and stays below the skills folder. Absolute paths, URLs and paths that climb out of it " +
      "are never read.",
    tool("parameters:", "  $ref: ../../order.json"),
    {
      "skills/order-desk/SKILL.md": skill(...tool("parameters:", "  $ref: ./order.json")),
      "skills/order-desk/order.json": '{"type": "object"}\n',
    },
  ),
  "file/not-in-skill": entry(
    "error",
    "a file outside of the skill's own folder",
    "The schema of a message, and what a Protobuf file imports, belong to the skill: they are below its own folder, and no link to a file that is elsewhere. Another skill may change, move or lose " +
      "its files. What a JSON Schema refers to with `$ref` may be anywhere below the skills folder.",
    announced("../shared/order.avsc", "skills/shared/order.avsc"),
    announced("./order.avsc", "skills/order-desk/order.avsc"),
  ),
  "file/not-found": entry(
    "error",
    "a file that isn't there",
    "The skill names a file that does not exist. Names are compared exactly, letter case included, so that the skill works on every system.",
    tool("parameters:", "  $ref: ./order.json"),
    {
      "skills/order-desk/SKILL.md": skill(...tool("parameters:", "  $ref: ./order.json")),
      "skills/order-desk/order.json": '{"type": "object"}\n',
    },
  ),
};

/** Codes about a tool's own keys and its parameters. */
const toolDiagnosticEntries: DiagnosticEntries = {
  "tool/not-a-mapping": entry(
    "error",
    "a tool that is no mapping",
    "A tool's name stands before a mapping with its description, its parameters and its binding.",
    ["tools:", "  create-order: Create an order."],
    tool(),
  ),
  "tool/unknown-key": entry(
    "error",
    "a key that is neither a tool's nor a parameter",
    "Beside a tool's own keys, each key of the short form declares a parameter: by a type name, or by a mapping with `type` or `enum`. Anything else is " +
      "most likely a misspelling. With a full `parameters` no other key declares one.",
    tool("parametrs:", "  properties: { customer_id: { type: string } }"),
    tool("parameters:", "  type: object", "  properties: { customer_id: { type: string } }"),
  ),
  "tool/unknown-type": entry(
    "error",
    "a parameter of an unknown type",
    "The types of the short form are JSON Schema's: `string`, `number`, `integer`, `boolean`, `array`, `object`. An optional parameter is " +
      "marked at its name: `note?: string`. A `sql` tool may leave the type out: then it is what the database takes.",
    tool("total: float"),
    tool("total: number"),
  ),
  "tool/required-flag": entry(
    "error",
    "`required` inside a parameter",
    "In the short form every parameter is required unless `?` ends its name or it has a default. In JSON Schema `required` is a list of " +
      "names, beside `properties`.",
    tool("note: { type: string, required: false }"),
    tool("note?: { type: string }"),
  ),
  "tool/bad-file": entry(
    "error",
    "a file that can't be one",
    "`x-skillc-file: true` makes a file of a parameter, or of the items of one that is a list. It stands beside `type: object` and a description, and nothing else says something of a file. Inside another value, in a schema that " +
      "is referred to, and in what a tool returns nothing would read it.",
    uploading("{ type: object, x-skillc-file: true, default: { path: scan.png } }"),
    uploading("{ type: object, x-skillc-file: true }"),
  ),
  "tool/parameter-twice": entry(
    "error",
    "a parameter declared twice",
    "`note` and `note?` are the same parameter, once required and once optional.",
    tool("note: string", "note?: string"),
    tool("note?: string"),
  ),
  "tool/parameters-twice": entry(
    "error",
    "`params` beside `parameters`",
    "`params` is another name for `parameters`. With both, nothing says which one holds.",
    tool("parameters: { type: object }", "params: { type: object }"),
    tool("parameters: { type: object }"),
  ),
  "tool/parameters-not-object": entry(
    "error",
    "parameters that are no object",
    "Callers and models pass parameters by name, so the schema under `parameters` has `type: object` at its top.",
    tool("parameters:", "  properties: { customer_id: { type: string } }"),
    tool("parameters:", "  type: object", "  properties: { customer_id: { type: string } }"),
  ),
  "tool/wrong-type": entry(
    "error",
    "a key of a tool with a value of the wrong type",
    'Values are never converted: a version is text, tags are a list, `"true"` is not `true`.',
    tool("version: 1.0"),
    tool('version: "1.0"'),
  ),
  "tool/wrong-value": entry(
    "error",
    "a key of a tool with a value that it can't have",
    "`risk_level` is `low`, `medium`, `high` or `critical`, or `read`, `exec_low`, `exec_high` or `write`, as tool hubs say. Below `governance`, a " +
      "duration is a whole number with its unit (`15m`) or of milliseconds, and a size one with its unit (`64KiB`) or of bytes; neither is 0.",
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

/** Codes about what all bindings have in common. */
const bindingDiagnosticEntries: DiagnosticEntries = {
  "binding/unknown-type": entry(
    "error",
    "a binding of an unknown type",
    "`type` names a kind of binding: one that ships with skillc, or one that `bindings:` in skillc.yaml adds.",
    bound("type: htpp", "method: GET", url),
    bound(...get),
  ),
  "binding/reserved-type": entry(
    "error",
    "a binding of a reserved type",
    "The type is kept for a kind of binding that does not exist yet. Until it does, the tool can be a handler: a function that the " +
      "application supplies.",
    bound("type: grpc", "method: GetOrder"),
    tool("order_id: string"),
  ),
  "binding/missing-key": entry(
    "error",
    "a binding without a key that it needs",
    "A binding of this type can't work without the key.",
    bound("type: http", "method: GET", 'query: { id: "{order_id}" }'),
    bound(...get),
  ),
  "binding/unknown-key": entry(
    "error",
    "a key that the binding doesn't have",
    "A misspelt key would silently change nothing, so it is an error.",
    bound(...get, "timeout: 500"),
    bound(...get, "timeout_ms: 500"),
  ),
  "binding/rounded-integer": {
    ...entry(
      "error",
      "an integer in a binding that a number can't hold",
      "Numbers are doubles: an integer above 9007199254740991 may be read as one of its neighbours, and the call would send that one. Digits in quotes are exact.",
      bound(...get, "query: { account: 9007199254740993 }"),
      bound(...get, 'query: { account: "9007199254740993" }'),
    ),
    replaces: "parse/unsafe-integer",
  },
  "binding/wrong-type": entry(
    "error",
    "a value of the wrong type in a binding",
    'Values are never converted: `"500"` is text, not a number. In YAML `{name}` without quotes is a mapping with the key `name`; a placeholder ' +
      "is text, so it has quotes.",
    bound(...get, 'timeout_ms: "500"'),
    bound(...get, "timeout_ms: 500"),
  ),
  "binding/wrong-value": entry(
    "error",
    "a value that a key of the binding can't have",
    "The key takes certain values, or values in a certain range: `mode` is `active` or `shadow` where the type knows both, `timeout_ms` is " +
      "between 1 and 86400000 (a day), `retry.max_attempts` between 1 and 10.",
    bound(...get, "mode: shadwo"),
    bound(...get, "mode: shadow"),
  ),
  "retry/unsafe-write": entry(
    "error",
    "a write that may be repeated and should not be",
    "When no answer comes, nobody knows whether a write did its work. A second attempt may then do it twice, unless repeating is harmless: by " +
      "the protocol (PUT, DELETE), by an idempotency key, or by the author's word (`idempotency: natural`).",
    post("retry: { max_attempts: 3 }"),
    post("retry: { max_attempts: 3 }", "idempotency: natural"),
  ),
};

/** Every code that giving a skill's documents their meaning can report. */
export const resolveDiagnosticEntries: DiagnosticEntries = {
  ...skillDiagnosticEntries,
  ...toolDiagnosticEntries,
  ...bindingDiagnosticEntries,
};
