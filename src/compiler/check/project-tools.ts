import type { LoweredSkill } from "../../core/lowered-skill.js";
import type { GrantModel, ToolSelection } from "../../core/governance-model.js";
import type { ToolModel } from "../../core/skill-model.js";
import { selects } from "../../core/tool-selection.js";

/** A tool, with the names that entries of skillc.yaml use for it. */
export interface ProjectTool {
  /** Id of the tool: `skill/tool`. */
  readonly id: string;
  readonly skill: string;
  readonly tool: ToolModel;
}

export function projectTools(lowered: readonly LoweredSkill[]): readonly ProjectTool[] {
  return lowered.flatMap(({ skill, tools }) =>
    tools.map(({ id, tool }) => ({ id, skill: skill.name, tool })),
  );
}

/** Checks if an entry selects the tool. */
export function isSelected(selection: ToolSelection, { skill, tool }: ProjectTool): boolean {
  return selects(selection, { skill, name: tool.name, tags: tool.tags });
}

/** Lists the scopes that a caller may have for calls of the tool. */
export function grantedFor(each: ProjectTool, grants: readonly GrantModel[]): readonly string[] {
  return grants
    .filter((grant) => isSelected(grant, each))
    .flatMap(({ scopes }) => scopes.map(({ value }) => value));
}
