/**
 * Compares the writes of a statement with the author's declarations: `read_only`, `all_rows`, and
 * the columns of new rows.
 */
import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import type {
  LeftOutModel,
  SqlConfig,
  StatementModel,
  UnrestrictedWriteModel,
  WriteReason,
  WrittenNullModel,
} from "../model.js";

/**
 * Checks the declared effect. A tool whose statement writes must declare that, and its risk level.
 * The statement's tree decides whether it writes.
 */
export function checkEffect(
  tool: ToolModel,
  { query, readOnly }: SqlConfig,
  { writes }: StatementModel,
  report: Report,
): void {
  const first = writes[0];
  if (first === undefined) {
    if (readOnly?.value !== false) return;
    report.add({
      code: "sql/read-called-write",
      span: readOnly.span,
      message: "the statement only reads",
      help: "remove `read_only: false`: a read needs no high risk level and can be repeated",
    });
    return;
  }
  const related = writes.slice(1).map(({ what, span }) => ({ span, message: `and ${what} here` }));
  if (readOnly?.value === true)
    report.add({
      code: "sql/write-called-read",
      span: first.span,
      message: `the statement ${first.what}, but \`read_only: true\` says that it only reads`,
      help: writeHelp(writes, "write `read_only: false` and `risk_level: high`"),
      related: [{ span: readOnly.span, message: "said here" }, ...related],
    });
  else if (readOnly === undefined)
    report.add({
      code: "sql/undeclared-write",
      span: first.span,
      message: `the statement ${first.what}, but the binding has no \`read_only: false\``,
      help: writeHelp(
        writes,
        "write `read_only: false` in the binding, and `risk_level: high` in the tool beside `binding`",
      ),
      related,
    });
  else if (tool.riskLevel !== "high" && tool.riskLevel !== "critical")
    report.add({
      code: "sql/write-risk",
      span: readOnly.span,
      message: `the statement writes, but the tool has the risk level \`${tool.riskLevel}\``,
      help: "write `risk_level: high` or `critical` beside the tool's `description`",
      related: [{ span: query.span, message: "the statement" }],
    });
}

/**
 * Help for a statement that writes. If only the user's own functions make it a write, proposes to
 * declare them harmless; otherwise, or as the alternative, `otherwise`.
 */
function writeHelp(writes: readonly WriteReason[], otherwise: string): string {
  const remedies = writes.flatMap(({ remedy }) => remedy ?? []);
  if (remedies.length < writes.length) return `if you want the change, ${otherwise}`;
  const names = new Set(remedies.flatMap(({ functions }) => functions));
  const [it, which] = names.size === 1 ? ["it", "it changes"] : ["them", "they change"];
  const all = [...names].map(shown).join(", ");
  const todo = [
    ...(remedies.some(({ declare }) => declare)
      ? [`declare ${it} STABLE or IMMUTABLE in the schema`]
      : []),
    ...(remedies.some(({ list }) => list)
      ? [`list ${it} under the database in skillc.yaml: \`harmless_functions: [${all}]\``]
      : []),
  ];
  return `if ${which} nothing, ${todo.join(", and ")}; otherwise ${otherwise}`;
}

/**
 * Requires `all_rows` for a statement that changes every row of a table. A missing or ineffective
 * `WHERE` is the costliest mistake in SQL.
 */
export function checkAllRows(
  { allRows }: SqlConfig,
  { unrestrictedWrites }: StatementModel,
  report: Report,
): void {
  if (allRows?.value === true) {
    if (unrestrictedWrites.length > 0) return;
    report.add({
      code: "sql/needless-all-rows",
      span: allRows.span,
      message: "the statement doesn't change every row of a table",
      help: "remove `all_rows: true`, so that skillc reports a `WHERE` that gets lost",
    });
    return;
  }
  for (const each of unrestrictedWrites)
    report.add({
      code: "sql/all-rows",
      span: each.span,
      message: messageFor(each),
      help: `${mendingOf(each)}; if you mean every row, write \`all_rows: true\` in the binding`,
    });
}

function messageFor({ empty, table, verb, why, without }: UnrestrictedWriteModel): string {
  const rows = `\`${verb}\` ${DOES[verb]} every row of ${quote(table)}`;
  if (why === "unconditional") return verb === "TRUNCATE" ? rows : `without a condition, ${rows}`;
  if (why === "other")
    return `the condition doesn't depend on the rows of ${quote(table)}: if it is true, ${rows}`;
  const cases = [
    ...(without.length === 0 ? [] : [`without ${without.map(quote).join(" and ")}`]),
    ...(empty.length === 0
      ? []
      : [`if ${empty.map(quote).join(" and ")} ${empty.length === 1 ? "is" : "are"} empty`]),
  ];
  const when = cases.length === 0 ? "is always true" : `is true for every row ${cases.join(", ")}`;
  return `the condition ${when}: ${rows}`;
}

const DOES = {
  UPDATE: "changes",
  DELETE: "removes",
  TRUNCATE: "removes",
  MERGE: "changes",
} as const;

function mendingOf({ empty, table, verb, without }: UnrestrictedWriteModel): string {
  const [first] = without;
  const [list] = empty;
  if (first !== undefined) {
    const which =
      without.length === 1 ? `make ${quote(first)} required` : "make one of them required";
    return `${which}, and let it alone choose the rows`;
  }
  if (list !== undefined)
    return `make the schema of ${quote(list)} reject an empty value: \`minItems: 1\`, or \`minLength: 1\` for a text`;
  if (verb === "TRUNCATE") return `write \`DELETE FROM ${shown(table)} WHERE …\``;
  if (verb === "MERGE") return "choose the rows after `ON`, or after `AND` of the branch";
  return "choose the rows in `WHERE`";
}

/** Checks that every new row has a value in each required column. */
export function checkWrittenRows({ leftOut, writtenNulls }: StatementModel, report: Report): void {
  for (const each of leftOut) reportLeftOut(each, report);
  for (const each of writtenNulls) reportNull(each, report);
}

function reportLeftOut({ columns, mayBeFilled, span, table }: LeftOutModel, report: Report): void {
  const names = columns.map((each) => `\`${shown(each)}\``).join(", ");
  const [have, them] = columns.length === 1 ? ["has", "it"] : ["have", "them"];
  const take = columns.length === 1 ? "rejects" : "reject";
  report.add({
    code: mayBeFilled ? "sql/may-be-left-out" : "sql/column-left-out",
    span,
    message: `${names} of \`${shown(table)}\` ${take} NULL and ${have} no default, but the new rows leave ${them} out`,
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
      ? `\`${shown(column)}\` has no default, so this is NULL, but the column rejects NULL`
      : `\`${shown(column)}\` rejects NULL`,
    help: "write a value",
  });
}
