import { getOwn } from "../../../core/json.js";
import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { SchemaModel } from "../../../core/skill-model.js";
import { lookUp } from "../../../schema/look-up.js";
import type { SqlConfig, StatementModel } from "../model.js";

/** Where NULL may come, `returns` must take it: only the author's `!` can say that it never does. */
export function checkNulls(
  returns: SchemaModel,
  { rows, rowsSpan }: SqlConfig,
  { columns }: StatementModel,
  report: Report,
): void {
  const above = rows === "many" ? [0] : [];
  for (const { name, nullable, span } of columns) {
    const { known, schema = "", types } = lookUp(returns, [...above, name], "stated");
    if (!nullable || !known || types.includes("null")) continue;
    const place = getOwn(returns.places, schema) ?? returns.span;
    report.add({
      code: "sql/returns-denies-null",
      span,
      message: `\`${shown(name)}\` may be NULL, and \`returns\` allows no null there`,
      help: `let \`returns\` take null (\`type: [${types[0] ?? "string"}, "null"]\`), or, if it never is NULL, write \`AS "${shown(name)}!"\``,
      related: [{ span: place, message: "denied here" }],
    });
  }
  if (columns.length === 0 || rows !== "optional") return;
  if (lookUp(returns, [], "stated").types.includes("null")) return;
  report.add({
    code: "sql/returns-denies-null",
    span: rowsSpan ?? returns.span,
    message: "there may be no row, and `returns` allows no null",
    help: 'let `returns` take null: `type: [object, "null"]`',
    related: [{ span: returns.span, message: "`returns`" }],
  });
}
