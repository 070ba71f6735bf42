import { createJiti } from "jiti";
import { readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { sha256 } from "../../core/hash.js";

/** A loaded module of the user. */
interface LoadedModule {
  readonly exports: Readonly<Record<string, unknown>>;
  /** Hash of the texts of all user files that were loaded. */
  readonly fingerprint: string;
}

/**
 * Loads a TypeScript or JavaScript module of the user, in its current state on disk.
 *
 * @param root absolute; `./…` is relative to it, and packages are resolved from there
 * @param shared modules by specifier that the user's code must get from this process, because
 * another copy would reject its values
 * @throws any error of the module or its loading
 */
export async function loadModule(
  root: string,
  specifier: string,
  shared: Readonly<Record<string, unknown>>,
): Promise<LoadedModule> {
  const jiti = createJiti(join(root, "skillc.yaml"), {
    fsCache: false,
    interopDefault: false,
    // jiti adds a `default` to the object, and a module namespace is not extensible.
    virtualModules: Object.fromEntries(
      Object.entries(shared).map(([name, module]) => [name, Object.assign({}, module)]),
    ),
    transformModules: specifier.startsWith(".") ? [] : [specifier],
  });
  const own = ownFiles(root);
  for (const file of Object.keys(jiti.cache)) {
    if (own(file)) delete jiti.cache[file];
  }
  const loaded: unknown = await jiti.import(specifier);
  const files = Object.keys(jiti.cache).filter(own).toSorted();
  return {
    exports: typeof loaded === "object" && loaded !== null ? { ...loaded } : {},
    fingerprint: sha256(files.map((file) => sha256(readFileSync(file, "utf8"))).join()),
  };
}

/** Returns a check for files of the user, as opposed to those of packages. */
function ownFiles(root: string): (file: string) => boolean {
  const folders = [root, realpathSync(root)].map((folder) => folder + sep);
  return (file) =>
    folders.some((folder) => file.startsWith(folder)) && !file.includes(`${sep}node_modules${sep}`);
}

/** Describes on one line why a module could not be loaded, without this machine's paths. */
export function describeLoadError(error: unknown, root: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const [first = "", second = ""] = message.split("\n").filter((each) => each.trim() !== "");
  // A syntax error has its position on a separate line.
  const place = /^\s*\S+:\d+:\d+$/.test(second) ? ` at ${second.trim()}` : "";
  const line = `${first.trim()}${place}`.replaceAll(`${root}/`, "./");
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
