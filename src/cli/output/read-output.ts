import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../exit.js";
import { stagingFolder } from "./write-output.js";

/**
 * Files that are in the output folder now, by path below it with `/`; empty when there is no such folder. Links are not followed.
 *
 * @throws Error of the file system when something that is there can't be read
 */
export function readOutput(folder: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  collect(folder, "", files);
  return files;
}

function collect(folder: string, prefix: string, files: Map<string, string>): void {
  for (const entry of entriesOf(folder)) {
    const path = `${prefix}${entry.name}`;
    if (path === stagingFolder) continue;
    if (entry.isDirectory()) collect(join(folder, entry.name), `${path}/`, files);
    else if (entry.isFile()) files.set(path, readFileSync(join(folder, entry.name), "utf8"));
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // A file in the folder's place is for the write to report.
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return [];
    throw error;
  }
}
