import { describe, expect, test } from "vitest";
import { createRegistry } from "../../../src/bindings/registry.js";
import { ignored, parseConfig } from "../../../src/compiler/config/parse-config.js";
import { diagnosticEntriesOf } from "../../../src/compiler/diagnostics.js";
import { governProject } from "../../../src/compiler/governed-project.js";
import { lowerOneSkill } from "../../../src/compiler/read-skill-model.js";
import { skillFolders } from "../../../src/compiler/skill-folders.js";
import { createStopwatch } from "../../../src/compiler/stopwatch.js";
import { createReport } from "../../../src/core/report.js";
import { compileUntyped } from "../whole/compile-untyped.js";

const skill = (name: string, more = "") => `---
name: ${name}
description: Looks after orders.
tools:
  get-order:
    description: Gets an order.
    tags: [orders]
    governance: { scopes: [orders.read] }
    parameters: { type: object, required: [id], properties: { id: { type: string } } }
    returns:
      type: object
      properties:
        customer: { type: object, properties: { email: { type: string } } }
        total: { type: number }
        lines: { type: array, items: { type: object, properties: { note: { type: string } } } }
        mixed: { type: [string, number] }
    binding: { type: http, method: GET, url: "\${ORDERS_URL}/orders/{id}" }
  ask:
    description: Asks somebody.
    parameters: { type: object, properties: { what: { type: string } } }
${more}---
`;

/** What is told of skillc.yaml beside its skills, which are read and not printed. */
async function found(config: string, more: Readonly<Record<string, string>> = {}) {
  const files: Readonly<Record<string, string>> = {
    "skills/desk/SKILL.md": skill("desk"),
    ...more,
  };
  const kinds = createRegistry();
  const report = createReport(diagnosticEntriesOf(kinds));
  const sources = Object.entries(files).map(([path, text]) => [path, { path, text }] as const);
  const project = { files: new Map(sources) };
  const input = {
    project,
    config: parseConfig({ path: "skillc.yaml", text: config }, report),
    kinds,
  };
  const lowered = skillFolders(project).flatMap(
    (folder) => lowerOneSkill({ ...input, folder, report: ignored }) ?? [],
  );
  await governProject({ ...input, lowered, stopwatch: createStopwatch(() => 0) }, report);
  return report.diagnostics().map(({ code, help = "", message, related = [], span, tool }) => ({
    code: code.replace("governance/", ""),
    at: { ...files, "skillc.yaml": config }[span.file]?.slice(span.start, span.end),
    message,
    help,
    tool,
    related: related.map(({ span: { file } }) => file),
  }));
}

const quota = (words: string) => `quotas:\n  - { name: q, concurrent: 1, ${words} }\n`;
const obligation = (words: string, tools = "tools: [desk/get-order]") =>
  `obligations:\n  - { name: o, ${words}, ${tools} }\n`;

describe("a parameter that may lead out of its place", () => {
  const dots = skill("desk").replace(
    '/orders/{id}" }',
    '/orders/{id}", path: { id: { value: "{id}", allow_dot_segments: true } } }',
  );

  test("strict governance rejects `allow_dot_segments`", async () => {
    const codes = async (text: string, config: string) => {
      const all = await found(config, { "skills/desk/SKILL.md": text });
      return all.map(({ code }) => code).filter((code) => code === "dot-segments");
    };
    expect(await codes(dots, "governance: strict\n")).toEqual(["dot-segments"]);
    expect(await codes(dots, "governance: standard\n")).toEqual([]);
    expect(await codes(skill("desk"), "governance: strict\n")).toEqual([]);
  });
});

describe("an entry of skillc.yaml", () => {
  test.each(["tools: [desk/*]", "tools: [desk/get-order, desk/ask]", "tags: [orders]", "per: []"])(
    "may list existing tools and tags: `%s`",
    async (words) => {
      expect(await found(quota(words))).toEqual([]);
    },
  );

  test.each([
    ["tools: [desk/get-ordr]", "unknown-tool", "did you mean `desk/get-order`?"],
    ["tools: [get-order]", "unknown-tool", "did you mean `desk/get-order`?"],
    ["tools: [dsk/*]", "unknown-tool", "did you mean `desk/*`?"],
    [
      "tools: [payments/settle]",
      "unknown-tool",
      "write `skill/tool`, or `skill/*` for all tools of a skill; there is `desk/get-order` and `desk/ask`",
    ],
    [
      "tools: [payments/*]",
      "unknown-tool",
      "or `skill/*` for all tools of a skill; there is `desk/*`",
    ],
    ["tools: ['*']", "unknown-tool", "for all tools of a skill; there is"],
    ["tags: [order]", "unknown-tag", "did you mean `orders`?"],
    ["tags: [money]", "unknown-tag", "the tags are `orders`"],
  ])("causes an error for `%s`", async (words, code, help) => {
    expect(await found(quota(words))).toMatchObject([
      { code, help: expect.stringContaining(help) },
    ]);
  });

  test("lists the first of very many tools in its help, and the number of the others", async () => {
    const many = Array.from({ length: 200 }, (_, n) => `  t${n}: { description: Asks. }\n`);
    const [problem] = await found(quota("tools: [payments/settle]"), {
      "skills/many/SKILL.md": skill("many", many.join("")),
    });
    expect(problem?.help).toMatch(/`many\/t\d+` and 192 more$/);
  });

  test("causes no error while a skill can't be read, because its tools are unknown", async () => {
    const { diagnostics } = await compileUntyped({
      "skillc.yaml": quota("tools: [stock/get-order]"),
      "skills/stock/SKILL.md": skill("stock").replace("tools:", "tools: ["),
    });
    const codes = diagnostics.map(({ code }) => code);
    expect(codes).not.toContain("governance/unknown-tool");
    expect(codes.length).toBeGreaterThan(0);
  });
});

describe("grants", () => {
  const withScope = (scope: string) => ({
    "skills/stock/SKILL.md": skill("stock").replace("orders.read", scope),
  });
  const grant = (scopes: string, more = "") =>
    `grants:\n  - { to: { role: r }, scopes: [${scopes}]${more} }\n`;

  test("cause no error if a tool requires their scopes", async () => {
    expect(await found(grant("orders.read"))).toEqual([]);
    expect(await found(grant("orders.read", ", tools: [desk/get-order]"))).toEqual([]);
  });

  test.each([
    ["desk/get-ordr", "the project has no tool `desk/get-ordr`", "did you mean `desk/get-order`?"],
    ["dsk/*", "there is no skill `dsk` with tools", "did you mean `desk/*`?"],
    [
      "stock/count",
      "the project has no tool `stock/count`",
      "write `skill/tool`, or `skill/*` for all tools of a skill; there is `desk/get-order` and `desk/ask`",
    ],
    [
      "__proto__",
      "the project has no tool `__proto__`",
      "write `skill/tool`, or `skill/*` for all tools of a skill; there is `desk/get-order` and `desk/ask`",
    ],
  ])("cause an error if they name `%s`, which is no tool", async (tool, message, help) => {
    expect(await found(grant("orders.read", `, tools: [desk/get-order, ${tool}]`))).toMatchObject([
      { code: "unknown-tool", at: tool, message, help },
    ]);
  });

  test("prevent the policy from being written if they name an unknown tool", async () => {
    const { diagnostics, files } = await compileUntyped({
      "skillc.yaml": grant("orders.read", ", tools: [desk/get-ordr]"),
      "skills/desk/SKILL.md": skill("desk"),
    });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
      { code: "governance/unknown-tool" },
    ]);
    expect(files).toEqual([]);
  });

  test("cause a warning for a scope that no tool requires, and suggest a similar one", async () => {
    expect(await found(grant("orders.read, order.read"))).toMatchObject([
      { code: "unneeded-scope", at: "order.read", help: "did you mean `orders.read`?" },
    ]);
  });

  test("list the required scopes in the help for a scope that resembles none", async () => {
    expect(await found(grant("orders.read, billing"))).toMatchObject([
      { code: "unneeded-scope", at: "billing", help: expect.stringContaining(": `orders.read`") },
    ]);
    expect(await found(grant("orders.read, pii"), withScope("billing"))).toMatchObject([
      { code: "unneeded-scope", at: "pii" },
      {
        code: "ungranted-scope",
        at: "billing",
        help: expect.stringContaining(": `orders.read` and `pii`"),
      },
    ]);
  });

  test("may grant a scope that exempts from an obligation", async () => {
    const frees = obligation("do: mask, at: /customer/email, unless: [pii]");
    expect(await found(`${grant("orders.read, pii")}${frees}`)).toEqual([]);
  });

  test("cause a warning if nobody gets a scope that exempts from an obligation", async () => {
    const frees = obligation("do: mask, at: /customer/email, unless: [pii, orders.raed]");
    expect(await found(`${grant("orders.read, pii")}${frees}`)).toMatchObject([
      {
        code: "ungranted-scope",
        at: "orders.raed",
        message:
          "`o` applies to everybody: nobody is granted the scope `orders.raed` for its tools",
        help: "did you mean `orders.read`?",
      },
    ]);
    expect(await found(frees)).toEqual([]);
  });

  test.each([
    'context.scopes.contains("x")',
    'context.scopes.containsAny(["y", "x"])',
    '["x"].containsAll(context.scopes)',
    'context.origin == "llm" || context.scopes == ["x"]',
    // The policy may look for any scope.
    "context.scopes.isEmpty()",
    '["orders.read"].containsAll(context.scopes)',
    'context.scopes == ["orders.read"]',
    "context.scopes.contains(context.args.order_id)",
  ])("may grant a scope if a policy looks for it: %s", async (condition) => {
    const policy = `forbid(principal, action == Action::"desk/get-order", resource) unless { ${condition} };`;
    const files = { "policies/a.cedar": policy };
    const diagnostics = await found(grant("orders.read, x"), files);
    expect(diagnostics.filter(({ code }) => code === "unneeded-scope")).toEqual([]);
    expect(await found(grant("orders.read, x"), { "policies/a.txt": policy })).toHaveLength(1);
  });

  test.each([
    '// Not about scopes.\nforbid(principal, action, resource) when { context.origin == "system" };',
    'forbid(principal, action, resource) unless { context.scopes.contains("orders.read") };',
    '@note("scopes")\nforbid(principal == Caller::"scopes", action, resource);',
  ])(
    "cause a warning for a scope beside a policy that does not look for it: %s",
    async (policy) => {
      expect(await found(grant("orders.read, x"), { "policies/a.cedar": policy })).toMatchObject([
        { code: "unneeded-scope", at: "x" },
      ]);
    },
  );

  test("cause a warning for a scope that only the policy of another tool looks for", async () => {
    const policy =
      'forbid(principal, action == Action::"desk/ask", resource) unless { context.scopes.contains("x") };';
    const other = "  - { to: { role: chief }, scopes: [x], tools: [desk/ask] }\n";
    const one = `${grant("orders.read, x", ", tools: [desk/get-order]")}${other}`;
    expect(await found(one, { "policies/a.cedar": policy })).toMatchObject([
      { code: "unneeded-scope", at: "x" },
    ]);
  });

  test("cause a warning at a tool's scope if nobody gets it", async () => {
    expect(await found("grants: []\n")).toMatchObject([
      { code: "ungranted-scope", at: "orders.read", tool: "get-order" },
    ]);
    expect(await found(grant("orders.raed"))).toMatchObject([
      { code: "unneeded-scope" },
      { code: "ungranted-scope", help: "did you mean `orders.raed`?" },
    ]);
  });
});

describe("capabilities of skillc.yaml", () => {
  const all = (...capabilities: readonly string[]) =>
    `capabilities: ${JSON.stringify([...capabilities, "handler:call desk/ask"])}\n`;

  test.each([
    "net.http:get ${ORDERS_URL}",
    "net.http:* ${ORDERS_URL}/orders",
    "net.http:get ${ORDERS_URL}/*",
  ])("cause no finding if they cover every call: %s", async (capability) => {
    expect(await found(all(capability))).toEqual([]);
  });

  test.each([
    "net.http:get https://orders.example",
    "net.http:get ${ORDERS_URL}/orders/7",
    "net.http:get ${ORDERS_URL}/orders/{id}/lines",
  ])("cause a warning if they may cover a call: %s", async (capability) => {
    expect(await found(all(capability))).toMatchObject([
      { code: "tool-narrowed", tool: "get-order", related: ["skillc.yaml"] },
    ]);
  });

  test.each(["net.http:post ${ORDERS_URL}/orders", "net.http:get ${ORDERS_URL}/customers"])(
    "cause an error at a tool if they cover none of its calls: %s",
    async (capability) => {
      expect(await found(all(capability))).toMatchObject([
        { code: "unneeded-capability", at: JSON.stringify(capability) },
        { code: "tool-blocked", tool: "get-order", related: ["skillc.yaml"] },
      ]);
    },
  );

  test("block a handler if they name another one", async () => {
    const text = 'capabilities: ["net.http:get ${ORDERS_URL}"]\n';
    expect(await found(text)).toMatchObject([
      { code: "tool-blocked", tool: "ask", help: expect.stringContaining("handler:call desk/ask") },
    ]);
  });

  test("cause an error if their form is unknown", async () => {
    expect(await found(all("net.htp:get ${ORDERS_URL}"))).toMatchObject([
      { code: "bad-capability", help: "did you mean `net.http`?" },
    ]);
  });
});

describe("obligations", () => {
  test.each([
    "do: mask, at: /customer/email",
    "do: mask, at: /mixed",
    "do: mask, at: '/lines/*/note'",
    "do: mask, at: '/customer/*'",
    "do: drop, at: /lines",
    "do: drop, at: '/lines/*/note'",
    'do: redact, at: "", pattern: x',
    "do: redact, at: /lines, pattern: '[0-9]+'",
    "do: watermark, text: internal",
    "do: hash, at: /total",
    'do: hash, at: ""',
    "do: hash, at: /lines/*",
  ])("may name an existing place: %s", async (words) => {
    expect(await found(obligation(words))).toEqual([]);
  });

  test.each([
    ["do: mask, at: /custmer/email", "no-such-place", "did you mean `customer`?"],
    ["do: mask, at: /customer/mail", "no-such-place", "did you mean `email`?"],
    ["do: mask, at: /lines/0/note", "no-such-place", "write `*`, for every item of the list"],
    ["do: mask, at: /total/x", "no-such-place", "there is nothing below it"],
    ["do: mask, at: /total", "no-text", "remove it with `do: drop`"],
    ["do: mask, at: /lines", "no-text", ""],
    ["do: redact, at: /total, pattern: x", "no-text", ""],
    ["do: drop, at: '/lines/*'", "no-property", ""],
    ["do: drop, at: ''", "no-property", ""],
    ["do: redact, at: /mixed, pattern: '('", "bad-pattern", ""],
    ["do: redact, at: /mixed, pattern: '(a)\\1'", "bad-pattern", "linear"],
    ["do: redact, at: /mixed, pattern: 'a*'", "bad-pattern", "one character"],
  ])("cause an error if they are wrong: %s", async (words, code, help) => {
    const [only, ...others] = await found(obligation(words));
    expect(others).toEqual([]);
    expect(only).toMatchObject({ code });
    expect(`${only?.message} ${only?.help}`).toContain(help);
  });

  test("need a place in only one of several tools", async () => {
    const two = { "skills/stock/SKILL.md": skill("stock").replaceAll("email", "mail") };
    expect(await found(obligation("do: mask, at: /customer/mail", "tags: [orders]"), two)).toEqual(
      [],
    );
    expect(
      await found(obligation("do: mask, at: /customer/fax", "tags: [orders]"), two),
    ).toMatchObject([{ code: "no-such-place" }]);
  });

  test("cause a warning if a tool that they name doesn't declare its result", async () => {
    const words = "do: mask, at: /x";
    expect(await found(obligation(words, "tools: [desk/ask]"))).toMatchObject([
      { code: "untold-place" },
    ]);
    expect(await found(obligation(words, "tools: [desk/*]"))).toEqual([]);
  });
});

test("the columns of a statement without `returns` are places, and the row type shows the change", async () => {
  const files = (at: string) => ({
    "skillc.yaml": `databases: { SHOP_URL: { schema: db.sql } }\n${obligation(`do: mask, at: ${at}`, "tools: [shop/find]")}`,
    "db.sql": "CREATE TABLE customers (id integer NOT NULL, email text NOT NULL);",
    "skills/shop/SKILL.md":
      "---\nname: shop\ndescription: Sells.\ntools:\n  find:\n    description: Finds customers.\n    binding: { type: sql, connection: '${SHOP_URL}', query: 'SELECT id, email FROM customers', max_rows: 10 }\n---\n",
  });
  const wrong = await compileUntyped(files("'/*/mail'"));
  expect(wrong.diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
    { code: "governance/no-such-place", help: "did you mean `email`?" },
  ]);
  const { diagnostics, files: generated } = await compileUntyped(files("'/*/email'"));
  expect(diagnostics.filter(({ code }) => code.startsWith("governance/"))).toEqual([]);
  const tool = generated.find(({ path }) => path === "shop/find.ts");
  expect(tool?.text).toContain('{ do: "mask"; at: ["*", "email"] }');
});

test("the part of an HTTP body to which `path` leads has the places of an obligation", async () => {
  const files = (at: string) => ({
    "skillc.yaml": obligation(`do: mask, at: ${at}`, "tools: [shop/find]"),
    "skills/shop/SKILL.md":
      "---\nname: shop\ndescription: Sells.\ntools:\n  find:\n    description: Finds customers.\n    binding: { type: http, method: GET, url: '${SHOP_URL}/customers', response_schema: { type: object, properties: { found: { type: array, items: { type: object, properties: { email: { type: string } } } } } }, response_mapping: { path: $.found } }\n---\n",
  });
  const wrong = await compileUntyped(files("'/*/mail'"));
  expect(wrong.diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
    { code: "governance/no-such-place", help: "did you mean `email`?" },
  ]);
  const right = await compileUntyped(files("'/*/email'"));
  expect(right.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});
