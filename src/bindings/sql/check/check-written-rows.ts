import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { LeftOutModel, StatementModel, WrittenNullModel } from "../model.js";

/** Every row that a statement writes has something in each column that takes no NULL. */
export function checkWrittenRows({ leftOut, writtenNulls }: StatementModel, report: Report): void {
  for (const each of leftOut) reportLeftOut(each, report);
  for (const each of writtenNulls) reportNull(each, report);
}

function reportLeftOut({ columns, mayBeFilled, span, table }: LeftOutModel, report: Report): void {
  const names = columns.map((each) => `\`${shown(each)}\``).join(", ");
  const [have, them] = columns.length === 1 ? ["has", "it"] : ["have", "them"];
  const take = columns.length === 1 ? "takes" : "take";
  report.add({
    code: mayBeFilled ? "sql/may-be-left-out" : "sql/column-left-out",
    span,
    message: `${names} of \`${shown(table)}\` ${take} no NULL and ${have} no default, and the rows leave ${them} out`,
    help: mayBeFilled
      ? `name ${them} among the columns, unless a trigger or rule of the table fills ${them}`
      : `name ${them} among the columns`,
  });
}

function reportNull({ column, span, word }: WrittenNullModel, report: Report): void {
  const isDefault = word === "DEFAULT";
  report.add({
    code: "sql/null-not-stored",
    span,
    message: isDefault
      ? `\`${shown(column)}\` has no default, so this is NULL, and it takes no NULL`
      : `\`${shown(column)}\` takes no NULL`,
    help: "write a value",
  });
}
