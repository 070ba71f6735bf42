import { describe, expect, test } from "vitest";
import { configDiagnosticEntries } from "../../../src/compiler/config/diagnostics.js";
import { parseConfig } from "../../../src/compiler/config/parse-config.js";
import { parseDiagnosticEntries } from "../../../src/compiler/parse/diagnostics.js";
import { withoutPlaces } from "../../../src/core/places.js";
import { createReport } from "../../../src/core/report.js";

function read(text: string) {
  const report = createReport({ ...configDiagnosticEntries, ...parseDiagnosticEntries });
  const { governance } = parseConfig({ path: "skillc.yaml", text }, report);
  const found = report.diagnostics().map(({ code, help, message, span }) => ({
    code,
    at: text.slice(span.start, span.end),
    message,
    help,
  }));
  return { governance, found };
}

/** The model, without its places. */
function modelOf(text: string): unknown {
  const { found, governance } = read(text);
  expect(found).toEqual([]);
  return governance === undefined ? undefined : JSON.parse(withoutPlaces(governance));
}

test("reports a scope under `unless` that no caller can have", () => {
  const { found } = read(
    'obligations:\n  - { name: o, do: drop, at: /a, unless: ["pii "], tools: [a/b] }\n',
  );
  expect(found).toMatchObject([{ code: "config/wrong-value", at: '"pii "' }]);
});

test.each(["tools", "tags"])(
  "reports an empty list of `%s`, because an entry without the list applies to all tools",
  (key) => {
    const grant = `grants:\n  - { to: { role: support }, scopes: [pii], ${key}: [] }\n`;
    expect(read(grant).found).toMatchObject([{ at: "[]" }]);
    expect(read(`quotas:\n  - { name: q, concurrent: 1, ${key}: [] }\n`).found).toHaveLength(1);
  },
);

describe("the governance of skillc.yaml", () => {
  test("does not exist without any of its keys", () => {
    expect(modelOf("skills: skills\n")).toBeUndefined();
  });

  test.each([
    ["governance: standard", { strict: false }],
    ["governance: strict", { strict: true }],
    ["capabilities: []", { strict: false, capabilities: [] }],
    ["approval_channels: []", { strict: false, approvalChannels: [] }],
    [
      "approval_channels: ['elicitation:https://c.example/x?y=1', elicitation]",
      {
        strict: false,
        approvalChannels: [
          { value: "elicitation:https://c.example/x?y=1" },
          { value: "elicitation" },
        ],
      },
    ],
    [
      "approval_channels: [terminal, ops.chat]",
      { strict: false, approvalChannels: [{ value: "terminal" }, { value: "ops.chat" }] },
    ],
    ["store: ${GOVERNANCE_URL}", { store: { value: "${GOVERNANCE_URL}" } }],
    ['ledger: "${LEDGER_URL}"', { ledger: { value: "${LEDGER_URL}" } }],
  ])("exists with `%s` alone", (text, model) => {
    expect(modelOf(text)).toMatchObject({ quotas: [], obligations: [], ...model });
  });

  test("contains every setting, with sizes as numbers", () => {
    const model = modelOf(`
governance: strict
capabilities: ["net.http:* \${ORDERS_URL}/orders", "sql:read \${SHOP_URL} public.*", "handler:call desk/quote"]
grants:
  - { to: { role: support }, scopes: [orders.read, orders.write], tools: [order-desk/*], tags: [money] }
  - { to: { tenant: acme }, scopes: [orders.read] }
quotas:
  - { name: calls, per: [tool, tenant], calls_per_minute: 60, calls_per_day: 1000, cost_per_day: 0.5, bytes_in_per_day: 1MiB, bytes_out_per_day: 2048, concurrent: 8 }
  - { name: usual, concurrent: 1 }
  - { name: all, per: [], calls_per_day: 9 }
obligations:
  - { name: hide, tools: [desk/get], do: mask, at: /customer/~1mail, unless: [pii.read] }
  - { name: cards, do: redact, at: "", pattern: "[0-9]{13}" }
  - { name: out, do: drop, at: /lines/*/price }
  - { name: mark, do: watermark, text: internal }
`);
    const all = { tools: [], tags: [] };
    const path = (value: string, ...steps: string[]) => ({ value, steps });
    expect(model).toEqual({
      strict: true,
      capabilities: [
        { value: "net.http:* ${ORDERS_URL}/orders" },
        { value: "sql:read ${SHOP_URL} public.*" },
        { value: "handler:call desk/quote" },
      ],
      grants: [
        {
          to: { kind: "role", name: "support" },
          scopes: [{ value: "orders.read" }, { value: "orders.write" }],
          tools: [{ value: "order-desk/*" }],
          tags: [{ value: "money" }],
        },
        { to: { kind: "tenant", name: "acme" }, scopes: [{ value: "orders.read" }], ...all },
      ],
      quotas: [
        {
          name: "calls",
          per: ["tenant", "tool"],
          callsPerMinute: 60,
          callsPerDay: 1000,
          costPerDay: 0.5,
          bytesInPerDay: 1_048_576,
          bytesOutPerDay: 2048,
          concurrent: 8,
          ...all,
        },
        { name: "usual", per: ["tenant", "tool"], concurrent: 1, ...all },
        { name: "all", per: [], callsPerDay: 9, ...all },
      ],
      obligations: [
        {
          name: "hide",
          action: { do: "mask", at: path("/customer/~1mail", "customer", "/mail") },
          unless: [{ value: "pii.read" }],
          tools: [{ value: "desk/get" }],
          tags: [],
        },
        {
          name: "cards",
          action: { do: "redact", at: path(""), pattern: { value: "[0-9]{13}" } },
          unless: [],
          ...all,
        },
        {
          name: "out",
          action: { do: "drop", at: path("/lines/*/price", "lines", "*", "price") },
          unless: [],
          ...all,
        },
        { name: "mark", action: { do: "watermark", text: "internal" }, unless: [], ...all },
      ],
    });
  });
});

describe("an error in the governance of skillc.yaml", () => {
  const grant = (words: string) => `grants:\n  - { ${words} }\n`;
  const quota = (words: string) => `quotas:\n  - { name: q, ${words} }\n`;
  const obligation = (words: string) => `obligations:\n  - { name: o, ${words} }\n`;
  test.each([
    ["governance: strickt", "config/wrong-value", "strickt", "did you mean `strict`?"],
    ["governance: true", "config/wrong-value", "true", undefined],
    ["capabilities: net.http:get", "config/wrong-type", "net.http:get", /list/],
    ["capabilities: [everything]", "config/wrong-value", "everything", /net\.http:get/],
    ["approval_channels: terminal", "config/wrong-type", "terminal", "write `[terminal]`"],
    ["approval_channels: ['elicitation:']", "config/wrong-value", "'elicitation:'", /CLIENT_ID/],
    [
      "approval_channels: ['elicitation:a b']",
      "config/wrong-value",
      "'elicitation:a b'",
      /CLIENT_ID/,
    ],
    ["approval_channels: [Chat App]", "config/wrong-value", "Chat App", /lower-case letter/],
    ["approval_channels: [chat, chat]", "config/wrong-value", "[chat, chat]", undefined],
    ["approval_chanels: [chat]", "config/unknown-key", "approval_chanels", /approval_channels/],
    ["capabilities: [12]", "config/wrong-type", "12", "put quotes around it"],
    ["grants: support", "config/wrong-type", "support", "write `[support]`"],
    [grant("to: { role: a }"), "config/missing-key", "{", /scopes/],
    [grant("to: { role: a }, scopes: []"), "config/wrong-value", "[]", undefined],
    [grant("to: { role: a, tenant: b }, scopes: [s]"), "config/wrong-value", "tenant", /one grant/],
    [grant("to: {}, scopes: [s]"), "config/wrong-value", "{}", undefined],
    [grant('to: { role: "a " }, scopes: [s]'), "config/wrong-value", '"a "', /as callers have it/],
    [grant('to: { role: a }, scopes: ["s\u00a0t"]'), "config/wrong-value", '"s\u00a0t"', /callers/],
    [grant("to: { rol: a }, scopes: [s]"), "config/unknown-key", "rol", "did you mean `role`?"],
    [grant("to: { role: a }, scope: [s]"), "config/unknown-key", "scope", "did you mean `scopes`?"],
    [grant("to: { role: a }, scopes: s"), "config/wrong-type", "s", "write `[s]`"],
    [
      quota("calls_per_minut: 5"),
      "config/unknown-key",
      "calls_per_minut",
      "did you mean `calls_per_minute`?",
    ],
    [quota("calls_per_minute: 0"), "config/wrong-value", "0", undefined],
    [quota("calls_per_minute: 1.5"), "config/wrong-type", "1.5", undefined],
    [quota("bytes_in_per_day: 1 MByte"), "config/wrong-value", "1 MByte", /64KiB/],
    [quota("bytes_in_per_day: 0"), "config/wrong-value", "0", undefined],
    [quota("bytes_in_per_day: 8388608GiB"), "config/wrong-value", "8388608GiB", /`8388607GiB`/],
    [quota("bytes_out_per_day: 99999999GiB"), "config/wrong-value", "99999999GiB", /`8388607GiB`/],
    [quota("cost_per_day: 1e300"), "config/wrong-value", "1e300", undefined],
    [quota("per: [tenants], concurrent: 1"), "config/wrong-value", "tenants", /`tenant`/],
    ["quotas:\n  - { name: q }\n", "config/missing-key", "q", /`calls_per_minute`/],
    ["quotas:\n  - { concurrent: 1 }\n", "config/missing-key", "{", undefined],
    [obligation("do: hide, at: /a"), "config/wrong-value", "hide", undefined],
    [obligation("do: mask"), "config/missing-key", "{", undefined],
    [
      obligation("do: mask, at: customer.email"),
      "config/wrong-value",
      "customer.email",
      /`\/customer\/email`/,
    ],
    [obligation("do: mask, at: /a~2"), "config/wrong-value", "/a~2", undefined],
    [obligation("do: mask, at: /a, pattern: x"), "config/wrong-value", "x", undefined],
    [obligation("do: redact, at: /a"), "config/missing-key", "{", undefined],
    [obligation("do: watermark, at: /a, text: t"), "config/wrong-value", "/a", undefined],
    [
      obligation("do: mask, at: /a, unles: [x]"),
      "config/unknown-key",
      "unles",
      "did you mean `unless`?",
    ],
  ])("points at its place: %j", (text, code, at, help) => {
    const { found } = read(text);
    expect(found).toMatchObject([{ code, at }]);
    expect(found[0]?.help ?? "").toMatch(help ?? "");
  });

  test("points at both of two entries with one name", () => {
    const { found } = read(
      "obligations:\n  - { name: a, do: watermark, text: x }\n  - { name: a, do: drop, at: /b }\n",
    );
    expect(found).toMatchObject([{ code: "config/name-twice", at: "a" }]);
  });

  test.each(["store", "ledger"])("names `%s` without repeating the URL", (key) => {
    const { found, governance } = read(`${key}: postgres://me:hunter2@db.example/x\n`);
    expect(found).toMatchObject([{ code: "config/wrong-value" }]);
    expect(JSON.stringify(found.map(({ help, message }) => [help, message]))).not.toContain(
      "hunter2",
    );
    expect(JSON.stringify(governance)).not.toContain("hunter2");
  });

  test("names the alias of a secret without repeating its value", () => {
    const { found } = read(
      "secrets:\n  TOKEN: &t hunter2\nquotas:\n  - { name: *t, concurrent: 1 }\n",
    );
    expect(found).toMatchObject([{ code: "config/secret-as-setting", at: "quotas" }]);
  });
});

test.each([
  "calls_per_minute",
  "calls_per_day",
  "cost_per_day",
  "bytes_in_per_day",
  "bytes_out_per_day",
  "concurrent",
])(
  "a quota with an inexact %s causes an error, and does not become a quota without a limit",
  (key) => {
    const { found } = read(`quotas: [{ name: all, ${key}: 10000000000000000 }]\n`);
    expect(found).toContainEqual(
      expect.objectContaining({
        code: "config/wrong-value",
        at: "10000000000000000",
        message: `\`${key}\` must be at most 9007199254740991`,
      }),
    );
  },
);
