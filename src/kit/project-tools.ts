import { quote } from "../core/names.js";
import type { ToolModel } from "../core/skill-model.js";
import { didYouMean } from "../schema/suggestion.js";

/** The tools of a project, as `BindingKind.link` sees them from one tool. */
export interface ProjectTools {
  /** Names by which the tool may refer to another: `tool` of the same skill, and every `skill/tool`. */
  readonly names: readonly string[];
  /** Finds a tool by name. The calling tool depends on it from then on, even if it wasn't found. */
  find(name: string): ProjectTool | undefined;
}

export interface ProjectTool {
  /** `skill/tool` */
  readonly id: string;
  readonly tool: ToolModel;
}

/** The message, and maybe the help, for a name that no tool of the project has. */
export function unknownTool(
  name: string,
  { names }: ProjectTools,
): { readonly message: string; readonly help?: string } {
  const help = didYouMean(name, names);
  return { message: `${quote(name)} is no tool of the project`, ...(help && { help }) };
}
