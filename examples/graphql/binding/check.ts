import {
  checkCoverage,
  factsOf,
  loneParameter,
  type Report,
  shown,
  type ToolModel,
  typeWords,
} from "skillc/binding";
import { checkValue } from "./check-value.js";
import type { GraphqlConfig, ValueModel, VariableModel } from "./model.js";

/** Checks the rules of GraphQL bindings that need the whole tool. */
export function checkGraphql(tool: ToolModel, config: GraphqlConfig, report: Report): void {
  const { references } = tool.binding;
  const coverage = { kind: "graphql", references, whole: config.whole, sendsRest: false };
  checkCoverage(tool, coverage, report);
  for (const { value } of config.headers) checkText(tool, value, report);
  for (const variable of config.variables) {
    if (variable.value === undefined) checkAbsence(variable, report);
    else {
      checkText(tool, variable.value, report);
      checkValue(tool, variable, variable.value, report);
    }
  }
}

function checkAbsence(
  { name, declaration, span, hasDefault }: VariableModel,
  report: Report,
): void {
  if (hasDefault) return;
  report.add({
    code: "graphql/variable-without-value",
    span,
    message: `nothing gives \`${declaration}\` a value`,
    help: `name a parameter \`${name}\`, or add \`${name}\` to \`variables\``,
  });
}

/** Requires that a parameter inside other text is always present, and a scalar. */
function checkText(tool: ToolModel, value: ValueModel, report: Report): void {
  if (value.kind === "literal" || loneParameter(value.template) !== undefined) return;
  for (const part of value.template.parts) {
    const facts = part.kind === "parameter" ? factsOf(tool, part) : undefined;
    if (part.kind !== "parameter" || facts === undefined) continue;
    const odd = facts.types.filter((type) => ["array", "object", "null"].includes(type));
    if (facts.presence === "always" && odd.length === 0) continue;
    const doubt = facts.presence === "always" ? `may be ${typeWords(odd)}` : "is optional";
    report.add({
      code: "graphql/not-text",
      span: part.span,
      message: `\`${shown(part.path.join("."))}\` ${doubt}, and inside text there is always text, a number or a boolean`,
      help: "let it stand alone, or make it a required scalar",
    });
  }
}
