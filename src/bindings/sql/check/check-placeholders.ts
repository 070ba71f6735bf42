/**
 * Compares placeholders, including those in quotes, with the tool's parameters and
 * `parameter_mapping`.
 */
import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ParameterReference, ToolModel } from "../../../core/skill-model.js";
import type { TextRange } from "../../../core/span.js";
import { didYouMean } from "../../../schema/suggestion.js";
import { callerAsText, callerFieldIn, factsOfCaller } from "../../../kit/caller-root.js";
import { checkCoverage } from "../../../kit/coverage.js";
import type { WhyIdle } from "../../../kit/unused-parameters.js";
import { type SqlConfig, within } from "../model.js";
import { rootPath } from "../sources.js";
import { readTokens } from "../statement/lexer.js";

/** The placeholders of a query. */
interface QueryPlaceholders {
  readonly names: readonly string[];
  readonly references: readonly ParameterReference[];
}

/**
 * Checks that every placeholder has a parameter, that the query uses every parameter, and that the
 * mapping contains only existing names.
 */
export function checkPlaceholders(
  tool: ToolModel,
  config: SqlConfig,
  { names, references }: QueryPlaceholders,
  report: Report,
): void {
  // The connection names a database, so a parameter can't be meant by it.
  const bound: ToolModel = { ...tool, binding: { ...tool.binding, credentials: [] } };
  const whyIdle = (name: string) =>
    whyCaller(config, name) ?? whyQuoted(config, name) ?? whyWithoutCondition(config, name);
  checkCoverage(
    bound,
    {
      kind: "sql",
      references,
      whole: true,
      sendsRest: false,
      written: (name) => `:${name}`,
      declared: helpForMissing,
      whyIdle,
    },
    report,
  );
  for (const { placeholder, keySpan } of config.mapping) {
    if (names.includes(placeholder)) continue;
    report.add({
      code: "sql/unused-mapping",
      span: keySpan,
      message: `the query has no placeholder \`:${shown(placeholder)}\``,
      help: didYouMean(placeholder, names) ?? "remove it, or put the placeholder in the query",
    });
  }
}

/** Suggests a declaration, or the field of the caller that was meant. */
function helpForMissing(name: string): string {
  const field = callerFieldIn(name);
  return field === undefined
    ? `to declare it, write \`${shown(name)}:\` among the tool's parameters: without a type it gets PostgreSQL's${orCaller(name)}`
    : callerAsText(name, field).help;
}

/** Suggests a caller field of the same name. */
function orCaller(name: string): string {
  return factsOfCaller([name]) === undefined
    ? ""
    : `; for the field of the caller, write \`parameter_mapping: { ${name}: "{caller.${name}}" }\``;
}

/** Explains a parameter whose placeholder takes a value of the caller. */
function whyCaller({ mapping }: SqlConfig, name: string): WhyIdle | undefined {
  const bound = mapping.find(
    ({ parameter, placeholder }) => placeholder === name && rootPath(parameter) !== undefined,
  );
  return (
    bound && {
      reason: `\`:${shown(name)}\` is \`${shown(bound.parameter)}\`, which is never taken from arguments`,
      help: "remove the parameter: a model neither sees nor sets fields of the caller",
    }
  );
}

/**
 * Explains an unused parameter by a statement that changes every row: the parameter may have been
 * meant for a condition.
 */
function whyWithoutCondition({ allRows, statement }: SqlConfig, name: string): WhyIdle | undefined {
  const whole = statement?.unrestrictedWrites.find(({ why }) => why === "unconditional");
  if (whole === undefined || allRows?.value === true) return undefined;
  const { table, verb } = whole;
  if (verb !== "UPDATE" && verb !== "DELETE") return undefined;
  return {
    reason: `\`${verb}\` has no condition, so it applies to every row of ${quote(table)}`,
    help: `choose the rows: \`WHERE … = :${shown(name)}\``,
  };
}

/**
 * Reports placeholders in quotes, `'%:name%'`, where they are text. If the parameter has no other
 * placeholder, the check of unused parameters reports it instead.
 */
export function checkQuotedPlaceholders(
  config: SqlConfig,
  names: readonly string[],
  report: Report,
): void {
  for (const { at, name, ...quoted } of quotedPlaceholders(config)) {
    if (!names.includes(name)) continue;
    report.add({
      code: "sql/literal-parameter",
      span: within(config, at),
      message: `\`:${shown(name)}\` is text here, not the parameter with that name`,
      help: helpFor({ at, name, ...quoted }),
    });
  }
}

/** Explains a parameter whose only placeholder is in quotes. */
function whyQuoted(config: SqlConfig, parameter: string): WhyIdle | undefined {
  const mapped = config.mapping.find((each) => each.parameter === parameter);
  const name = mapped?.placeholder ?? parameter;
  const quoted = quotedPlaceholders(config).find((each) => each.name === name);
  return (
    quoted && {
      reason: `\`:${shown(name)}\` is in quotes, where it is text`,
      help: helpFor(quoted),
    }
  );
}

interface QuotedPlaceholder {
  /** Name without the colon. */
  readonly name: string;
  readonly at: TextRange;
  /** True if the quotes contain nothing else. */
  readonly alone: boolean;
}

function quotedPlaceholders({ query }: SqlConfig): readonly QuotedPlaceholder[] {
  const constants = (readTokens(query.value) ?? []).filter(({ kind }) => kind === "constant");
  return constants.flatMap(({ start, text }) =>
    [...text.matchAll(/(?<![:\w]):[A-Za-z_]\w*/g)].map(({ 0: written, index }) => ({
      name: written.slice(1),
      at: { start: start + index, end: start + index + written.length },
      alone: text === `'${written}'`,
    })),
  );
}

function helpFor({ alone, name }: QuotedPlaceholder): string {
  const written = `:${shown(name)}`;
  return alone
    ? `remove the quotes: \`${written}\``
    : `close the quotes around it: \`'%' || ${written} || '%'\``;
}
