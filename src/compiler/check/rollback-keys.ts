import { listed, quote } from "../../core/names.js";
import type { LoweredSkill } from "../../core/lowered-skill.js";
import type { Report } from "../../core/report.js";
import { type ReadArgument, readsIn } from "../../core/rollback-model.js";
import type { ToolModel } from "../../core/skill-model.js";
import { hasMaskedPart } from "../../schema/masked-paths.js";

/**
 * Reports compensations that need values which the ledger masks, in a project without a `key` that
 * could encrypt them. Such a call can't be rolled back.
 */
export function checkRollbackKeys(skills: readonly LoweredSkill[], report: Report): void {
  for (const { skill, tools } of skills)
    for (const { tool } of tools)
      checkTool(tool, report.within({ skill: skill.name, tool: tool.name }));
}

function checkTool(tool: ToolModel, report: Report): void {
  const { binding, rollback } = tool;
  if (rollback?.strategy !== "compensate" || binding.effect === "read") return;
  const masked = (rollback.linked?.parameters ?? []).filter(({ value }) =>
    readsIn(value).some((each) => isMasked(each, tool)),
  );
  const [first] = masked;
  if (first === undefined) return;
  const names = listed(masked.map(({ name }) => quote(name)));
  report.add({
    code: "rollback/no-key",
    span: first.value.span,
    message: `a rollback needs ${names} of ${quote(rollback.tool)}, but the ledger masks the ${masked.length === 1 ? "value" : "values"}, and the project has no \`key\` to encrypt ${masked.length === 1 ? "it" : "them"}`,
    help: "write `key: ${NAME}` in skillc.yaml, and give governance the same key in `createRuntime`",
  });
}

function isMasked({ from, steps }: ReadArgument, { parameters, returns }: ToolModel): boolean {
  const model = from === "params" ? parameters : returns;
  const at = steps.map(({ step }) => (typeof step === "object" ? 0 : step));
  return model !== undefined && hasMaskedPart(model, at);
}
