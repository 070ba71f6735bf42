import { getOwn } from "../../../core/json.js";
import { shown } from "../../../core/names.js";
import type { Finding } from "../../../core/diagnostic.js";
import type { Report } from "../../../core/report.js";
import type { SchemaModel, ToolModel } from "../../../core/skill-model.js";
import { type CertainMismatch, certainMismatches } from "../../../schema/certain-mismatches.js";
import { type JsonType, lookUp } from "../../../schema/look-up.js";
import { didYouMean } from "../../../schema/suggestion.js";
import { mismatchCodes } from "../../mismatch-codes.js";
import { typeWords } from "../../type-words.js";
import { checkNarrowing } from "./check-narrowing.js";
import { checkNulls } from "./check-returned-nulls.js";
import type { ResultColumnModel, SqlConfig, StatementModel } from "../model.js";
import { resultModel } from "./result-model.js";
import { writtenType } from "../types/written-type.js";

/** What `returns` says must leave room for what the statement gives: its columns, their types, and NULL where it may come. */
export function checkReturns(
  tool: ToolModel,
  config: SqlConfig,
  statement: StatementModel,
  report: Report,
): void {
  const { returns } = tool;
  if (returns === undefined) return;
  const given = { model: resultModel(config, statement, returns), at: [] };
  const all = certainMismatches(given, { model: returns, at: [] });
  const wrong = all.filter((each) => !isOfLabels(each, statement));
  for (const each of wrong) report.add(mismatch(each, config, statement));
  if (wrong.length > 0) return;
  checkLabels(returns, config, statement, report);
  checkNulls(returns, config, statement, report);
  checkNarrowing(returns, config, statement, report);
}

function mismatch(
  { found, kind, path, wanted }: CertainMismatch,
  config: SqlConfig,
  { columns }: StatementModel,
): Finding {
  const name = path.find((step) => typeof step === "string");
  const finding = { code: "sql/returns-mismatch", span: wanted.span } as const;
  if (name === undefined) return wholeMismatch(wanted, config, columns);
  const column = columns.find((each) => each.name === name);
  const given = columns.map((each) => `\`${shown(each.name)}\``).join(", ");
  if (kind === "missing") {
    const names = columns.map((each) => each.name);
    const help = didYouMean(name, names) ?? `its columns are ${given}`;
    const message = `\`returns\` requires \`${shown(name)}\`, which the statement does not give`;
    return { ...finding, message, help };
  }
  if (kind === "refused") {
    const message = `the statement gives \`${shown(name)}\`, which \`returns\` forbids`;
    const help = `declare \`${shown(name)}\` in \`returns\` too, or leave it out of the statement`;
    return { ...finding, message, help };
  }
  const isItem = path.indexOf(name) < path.length - 1;
  const what = `${isItem ? "an item of " : ""}\`${shown(name)}\``;
  const type = column === undefined ? "" : ` of the type \`${writtenType(column.type)}\` and`;
  const asked = `\`returns\` asks for ${typeWords(wanted.types)}`;
  // Null was set aside: whether it may come is another question.
  const nulls: readonly JsonType[] = isItem || column?.nullable === true ? ["null"] : [];
  const types = typeWords([...found.types, ...nulls]);
  return {
    ...finding,
    message: `${what} is${isItem ? "" : type} given as ${types}, and ${asked}`,
    help: "change `returns`, or cast in the statement",
    ...(column !== undefined && { related: [{ span: column.span, message: "the column" }] }),
  };
}

function wholeMismatch(
  wanted: CertainMismatch["wanted"],
  { rows, rowsSpan }: SqlConfig,
  columns: readonly ResultColumnModel[],
): Finding {
  const asked = `\`returns\` asks for ${typeWords(wanted.types)}`;
  const gives =
    columns.length === 0
      ? "gives no rows but an object with `affected_rows`"
      : rows === "many"
        ? "gives an array of rows"
        : "gives one row, an object";
  const help =
    columns.length === 0
      ? "describe `{ affected_rows }` in `returns`, or add RETURNING to the statement"
      : "`rows: many` gives an array of objects, `one` an object, `optional` an object or null";
  return {
    code: "sql/returns-mismatch",
    span: wanted.span,
    message: `the statement ${gives}, and ${asked}`,
    help,
    ...(rowsSpan !== undefined && { related: [{ span: rowsSpan, message: "said here" }] }),
  };
}

/** Of an enum's column, that another type is asked for, or else other labels. */
function isOfLabels({ kind, path, wanted }: CertainMismatch, { columns }: StatementModel): boolean {
  const type = columns.find(({ name }) => path.includes(name))?.type;
  const of = type?.kind === "array" ? type.of : type;
  return kind === "values" && of?.kind === "enum" && wanted.types.includes("string");
}

/** PostgreSQL knows every label of an enum: one that `returns` leaves out fails the call that meets it. */
function checkLabels(
  returns: SchemaModel,
  { rows }: SqlConfig,
  { columns }: StatementModel,
  report: Report,
): void {
  for (const { name, span, type } of columns) {
    const path = [...(rows === "many" ? [0] : []), name, ...(type.kind === "array" ? [0] : [])];
    const { enum: values, known, schema = "" } = lookUp(returns, path, "stated");
    const of = type.kind === "array" ? type.of : type;
    if (of.kind !== "enum" || !known || values === undefined) continue;
    const missing = of.labels.filter((label) => !values.includes(label));
    if (missing.length === 0) continue;
    report.add({
      code: mismatchCodes.sql.returns[missing.length === of.labels.length ? "no" : "some"],
      span: getOwn(returns.places, schema) ?? returns.span,
      message: `\`${shown(name)}\` may be ${missing.map((label) => `\`${shown(label)}\``).join(" or ")}, which \`returns\` does not list`,
      help: `list every value of \`${of.name}\`; text may be narrowed: \`::text\` in the statement`,
      related: [{ span, message: "the column" }],
    });
  }
}
