import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** The file that marks a project's root. */
export const configFileName = "skillc.yaml";

/**
 * The nearest folder, from `cwd` upwards, that holds a skillc.yaml; `cwd` itself when there is
 * none.
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
