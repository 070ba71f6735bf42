import { quote } from "../core/names.js";
import type { ToolModel } from "../core/skill-model.js";
import { didYouMean } from "../schema/suggestion.js";

/** The tools of a project, for `BindingKind.link` of one tool. */
export interface ProjectTools {
  /**
   * Names by which the tool may refer to others: `tool` of the same skill, and every `skill/tool`.
   */
  readonly names: readonly string[];
  /** Finds a tool by name. The calling tool depends on it from then on, even if it wasn't found. */
  find(name: string): ProjectTool | undefined;
}

/** A tool of the project. */
export interface ProjectTool {
  /** Id of the tool: `skill/tool`. */
  readonly id: string;
  /** Resolved model of the tool. */
  readonly tool: ToolModel;
}

/** Returns the message, and help if possible, for the name of an unknown tool. */
export function unknownTool(
  name: string,
  { names }: ProjectTools,
): { readonly message: string; readonly help?: string } {
  const help = didYouMean(name, names);
  return { message: `the project has no tool ${quote(name)}`, ...(help && { help }) };
}
