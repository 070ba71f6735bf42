import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import { promisify } from "node:util";
import { systemCode } from "./system-code.js";

const run = promisify(execFile);

/**
 * Removes a folder in which a process may have made anything: folders that nobody may read, and
 * paths that are too long for the system's calls. It leaves what it can't remove.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await fs.rm(path, { recursive: true, force: true });
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    await run("chmod", ["-R", "u+rwx", path]).catch(() => undefined);
    await run("rm", ["-rf", path]).catch(() => undefined);
  }
}
