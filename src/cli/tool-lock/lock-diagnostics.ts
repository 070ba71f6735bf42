import type { SkillPlan } from "../../core/emit-plan.js";
import type { Diagnostic, UnratedDiagnostic } from "../../core/diagnostic.js";
import { quote } from "../../core/names.js";
import { createReport } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import type { Span } from "../../core/span.js";
import { cliDiagnosticEntries } from "../cli-diagnostics.js";
import { compareLock, type LockChange, toolsToLock } from "./compare-lock.js";
import { readLockFile } from "./lock-file.js";
import { lockFileName, type PlacedTool, readLock } from "./lock-text.js";

/** What is found of the lock, and its text, into which diagnostics point. */
export interface CheckedLock {
  readonly diagnostics: readonly Diagnostic[];
  readonly file?: SourceFile;
}

/**
 * Holds tools against skillc.lock. Nothing is found where there is none.
 *
 * @param plans of skills without errors
 */
export function checkLock(root: string, plans: readonly SkillPlan[]): CheckedLock {
  const report = createReport(cliDiagnosticEntries);
  const found = readLockFile(root);
  if (found.kind === "none") return { diagnostics: [] };
  const nowhere = { file: lockFileName, start: 0, end: 0 };
  if (found.kind === "taken") {
    report.add({ code: "lock/unreadable", span: nowhere, message: found.problem, help: relock });
    return { diagnostics: report.diagnostics() };
  }
  const { text } = found;
  const file = { path: lockFileName, text };
  const lock = readLock(text);
  if (lock.kind === "unreadable") {
    const { at, message } = lock.problem;
    const span = { file: lockFileName, ...at };
    report.add({ code: "lock/unreadable", span, message, help: relock });
    return { diagnostics: report.diagnostics(), file };
  }
  for (const change of compareLock(lock.tools, toolsToLock(plans))) {
    const [skill = "", tool = ""] = namesOf(change.id, plans);
    report.within({ skill, tool }).add(diagnosticOf(change, lock.tools, plans));
  }
  return { diagnostics: report.diagnostics(), file };
}

const relock = "run `skillc lock`, which writes it anew, and look at what it says has changed";

/** A tool that is gone is known by its id alone. */
function namesOf(id: string, plans: readonly SkillPlan[]): readonly string[] {
  const plan = plans.find(({ tools }) => tools.some((each) => each.id === id));
  const found = plan?.tools.find((each) => each.id === id);
  return plan && found ? [plan.skill.name, found.tool.name] : id.split("/");
}

function diagnosticOf(
  { change, id, locked, version }: LockChange,
  lines: readonly PlacedTool[],
  plans: readonly SkillPlan[],
): UnratedDiagnostic {
  const line = lines.find((each) => each.id === id);
  const inLock: Span | undefined = line && { file: lockFileName, ...line.at };
  const tool = plans.flatMap(({ tools }) => tools).find((each) => each.id === id)?.tool;
  const span = tool?.span ?? inLock ?? { file: lockFileName, start: 0, end: 0 };
  const related =
    inLock && tool ? { related: [{ span: inLock, message: "as it was locked" }] } : {};
  const name = quote(id);
  switch (change) {
    case "changed":
      return {
        code: "lock/tool-changed",
        span,
        ...related,
        message:
          version === null
            ? `${name} is not what was locked, and has no \`version:\` that would say so`
            : `${name} is not what was locked as version ${quote(version)}`,
        help:
          version === null
            ? "run `skillc lock` if the change is meant, and give it a `version:`; `skillc compare` says what has changed"
            : "raise its `version:`, then run `skillc lock`; `skillc compare` says by how much",
      };
    case "lowered":
      return {
        code: "lock/tool-changed",
        span,
        ...related,
        message: `${name} has version ${quote(version ?? "")}, which is lower than the locked ${quote(locked ?? "")}`,
        help: "raise its `version:`, then run `skillc lock`",
      };
    case "raised":
      return {
        code: "lock/out-of-date",
        span,
        ...related,
        message: `${name} has another version than the one that is locked`,
        help: "run `skillc lock`",
      };
    case "added":
      return {
        code: "lock/out-of-date",
        span,
        message: `${name} is not in \`${lockFileName}\``,
        help: "run `skillc lock`",
      };
    case "removed":
      return {
        code: "lock/out-of-date",
        span,
        message: `${name} is locked, and there is no such tool`,
        help: "run `skillc lock` if it is meant to be gone",
      };
  }
}
