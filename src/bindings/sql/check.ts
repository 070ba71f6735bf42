/**
 * The rules of SQL bindings. Each file of `check/` checks one aspect of a described statement:
 *
 * - `check-placeholders.ts`: each placeholder has a parameter, and each parameter a placeholder
 * - `check-parameters.ts`: the values of parameters fit types and columns (`types/fits.ts`)
 * - `check-columns.ts`: the names of the result columns, and whether the statement gives rows
 * - `check-returns.ts`: `returns` accepts the rows, by comparison with `result-schema.ts`
 * - `check-effect.ts`: the statement's effect, and how many rows it changes
 */
import type { Report } from "../../core/report.js";
import type { ToolModel } from "../../core/skill-model.js";
import { checkAllRows, checkEffect, checkWrittenRows } from "./check/check-effect.js";
import { checkParameters, checkSuspicious } from "./check/check-parameters.js";
import { checkPlaceholders, checkQuotedPlaceholders } from "./check/check-placeholders.js";
import { checkColumns } from "./check/check-columns.js";
import { checkReturns } from "./check/check-returns.js";
import { analyzed, type SqlConfig, within } from "./model.js";
import { trimmedRange } from "./statement/statement.js";

/** Runs all rules of SQL bindings on a statement that PostgreSQL has described. */
export function checkSql(tool: ToolModel, config: SqlConfig, report: Report): void {
  const statement = analyzed(config);
  const names = statement.parameters.map(({ placeholder }) => placeholder);
  const { references } = tool.binding;
  checkPlaceholders(tool, config, { names, references }, report);
  checkQuotedPlaceholders(config, names, report);
  checkParameters(tool, statement, report);
  checkSuspicious(tool, statement, report);
  checkWrittenRows(statement, report);
  checkColumns(config, statement, report);
  checkReturns(tool, config, statement, report);
  checkEffect(tool, config, statement, report);
  checkAllRows(config, statement, report);
  if (statement.notTranslated === undefined) return;
  report.add({
    code: "sql/not-translated",
    span: within(config, trimmedRange(config.query.value)),
    message: `the statement stays SQL text: ${statement.notTranslated}`,
    help: "skillc still checks its parameters; you need not do anything",
  });
}
