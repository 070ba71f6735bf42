import type {
  DiagnosticEntries,
  DiagnosticEntry,
  ProjectFiles,
} from "../../core/diagnostic-entry.js";
import { governanceDiagnosticEntries } from "./governance-diagnostics.js";
import { projectGovernanceDiagnosticEntries } from "./project-governance-diagnostics.js";

/** Every code that the rules common to all tools can report. */
export const checkDiagnosticEntries: DiagnosticEntries = {
  ...governanceDiagnosticEntries,
  ...projectGovernanceDiagnosticEntries,
  "name/skill-twice": entry(
    "error",
    "two skills of one name",
    "A skill's name is its key in the catalog, in the ledger and in the names of its handlers.",
    { "skills/a/SKILL.md": skill("order-desk"), "skills/b/SKILL.md": skill("order-desk") },
    { "skills/a/SKILL.md": skill("order-desk"), "skills/b/SKILL.md": skill("stock-desk") },
  ),
  "name/bad-characters": entry(
    "error",
    "a name with characters that a tool's can't have",
    "Models take names of ASCII letters, digits, `-` and `_`, and so do all file systems.",
    tools("create.order"),
    tools("create-order"),
  ),
  "name/reserved": entry(
    "error",
    "a name that is taken",
    "A tool becomes an exported function and a file of its name. JavaScript's words, `then` (a module that exports it counts as a promise), " +
      "and the names of Windows' devices can't be both.",
    tools("delete"),
    tools("delete-order"),
  ),
  "tool/file-parameter": entry(
    "error",
    "a file for a binding that sends none",
    "HTTP bindings send files. A message, a statement and a handler of the application's own have no place for one.",
    withFile("type: handler"),
    withFile(
      "type: http, method: POST, url: 'https://api.example.com/scans', body: { raw: '{scan}' }",
    ),
  ),
  "tool/unknown-rollback": entry(
    "error",
    "`rollback` names no tool",
    "What undoes a call is a tool of the project: one of the same skill by its name, one of another as `skill/tool`. With any other name nothing could be undone.",
    withRollback("cancel-ordr"),
    withRollback("cancel-order"),
  ),
  "tool/needless-rollback": entry(
    "warning",
    "a rollback of what only reads",
    "A read changes nothing, so there is nothing to undo. Either the rollback is a leftover, or the call does change something: then it must not count as a read, which shadow mode sends and which is repeated.",
    withSearch("effect: read"),
    withSearch("effect: write"),
  ),
  "name/collision": entry(
    "error",
    "two names that become the same",
    "`create-order`, `create_order` and `createOrder` are all the function `createOrder`; `getURL` and `geturl` are one file on a file " +
      "system without letter case.",
    tools("create-order", "create_order"),
    tools("create-order", "cancel-order"),
  ),
  "name/too-long": entry(
    "error",
    "a name that is too long for a model",
    "A model knows a tool as the skill's name, two underscores and the tool's name: at most 64 characters.",
    tools("create-an-order-for-a-customer-and-reserve-what-is-in-stock"),
    tools("create-order-and-reserve"),
  ),
  "tool/blank-in-name": entry(
    "warning",
    "a property's name with a blank at its end",
    "The blank is a part of the name: callers and models would have to write it, and nobody sees it.",
    {
      "skills/desk/SKILL.md": skill(
        "desk",
        "tools:",
        "  get-order:",
        "    description: Get an order.",
        '    "order_id ": string',
      ),
    },
    tools("get-order"),
  ),
  "binding/setting-twice": entry(
    "warning",
    "one setting for the addresses of two kinds of thing",
    "A `${NAME}` has one value, which can't be the address of an HTTP API and of a database, nor of two kinds of broker. Tools of other skills count: " +
      "settings are those of the whole project.",
    queues("stock", "${EVENTS}", "topic: stock"),
    queues("stock", "${STOCK}", "topic: stock"),
  ),
  "binding/two-encodings": entry(
    "warning",
    "two encodings for one place",
    "Whoever reads a topic, queue or stream expects one encoding. A message in another is taken for a broken one.",
    queues("orders", "${EVENTS}", "topic: orders.created", "format: avro"),
    queues("orders", "${EVENTS}", "topic: orders.changed", "format: avro"),
  ),
  "tool/no-description": entry(
    "warning",
    "a tool without a description",
    "A model chooses a tool by its description. Without one it has nothing but the name to go by.",
    { "skills/desk/SKILL.md": skill("desk", "tools:", "  get-order:", "    order_id: string") },
    tools("get-order"),
  ),
  "binding/folded-comment": entry(
    "error",
    "a comment that takes the next line with it",
    "In `>`, in quotes and in plain text over several lines, YAML folds a line break to a space. A comment that ends with its line (`-- …` in SQL) then goes on, and what stands " +
      "below it is never run: a `DELETE` loses its `WHERE`. `|` keeps line breaks.",
    withQuery(">"),
    withQuery("|"),
  ),
  "credential/plaintext-secret": {
    ...entry(
      "error",
      "a secret in plain text",
      "Skills are committed, shared and read by models; a secret in one is known to all of them. Write `${NAME}`: its value comes from the " +
        "environment when a call is made, and generated code never holds it. A secret that has stood in a file should be replaced. " +
        "Secrets are told by their look, and in `auth` by their place: what only looks like one can be accepted in place, with a reason.",
      withHeader("X-API-Key: 9f8Gk2LmQ4xT7vB1"),
      withHeader("X-API-Key: ${ORDERS_API_KEY}"),
    ),
    // A text that only looks like a secret may be the identifier that the tool is about.
    acceptable: true,
  },
  "credential/placeholder": entry(
    "warning",
    "a placeholder where a credential belongs",
    "`YOUR_TOKEN` and the like would be sent as they stand.",
    withHeader("Authorization: Bearer YOUR_TOKEN"),
    withHeader("Authorization: Bearer ${ORDERS_TOKEN}"),
  ),
  "credential/literal-origin": entry(
    "warning",
    "a credential that goes to an origin of the skill's own choice",
    "`${NAME}` may be any variable of the environment, and a skill may send it wherever it says. This is reported if the variable also goes elsewhere, or if `capabilities` of skillc.yaml do not name the origin. " +
      "Give each place a credential of its own, or let the deployment choose the origin by a setting. `skillc check` and `skillc catalog` list where each credential goes.",
    {
      "skills/desk/SKILL.md": sending("desk", "https://orders.example.com"),
      "skills/weather/SKILL.md": sending("weather", "https://weather.example.net"),
    },
    { "skills/desk/SKILL.md": sending("desk", "https://orders.example.com") },
  ),
  "credential/secrets-not-ignored": aboutProject(
    "warning",
    "secrets in a file that git does not ignore",
    "`secrets:` of skillc.yaml is for local development. Committed, the secrets are known to everyone who has the repository.",
    {
      "skillc.yaml": "skills: skills\nsecrets:\n  ORDERS_TOKEN: local\n",
      "skills/desk/SKILL.md": skill("desk"),
      ".gitignore": "node_modules/\n",
    },
    {
      "skillc.yaml": "skills: skills\nsecrets:\n  ORDERS_TOKEN: local\n",
      "skills/desk/SKILL.md": skill("desk"),
      ".gitignore": "node_modules/\nskillc.yaml\n",
    },
  ),
};

/** A skill whose tool sends `${ORDERS_TOKEN}` to an origin. */
function sending(name: string, origin: string): string {
  return [
    `---\nname: ${name}\ndescription: Looks things up.\ntools:`,
    "  get:",
    "    description: Get it.",
    "    binding:",
    "      type: http",
    "      method: GET",
    `      url: ${origin}/items`,
    "      headers: { Authorization: 'Bearer ${ORDERS_TOKEN}' }",
    "---\n",
  ].join("\n");
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

function skill(name: string, ...lines: readonly string[]): string {
  return ["---", `name: ${name}`, "description: Looks after orders.", ...lines, "---", ""].join(
    "\n",
  );
}

function tools(...names: readonly string[]): ProjectFiles {
  const lines = names.flatMap((name) => [
    `  ${name}:`,
    "    description: Does what is asked.",
    "    order_id: string",
  ]);
  return { "skills/desk/SKILL.md": skill("desk", "tools:", ...lines) };
}

/** Two skills that send messages: one to Kafka as JSON, the other as it says. */
function queues(stream: string, connection: string, ...lines: readonly string[]): ProjectFiles {
  const isAvro = lines.includes("format: avro");
  const message = (provider: string, ...more: readonly string[]) => [
    "tools:",
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
    "skills/desk/SKILL.md": skill("desk", ...first),
    [`skills/${stream}/SKILL.md`]: skill(stream, ...second),
    ...(isAvro && { [`skills/${stream}/order.avsc`]: schema }),
  };
}

function withRollback(name: string): ProjectFiles {
  const lines = [
    "tools:",
    "  create-order:",
    "    description: Creates an order.",
    `    rollback: ${name}`,
    "  cancel-order:",
    "    description: Cancels an order.",
  ];
  return { "skills/desk/SKILL.md": skill("desk", ...lines) };
}

/** A tool with a file, and that binding. */
function withFile(binding: string): ProjectFiles {
  const lines = [
    "tools:",
    "  send-scan:",
    "    description: Sends a scan.",
    "    scan: { type: object, x-skillc-file: true }",
    `    binding: { ${binding} }`,
  ];
  return { "skills/desk/SKILL.md": skill("desk", ...lines) };
}

/** A POST whose binding has that line, with what undoes it. */
function withSearch(line: string): ProjectFiles {
  const lines = [
    "tools:",
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
  return { "skills/desk/SKILL.md": skill("desk", ...lines) };
}

function withHeader(header: string): ProjectFiles {
  const lines = [
    "tools:",
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
  return { "skills/desk/SKILL.md": skill("desk", ...lines) };
}

function withQuery(style: string): ProjectFiles {
  const lines = [
    "tools:",
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
    "skills/desk/SKILL.md": skill("desk", ...lines),
  };
}
