import type { SkillPlan, ToolPlan } from "../../core/emit-plan.js";
import { shortHash } from "../../core/hash.js";
import { fileName, functionName, skillAlias, toolFileName, typeStem } from "../../core/names.js";
import type { SkillModel, ToolModel } from "../../core/skill-model.js";

/** Chooses every path and identifier of one skill's output. Names that can't be chosen were refused by the check stage. */
export function planSkill(skill: SkillModel): SkillPlan {
  const version = skillVersion(skill);
  return {
    skill,
    folder: fileName(skill.name),
    alias: skillAlias(skill.name),
    tools: skill.tools.map((tool) => planTool(skill, tool, version)),
  };
}

function planTool(skill: SkillModel, tool: ToolModel, version: string): ToolPlan {
  return {
    tool,
    id: `${skill.name}/${tool.name}`,
    file: toolFileName(tool.name),
    functionName: functionName(tool.name),
    typeStem: typeStem(tool.name),
    version: { skill: version, binding: bindingVersion(tool) },
  };
}

function skillVersion(skill: SkillModel): string {
  const { name, description, body, prerequisites } = skill;
  return shortHash(JSON.stringify({ name, description, body, prerequisites }));
}

/** Places in files are left out: moving a tool down a line changes nothing that a call does. */
function bindingVersion(tool: ToolModel): string {
  return shortHash(JSON.stringify([tool.parameters, tool.returns, tool.binding], withoutPlaces));
}

/** Leaves out what is a place by its form, not what an author called `span` or `places`. */
function withoutPlaces(this: unknown, key: string, value: unknown): unknown {
  if (key === "span" && isSpan(value)) return undefined;
  return key === "places" && isSchemaModel(this) ? undefined : value;
}

function isSpan(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Object.keys(value).length !== 3) return false;
  return ["file", "start", "end"].every((key) => Object.hasOwn(value, key));
}

function isSchemaModel(value: unknown): boolean {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "schema";
}
