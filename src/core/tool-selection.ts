import type { ToolSelection } from "./governance-model.js";

/** As much of a tool as an entry of skillc.yaml selects it by. */
export interface SelectableTool {
  readonly skill: string;
  readonly name: string;
  readonly tags: readonly string[];
}

/** Whether an entry of skillc.yaml is about the tool. */
export function selects(selection: ToolSelection, tool: SelectableTool): boolean {
  return selectsAll(selection) || namesTool(selection, tool) || tagOf(selection, tool);
}

/** Whether it is about every tool there is. */
export function selectsAll({ tags, tools }: ToolSelection): boolean {
  return tools.length === 0 && tags.length === 0;
}

function namesTool({ tools }: ToolSelection, { name, skill }: SelectableTool): boolean {
  return tools.some(({ value }) => value === `${skill}/${name}` || value === `${skill}/*`);
}

function tagOf({ tags }: ToolSelection, tool: SelectableTool): boolean {
  return tags.some(({ value }) => tool.tags.includes(value));
}
