import type { DiagnosticEntries, DiagnosticEntry, ProjectFiles } from "../core/diagnostic-entry.js";

/** A skill with one tool, which `more` adds to. */
function project(policy: string, more = "", settings?: string): ProjectFiles {
  return {
    ...(settings !== undefined && { "skillc.yaml": settings }),
    "skills/order-desk/SKILL.md": `---
name: order-desk
description: Gives money back.
tools_schema:
  refund:
    description: Refunds an order.
    parameters:
      type: object
      required: [amount_cents, reason]
      properties:
        amount_cents: { type: integer, minimum: 1 }
        reason: { type: [string, integer] }
        note: { type: string }
${more}---
Refund what was paid.
`,
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

/** Every code that policies, and the conditions of approvals, can have. */
export const policyDiagnosticEntries: DiagnosticEntries = {
  "policy/syntax": entry("error", "a policy that Cedar can't read", {
    explanation:
      "What stands there is not Cedar's language: https://docs.cedarpolicy.com/policies/syntax-policy.html. The message is Cedar's own. In a skill, `governance.approval.when` is a condition alone, " +
      "without `when { … }` around it.",
    example: project(refund("context.args.amount_cents >")),
    fixed,
  }),
  "policy/template": entry("error", "a policy with a place to fill in", {
    explanation:
      "`?principal` and `?resource` make a template of a policy, from which an application links policies for single users. Nothing here links any: a policy with one of them would never apply. Who " +
      "may do what is said by roles, tenants and scopes.",
    example: project("forbid(principal == ?principal, action, resource);\n"),
    fixed: project('forbid(principal == Caller::"ada", action, resource);\n'),
  }),
  "policy/types": entry("error", "a policy that doesn't fit the tools", {
    explanation:
      "Policies are checked against the tools' manifests: an action is `skill/tool`, or a group `skill:…` or `tag:…`, and `context.args` has the parameters of the tools that the policy is about, with " +
      "their types. A condition that fails when a call is made would deny every call; so what may be absent has to be asked for first, with `has`. The message and the help are Cedar's own.",
    example: project(refund("context.args.amout_cents > 100000")),
    fixed,
  }),
  "policy/no-type": entry("error", "a policy that speaks of what Cedar has no type for", {
    explanation:
      "Cedar has texts, 64-bit integers, decimals, booleans, sets and records. What is none of these, such as a value that may be a text or a number, is left out of what policies see, and the help says " +
      "why. The table in docs/governance/policy-types.md has every case. Give the parameter one type, or decide by another one.",
    example: project(refund('context.args.reason == "none"')),
    fixed,
  }),
  "policy/unknown-value": entry("error", "a policy that compares with a value that no call has", {
    explanation:
      "`context.origin`, `context.risk` and `context.effect` have a few words, and a parameter has the values that its schema allows: an `enum`, those up to a `maximum`, those of a `pattern`. A comparison " +
      "with any other value is the same for every call: a `forbid` by it forbids nothing, and an approval by it is never asked for. It is an error if no tool that the policy is about has the value.",
    example: project(refund('context.origin == "model" && context.args.amount_cents > 100000')),
    fixed: project(refund('context.origin == "llm" && context.args.amount_cents > 100000')),
  }),
  "policy/unknown-attribute": entry(
    "error",
    "a policy that asks `has` for a name that no call has",
    {
      explanation:
        "`has` is false for a name that is not there, so a misspelt one is false for every call: `context.args has reasn`. Behind `!` it denies every call, and elsewhere the policy never applies. It is an error " +
        "if no tool that the policy is about has the name. Callers and tenants have no attributes at all.",
      example: project(refund("!(context.args has nte)")),
      fixed: project(refund("!(context.args has note)")),
    },
  ),
  "policy/too-large": entry("error", "a policy that is too deep or too long, or too many of them", {
    explanation:
      "Cedar reads nested expressions by recursion, in a stack that is small: a policy may have 40 levels of brackets or 120 conditions in a row, and 64 KiB; a project 2000 policies. A list of values " +
      'is best a set: `["a", "b"].contains(context.args.note)` is one operator however long it is.',
    example: project(refund(`${"(".repeat(200)}context.args.amount_cents > 1${")".repeat(200)}`)),
    fixed,
  }),
  "policy/id": entry("error", "a word that can't be the id of a policy", {
    explanation:
      'A policy is told by the place where it stands, `policies/refunds.cedar#2`, or by `@id("…")`: in refusals, in the ledger and in tests. An id has 1 to 200 characters and no spaces; `implicit-permit`, ' +
      "`no-permit`, `engine` and `scopes` are told where no policy decided.",
    example: project(`@id("no-permit")\n${refund("context.args.amount_cents > 100000")}`),
    fixed: project(`@id("refund-limit")\n${refund("context.args.amount_cents > 100000")}`),
  }),
  "policy/id-twice": entry("error", "two policies of one id", {
    explanation:
      "A decision is told by the ids of the policies that made it. Of two with one id nobody could tell which it was.",
    example: project(
      `@id("limit")\n${refund("context.args.amount_cents > 100000")}@id("limit")\n${refund("context.args has note")}`,
    ),
    fixed: project(
      `@id("limit")\n${refund("context.args.amount_cents > 100000")}@id("no-notes")\n${refund("context.args has note")}`,
    ),
  }),
  "policy/condition": entry("error", "more than one condition of an approval", {
    explanation:
      "`governance.approval.when` is one expression. Text that closes the clause around it and goes on could say something else than when an approval is needed, so Cedar's own parser must find one " +
      "policy with one clause in it.",
    example: project("", approval("true } unless { context.args.amount_cents < 100")),
    fixed: project("", approval("!(context.args.amount_cents < 100)")),
  }),
  "policy/cedar-missing": entry("error", "policies, and nothing that reads them", {
    explanation:
      "Policies are in Cedar's language, which `@cedar-policy/cedar-wasm` reads: 13 MB that only projects with policies need. Install it as a dependency: the runtime decides with it at each call, and denies " +
      "every call where it is missing.",
    example: fixed,
    fixed: project(""),
  }),
  "policy/never-applies": aboutProject("a policy that can never apply", {
    explanation:
      "By the types of the tools, no call fulfils its scope and its conditions. A `forbid` of that kind forbids nothing. Mostly a comparison is wrong, a group has no tools, or `has` asks for what none of the tools has. " +
      "Of an approval's condition: no call needs approval then.",
    example: project(refund("context.args.amount_cents > 1 && false")),
    fixed,
  }),
  "policy/ungranted-scope": aboutProject("a policy that asks for a scope that nobody can hold", {
    explanation:
      "Where skillc.yaml has `grants`, `context.scopes` holds no more than what is granted to the caller. A clause that looks for a scope which no grant gives for the tools of the policy says the same of every " +
      "call: with `when` the policy never applies, with `unless` always. Mostly the scope is misspelt. Without `grants` callers hold what they say, and nothing is told.",
    example: project(refund('!context.scopes.contains("orders.refnd")'), "", grants),
    fixed: project(refund('!context.scopes.contains("orders.refund")'), "", grants),
  }),
  "policy/doubtful": aboutProject("a policy in which something is not what it looks like", {
    explanation:
      "Letters of several scripts in one word, or characters that change the direction of writing, can make a policy read otherwise than it is. The message is Cedar's own.",
    example: project(refund('context.args has note && context.args.note == "p\u0430ypal"')),
    fixed: project(refund('context.args has note && context.args.note == "paypal"')),
  }),
  "policy/nothing-permits": entry("warning", "a tool that no policy permits", {
    explanation:
      "With `governance: strict` a call that a model asks for, or whose origin nobody tells, needs a policy that permits it. No policy does for this tool, whatever its arguments: models can't call it. " +
      "If that is meant, accept it.",
    example: project("", "", strict),
    fixed: project(permitAll, "", strict),
  }),
};

type Texts = Pick<DiagnosticEntry, "explanation" | "example" | "fixed">;

/** A diagnostic about a file of the project: no skill can accept it. */
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
