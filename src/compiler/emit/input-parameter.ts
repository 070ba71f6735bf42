import { toModelSchema } from "@skillc/runtime/internal";
import type { ToolModel } from "../../core/skill-model.js";

/**
 * Returns the property in which models pass a tool's parameters; undefined if they pass them
 * directly. The published schema has the same keywords at its root.
 */
export function inputParameterOf({ parameters }: ToolModel): string | undefined {
  return toModelSchema(parameters.schema).back.inputParameter;
}
