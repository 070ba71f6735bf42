import type {
  DiagnosticEntries,
  DiagnosticEntry,
  ProjectFiles,
} from "../../core/diagnostic-entry.js";
import { exampleSkill } from "../../core/example-skill.js";
import { governanceDiagnosticEntries } from "./governance-diagnostics.js";
import { projectGovernanceDiagnosticEntries } from "./project-governance-diagnostics.js";
import { rollbackDiagnosticEntries } from "./rollback-diagnostics.js";

/** Entries of all codes of the rules for all tools. */
export const checkDiagnosticEntries: DiagnosticEntries = {
  ...governanceDiagnosticEntries,
  ...projectGovernanceDiagnosticEntries,
  ...rollbackDiagnosticEntries,
  "name/skill-twice": entry(
    "error",
    "two skills with the same name",
    "A skill's name is its key in the catalog, in the ledger and in the names of its handlers. Two skills with the same name could not be told apart.",
    { "skills/a/SKILL.md": skillFile("order-desk"), "skills/b/SKILL.md": skillFile("order-desk") },
    { "skills/a/SKILL.md": skillFile("order-desk"), "skills/b/SKILL.md": skillFile("stock-desk") },
  ),
  "name/bad-characters": entry(
    "error",
    "a name with characters that are not allowed",
    "Models accept names of ASCII letters, digits, `-` and `_`, and so do all file systems.",
    tools("create.order"),
    tools("create-order"),
  ),
  "name/reserved": entry(
    "error",
    "a name that is reserved",
    "A tool becomes an exported function and a file with its name. So a tool cannot have the name of a JavaScript keyword or of a Windows device. `then` is " +
      "reserved too, because JavaScript takes a module that exports `then` for a promise. No skill can be called `skillc`: the MCP server offers tools of its own under this name.",
    tools("delete"),
    tools("delete-order"),
  ),
  "tool/file-parameter": entry(
    "error",
    "a file parameter of a binding that sends no files",
    "Only HTTP bindings send files. A message, a SQL statement and a handler have no place for a file.",
    withFile("type: handler"),
    withFile(
      "type: http, method: POST, url: 'https://api.example.com/scans', body: { raw: '{scan}' }",
    ),
  ),
  "tool/unknown-aliased": entry(
    "error",
    "other names of an unknown parameter",
    "`param_aliases` lists other names of the tool's parameters. A planner uses them to find a value for a parameter. Under an unknown parameter, they would " +
      "have no effect.",
    withAliases("order"),
    withAliases("order_id"),
  ),
  "tool/unknown-rollback": entry(
    "error",
    "`rollback` names an unknown tool",
    "`rollback` names the tool that undoes a call: a tool of the same skill by its name, or a tool of another skill as `skill/tool`. With an unknown name, " +
      "no call could be undone.",
    withRollback("cancel-ordr"),
    withRollback("cancel-order"),
  ),
  "tool/needless-rollback": entry(
    "warning",
    "a rollback of a tool that only reads",
    "A read changes nothing, so there is nothing to undo. If the rollback is a leftover, remove it. If the call changes something, declare the tool as a " +
      "write: shadow mode sends reads, and the runtime repeats them after a failure.",
    withSearch("effect: read"),
    withSearch("effect: write"),
  ),
  "name/collision": entry(
    "error",
    "two names that become the same function or file",
    "`create-order`, `create_order` and `createOrder` all become the function `createOrder`. `getURL` and `geturl` become the same file on a file system " +
      "that ignores letter case.",
    tools("create-order", "create_order"),
    tools("create-order", "cancel-order"),
  ),
  "name/too-long": entry(
    "error",
    "a name that is too long for a model",
    "A model knows a tool by the skill's name, two underscores and the tool's name. Together they may have at most 64 characters.",
    tools("create-an-order-for-a-customer-and-reserve-what-is-in-stock"),
    tools("create-order-and-reserve"),
  ),
  "tool/model-schema": entry(
    "warning",
    "parameters that take too much of a model's context",
    "Every request to a model has the schemas of all offered tools. A schema of more than 64 KiB takes about 16,000 tokens in each request, and some APIs reject it. " +
      "`offerTools(catalog, { maxBytes })` offers less of such a schema: first without descriptions, then without the properties of optional objects. " +
      "If a model needs all of it, accept the warning with a reason.",
    nestedParameters(4),
    nestedParameters(2),
  ),
  "tool/blank-in-name": entry(
    "warning",
    "a property's name that begins or ends with a blank",
    "The blank is a part of the name. Callers and models would have to write the blank, and nobody sees it.",
    skill(
      "desk",
      "tools_schema:",
      "  get-order:",
      "    description: Get an order.",
      '    "order_id ": string',
    ),
    tools("get-order"),
  ),
  "binding/setting-twice": entry(
    "warning",
    "one setting as the address of two kinds of service",
    "A `${NAME}` has one value. The value cannot be the address of an HTTP API and of a database, or of two kinds of broker. Settings belong to the whole " +
      "project, so tools of other skills count too.",
    queues("stock", "${EVENTS}", "topic: stock"),
    queues("stock", "${STOCK}", "topic: stock"),
  ),
  "binding/two-encodings": entry(
    "warning",
    "two encodings for one destination",
    "A consumer of a topic, queue or stream expects one encoding. It would take a message in another encoding for a broken one.",
    queues("orders", "${EVENTS}", "topic: orders.created", "format: avro"),
    queues("orders", "${EVENTS}", "topic: orders.changed", "format: avro"),
  ),
  "tool/no-description": entry(
    "warning",
    "a tool without a description",
    "A model chooses a tool by its description. Without a description, the model knows only the name.",
    skill("desk", "tools_schema:", "  get-order:", "    order_id: string"),
    tools("get-order"),
  ),
  "binding/folded-comment": entry(
    "error",
    "a comment that continues on the next line",
    "YAML replaces a line break by a space in `>`, in quotes, and in plain text over several lines. A comment that should end with its line (`-- …` in SQL) " +
      "then continues, and the text below it never runs. A `DELETE`, for example, loses its `WHERE`. `|` keeps line breaks.",
    withQuery(">"),
    withQuery("|"),
  ),
  "credential/plaintext-secret": {
    ...entry(
      "error",
      "a secret in plain text",
      "Skills are committed, shared and read by models, so all of them know the secret. Write `${NAME}`: the runtime takes the value from the environment when " +
        "a call is made, and generated code never contains it. Replace a secret that was in a file. skillc recognizes a secret by its look, and in `auth` by its " +
        "place. If a text only looks like a secret, accept the code and give a reason.",
      withHeader("X-API-Key: 9f8Gk2LmQ4xT7vB1"),
      withHeader("X-API-Key: ${ORDERS_API_KEY}"),
    ),
    // A text that only looks like a secret may be an identifier.
    acceptable: true,
  },
  "credential/placeholder": entry(
    "warning",
    "a placeholder where a credential belongs",
    "The call would send the text literally. `YOUR_TOKEN` and similar texts are no credentials.",
    withHeader("Authorization: Bearer YOUR_TOKEN"),
    withHeader("Authorization: Bearer ${ORDERS_TOKEN}"),
  ),
  "credential/literal-origin": entry(
    "warning",
    "a credential that goes to an origin that the skill chooses",
    "`${NAME}` may be any variable of the environment, and a skill may send it to any address. skillc reports an origin if the variable also goes to another " +
      "origin, or if skillc.yaml has `capabilities` and none of them names the origin. Give each origin a credential of its own, or let a setting choose the origin. " +
      "`skillc check` and `skillc catalog` list where each credential goes.",
    {
      ...sending("desk", "https://orders.example.com"),
      ...sending("weather", "https://weather.example.net"),
    },
    sending("desk", "https://orders.example.com"),
  ),
  "credential/secrets-not-ignored": aboutProject(
    "warning",
    "secrets in a file that git does not ignore",
    "`secrets:` of skillc.yaml is for local development. If you commit the file, everybody who has the repository knows the secrets.",
    {
      "skillc.yaml": "skills: skills\nsecrets:\n  ORDERS_TOKEN: local\n",
      ...skill("desk"),
      ".gitignore": "node_modules/\n",
    },
    {
      "skillc.yaml": "skills: skills\nsecrets:\n  ORDERS_TOKEN: local\n",
      ...skill("desk"),
      ".gitignore": "node_modules/\nskillc.yaml\n",
    },
  ),
};

/** A skill whose tool sends `${ORDERS_TOKEN}` to an origin. */
function sending(name: string, origin: string): ProjectFiles {
  return exampleSkill(name, "Looks things up.", [
    "tools_schema:",
    "  get:",
    "    description: Get it.",
    "    binding:",
    "      type: http",
    "      method: GET",
    `      url: ${origin}/items`,
    "      headers: { Authorization: 'Bearer ${ORDERS_TOKEN}' }",
  ]);
}

/** A diagnostic about the whole project: no skill can accept it. */
function aboutProject(...about: Parameters<typeof entry>): DiagnosticEntry {
  return { ...entry(...about), acceptable: false };
}

function entry(
  severity: DiagnosticEntry["severity"],
  title: string,
  explanation: string,
  example: ProjectFiles,
  fixed: ProjectFiles,
): DiagnosticEntry {
  return { severity, title, explanation, example, fixed };
}

/** A skill with these lines in metadata.yaml. */
function skill(name: string, ...lines: readonly string[]): ProjectFiles {
  return exampleSkill(name, "Looks after orders.", lines);
}

/** A SKILL.md without tools. */
function skillFile(name: string): string {
  return `---\nname: ${name}\ndescription: Looks after orders.\n---\n`;
}

/** A tool whose parameters repeat an object eight times at each level. */
function nestedParameters(levels: number): ProjectFiles {
  const eight = (value: string) => [..."abcdefgh"].map((name) => `${name}: ${value}`).join(", ");
  const lines = Array.from({ length: levels }, (_, level) => {
    const value = level === 0 ? "{ type: string }" : `*level${level - 1}`;
    return `        level${level}: &level${level} { type: object, properties: { ${eight(value)} } }`;
  });
  return skill(
    "desk",
    "tools_schema:",
    "  save-order:",
    "    description: Saves an order.",
    "    parameters:",
    "      type: object",
    "      properties:",
    ...lines,
  );
}

function tools(...names: readonly string[]): ProjectFiles {
  const lines = names.flatMap((name) => [
    `  ${name}:`,
    "    description: Does what is asked.",
    "    order_id: string",
  ]);
  return skill("desk", "tools_schema:", ...lines);
}

/** Two skills that send messages: one to Kafka as JSON, the other by the parameters. */
function queues(stream: string, connection: string, ...lines: readonly string[]): ProjectFiles {
  const isAvro = lines.includes("format: avro");
  const message = (provider: string, ...more: readonly string[]) => [
    "tools_schema:",
    "  tell-others:",
    "    description: Tell others.",
    "    order_id: string",
    "    binding:",
    ...["type: queue", `provider: ${provider}`, ...more].map((line) => `      ${line}`),
  ];
  const first = message("kafka", "connection: ${EVENTS}", "topic: orders.created");
  const schema =
    '{"type": "record", "name": "Order", "fields": [{"name": "order_id", "type": "string"}]}\n';
  const second = message(
    isAvro ? "kafka" : "redis",
    `connection: ${connection}`,
    ...lines,
    ...(isAvro ? ["schema: ./order.avsc"] : []),
  );
  return {
    ...skill("desk", ...first),
    ...skill(stream, ...second),
    ...(isAvro && { [`skills/${stream}/order.avsc`]: schema }),
  };
}

function withRollback(name: string): ProjectFiles {
  const lines = [
    "tools_schema:",
    "  create-order:",
    "    description: Creates an order.",
    `    rollback: ${name}`,
    "  cancel-order:",
    "    description: Cancels an order.",
  ];
  return skill("desk", ...lines);
}

/** A tool with a file parameter and this binding. */
function withAliases(parameter: string): ProjectFiles {
  const lines = [
    "tools_schema:",
    "  cancel-order:",
    "    description: Cancels an order.",
    "    order_id: string",
    `    param_aliases: { ${parameter}: [id_of_order, order_number] }`,
  ];
  return skill("desk", ...lines);
}

function withFile(binding: string): ProjectFiles {
  const lines = [
    "tools_schema:",
    "  send-scan:",
    "    description: Sends a scan.",
    "    scan: { type: object, x-skillc-file: true }",
    `    binding: { ${binding} }`,
  ];
  return skill("desk", ...lines);
}

/** A POST whose binding has this line, with a tool that undoes it. */
function withSearch(line: string): ProjectFiles {
  const lines = [
    "tools_schema:",
    "  save-search:",
    "    description: Keeps a search.",
    "    words: string",
    "    rollback: forget-search",
    "    binding:",
    "      type: http",
    "      method: POST",
    "      url: https://orders.example.com/searches",
    `      ${line}`,
    "  forget-search:",
    "    description: Forgets a search.",
  ];
  return skill("desk", ...lines);
}

function withHeader(header: string): ProjectFiles {
  const lines = [
    "tools_schema:",
    "  get-order:",
    "    description: Get an order.",
    "    order_id: string",
    "    binding:",
    "      type: http",
    "      method: GET",
    "      url: https://orders.example.com/orders/{order_id}",
    "      headers:",
    `        ${header}`,
  ];
  return skill("desk", ...lines);
}

function withQuery(style: string): ProjectFiles {
  const lines = [
    "tools_schema:",
    "  read-stock:",
    "    description: Reads the empty places.",
    "    binding:",
    "      type: sql",
    "      connection: ${STOCK_URL}",
    `      query: ${style}`,
    "        SELECT id FROM stock -- the empty places",
    "        WHERE quantity = 0",
  ];
  return {
    "skillc.yaml": "databases:\n  STOCK_URL: { schema: [db/schema.sql] }\n",
    "db/schema.sql": "CREATE TABLE stock (id bigint PRIMARY KEY, quantity int NOT NULL);\n",
    ...skill("desk", ...lines),
  };
}
