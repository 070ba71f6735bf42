import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { sha256 } from "../../core/hash.js";
import { findRuntime } from "../project/entry-points.js";

/**
 * Changes with every build of skillc, and with every package that generates code, because a cache
 * is only valid for one build. Computed from names, sizes and times of the files of the compiler
 * and the runtime, and from the packages' versions.
 */
export function buildFingerprint(): string {
  const packageRoot = fileURLToPath(new URL("../../../", import.meta.url));
  const code = fileURLToPath(new URL("../../", import.meta.url));
  const runtime = findRuntime();
  const folders = [
    code,
    join(packageRoot, "templates"),
    ...(runtime === undefined ? [] : [join(runtime.folder, "dist")]),
  ];
  const files = folders.flatMap((folder) => stampsOf(folder, packageRoot));
  const facts = readFileSync(join(packageRoot, "package.json"), "utf8");
  return sha256(
    [facts, process.version, ...files.toSorted(), ...dependencyVersions(facts)].join("\n"),
  );
}

function stampsOf(folder: string, root: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.d)\.(?:js|ts|hbs)$/.test(entry.name))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { size, mtimeMs } = statSync(path);
      return `${relative(root, path)} ${size} ${mtimeMs}`;
    });
}

function dependencyVersions(packageJson: string): readonly string[] {
  // Our own package.json.
  const { dependencies = {} } = JSON.parse(packageJson) as {
    dependencies?: Record<string, string>;
  };
  const { resolve } = createRequire(import.meta.url);
  return Object.keys(dependencies).map(
    (name) => `${name} ${versionOf(name, resolve.paths(name) ?? [])}`,
  );
}

function versionOf(name: string, folders: readonly string[]): string {
  for (const folder of folders) {
    try {
      return sha256(readFileSync(join(folder, name, "package.json"), "utf8"));
    } catch {
      // A parent's node_modules may have the package.
    }
  }
  return "absent";
}
