/**
 * The modules that each file of `src` and `test` loads, read from the text of its imports. Modules
 * that a file names by `new URL("./worker.ts", import.meta.url)` count too. Imports of types do not.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { globSync } from "tinyglobby";

/** Files that each file loads directly. Paths are relative to the repository. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

const specifiers = /(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"|\bnew URL\(\s*"([^"]+)"/g;
const typeImports = /^(?:import|export) type [^;]*;/gm;

/** Finds the file of this repository behind a specifier. */
export type Resolve = (from: string, specifier: string) => string | undefined;

export type Aliases = readonly {
  readonly find: RegExp | string;
  readonly replacement: string;
}[];

/** @param aliases sources of packages by specifier, as vitest.config.ts resolves them */
export function importResolver(repository: string, aliases: Aliases): Resolve {
  return (from, specifier) => {
    const alias = aliases.find(({ find }) =>
      typeof find === "string" ? find === specifier : find.test(specifier),
    );
    if (alias !== undefined) return relative(repository, alias.replacement);
    if (!specifier.startsWith(".")) return undefined;
    const path = join(dirname(from), specifier).replace(/\.js$/, ".ts");
    return existsSync(join(repository, path)) ? path : undefined;
  };
}

/** @param withTypes imports of types count too */
export function importGraph(
  repository: string,
  aliases: Aliases,
  { withTypes = false } = {},
): ImportGraph {
  const files = globSync(["{bench,examples,generated,src,test}/**/*.ts", "!**/node_modules/**"], {
    cwd: repository,
  });
  const fileOf = importResolver(repository, aliases);
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(repository, file), "utf8");
      const loading = withTypes ? text : text.replace(typeImports, "");
      const named = [...loading.matchAll(specifiers)].map(([, one, other]) => one ?? other ?? "");
      return [file, named.flatMap((each) => fileOf(file, each) ?? [])];
    }),
  );
}

/**
 * Finds the files that load one of these, directly or through others. The result includes the
 * targets.
 */
export function importersOf(graph: ImportGraph, targets: Iterable<string>): ReadonlySet<string> {
  const importers = new Map<string, string[]>();
  for (const [file, imports] of graph)
    for (const each of imports) importers.set(each, [...(importers.get(each) ?? []), file]);
  const found = new Set(targets);
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer);
  return found;
}

/** Finds the files that these load, directly or through others. The result includes the roots. */
export function loadedBy(graph: ImportGraph, roots: Iterable<string>): ReadonlySet<string> {
  const found = new Set(roots);
  for (const file of found) for (const each of graph.get(file) ?? []) found.add(each);
  return found;
}
