/** Kills a child process of a test at a chosen call of the file system. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Functions that create, move, remove or change a file or a folder. */
const changing = [
  "writeFileSync",
  "renameSync",
  "rmSync",
  "rmdirSync",
  "mkdirSync",
  "mkdtempSync",
  "linkSync",
  "unlinkSync",
  "symlinkSync",
  "fchmodSync",
  "futimesSync",
] as const;

/**
 * Makes the process kill itself instead of changing the file system.
 *
 * @param steps number of changes that are made before
 */
export function dieAfter(
  steps: number,
  counts: (name: string, path: string) => boolean = () => true,
): void {
  let left = steps;
  for (const name of changing) {
    // The functions have no common signature; arguments are passed on unchanged.
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
