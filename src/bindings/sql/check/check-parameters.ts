/** Compares the values of parameters with the types and columns of the statement. */
import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import { defaultOf } from "../../../schema/defaults.js";
import { type JsonType, lookUp, propertyNames } from "../../../schema/look-up.js";
import { silentParameters } from "../../../schema/silent.js";
import { itemFacts, type StatedFacts, statedFacts } from "../../../schema/stated-facts.js";
import { factsOfCaller } from "../../../kit/caller-root.js";
import { mismatchCodes } from "../../../kit/mismatch-codes.js";
import type {
  ColumnUseModel,
  ComparedPlaceholder,
  NeverTrue,
  SentParameter,
  StatementModel,
  ValueSource,
} from "../model.js";
import { placeOfSource, rootPath } from "../sources.js";
import { type Fit, fits, type Unfit } from "../types/fits.js";
import { type SqlType, writtenType } from "../types/sql-type.js";

/**
 * Compares the values of each parameter with the PostgreSQL type that the statement expects, and
 * with the columns that it goes to. Reports values that never fit, and values that may not.
 */
export function checkParameters(
  tool: ToolModel,
  { comparedWith, neverTrue, parameters, uses }: StatementModel,
  report: Report,
): void {
  // Other checks report unknown names and untyped parameters.
  const untyped = silentParameters(tool.parameters);
  const names = propertyNames(tool.parameters, []);
  const known = new Set(names.filter((each) => !untyped.has(each)));
  const isKnown = ({ parameter }: { readonly parameter: ValueSource }) =>
    known.has(parameter) || isOfCaller(parameter);
  for (const each of withoutRepeats(parameters.filter(isKnown)))
    checkType(tool, each, comparedWith, report);
  for (const each of uses.filter(isKnown)) {
    if (each.how === "stored") checkStored(tool, each, parameters, report);
    else checkCompared(tool, each, report);
  }
  for (const each of neverTrue.filter(isKnown)) reportNeverTrue(tool, each, parameters, report);
}

/** True for a field that the caller has. Unknown fields are reported at their place. */
function isOfCaller(source: ValueSource): boolean {
  const path = rootPath(source);
  return path !== undefined && factsOfCaller(path) !== undefined;
}

function factsOfSource(tool: ToolModel, source: ValueSource): StatedFacts {
  const { model, path } = placeOfSource(tool, source);
  return statedFacts(model, path);
}

/**
 * A name that occurs twice is sent twice, with the type of each place. Drops repetitions with the
 * same type.
 */
function withoutRepeats(parameters: readonly SentParameter[]): readonly SentParameter[] {
  const placeKey = ({ parameter, type }: SentParameter) => JSON.stringify([parameter, type]);
  const inOrder = parameters.toReversed().map((each) => [placeKey(each), each] as const);
  return [...new Map(inOrder).values()].toReversed();
}

function checkType(
  tool: ToolModel,
  sent: SentParameter,
  comparedWith: StatementModel["comparedWith"],
  report: Report,
): void {
  const { parameter, placeholder, refused, span, type } = sent;
  const facts = factsOfSource(tool, parameter);
  const compared = comparedWith.find((each) => each.placeholder === placeholder);
  const isCaller = rootPath(parameter) !== undefined;
  const fit = fits(placeOfSource(tool, parameter), type);
  const found = isCaller ? withCast(fit, sent) : withHelp(fit, helpForType(facts, type, compared));
  const values = refused.map(quote).join(" or ");
  const reason = `may be ${values}, which is not a \`${writtenType(type)}\``;
  // The inferred type already covers what can be known about its values, but an explicit format is
  // the author's choice.
  const isOwn = found.fit === "unsure" && isInferred(tool, parameter) && facts.format === undefined;
  const isRefused = (found.fit === "yes" || isOwn) && refused.length > 0;
  if (isOwn && !isRefused) return;
  reportFit(
    parameter,
    span,
    isRefused
      ? { fit: fitOfListed(tool, sent, facts), reason }
      : isCaller
        ? found
        : orLeftOut(found, facts),
    report,
  );
}

/**
 * Adds advice to leave out the type, which is the shortest fix if it is too vague. If the type
 * allows null, leaving it out would lose that.
 */
function orLeftOut(found: Fit, { format, types }: StatedFacts): Fit {
  if (found.fit !== "unsure" || types.includes("null")) return found;
  const { help } = found;
  const words = format === undefined ? "the type" : "type and format";
  const shorter = `remove ${words}: the parameter then gets the type that PostgreSQL expects here`;
  return { ...found, help: help === undefined ? shorter : `${shorter}; or ${help}` };
}

function isInferred({ inferred = [] }: ToolModel, parameter: string): boolean {
  return inferred.includes(parameter);
}

/**
 * A rejected default fails every call that omits the parameter, whatever other values are allowed.
 */
function fitOfListed(
  { parameters }: ToolModel,
  { parameter, refused }: SentParameter,
  facts: StatedFacts,
): Unfit["fit"] {
  const filledIn = defaultOf(parameters, parameter);
  const { values } = itemFacts(facts) ?? {};
  const isNone = values?.every((each) => each === null || refused.includes(String(each)));
  const isDefault = refused.some((each) => each === filledIn);
  return isDefault || isNone === true ? "no" : "some";
}

/** No schema limits a caller's name, so only the statement can adapt. */
function withCast(found: Fit, { placeholder, type }: SentParameter): Fit {
  if (found.fit === "yes") return found;
  const name = `:${shown(placeholder)}`;
  const cast = `compare as text, \`…::text = ${name}\`, or, if every caller has such a name, cast it: \`(${name}::text)::${writtenType(type)}\``;
  return { ...found, help: cast };
}

function withHelp(found: Fit, help: string | undefined): Fit {
  return found.fit === "yes" || found.help !== undefined || help === undefined
    ? found
    : { ...found, help };
}

function reportFit(
  parameter: string,
  span: SentParameter["span"],
  found: Fit,
  report: Report,
): void {
  if (found.fit === "yes") return;
  const { fit, help, reason } = found;
  report.add({
    code: mismatchCodes.sql.value[fit],
    span,
    message: `\`${shown(parameter)}\` ${reason}`,
    ...(help !== undefined && { help }),
  });
}

function checkStored(
  tool: ToolModel,
  { column, digits, maxLength, notNull, parameter, span, type }: ColumnUseModel,
  parameters: readonly SentParameter[],
  report: Report,
): void {
  const isNull = howNull(tool, parameter);
  if (notNull && isNull !== undefined)
    report.add({
      code: "sql/null-not-stored",
      span,
      message: `\`${shown(parameter)}\` ${isNull}, but \`${shown(column)}\` rejects NULL`,
      help: `make it required${isNull === "may be null" ? " and not null" : ""}, or write \`coalesce(:${shown(parameter)}, …)\``,
    });
  const own = placeOfSource(tool, parameter);
  const sent = parameters.find((each) => each.parameter === parameter);
  // An unsuitable type was reported already.
  if (sent === undefined || fits(own, sent.type).fit !== "yes") return;
  if (digits !== undefined) reportFit(parameter, span, fits(own, type, { digits }), report);
  if (maxLength === undefined) return;
  const long = fits(own, type, { maxLength });
  reportFit(
    parameter,
    span,
    rootPath(parameter) === undefined ? long : shortened(long, sent, maxLength),
    report,
  );
}

/** Nothing limits a caller's name, so the help proposes to cut it off. */
function shortened(found: Fit, { placeholder }: SentParameter, maxLength: number): Fit {
  if (found.fit === "yes") return found;
  return {
    ...found,
    help: `widen the column, or write \`left(:${shown(placeholder)}, ${maxLength})\``,
  };
}

/**
 * A text longer than the column never equals a value in it. That is reported only if the schema
 * explicitly allows such texts.
 */
function checkCompared(
  tool: ToolModel,
  { column, maxLength, parameter, span }: ColumnUseModel,
  report: Report,
): void {
  // Nobody declares a limit for a caller's name.
  if (rootPath(parameter) !== undefined) return;
  const { maxLength: most } = factsOfSource(tool, parameter);
  if (maxLength === undefined || most === undefined || most <= maxLength) return;
  const reason = `may have ${most} characters, and \`${shown(column)}\` holds ${maxLength}: a longer value is never found`;
  const help = `write \`maxLength: ${maxLength}\``;
  reportFit(parameter, span, { fit: "unsure", reason, help }, report);
}

function reportNeverTrue(
  tool: ToolModel,
  { parameter, placeholder, span }: NeverTrue,
  parameters: readonly SentParameter[],
  report: Report,
): void {
  const type = parameters.find((each) => each.placeholder === placeholder)?.type;
  const isNull = howNull(tool, parameter) ?? "may be null";
  const never =
    isNull === "may be absent"
      ? "make the parameter required"
      : "give the parameter a type without null";
  report.add({
    code: "sql/never-true",
    span,
    message: `\`${shown(parameter)}\` ${isNull}, which makes this condition never true`,
    help: `write \`(:${shown(placeholder)}::${type === undefined ? "text" : writtenType(type)} IS NULL OR …)\`, or ${never}`,
  });
}

/** Why a call may give no value; undefined if every call gives one. */
function howNull(tool: ToolModel, parameter: string): "may be absent" | "may be null" | undefined {
  const { model, path } = placeOfSource(tool, parameter);
  const { presence, types } = lookUp(model, path);
  if (presence === "sometimes") return "may be absent";
  return types.includes("null") ? "may be null" : undefined;
}

/**
 * Help for a parameter whose type differs from the one that the statement expects; undefined if the
 * type is not the problem.
 */
function helpForType(
  facts: StatedFacts,
  type: SqlType,
  compared: ComparedPlaceholder | undefined,
): string | undefined {
  const wanted = wantedType(type);
  const types = facts.types.filter((each) => each !== "null");
  if (types.every((each) => each === wanted)) return undefined;
  if (compared !== undefined && types.length === 1 && types[0] === "array")
    return `to compare with each item of a list, write \`${compared.each} (:${compared.placeholder})\``;
  return `make it \`type: ${wanted}\``;
}

function wantedType(type: SqlType): JsonType {
  if (type.kind === "array") return "array";
  if (type.kind === "enum") return "string";
  if (["int2", "int4", "int8", "oid"].includes(type.name)) return "integer";
  const { typeScript } = type.traits;
  if (typeScript === "boolean") return "boolean";
  return typeScript === "number" || type.name === "numeric" ? "number" : "string";
}

/** Reports expressions that PostgreSQL accepts but the author hardly means. */
export function checkSuspicious(tool: ToolModel, statement: StatementModel, report: Report): void {
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
      message: `\`:${shown(placeholder)}\` is one value for all rows, so it doesn't sort them`,
      help: `a placeholder is never the name of a column: write \`CASE :${shown(placeholder)} WHEN 'name' THEN name … END\``,
    });
}

/** Reports limits that may be negative. PostgreSQL rejects them at run time. */
function checkLimits(
  tool: ToolModel,
  { limitedBy = [], parameters }: StatementModel,
  report: Report,
): void {
  for (const { placeholder, span } of limitedBy) {
    const parameter = parameters.find((each) => each.placeholder === placeholder)?.parameter;
    const facts = parameter === undefined ? undefined : factsOfSource(tool, parameter);
    if (parameter === undefined || facts === undefined || !mayBeNegative(facts)) continue;
    report.add({
      code: "sql/negative-limit",
      span,
      message: `\`${shown(parameter)}\` may be negative, but LIMIT and OFFSET reject negative numbers`,
      help: "write `minimum: 0`",
    });
  }
}

function mayBeNegative({ minimum, types, values }: StatedFacts): boolean {
  // Other types are reported by another check.
  const isInteger = types.includes("integer") && !types.includes("number");
  if (!isInteger || (minimum !== undefined && minimum >= 0)) return false;
  return values === undefined || values.some((value) => typeof value === "number" && value < 0);
}
