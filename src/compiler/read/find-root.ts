import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** The file that marks a project's root. */
export const configFileName = "skillc.yaml";

/**
 * Finds the nearest folder, from `cwd` upwards, with a skillc.yaml. Returns `cwd` itself if there
 * is none.
 */
export async function findProjectRoot(cwd: string): Promise<string> {
  const start = resolve(cwd);
  for (let folder = start; ; folder = dirname(folder)) {
    if (await isFile(join(folder, configFileName))) return folder;
    if (dirname(folder) === folder) return start;
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
