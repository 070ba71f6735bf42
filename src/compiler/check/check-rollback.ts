/** The rules of `rollback` that need no other tool. `src/compiler/link` has the others. */
import { quote } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { BackupModel } from "../../core/rollback-model.js";
import type { ToolModel } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";
import type { BindingKind } from "../../kit/binding.js";
import { readBackupPaths } from "../../kit/file-changes.js";

/**
 * Checks that a write says how it is undone, and that its kind can undo a call so.
 *
 * @param isRequired true if skillc.yaml says `rollback: required`
 */
export function checkRollback(
  tool: ToolModel,
  kind: BindingKind,
  { isRequired, report }: { readonly isRequired: boolean; readonly report: Report },
): void {
  const { binding, rollback } = tool;
  if (binding.effect === "read") return;
  if (rollback === undefined) return checkMissing(tool, kind, isRequired, report);
  if (rollback.strategy === "effects") checkEffects(rollback.span, tool, kind, report);
  if (rollback.strategy === "backup") checkBackup(rollback, tool, kind, report);
}

/** A plan is undone call by call, so it needs no rollback of its own. */
function checkMissing(
  { name, riskLevel, span }: ToolModel,
  { fileChanges, link }: BindingKind,
  isRequired: boolean,
  report: Report,
): void {
  const changesFiles = fileChanges?.namesFiles === false;
  const isRisky = riskLevel === "high" || riskLevel === "critical";
  if (link !== undefined || !(changesFiles || isRisky)) return;
  report.add({
    code: changesFiles || isRequired ? "rollback/missing" : "rollback/advised",
    span,
    message: `${quote(name)} writes, and nothing says how a call is undone`,
    help: changesFiles
      ? "write `rollback: { strategy: effects }` for a command in the sandbox, `{ strategy: backup, paths: [PATH] }`, or `{ strategy: none, reason: … }`; if it changes nothing, write `effect: read` in the binding"
      : "name the tool that undoes a call, `rollback: TOOL`, or write `rollback: { strategy: none, reason: … }`",
  });
}

function checkEffects(
  span: Span,
  { binding: { config } }: ToolModel,
  { fileChanges, title }: BindingKind,
  report: Report,
): void {
  if (fileChanges?.namesFiles === false) {
    const why = fileChanges.noLayer(config);
    if (why) report.add({ code: "rollback/no-layer", span, ...why });
    return;
  }
  report.add({
    code: "rollback/no-layer",
    span,
    message: `a binding of this type (${title}) runs no command, so there is no layer with its changes`,
    help: fileChanges
      ? "remove `rollback`: the runtime copies each file before the tool changes it"
      : otherWays,
  });
}

function checkBackup(
  rollback: BackupModel,
  tool: ToolModel,
  { fileChanges, title }: BindingKind,
  report: Report,
): void {
  const { paths, span } = rollback;
  const [first] = paths;
  if (fileChanges === undefined) {
    report.add({
      code: "rollback/no-backup",
      span,
      message: `a binding of this type (${title}) changes no files here, so there is nothing to copy`,
      help: otherWays,
    });
    return;
  }
  if (fileChanges.namesFiles) {
    if (first !== undefined)
      report.add({
        code: "rollback/needless-paths",
        span: first.span,
        message: `a binding of this type (${title}) names its files itself`,
        help: "remove `paths`",
      });
    return;
  }
  if (first === undefined) {
    report.add({
      code: "rollback/no-paths",
      span,
      message: `${quote(tool.name)} names no files to copy, so nobody could undo a call`,
      help: "write `paths: [PATH]`, or `{ strategy: effects }` for a command in the sandbox",
    });
    return;
  }
  fileChanges.checkPaths(tool, tool.binding.config, readBackupPaths(rollback, report), report);
}

const otherWays =
  "name a tool that undoes a call, `rollback: { strategy: compensate, tool: TOOL }`, or say that nothing does: `rollback: { strategy: none, reason: … }`";
