import type { JsonSchema } from "../../core/json.js";
import type { SchemaModel, ToolModel } from "../../core/skill-model.js";
import { successData, type ToolAnswer } from "../../kit/answers.js";
import type { Refusal } from "@skillc/runtime/internal/sql";
import { rowsCode } from "./emit.js";
import { everyResultSchema, resultSchema } from "./check/result-schema.js";
import { analyzed, type SqlConfig } from "./model.js";

/** Statuses of a write that a constraint of the database rejects. */
const refusals: readonly Refusal[] = [
  "conflict",
  "invalid_reference",
  "check_failed",
  "missing_value",
];

/** The statuses of a tool's answers: those of the emitted type, in `emit.ts`. */
export function sqlAnswers(tool: ToolModel, config: SqlConfig): readonly ToolAnswer[] {
  const isOne = rowsCode(config, analyzed(config)) === "one";
  const failed = [
    ...(isOne ? ["not_found"] : []),
    ...(tool.binding.effect === "write" ? refusals : []),
  ];
  return [
    { status: "success", data: successData(tool, sqlDataSchema(config)) },
    ...failed.map((status) => ({ status })),
  ];
}

/** Schema of a success's data, by the columns of the result. */
export function sqlDataSchema(config: SqlConfig): JsonSchema {
  return resultSchema(config.rows, analyzed(config).columns, anything);
}

/** Schema that the data of every success fits, by the columns of the result. */
export function everySqlData(config: SqlConfig): JsonSchema {
  return everyResultSchema(config.rows, analyzed(config).columns);
}

/** Schema of a result for which the author wrote no `returns`. */
const anything: SchemaModel = {
  kind: "schema",
  schema: true,
  span: { file: "", start: 0, end: 0 },
  places: {},
};
