/**
 * Compiles the policies of a project and checks them against its tools. Start reading this folder
 * here.
 *
 * - Cedar's view of tools: `context-field.ts` (the Cedar type of each argument), `cedar-schema.ts`
 * (the whole Cedar schema)
 * - authors' texts: `policy-sources.ts` (each policy, and each condition of an approval, with its
 * spans), on `split-policies.ts`
 * - Cedar's results: `ask-cedar.ts`; `policy-terms.ts` finds what conditions compare,
 * `report-terms.ts` checks it against the schemas, and `report-problems.ts` reports problems
 * - tests of policies: `policy-tests.ts`
 */
import type { CedarPolicies } from "@skillc/runtime/governance";
import { MissingPackage } from "@skillc/runtime/internal/governance";
import { getOwn, setOwn } from "../core/json.js";
import type { UnratedDiagnostic } from "../core/diagnostic.js";
import { quote } from "../core/names.js";
import type { Report } from "../core/report.js";
import type { SkillModel } from "../core/skill-model.js";
import type { SourceFile } from "../core/source-file.js";
import { askCedar, printedAction, type Question, type Verdict } from "./ask-cedar.js";
import { cedarSchema, toolsOf } from "./cedar-schema.js";
import { type Condition, conditionsOf, filePolicies, type FilePolicy } from "./policy-sources.js";
import { actionsInScope, type Judged, toolsInScope } from "./judged-policy.js";
import { reportProblems, reportUngranted } from "./report-problems.js";

export interface PolicyInput {
  /** Files `*.cedar`, in the order of their paths. */
  readonly files: readonly SourceFile[];
  readonly skills: readonly SkillModel[];
  /** True if calls by models need a policy that permits them. */
  readonly strict: boolean;
  /** Scopes that are granted for each tool, by its id. Absent if callers may claim any scope. */
  readonly granted?: ReadonlyMap<string, readonly string[]>;
  /** Replaces Cedar, with cached results of the same input. */
  readonly ask?: (question: Question) => Promise<readonly Verdict[]>;
}

/** Result of compiling all policies and conditions. */
export interface CompiledPolicies {
  /** Data for the runtime; absent if there are no policies or, with a report, if one is invalid. */
  readonly cedar?: CedarPolicies;
  /** Scopes that each policy looks for; absent, with a report, if one is invalid or not granted. */
  readonly scopes?: readonly PolicyScopes[];
}

/** Scopes that a policy looks for. */
export interface PolicyScopes {
  /** Ids of the tools that the policy may apply to. */
  readonly tools: readonly string[];
  /** Names of the scopes; `any` if the policy may look for every scope. */
  readonly scopes: readonly string[] | "any";
}

/** Checks all policies and conditions. */
export async function compilePolicies(
  { ask = askCedar, files, granted, skills, strict }: PolicyInput,
  report: Report,
): Promise<CompiledPolicies> {
  const errorsBefore = report.errorCount();
  const policies = filePolicies(files, report);
  const conditions = conditionsOf(skills, report);
  const all = [...policies, ...conditions];
  const schema = cedarSchema(skills);
  const verdicts = await answersTo(
    ask,
    { schema, texts: all.map(({ text }) => text), permits: strict },
    all,
    report,
  );
  if (verdicts === undefined) return {};
  const of = (index: number): Verdict => verdicts[index] ?? { problems: [] };
  const allJudged = all.map((source, index) => ({
    source,
    verdict: of(index),
    skills,
    isCondition: index >= policies.length,
  }));
  for (const judged of allJudged) reportProblems(judged);
  const isGranted = granted === undefined || !reportUngranted(allJudged, granted);
  const ids = policies.map((policy, index) => idOf(policy, of(index)));
  const messages = policies.map((policy, index) => messageOf(policy, of(index)));
  reportIds(policies, ids, report);
  for (const [index, condition] of conditions.entries())
    reportMoreThanOne(condition, of(policies.length + index));
  const isSound = report.errorCount() === errorsBefore;
  if (isSound && strict) reportUnpermitted(skills, verdicts.slice(0, policies.length), report);
  if (!isSound) return {};
  const scopes = isGranted ? { scopes: allJudged.map(scopesOf) } : {};
  if (all.length === 0) return scopes;
  const told = ids.flatMap((id, index): [string, string][] => {
    const message = messages[index];
    return message === undefined ? [] : [[id, message]];
  });
  const cedar = {
    schema,
    policies: byId(ids, policies),
    ...(told.length > 0 && { messages: Object.fromEntries(told) }),
    approvals: byId(
      conditions.map(({ toolId }) => toolId),
      conditions,
    ),
  };
  return { cedar, ...scopes };
}

function scopesOf(judged: Judged): PolicyScopes {
  return {
    tools: toolsInScope(judged).map(({ id }) => id),
    scopes: judged.verdict.policy?.terms.scopes ?? [],
  };
}

async function answersTo(
  ask: (question: Question) => Promise<readonly Verdict[]>,
  question: Question,
  all: readonly (FilePolicy | Condition)[],
  report: Report,
): Promise<readonly Verdict[] | undefined> {
  try {
    return await ask(question);
  } catch (error) {
    const [first] = all;
    const problem = problemOf(error);
    if (problem === undefined || first === undefined) throw error;
    report.add({ span: first.head, ...problem });
    return undefined;
  }
}

/** Describes an error that an author can fix; undefined for any other. */
function problemOf(error: unknown): Omit<UnratedDiagnostic, "span"> | undefined {
  if (error instanceof MissingPackage)
    return {
      code: "policy/cedar-missing",
      message: `the package \`${error.packageName}\`, which reads policies, is not installed`,
      help: `run \`npm install -D ${error.packageName}\`; the application that calls the tools needs it too`,
    };
  // The stack of WebAssembly or of the program overflowed.
  const isOverflow =
    error instanceof RangeError || (error instanceof Error && error.name === "RuntimeError");
  if (!isOverflow) return undefined;
  return {
    code: "policy/too-large",
    message: "Cedar stopped while it read the policies: one of them is too large",
    help: "split the most nested policy, and start skillc again",
  };
}

function byId(
  ids: readonly string[],
  sources: readonly { readonly text: string }[],
): { readonly [id: string]: string } {
  const found: Record<string, string> = {};
  for (const [index, { text }] of sources.entries()) setOwn(found, ids[index] ?? "", text);
  return found;
}

/** Returns the policy's own `id`, or an id from its place. */
function idOf({ placeId }: FilePolicy, { policy }: Verdict): string {
  const given = policy?.annotations;
  return given !== undefined && Object.hasOwn(given, "id") ? (given["id"] ?? "") : placeId;
}

/** Maximum length of a policy's message, in characters. Models get the message with each denial. */
const longestMessage = 500;

/**
 * Returns the reason that a policy gives for its denials, in one line. Reports a cut or useless
 * one.
 */
function messageOf({ head, report }: FilePolicy, { policy }: Verdict): string | undefined {
  if (policy === undefined || !Object.hasOwn(policy.annotations, "message")) return undefined;
  // Cedar accepts an annotation without a value.
  const line = (getOwn(policy.annotations, "message") ?? "")
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .trim();
  const add = (message: string, help: string) =>
    report.add({ code: "policy/message", span: head, message, help });
  if (policy.effect === "permit") {
    add(
      "nobody sees the message of a policy that permits",
      "write `@message` at the `forbid` whose denials it explains",
    );
    return undefined;
  }
  if (line === "") {
    add("the message is empty", 'write why the call is denied: `@message("needs a ticket")`');
    return undefined;
  }
  if (line.length <= longestMessage) return line;
  add(
    `the message has ${line.length} characters, and callers get the first ${longestMessage}`,
    `write at most ${longestMessage} characters`,
  );
  return `${line.slice(0, longestMessage - 1).toWellFormed()}…`;
}

/** Words in decisions that are not ids of policies. */
const takenIds: ReadonlySet<string> = new Set(["implicit-permit", "no-permit", "engine", "scopes"]);

function reportIds(policies: readonly FilePolicy[], ids: readonly string[], report: Report): void {
  const first = new Map<string, FilePolicy>();
  for (const [index, policy] of policies.entries()) {
    const id = ids[index] ?? "";
    const other = first.get(id);
    if (other === undefined) first.set(id, policy);
    if (other !== undefined)
      report.add({
        code: "policy/id-twice",
        span: policy.head,
        message: `another policy has the id ${quote(id)} too`,
        help: 'give each policy an `@id("…")` of its own: decisions use the id',
        related: [{ span: other.head, message: "the other is here" }],
      });
    const isFit = /^[^\p{C}\p{Z}]{1,200}$/u.test(id) || id === policy.placeId;
    if (!isFit || takenIds.has(id) || id === "__proto__")
      report.add({
        code: "policy/id",
        span: policy.head,
        message: `${quote(id)} can't be the id of a policy`,
        help: takenIds.has(id)
          ? "choose another id: skillc reserves it for decisions that no policy made"
          : 'choose 1 to 200 characters without spaces: `@id("refund-limit")`',
      });
  }
}

/**
 * Rejects a condition that is more than one expression. Text that closes its clause could permit
 * calls of other tools.
 */
function reportMoreThanOne(condition: Condition, { policy, problems }: Verdict): void {
  if (policy === undefined || problems.some(({ kind }) => kind === "syntax")) return;
  const { actions, annotations, clauses, effect, isExact, isForAll } = policy;
  const isOne =
    effect === "permit" &&
    isForAll &&
    isExact &&
    actions?.length === 1 &&
    actions[0] === condition.toolId &&
    Object.keys(annotations).length === 0 &&
    clauses.length === 1 &&
    clauses[0] === "when";
  if (isOne) return;
  condition.report.add({
    code: "policy/condition",
    span: condition.head,
    message: "`when` is more than one condition",
    help: "write one expression: join several with `&&` and `||`",
  });
}

/** Reports tools that no model can call, because no policy permits them. */
function reportUnpermitted(
  skills: readonly SkillModel[],
  verdicts: readonly Verdict[],
  report: Report,
): void {
  const permits = verdicts.flatMap(({ policy }) =>
    policy?.effect === "permit" && !policy.neverApplies ? [policy] : [],
  );
  for (const { id, skill, tool } of toolsOf(skills)) {
    const isPermitted = permits.some(({ actions, appliesTo }) =>
      appliesTo === undefined
        ? actionsInScope(actions, { id, skill, tool })
        : appliesTo.includes(printedAction(id)),
    );
    if (isPermitted) continue;
    report.within({ skill: skill.name, tool: tool.name }).add({
      code: "policy/nothing-permits",
      span: tool.span,
      message: `no policy permits ${quote(id)}, so no model may call it`,
      help: `permit it in a file of the policies: \`permit(principal, action == ${printedAction(id)}, resource);\``,
    });
  }
}
