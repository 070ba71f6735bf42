import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** Links packages into a project: the built skillc, and the installed version of others. */
export function linkPackages(root: string, names: readonly string[]): void {
  for (const name of names) {
    const link = join(root, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(name === "skillc" ? repository : join(repository, "node_modules", name), link);
  }
}

/** Runs `tsc` on a project, and returns the errors that it prints; empty if there are none. */
export async function tsc(root: string, args: readonly string[] = []): Promise<string> {
  const program = join(repository, "node_modules/typescript/bin/tsc");
  const run = promisify(execFile)(process.execPath, [program, "--pretty", "false", ...args], {
    cwd: root,
    timeout: 60_000,
  });
  // `tsc` prints errors on stdout and exits with an error code.
  return run.then(
    ({ stdout }) => stdout,
    (error: unknown) => {
      if (error instanceof Error && "stdout" in error && error.stdout !== "")
        return String(error.stdout);
      throw error;
    },
  );
}
