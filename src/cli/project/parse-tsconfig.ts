import { dirname, isAbsolute, join } from "node:path";
import type { ts as Ts } from "ts-morph";
import type { JsonObject, JsonValue } from "../../core/json.js";
import { ts } from "../../core/typescript.js";

/** The options of a tsconfig.json that affect type checks, and their files. */
export interface ParsedTsconfig {
  /** Options as in tsconfig.json, with absolute paths. */
  readonly compilerOptions: JsonObject & { readonly paths: JsonObject };
  /** Absolute paths of all requested files, including missing ones. */
  readonly read: ReadonlySet<string>;
}

/**
 * Reads the options of the nearest tsconfig.json like TypeScript does.
 *
 * @param root absolute
 */
export function parseTsconfig(root: string): ParsedTsconfig {
  const read = new Set<string>();
  // Record the requested path too: a link in it may later lead to another file.
  const fileExists = (path: string): boolean => {
    read.add(path);
    return ts.sys.fileExists(path);
  };
  // `extends` may also name a pipe or a device.
  const readFile = (path: string): string | undefined =>
    fileExists(path) ? ts.sys.readFile(path) : undefined;
  const found = ts.findConfigFile(root, fileExists);
  const options =
    found === undefined ? withoutTsconfig : optionsIn(found, { fileExists, readFile });
  const paths = asPaths(options.paths, pathsBase(options, root));
  return { compilerOptions: { ...checkingOptions(options), paths }, read };
}

/** Options for a project without a tsconfig.json. */
const withoutTsconfig: Ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
};

function optionsIn(
  file: string,
  files: Pick<Ts.ParseConfigHost, "fileExists" | "readFile">,
): Ts.CompilerOptions {
  // `tsc` reports mistakes in a tsconfig.json, so only the readable parts count here. Without
  // `directoryExists`, TypeScript also asks for files of missing packages, which are then recorded.
  const { directoryExists: _, ...disk } = ts.sys;
  const host: Ts.ParseConfigHost = { ...disk, ...files, readDirectory: () => [] };
  try {
    const { config } = ts.readConfigFile(file, files.readFile);
    return ts.parseJsonConfigFileContent(config ?? {}, host, dirname(file), {}, file).options;
  } catch (error) {
    // TypeScript's reader is recursive. A file that nests too deep also ends `tsc`.
    if (error instanceof RangeError) return withoutTsconfig;
    throw error;
  }
}

function pathsBase(options: Ts.CompilerOptions, root: string): string {
  const base = options["pathsBasePath"];
  return options.baseUrl ?? (typeof base === "string" ? base : root);
}

function asPaths(paths: Ts.CompilerOptions["paths"], base: string): JsonObject {
  return Object.fromEntries(
    Object.entries(paths ?? {}).map(([name, targets]) => [
      name,
      targets.map((target) => (isAbsolute(target) ? target : join(base, target))),
    ]),
  );
}

/** Selects options that affect type checks, in the form of tsconfig.json. */
function checkingOptions(options: Ts.CompilerOptions): JsonObject {
  const { target, module, moduleResolution, lib, types, customConditions } = options;
  const named: Record<string, JsonValue | undefined> = {
    target: target === undefined ? undefined : ts.ScriptTarget[target],
    module: module === undefined ? undefined : ts.ModuleKind[module],
    moduleResolution:
      moduleResolution === undefined ? undefined : ts.ModuleResolutionKind[moduleResolution],
    lib: lib?.map((file) => file.replace(/^lib\.(.*)\.d\.ts$/, "$1")),
    types,
    customConditions,
  };
  const flags = checkingFlags.map((name) => [name, options[name]] as const);
  return Object.fromEntries(
    [...Object.entries(named), ...flags].filter((entry): entry is [string, JsonValue] =>
      isSet(entry[1]),
    ),
  );
}

function isSet(value: unknown): boolean {
  return typeof value === "boolean" || typeof value === "string" || Array.isArray(value);
}

const checkingFlags = [
  "strict",
  "alwaysStrict",
  "exactOptionalPropertyTypes",
  "isolatedDeclarations",
  "isolatedModules",
  "noImplicitAny",
  "noImplicitOverride",
  "noImplicitReturns",
  "noImplicitThis",
  "noPropertyAccessFromIndexSignature",
  "noUncheckedIndexedAccess",
  "noUnusedLocals",
  "noUnusedParameters",
  "resolveJsonModule",
  "strictBindCallApply",
  "strictBuiltinIteratorReturn",
  "strictFunctionTypes",
  "strictNullChecks",
  "strictPropertyInitialization",
  "useUnknownInCatchVariables",
  "verbatimModuleSyntax",
] as const;
