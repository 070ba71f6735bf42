import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CompiledProject } from "./compile-project.js";
import { dependsOn } from "./installed-packages.js";
import type { OpenProject } from "./open-project.js";

/**
 * The packages that generated code loads and that no package.json of the project names, in the order of their names. Names count,
 * not what is installed: what skillc brings for its own use is not there in production.
 */
export function missingPackages(
  { root, kinds }: OpenProject,
  { compilation }: CompiledProject,
): readonly string[] {
  if (!hasManifest(root)) return [];
  const tools = (compilation?.plans ?? []).flatMap(({ tools }) => tools);
  const needs = tools.flatMap(({ tool: { binding } }) => {
    const kind = kinds?.registry.find(binding.type);
    return kind?.packages?.(binding.config) ?? [];
  });
  const wanted = tools.length === 0 ? [] : [["@skillc/runtime"], ...needs];
  const missing = wanted.flatMap((names) => {
    const [first] = names;
    return first === undefined || names.some((name) => dependsOn(root, name)) ? [] : [first];
  });
  return [...new Set(missing)].toSorted();
}

function hasManifest(folder: string): boolean {
  if (existsSync(join(folder, "package.json"))) return true;
  return dirname(folder) !== folder && hasManifest(dirname(folder));
}
