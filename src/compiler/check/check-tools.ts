import type { KindRegistry } from "../../bindings/registry.js";
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SkillModel, ToolModel } from "../../core/skill-model.js";
import { uncompilableFinding } from "../../schema/ajv-instance.js";
import { checkPropertyNames } from "./check-property-names.js";

/** What each tool owes a model, and the rules of its binding kind. */
export function checkTools(skill: SkillModel, kinds: KindRegistry, report: Report): void {
  for (const tool of skill.tools) {
    const within = report.within({ tool: tool.name });
    checkDescription(tool, within);
    checkPropertyNames(tool, within);
    const kind = kinds.find(tool.binding.type);
    if (kind === undefined) throw new Error(`no binding kind \`${tool.binding.type}\``);
    try {
      kind.check(tool, tool.binding.config, within);
    } catch (fault) {
      within.add(uncompilableFinding(fault, tool.span));
    }
  }
}

function checkDescription(tool: ToolModel, report: Report): void {
  if (tool.description.trim() !== "") return;
  report.add({
    code: "tool/no-description",
    span: tool.span,
    message: `the tool ${quote(tool.name)} has no description`,
    help: "say in `description` what it does and when to use it: a model chooses by nothing else",
  });
}
