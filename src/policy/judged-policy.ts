/** A policy with Cedar's result, and the tools that it applies to. */
import { quote } from "../core/names.js";
import type { RelatedSpan } from "../core/diagnostic.js";
import type { SkillModel, ToolModel } from "../core/skill-model.js";
import { lookUp } from "../schema/look-up.js";
import { placeAt } from "../schema/place-at.js";
import type { KnownPolicy, PolicyProblem, Verdict } from "./ask-cedar.js";
import { skillGroup, tagGroup, toolsOf } from "./cedar-schema.js";
import { contextMapping } from "./context-field.js";
import type { PolicySource } from "./policy-sources.js";

/** Cedar's result for one policy or condition. */
export interface Judged {
  readonly source: PolicySource;
  readonly verdict: Verdict;
  readonly skills: readonly SkillModel[];
  readonly isCondition: boolean;
}

export interface Tool {
  readonly id: string;
  readonly skill: SkillModel;
  readonly tool: ToolModel;
}

/** Tools in the scope of a policy; all tools if the scope is unknown. */
export function toolsInScope({ skills, verdict }: Judged): readonly Tool[] {
  return toolsOf(skills).filter((tool) => actionsInScope(verdict.policy?.actions, tool));
}

/**
 * Checks if the scope of a policy includes the tool, by name or by group; true if the scope names
 * no action.
 */
export function actionsInScope(
  actions: KnownPolicy["actions"],
  { id, skill, tool }: Tool,
): boolean {
  if (actions === undefined) return true;
  const names = [id, skillGroup(skill.name), ...tool.tags.map(tagGroup)];
  return names.some((name) => actions.includes(name));
}

/** Returns the attributes of the context of these tools' calls. */
export function contextNames(tools: readonly Tool[]): readonly string[] {
  const hasPaths = tools.some(({ tool }) => tool.binding.paths !== undefined);
  const all = ["args", "origin", "scopes", "risk", "effect", "capabilities"];
  return hasPaths ? [...all, ...pathNames] : all;
}

/** Attributes of tools that use files of callers. */
export const pathNames: readonly string[] = ["paths", "within"];

export function argumentsOf(reads: PolicyProblem["reads"]): PolicyProblem["reads"] {
  return reads.flatMap(([first, ...path]) => (first === "args" && path.length > 0 ? [path] : []));
}

/** Reason why the attributes at this place have no Cedar type. */
export function omissionIn({ reads }: Pick<PolicyProblem, "reads">, tools: readonly Tool[]) {
  for (const path of argumentsOf(reads)) {
    for (const { id, tool } of tools) {
      const { unsaid } = contextMapping(tool.parameters);
      const found = unsaid.find((each) => each.path.every((step, index) => step === path[index]));
      if (found === undefined) continue;
      const name = quote(found.path.join(".") || "args");
      const related = declarationsOf(found.path, [{ id, tool }]);
      return {
        message: `a policy can't read ${name} of ${quote(id)}`,
        help: `${name} is ${found.what}, for which Cedar has no type; docs/governance/policy-types.md lists the types`,
        ...(related.length > 0 && { related }),
      };
    }
  }
  return undefined;
}

export function declarationsOf(
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
