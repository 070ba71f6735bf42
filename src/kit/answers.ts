import type { SchemaModel, ToolModel } from "../core/skill-model.js";
import type { SchemaPlace } from "../schema/certain-mismatches.js";
import type { BindingKind } from "./binding.js";

/** One status of a tool's answers. */
export interface ToolAnswer {
  readonly status: string;
  /** Data that the answer carries; absent for a status without data. */
  readonly data?: AnswerData;
}

/** Where the schema of an answer's data is; `unknown` without a schema; `bytes` for no JSON. */
export type AnswerData = SchemaPlace | "unknown" | "bytes";

/** Statuses of a tool's answers. */
export interface ToolAnswers {
  readonly all: readonly ToolAnswer[];
  /** False if the kind doesn't tell the statuses without data. */
  readonly isComplete: boolean;
}

/** Returns the statuses of a tool's answers, as far as its kind tells them. */
export function answersOf(kind: BindingKind, tool: ToolModel): ToolAnswers {
  const { config } = tool.binding;
  const told = kind.answers?.(tool, config);
  if (told !== undefined) return { all: told, isComplete: true };
  return { all: [{ status: "success", data: successData(kind, tool) }], isComplete: false };
}

/** Returns the data of a success: as `returns` declares them, else as the binding shows them. */
export function successData(
  { dataSchema }: Pick<BindingKind, "dataSchema">,
  { binding, returns, span }: ToolModel,
): AnswerData {
  if (returns !== undefined) return { model: returns, at: [] };
  const schema = dataSchema?.(binding.config);
  return schema === undefined ? "unknown" : { model: modelOf(schema, span), at: [] };
}

/** Makes a document of a schema that no author wrote. */
function modelOf(schema: SchemaModel["schema"], span: SchemaModel["span"]): SchemaModel {
  return { kind: "schema", schema, span, places: {} };
}
