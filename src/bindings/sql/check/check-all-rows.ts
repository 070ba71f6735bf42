import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { SqlConfig, StatementModel, WholeTableModel } from "../model.js";

/** What changes every row of a table says so: a `WHERE` that is missing, or means nothing, is the costliest mistake that a statement can have. */
export function checkAllRows(
  { allRows }: SqlConfig,
  { wholeTables }: StatementModel,
  report: Report,
): void {
  if (allRows?.value === true) {
    if (wholeTables.length > 0) return;
    report.add({
      code: "sql/needless-all-rows",
      span: allRows.span,
      message: "no table is changed as a whole",
      help: "remove `all_rows: true`: then a `WHERE` that gets lost is found",
    });
    return;
  }
  for (const each of wholeTables)
    report.add({
      code: "sql/all-rows",
      span: each.span,
      message: messageFor(each),
      help: `${mendingOf(each)}; where every row is meant, write \`all_rows: true\` in the binding`,
    });
}

function messageFor({ empty, table, verb, why, without }: WholeTableModel): string {
  const rows = `\`${verb}\` ${DOES[verb]} every row of ${quote(table)}`;
  if (why === "unconditional")
    return verb === "TRUNCATE" ? rows : `no condition says which rows: ${rows}`;
  if (why === "other")
    return `the condition says nothing of the rows of ${quote(table)}: when it is true, ${rows}`;
  const cases = [
    ...(without.length === 0 ? [] : [`without ${without.map(quote).join(" and ")}`]),
    ...(empty.length === 0
      ? []
      : [`while ${empty.map(quote).join(" and ")} ${empty.length === 1 ? "is" : "are"} empty`]),
  ];
  const when = cases.length === 0 ? "is always true" : `is true of every row ${cases.join(", ")}`;
  return `the condition ${when}: ${rows}`;
}

const DOES = {
  UPDATE: "changes",
  DELETE: "removes",
  TRUNCATE: "removes",
  MERGE: "changes",
} as const;

function mendingOf({ empty, table, verb, without }: WholeTableModel): string {
  const [first] = without;
  const [list] = empty;
  if (first !== undefined) {
    const which =
      without.length === 1 ? `make ${quote(first)} required` : "make one of them required";
    return `${which}, and let it choose the rows by itself`;
  }
  if (list !== undefined)
    return `let the schema of ${quote(list)} refuse what is empty: \`minItems: 1\`, or \`minLength: 1\` of a text`;
  if (verb === "TRUNCATE") return `write \`DELETE FROM ${shown(table)} WHERE …\``;
  if (verb === "MERGE") return "say which rows behind `ON`, or behind `AND` of the branch";
  return "say which rows in `WHERE`";
}
