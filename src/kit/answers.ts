import type { JsonSchema } from "../core/json.js";
import type { SchemaModel, ToolModel } from "../core/skill-model.js";
import type { SchemaPlace } from "../schema/certain-mismatches.js";

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

/**
 * Returns the data of a success: as `returns` declares them, else as the binding shows them.
 *
 * @param shown schema of the data that the binding shows; absent if it shows none
 */
export function successData(
  { returns, span }: Pick<ToolModel, "returns" | "span">,
  shown: JsonSchema | undefined,
): AnswerData {
  if (returns !== undefined) return { model: returns, at: [] };
  return shown === undefined ? "unknown" : { model: modelOf(shown, span), at: [] };
}

/** Makes a document of a schema that no author wrote. */
function modelOf(schema: SchemaModel["schema"], span: SchemaModel["span"]): SchemaModel {
  return { kind: "schema", schema, span, places: {} };
}
