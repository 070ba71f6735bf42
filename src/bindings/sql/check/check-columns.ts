/**
 * Checks the result columns of a statement independently of `returns`: their names, and whether
 * there are rows.
 */
import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { type SqlConfig, type StatementModel, within } from "../model.js";
import { trimmedRange } from "../statement/statement.js";

/** Checks the columns. A row is an object, so each column needs a name of its own. */
export function checkColumns(
  config: SqlConfig,
  { columns, writes }: StatementModel,
  report: Report,
): void {
  const seen = new Set<string>();
  for (const { name, label, span, contradicted } of columns) {
    const isUnnamed = label === "?column?";
    if (seen.has(name))
      report.add({
        code: "sql/duplicate-column",
        span,
        message: isUnnamed
          ? "two columns have no name"
          : `two columns have the name \`${shown(name)}\``,
        help: `give one of them another name: \`AS ${isUnnamed ? "total" : `other_${shown(name)}`}\``,
      });
    else if (isUnnamed)
      report.add({
        code: "sql/unnamed-column",
        span,
        message: "this column has no name: PostgreSQL calls it `?column?`",
        help: "name it: `AS total`",
      });
    else if (name !== label && /[!?]$/.test(name))
      report.add({
        code: "sql/bad-mark",
        span,
        message: `\`${shown(label)}\` has two marks`,
        help: `write \`AS "${shown(name.replace(/[!?]+$/, "") + label.slice(-1))}"\``,
      });
    else if (contradicted)
      report.add({
        code: "sql/never-not-null",
        span,
        message: `\`${shown(name)}\` is always NULL, but \`!\` says that it is never NULL`,
        help: "remove the `!`",
      });
    seen.add(name);
  }
  if (columns.length === 0 && writes.length === 0) reportNothingAsked(config, report);
  else checkRows(config, columns.length > 0, report);
}

/** Reports a SELECT without columns: `SELECT FROM orders`. */
function reportNothingAsked(config: SqlConfig, report: Report): void {
  report.add({
    code: "sql/no-rows",
    span: within(config, trimmedRange(config.query.value)),
    message: "the statement selects no columns",
    help: "name columns after SELECT: `SELECT id FROM …`",
  });
}

function checkRows(
  { rows, rowsSpan, maxRowsSpan }: SqlConfig,
  hasRows: boolean,
  report: Report,
): void {
  if (!hasRows && rowsSpan !== undefined)
    report.add({
      code: "sql/no-rows",
      span: rowsSpan,
      message: "the statement returns no rows",
      help: "remove `rows`, because the result is `affected_rows`; or add RETURNING to the statement",
    });
  if (maxRowsSpan !== undefined && (!hasRows || rows !== "many"))
    report.add({
      code: "sql/max-rows-without-many",
      span: maxRowsSpan,
      message: hasRows
        ? `\`max_rows\` is for \`rows: many\`, but this tool returns ${rows === "one" ? "one row" : "one row at most"}`
        : "`max_rows` is for statements that return rows",
      help: "remove `max_rows`",
    });
}
