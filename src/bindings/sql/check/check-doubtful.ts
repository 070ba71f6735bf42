import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { StatementModel } from "../model.js";

/** What PostgreSQL takes, and hardly means what its author did. */
export function checkDoubtful({ nullComparisons, sortedBy }: StatementModel, report: Report): void {
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
