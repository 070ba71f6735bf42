import type { Report } from "../../../core/report.js";
import type { ToolModel } from "../../../core/skill-model.js";
import { propertyNames } from "../../../schema/look-up.js";
import { callerRoot } from "../../../kit/caller-root.js";
import { checkCoverage } from "../../../kit/coverage.js";
import { placeOfParameter } from "../../../kit/unused-parameters.js";
import { quote } from "../../../core/names.js";
import { isReservedName } from "../../../kit/sources/source-path.js";

/**
 * Checks the parameters of a plan: their names, and that a source uses each of them.
 *
 * @param isShown true if a planner sees all parameters, and so uses them
 */
export function checkParameters(tool: ToolModel, isShown: boolean, report: Report): void {
  for (const name of propertyNames(tool.parameters, [])) {
    if (!isReservedName(name) || name === callerRoot.name) continue;
    report.add({
      code: "plan/reserved-name",
      span: placeOfParameter(tool.parameters, name),
      message: `no source can name the parameter ${quote(name)}: such a path means something else in a plan`,
      help: "rename the parameter",
    });
  }
  checkCoverage(
    tool,
    {
      kind: "plan",
      references: tool.binding.references,
      whole: !isShown,
      sendsRest: false,
      roots: [callerRoot],
      written: (name) => `source: ${name}`,
      declared: (name) =>
        `for fixed text, write \`{ source_type: literal, default_value: ${name} }\``,
    },
    report,
  );
}
