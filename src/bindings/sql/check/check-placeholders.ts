/**
 * Placeholders, held against the tool's parameters and `parameter_mapping`, those in quotes too.
 */
import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ParameterReference, ToolModel } from "../../../core/skill-model.js";
import type { TextRange } from "../../../core/span.js";
import { didYouMean } from "../../../schema/suggestion.js";
import { factsOfCaller } from "../../../kit/caller-root.js";
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
 * Every placeholder stands for a parameter, every parameter reaches the query, and the mapping
 * names what is there.
 */
export function checkPlaceholders(
  tool: ToolModel,
  config: SqlConfig,
  { names, references }: QueryPlaceholders,
  report: Report,
): void {
  // The connection can't be meant for a parameter: it names a database.
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
      declared: (name) =>
        `to declare it, write \`${shown(name)}:\` among the tool's parameters: without a type it has PostgreSQL's${orCaller(name)}`,
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

/** What else a placeholder of that name may be. */
function orCaller(name: string): string {
  return factsOfCaller([name]) === undefined
    ? ""
    : `; of the caller, write \`parameter_mapping: { ${name}: "{caller.${name}}" }\``;
}

/** A parameter by whose name a value of the caller goes. */
function whyCaller({ mapping }: SqlConfig, name: string): WhyIdle | undefined {
  const bound = mapping.find(
    ({ parameter, placeholder }) => placeholder === name && rootPath(parameter) !== undefined,
  );
  return (
    bound && {
      reason: `\`:${shown(name)}\` is \`${shown(bound.parameter)}\`, which is never taken from arguments`,
      help: "remove the parameter: a model neither sees nor gives what the caller says",
    }
  );
}

/**
 * A statement that changes every row, and a parameter that may have been meant to choose some of
 * them.
 */
function whyWithoutCondition({ allRows, statement }: SqlConfig, name: string): WhyIdle | undefined {
  const whole = statement?.unrestrictedWrites.find(({ why }) => why === "unconditional");
  if (whole === undefined || allRows?.value === true) return undefined;
  const { table, verb } = whole;
  if (verb !== "UPDATE" && verb !== "DELETE") return undefined;
  return {
    reason: `\`${verb}\` has no condition, and means every row of ${quote(table)}`,
    help: `say which rows: \`WHERE … = :${shown(name)}\``,
  };
}

/**
 * `'%:name%'`: in quotes a placeholder is text. One that stands nowhere else leaves a parameter
 * without use, which is an error by itself.
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
      message: `\`:${shown(name)}\` is text here, and not the parameter of that name`,
      help: helpFor({ at, name, ...quoted }),
    });
  }
}

/** Of a parameter whose placeholder stands in quotes alone. */
function whyQuoted(config: SqlConfig, parameter: string): WhyIdle | undefined {
  const mapped = config.mapping.find((each) => each.parameter === parameter);
  const name = mapped?.placeholder ?? parameter;
  const quoted = quotedPlaceholders(config).find((each) => each.name === name);
  return (
    quoted && {
      reason: `\`:${shown(name)}\` stands in quotes, where it is text`,
      help: helpFor(quoted),
    }
  );
}

interface QuotedPlaceholder {
  /** Without the colon. */
  readonly name: string;
  readonly at: TextRange;
  /** Nothing else stands in the quotes. */
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
    ? `leave the quotes out: \`${written}\``
    : `close the quotes around it: \`'%' || ${written} || '%'\``;
}
