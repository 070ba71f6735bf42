/** Arguments that Cedar can't hold exactly, and policies that read them. */
import { expect, test } from "vitest";
import { isToolError } from "../../../src/runtime/errors.js";
import type { ContextField } from "../../../src/runtime/governance/policy.js";
import { exampleTool, type Params, succeed } from "../example-tool.js";
import { govern, policyOf } from "./governed.js";

const context: ContextField = {
  as: "record",
  fields: [
    { name: "id", field: { as: "string" }, required: true },
    { name: "limit", field: { as: "decimal" }, required: false },
  ],
};

const text = { type: "String" } as const;
const texts = { type: "Set", element: text } as const;
const args = {
  type: "Record",
  attributes: { id: text, limit: { type: "Extension", name: "decimal", required: false } },
} as const;
const action = (group: string) => ({
  memberOf: [{ id: group }],
  appliesTo: {
    principalTypes: ["Caller"],
    resourceTypes: ["Tenant"],
    context: {
      type: "Record",
      attributes: {
        args,
        origin: text,
        risk: text,
        effect: text,
        scopes: texts,
        capabilities: texts,
      },
    },
  },
});
const schema = {
  "": {
    entityTypes: { Tenant: {}, Role: {}, Caller: { memberOfTypes: ["Role", "Tenant"] } },
    actions: {
      "skill:desk": {},
      "skill:other": {},
      "desk/do-it": action("skill:desk"),
      "other/do-it": action("skill:other"),
    },
  },
};

const reads = 'context.args has limit && context.args.limit.greaterThan(decimal("100.0"))';

async function decided(params: Params, policy: string, approvals: Record<string, string> = {}) {
  const approval = { conditional: true, ttlMs: 1000 };
  const { call } = govern(
    policyOf(
      { context, ...(Object.keys(approvals).length > 0 && { approval }) },
      { cedar: { schema, policies: { limit: policy }, approvals } },
    ),
  );
  try {
    return (await call(exampleTool(succeed), {}, params)).status;
  } catch (error) {
    if (!isToolError(error)) throw error;
    // Of the value itself nothing is told.
    if (error.message.includes("0004")) return error.message;
    return "reason" in error.failure ? error.failure.reason : error.code;
  }
}

const rounded = [100.00004, 0.00001, 1e300, -1e-7];

test.each([
  `forbid(principal, action, resource) when { ${reads} };`,
  `forbid(principal, action == Action::"desk/do-it", resource) when { ${reads} };`,
  `forbid(principal, action in [Action::"skill:desk", Action::"skill:other"], resource) when { ${reads} };`,
  `permit(principal, action, resource) unless { context.args == {id: "b"} };`,
])("a number that Cedar would round is denied by %s", async (policy) => {
  for (const limit of rounded) expect(await decided({ id: "a", limit }, policy)).toBe("engine");
  for (const limit of [100, 99.9999, 0.1, -5])
    expect(await decided({ id: "a", limit }, policy)).toBe("success");
  expect(await decided({ id: "a" }, policy)).toBe("success");
});

test.each([
  `forbid(principal, action == Action::"other/do-it", resource) when { ${reads} };`,
  `forbid(principal, action in Action::"skill:other", resource) when { ${reads} };`,
  `forbid(principal, action, resource) when { context.args.id == "b" };`,
  `forbid(principal, action, resource) unless { context.args has limit || context.origin == "none" };`,
])("a number that no policy of the action reads may be any, with %s", async (policy) => {
  for (const limit of rounded) expect(await decided({ id: "a", limit }, policy)).toBe("success");
});

test("a text with half a surrogate pair is denied by a policy that reads it", async () => {
  const policy = 'forbid(principal, action, resource) when { context.args.id == "b" };';
  expect(await decided({ id: "b\ud800" }, policy)).toBe("engine");
  expect(await decided({ id: "b\ud83d\ude00" }, policy)).toBe("success");
  const other = 'forbid(principal, action, resource) when { context.origin == "llm" };';
  expect(await decided({ id: "b\ud800" }, other)).toBe("success");
});

test("a call needs an approval if its condition reads a number that Cedar would round", async () => {
  const none = 'forbid(principal, action, resource) when { context.origin == "llm" };';
  const approvals = {
    "desk/do-it": `permit(principal, action == Action::"desk/do-it", resource) when { ${reads} };`,
  };
  expect(await decided({ id: "a", limit: 100.00004 }, none, approvals)).toBe("none");
  expect(await decided({ id: "a", limit: 100 }, none, approvals)).toBe("success");
});
