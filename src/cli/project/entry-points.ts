import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** An installed package of skillc. */
export interface InstalledPackage {
  /** Absolute path without links. */
  readonly folder: string;
  readonly version: string;
  /** Exports of the package, such as `./v1/http`, with their files. */
  readonly exports: Readonly<Record<string, string | EntryFiles>>;
}

interface EntryFiles {
  readonly types: string;
  readonly default: string;
}

/** One importable module of a package of skillc. */
interface EntryPoint {
  /** Specifier, such as `@skillc/runtime/v1/http`. */
  readonly specifier: string;
  /** Absolute path of the module. */
  readonly module: string;
  /**
   * Absolute path of the built declaration file. Tests also use it, because it is a quarter of the
   * source's size.
   */
  readonly types: string;
}

const runtimeName = "@skillc/runtime";

/** True if this code runs from TypeScript source, as in tests. */
const fromSource = import.meta.url.endsWith(".ts");
/** True if this code is the built package, whose modules Node.js can load. */
export const isBuilt = !fromSource;
const ownFile = fileURLToPath(import.meta.url);
const ownFolder = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Finds the runtime that the code of a file imports; undefined if there is none.
 *
 * @param file absolute path of a file that need not exist; by default this module's own
 */
export function findRuntime(file = ownFile): InstalledPackage | undefined {
  try {
    const packageJson = realpathSync(createRequire(file).resolve(`${runtimeName}/package.json`));
    return readPackage(dirname(packageJson));
  } catch {
    return undefined;
  }
}

/** Returns the absolute path of the declaration file for each specifier. */
export function entryPointTypes(): Readonly<Record<string, string>> {
  return Object.fromEntries(entryPoints().map(({ specifier, types }) => [specifier, types]));
}

/**
 * Returns the modules whose specifiers start with `prefix`, as this process loaded them. Leaves out
 * a module with a missing package, which Node.js reports to the importer.
 */
export async function loadEntryPoints(prefix: string): Promise<Readonly<Record<string, unknown>>> {
  const wanted = entryPoints().filter(
    ({ specifier }) => specifier.startsWith(prefix) && !loadedAlone.test(specifier),
  );
  const loaded = wanted.map(async ({ specifier, module }): Promise<readonly Loaded[]> => {
    try {
      return [[specifier, await import(pathToFileURL(module).href)]];
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  });
  return Object.fromEntries((await Promise.all(loaded)).flat());
}

/** Entry points for servers, which no generated code imports. Their libraries load slowly. */
const loadedAlone = /^@skillc\/runtime\/mcp(?:\/|$)/;

type Loaded = readonly [specifier: string, module: unknown];

function isNotFound(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}

function entryPoints(): readonly EntryPoint[] {
  const runtime = findRuntime();
  return [
    ...(runtime === undefined ? [] : entryPointsOf(runtimeName, runtime)),
    ...entryPointsOf("skillc", readPackage(ownFolder)),
  ];
}

function entryPointsOf(name: string, { folder, exports }: InstalledPackage): readonly EntryPoint[] {
  return Object.entries(exports).flatMap(([key, files]) =>
    typeof files === "string"
      ? []
      : [
          {
            specifier: `${name}${key.slice(1)}`,
            module: fromSource ? sourceOf(files) : join(folder, files.default),
            types: join(folder, files.types),
          },
        ],
  );
}

function sourceOf({ types }: EntryFiles): string {
  const path = types.replace(/^\.\/dist\/(?:types\/)?/, "src/").replace(/\.d\.ts$/, ".ts");
  return join(ownFolder, path);
}

function readPackage(folder: string): InstalledPackage {
  const text = readFileSync(join(folder, "package.json"), "utf8");
  // The file is skillc's package.json, of this version or another.
  return { folder, ...(JSON.parse(text) as Omit<InstalledPackage, "folder">) };
}
