import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../src/core/diagnostic.js";
import { diagnose } from "../whole/compile-untyped.js";

const file = "skills/desk/SKILL.md";

function skill(...lines: readonly string[]): string {
  const tool = ["name: desk", "description: Looks after orders.", "tools:", "  change:"];
  const own = ["description: Changes an order.", "order_id: string", ...lines];
  return ["---", ...tool, ...own.map((line) => `    ${line}`), "---", ""].join("\n");
}

interface Found {
  readonly code: string;
  readonly severity: Diagnostic["severity"];
  /** The author's text there. */
  readonly at: string;
  readonly help: string;
  /** That of the other places. */
  readonly related: readonly string[];
}

/** What is found under `governance/…`, and every error. */
async function found(
  lines: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<readonly Found[]> {
  const text = skill(...lines);
  const { diagnostics } = await diagnose({ [file]: text, ...more });
  const told = diagnostics.filter(
    ({ code, severity }) => severity === "error" || code.startsWith("governance/"),
  );
  return told.map(({ code, help = "", related = [], severity, span }) => ({
    code,
    severity,
    at: text.slice(span.start, span.end),
    help,
    related: related.map((each) => text.slice(each.span.start, each.span.end)),
  }));
}

const post = [
  "binding:",
  "  type: http",
  "  method: POST",
  "  url: ${ORDERS_URL}/orders/{order_id}/notes",
];

describe("a write that is declared as a read", () => {
  test("causes an error at `risk_level: low` that points at the writing method", async () => {
    const help = expect.stringContaining("`effect: read`");
    expect(await found([...post, "risk_level: low", "governance: {}"])).toEqual([
      { code: "governance/low-risk", severity: "error", at: "low", help, related: ["POST"] },
    ]);
  });

  test("causes an error at the skill's `risk_level`", async () => {
    const text = skill(...post, "governance: {}").replace("tools:", "risk_level: read\ntools:");
    const { diagnostics } = await diagnose({ [file]: text });
    const first = diagnostics.find(({ severity }) => severity === "error");
    expect(first?.code).toBe("governance/low-risk");
    expect(text.slice(first?.span.start, first?.span.end)).toBe("read");
  });

  test.each(["orders.read", "read:orders", "orders:view", "orders.readonly", "Orders.Read"])(
    "causes an error if its only scope is `%s`",
    async (scope) => {
      expect(await found([...post, `governance: { scopes: ["${scope}"] }`])).toEqual([
        {
          code: "governance/reading-scope",
          severity: "error",
          at: `"${scope}"`,
          help: expect.stringContaining("`effect: read`"),
          related: ["POST"],
        },
      ]);
    },
  );

  test.each(["orders.write, orders.read", "orders.ready", "thread.close", "readers.add"])(
    "causes no error with the scopes `%s`",
    async (scopes) => {
      expect(await found([...post, `governance: { scopes: [${scopes}] }`])).toEqual([]);
    },
  );

  test("causes no error if its author declares `effect: read`", async () => {
    const reads = [...post, "  effect: read"];
    const says = ["risk_level: low", "governance: { scopes: [orders.read] }"];
    expect(await found([...reads, ...says])).toEqual([]);
  });

  test("causes a warning for a handler until that declares `effect`", async () => {
    const says = ["risk_level: low", "governance: { group: orders }"];
    const help = expect.stringContaining("effect: read");
    const [warning, ...others] = await found(says);
    expect(warning).toMatchObject({ code: "governance/unknown-effect", severity: "warning", help });
    expect(others).toEqual([]);
    expect(await found([...says, "binding: { type: handler, effect: read }"])).toEqual([]);
    const [error] = await found([...says, "binding: { type: handler, effect: write }"]);
    expect(error).toMatchObject({ code: "governance/low-risk", severity: "error", at: "low" });
    expect(error?.related).toEqual(["write"]);
  });

  test("causes an error in a project whose only governance is a policy", async () => {
    const policies = { "policies/all.cedar": "permit (principal, action, resource);\n" };
    const [error] = await found([...post, "risk_level: low"], policies);
    expect(error).toMatchObject({ code: "governance/low-risk", severity: "error", at: "low" });
  });

  test("causes no error in a project without governance", async () => {
    expect(await found([...post, "risk_level: low"])).toEqual([]);
    expect(await found(["risk_level: low"])).toEqual([]);
  });
});

const shop = {
  "skillc.yaml": "databases:\n  SHOP: { schema: [db.sql] }\n",
  "db.sql":
    'CREATE TABLE orders (id text PRIMARY KEY, note text); CREATE TABLE "Old orders" (id text);\n',
};
const remove = [
  "binding:",
  "  type: sql",
  "  connection: ${SHOP}",
  "  read_only: false",
  "  query: DELETE FROM orders WHERE id = :order_id",
];

test("a statement that writes with low risk causes one error, that of SQL", async () => {
  const codes = (await found([...remove, "risk_level: low", "governance: {}"], shop)).map(
    ({ code }) => code,
  );
  expect(codes).toEqual(["sql/write-risk"]);
});

test("a statement that writes may declare `risk_level: write`", async () => {
  expect(await found([...remove, "risk_level: write"], shop)).toEqual([]);
});

describe("declared capabilities", () => {
  const declaring = (...texts: readonly string[]) => [
    "governance:",
    "  capabilities:",
    ...texts.map((text) => `    - '${text}'`),
  ];
  const kafka = [
    "binding: { type: queue, provider: kafka, connection: '${BROKER}', topic: 'orders.{order_id}' }",
  ];

  test.each([
    [post, "net.http:post ${ORDERS_URL}/orders"],
    [kafka, "queue:send kafka orders.{order_id}"],
    [kafka, "queue:send kafka orders.*"],
    [["governance: {}", ...post].slice(1), "net.http:post ${ORDERS_URL}/orders/"],
  ])("may equal those of the binding %#", async (binding, capability) => {
    expect(await found([...binding, ...declaring(capability)])).toEqual([]);
  });

  test("may name the tables of a statement, quoted as PostgreSQL quotes them", async () => {
    const from = (table: string) => [
      "binding:",
      "  type: sql",
      "  connection: ${SHOP}",
      `  query: SELECT id FROM ${table} WHERE id = :order_id`,
    ];
    const own = declaring('sql:read ${SHOP} public."Old orders"');
    expect(await found([...from('"Old orders"'), ...own], shop)).toEqual([]);
    const [narrow] = await found([...from("orders"), ...own], shop);
    expect(narrow?.code).toBe("governance/narrow-capability");
    expect(narrow?.help).toContain("`sql:read ${SHOP} public.orders`");
  });

  test.each([
    ["net.http:post ${ORDERS_URL}/orders/drafts"],
    ["net.http:post ${ORDERS_URL}/order"],
    ["net.http:patch ${ORDERS_URL}/orders"],
    ["net.http:post ${OTHER_URL}/orders"],
    ["net.http:post https://orders.example.com/orders"],
    ["queue:send kafka orders"],
  ])("cause an error if the binding exceeds them: `%s`", async (capability) => {
    expect(await found([...post, ...declaring(capability)])).toEqual([
      {
        code: "governance/narrow-capability",
        severity: "error",
        at: `'${capability}'`,
        help: "declare `net.http:post ${ORDERS_URL}/orders`, or change the binding so that it needs less",
        related: ["binding"],
      },
    ]);
  });

  test("allow nothing if they are empty, so every binding exceeds them", async () => {
    const [error] = await found([...post, "governance: { capabilities: [] }"]);
    expect(error).toMatchObject({ code: "governance/narrow-capability", at: "governance" });
  });

  test.each([
    ["net.http:* ${ORDERS_URL}/orders"],
    ["net.http:post ${ORDERS_URL}"],
    ["net.http:post ${OTHER_URL}/orders"],
    ["sql:read ${SHOP}"],
  ])("cause a warning if they allow more than the binding needs: `%s`", async (capability) => {
    const lines = declaring("net.http:post ${ORDERS_URL}/orders", capability);
    expect(await found([...post, ...lines])).toEqual([
      {
        code: "governance/wide-capability",
        severity: "warning",
        at: `'${capability}'`,
        help: expect.stringContaining("`net.http:post ${ORDERS_URL}/orders`"),
        related: ["binding"],
      },
    ]);
  });

  test.each([
    ["net.http:POST ${ORDERS_URL}/orders", "`net.http:post ${ORDERS_URL}/orders`"],
    ["net.http:post", "`net.http:post ${ORDERS_URL}/orders`"],
    ["net.http:post /orders", "`net.http:post ${ORDERS_URL}/orders`"],
    ["net.http:post https://*.example.com/orders", ""],
    ["net.http:post https://user@example.com/orders", ""],
    ["net.http:post ${ORDERS_URL}orders", ""],
    ["net.http:post ${ORDERS_URL}/orders?all=1", ""],
    ["net.http:post ${ORDERS_URL}/a/../b", ""],
    ["net.http:post  ${ORDERS_URL}", ""],
    ["http:post ${ORDERS_URL}", "`handler`, `net.http`, `planner`, `queue`, `sql`"],
    ["net.htp:post ${ORDERS_URL}", "did you mean `net.http`?"],
    ["sql:delete ${SHOP} public.orders", "`sql:read ${WAREHOUSE_URL} public.orders`"],
    ["sql:read SHOP public.orders", "`sql:read ${WAREHOUSE_URL} public.orders`"],
    ["sql:read ${SHOP} orders", "`sql:read ${WAREHOUSE_URL} public.orders`"],
    ["queue:receive kafka orders", "`queue:send kafka orders.created`"],
    ["queue:send orders", "`queue:send kafka orders.created`"],
    ["queue:send kafka two words", "`queue:send kafka orders.created`"],
    ["orders", "`net.http:post ${ORDERS_URL}/orders`"],
  ])("cause an error if they are malformed: `%s`", async (capability, help) => {
    const [error, ...others] = await found([...post, ...declaring(capability)]);
    expect(error).toMatchObject({ code: "governance/bad-capability", at: `'${capability}'` });
    expect(error?.help).toContain(help);
    expect(others).toEqual([]);
  });

  test("may have any form for a handler, which skillc can't check", async () => {
    const lines = declaring("net.http:get https://api.example.com/v1", "sql:read ${SHOP} public.*");
    expect(await found(lines)).toEqual([]);
  });
});

describe("limits", () => {
  test("cause an error with both places if they exceed the binding's own limits", async () => {
    const lines = [...post, "  max_response_bytes: 1000"];
    expect(await found([...lines, "governance: { limits: { bytes_out: 1kB } }"])).toEqual([]);
    expect(await found([...lines, "governance: { limits: { bytes_out: 1KiB } }"])).toEqual([
      {
        code: "governance/limit-never-met",
        severity: "error",
        at: "1KiB",
        help: expect.any(String),
        related: ["1000"],
      },
    ]);
  });

  test("cause an error at the binding if they exceed its defaults", async () => {
    const [error] = await found([...post, "governance: { limits: { bytes_out: 11MB } }"]);
    expect(error).toMatchObject({ code: "governance/limit-never-met", related: ["binding"] });
  });

  test("cause an error beside `concurrency: serial` if they allow several concurrent calls", async () => {
    const governed = (concurrent: number) => [
      ...post,
      `governance: { concurrency: serial, limits: { concurrent: ${concurrent} } }`,
    ];
    expect(await found(governed(1))).toEqual([]);
    expect(await found(governed(4))).toEqual([
      {
        code: "governance/serial-and-concurrent",
        severity: "error",
        at: "4",
        help: "remove one of the two",
        related: ["serial"],
      },
    ]);
  });
});

test("a tool whose binding defines a key may be `keyed`, and the author's key wins", async () => {
  const key = "  idempotency: { header: Idempotency-Key, key: '{order_id}' }";
  expect(await found([...post, key, "governance: { idempotency: keyed }"])).toEqual([]);
});
