import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../src/core/json.js";
import { checkPolicies } from "../../src/compiler/check-policies.js";
import { parseConfig } from "../../src/compiler/config/parse-config.js";
import { createReport } from "../../src/core/report.js";
import { askCedar } from "../../src/policy/ask-cedar.js";
import { compilePolicies } from "../../src/policy/compile-policies.js";
import { policyDiagnosticEntries } from "../../src/policy/diagnostics.js";
import { openCedar } from "../../src/runtime/governance/cedar/engine.js";
import { MissingPackage } from "../../src/runtime/call/missing-package.js";
import { diagnose } from "../compiler/whole/compile-untyped.js";
import { runs } from "../support/runs.js";

/** A project's tools: `order-desk/refund` and `order-desk/get-order`. */
function skill(governance = ""): string {
  return `---
name: order-desk
description: Gives money back.
tools_schema:
  refund:
    description: Refunds an order.
    tags: [orders]
    parameters:
      type: object
      required: [amount_cents, reason, "a b"]
      properties:
        amount_cents: { type: integer }
        reason: { type: [string, integer] }
        note: { type: string }
        "a b": { type: boolean }
        __proto__: { type: string }
${governance}  get-order:
    description: Gets an order.
    id: string
---
Refund what was paid.
`;
}

const file = "policies/refunds.cedar";

/** Notes on the skill itself are none of ours. */
const isOurs = ({ code }: { readonly code: string }) => code !== "skill/not-portable";

/** What is found, each with the text at its place. */
function found(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  return foundIn({ "skills/order-desk/SKILL.md": skill(), ...files });
}

/** The same of a project that is given whole. */
async function foundIn(all: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { diagnostics } = await diagnose(all);
  return diagnostics.filter(isOurs).map(({ code, help, message, related = [], span }) => {
    const at = (place: typeof span) =>
      (Object.entries(all).find(([path]) => path === place.file)?.[1] ?? "").slice(
        place.start,
        place.end,
      );
    const others = related.map((each) => ` [${each.message}: ${at(each.span)}]`).join("");
    return `${code} at ${at(span)}: ${message}${help === undefined ? "" : ` (${help})`}${others}`;
  });
}

const policy = (text: string) => found({ [file]: text });
const refund = (condition: string, effect = "forbid"): string =>
  `${effect}(principal, action == Action::"order-desk/refund", resource) when { ${condition} };`;

describe("a policy", () => {
  test("may refer to all data of a tool, by tool, skill and tag", async () => {
    expect(
      await policy(`
        // Money
        permit(principal in Role::"clerk", action in Action::"skill:order-desk", resource == Tenant::"acme");
        forbid(principal, action in [Action::"tag:orders"], resource) unless { context.scopes.contains("orders.write") };
        ${refund('context.args["a b"] && context.origin == "llm" && context.risk == "high"')}
        ${refund('context.args has __proto__ && context.args["__proto__"] like "x*" && context.effect == "write"')}
        @id("by-name") forbid(principal == Caller::"mallory", action, resource);
      `),
    ).toEqual([]);
  });

  test("gets a warning if nobody gets its message as it is", async () => {
    const about = `(principal, action == Action::"order-desk/refund", resource);`;
    expect(await policy(`@message("needs a ticket") forbid${about}`)).toEqual([]);
    const lines = await policy(`
      @message("welcome") permit${about}
      @message forbid${about}
      @message(" \\n ") forbid${about}
      @message("${"x".repeat(501)}") forbid${about}
    `);
    expect(
      lines.map((each) => each.replace(/^policy\/message at \S+: /, "").split(" (")[0]),
    ).toEqual([
      "nobody sees the message of a policy that permits",
      "the message is empty",
      "the message is empty",
      "the message has 501 characters, and callers get the first 500",
    ]);
  });

  test("gets a suggestion for a parameter that does not exist", async () => {
    expect(await policy(refund("context.args.amout_cents > 100000"))).toEqual([
      'policy/types at context.args.amout_cents: attribute `args.amout_cents` in context for Action::"order-desk/refund" not found (did you mean `amount_cents`?)',
    ]);
  });

  test("gets the list of names if a name resembles none", async () => {
    expect((await policy(refund('context.args.currency == "EUR"')))[0]).toContain(
      "(there is `amount_cents`, `reason`, `note`, `a b` and `__proto__`)",
    );
    expect((await policy(refund('context.weather == "rain"')))[0]).toContain(
      "(there is `args`, `origin`, `scopes`, `risk`, `effect` and `capabilities`)",
    );
    expect(
      (await policy('forbid(principal, action == Action::"stock/count", resource);'))[0],
    ).toContain('(the actions are `Action::"order-desk/get-order"`, ');
  });

  test("gets an error of its type that points at the declaration of the parameter", async () => {
    expect(await policy(refund('context.args.amount_cents == "much"'))).toEqual([
      'policy/types at context.args.amount_cents == "much": the types Long and String are not compatible (both operands to a `==` expression must have compatible types. Types must be exactly equal to be compatible) [`amount_cents` of `order-desk/refund` is declared here: { type: integer }]',
    ]);
  });

  test("gets the advice to test an optional parameter first", async () => {
    const [line] = await policy(refund('context.args.note == "x"'));
    expect(line).toMatch(
      /^policy\/types at context\.args\.note: .*`context\.args has note && \.\.`/,
    );
  });

  test("gets the reason if a parameter has no type in Cedar", async () => {
    expect(await policy(refund('context.args.reason == "x"'))).toEqual([
      "policy/no-type at context.args.reason: a policy can't read `reason` of `order-desk/refund` (`reason` is a union of text, number, for which Cedar has no type; docs/governance/policy-types.md lists the types) [`reason` of `order-desk/refund` is declared here: { type: [string, integer] }]",
    ]);
  });

  test.each([
    [
      "action",
      'forbid(principal, action == Action::"order-desk/refnd", resource);',
      '`Action::"order-desk/refund"`',
    ],
    [
      "skill",
      'forbid(principal, action in Action::"skill:ordr-desk", resource);',
      '`Action::"skill:order-desk"`',
    ],
    [
      "tag",
      'forbid(principal, action in Action::"tag:order", resource);',
      '`Action::"tag:orders"`',
    ],
    ["type", 'forbid(principal == Callr::"a", action, resource);', "`Caller`"],
  ])("gets a suggestion for an unknown %s", async (_, text, meant) => {
    const lines = await policy(text);
    expect(lines[0]).toMatch(/^policy\/types at (Action::|Callr)/);
    expect(lines.join()).toContain(`(did you mean ${meant}?)`);
  });

  describe("a policy that requires a scope", () => {
    const grants =
      "grants:\n  - { to: { role: clerk }, scopes: [orders.write], tools: [order-desk/refund] }\n";
    const asking = (text: string, settings = grants) =>
      found({ "skillc.yaml": settings, [file]: text });
    const forbid = (clauses: string, tool = "refund") =>
      `forbid(principal, action == Action::"order-desk/${tool}", resource) ${clauses};`;

    test.each([
      'when { context.scopes.contains("orders.wirte") }',
      'unless { context.scopes.contains("orders.wirte") }',
      'unless { context.origin == "api" && !context["scopes"].contains("orders.wirte") }',
      'when { context.scopes.containsAny(["orders.write", "orders.wirte"]) }',
      'unless { context.scopes.containsAll(["orders.wirte"]) }',
    ])("gets a suggestion if nobody has the scope, in `%s`", async (clause) => {
      expect(await asking(forbid(clause))).toEqual([
        'policy/ungranted-scope at "orders.wirte": no caller can hold the scope `orders.wirte`: no grant gives it (did you mean `orders.write`?)',
      ]);
    });

    test("gets an error if the scope is granted for other tools only", async () => {
      const clause = 'unless { context.scopes.contains("orders.write") }';
      expect(await asking(forbid(clause))).toEqual([]);
      expect(await asking(forbid(clause, "get-order"))).toEqual([
        'policy/ungranted-scope at "orders.write": no caller can hold the scope `orders.write`: no grant gives it (grant it in skillc.yaml: `{ to: { role: … }, scopes: […] }`)',
      ]);
      expect(
        await asking(`forbid(principal, action, resource) ${clause};`),
        "of all tools, one of which it is granted for",
      ).toEqual([]);
    });

    test("gets an error at each place of the scope, and not at an equal text", async () => {
      const asked = 'context.scopes.contains("orders.wirte")';
      const other = 'context.args has note && context.args.note == "orders.wirte"';
      expect(
        await asking(forbid(`when { ${other} } unless { ${asked} || ${asked} }`)),
      ).toHaveLength(2);
    });

    test("gets no error if no grants define who has the scope", async () => {
      expect(await asking(forbid('when { context.scopes.contains("any") }'), "")).toEqual([]);
    });

    test("gets an error at its place in the skill if it is the condition of an approval", async () => {
      const when = `!context.scopes.contains('orders.wirte')`.replaceAll("'", '\\"');
      const text = skill(`    governance: { approval: { when: "${when}" } }\n`);
      expect(
        await found({ "skillc.yaml": grants, "skills/order-desk/SKILL.md": text }),
      ).toContainEqual(
        'policy/ungranted-scope at \\"orders.wirte\\": no caller can hold the scope `orders.wirte`: no grant gives it (did you mean `orders.write`?)',
      );
    });
  });

  test("gets a warning if it can never apply", async () => {
    expect(await policy(refund("context.args.amount_cents > 1 && false"))).toEqual([
      "policy/never-applies at forbid: the policy can never apply: no call matches it (fix its scope and its conditions, or remove it)",
    ]);
  });

  test("gets rejected if it has a slot", async () => {
    const [line] = await policy("permit(principal == ?principal, action, resource);");
    expect(line).toMatch(/^policy\/template at \?principal: .*\(write the policy without /);
  });

  test.each([
    ["without an end", "permit(principal, action, resource)", ""],
    ["with a word too many", "permit(principal, action resource);", "resource"],
    ["with a string that doesn't end", 'permit(principal, action, resource) when { "a };', ""],
    ["of another language", "SELECT 1;", "1"],
  ])("a policy %s gets an error at its place", async (_, text, at) => {
    const lines = await policy(text);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.slice(0, `policy/syntax at ${at}`.length)).toBe(`policy/syntax at ${at}`);
  });

  test("gets an error at its place behind a byte order mark, CRLF and characters of any length", async () => {
    const lines = await policy(
      `\ufeff// ü € 😀\r\npermit(principal, action, resource);\r\n/* `.slice(0, -3) +
        `// 😀; "\r\n${refund('context.args has note && context.args.note == "😀ü" && context.args.nothing')}\r\n`,
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^policy\/types at context\.args\.nothing: /);
  });

  test("does not hide errors of the other policies in its file", async () => {
    const lines = await policy(`permit(principal;\n${refund("context.args.x")}\nforbid(nobody);`);
    expect(lines.map((line) => line.split(":")[0])).toEqual([
      "policy/syntax at ;",
      "policy/types at context.args.x",
      "policy/syntax at nobody",
    ]);
  });

  test("gets its own id, or that of its place", async () => {
    expect(
      await policy(
        '@id("a") permit(principal, action, resource);\n@id("a") permit(principal, action, resource);',
      ),
    ).toEqual([
      'policy/id-twice at permit: another policy has the id `a` too (give each policy an `@id("…")` of its own: decisions use the id) [the other is here: permit]',
    ]);
    for (const id of ["", "a b", "engine", "__proto__", "x".repeat(201)])
      expect((await policy(`@id("${id}") permit(principal, action, resource);`))[0]).toMatch(
        /^policy\/id at permit/,
      );
    expect(
      await policy(
        `permit(principal, action, resource);\n@id("${file}#1") permit(principal, action, resource);`,
      ),
    ).toHaveLength(1);
  });
});

describe("a policy that compares with an impossible value", () => {
  const desk = `---
name: s
description: Gives money back.
tools_schema:
  refund:
    description: Refunds an order.
    parameters:
      type: object
      required: [channel, amount]
      properties:
        channel: { enum: [phone, mail, web] }
        amount: { type: integer, minimum: 1, maximum: 1000 }
        rate: { type: number, exclusiveMaximum: 1 }
        level: { enum: [1, 2, null] }
        code: { type: string, pattern: "^[A-Z]{2}$" }
        labels: { type: array, items: { enum: [new, old] } }
        owner: { type: object, properties: { kind: { $ref: "#/$defs/kind" } } }
        reason: { type: string }
        either: { type: [string, integer] }
      $defs: { kind: { oneOf: [{ const: person }, { const: firm }] } }
GOVERNANCE  close:
    description: Closes an order.
    parameters: { type: object, properties: { channel: { enum: [phone, fax] }, note: { type: string } } }
---
Refund what was paid.
`;
  const skillFile = "skills/s/SKILL.md";
  const plain = { [skillFile]: desk.replace("GOVERNANCE", "") };
  const of = (condition: string, scope = 'action == Action::"s/refund"') =>
    `forbid(principal, ${scope}, resource) when { ${condition} };`;
  const lines = (text: string) =>
    foundIn({ ...plain, [file]: text }).then((all) => all.map((line) => line.replace(/ \[.*/, "")));
  const known = [
    'context.args.channel == "phone"',
    '["web", "mail"].contains(context.args.channel)',
    'context.args.channel like "ph*e"',
    'context.origin == "none" || ["llm", "api", "system"].contains(context.origin)',
    'context.risk == "critical" && context.effect != "read"',
    "context.args.amount > 999 || context.args.amount == 1000 || 1 <= context.args.amount",
    'context.args has rate && context.args.rate.lessThan(decimal("0.9999"))',
    "context.args has level && context.args.level == 2",
    'context.args has code && context.args.code == "DE"',
    'context.args has labels && context.args.labels.containsAny(["new", "old"])',
    'context.args has owner && context.args.owner has kind && context.args.owner.kind == "firm"',
    'context.args has owner.kind && context["args"]["owner"]["kind"] == "person"',
    'context.args has reason && context.args.reason == "any text"',
    'context.capabilities.contains("any:thing")',
  ];

  test.each(known)("gets no error for a possible value: %s", async (condition) => {
    expect(await lines(of(condition))).toEqual([]);
  });

  test.each([
    ['context.args.channel == "fone"', '"fone"', "phone"],
    ['"FAX" == context.args["channel"]', '"FAX"', ""],
    ['context.args.channel != "phon\\u{65}s"', '"phon\\u{65}s"', "phone"],
    ['["web", "wep"].contains(context.args.channel)', '"wep"', "web"],
    ['context.args.channel like "fo*"', '"fo*"', ""],
    ['context.origin == "model"', '"model"', ""],
    ['context.origin == "LLM" && context.args.amount > 100', '"LLM"', "llm"],
    ['["api", "sytem"].contains(context.origin)', '"sytem"', "system"],
    ['context.risk == "hgih"', '"hgih"', "high"],
    ['context.effect == "delete"', '"delete"', ""],
    ["context.args.amount > 5000", "5000", ""],
    ["0 == context.args.amount", "0", ""],
    ["context.args.amount < -5", "5", ""],
    ['context.args has rate && context.args.rate.greaterThan(decimal("1.5"))', '"1.5"', ""],
    ["context.args.amount > 1000", "1000", "never holds"],
    ["1000 < context.args.amount", "1000", "never holds"],
    ["context.args.amount < 1", "1", "never holds"],
    ["context.args has level && context.args.level == 3", "3", ""],
    ['context.args has code && context.args.code == "GERMANY"', '"GERMANY"', ""],
    ['context.args has labels && context.args.labels.contains("nwe")', '"nwe"', "new"],
    ['context.args has owner.kind && context.args.owner.kind == "frim"', '"frim"', "firm"],
    // The same text may be right elsewhere.
    [
      'context.args has reason && context.args.reason == "fone" && (if context.args.amount > 3 then context.args.channel == "fone" else true)',
      '"fone"',
      "phone",
    ],
  ])("gets an error for %s at %s", async (condition, at, meant) => {
    const text = of(condition);
    const found = await diagnose({ ...plain, [file]: text });
    const ours = found.diagnostics.filter(isOurs);
    expect(ours.map(({ code }) => code)).toEqual(["policy/unknown-value"]);
    const [only] = ours;
    expect(text.slice(only?.span.start, only?.span.end)).toBe(at);
    expect(only?.span.start).toBe(text.lastIndexOf(at));
    expect(only?.help).toContain(meant);
  });

  test("gets an error that names the side beyond a limit", async () => {
    expect(await lines(of("context.args.amount > 1000"))).toEqual([
      "policy/unknown-value at 1000: no call has more than `1000` as `context.args.amount` (the schema does not allow such a value, so the comparison never holds)",
    ]);
    expect(await lines(of("1 > context.args.amount"))).toEqual([
      expect.stringContaining("no call has less than `1` as `context.args.amount`"),
    ]);
  });

  test("gets a list of the values with a suggestion, and their declaration", async () => {
    expect(await lines(of('context.args.channel == "phones"'))).toEqual([
      'policy/unknown-value at "phones": no call has `phones` as `context.args.channel` (did you mean `phone`? it is one of `phone`, `mail` and `web`)',
    ]);
    expect(await foundIn({ ...plain, [file]: of('context.args.channel == "telex"') })).toEqual([
      'policy/unknown-value at "telex": no call has `telex` as `context.args.channel` (it is one of `phone`, `mail` and `web`) [`channel` of `s/refund` is declared here: { enum: [phone, mail, web] }]',
    ]);
  });

  test("accepts a comparison if one tool of the policy has the value, or the name", async () => {
    const fax = 'context.args has channel && context.args.channel == "fax"';
    expect(await lines(of(fax, "action"))).toEqual([]);
    expect(await lines(of(fax))).toHaveLength(1);
    expect(await lines(of(fax, 'action == Action::"s/close"'))).toEqual([]);
    expect(await lines(of("context.args has note", "action"))).toEqual([]);
    expect(await lines(of("context.args has note"))).toHaveLength(1);
  });

  test.each([
    ["!(context.args has reasons)", "reasons", "policy/unknown-attribute"],
    ["context.args has reasons", "reasons", "policy/unknown-attribute"],
    ['!(context.args has "a b")', '"a b"', "policy/unknown-attribute"],
    ["!(context has orgin)", "orgin", "policy/unknown-attribute"],
    [
      "!(context.args has owner && context.args.owner has knid)",
      "knid",
      "policy/unknown-attribute",
    ],
    ["!(context.args has owner.knid)", "knid", "policy/unknown-attribute"],
    ["!(principal has role)", "role", "policy/unknown-attribute"],
    ["!(context.args has either)", "either", "policy/no-type"],
  ])("gets an error for %s at %s", async (condition, at, code) => {
    const all = await lines(of(condition));
    expect(all).toHaveLength(1);
    expect(all[0]).toContain(`${code} at ${at}: `);
  });

  test.each([
    ['context.origin == \\"model\\"', '\\"model\\"'],
    ['context.args.channel == \\"fax\\"', '\\"fax\\"'],
    ["context.args has reasn", "reasn"],
    ["context.args.amount > 5000", "5000"],
  ])("gets an error in the condition of an approval, %s, at %s", async (when, at) => {
    const governance = `    governance: { approval: { when: "${when}" } }\n`;
    const all = await foundIn({ [skillFile]: desk.replace("GOVERNANCE", governance) });
    expect(all).toHaveLength(1);
    expect(all[0]).toMatch(/^policy\/unknown-(?:value|attribute) at /);
    expect(all[0]).toContain(` at ${at}: `);
  });

  test.each([
    ['context.scopes.contains("blocked ")', '"blocked "'],
    ['context.scopes.containsAny(["a\\u{200b}"])', '"a\\u{200b}"'],
  ])("a scope that no caller can have, in (%s), is reported at %s", async (condition, at) => {
    expect(
      await lines(`forbid(principal, action, resource) when { ${condition} };`),
    ).toContainEqual(
      expect.stringContaining(`policy/unknown-value at ${at}: no caller has this scope`),
    );
  });

  test.each([
    ['principal == Caller::"mallory ", action, resource', '"mallory "'],
    ['principal in Role::"cl\\u{200b}erk", action, resource', '"cl\\u{200b}erk"'],
    ['principal, action, resource == Tenant::"a\u00a0b"', '"a\u00a0b"'],
  ])("gets an error for a name that no caller can have, in (%s), at %s", async (scope, at) => {
    // Cedar itself warns of some of these characters.
    expect(await lines(`forbid(${scope});`)).toContainEqual(
      expect.stringContaining(`policy/unknown-value at ${at}: no call is of this `),
    );
    expect(await lines('forbid(principal == Caller::"", action, resource == Tenant::"");')).toEqual(
      [],
    );
  });

  test("gets its error at the right place behind a comment, an annotation and a record", async () => {
    const text = `@id("fone") @when("x") forbid(principal == Caller::"fone", action == Action::"s/refund", resource)
// "fone"
unless { {z: "fone", a: 1} == {z: "x", a: 1} } when { context.args.channel == "fone" };`;
    const { diagnostics } = await diagnose({ ...plain, [file]: text });
    const only = diagnostics.find(({ code }) => code === "policy/unknown-value");
    expect(only?.span.start).toBe(text.lastIndexOf('"fone"'));
  });
});

/** Of one tool, of which nothing is said. */
const emptySchema: JsonValue = {
  "": {
    entityTypes: { Caller: { memberOfTypes: ["Role", "Tenant"] }, Role: {}, Tenant: {} },
    actions: {
      "order-desk/refund": {
        appliesTo: {
          principalTypes: ["Caller"],
          resourceTypes: ["Tenant"],
          context: { type: "Record", attributes: {} },
        },
      },
    },
  },
};

describe("a policy that exceeds the limits of Cedar", () => {
  const many = (count: number, text: string) => text.repeat(count);
  const hostile: readonly (readonly [string, (count: number) => string])[] = [
    ["parentheses", (n) => refund(`${many(n, "(")}true${many(n, ")")}`)],
    ["sets", (n) => refund(`${many(n, "[")}1${many(n, "]")}.isEmpty()`)],
    ["records", (n) => refund(`${many(n, "{a:")}1${many(n, "}")} == 1`)],
    ["calls", (n) => refund(`${many(n, "[1].contains(")}true${many(n, ")")}`)],
    ["conditions", (n) => refund(`${many(n, "if true then true else ")}true`)],
    [
      "conditions of conditions",
      (n) => refund(`${many(n, "if ")}true${many(n, " then true else true")}`),
    ],
    ["conjunctions", (n) => refund(`true${many(n, " && true")}`)],
    ["sums", (n) => refund(`1${many(n, " + 1")} > 1`)],
    ["negations", (n) => refund(`${many(n, "!")}true`)],
    ["properties", (n) => refund(`context${many(n, ".a")}`)],
    ["indices", (n) => refund(`context${many(n, '["a"]')}`)],
    ["methods", (n) => refund(`context${many(n, ".contains(1)")}`)],
    ["clauses", (n) => `permit(principal, action, resource)${many(n, " when { true }")};`],
    ["comparisons in parentheses", (n) => refund(`${many(n, "(1 == ")}1${many(n, ")")} == 1`)],
    ["conjunctions in parentheses", (n) => refund(`${many(n, "(true && ")}true${many(n, ")")}`)],
    ["sets of conjunctions", (n) => refund(`${many(n, "[true && ")}true${many(n, "].isEmpty()")}`)],
  ];

  /** The most that is let through: Cedar must be able to read, check and decide by it. */
  function largest(make: (count: number) => string, isRefused: (text: string) => boolean): string {
    let low = 1;
    let high = 10_000;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (isRefused(make(middle))) high = middle;
      else low = middle;
    }
    return make(low);
  }

  test.each(hostile)(
    "gets rejected if it nests 10,000 levels deep, and accepted if it is below the limit: %s",
    async (_, make) => {
      const { splitPolicies } = await import("../../src/policy/split-policies.js");
      const isRefused = (text: string) =>
        splitPolicies(text).some(({ tooDeep }) => tooDeep !== undefined);
      expect(isRefused(make(10_000))).toBe(true);
      expect(isRefused(make(10))).toBe(false);
      const text = largest(make, isRefused);
      // It may be wrong, but must be answered.
      const [verdict] = await askCedar({ schema: emptySchema, texts: [text], permits: true });
      expect(verdict?.policy !== undefined || verdict?.problems.length === 1).toBe(true);
      const answers = verdict?.policy !== undefined && verdict.problems.length === 0;
      if (!answers) return;
      const engine = await openCedar({ schema: emptySchema, policies: { a: text }, approvals: {} });
      const request = {
        principal: "a",
        roles: [],
        tenant: "t",
        action: "order-desk/refund",
        context: {},
      };
      expect(engine.decide(request)).not.toMatchObject({ why: expect.stringContaining("memory") });
    },
  );

  test("gets parsed in any nesting below the limit", async () => {
    const { splitPolicies } = await import("../../src/policy/split-policies.js");
    const around = [
      ["(", ")"],
      ["!(", ")"],
      ["[1].contains(", ")"],
      ["[", "].isEmpty()"],
      ["if true then true else ", ""],
      ["if ", " then true else false"],
      ["true && ", ""],
      ["", " || true"],
      ["(1 + ", " == 2)"],
      ["(context.origin == ", ")"],
      ["{a: ", "}.a"],
      ["", ' like "*"'],
    ] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...around), { minLength: 150, maxLength: 150 }),
        async (layers) => {
          let text = refund("true");
          let inner = "true";
          for (const [before, after] of layers) {
            inner = `${before}${inner}${after}`;
            const next = refund(inner);
            if (splitPolicies(next).some(({ tooDeep }) => tooDeep !== undefined)) break;
            text = next;
          }
          expect(
            await askCedar({ schema: emptySchema, texts: [text], permits: true }),
          ).toHaveLength(1);
        },
      ),
      { numRuns: runs(300), seed: 10_000 },
    );
  });

  test("gets an error at its place, and the other policies are still checked", async () => {
    const deep = hostile[0]?.[1](10_000) ?? "";
    const lines = await policy(`${deep}\n${refund("context.args.x")}`);
    expect(lines.map((line) => line.slice(0, 40))).toEqual([
      "policy/too-large at (: the policy is nes",
      "policy/types at context.args.x: attribut",
    ]);
  });

  test("gets rejected if it is too long or one of too many", async () => {
    const long = refund(`["${"a".repeat(70_000)}"].contains("a")`);
    expect((await policy(long))[0]).toMatch(/^policy\/too-large at f: /);
    const all = "permit(principal, action, resource);\n".repeat(2001);
    expect(await policy(all)).toEqual([
      'policy/too-large at permit: there are 2001 policies; at most 2000 are allowed (let one policy cover many tools: `action in Action::"tag:orders"`, `["a", "b"].contains(…)`)',
    ]);
  });
});

describe("the condition of an approval", () => {
  const approval = (when: string): string => `    governance:\n      approval: { when: ${when} }\n`;
  const condition = (when: string) =>
    found({ "skills/order-desk/SKILL.md": skill(approval(when)) });
  const lines = async (when: string) => {
    const text = skill(approval(when));
    const { diagnostics } = await diagnose({ "skills/order-desk/SKILL.md": text });
    return diagnostics
      .filter(isOurs)
      .map(({ code, span }) => `${code} at ${text.slice(span.start, span.end)}`);
  };

  test("gets the same checks as a policy", async () => {
    expect(await condition('"context.args.amount_cents > 50000"')).toEqual([]);
    expect(await lines('"context.args.amout_cents > 50000"')).toEqual([
      "policy/types at context.args.amout_cents",
    ]);
    expect(await lines("'context.args.reason == \"x\"'")).toEqual([
      "policy/no-type at context.args.reason",
    ]);
    expect(await lines('"false"')).toEqual(['policy/never-applies at "false"']);
  });

  test("gets an error at its place within escapes and blocks of YAML", async () => {
    expect(
      await lines('"\\x63ontext.args has note && context.args.note == \\"😀\\" && context.args.x"'),
    ).toEqual(["policy/types at context.args.x"]);
    const text = skill(
      "    governance:\n      approval:\n        when: |\n          context.args.amount_cents > 1 &&\n          context.args.x\n",
    );
    const { diagnostics } = await diagnose({ "skills/order-desk/SKILL.md": text });
    expect(
      diagnostics
        .filter(isOurs)
        .map(({ code, span }) => `${code} at ${text.slice(span.start, span.end)}`),
    ).toEqual(["policy/types at context.args.x"]);
  });

  test("may contain a comment, and only one expression", async () => {
    expect(await condition('"context.args.amount_cents > 1 // much"')).toEqual([]);
    const hostile = [
      "true } when { true",
      "true } unless { false",
      "true }; permit(principal, action, resource) when { true",
      "true }; permit(principal, action, resource); //",
      "true } //",
      "",
      "//",
      "true;",
      "?principal == principal",
      "true } // \\n unless { false",
    ];
    const passed: string[] = [];
    for (const when of hostile) {
      const found = await lines(JSON.stringify(when).replaceAll("\\\\", "\\"));
      if (found.length === 0) passed.push(when);
    }
    expect(passed).toEqual([]);
  });

  test("gets rejected if it nests 10,000 levels deep", async () => {
    expect(await lines(`"${"(".repeat(10_000)}"`)).toEqual(["policy/too-large at ("]);
  });
});

describe("strict mode", () => {
  const strict = (policies: string) =>
    found({ "skillc.yaml": "governance: strict\n", [file]: policies });

  test("warns about a tool that no policy permits", async () => {
    const nothing = await strict("");
    expect(nothing.map((line) => line.split(" (")[0])).toEqual([
      "policy/nothing-permits at refund: no policy permits `order-desk/refund`, so no model may call it",
      "policy/nothing-permits at get-order: no policy permits `order-desk/get-order`, so no model may call it",
    ]);
    expect(
      await strict('permit(principal, action in Action::"skill:order-desk", resource);'),
    ).toEqual([]);
    expect(
      await strict(
        'permit(principal, action, resource) when { context.args has id && context.args.id == "1" };',
      ),
    ).toHaveLength(1);
    expect(await strict("forbid(principal, action, resource);")).toHaveLength(2);
  });

  test("no warning appears outside of strict mode", async () => {
    expect(await policy("forbid(principal, action, resource);")).toEqual([]);
  });
});

describe("a project without Cedar", () => {
  const report = () => createReport(policyDiagnosticEntries);
  const ask = () => Promise.reject(new MissingPackage("@cedar-policy/cedar-wasm", undefined));

  test("gets one error for its policies that says what to install", async () => {
    const log = report();
    const text = "permit(principal, action, resource);\n".repeat(3);
    await compilePolicies({ files: [{ path: file, text }], skills: [], strict: false, ask }, log);
    expect(log.diagnostics()).toMatchObject([
      {
        code: "policy/cedar-missing",
        help: expect.stringContaining("npm install -D @cedar-policy/cedar-wasm") as string,
      },
    ]);
  });

  test("gets one error if Cedar ends while it reads the policies", async () => {
    const log = report();
    const files = [{ path: file, text: "permit(principal, action, resource);\n" }];
    const overflow = () => Promise.reject(new RangeError("Maximum call stack size exceeded"));
    await compilePolicies({ files, skills: [], strict: false, ask: overflow }, log);
    expect(log.diagnostics()).toMatchObject([{ code: "policy/too-large" }]);
    const bug = () => Promise.reject(new Error("a bug"));
    await expect(
      compilePolicies({ files, skills: [], strict: false, ask: bug }, log),
    ).rejects.toThrow("a bug");
  });

  test("gets no error if it has no policies", async () => {
    const log = report();
    const load = () => Promise.reject(new Error("not to be loaded"));
    const input = { files: [{ path: file, text: "// nothing yet\n" }], skills: [], strict: false };
    expect(
      await compilePolicies({ ...input, ask: (question) => askCedar(question, load) }, log),
    ).toEqual({ scopes: [] });
    expect(log.diagnostics()).toEqual([]);
  });
});

describe("policies that were checked before", () => {
  test("do not get checked again until they or the tools change", async () => {
    const entries = new Map<string, string>();
    const cache = {
      get: (key: string) => entries.get(key),
      set: (key: string, value: string) => void entries.set(key, value),
    };
    const config = parseConfig(undefined, createReport({}));
    const check = async (text: string, name = file) => {
      const log = createReport(policyDiagnosticEntries);
      const project = { files: new Map([[name, { path: name, text }]]) };
      await checkPolicies({ project, config, cache }, [], log);
      return log.diagnostics().map(({ code, message }) => `${code} ${message}`);
    };
    const wrong = "permit(nobody, action, resource);";
    const [first = ""] = await check(wrong);
    expect(first).toMatch(/^policy\/syntax /);
    const [key = "", kept = ""] = [...entries][0] ?? [];
    // What Cedar never says can only come from the cache.
    entries.set(key, kept.replace(/"message":"[^"]*"/, '"message":"as before"'));
    expect(await check(`// moved\n${wrong}`)).toEqual(["policy/syntax as before"]);
    expect(await check(wrong, "policies/other.cedar")).toEqual(["policy/syntax as before"]);
    expect(await check(`${wrong} permit(principal, action, resource);`)).not.toContain(
      "policy/syntax as before",
    );
  });
});
