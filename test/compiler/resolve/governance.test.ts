import { describe, expect, test } from "vitest";
import type { ToolModel } from "../../../src/core/skill-model.js";
import { amountOf, byteSize, duration, faultOf, maxNumber } from "../../../src/core/quantities.js";
import { desk, faults, resolveProject } from "./skill-project.js";

/** One tool, `refund`, with these lines below its description. */
function refund(...lines: readonly string[]) {
  return desk(
    "tools:",
    "  refund:",
    "    description: Refund an order.",
    ...lines.map((line) => `    ${line}`),
  );
}

async function only(...lines: readonly string[]): Promise<ToolModel> {
  const outcome = await resolveProject(refund(...lines));
  expect(faults(outcome)).toEqual([]);
  const found = outcome.skills[0]?.tools[0];
  if (found === undefined) throw new Error("the tool was not resolved");
  return found;
}

async function refused(...lines: readonly string[]): Promise<readonly string[]> {
  return faults(await resolveProject(refund(...lines))).map((line) =>
    line.replace(/^SKILL\.md:/, ""),
  );
}

describe("the key `governance`", () => {
  test("contains every setting, each with its place", async () => {
    const { governance } = await only(
      "governance:",
      "  scopes: [orders.write]",
      '  capabilities: ["net.http:post ${ORDERS_URL}/orders"]',
      '  approval: { when: "context.args.amount > 5", ttl: 15m }',
      "  limits: { calls_per_minute: 60, concurrent: 4, bytes_in: 64KiB, bytes_out: 1MB, cost: 0.5 }",
      "  idempotency: keyed",
      "  concurrency: serial",
      "  state: paused",
      "  display_name: Refund",
      "  group: money",
      "  models: [claude-*]",
    );
    const span = expect.objectContaining({ file: "skills/desk/SKILL.md" });
    expect(governance).toMatchObject({
      span,
      scopes: [{ value: "orders.write", span }],
      capabilities: [{ value: "net.http:post ${ORDERS_URL}/orders", span }],
      approval: { span, when: { value: "context.args.amount > 5", span }, ttlMs: 900_000 },
      limits: {
        callsPerMinute: { value: 60, span },
        concurrent: { value: 4, span },
        bytesIn: { value: 65_536, span },
        bytesOut: { value: 1_000_000, span },
        cost: { value: 0.5, span },
      },
      idempotency: { value: "keyed", span },
      concurrency: { value: "serial", span },
      state: { value: "paused", span },
      displayName: "Refund",
      group: "money",
      models: ["claude-*"],
    });
  });

  test("does not exist for a tool without it", async () => {
    expect(await only("risk_level: high", "requires_confirmation: true")).not.toHaveProperty(
      "governance",
    );
  });

  test("allows nothing with an empty list of capabilities, and those of the binding without the key", async () => {
    expect((await only("governance: { capabilities: [] }")).governance?.capabilities).toEqual([]);
    expect((await only("governance: {}")).governance).not.toHaveProperty("capabilities");
  });

  test.each([
    [
      "governance: { scope: [a] }",
      "7:19-24 error tool/unknown-key: `scope` is not a key of `governance` (did you mean `scopes`?)",
    ],
    [
      "governance: { limits: { calls_per_minut: 1 } }",
      "7:29-44 error tool/unknown-key: `calls_per_minut` is not a key of `limits` (did you mean `calls_per_minute`?)",
    ],
    [
      "governance: { approval: { wen: a } }",
      "7:31-34 error tool/unknown-key: `wen` is not a key of `approval` (did you mean `when`?)",
    ],
    [
      "governance: { approval: { by: persn } }",
      "7:35-40 error tool/wrong-value: `by` must be `other` or `person` (did you mean `person`?)",
    ],
    [
      "governance: { approval: { approved_by: person } }",
      "7:31-42 error tool/unknown-key: `approved_by` is not a key of `approval` (its keys are `when`, `ttl`, `by`)",
    ],
    [
      "governance: { scopes: orders.read }",
      "7:27-38 error tool/wrong-type: `scopes` must be a list, not text (write it as a list, between `[` and `]`)",
    ],
    [
      "governance: { approval: { ttl: 15 minutes } }",
      "7:36-46 error tool/wrong-value: `ttl` must be a duration greater than 0 (write a whole number with its unit, `15m`, `30s`, `1h` or `7d`, or a number of milliseconds)",
    ],
    [
      "governance: { approval: { ttl: 0 } }",
      "7:36-37 error tool/wrong-value: `ttl` must be a duration greater than 0 (write a whole number with its unit, `15m`, `30s`, `1h` or `7d`, or a number of milliseconds)",
    ],
    [
      "governance: { limits: { bytes_out: 1 MB } }",
      "7:40-44 error tool/wrong-value: `bytes_out` must be a size greater than 0 (write a whole number with its unit, `64KiB`, `1MiB` or `64kB`, or a number of bytes)",
    ],
    [
      "governance: { limits: { concurrent: 0 } }",
      "7:41-42 error tool/wrong-value: `concurrent` must be at least 1",
    ],
    [
      "governance: { idempotency: key }",
      "7:32-35 error tool/wrong-value: `idempotency` must be `keyed`",
    ],
    ["governance:", "7:16-16 error tool/wrong-type: `governance` must be a mapping, not empty"],
  ])("`%s` causes an error", async (line, expected) => {
    expect(await refused(line)).toEqual([expected]);
  });

  test.each(["governance: string", "governance: { type: string }"])(
    "`%s` declares no parameter in short form, and the diagnostic says where to declare one",
    async (line) => {
      expect(await refused(line)).toEqual([
        "7:5-15 error tool/wrong-type: `governance` is a key of the tool itself, and can't declare a parameter in short form " +
          "(declare the parameters under `parameters:`, where one may be named `governance`: `parameters: { type: object, properties: { … } }`)",
      ]);
    },
  );

  test("may name a parameter under `parameters`", async () => {
    const { governance, parameters } = await only(
      "parameters: { type: object, properties: { governance: { type: string } } }",
    );
    expect(governance).toBeUndefined();
    expect(parameters.schema).toHaveProperty("properties.governance");
  });
});

describe("risk levels in the words of tool hubs", () => {
  test.each([
    ["read", "low", false],
    ["exec_low", "medium", false],
    ["exec_high", "high", true],
    ["write", "high", true],
  ])("`%s` means `%s`, with approval of every call: %s", async (word, level, asks) => {
    const { governance, riskLevel } = await only(`risk_level: ${word}`);
    expect(riskLevel).toBe(level);
    expect(governance !== undefined).toBe(asks);
    const { span, ...rule } = { span: undefined, ...governance?.approval };
    expect(span !== undefined).toBe(asks);
    // Neither a condition nor a time.
    expect(rule).toEqual({});
  });

  test("a skill's word requires approval for its tools without a level of their own", async () => {
    const { skills } = await resolveProject(
      desk(
        "risk_level: write",
        "tools:",
        "  refund: { description: Refund. }",
        "  look: { description: Look., risk_level: read }",
      ),
    );
    const tools = skills[0]?.tools ?? [];
    expect(tools.map(({ governance }) => governance?.approval !== undefined)).toEqual([
      true,
      false,
    ]);
  });

  test("a skill's own approval setting overrides its word for risk", async () => {
    const when = 'governance: { approval: { when: "context.args.amount > 5" } }';
    expect((await only("risk_level: write", when)).governance?.approval?.when?.value).toBe(
      "context.args.amount > 5",
    );
    const unasked = await only("risk_level: write", "requires_confirmation: false");
    expect(unasked.governance).toBeUndefined();
    const limited = await only("risk_level: write", "governance: { scopes: [money] }");
    expect(limited.governance?.approval).toEqual({ span: expect.anything() });
  });

  test("`by: person` lets the caller approve every call that the risk or a confirmation asks about", async () => {
    const byPerson = "governance: { approval: { by: person } }";
    for (const asking of ["risk_level: exec_high", "requires_confirmation: true"]) {
      const { governance } = await only(asking, byPerson);
      expect(governance?.approval).toEqual({ span: expect.anything(), by: "person" });
    }
  });

  test("`by: other` is the same as no `by`", async () => {
    const { governance } = await only("governance: { approval: { by: other } }");
    expect(governance?.approval).toEqual({ span: expect.anything() });
  });

  test("an unknown word causes an error with the similar words", async () => {
    expect(await refused("risk_level: exec_hihg")).toEqual([
      "7:17-26 error tool/wrong-value: `risk_level` must be `low`, `medium`, `high`, `critical`, `read`, `exec_low`, `exec_high` or `write` (did you mean `exec_high`?)",
    ]);
  });
});

test("`deprecated` may contain a date, a replacement and a reason", async () => {
  const { deprecated } = await only(
    'deprecated: { since: "2.0", use: refund-order, reason: It took no currency. }',
  );
  expect(deprecated).toEqual({
    since: "2.0",
    use: "refund-order",
    reason: "It took no currency.",
  });
  expect(await refused("deprecated: { sinc: now }")).toEqual([
    "7:19-23 error tool/unknown-key: `sinc` is not a key of `deprecated` (did you mean `since`?)",
  ]);
});

test.each([
  ["1ms", 1],
  ["30s", 30_000],
  ["15m", 900_000],
  ["1h", 3_600_000],
  ["7d", 604_800_000],
  [500, 500],
  [0, undefined],
  ["0s", undefined],
  ["1.5h", undefined],
  ["15 m", undefined],
  ["15M", undefined],
  [1.5, undefined],
  ["999999999d", undefined],
])("`%s` means %s milliseconds", (written, ms) => {
  expect(amountOf(duration, written)).toBe(ms);
});

test.each([
  ["64KiB", 65_536],
  ["64kB", 64_000],
  ["1MiB", 1_048_576],
  ["1MB", 1_000_000],
  ["512B", 512],
  [100, 100],
  ["64KB", undefined],
  ["64k", undefined],
  [-1, undefined],
])("`%s` means %s bytes", (written, bytes) => {
  expect(amountOf(byteSize, written)).toBe(bytes);
});

test.each([
  ["duration", duration],
  ["size", byteSize],
])("the largest %s is exact, and one unit more is too much", (_, quantity) => {
  const [, amount = "", unit = ""] = /^(\d+)(\w+)$/.exec(quantity.most) ?? [];
  expect(amountOf(quantity, quantity.most)).toBeLessThanOrEqual(maxNumber);
  const more = `${Number(amount) + 1}${unit}`;
  expect(amountOf(quantity, more)).toBeUndefined();
  for (const written of [more, `9${"0".repeat(400)}${unit}`, 1e300])
    expect(faultOf(quantity, written)).toEqual({
      problem: `is larger than ${quantity.name} can be`,
      help: `write \`${quantity.most}\` at most`,
    });
});

test.each([
  ["approval: { ttl: 104249992d }", "`ttl` is larger than a duration can be", "104249991d"],
  ["limits: { bytes_in: 8388608GiB }", "`bytes_in` is larger than a size can be", "8388607GiB"],
  [
    "limits: { bytes_out: 9007199254740992 }",
    "`bytes_out` is larger than a size can be",
    "8388607",
  ],
  ["limits: { calls_per_minute: 9007199254740992 }", "must be at most 9007199254740991", ""],
  ["limits: { concurrent: 1e300 }", "must be at most 9007199254740991", ""],
  ["limits: { cost: 1e300 }", "must be at most 9007199254740991", ""],
])("`%s` causes an error with the largest possible value", async (words, problem, most) => {
  const lines = await refused(`governance: { ${words} }`);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(problem);
  expect(lines[0]).toContain(most);
});

test("`9999999999B` means exactly its number of bytes", async () => {
  const { governance } = await only("governance: { limits: { bytes_in: 9999999999B } }");
  expect(governance?.limits.bytesIn?.value).toBe(9_999_999_999);
});

test("a cost that exceeds every number causes an error about its size, not its type", async () => {
  expect(await refused("governance: { limits: { cost: 1e400 } }")).toEqual([
    "7:35-40 error parse/number-not-json: this number is too large for a double (the largest is 1.7976931348623157e+308; in quotes it is text)",
    "7:35-40 error tool/wrong-value: `cost` must be at most 9007199254740991",
  ]);
});
