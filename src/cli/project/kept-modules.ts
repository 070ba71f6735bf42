import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type FileCache, openFileCache } from "../cache/file-cache.js";
import { openUserKey } from "../cache/user-key.js";
import type { Io } from "../io.js";

/** JavaScript of the project's modules, by hashes of their TypeScript. */
export type KeptModules = Pick<FileCache, "get" | "set">;

/**
 * Opens the JavaScript that earlier processes made of the project's modules. Only this user's
 * skillc can have written it, because it is signed with the user's key.
 *
 * @param root absolute
 */
export function openKeptModules(root: string, env: Io["env"]): KeptModules {
  const folder = { root, path: ".skillc/cache/modules" };
  return openFileCache(folder, `${jitiVersion()} ${process.version}`, openUserKey(root, env));
}

/** The version of the compiler that made the JavaScript. */
function jitiVersion(): string {
  const file = createRequire(import.meta.url).resolve("jiti/package.json");
  // npm publishes no package without a version.
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
}
