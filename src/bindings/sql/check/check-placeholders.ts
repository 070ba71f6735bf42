import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ParameterReference, ToolModel } from "../../../core/skill-model.js";
import { didYouMean } from "../../../schema/suggestion.js";
import { checkCoverage } from "../../coverage.js";
import type { WhyIdle } from "../../unused-parameters.js";
import type { SqlConfig } from "../model.js";
import { whyQuoted } from "./check-quoted-placeholders.js";

/** The placeholders of a query. */
export interface QueryPlaceholders {
  readonly names: readonly string[];
  readonly references: readonly ParameterReference[];
}

/** Every placeholder stands for a parameter, every parameter reaches the query, and the mapping names what is there. */
export function checkPlaceholders(
  tool: ToolModel,
  config: SqlConfig,
  { names, references }: QueryPlaceholders,
  report: Report,
): void {
  // The connection can't be meant for a parameter: it names a database.
  const bound: ToolModel = { ...tool, binding: { ...tool.binding, credentials: [] } };
  const whyIdle = (name: string) => whyQuoted(config, name) ?? whyWithoutCondition(config, name);
  checkCoverage(
    bound,
    {
      kind: "sql",
      references,
      whole: true,
      sendsRest: false,
      written: (name) => `:${name}`,
      declared: (name) =>
        `to declare it, write \`${shown(name)}:\` among the tool's parameters: without a type it has PostgreSQL's`,
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

/** A statement that changes every row, and a parameter that may have been meant to choose some of them. */
function whyWithoutCondition({ allRows, statement }: SqlConfig, name: string): WhyIdle | undefined {
  const whole = statement?.wholeTables.find(({ why }) => why === "unconditional");
  if (whole === undefined || allRows?.value === true) return undefined;
  const { table, verb } = whole;
  if (verb !== "UPDATE" && verb !== "DELETE") return undefined;
  return {
    reason: `\`${verb}\` has no condition, and means every row of ${quote(table)}`,
    help: `say which rows: \`WHERE … = :${shown(name)}\``,
  };
}
