import type { ToolModel } from "../core/skill-model.js";
import { successData, type ToolAnswers } from "./answers.js";
import type { BindingKind } from "./binding.js";

/** Returns the statuses of a tool's answers, as far as its kind tells them. */
export function answersOf({ answers, dataSchema }: BindingKind, tool: ToolModel): ToolAnswers {
  const { config } = tool.binding;
  const known = answers?.(tool, config);
  if (known !== undefined) return { all: known, isComplete: true };
  const data = successData(tool, dataSchema?.(config));
  return { all: [{ status: "success", data }], isComplete: false };
}
