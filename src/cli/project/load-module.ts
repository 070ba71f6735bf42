import { createJiti, type Jiti, type TransformOptions } from "jiti";
import { readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { sha256 } from "../../core/hash.js";
import type { KeptModules } from "./kept-modules.js";

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
 * @param kept JavaScript of earlier processes; by default all TypeScript is compiled again
 * @throws any error of the module or its loading
 */
export async function loadModule(
  root: string,
  specifier: string,
  shared: Readonly<Record<string, unknown>>,
  kept?: KeptModules,
): Promise<LoadedModule> {
  const base = join(root, "skillc.yaml");
  const jiti = createJiti(base, {
    ...usual,
    ...(kept && { transform: keptTransform(createJiti(base, usual), kept) }),
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

const usual = {
  fsCache: false,
  interopDefault: false,
  // Node.js itself loads the runtime, so that the user's code gets the copy of this process.
  nativeModules: ["@skillc/runtime"],
};

/** Compiles TypeScript, unless an earlier process has compiled the same text. */
function keptTransform(jiti: Jiti, kept: KeptModules) {
  return (options: TransformOptions): { readonly code: string } => {
    // No option of this file is a function, so the text tells them all apart.
    const key = sha256(JSON.stringify(["module", options]));
    const known = kept.get(key);
    if (known !== undefined) return { code: known };
    const code = jiti.transform(options);
    kept.set(key, code);
    return { code };
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
