/** Mistakes that are easily reported as something else: each causes one finding at its place, with the right fix. */
import { describe, expect, test } from "vitest";
import { createRegistry, type KindRegistry } from "../../../src/bindings/registry.js";
import { sharedSqlBinding } from "../../support/shared-sql.js";
import { diagnose } from "./compile-untyped.js";

/** A tool with these lines, and a binding of those. */
function desk(tool: readonly string[], binding: readonly string[]) {
  const lines = [
    "---",
    "name: desk",
    "description: Looks after orders.",
    "tools:",
    "  get-order:",
    "    description: Get an order.",
    ...tool.map((line) => `    ${line}`),
    ...(binding.length === 0 ? [] : ["    binding:", ...binding.map((line) => `      ${line}`)]),
    "---",
    "",
  ];
  return { "skills/desk/SKILL.md": lines.join("\n") };
}

/** `code at text: message (help)` of each error. */
async function errorsOf(
  files: Readonly<Record<string, string>>,
  kinds?: KindRegistry,
): Promise<readonly string[]> {
  const { diagnostics } = await diagnose(files, kinds);
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code, help, message, span }) => {
      const text = files[span.file]?.slice(span.start, span.end);
      return `${code} at ${text}: ${message} (${help})`;
    });
}

const get = ["type: http", "method: GET", "url: https://api.example.com/orders/{order_id}"];

describe("a response path at the wrong level", () => {
  const returns =
    "returns: { type: object, required: [id, name], properties: { id: { type: string }, name: { type: string } } }";
  const response = [
    "response_schema:",
    "  type: object",
    "  properties:",
    "    data:",
    "      type: object",
    "      additionalProperties: false",
    "      properties:",
    "        customer:",
    "          type: object",
    "          properties: { id: { type: string }, name: { type: string }, age: { type: integer } }",
  ];
  const withPath = (path: string) => [
    ...get,
    ...response,
    ...(path === "" ? [] : [`response_mapping: { path: ${path} }`]),
  ];

  test("causes one error with the path that `returns` describes", async () => {
    const found = await errorsOf(desk(["order_id: string", returns], withPath("$.data")));
    expect(found).toEqual([
      "http/returns-mismatch at $.data: `returns` describes the value at `$.data.customer`, but `path` leads to `$.data` " +
        "(write `path: $.data.customer` in `response_mapping`)",
    ]);
    expect(
      await errorsOf(desk(["order_id: string", returns], withPath("$.data.customer"))),
    ).toEqual([]);
  });

  test("causes an error per field if no path fits", async () => {
    const other = returns.replaceAll("name", "surname");
    const found = await errorsOf(desk(["order_id: string", other], withPath("$.data")));
    expect(found.length).toBeGreaterThan(1);
  });
});

test("a file that is no JSON causes an error that names the skill referring to it", async () => {
  const files = {
    ...desk(["parameters: { $ref: ./order.json }"], []),
    "skills/desk/order.json": "{ type: object }",
  };
  const { diagnostics } = await diagnose(files);
  const found = diagnostics.find(({ code }) => code === "parse/invalid-json");
  expect(found?.span.file).toBe("skills/desk/order.json");
  const related = found?.related?.map(({ message, span }) => [
    files["skills/desk/SKILL.md"].slice(span.start, span.end),
    message,
  ]);
  expect(related).toEqual([["./order.json", "the skill refers to it here"]]);
});

test.each([
  ["${{ secrets.ORDERS_TOKEN }}", "ORDERS_TOKEN"],
  ["Bearer ${{secrets.ORDERS_TOKEN}}", "ORDERS_TOKEN"],
  ["${{ github.event.issue-number }}", "NAME"],
])("`%s` causes one error that explains credentials", async (text, name) => {
  const raw = text.replace("Bearer ", "");
  expect(
    await errorsOf(desk(["order_id: string"], [...get, `headers: { X-Key: "${text}" }`])),
  ).toEqual([
    `http/bad-placeholder at ${raw}: \`${raw}\` is an expression of GitHub Actions, which means nothing here ` +
      `(write \`\${${name}}\`, and give the runtime a setting \`${name}\`)`,
  ]);
});

test.each(["typ", "Type", "kind"])(
  "`%s: http` causes the error of a misspelt type",
  async (key) => {
    expect(await errorsOf(desk(["order_id: string"], [`${key}: http`, ...get.slice(1)]))).toEqual([
      `binding/unknown-key at ${key}: \`${key}\` is not a key of a binding (did you mean \`type\`? the types are \`command\`, \`file\`, \`handler\`, \`http\`, \`plan\`, \`queue\`, \`sql\`)`,
    ]);
  },
);

test.each(["description", "version", "tags", "deprecated", "risk_level", "unused"])(
  "`%s` can declare a parameter under `parameters`, but not in short form",
  async (name) => {
    const [first, ...others] = await errorsOf({
      "skills/desk/SKILL.md": [
        "---",
        "name: desk",
        "description: Looks after orders.",
        "tools:",
        "  get-order:",
        `    ${name}: { type: integer }`,
        "---",
        "",
      ].join("\n"),
    });
    expect(others).toEqual([]);
    expect(first).toContain(
      `tool/wrong-type at ${name}: \`${name}\` is a key of the tool itself, and can't declare a parameter in short form (declare the parameters under \`parameters:\``,
    );
    const full = `parameters: { type: object, properties: { ${name}: { type: integer } } }`;
    expect(await errorsOf(desk([full], []))).toEqual([]);
  },
);

test("a misspelt key of a database causes its own error", async () => {
  const files = {
    ...desk([], ["type: sql", "connection: ${DB}", "query: SELECT 1 AS one"]),
    "db.sql": "CREATE TABLE a (id int);",
    "skillc.yaml": "databases:\n  DB: { schem: db.sql }\n",
  };
  expect(await errorsOf(files)).toEqual([
    "sql/bad-database at schem: `schem` is not a key of the database `DB` (did you mean `schema`?)",
  ]);
});

describe("a comment that takes the next line of a statement", () => {
  const write = ["risk_level: high", "order_id: { type: integer, minimum: 1, maximum: 9 }"];
  const sql = (...query: readonly string[]) => ({
    ...desk(write, ["type: sql", "connection: ${DB}", "read_only: false", ...query]),
    "skillc.yaml": "databases:\n  DB: { schema: [db.sql] }\n",
    "db.sql": "CREATE TABLE orders (id bigint PRIMARY KEY);",
  });

  test.each([[">"], [">-"]])("causes the only error if `%s` folds the lines", async (header) => {
    const files = sql(`query: ${header}`, "  DELETE FROM orders -- one", "  WHERE id = :order_id");
    expect(await errorsOf(files, createRegistry([sharedSqlBinding]))).toEqual([
      expect.stringContaining("binding/folded-comment at -- one: "),
    ]);
  });
});

describe("a binding's type or key in the words of other tools", () => {
  const types = ": the types are `command`, `file`, `handler`, `http`, `plan`, `queue`, `sql`";
  test.each([
    ["rest", "type: http"],
    ["postgres", "type: sql"],
    ["kafka", "type: queue` and `provider: kafka"],
    ["amqp", "type: queue` and `provider: rabbitmq"],
    ["nats", "type: queue` and `provider: nats"],
    ["JetStream", "type: queue` and `provider: nats"],
  ])("`type: %s` causes the suggestion `%s`", async (type, meant) => {
    expect(await errorsOf(desk([], [`type: ${type}`]))).toEqual([
      `binding/unknown-type at ${type}: there is no binding type \`${type}\` (write \`${meant}\`${types})`,
    ]);
  });

  test.each(["sql", "statement"])("`%s` causes the suggestion `query`", async (key) => {
    const binding = ["type: sql", "connection: ${DB}", `${key}: SELECT 1 AS one`];
    expect(await errorsOf(desk([], binding))).toEqual([
      `binding/unknown-key at ${key}: \`${key}\` is not a key of a binding of type \`sql\` (did you mean \`query\`?)`,
    ]);
  });
});

describe("a credential in the words of other tools", () => {
  test.each([
    "env:TOKEN",
    "env.TOKEN",
    "secrets.TOKEN",
    "process.env.TOKEN",
    "TOKEN:-none",
    "TOKEN:?",
  ])("`${%s}` causes the suggestion `${TOKEN}`", async (written) => {
    const binding = [
      "type: http",
      "method: GET",
      "url: https://api.example.com/orders",
      `headers: { Authorization: "Bearer \${${written}}" }`,
    ];
    expect(await errorsOf(desk([], binding))).toEqual([
      expect.stringMatching(/^http\/bad-placeholder at .*\(write `\$\{TOKEN\}`: /),
    ]);
  });
});
