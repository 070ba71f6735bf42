import { quote } from "../../core/names.js";
import { type LoweredObligation, typedObligations } from "../../core/lowered-obligation.js";
import type { Report } from "../../core/report.js";
import type { SkillModel, ToolModel } from "../../core/skill-model.js";

/** Maximum number of obligations. TypeScript ends the recursion of `Obliged` after 1000. */
const maxObligations = 500;

/**
 * Reports tools with more obligations than the type of their result can express.
 *
 * @param loweredOf returns the obligations of a tool, as the `lower` stage computes them
 */
export function checkObligationCount(
  { name: skill, tools }: SkillModel,
  loweredOf: (tool: ToolModel) => readonly LoweredObligation[],
  report: Report,
): void {
  for (const tool of tools) {
    const typed = typedObligations(loweredOf(tool));
    if (typed.length <= maxObligations) continue;
    report.within({ skill, tool: tool.name }).add({
      code: "governance/too-many-obligations",
      span: tool.span,
      message: `${typed.length} \`obligations\` of skillc.yaml change the answer of ${quote(`${skill}/${tool.name}`)}; at most ${maxObligations} may`,
      help: "cover several places with one obligation (`at: /customer`, `at: /lines/*/note`), or apply fewer of them to this tool",
    });
  }
}
