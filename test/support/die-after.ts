/** For child processes of tests. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Everything by which a file or a folder is made, moved or removed. */
const changing = [
  "writeFileSync",
  "renameSync",
  "rmSync",
  "rmdirSync",
  "mkdirSync",
  "mkdtempSync",
] as const;

/**
 * Has the process kill itself in place of a call of the file system.
 *
 * @param steps how many such calls are made before
 */
export function dieAfter(
  steps: number,
  counts: (name: string, path: string) => boolean = () => true,
): void {
  let left = steps;
  for (const name of changing) {
    // The functions have nothing in common; each is called as it was.
    const original = fs[name] as (...args: unknown[]) => unknown;
    const counting = (...args: unknown[]): unknown => {
      if (counts(name, String(args[0]))) {
        if (left === 0) process.kill(process.pid, "SIGKILL");
        left -= 1;
      }
      return original(...args);
    };
    Object.assign(fs, { [name]: counting });
  }
  syncBuiltinESMExports();
}
