/**
 * Starts a new record before all tests. After them, adds the threads and processes that ended after
 * their test file.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addProcesses, recordedTests, recordFolder, repository } from "./reach-record.js";

export default function beginRecord(): () => void {
  rmSync(recordFolder, { recursive: true, force: true });
  mkdirSync(recordFolder, { recursive: true });
  // Commits the present files without a branch. The result is empty if nothing changed since
  // `HEAD`.
  const made = git("stash", "create") || git("rev-parse", "HEAD");
  writeFileSync(join(recordFolder, "commit"), made);
  return () => {
    for (const test of recordedTests()) addProcesses(test);
  };
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trim();
}
