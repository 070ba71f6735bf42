import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import { type StatedFacts, statedFacts } from "../../../schema/stated-facts.js";
import type { StatementModel } from "../model.js";

/** What PostgreSQL takes, and hardly means what its author did. */
export function checkDoubtful(tool: ToolModel, statement: StatementModel, report: Report): void {
  const { nullComparisons, sortedBy } = statement;
  checkLimits(tool, statement, report);
  for (const { instead, span } of nullComparisons)
    report.add({
      code: "sql/never-true",
      span,
      message: "a comparison with NULL is never true",
      help: instead === undefined ? "compare with a value, or remove it" : `write \`${instead}\``,
    });
  for (const { placeholder, span } of sortedBy)
    report.add({
      code: "sql/constant-order",
      span,
      message: `\`:${shown(placeholder)}\` is one value for all rows: it sorts nothing`,
      help: `a placeholder is never the name of a column: write \`CASE :${shown(placeholder)} WHEN 'name' THEN name … END\``,
    });
}

/** PostgreSQL refuses fewer rows than none, at each call. */
function checkLimits(
  tool: ToolModel,
  { limitedBy = [], parameters }: StatementModel,
  report: Report,
): void {
  for (const { placeholder, span } of limitedBy) {
    const parameter = parameters.find((each) => each.placeholder === placeholder)?.parameter;
    const facts = parameter === undefined ? undefined : statedFacts(tool.parameters, [parameter]);
    if (parameter === undefined || facts === undefined || !mayBeNegative(facts)) continue;
    report.add({
      code: "sql/negative-limit",
      span,
      message: `\`${shown(parameter)}\` may be negative, and LIMIT and OFFSET take no such number`,
      help: "write `minimum: 0`",
    });
  }
}

function mayBeNegative({ minimum, types, values }: StatedFacts): boolean {
  // Any other type is an error by itself.
  const isWhole = types.includes("integer") && !types.includes("number");
  if (!isWhole || (minimum !== undefined && minimum >= 0)) return false;
  return values === undefined || values.some((value) => typeof value === "number" && value < 0);
}
