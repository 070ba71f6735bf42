import { readingOnly } from "../cache/file-cache.js";
import type { CommandContext } from "../command-context.js";
import { visible } from "../console/visible.js";
import { hasErrors, printDiagnosticsJson } from "../diagnostics/print-diagnostics.js";
import { plural } from "../diagnostics/summary.js";
import { type ExitCode, exitCode } from "../exit.js";
import { openProject } from "../project/open-project.js";
import { compareLock, type LockChange, toolsToLock } from "../tool-lock/compare-lock.js";
import { readLockFile, writeLockFile } from "../tool-lock/lock-file.js";
import { lockFileName, readLock, renderLock } from "../tool-lock/lock-text.js";
import { compileWithProgress } from "./compile-with-progress.js";
import { createSession } from "./generate-once.js";
import { reportBriefly } from "./report-briefly.js";

/** Flags of `skillc lock`; absent by default. */
export interface LockOptions {
  readonly json?: true;
}

/** Writes skillc.lock for the current skills, and reports the changes that this accepts. */
export async function lockTools(context: CommandContext, { json }: LockOptions): Promise<ExitCode> {
  const open = await openProject(context.directory);
  const cache = readingOnly(createSession(context.io).cacheFor(open));
  const compiled = await compileWithProgress(context, open, { cache });
  const isSound = !hasErrors(compiled.diagnostics) && compiled.compilation !== undefined;
  const tools = toolsToLock(compiled.compilation?.lowered ?? []);
  const before = isSound ? lockedBefore(open.root) : undefined;
  const changes = before && compareLock(before, tools);
  const isWritten = isSound && writeLockFile(open.root, renderLock(tools));
  if (json === true) {
    const more = { changed: isWritten, tools, changes: changes ?? null };
    printDiagnosticsJson(context, compiled, more);
  } else {
    reportBriefly(context, compiled, {});
    if (isSound) print(context, tools.length, changes, isWritten);
  }
  return isSound ? exitCode.fine : exitCode.inputErrors;
}

/** Reads the existing lock; undefined if there is no readable one. */
function lockedBefore(root: string) {
  const file = readLockFile(root);
  const lock = file.kind === "text" ? readLock(file.text) : undefined;
  return lock?.kind === "lock" ? lock.tools : undefined;
}

function print(
  { io, out }: CommandContext,
  count: number,
  changes: readonly LockChange[] | undefined,
  isWritten: boolean,
): void {
  const state = isWritten ? "written" : "up to date";
  const lines = [
    `${out.green("✓")} ${out.bold(lockFileName)}`,
    `  ${out.dim(`${plural(count, "tool")} · ${state}`)}`,
    ...(changes ?? []).map((each) => `  ${wordsOf(each)}`),
  ];
  io.stdout.write(`${lines.join("\n")}\n`);
}

function wordsOf({ change, id, locked, version }: LockChange): string {
  const name = visible(id);
  const [was, is] = [locked, version].map((each) => visible(each ?? "no version"));
  switch (change) {
    case "changed":
      return `${name} changed and kept its version (${is}): raise the version if callers may notice`;
    case "lowered":
    case "raised":
      return `${name} ${was} → ${is}`;
    case "added":
      return `${name} is new`;
    case "removed":
      return `${name} is gone`;
  }
}
