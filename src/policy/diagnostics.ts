import type { DiagnosticEntries, DiagnosticEntry, ProjectFiles } from "../core/diagnostic-entry.js";

/** A skill with one tool. `more` adds lines to the tool. */
function project(policy: string, more = "", settings?: string): ProjectFiles {
  return {
    ...(settings !== undefined && { "skillc.yaml": settings }),
    "skills/order-desk/SKILL.md": `---
name: order-desk
description: Gives money back.
---
Refund what was paid.
`,
    "skills/order-desk/metadata.yaml": `tools_schema:
  refund:
    description: Refunds an order.
    parameters:
      type: object
      required: [amount_cents, reason]
      properties:
        amount_cents: { type: integer, minimum: 1 }
        reason: { type: [string, integer] }
        note: { type: string }
${more}`,
    ...(policy !== "" && { "policies/refunds.cedar": policy }),
  };
}

function refund(condition: string): string {
  return `forbid(principal, action == Action::"order-desk/refund", resource) when { ${condition} };\n`;
}

function approval(when: string): string {
  return `    governance:\n      approval: { when: "${when}" }\n`;
}

const fixed = project(refund("context.args.amount_cents > 100000"));
const permitAll = "permit(principal, action, resource);\n";
const strict = "governance: strict\n";
const grants = "grants:\n  - { to: { role: clerk }, scopes: [orders.refund] }\n";

/** Entries of all codes about policies and conditions of approvals. */
export const policyDiagnosticEntries: DiagnosticEntries = {
  "policy/syntax": entry("error", "a policy that Cedar cannot read", {
    explanation:
      "The text is not valid Cedar: https://docs.cedarpolicy.com/policies/syntax-policy.html. The message is Cedar's own. In a skill, " +
      "`governance.approval.when` is only the condition, without `when { … }` around it.",
    example: project(refund("context.args.amount_cents >")),
    fixed,
  }),
  "policy/template": entry("error", "a policy template", {
    explanation:
      "`?principal` or `?resource` makes a policy a template, and an application links templates for single users. skillc links none, so the policy would " +
      "never apply. Use roles, tenants and scopes to say who may do what.",
    example: project("forbid(principal == ?principal, action, resource);\n"),
    fixed: project('forbid(principal == Caller::"ada", action, resource);\n'),
  }),
  "policy/types": entry("error", "a policy that does not fit the tools", {
    explanation:
      "skillc checks policies against the tools' manifests. An action is `skill/tool`, or a group `skill:…` or `tag:…`. `context.args` has the parameters of " +
      "the policy's tools, with their types. A condition that fails during a call would deny every call, so ask with `has` before you read an optional value. " +
      "The message and the help are Cedar's own.",
    example: project(refund("context.args.amout_cents > 100000")),
    fixed,
  }),
  "policy/no-type": entry("error", "a policy that reads a value without a Cedar type", {
    explanation:
      "Cedar has texts, 64-bit integers, decimals, booleans, sets and records. Policies cannot see any other value, such as a value that may be a text or a " +
      "number. The help says why, and docs/governance/policy-types.md has every case. Give the parameter one type, or decide by another parameter.",
    example: project(refund('context.args.reason == "none"')),
    fixed,
  }),
  "policy/unknown-value": entry("error", "a policy that compares with a value that no call has", {
    explanation:
      "`context.origin`, `context.risk` and `context.effect` have a few words as values. A parameter has the values that its schema allows, by an `enum`, a " +
      "`maximum` or a `pattern`. A comparison with any other value is the same for every call: a `forbid` forbids nothing, and an approval is never required. " +
      "It is an error if no tool of the policy has the value.",
    example: project(refund('context.origin == "model" && context.args.amount_cents > 100000')),
    fixed: project(refund('context.origin == "llm" && context.args.amount_cents > 100000')),
  }),
  "policy/unknown-attribute": entry(
    "error",
    "a policy that asks `has` for a name that no call has",
    {
      explanation:
        "`has` is false for an unknown name. A misspelt name, as in `context.args has reasn`, is false for every call. Behind `!`, a `forbid` then denies every " +
        "call; elsewhere the policy never applies. It is an error if no tool of the policy has the name. Callers and tenants have no attributes at all.",
      example: project(refund("!(context.args has nte)")),
      fixed: project(refund("!(context.args has note)")),
    },
  ),
  "policy/too-large": entry(
    "error",
    "a policy that is too deep or too long, or too many policies",
    {
      explanation:
        "Cedar reads nested expressions by recursion, in a small stack. A policy may have 40 levels of brackets or 120 conditions in a row, and 64 KiB. A " +
        'project may have 2000 policies. Write a list of values as a set: `["a", "b"].contains(context.args.note)` is one operator, however long the set is.',
      example: project(refund(`${"(".repeat(200)}context.args.amount_cents > 1${")".repeat(200)}`)),
      fixed,
    },
  ),
  "policy/id": entry("error", "a word that cannot be the id of a policy", {
    explanation:
      'Errors, the ledger and tests name a policy by its place, `policies/refunds.cedar#2`, or by its `@id("…")`. An id has 1 to 200 characters and no spaces. ' +
      "`implicit-permit`, `no-permit`, `engine` and `scopes` are reserved for decisions that no policy made.",
    example: project(`@id("no-permit")\n${refund("context.args.amount_cents > 100000")}`),
    fixed: project(`@id("refund-limit")\n${refund("context.args.amount_cents > 100000")}`),
  }),
  "policy/message": entry("warning", "a `@message` that is empty, too long or never used", {
    explanation:
      '`@message("…")` at a `forbid` says why the call is denied. The caller and the model get it in one line, with at most 500 characters. ' +
      "A `permit` denies nothing, so nobody sees its message.",
    example: project(
      `@message("needs a ticket")\npermit(principal, action == Action::"order-desk/refund", resource);\n`,
    ),
    fixed: project(`@message("needs a ticket")\n${refund("context.args.amount_cents > 100000")}`),
  }),
  "policy/id-twice": entry("error", "two policies with the same id", {
    explanation:
      "A decision names the policies that made it by their ids. If two policies have the same id, nobody can tell which one decided.",
    example: project(
      `@id("limit")\n${refund("context.args.amount_cents > 100000")}@id("limit")\n${refund("context.args has note")}`,
    ),
    fixed: project(
      `@id("limit")\n${refund("context.args.amount_cents > 100000")}@id("no-notes")\n${refund("context.args has note")}`,
    ),
  }),
  "policy/condition": entry("error", "an approval with more than one condition", {
    explanation:
      "`governance.approval.when` is one expression. A text that closes the clause around it, and goes on, could change when an approval is needed. So Cedar's " +
      "own parser must find one policy with one clause.",
    example: project("", approval("true } unless { context.args.amount_cents < 100")),
    fixed: project("", approval("!(context.args.amount_cents < 100)")),
  }),
  "policy/cedar-missing": entry("error", "policies without the package that reads them", {
    explanation:
      "Policies are written in Cedar, and `@cedar-policy/cedar-wasm` reads them. The package has 13 MB, and only projects with policies need it. Install it as " +
      "a dependency: the runtime decides each call with it, and denies every call if it is missing.",
    example: fixed,
    fixed: project(""),
  }),
  "policy/never-applies": aboutProject("a policy that can never apply", {
    explanation:
      "By the types of the tools, no call matches the policy's scope and conditions. A `forbid` of this kind forbids nothing, and a condition of an approval " +
      "never requires one. The usual causes: a comparison is wrong, a group has no tools, or `has` names something that no tool has.",
    example: project(refund("context.args.amount_cents > 1 && false")),
    fixed,
  }),
  "policy/ungranted-scope": aboutProject("a policy that reads a scope that nobody can hold", {
    explanation:
      "If skillc.yaml has `grants`, `context.scopes` holds only the scopes that the caller is granted. If no grant gives the scope for the policy's tools, the " +
      "clause is the same for every call: with `when` the policy never applies, with `unless` it always applies. Usually the scope is misspelt. Without " +
      "`grants`, callers hold what the application says, and skillc reports nothing.",
    example: project(refund('!context.scopes.contains("orders.refnd")'), "", grants),
    fixed: project(refund('!context.scopes.contains("orders.refund")'), "", grants),
  }),
  "policy/doubtful": aboutProject("a policy with misleading characters", {
    explanation:
      "Letters of several scripts in one word, or characters that change the direction of writing, can make a policy look different from what it means. The " +
      "message is Cedar's own.",
    example: project(refund('context.args has note && context.args.note == "p\u0430ypal"')),
    fixed: project(refund('context.args has note && context.args.note == "paypal"')),
  }),
  "policy/nothing-permits": entry("warning", "a tool that no policy permits", {
    explanation:
      "With `governance: strict`, a call of a model, or a call without an origin, needs a policy that permits it. No policy permits this tool, whatever the " +
      "arguments are, so models cannot call it. If you want that, accept the code and give a reason.",
    example: project("", "", strict),
    fixed: project(permitAll, "", strict),
  }),
};

type Texts = Pick<DiagnosticEntry, "explanation" | "example" | "fixed">;

/** Makes an entry about a file of the project, which no skill can accept. */
function aboutProject(title: string, texts: Texts): DiagnosticEntry {
  return { ...entry("warning", title, texts), acceptable: false };
}

function entry(
  severity: DiagnosticEntry["severity"],
  title: string,
  texts: Texts,
): DiagnosticEntry {
  return { severity, title, ...texts };
}
