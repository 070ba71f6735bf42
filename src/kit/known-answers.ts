import type { ToolModel } from "../core/skill-model.js";
import type { SchemaPlace } from "../schema/certain-mismatches.js";
import { type AnswerData, successData, type ToolAnswers } from "./answers.js";
import type { BindingKind } from "./binding.js";

/** Returns the statuses of a tool's answers, as far as its kind tells them. */
export function answersOf({ answers, dataSchema }: BindingKind, tool: ToolModel): ToolAnswers {
  const { config } = tool.binding;
  const known = answers?.(tool, config);
  if (known !== undefined) return { all: known, isComplete: true };
  const data = successData(tool, dataSchema?.(config));
  return { all: [{ status: "success", data }], isComplete: false };
}

/** Returns the data of a success; undefined if the tool has none. */
export function successOf(kind: BindingKind, tool: ToolModel): AnswerData | undefined {
  return answersOf(kind, tool).all.find(({ status }) => status === "success")?.data;
}

/**
 * Returns the place of the author's schema for the data of a success: `returns`, or a part of a
 * schema in the binding. Undefined if the author describes no data. The config may still lack the
 * results of the analysis.
 */
export function declaredData(kind: BindingKind, tool: ToolModel): SchemaPlace | undefined {
  if (tool.returns !== undefined) return { model: tool.returns, at: [] };
  const declared = Object.values(kind.schemas(tool.binding.config));
  const data = declared.length === 0 ? undefined : successOf(kind, tool);
  return typeof data === "object" && declared.includes(data.model) ? data : undefined;
}
