import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { ToolModel } from "../../core/skill-model.js";
import { propertyNames } from "../../schema/look-up.js";
import { didYouMeanOrListed } from "../../schema/suggestion.js";

/** Checks that `param_aliases` names only parameters of the tool. */
export function checkParamAliases(
  { name, paramAliases = [], parameters }: ToolModel,
  report: Report,
): void {
  if (paramAliases.length === 0) return;
  const names = propertyNames(parameters, []);
  const known = new Set(names);
  for (const { parameter, span } of paramAliases) {
    if (known.has(parameter)) continue;
    report.add({
      code: "tool/unknown-aliased",
      span,
      message: `${quote(parameter)} has other names, but is not a parameter of ${quote(name)}`,
      help:
        didYouMeanOrListed(parameter, names, "the parameters are") ??
        "remove it: the tool has no parameters",
    });
  }
}
