import { quote } from "../core/names.js";
import type { DiagnosticCode, RelatedSpan } from "../core/diagnostic.js";
import type { SkillModel, ToolModel } from "../core/skill-model.js";
import { lookUp, propertyNames } from "../schema/look-up.js";
import { placeAt } from "../schema/place-at.js";
import { didYouMean, didYouMeanOrListed } from "../schema/suggestion.js";
import { type KnownPolicy, type PolicyProblem, printedAction, type Verdict } from "./ask-cedar.js";
import { callerType, roleType, skillGroup, tagGroup, tenantType, toolsOf } from "./cedar-schema.js";
import { contextMapping } from "./context-field.js";
import type { PolicySource } from "./policy-sources.js";
import { placesOfScope } from "./split-policies.js";

/** What Cedar said of one policy or condition. */
interface Judged {
  readonly source: PolicySource;
  readonly verdict: Verdict;
  readonly skills: readonly SkillModel[];
  readonly isCondition: boolean;
}

interface Tool {
  readonly id: string;
  readonly skill: SkillModel;
  readonly tool: ToolModel;
}

/** Tells authors what is wrong with a policy, at its place. */
export function reportProblems(judged: Judged): void {
  const { isCondition, source, verdict } = judged;
  const { policy } = verdict;
  for (const problem of [...verdict.problems, ...(policy?.warnings ?? [])]) report(problem, judged);
  if (policy?.neverApplies !== true || verdict.problems.length > 0) return;
  source.report.add({
    code: "policy/never-applies",
    span: source.head,
    message: isCondition
      ? "the condition can never hold, so no call needs approval"
      : "the policy can never apply: no call is one that it speaks of",
    help: isCondition
      ? "mend it, or remove `approval`"
      : "mend its scope and its conditions, or remove it",
  });
}

/**
 * Tells of scopes that are asked for, and that nobody may hold: a clause that waits for one of them
 * says the same of every call.
 *
 * @param granted scopes that callers may hold, by the id of the tool
 */
export function reportUngranted(
  { skills, source, verdict: { policy } }: Judged,
  granted: ReadonlyMap<string, readonly string[]>,
): void {
  if (policy === undefined) return;
  const tools = toolsOf(skills).filter((tool) => actionsInScope(policy.actions, tool));
  const held = [...new Set(tools.flatMap(({ id }) => granted.get(id) ?? []))];
  for (const scope of policy.scopes) {
    if (held.includes(scope)) continue;
    const places = placesOfScope(source.text, scope);
    const spans = places.map(({ end, start }) => source.spanOf(start, end));
    for (const span of spans.length === 0 ? [source.head] : spans)
      source.report.add({
        code: "policy/ungranted-scope",
        span,
        message: `no caller can hold the scope ${quote(scope)}: it is granted to nobody`,
        help:
          didYouMean(scope, held) ?? "grant it in skillc.yaml: `{ to: { role: … }, scopes: […] }`",
      });
  }
}

const codes: { readonly [Kind in PolicyProblem["kind"]]: DiagnosticCode } = {
  syntax: "policy/syntax",
  template: "policy/template",
  types: "policy/types",
  warning: "policy/doubtful",
};

function report(problem: PolicyProblem, { skills, source, verdict }: Judged): void {
  const { end, kind, message, start } = problem;
  const written = source.text.slice(start, end);
  const span = source.spanOf(start, end);
  const tools = toolsOf(skills).filter((tool) => actionsInScope(verdict.policy?.actions, tool));
  const unsaid = kind === "types" ? unsaidIn(problem, tools) : undefined;
  if (unsaid !== undefined) {
    source.report.add({ code: "policy/no-type", span, ...unsaid });
    return;
  }
  const related = declarations(problem, tools);
  const help =
    kind === "template"
      ? "write the policy out: there is nothing that fills in `?principal` or `?resource`"
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

/** Whether the scope of a policy names the tool, itself or by a group; undefined: it names none. */
export function actionsInScope(
  actions: KnownPolicy["actions"],
  { id, skill, tool }: Tool,
): boolean {
  if (actions === undefined) return true;
  const names = [id, skillGroup(skill.name), ...tool.tags.map(tagGroup)];
  return names.some((name) => actions.includes(name));
}

function argumentsOf(reads: PolicyProblem["reads"]): PolicyProblem["reads"] {
  return reads.flatMap(([first, ...path]) => (first === "args" && path.length > 0 ? [path] : []));
}

const contextNames = ["args", "origin", "scopes", "risk", "effect", "capabilities"];

/**
 * The name that was meant, where one is not known; else Cedar's own help. Of several names that are
 * equally near, Cedar takes any.
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
        ? contextNames
        : tools.flatMap(({ tool }) => propertyNames(tool.parameters, path.slice(1, -1)));
    if (path.length === 1 || path[0] === "args")
      if (!known.includes(name)) return didYouMeanOrListed(name, known, "there is") ?? help;
  }
  return help;
}

/** What is read there has no type of Cedar's: why not. */
function unsaidIn({ reads }: PolicyProblem, tools: readonly Tool[]) {
  for (const path of argumentsOf(reads)) {
    for (const { id, tool } of tools) {
      const { unsaid } = contextMapping(tool.parameters);
      const found = unsaid.find((each) => each.path.every((step, index) => step === path[index]));
      if (found === undefined) continue;
      const name = quote(found.path.join(".") || "args");
      const related = declarationsOf(found.path, [{ id, tool }]);
      return {
        message: `a policy can't speak of ${name} of ${quote(id)}`,
        help: `${name} is ${found.what}, for which Cedar has no type; docs/governance.md lists what has one`,
        ...(related.length > 0 && { related }),
      };
    }
  }
  return undefined;
}

/** Where what is read there is declared. */
function declarations({ reads }: PolicyProblem, tools: readonly Tool[]): readonly RelatedSpan[] {
  return argumentsOf(reads)
    .slice(0, 2)
    .flatMap((path) => declarationsOf(path, tools).slice(0, 1));
}

function declarationsOf(
  path: readonly string[],
  tools: readonly Pick<Tool, "id" | "tool">[],
): readonly RelatedSpan[] {
  return tools.flatMap(({ id, tool }): readonly RelatedSpan[] => {
    const { schema } = lookUp(tool.parameters, path);
    const span = schema === undefined ? undefined : placeAt(tool.parameters, schema);
    if (span === undefined || schema === "") return [];
    return [{ span, message: `${quote(path.join("."))} of ${quote(id)} is declared here` }];
  });
}
