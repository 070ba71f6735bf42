/**
 * Checks `rollback` of one tool against the tool that it names. `read-arguments.ts` reads the
 * parameters that an author wrote; `fill-arguments.ts` finds them by their names.
 */
import type { UnratedDiagnostic } from "../../core/diagnostic.js";
import { listed, quote } from "../../core/names.js";
import type { CompensateModel, LinkedArgument, RollbackModel } from "../../core/rollback-model.js";
import type { Span } from "../../core/span.js";
import { type UnlinkedTool, unknownTool } from "../../kit/project-tools.js";
import { lookUp, propertyNames } from "../../schema/look-up.js";
import type { Compensated } from "./call-values.js";
import { fillArguments } from "./fill-arguments.js";
import { readArguments } from "./read-arguments.js";

/** Links a compensation. Undefined for other rollbacks, and after mistakes. */
export function linkRollback(own: Compensated): RollbackModel | undefined {
  const { report, tool, tools } = own;
  const { binding, rollback } = tool;
  if (rollback === undefined) return undefined;
  if (binding.effect === "read") report.add(nothingToUndo(rollback.span));
  if (rollback.strategy !== "compensate") return undefined;
  const { span, tool: name } = rollback;
  const other = tools.findUnlinked(name);
  if (other === undefined) {
    report.add({ code: "tool/unknown-rollback", span, help: example, ...unknownTool(name, tools) });
    return undefined;
  }
  const mistakes = report.errorCount();
  if (other.tool.binding.effect === "read") report.add(onlyReads(other, span));
  const parameters = parametersOf(rollback, other, own);
  if (report.errorCount() > mistakes) return undefined;
  return {
    ...rollback,
    linked: {
      toolId: other.id,
      ...(other.id !== own.id && { module: other.module }),
      functionName: other.functionName,
      ...(parameters && { parameters }),
    },
  };
}

/** The other tool's parameters; undefined if one that it requires has no value. */
function parametersOf(
  { parameters, span }: CompensateModel,
  other: UnlinkedTool,
  own: Compensated,
): readonly LinkedArgument[] | undefined {
  const { report } = own;
  const found = parameters
    ? readArguments(parameters, other, own)
    : fillArguments(other, own, span);
  const given = new Set(
    parameters ? parameters.entries.map(({ key }) => key.value) : found.map(({ name }) => name),
  );
  const missing = propertyNames(other.tool.parameters, [], "input").filter(
    (name) =>
      !given.has(name) && lookUp(other.tool.parameters, [name], "input").presence === "always",
  );
  if (missing.length === 0) return found;
  report.add(parameters ? incomplete(missing, other, span) : unfilled(missing, other, span));
  return undefined;
}

function incomplete(
  missing: readonly string[],
  { id }: UnlinkedTool,
  span: Span,
): UnratedDiagnostic {
  return {
    code: "rollback/missing-parameter",
    span,
    message: `${quote(id)} requires ${listed(missing.map(quote))}, and \`parameters\` gives ${missing.length === 1 ? "it" : "them"} no value`,
    help: `add \`${missing[0]}: "{result.FIELD}"\`, a parameter of the call, or a fixed value`,
  };
}

function unfilled(missing: readonly string[], { id }: UnlinkedTool, span: Span): UnratedDiagnostic {
  const names = listed(missing.map(quote));
  return {
    code: "rollback/unfilled",
    span,
    message: `calls can't be rolled back: ${quote(id)} requires ${names}, and no parameter or field of the result has the same name and a type that fits`,
    help: `write \`rollback: { strategy: compensate, tool: ${id}, parameters: { ${missing[0]}: "{result.FIELD}" } }\``,
  };
}

function nothingToUndo(span: Span): UnratedDiagnostic {
  return {
    code: "tool/needless-rollback",
    span,
    message: "this tool only reads, but `rollback` says how its calls are undone",
    help: "remove `rollback`; if a call changes something, write `effect: write` in its binding",
  };
}

function onlyReads({ id, tool }: UnlinkedTool, span: Span): UnratedDiagnostic {
  return {
    code: "rollback/only-reads",
    span,
    message: `${quote(id)} only reads, so it undoes nothing`,
    help: "name a tool that undoes a call",
    related: [{ span: tool.binding.effectSpan ?? tool.span, message: "the tool" }],
  };
}

const example =
  "name the tool that undoes a call: `rollback: cancel-order`, or `rollback: orders/cancel-order` for one of another skill";
