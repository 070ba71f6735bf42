import type { ToolSelection } from "./governance-model.js";

/** The parts of a tool that an entry of skillc.yaml selects by. */
export interface SelectableTool {
  readonly skill: string;
  readonly name: string;
  readonly tags: readonly string[];
}

/** Checks if an entry of skillc.yaml selects the tool. */
export function selects(selection: ToolSelection, tool: SelectableTool): boolean {
  return selectsAll(selection) || namesTool(selection, tool) || tagOf(selection, tool);
}

/** Checks if an entry selects every tool. */
export function selectsAll({ tags, tools }: ToolSelection): boolean {
  return tools.length === 0 && tags.length === 0;
}

function namesTool({ tools }: ToolSelection, { name, skill }: SelectableTool): boolean {
  return tools.some(({ value }) => value === `${skill}/${name}` || value === `${skill}/*`);
}

function tagOf({ tags }: ToolSelection, tool: SelectableTool): boolean {
  return tags.some(({ value }) => tool.tags.includes(value));
}
