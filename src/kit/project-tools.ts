import type { Capability } from "@skillc/runtime";
import { quote } from "../core/names.js";
import type { ToolModel } from "../core/skill-model.js";
import { didYouMean } from "../schema/suggestion.js";
import type { ToolAnswers } from "./answers.js";

/** The tools of a project, for `BindingKind.link` of one tool. */
export interface ProjectTools {
  /**
   * Names by which the tool may refer to others: `tool` of the same skill, and every `skill/tool`.
   */
  readonly names: readonly string[];
  /** Finds a tool by name. The calling tool depends on it from then on, even if it wasn't found. */
  find(name: string): ProjectTool | undefined;
  /**
   * Finds a tool by name without what other tools decide about it, for references that may run in a
   * circle. The calling tool depends on it, as with `find`.
   */
  findUnlinked(name: string): UnlinkedTool | undefined;
}

/** A tool of the project as its author wrote it. */
export type UnlinkedTool = Pick<ProjectTool, "functionName" | "id" | "module" | "tool">;

/** A tool of the project. */
export interface ProjectTool {
  /** Id of the tool: `skill/tool`. */
  readonly id: string;
  /** The tool, linked with the tools that it depends on itself. */
  readonly tool: ToolModel;
  /** Statuses of the tool's answers. */
  readonly answers: ToolAnswers;
  /** Set if a success is a stream or one of several pages, and so no single JSON value. */
  readonly isStream: boolean;
  readonly capabilities: readonly Capability[];
  /** Module of the tool, as a module of the asking tool imports it: `../order-desk/cancel.js`. */
  readonly module: string;
  /** Name of the tool's function. */
  readonly functionName: string;
  /**
   * Set if the tool is not linked. `cycle`: it depends on the asking tool; the ids lead from one to
   * the other. `depth`: too many tools depend on each other in a row. `mistakes`: its own mistakes
   * were reported.
   */
  readonly unlinked?:
    | { readonly why: "mistakes" }
    | { readonly why: "cycle"; readonly path: readonly string[] }
    | { readonly why: "depth"; readonly limit: number };
}

/** Returns the message, and help if possible, for the name of an unknown tool. */
export function unknownTool(
  name: string,
  { names }: ProjectTools,
): { readonly message: string; readonly help?: string } {
  const help = didYouMean(name, names);
  return { message: `the project has no tool ${quote(name)}`, ...(help && { help }) };
}
