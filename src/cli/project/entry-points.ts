import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** An installed package of skillc. */
export interface InstalledPackage {
  /** Absolute, without links. */
  readonly folder: string;
  readonly version: string;
  /** Its exports, such as `./v1/http`, with their files. */
  readonly exports: Readonly<Record<string, string | EntryFiles>>;
}

interface EntryFiles {
  readonly types: string;
  readonly default: string;
}

/** One importable module of a package of skillc. */
interface EntryPoint {
  /** `@skillc/runtime/v1/http` */
  readonly specifier: string;
  /** Absolute path of the module. */
  readonly module: string;
  /**
   * Absolute path of its built declaration file, also in tests, because it is a quarter of the
   * source's size.
   */
  readonly types: string;
}

const runtimeName = "@skillc/runtime";

/** True if this code runs from TypeScript source, as in tests. */
const fromSource = import.meta.url.endsWith(".ts");
const ownFile = fileURLToPath(import.meta.url);
const ownFolder = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Finds the runtime that the code of a file imports.
 *
 * @param file absolute path of a file that need not exist; this module's own if absent
 * @returns undefined if there is none
 */
export function findRuntime(file = ownFile): InstalledPackage | undefined {
  try {
    const manifest = realpathSync(createRequire(file).resolve(`${runtimeName}/package.json`));
    return readPackage(dirname(manifest));
  } catch {
    return undefined;
  }
}

/** Specifier → absolute path of the file that declares its types. */
export function entryPointTypes(): Readonly<Record<string, string>> {
  return Object.fromEntries(entryPoints().map(({ specifier, types }) => [specifier, types]));
}

/**
 * The modules whose specifiers start with `prefix`, as this process loaded them. A module with a
 * missing package is left out; Node.js reports it to the importer.
 */
export async function loadEntryPoints(prefix: string): Promise<Readonly<Record<string, unknown>>> {
  const wanted = entryPoints().filter(({ specifier }) => specifier.startsWith(prefix));
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
  // Our own package.json, of this version or another.
  return { folder, ...(JSON.parse(text) as Omit<InstalledPackage, "folder">) };
}
