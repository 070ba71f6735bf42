import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import type { Report } from "../../core/report.js";
import type { ToolModel } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";
import { type ProjectTools, unknownTool } from "../../kit/project-tools.js";

/** Checks that the tool that undoes a call exists in the project. */
export function checkRollback(
  { binding, rollback }: ToolModel,
  tools: ProjectTools,
  report: Report,
): void {
  if (rollback === undefined) return;
  const { span, tool: name } = rollback;
  if (binding.effect === "read") report.add(nothingToUndo(span));
  if (name !== undefined && tools.names.includes(name)) return;
  const problem =
    name === undefined ? { message: "`rollback` names no tool" } : unknownTool(name, tools);
  report.add({ code: "tool/unknown-rollback", span, help: example, ...problem });
}

function nothingToUndo(span: Span): UnratedDiagnostic {
  return {
    code: "tool/needless-rollback",
    span,
    message: "this tool only reads, but `rollback` names a tool that undoes its calls",
    help: "remove `rollback`; if a call changes something, write `effect: write` in its binding",
  };
}

const example =
  "name the tool that undoes a call: `rollback: cancel-order`, or `rollback: orders/cancel-order` for one of another skill";
