import type { DiagnosticEntries, DiagnosticEntry, ProjectFiles } from "../core/diagnostic-entry.js";

const skill = `---
name: order-desk
description: Gives money back.
---
Refund what was paid.
`;

const tools = `tools_schema:
  refund:
    description: Refunds an order.
    parameters:
      type: object
      required: [amount_cents]
      properties:
        amount_cents: { type: integer, minimum: 1 }
`;

const limit = `@id("refund-limit")
forbid(principal, action == Action::"order-desk/refund", resource)
when { context.args.amount_cents > 100000 };
`;

const sound = `cases:
  - name: a model refunds too much
    caller: { tenant: acme, roles: [clerk], origin: llm }
    tool: order-desk/refund
    arguments: { amount_cents: 200000 }
    decision: deny
    policies: [refund-limit]
`;

/** A valid test case with one change. */
function changed(from: string, to: string): ProjectFiles {
  return project(sound.replace(from, to));
}

function project(test: string): ProjectFiles {
  return {
    "skills/order-desk/SKILL.md": skill,
    "skills/order-desk/metadata.yaml": tools,
    "policies/refunds.cedar": limit,
    "policies/refunds.test.yaml": test,
  };
}

/** Entries of all codes that only `skillc policy test` can report. */
export const policyTestDiagnosticEntries: DiagnosticEntries = {
  "policy-test/failed": entry(
    "a call that is not decided as its case expects",
    "skillc decides the case as the runtime would decide the call: by scopes, policies and conditions of approvals. Nothing is sent. The message says what " +
      "was decided, and which policies decided. A case also fails if the decision is right, but other policies made it than the case names.",
    changed("decision: deny", "decision: allow"),
  ),
  "policy-test/unknown-key": entry(
    "an unknown key in a test file",
    "A file has `cases`. A case has `name`, `caller`, `tool`, `arguments`, `paths`, `decision` and `policies`. A caller has `tenant`, `subject`, `roles`, " +
      "`scopes` and `origin`. `paths` is for tools that use files of callers.",
    changed("roles:", "role:"),
  ),
  "policy-test/missing-key": entry(
    "a case without a required key",
    "A case needs its `name`, the `tool` that is called and the `decision`. Without `caller` the call has no caller, without `arguments` it has no " +
      "arguments, and without `policies` any policy may decide.",
    changed("    decision: deny\n", ""),
  ),
  "policy-test/wrong-type": entry(
    "a value of the wrong type in a test file",
    "skillc never converts a value to another type. Names are text; roles, scopes, paths and policies are lists of text; arguments are a mapping.",
    changed("roles: [clerk]", "roles: clerk"),
  ),
  "policy-test/wrong-value": entry(
    "a case with a value that is not allowed",
    "A decision is `allow`, `deny` or `approval`. An origin is `llm`, `api` or `system`.",
    changed("decision: deny", "decision: refuse"),
  ),
  "policy-test/name-twice": entry(
    "two cases with the same name",
    "The report identifies a failed case by its name. Two cases with the same name could not be told apart.",
    project(`${sound}${sound.replace("cases:\n", "")}`),
  ),
  "policy-test/unknown-tool": entry(
    "a case for an unknown tool",
    "Write a tool as `skill/tool`, as the skills declare it.",
    changed("tool: order-desk/refund", "tool: order-desk/refnd"),
  ),
  "policy-test/arguments": entry(
    "a case with arguments that the tool does not take",
    "The runtime rejects such a call before it asks any policy, so the case would test nothing. The message comes from the tool's own schema.",
    changed("amount_cents: 200000", "amount_cents: much"),
  ),
  "policy-test/unknown-policy": entry(
    "a case that names an unknown policy",
    'A policy\'s id is its `@id("…")`, or its file and number, `policies/refunds.cedar#2`. If no policy decides, write `implicit-permit`, `no-permit` or ' +
      "`scopes`.",
    changed("policies: [refund-limit]", "policies: [refund-limits]"),
  ),
  "policy-test/caller": entry(
    "a caller that the runtime rejects",
    "The names of a caller have 1 to 256 characters, in Unicode's form NFC and without control characters. Otherwise two different names could look alike.",
    changed("tenant: acme", 'tenant: "ac\\u0000me"'),
  ),
};

function entry(title: string, explanation: string, example: ProjectFiles): DiagnosticEntry {
  return { severity: "error", title, explanation, example, fixed: project(sound) };
}
