import { readRegularFile } from "@skillc/runtime/internal";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Outcome } from "../../compiler/cached-outcome.js";
import type { CompiledProject } from "./compile-project.js";
import type { OpenProject } from "./open-project.js";

/**
 * Checks if a package.json in the folder or above names the package, so that code in the folder can
 * import the package.
 */
export function dependsOn(folder: string, name: string): boolean {
  return (
    namesPackage(join(folder, "package.json"), name) ||
    (dirname(folder) !== folder && dependsOn(dirname(folder), name))
  );
}

/**
 * Argument of `npm install` for a package of skillc: a path, because the packages aren't on a
 * registry.
 *
 * @param own the package's folder, below skillc's
 */
export function installablePath(folder: string, own: string): string {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const path = relative(realpathSync(folder), join(root, own)).replaceAll("\\", "/");
  const named = path.startsWith(".") || path.startsWith("/") ? path : `./${path}`;
  return /^[\w./@:+-]+$/.test(named) ? named : JSON.stringify(named);
}

const places: ReadonlySet<string> = new Set([
  "dependencies",
  "devDependencies",
  "peerDependencies",
  "optionalDependencies",
]);

function namesPackage(file: string, name: string): boolean {
  try {
    const content: unknown = JSON.parse(readRegularFile(file).toString("utf8"));
    if (typeof content !== "object" || content === null) return false;
    return Object.entries(content).some(
      ([key, value]) =>
        (key === "name" && value === name) ||
        (places.has(key) &&
          typeof value === "object" &&
          value !== null &&
          Object.hasOwn(value, name)),
    );
  } catch {
    // The file does not exist, or npm will report it as invalid.
    return false;
  }
}

/**
 * Lists packages that generated code loads and that no package.json of the project names, sorted by
 * name. Installed packages don't count, because skillc's own dependencies are missing in
 * production.
 */
export function missingPackages(
  { root }: Pick<OpenProject, "root">,
  { compilation }: CompiledProject<Outcome>,
): readonly string[] {
  if (!hasPackageJson(root)) return [];
  const missing = (compilation?.packages ?? []).flatMap((names) => {
    const [first] = names;
    return first === undefined || names.some((name) => dependsOn(root, name)) ? [] : [first];
  });
  return [...new Set(missing)].toSorted();
}

function hasPackageJson(folder: string): boolean {
  if (existsSync(join(folder, "package.json"))) return true;
  return dirname(folder) !== folder && hasPackageJson(dirname(folder));
}
