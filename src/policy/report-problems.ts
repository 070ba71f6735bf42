import { quote } from "../core/names.js";
import type { DiagnosticCode, RelatedSpan } from "../core/diagnostic.js";
import type { SkillModel } from "../core/skill-model.js";
import { propertyNames } from "../schema/look-up.js";
import { didYouMean, didYouMeanOrListed } from "../schema/suggestion.js";
import { type PolicyProblem, printedAction } from "./ask-cedar.js";
import { callerType, roleType, skillGroup, tagGroup, tenantType, toolsOf } from "./cedar-schema.js";
import {
  argumentsOf,
  contextNames,
  declarationsOf,
  type Judged,
  type Tool,
  toolsInScope,
  omissionIn,
} from "./judged-policy.js";
import { reportTerms } from "./report-terms.js";

/** Reports the problems of a policy at their places. */
export function reportProblems(judged: Judged): void {
  const { isCondition, source, verdict } = judged;
  const { policy } = verdict;
  for (const problem of [...verdict.problems, ...(policy?.warnings ?? [])]) report(problem, judged);
  // A comparison that can never hold is usually the reason why a policy never applies.
  if (verdict.problems.length > 0 || reportTerms(judged) || policy?.neverApplies !== true) return;
  source.report.add({
    code: "policy/never-applies",
    span: source.head,
    message: isCondition
      ? "the condition can never hold, so no call needs approval"
      : "the policy can never apply: no call matches it",
    help: isCondition
      ? "fix it, or remove `approval`"
      : "fix its scope and its conditions, or remove it",
  });
}

/**
 * Reports scopes that a policy requires but that no caller may have. The clause then has the same
 * result for every call.
 *
 * @param granted scopes that callers may have, by the id of the tool
 * @returns true if there was one
 */
export function reportUngranted(
  all: readonly Judged[],
  granted: ReadonlyMap<string, readonly string[]>,
): boolean {
  return all.filter((judged) => reportUngrantedIn(judged, granted)).length > 0;
}

function reportUngrantedIn(
  judged: Judged,
  granted: ReadonlyMap<string, readonly string[]>,
): boolean {
  const { source, verdict } = judged;
  const held = [...new Set(toolsInScope(judged).flatMap(({ id }) => granted.get(id) ?? []))];
  const asked = (verdict.policy?.terms.comparisons ?? []).filter(
    ({ path }) => path.join(".") === "scopes",
  );
  const missing = asked
    .flatMap(({ literals }) => literals)
    .filter(({ value }) => typeof value === "string" && !held.includes(value));
  for (const { place, value } of missing)
    source.report.add({
      code: "policy/ungranted-scope",
      span: place === undefined ? source.head : source.spanOf(place.start, place.end),
      message: `no caller can hold the scope ${quote(String(value))}: no grant gives it`,
      help:
        didYouMean(String(value), held) ??
        "grant it in skillc.yaml: `{ to: { role: … }, scopes: […] }`",
    });
  return missing.length > 0;
}

const codes: { readonly [Kind in PolicyProblem["kind"]]: DiagnosticCode } = {
  syntax: "policy/syntax",
  template: "policy/template",
  types: "policy/types",
  warning: "policy/doubtful",
};

function report(problem: PolicyProblem, judged: Judged): void {
  const { skills, source } = judged;
  const { end, kind, message, start } = problem;
  const written = source.text.slice(start, end);
  const span = source.spanOf(start, end);
  const tools = toolsInScope(judged);
  const omission = kind === "types" ? omissionIn(problem, tools) : undefined;
  if (omission !== undefined) {
    source.report.add({ code: "policy/no-type", span, ...omission });
    return;
  }
  const related = declarations(problem, tools);
  const help =
    kind === "template"
      ? "write the policy without `?principal` and `?resource`: skillc fills in nothing"
      : kind === "types"
        ? helpForName(problem, written, { skills, tools })
        : problem.help;
  source.report.add({
    code: codes[kind],
    span,
    message,
    ...(help !== undefined && { help }),
    ...(related.length > 0 && { related }),
  });
}

/**
 * Suggests the intended name for an unknown one, or else returns Cedar's help. If several names are
 * equally close, Cedar picks any of them.
 */
function helpForName(
  { help, reads }: PolicyProblem,
  written: string,
  { skills, tools }: { readonly skills: readonly SkillModel[]; readonly tools: readonly Tool[] },
): string | undefined {
  const types = [callerType, roleType, tenantType];
  if (/^\w+$/.test(written) && !types.includes(written))
    return (
      didYouMean(written, types) ??
      "callers are `Caller`, in a `Role` and a `Tenant`; the resource is a `Tenant`"
    );
  if (written.startsWith("Action::")) {
    const names = toolsOf(skills).flatMap(({ id, skill, tool }) =>
      [id, skillGroup(skill.name), ...tool.tags.map(tagGroup)].map(printedAction),
    );
    if (names.includes(written)) return help;
    return (
      didYouMeanOrListed(written, names, "the actions are") ??
      "no skill has a tool, so there is no action"
    );
  }
  for (const path of reads) {
    const name = path.at(-1) ?? "";
    const known =
      path[0] !== "args" || path.length === 1
        ? contextNames(tools)
        : tools.flatMap(({ tool }) => propertyNames(tool.parameters, path.slice(1, -1)));
    if (path.length === 1 || path[0] === "args")
      if (!known.includes(name)) return didYouMeanOrListed(name, known, "there is") ?? help;
  }
  return help;
}

/** Returns the declarations of the attributes at this place. */
function declarations({ reads }: PolicyProblem, tools: readonly Tool[]): readonly RelatedSpan[] {
  return argumentsOf(reads)
    .slice(0, 2)
    .flatMap((path) => declarationsOf(path, tools).slice(0, 1));
}
