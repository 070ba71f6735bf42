import { getOwn } from "../../../core/json.js";
import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { SchemaModel } from "../../../core/skill-model.js";
import { acceptor } from "../../../schema/compare/values.js";
import { areScalarsApart } from "../../../schema/compare/disjoint.js";
import { lookUp } from "../../../schema/look-up.js";
import { statedFacts, type StatedFacts } from "../../../schema/stated-facts.js";
import { mismatchCodes } from "../../mismatch-codes.js";
import type { ResultColumnModel, SqlConfig, StatementModel } from "../model.js";
import { isOtherFormat } from "../types/text-formats.js";
import type { SqlType } from "../types/sql-type.js";

/**
 * `returns` may narrow what PostgreSQL doesn't know: json, elements of arrays, which texts. A column of any other type has values that PostgreSQL knows: where
 * `returns` denies some, a call that meets one fails.
 */
export function checkNarrowing(
  returns: SchemaModel,
  { rows }: SqlConfig,
  { columns }: StatementModel,
  report: Report,
): void {
  const above = rows === "many" ? [0] : [];
  for (const column of columns) {
    const path = [...above, column.name];
    const { known, schema = "" } = lookUp(returns, path, "stated");
    if (!known || column.type.kind !== "scalar") continue;
    const place = getOwn(returns.places, schema) ?? returns.span;
    checkColumn(column, column.type, statedFacts(returns, path), place, report);
  }
}

function checkColumn(
  { name, span }: ResultColumnModel,
  type: Extract<SqlType, { kind: "scalar" }>,
  facts: StatedFacts,
  place: SchemaModel["span"],
  report: Report,
): void {
  const related = [{ span, message: "the column" }];
  const is = `\`${shown(name)}\` is of the type \`${type.name}\``;
  if (facts.format !== undefined && isOtherFormat(type.name, facts.format))
    report.add({
      code: "sql/returns-mismatch",
      span: place,
      message: `${is}, and \`returns\` asks for the format \`${shown(facts.format)}\``,
      help: "leave the format out, or cast in the statement",
      related,
    });
  const narrower = narrowerThan(type, facts);
  if (narrower === undefined) return;
  report.add({
    code: mismatchCodes.sql.returns[isNever(type, facts) ? "no" : "some"],
    span: place,
    message: `${is}, and \`returns\` allows only ${narrower}`,
    help: "leave that out of `returns`, or cast in the statement: a call that meets another value fails",
    related,
  });
}

/** Whether the type has no number in the bounds, and none of the values, that `returns` allows. */
function isNever(
  { traits }: Extract<SqlType, { kind: "scalar" }>,
  { maximum, minimum, values }: StatedFacts,
): boolean {
  const { schema } = traits;
  const accepts = acceptor({ schema, root: schema });
  if (values !== undefined) return !values.some((each) => each !== null && accepts(each));
  const bounds = {
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
  return areScalarsApart(schema, { type: "number", ...bounds });
}

/** Zero as the least is left alone: counts and lengths have it. */
function narrowerThan(
  { name, traits }: Extract<SqlType, { kind: "scalar" }>,
  { maximum, minimum, types, values }: StatedFacts,
): string | undefined {
  if (traits.typeScript === "JsonValue" || traits.format === "text") return undefined;
  const listed = values?.filter((each) => each !== null);
  if (listed !== undefined && !isEveryBoolean(listed))
    return listed.map((each) => quote(String(each))).join(", ");
  if (traits.typeScript !== "number") return undefined;
  const { maximum: most = Infinity } = traits.schema;
  if (maximum !== undefined && maximum < Number(most)) return `what is at most ${maximum}`;
  if (minimum !== undefined && minimum > 0) return `what is at least ${minimum}`;
  const isFraction = name === "float4" || name === "float8";
  return isFraction && !types.includes("number") ? "integers" : undefined;
}

function isEveryBoolean(values: readonly unknown[]): boolean {
  return values.includes(true) && values.includes(false);
}
