import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { ParameterReference, ToolModel } from "../../../core/skill-model.js";
import { didYouMean } from "../../../schema/suggestion.js";
import { checkCoverage } from "../../coverage.js";
import type { SqlConfig } from "../model.js";

/** The placeholders of a query. */
export interface QueryPlaceholders {
  readonly names: readonly string[];
  readonly references: readonly ParameterReference[];
}

/** Every placeholder stands for a parameter, every parameter reaches the query, and the mapping names what is there. */
export function checkPlaceholders(
  tool: ToolModel,
  { mapping }: SqlConfig,
  { names, references }: QueryPlaceholders,
  report: Report,
): void {
  // The connection can't be meant for a parameter: it names a database.
  const bound: ToolModel = { ...tool, binding: { ...tool.binding, credentials: [] } };
  const written = (name: string) => `:${name}`;
  checkCoverage(bound, { kind: "sql", references, whole: true, sendsRest: false, written }, report);
  for (const { placeholder, keySpan } of mapping) {
    if (names.includes(placeholder)) continue;
    report.add({
      code: "sql/unused-mapping",
      span: keySpan,
      message: `the query has no placeholder \`:${shown(placeholder)}\``,
      help: didYouMean(placeholder, names) ?? "remove it, or put the placeholder in the query",
    });
  }
}
