import type { DiagnosticEntries, DiagnosticEntry, ProjectFiles } from "../core/diagnostic-entry.js";

const skill = `---
name: order-desk
description: Gives money back.
tools_schema:
  refund:
    description: Refunds an order.
    parameters:
      type: object
      required: [amount_cents]
      properties:
        amount_cents: { type: integer, minimum: 1 }
---
Refund what was paid.
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

/** The sound case, with one thing changed. */
function changed(from: string, to: string): ProjectFiles {
  return project(sound.replace(from, to));
}

function project(test: string): ProjectFiles {
  return {
    "skills/order-desk/SKILL.md": skill,
    "policies/refunds.cedar": limit,
    "policies/refunds.test.yaml": test,
  };
}

/** Every code that `skillc policy test` alone can report. */
export const policyTestDiagnosticEntries: DiagnosticEntries = {
  "policy-test/failed": entry(
    "a call that is decided otherwise than its case says",
    "The case is decided as the runtime would decide the call: by scopes, policies and conditions of approvals, with nothing sent. The message says what was decided, and by what. Where the decision is the one that " +
      "was expected, other policies made it than those that the case names.",
    changed("decision: deny", "decision: allow"),
  ),
  "policy-test/unknown-key": entry(
    "a key that a file of tests does not have",
    "A file has `cases`; a case `name`, `caller`, `tool`, `arguments`, `decision` and `policies`; a caller `tenant`, `subject`, `roles`, `scopes` and `origin`.",
    changed("roles:", "role:"),
  ),
  "policy-test/missing-key": entry(
    "a case that lacks a key",
    "A case says its `name`, the `tool` that is called and the `decision`. Without a caller nobody makes the call, without arguments it has none, and without `policies` any may decide.",
    changed("    decision: deny\n", ""),
  ),
  "policy-test/wrong-type": entry(
    "a value of the wrong type in a file of tests",
    "Values are never converted: names are texts, roles, scopes and policies lists of them, arguments a mapping.",
    changed("roles: [clerk]", "roles: clerk"),
  ),
  "policy-test/wrong-value": entry(
    "a value that a case can't have",
    "A decision is `allow`, `deny` or `approval`; an origin `llm`, `api` or `system`.",
    changed("decision: deny", "decision: refuse"),
  ),
  "policy-test/name-twice": entry(
    "two cases of one name",
    "A case that fails is told by its name.",
    project(`${sound}${sound.replace("cases:\n", "")}`),
  ),
  "policy-test/unknown-tool": entry(
    "a case of a tool that there is not",
    "A tool is `skill/tool`, as the skills declare it.",
    changed("tool: order-desk/refund", "tool: order-desk/refnd"),
  ),
  "policy-test/arguments": entry(
    "a case with arguments that the tool doesn't take",
    "Such a call is refused before any policy is asked, so the case would test nothing. The message is that of the tool's own schema.",
    changed("amount_cents: 200000", "amount_cents: much"),
  ),
  "policy-test/unknown-policy": entry(
    "a case that names a policy that there is not",
    'A policy\'s id is its `@id("…")`, or its file and number, `policies/refunds.cedar#2`. Where no policy decides, `implicit-permit`, `no-permit` or `scopes` does.',
    changed("policies: [refund-limit]", "policies: [refund-limits]"),
  ),
  "policy-test/caller": entry(
    "a caller that the runtime refuses",
    "Names of a caller have 1 to 256 characters, in Unicode's form NFC and without control characters, so that no two look alike.",
    changed("tenant: acme", 'tenant: "ac\\u0000me"'),
  ),
};

function entry(title: string, explanation: string, example: ProjectFiles): DiagnosticEntry {
  return { severity: "error", title, explanation, example, fixed: project(sound) };
}
