import type { LoweredSkill } from "../../core/lowered-skill.js";
import type { Diagnostic, UnratedDiagnostic } from "../../core/diagnostic.js";
import { quote } from "../../core/names.js";
import { createReport, type Report } from "../../core/report.js";
import type { SourceFile } from "../../core/source-file.js";
import type { ToolModel } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";
import { cliDiagnosticEntries } from "../cli-diagnostics.js";
import { compareLock, type LockChange, toolsToLock } from "./compare-lock.js";
import { readLockFile } from "./lock-file.js";
import { isReplaceable, lockFileName, type PlacedTool, readLock } from "./lock-text.js";

/** Diagnostics of the lock, and the file that they point into. */
export interface CheckedLock {
  readonly diagnostics: readonly Diagnostic[];
  readonly file?: SourceFile;
}

/**
 * Compares tools with skillc.lock. Returns nothing if there is no lock.
 *
 * @param lowered skills without errors
 */
export function checkLock(root: string, lowered: readonly LoweredSkill[]): CheckedLock {
  const report = createReport(cliDiagnosticEntries);
  const found = readLockFile(root);
  if (found.kind === "none") return { diagnostics: [] };
  const nowhere = { file: lockFileName, start: 0, end: 0 };
  if (found.kind === "taken") {
    report.add({ code: "lock/unreadable", span: nowhere, message: found.problem, help: moveAway });
    return { diagnostics: report.diagnostics() };
  }
  const { text } = found;
  const file = { path: lockFileName, text };
  const lock = readLock(text);
  if (lock.kind === "unreadable") {
    const { at, message } = lock.problem;
    const span = { file: lockFileName, ...at };
    const help = isReplaceable(text) ? relock : moveAway;
    report.add({ code: "lock/unreadable", span, message, help });
    return { diagnostics: report.diagnostics(), file };
  }
  reportChanges(compareLock(lock.tools, toolsToLock(lowered)), {
    lock: lock.tools,
    lowered,
    report,
  });
  return { diagnostics: report.diagnostics(), file };
}

interface Compared {
  readonly lock: readonly PlacedTool[];
  readonly lowered: readonly LoweredSkill[];
  readonly report: Report;
}

/** Maximum number of outdated tools to list, because one command fixes all. */
const maxOutOfDate = 20;

function reportChanges(changes: readonly LockChange[], { lock, lowered, report }: Compared): void {
  const lines = new Map(lock.map((each) => [each.id, each]));
  const toolsById = new Map(
    lowered.flatMap(({ skill, tools }) =>
      tools.map(({ id, tool }) => [id, { skill: skill.name, tool }] as const),
    ),
  );
  let outOfDate = 0;
  for (const change of changes) {
    const now = toolsById.get(change.id);
    // A removed tool is known only by its id.
    const [skill = "", name = ""] = now ? [now.skill, now.tool.name] : change.id.split("/");
    const diagnostic = diagnosticOf(change, lines.get(change.id), now?.tool);
    if (diagnostic.code === "lock/out-of-date") outOfDate += 1;
    if (diagnostic.code !== "lock/out-of-date" || outOfDate <= maxOutOfDate)
      report.within({ skill, tool: name }).add(diagnostic);
  }
  const more = outOfDate - maxOutOfDate;
  if (more > 0)
    report.add({
      code: "lock/out-of-date",
      span: { file: lockFileName, start: 0, end: 0 },
      message: `${more} more ${more === 1 ? "tool is" : "tools are"} new, removed or of another version`,
      help: "run `skillc lock`, which lists them",
    });
}

const relock =
  "run `skillc lock`, which writes the whole file again, and review the file with `git diff`";
/** `skillc lock` overwrites only a lock. */
const moveAway = "move it elsewhere, then run `skillc lock`, and review the file with `git diff`";

function diagnosticOf(
  { change, id, locked, version }: LockChange,
  line: PlacedTool | undefined,
  tool: ToolModel | undefined,
): UnratedDiagnostic {
  const inLock: Span | undefined = line && { file: lockFileName, ...line.at };
  const span = tool?.span ?? inLock ?? { file: lockFileName, start: 0, end: 0 };
  const related =
    inLock && tool ? { related: [{ span: inLock, message: "the locked version" }] } : {};
  const name = quote(id);
  switch (change) {
    case "changed":
      return {
        code: "lock/tool-changed",
        span,
        ...related,
        message:
          version === null
            ? `${name} has changed since it was locked, and it has no \`version:\``
            : `${name} has changed since version ${quote(version)} was locked`,
        help:
          version === null
            ? "if you want the change, run `skillc lock`, and give the tool a `version:`; `skillc compare` shows what has changed"
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
        message: `${name} has another version than in the lock`,
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
        message: `${name} is locked, but there is no such tool`,
        help: "if you removed it on purpose, run `skillc lock`",
      };
  }
}
